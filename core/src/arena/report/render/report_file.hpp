#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/tables.hpp"

namespace agon::report {
struct Document;
}

/// A report as programs read it: JSON is these structs, and a line of CSV is a cell.
namespace agon::report_file {

inline constexpr std::string_view kFormat = "agon.report";
inline constexpr int kVersion = 3;

/// A figure with what it is about and all that is known of it; what does not apply is left out.
struct Cell {
  std::optional<std::string> game{};
  std::optional<std::string> treatment{};
  std::optional<std::string> role{};
  std::optional<std::string> agent{};
  std::optional<std::string> other{};
  std::optional<double> position{};
  std::optional<std::string> metric{};
  std::optional<std::string> unit{};
  std::optional<std::string> better{};
  std::optional<std::string> row{};
  std::optional<std::string> column{};
  std::optional<double> value{};
  std::optional<double> low{};
  std::optional<double> high{};
  std::optional<double> level{};
  std::optional<double> low_together{};
  std::optional<double> high_together{};
  std::optional<double> standard_error{};
  std::optional<double> p{};
  std::optional<double> p_adjusted{};
  std::optional<std::int64_t> n{};
  std::optional<std::int64_t> blocks{};
  std::optional<double> effective_n{};
  std::optional<double> largest_share{};
  std::optional<std::string> largest_unit{};
  std::optional<double> out_of{};
  std::optional<double> unseen{};
  std::optional<double> unseen_effect{};
  std::optional<std::int64_t> won{};
  std::optional<std::int64_t> tied{};
  std::optional<std::int64_t> lost{};
  std::optional<double> p_won{};
  std::optional<std::int64_t> degenerate{};
  std::optional<double> published{};
  std::optional<std::string> text{};
  std::optional<std::string> method{};
  std::optional<std::string> note{};
  std::optional<std::string> warnings{};
};
AGON_DESCRIBE(
    Cell, (game, "that it is of; without: all of them", left_out),
    (treatment, "scenario, with its treatment in words", left_out),
    (role, "of the seats that it is of", left_out),
    (agent, "as the suite calls it; of effects of factors the family", left_out),
    (other, "whom or what the agent is compared with, or met", left_out),
    (position, "x of a point; place in a sequence, from 1; number of an equilibrium", left_out),
    (metric, "score, difference, rank, the name of a game's metric, an effect ...", left_out),
    (unit, "of value, low and high", left_out),
    (better, "of a metric: higher or lower is better", left_out),
    (row, "of a paper's table: label of the row", left_out),
    (column, "of a paper's table: heading of the column", left_out),
    (value, "the figure", left_out), (low, "interval of this figure by itself", left_out),
    (high, "likewise", left_out), (level, "of the intervals", left_out),
    (low_together, "interval that holds for all of the table at once", left_out),
    (high_together, "likewise", left_out),
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
    (warnings, "ids of the alerts that this figure must not be read without, one space between two",
     left_out))

/// A column of a table.
struct Column {
  std::string header;
  bool key = false;
};
AGON_DESCRIBE(Column, (header, "as people read it"),
              (key, "its cells say in words what their row is about, and are no figures"))

struct Row {
  std::vector<Cell> cells;
};
AGON_DESCRIBE(Row, (cells, "one for each column; empty where there is no figure"))

struct Table {
  std::string title;
  std::vector<Column> columns;
  std::vector<Row> rows;
};
AGON_DESCRIBE(Table, (title, "what tells it from the other tables of its section"),
              (columns, "in order"), (rows, "in the order in which people read them"))

struct Axis {
  std::string label;
  std::string unit;
};
AGON_DESCRIBE(Axis, (label, "what it counts"), (unit, "empty: none, or the label says it"))

/// A curve, for plots.
struct Series {
  std::string name;
  Axis x, y;
  bool tabled = false;
  std::vector<Cell> points;
};
AGON_DESCRIBE(Series, (name, "unique within its section"), (x, "of the points' positions"),
              (y, "of their values"), (tabled, "a table of the section has the same figures"),
              (points, "by position"))

/// A part of the report.
struct Section {
  std::string id;
  std::string title;
  std::string explanation;
  std::vector<Table> tables;
  std::vector<Series> series;
  std::vector<std::string> notes;
};
AGON_DESCRIBE(Section, (id, "as --section takes it; several sections may share one"),
              (title, "in words"), (explanation, "what is in it, in sentences"),
              (tables, "figures"), (series, "curves of figures"),
              (notes, "what to know about it, in sentences"))

/// What concerns every figure.
struct Alert {
  std::string words;
  std::optional<std::string> command{};
  std::optional<std::string> id{};
  std::optional<std::vector<std::string>> games{};
};
AGON_DESCRIBE(Alert, (words, "in sentences"), (command, "what to do about it", left_out),
              (id, "of a warning, as `warnings` of figures have it; absent: it is none", left_out),
              (games, "whose figures it is about; absent: all", left_out))

struct Report {
  std::string format{kFormat};
  int version = kVersion;
  report::Made made;
  std::vector<Alert> alerts;
  std::vector<Section> sections;
};
AGON_DESCRIBE(Report, (format, "agon.report"),
              (version, "goes up when a member changes its meaning or goes"),
              (made, "from what and how"), (alerts, "what must be known whichever figure is read"),
              (sections, "in the order in which people read them"))

/// What programs get of a document: nothing that is for people only, and no number that is not
/// finite.
[[nodiscard]] Report of(const report::Document& document);

}  // namespace agon::report_file
