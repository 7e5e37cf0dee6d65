#pragma once

#include <agon/analysis/kit.hpp>
#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// @file
/// Tables and figures of papers, and of games, made from an archive:
/// `agon report ARCHIVE --paper-table PAPER/ID`.
///
/// A plugin adds a table with `registry.add(agon::TableCard{...})`. A table finds its matches by
/// game, settings and agents, never by the name of a suite, so that any archive that holds fitting
/// matches will do.
namespace agon {

/// What stands for "there is none" in the numbers below.
inline constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

/// A number that came out, and how sure it is.
struct Figure {
  double value = kNothing;  ///< NaN: there is none
  double low = kNothing;    ///< of the interval; NaN: there is none
  double high = kNothing;   ///< likewise
  double n = kNothing;      ///< what it is a mean, a share or a sum of
};

/// One cell of a table.
struct TableCell {
  std::string text{};           ///< what stands there instead of numbers
  Figure ours{};                ///< from the archive
  double published = kNothing;  ///< what the paper prints at this place
  int decimals = 2;             ///< of all numbers in the cell
};

/// A row: its label, and a cell for each column.
struct TableRow {
  std::string label;             ///< of the row
  std::vector<TableCell> cells;  ///< one a column
  bool theory = false;           ///< what theory says of the rows beside it: drawn as a line
  std::string unit{};   ///< of its figures, where rows are the measures; empty: the column's
  bool plotted = true;  ///< its figures belong to the plots; else they are in the table only
};

/// The axes of curves.
struct Curves {
  std::string x;       ///< what places are: "round"
  std::string y;       ///< what the figures are: "mean rank"
  std::string unit{};  ///< of the figures; empty: none
  bool down = false;   ///< a curve is a column, its places the rows under a heading; else a row
  std::vector<double> at{};  ///< where the places lie, in order; empty: at 1, 2, 3, ...
};

/// One way in which a table is drawn: which of its figures, and as what. Its picture has one axis,
/// or one colour scale, and so figures of one unit: where those that it names have several, each
/// unit gets a picture of its own. What is published is drawn beside ours, as hollow marks.
///
///     table.columns = {"games", "low", "lower quartile", "median", "upper quartile", "high"};
///     table.units = {"games", "dollars", "dollars", "dollars", "dollars", "dollars"};
///     table.plots = {{.how = agon::TablePlot::How::boxes, .columns = {1, 2, 3, 4, 5}}};
struct TablePlot {
  /// The forms that papers use.
  enum class How : std::uint8_t {
    dots,      ///< a line a row; in it a dot a column, with its interval
    bars,      ///< a group a row, side by side; in it an upright bar a column, with its interval
    boxes,     ///< an upright box a row: `columns` are the ends, quartiles and median of a sample
    heat_map,  ///< a field a figure, rows down and columns across, on one colour scale
    curves,    ///< as PaperTable::curves says, which has to be there
    points,    ///< a mark a row: `columns` are x, y and, if wanted, how many stand behind it
    none,      ///< nothing is drawn
  };
  How how = How::dots;
  /// The columns with the figures, counted from 0; empty: all. Counts of games and other columns
  /// that say how much stands behind a figure are not to be among them. Boxes: low, lower quartile,
  /// median, upper quartile, high and, if wanted, mean (a dashed line), in this order. Curves: of
  /// those that are columns; where they are rows, it is left empty. Points: two or three columns,
  /// which may have different units, as each has an axis.
  std::vector<std::size_t> columns{};
  /// Dots and bars: for each of `columns` the one with its standard deviation. It is drawn as a
  /// line of one to both sides, in place of the interval. Empty: none.
  std::vector<std::size_t> deviations{};
  /// One picture for each heading, with the heading as its title, all to the same scale. Curves are
  /// taken apart by themselves where there are many.
  bool apart = false;
  std::string title{};  ///< of the picture, behind the table's; empty: what tells it from others
};

/// A table in the paper's layout, or the data behind a figure.
///
/// Every table says the unit of its figures: `units` where columns are the measures,
/// TableRow::unit where rows are, both where some rows differ. Figures of one unit may stand on one
/// axis; so a unit is what is counted, in the words of people: "dollars", "share", "percent",
/// "rank", "days", "games", "correlation", "p". A column whose unit is not said is drawn by itself.
///
/// Without `plots` and `curves`, all figures are drawn as dots with their intervals, each unit in a
/// picture of its own; as a heat map where more than six columns have one unit.
struct PaperTable {
  std::string corner{};              ///< heading of the labels: "game"
  std::vector<std::string> columns;  ///< their headings
  /// Each with a cell for every column. A row of empty cells is a heading; rows below it may begin
  /// with two spaces.
  std::vector<TableRow> rows;
  /// What a reader must know: how a number is defined, misprints, what is missing and why.
  std::vector<std::string> notes{};
  /// If every row, or every column, is a curve. Without `plots`, this is how the table is drawn;
  /// rows with a unit of their own are drawn apart.
  std::optional<Curves> curves{};
  /// Every row is a point: its first figure over x, its second over y, and its third, if there is
  /// one, how many the point stands for. The headings of these columns are the axes; rows under one
  /// heading belong together. Short for a plot of points of these columns.
  bool points = false;
  /// The unit of each column's figures; one alone: of all columns. Curves may say it in
  /// Curves::unit. Empty: not said.
  std::vector<std::string> units{};
  /// How the paper draws it, picture by picture. Empty: see above.
  std::vector<TablePlot> plots{};
};

/// One line of a match's record, as JSON.
struct PlayedEntry {
  /// What the line holds.
  enum class What : std::uint8_t { event, answer, draw, carry };
  What what = What::event;     ///< which of them
  std::string_view name;       ///< of the event or the draw; the stage of an answer
  int seat = -1;               ///< who answered or carries; -1: nobody
  std::uint32_t audience = 0;  ///< of an event: bit s set if seat s was told; 0: for the record
  std::string json;            ///< the event, the accepted answer, the drawn or carried value
  bool probe = false;          ///< of answers
  bool forced = false;         ///< of answers: the fallback gave it
  bool declined = false;       ///< of answers to probes: there is none
};

/// One seat of a finished match.
struct PlayedSeat {
  std::string_view name;            ///< of the seat
  std::string_view role;            ///< "buyer"; empty if all seats are alike
  std::string_view agent;           ///< its name in the suite
  std::string_view base;            ///< of an agent that factors made: the name of the entry
  std::string_view factors;         ///< JSON object: factor or label to level
  double score = kNothing;          ///< in the unit of the game's card (cents where it says so)
  double zero = kNothing;           ///< what staying outside gives, in the same unit
  double one = kNothing;            ///< the best it could get, likewise
  int rank = 0;                     ///< 1 is best
  std::int64_t forced = 0;          ///< answers that the fallback gave
  std::span<const double> metrics;  ///< in the order of the game's description; NaN: not defined
  std::string_view person{};        ///< pseudonym of the person who answered; empty: nobody did
};

/// A finished match as tables see it. Valid during the call that hands it out.
class AGON_API PlayedMatch {
 public:
  virtual ~PlayedMatch();

  /// The id of its game, for tables that read two.
  [[nodiscard]] virtual std::string_view game() const = 0;
  /// The scenario's name in its suite.
  [[nodiscard]] virtual std::string_view scenario() const = 0;
  /// The preset that the settings began with.
  [[nodiscard]] virtual std::string_view preset() const = 0;
  /// JSON object: what the scenario varied, and how it was set.
  [[nodiscard]] virtual std::string_view treatment() const = 0;
  /// JSON object: the whole settings.
  [[nodiscard]] virtual std::string_view settings() const = 0;
  /// Matches of equal draws() and block share their random numbers; they are not independent.
  [[nodiscard]] virtual std::int64_t block() const = 0;
  /// Repeats of a block have the same random numbers, from 0.
  [[nodiscard]] virtual std::int64_t repeat() const = 0;
  /// Within a sequence of matches that learn from one another, from 0.
  [[nodiscard]] virtual std::int64_t position() const = 0;
  /// Name of the agent that the line-up is about; empty: none.
  [[nodiscard]] virtual std::string_view focal() const = 0;
  /// In order of their numbers.
  [[nodiscard]] virtual std::span<const PlayedSeat> seats() const = 0;
  /// A metric of the match as a whole; NaN where it is not defined. Money is in cents.
  [[nodiscard]] virtual double metric(std::string_view name) const = 0;
  /// A metric of a seat, likewise.
  [[nodiscard]] virtual double metric(const PlayedSeat& seat, std::string_view name) const = 0;
  /// The record in order. Empty unless the card says `reads_records`. Throws Error for a damaged
  /// one.
  [[nodiscard]] virtual std::vector<PlayedEntry> entries() const = 0;
  /// The scenario whose random draws it had: its own, or the one that `same_draws_as` names, maybe
  /// of another game. With the seed, where scenarios of the archive had it with several: "deal
  /// (seed 7)".
  [[nodiscard]] virtual std::string_view draws() const;
};

/// Calls `each(said)` with every event of the match's record that is one of `Events`, each an
/// agon::Event, PrivateEvent or Note of the match's game, in the order in which they were said:
///
///     agon::each_said<kSold>(match, [&](const Sold& sold) { ... });
///     agon::each_said<kLot, kSold>(match, agon::Overloaded{[&](const Lot& lot) { ... },
///                                                          [&](const Sold& sold) { ... }});
///
/// Events of one name must have one type. The table's card must say `reads_records`. Throws Error
/// (failure) for a record that holds another event of that name, as one of another version may.
template <const auto&... Events, class Each>
void each_said(const PlayedMatch& match, Each each) {
  for (const PlayedEntry& entry : match.entries()) {
    if (entry.what != PlayedEntry::What::event) continue;
    const auto try_one = [&]<class Event>(const Event&) {
      if (entry.name != Event::name) return false;
      each(*read_back<typename Event::Said>(entry.json));
      return true;
    };
    static_cast<void>((try_one(Events) || ...));
  }
}

/// Several functions as one: which is called depends on the type of the argument.
template <class... Functions>
struct Overloaded : Functions... {
  using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// The finished matches of an archive.
class AGON_API PlayedMatches {
 public:
  virtual ~PlayedMatches();
  /// Calls `each` with every finished match of the card's games that the game itself did not break:
  /// by scenario, block, repeat, position, line-up and assignment.
  virtual void each(const std::function<void(const PlayedMatch&)>& each) const = 0;
  /// Coverage asked of intervals: what `agon report` was told, or 0.95.
  [[nodiscard]] virtual double level() const = 0;
};

/// Thrown by a table for which nothing fitting is in the archive. The person is told what is
/// missing and which scenario of the card makes it.
struct AGON_API LacksData {
  std::string what;  ///< "matches with 4 rounds of negotiation"
};

/// A table or a figure of a paper, or of a game's own (see `in_report`).
struct TableCard {
  std::string_view id;      ///< "game-theory/table-5"; of a game's own "GAME/prices"
  std::string_view title;   ///< what it shows, in a few words
  std::string_view source;  ///< paper, and where in it; of a game's own empty
  /// The suite that plays for it: "papers/game-theory/table-5.json"; of a game's own empty.
  std::string_view scenario;
  std::string_view game;       ///< the game whose matches it reads
  bool reads_records = false;  ///< it needs more than scores and metrics
  /// Makes it. Throws LacksData if nothing fitting was played.
  PaperTable (*make)(const PlayedMatches& matches) = nullptr;
  /// A second game whose matches it reads as well, where a table compares two; empty: none.
  std::string_view also{};
  /// No paper's: how the game was played, in any suite. It is part of every page of a report
  /// (section `play`), made from all matches or, where these are many, from every k-th block.
  bool in_report = false;
};

}  // namespace agon
