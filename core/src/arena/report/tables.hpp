#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "report/made.hpp"
#include "results/agents_apart.hpp"
#include "stats/estimate.hpp"
#include "text/table.hpp"

namespace agon::report {

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
struct Missing {
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
using Cell = std::variant<Missing, std::string, std::int64_t, Number, Dollars, Estimated>;

/// A part of a figure that has a column, or a line below, of its own in tables for people.
struct Part {
  enum class What : std::uint8_t {
    value,
    interval,  ///< or why there is none
    together,  ///< the interval that holds for all at once, else the figure's own
    p,
    p_adjusted,
    units,
    out_of,
    published,
  };
  What what;
  std::string header;  ///< of the column, or the label of the line
  text::Align align = text::Align::right;
};

struct Column {
  std::string header;
  text::Align align = text::Align::left;
  std::size_t limit = 0;  ///< wider cells are cut in the text; 0: none
  Subject about{};
  bool key = false;  ///< says what its row is about, and is no figure
  Where where = Where::everywhere;
  std::vector<Part> apart{};   ///< the parts of its figures; empty: one cell holds all
  bool units_in_head = false;  ///< the head says how many units are behind its figures
};

struct Row {
  Subject about{};
  std::vector<Cell> cells{};  ///< those at the end may be missing
  Where where = Where::everywhere;
  std::optional<std::size_t> units{};  ///< said in the row: figures with as many do not repeat it
  bool heading = false;                ///< its first cell heads the rows below it
  bool theory = false;                 ///< says what theory does of the rows beside it
};

/// A table as data. Where a figure's own subject says nothing, that of its row holds, then that of
/// its column, then the table's.
struct Table {
  std::string title{};  ///< what tells it from the other tables of its section
  Subject about{};
  std::size_t fixed = 0;  ///< columns repeated where the others do not fit on a page; 0: no breaks
  std::vector<Column> columns{};
  std::vector<Row> rows{};
  std::vector<Part> below{};  ///< what stands under the values, where there is any
};

/// What an axis of a plot counts.
struct Axis {
  std::string label;
  std::string unit{};
};
/// A place on a curve.
struct Point {
  double x = 0;
  Estimated y{};
};
/// A curve as data, for plots. Tables for people do not have it.
struct Series {
  std::string name;  ///< unique within its section
  Subject about{};
  Axis x, y;
  std::vector<Point> points{};
  bool tabled = false;  ///< a table of its section has the same figures: CSV does without
  bool theory = false;  ///< what theory says of the others
};

/// How a plot shows figures.
enum class Drawing : std::uint8_t {
  forest,    ///< a line a row: its figures on one axis, with their intervals
  heat_map,  ///< a field a figure, the deeper in colour the farther from zero
  curves,    ///< the series of the section, over their x
  scatter,   ///< a point a row: the figures of one column over those of another
  bars,      ///< a bar a row, of its figures laid end to end
  points,    ///< a mark a row, as large as many stand behind it; rows of theory are a line
  arrows,    ///< the best of a profile's rows, to what it leads to; below 0 a row leads back
};

/// A picture of figures that its section has in a table or in series: it has none of its own.
struct Plot {
  std::string name;  ///< unique within its section; part of a file's name
  std::string title;
  Drawing drawing = Drawing::forest;
  std::size_t table = 0;  ///< in the section; curves: not used
  /// Of the table, those with the figures: scatter: x, then y; a heat map of one column has the
  /// table's first two columns as its rows and columns; points: x, y and, if any, how many; arrows:
  /// the figure, then a column a seat with what it chooses, then a column a seat with what it
  /// chooses where the arrow ends. Curves: in Section::series; empty: all.
  std::vector<std::size_t> columns{};
  std::string unit{};            ///< what the axis of the figures counts
  std::optional<double> line{};  ///< marked on that axis: the outside option, no difference
};

/// A part of a report: what it is, tables, and remarks below them.
struct Section {
  std::string id;  ///< as `--section` names it; several may share one
  std::string title;
  std::string explanation{};
  std::vector<Table> tables{};
  std::vector<Series> series{};
  std::vector<Plot> plots{};
  std::vector<std::string> remarks{};
  std::vector<std::string> points{};  ///< remarks as a list
  std::string method{};               ///< of its intervals, unless a figure has its own
  std::optional<double> level{};      ///< of its intervals; without one that of the document
  Where where = Where::everywhere;
};

/// What must be seen beside every table, whichever are asked for.
struct Alert {
  std::string words;
  std::string command{};             ///< on a line of its own
  std::string id{};                  ///< by which figures name a warning; empty: no warning
  std::vector<std::string> games{};  ///< whose figures it is about; none: all
};

/// A report as data: what renderers make text, JSON, CSV, LaTeX, Markdown and HTML of.
struct Document {
  Made made{};
  std::vector<Alert> alerts{};
  std::vector<Section> sections{};
  AgentsApart apart{};  ///< the ends of its agents' names
};

}  // namespace agon::report
