#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "results/participant.hpp"
#include "results/scope.hpp"
#include "stats/estimate.hpp"
#include "text/layout.hpp"

/// Describes those members of the struct T that programs get, one entry a member; the others are
/// for people. JSON, its schema and the columns of CSV follow from it.
#define AGON_DESCRIBE_PART(T, ...)                                                              \
  [[maybe_unused]] constexpr std::string_view agon_name(const T*) {                             \
    return #T;                                                                                  \
  }                                                                                             \
  template <class Self = T>                                                                     \
  constexpr ::std::array<::agon::Field, AGON_DETAIL_COUNT(__VA_ARGS__)> agon_fields(const T*) { \
    return {{AGON_DETAIL_SEQUENCE(AGON_DETAIL_FIELD, __VA_ARGS__)}};                            \
  }

namespace agon::report {

/// What is chosen in the game over agents, and how it is looked at.
struct MetaQuestion {
  /// The label or factor, or LABEL=LEVEL,LEVEL for some of its levels. Empty: `agents`.
  std::string label{};
  /// Names of agents with commas between, or "all".
  std::string agents{};
  bool seats_apart = false;       ///< seats of one role are populations of their own too
  std::optional<double> alpha{};  ///< of alpha-rank, beside the limit of strong selection
};
AGON_DESCRIBE(MetaQuestion,
              (label, "the label or factor, with its levels if some were named; empty: agents"),
              (agents, "names with commas between, or all; empty: a label"),
              (seats_apart, "seats of one role are players of their own"),
              (alpha, "strength of selection of alpha-rank beside the limit", left_out))

/// How often data were resampled for intervals.
struct Resamples {
  std::int64_t scores = 0;
  std::int64_t metrics = 0;
  std::int64_t strengths = 0;
  std::int64_t trueskill = 0;
  std::int64_t seed = 0;
};
AGON_DESCRIBE(Resamples, (scores, "of scores and differences"),
              (metrics, "of every other metric, of pairs, and of ranks"), (strengths, "refits"),
              (trueskill, "refits, at most"), (seed, "picks the resamples"))

/// The table of a paper that a document has.
struct PaperTableName {
  std::string id;
  std::string source;
  std::string game;
};
AGON_DESCRIBE(PaperTableName, (id, "as --paper-table takes it"), (source, "paper, and where in it"),
              (game, "whose matches it is made from"))

/// What a document was made from, and how.
struct Made {
  double level = 0.95;
  Scope scope{};
  std::optional<std::string> policy{};
  std::optional<std::string> aggregate{};
  std::optional<std::vector<std::string>> without{};
  std::optional<std::string> reference{};
  std::optional<std::int64_t> matches{};
  std::optional<Resamples> resamples{};
  std::optional<MetaQuestion> metagame{};
  std::optional<PaperTableName> table{};
};
AGON_DESCRIBE(Made, (level, "of intervals, but where a figure has its own", range(0, 1)),
              (scope, "which matches of the archive"),
              (policy, "how forced answers are counted: as-played, forfeit or exclude", left_out),
              (aggregate, "what is over all games is of: mean, winsorised or ranks", left_out),
              (without, "games that were left out, as --without asked", left_out),
              (reference, "the agent that the others are compared with; empty: nothing was played",
               left_out),
              (matches, "finished ones that it is made from", left_out),
              (resamples, "of the bootstrap, by what they are for", left_out),
              (metagame, "of a report with --metagame or --metagame-agents: what was asked",
               left_out),
              (table, "of a report with --paper-table: which", left_out))

/// What a figure is about. What is empty is said by the row, the column or the table around it, or
/// does not apply.
struct Subject {
  std::string game{};
  std::string treatment{};  ///< the scenario, with its treatment in words
  std::string role{};
  std::string agent{};  ///< the full name, or the family that agents made of factors are of
  std::string other{};  ///< whom or what the agent is compared with
  std::optional<double> position{};  ///< on a curve: its x; or the number of an equilibrium
  std::string metric{};
  std::string unit{};
  std::string better{};  ///< "higher" or "lower"
  std::string row{};     ///< of a paper's table: the labels
  std::string column{};
  std::string text{};  ///< words that belong to the figure, such as a reason
};

/// Where something is given: tables for people leave out what says little.
enum class Where : std::uint8_t {
  everywhere,
  shown,  ///< for people: text, LaTeX, Markdown, HTML
  data,   ///< for programs: JSON, CSV
};

/// No figure.
struct NoFigure {
  std::string shown = "-";
};
/// A number without uncertainty of its own.
struct Number {
  double value = 0;
  int decimals = 0;
  bool sign = false;
};
/// Billionths of a US dollar.
struct Dollars {
  std::int64_t billionths = 0;
};
/// An estimate, and what a table adds to it.
struct Estimated {
  stats::Estimate estimate{};
  int decimals = 3;
  bool sign = false;
  std::optional<stats::Interval> together{};  ///< that holds for all agents of the table at once
  std::optional<double> p_adjusted{};
  std::optional<double> out_of{};     ///< what a share is of
  std::optional<double> published{};  ///< what a paper prints in its place
  std::string mark{};                 ///< behind the number: "*"
  std::string instead{};              ///< words in its place: "confounded"
};
using ReportCell = std::variant<NoFigure, std::string, std::int64_t, Number, Dollars, Estimated>;

/// A figure as programs get it, with what it is about and all that is known of it; what does not
/// apply is left out.
struct DataCell : Subject {
  std::optional<double> value{}, low{}, high{}, level{}, low_simultaneous{}, high_simultaneous{};
  std::optional<double> standard_error{}, p{}, p_adjusted{};
  std::optional<std::int64_t> n{}, blocks{};
  std::optional<double> effective_n{}, largest_share{};
  std::string largest_unit{};
  std::optional<double> out_of{}, unseen{}, unseen_effect{};
  std::optional<std::int64_t> won{}, tied{}, lost{};
  std::optional<double> p_won{};
  std::optional<std::int64_t> degenerate{};
  std::optional<double> published{};
  std::string method{}, note{}, warnings{};
};
AGON_DESCRIBE_PART(
    DataCell, (game, "that it is of; without: all of them", left_out),
    (treatment, "scenario, with its treatment in words", left_out),
    (role, "of the seats that it is of", left_out),
    (agent, "as the suite calls it; of effects of factors the family", left_out),
    (other, "whom or what the agent is compared with, or met", left_out),
    (position, "x of a point; place in a sequence, from 1; number of an equilibrium", left_out),
    (metric, "normalized_score, difference, rank, the name of a game's metric, an effect ...",
     left_out),
    (unit, "of value, low and high", left_out),
    (better, "of a metric: higher or lower is better", left_out),
    (row, "of a paper's table: label of the row", left_out),
    (column, "of a paper's table: heading of the column", left_out),
    (value, "the figure", left_out), (low, "interval of this figure by itself", left_out),
    (high, "likewise", left_out), (level, "of the intervals", left_out),
    (low_simultaneous, "interval that holds for all of the table at once", left_out),
    (high_simultaneous, "likewise", left_out),
    (standard_error, "linearised, or the spread of refits", left_out),
    (p, "two-sided, of a true value of zero", left_out),
    (p_adjusted, "for all comparisons of the table at once", left_out),
    (n, "independent units behind the figure: blocks, or items that blocks share", left_out),
    (blocks, "behind the figure", left_out),
    (effective_n,
     "how many units of equal weight would say as much: 1 / (sum of squared shares of the units)",
     left_out),
    (largest_share, "of one unit in the figure of its game", left_out),
    (largest_unit, "whose share that is: a block, or the item that blocks share", left_out),
    (out_of, "what a share is of, where that is no count of blocks", left_out),
    (unseen,
     "what happens in a smaller share of units may be missing from the data, and the interval "
     "does not reckon with it",
     left_out),
    (unseen_effect,
     "of a difference that leaves out 0: how far on the other side of 0 such units would have to "
     "be on average for the truth to be 0",
     left_out),
    (won, "of a difference: units in which the agent did better, however much", left_out),
    (tied, "in which both did the same", left_out), (lost, "in which it did worse", left_out),
    (p_won, "sign test of won and lost, two-sided: another question than p", left_out),
    (degenerate, "resamples that could not be evaluated", left_out),
    (published, "what the paper prints at this place", left_out),
    (text, "words in place of a figure, or that belong to it", left_out),
    (method, "of interval and p", left_out), (note, "why there is no interval", left_out),
    (warnings,
     "ids of the warnings that this figure must not be read without, one space between two",
     left_out))

/// A part of a figure that has a column, or a line below, of its own in tables for people.
struct FigurePart {
  enum class Item : std::uint8_t {
    value,
    interval,  ///< or why there is none
    together,  ///< the interval that holds for all at once, else the figure's own
    p,
    p_adjusted,
    units,
    out_of,
    published,
  };
  Item what;
  std::string header;  ///< of the column, or the label of the line
  text::Align align = text::Align::right;
};

struct ReportColumn {
  std::string header;
  text::Align align = text::Align::left;
  std::size_t limit = 0;  ///< wider cells are cut in the text; 0: none
  Subject about{};
  bool key = false;  ///< says what its row is about, and is no figure
  Where where = Where::everywhere;
  std::vector<FigurePart> apart{};  ///< the parts of its figures; empty: one cell holds all
  bool units_in_head = false;       ///< the head says how many units are behind its figures
};
AGON_DESCRIBE_PART(ReportColumn, (header, "as people read it"),
                   (key, "its cells say in words what their row is about, and are no figures"))

struct ReportRow {
  Subject about{};
  std::vector<ReportCell> cells{};  ///< those at the end may be missing
  Where where = Where::everywhere;
  std::optional<std::size_t> units{};  ///< said in the row: figures with as many do not repeat it
  bool heading = false;                ///< its first cell heads the rows below it
  bool theory = false;                 ///< says what theory does of the rows beside it
  bool plotted = true;                 ///< plots show its figures
  std::vector<DataCell> data{};        ///< the cells as programs get them: made by for_programs()
};
[[maybe_unused]] constexpr std::string_view agon_name(const ReportRow*) {
  return "ReportRow";
}
template <class Self = ReportRow>
constexpr std::array<Field, 1> agon_fields(const ReportRow*) {
  return {
      detail::field<&Self::data>("cells", "one for each column; empty where there is no figure")};
}

/// A table as data. Where a figure's own subject says nothing, that of its row holds, then that of
/// its column, then the table's.
struct ReportTable {
  std::string title{};  ///< what tells it from the other tables of its section
  Subject about{};
  std::size_t fixed = 0;  ///< columns repeated where the others do not fit on a page; 0: no breaks
  std::vector<ReportColumn> columns{};
  std::vector<ReportRow> rows{};
  std::vector<FigurePart> below{};  ///< what stands under the values, where there is any
};
/// What a cell's figure counts, as the row, the column or the table says; empty: it is not said.
[[nodiscard]] inline const std::string& unit_of(const ReportTable& table, const ReportRow& row,
                                                std::size_t column) {
  if (!row.about.unit.empty()) return row.about.unit;
  const std::string& own = table.columns.at(column).about.unit;
  return own.empty() ? table.about.unit : own;
}
AGON_DESCRIBE_PART(ReportTable, (title, "what tells it from the other tables of its section"),
                   (columns, "in order"), (rows, "in the order in which people read them"))

/// What an axis of a plot counts.
struct PlotAxis {
  std::string label;
  std::string unit{};
};
AGON_DESCRIBE(PlotAxis, (label, "what it counts"), (unit, "empty: none, or the label says it"))
/// A place on a curve.
struct Point {
  double x = 0;
  Estimated y{};
};
/// A curve as data, for plots. Tables for people do not have it.
struct PlotSeries {
  std::string name;  ///< unique within its section
  Subject about{};
  PlotAxis x, y;
  std::vector<Point> points{};
  bool in_table = false;         ///< a table of its section has the same figures: CSV does without
  bool theory = false;           ///< what theory says of the others
  std::vector<DataCell> data{};  ///< the points as programs get them: made by for_programs()
};
[[maybe_unused]] constexpr std::string_view agon_name(const PlotSeries*) {
  return "PlotSeries";
}
template <class Self = PlotSeries>
constexpr std::array<Field, 5> agon_fields(const PlotSeries*) {
  using ::agon::detail::field;
  return {field<&Self::name>("name", "unique within its section"),
          field<&Self::x>("x", "of the points' positions"), field<&Self::y>("y", "of their values"),
          field<&Self::in_table>("in_table", "a table of the section has the same figures"),
          field<&Self::data>("points", "by position")};
}

/// How a plot shows figures.
enum class Drawing : std::uint8_t {
  forest,    ///< a line a row: its figures on one axis, with their intervals
  heat_map,  ///< a field a figure, the deeper in colour the farther from zero
  curves,    ///< the series of the section, over their x
  scatter,   ///< a point a row: the figures of one column over those of another
  bars,      ///< a bar a row, of its figures laid end to end
  groups,    ///< a group of upright bars a row, one a figure, with their intervals
  boxes,     ///< a row is a box: the ends, quartiles and median of a sample, and its mean
  points,    ///< a mark a row, as large as many stand behind it; rows of theory are a line
  arrows,    ///< the best of a profile's rows, to what it leads to; below 0 a row leads back
};

/// A picture of figures that its section has in a table or in series: it has none of its own.
struct Plot {
  std::string name{};   ///< unique within its section; part of a file's name
  std::string title{};  ///< a sentence: what was found, or what is shown
  std::string shows{};  ///< what is shown, where the title says what was found
  Drawing drawing = Drawing::forest;
  std::size_t table = 0;  ///< in the section; curves: not used
  /// Of the table, those with the figures: scatter: x, then y; a heat map of one column has the
  /// table's first two columns as its rows and columns; points: x, y and, if any, how many; arrows:
  /// the figure, then a column a seat with what it chooses, then a column a seat with what it
  /// chooses where the arrow ends; boxes: low, lower quartile, median, upper quartile, high and, if
  /// any, mean. Curves: in ReportSection::series; empty: all.
  std::vector<std::size_t> columns{};
  std::string unit{};            ///< what the axis of the figures counts
  std::optional<double> line{};  ///< marked on that axis: the outside option, no difference
  /// Of a paper's table, which may have several: only figures of this unit; empty: of none.
  std::optional<std::string> measure{};
  std::vector<std::size_t> rows{};  ///< of the table; empty: all
  std::string heading{};            ///< under which they all stand: labels do without
  bool shared_scale = false;        ///< the scale holds the other rows' figures, too
  bool panels = false;  ///< of a forest: each column is a picture of its own, on one scale
  std::vector<std::size_t> deviations{};  ///< by column, where its standard deviation stands
};

/// A remark of a list, which may end with a list of its own.
struct ListedRemark {
  ListedRemark(std::string remark, std::vector<std::string> items = {})
      : words(std::move(remark)), below(std::move(items)) {}
  std::string words;
  std::vector<std::string> below;
};

/// A part of a report: what it is, tables, and remarks below them.
struct ReportSection {
  std::string id;  ///< as `--section` names it; several may share one
  std::string title;
  std::string explanation{};
  std::vector<ReportTable> tables{};
  std::vector<PlotSeries> series{};
  std::vector<Plot> plots{};
  std::vector<std::string> remarks{};
  std::vector<ListedRemark> points{};
  std::string method{};           ///< of its intervals, unless a figure has its own
  std::optional<double> level{};  ///< of its intervals; without one that of the document
  Where where = Where::everywhere;
  bool folds = false;                ///< on a page only its title is seen until it is opened
  std::vector<std::string> notes{};  ///< remarks and points together: made by for_programs()
};
AGON_DESCRIBE_PART(ReportSection, (id, "as --section takes it; several sections may share one"),
                   (title, "in words"), (explanation, "what is in it, in sentences"),
                   (tables, "figures"), (series, "curves of figures"),
                   (notes, "what to know about it, in sentences"))

/// What must be seen beside every table, whichever are asked for.
struct ReportAlert {
  std::string words;
  std::string command{};             ///< on a line of its own
  std::string id{};                  ///< by which figures name a warning; empty: no warning
  std::vector<std::string> games{};  ///< whose figures it is about; none: all
};
AGON_DESCRIBE(ReportAlert, (words, "in sentences"), (command, "what to do about it", left_out),
              (id, "of a warning, as `warnings` of figures have it; absent: it is none", left_out),
              (games, "whose figures it is about; absent: all", left_out))

/// A fact about the matches of a report.
struct SourceFact {
  std::string what;
  std::string words;
  bool origin = false;  ///< says how they came about, which a reader needs only to check them
};

/// A report as data: what renderers make text, JSON, CSV, LaTeX, Markdown and HTML of.
struct Document {
  Made made{};
  std::vector<ReportAlert> warnings{};
  std::vector<ReportSection> sections{};
  AgentsApart apart{};  ///< the ends of its agents' names
  std::string title{};  ///< of a page: what the report is of; empty: it has no name
  /// What stands below the title of a page: by what, when and how its matches came about.
  std::vector<SourceFact> source{};
  std::string format = "agon.report";
  int version = 4;
};
AGON_DESCRIBE_PART(Document, (format, "agon.report"),
                   (version, "goes up when a member changes its meaning or goes"),
                   (made, "from what and how"),
                   (warnings, "what must be known whichever figure is read"),
                   (sections, "in the order in which people read them"))

/// `value` with a fixed number of decimals, or with an exponent where it is huge; never "-0".
[[nodiscard]] AGON_API std::string fixed(double value, int decimals, bool sign = false);

/// "low to high", with signs for differences.
[[nodiscard]] AGON_API std::string interval(const stats::Interval& interval, int decimals,
                                            bool sign = false);

/// Decimals that show about four digits of a number of this size.
[[nodiscard]] AGON_API int decimals_for(double value);

/// Why there is no interval, in one or two words of a table: "too few", "always", "unstable".
[[nodiscard]] std::string note_words(stats::Note note);

/// The same, with the part of the figure that has too few units where only that has.
[[nodiscard]] std::string why_no_interval(const stats::Estimate& estimate);

/// "0.0312", "<0.0001", or nothing where there is none.
[[nodiscard]] std::string p_words(const std::optional<double>& p);

/// A count, or a mean of counts.
[[nodiscard]] std::string count_words(double n);

/// An estimate in minor units in units of `decimals` more places: 1250 with 2 is 12.5.
[[nodiscard]] stats::Estimate in_major_units(stats::Estimate estimate, int decimals);

}  // namespace agon::report
