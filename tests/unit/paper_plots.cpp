// How tables of papers come into pictures: never two units on one axis, and boxes, bars and fields
// where they belong.

#include <agon/analysis/paper_table.hpp>
#include <map>
#include <random>
#include <set>

#include "catch.hpp"
#include "markup_samples.hpp"
#include "report/document.hpp"
#include "report/plot/drawings.hpp"
#include "report/render/render.hpp"
#include "report/sections/sections.hpp"

namespace {

using namespace agon;
using How = TablePlot::How;
using report::Drawing;
using report::Plot;
using report::ReportSection;

TableCell figure(double value, double published = kNothing) {
  TableCell cell;
  cell.ours.value = value;
  cell.published = published;
  return cell;
}

TableRow heading(const std::string& words, std::size_t columns) {
  return {words, std::vector<TableCell>(columns)};
}

ReportSection section_of(const PaperTable& table) {
  TableCard card;
  card.id = "a/b";
  card.title = "t";
  return report::paper_section(card, table, "", 0.95);
}

/// The numbers behind `name="` of elements with this class, in order.
std::vector<double> of_class(const std::string& svg, const std::string& classes,
                             const std::string& name) {
  std::vector<double> all;
  const std::string wanted = "class=\"" + classes + "\"";
  for (std::size_t at = 0; (at = svg.find(wanted, at)) != std::string::npos; ++at) {
    const std::size_t begin = svg.rfind('<', at);
    const std::size_t found = svg.find(" " + name + "=\"", begin);
    if (found < at) all.push_back(std::stod(svg.substr(found + name.size() + 3)));
  }
  return all;
}

/// The unit of a figure, as the report's table says it.
std::string unit_at(const report::ReportTable& table, const report::ReportRow& row,
                    std::size_t column) {
  if (!row.about.unit.empty()) return row.about.unit;
  const std::string& own = table.columns[column].about.unit;
  return own.empty() ? table.about.unit : own;
}

}  // namespace

TEST_CASE("No picture of a paper's table has figures of two units on its axis",
          "[report][plot][property]") {
  // Tables at random: units by column, by row and not said, headings, and figures that are missing.
  std::mt19937 random(32);
  const auto draw = [&](std::size_t end) { return random() % end; };
  const std::vector<std::string> units{"dollars", "share", "games", "", "rank"};
  for (int round = 0; round < 200; ++round) {
    PaperTable table;
    const std::size_t columns = 1 + draw(9);
    for (std::size_t c = 0; c < columns; ++c) table.columns.push_back("c" + std::to_string(c));
    switch (draw(3)) {
      case 0:
        break;
      case 1:
        table.units = {"dollars"};
        break;
      default:
        for (std::size_t c = 0; c < columns; ++c) table.units.push_back(units[draw(units.size())]);
    }
    for (std::size_t r = 0; r < 2 + draw(8); ++r) {
      if (draw(4) == 0) table.rows.push_back(heading("h" + std::to_string(r), columns));
      TableRow& row = table.rows.emplace_back(TableRow{"  r" + std::to_string(r), {}});
      if (draw(3) == 0) row.unit = units[draw(units.size())];
      row.plotted = draw(6) != 0;
      for (std::size_t c = 0; c < columns; ++c)
        row.cells.push_back(draw(5) == 0 ? TableCell{}
                                         : figure(1 + static_cast<double>(draw(100))));
    }
    const bool bars = draw(2) == 0, apart = draw(2) == 0;
    if (bars) table.plots = {{.how = How::bars, .apart = apart}};

    const ReportSection section = section_of(table);
    const report::ReportTable& made = section.tables.front();
    std::map<const report::ReportCell*, int> times;
    for (const Plot& plot : section.plots) {
      std::set<std::string> axis;
      std::set<std::size_t> unsaid;
      for (const report::ReportRow* row : report::rows_of(made, plot))
        for (const std::size_t c : plot.columns)
          if (report::drawn(made, plot, *row, c)) {
            CHECK(row->plotted);
            const std::string unit = unit_at(made, *row, c);
            axis.insert(unit);
            if (unit.empty()) unsaid.insert(c);
            ++times[&row->cells[c]];
          }
      INFO("round " << round << ", " << plot.title);
      CHECK(axis.size() == 1);
      CHECK(unsaid.size() < 2);
      const std::string svg = report::render_svg(section, plot, true);
      CHECK(is_well_formed(svg));
    }
    // Nothing that belongs to the pictures is in none of them, or in two.
    for (const report::ReportRow& row : made.rows)
      for (std::size_t c = 1; c < row.cells.size(); ++c) {
        const bool wanted = row.plotted && !row.heading && report::drawn(row, c).has_value();
        CHECK(times[&row.cells[c]] == (wanted ? 1 : 0));
      }
  }
}

TEST_CASE("A table of several units is drawn as one small picture for each", "[report][plot]") {
  PaperTable table;
  table.columns = {"profit", "won", "loss"};
  table.units = {"dollars", "items", "dollars"};
  table.rows = {{"a", {figure(5000), figure(3), figure(100)}}};
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 2);
  CHECK(section.plots[0].columns == std::vector<std::size_t>{1, 3});
  CHECK(section.plots[0].unit == "dollars");
  CHECK(section.plots[0].title == "T: dollars");
  CHECK(section.plots[1].columns == std::vector<std::size_t>{2});
  CHECK(section.plots[1].unit == "won (items)");
  CHECK(section.plots[0].name == "figure");
  CHECK(section.plots[1].name == "figure-2");
  // Programs get the unit with each figure.
  CHECK(section.tables[0].columns[1].about.unit == "dollars");
  table.units = {"dollars"};
  CHECK(section_of(table).plots.size() == 1);
  CHECK(section_of(table).tables[0].about.unit == "dollars");
  // What is not known to be of one kind is not put together.
  table.units = {};
  CHECK(section_of(table).plots.size() == 3);
}

TEST_CASE("A table says which of its figures are drawn", "[report][plot]") {
  PaperTable table;
  table.columns = {"games", "score", "best"};
  table.units = {"games", "score", "score"};
  table.plots = {{.columns = {1, 2}}};
  table.rows = {
      {"a", {figure(30), figure(0.5), figure(1)}},
      {.label = "p", .cells = {figure(0), figure(99), figure(99)}, .unit = "p", .plotted = false}};
  ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 1);
  CHECK(section.plots[0].columns == std::vector<std::size_t>{2, 3});
  const std::string svg = report::render_svg(section, section.plots[0], false);
  CHECK(svg.find(">a</text>") != std::string::npos);
  CHECK(svg.find(">p</text>") == std::string::npos);
  CHECK(svg.find("99") == std::string::npos);
  table.plots = {{.how = How::none}};
  CHECK(section_of(table).plots.empty());
}

TEST_CASE("A box has its quartiles, its median and its dashed mean at their places",
          "[report][plot]") {
  PaperTable table;
  table.columns = {"games", "low", "lower quartile", "median", "upper quartile", "high", "mean"};
  table.units.assign(7, "dollars");
  table.units.front() = "games";
  table.plots = {{.how = How::boxes, .columns = {1, 2, 3, 4, 5, 6}, .apart = true}};
  for (const double most : {100.0, 200.0}) {
    table.rows.push_back(heading(most > 150 ? "rich" : "poor", 7));
    table.rows.push_back({"  day 1",
                          {figure(10), figure(0), figure(most / 4), figure(most / 2),
                           figure(most * 3 / 4), figure(most), figure(most * 0.6)}});
  }
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 2);
  CHECK(section.plots[0].title == "T: poor");
  CHECK(section.plots[0].drawing == Drawing::boxes);
  const std::string poor = report::render_svg(section, section.plots[0], true);
  const std::string rich = report::render_svg(section, section.plots[1], true);
  CHECK(is_well_formed(poor));
  CHECK(poor.find(">day 1</text>") != std::string::npos);
  CHECK(poor.find(">median</text>") != std::string::npos);
  CHECK(poor.find(">mean</text>") != std::string::npos);
  CHECK(poor.find(">published</text>") == std::string::npos);
  // 240 pixels are 200 dollars in both: pictures of one figure have one scale.
  const auto height = [](const std::string& svg) {
    return of_class(svg, "hollow s0", "height").at(0);
  };
  CHECK(height(poor) == Approx(60).margin(0.2));
  CHECK(height(rich) == Approx(120).margin(0.2));
  const double top = of_class(rich, "hollow s0", "y").at(0);
  // The first line of each class is the key's.
  CHECK(of_class(rich, "own s0", "y1").at(1) == Approx(top + 60).margin(0.2));
  CHECK(of_class(rich, "together unsure s1", "y1").at(1) == Approx(top + 36).margin(0.2));
}

TEST_CASE("What a paper prints of a box stands beside ours", "[report][plot]") {
  PaperTable table;
  table.columns = {"low", "lower quartile", "median", "upper quartile", "high"};
  table.plots = {{.how = How::boxes, .columns = {0, 1, 2, 3, 4}}};
  table.rows = {{"price", {figure(0), figure(1), figure(2, 2.5), figure(3), figure(4)}}};
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 1);  // all of a box has one unit, said or not
  const std::string svg = report::render_svg(section, section.plots[0], false);
  CHECK(svg.find(">published</text>") != std::string::npos);
  CHECK(of_class(svg, "together printed s6", "y1").size() == 2);  // one is the key's
  CHECK(svg.find("<title>price: low 0.00") != std::string::npos);
}

TEST_CASE("Bars stand on zero, with a standard deviation where a column has it", "[report][plot]") {
  PaperTable table;
  table.columns = {"mu", "sigma"};
  table.units = {"TrueSkill", "TrueSkill"};
  table.plots = {{.how = How::bars, .columns = {0}, .deviations = {1}}};
  table.rows = {{"a", {figure(40, 30), figure(10, 5)}}, {"b", {figure(-20), figure(10)}}};
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 1);
  CHECK(section.plots[0].unit == "mu (TrueSkill)");
  const std::string svg = report::render_svg(section, section.plots[0], false);
  CHECK(is_well_formed(svg));
  const auto y = of_class(svg, "field s0", "y"), height = of_class(svg, "field s0", "height");
  REQUIRE(y.size() == 2);
  CHECK(y[0] + height[0] == Approx(y[1]).margin(0.2));  // both from zero, up and down
  CHECK(height[0] == Approx(2 * height[1]).margin(0.3));
  // From 30 to 50, and the printed 25 to 35.
  const auto from = of_class(svg, "together s6", "y1"), to = of_class(svg, "together s6", "y2");
  CHECK(from.at(0) - to.at(0) == Approx(height[0] / 2).margin(0.3));
  CHECK(of_class(svg, "together printed s6", "y1").size() == 1);
  CHECK(svg.find("class=\"hollow s6\"") != std::string::npos);
}

TEST_CASE("Fields of one figure have one scale, and a key that says what it counts",
          "[report][plot]") {
  PaperTable table;
  table.columns = {"left", "middle", "right"};
  table.units = {"share"};
  table.plots = {{.how = How::heat_map, .apart = true}};
  table.rows = {heading("game 1", 3),
                {"  left", {figure(0.25), figure(0.25), TableCell{}}},
                heading("game 2", 3),
                {"  left", {figure(0.5, 0.4), TableCell{}, figure(0)}}};
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 2);
  // A game of two choices has no column for the third.
  CHECK(section.plots[0].columns == std::vector<std::size_t>{1, 2});
  CHECK(section.plots[1].columns == std::vector<std::size_t>{1, 3});
  const std::string first = report::render_svg(section, section.plots[0], false);
  const std::string second = report::render_svg(section, section.plots[1], false);
  // Half of the largest in either game is half as deep.
  CHECK(first.find("fill-opacity=\"0.29\"") < first.find("colours, share"));
  CHECK(second.find("fill-opacity=\"0.54\"") < second.find("colours, share"));
  CHECK(first.find(">left</text>") != std::string::npos);
  CHECK(first.find("game 1: left") == std::string::npos);
  CHECK(second.find(">0.40</text>") != std::string::npos);
  CHECK(second.find(">published</text>") != std::string::npos);
  for (const std::string* svg : {&first, &second}) {
    CHECK(is_well_formed(*svg));
    CHECK(svg->find(">0.50</text>") != std::string::npos);  // the end of the key
  }
}

TEST_CASE("Curves of another unit have a picture of their own", "[report][plot]") {
  PaperTable table;
  table.columns = {"day 1", "day 2"};
  table.curves = Curves{.x = "day", .y = "mean bid", .unit = "dollars"};
  table.rows = {{"Bob", {figure(100), figure(200)}},
                {.label = "RSR", .cells = {figure(0.3), figure(0.4)}, .unit = "supply over needs"}};
  const ReportSection section = section_of(table);
  REQUIRE(section.plots.size() == 2);
  CHECK(section.plots[0].columns == std::vector<std::size_t>{0});
  CHECK(section.plots[1].columns == std::vector<std::size_t>{1});
  CHECK(section.series[0].y.unit == "dollars");
  CHECK(section.series[1].y.label == "supply over needs");
  // Curves may have the unit of the table, and say no word twice.
  table.curves = Curves{.x = "match", .y = "mean rank"};
  table.units = {"rank"};
  table.rows.pop_back();
  CHECK(section_of(table).series[0].y.unit.empty());
  // A row without figures is no heading of what comes after it.
  table.rows = {
      heading("one", 2), {"  Alex", {TableCell{}, TableCell{}}}, {"  Bob", {figure(1), figure(2)}}};
  table.plots = {{.how = How::curves, .apart = true}};
  CHECK(section_of(table).plots.at(0).heading == "one");
  table.plots = {{.how = How::bars, .apart = true}};
  CHECK(section_of(table).plots.at(0).title == "T: one");
  table.rows = {{"Bob", {figure(100), figure(200)}}};
  // What was to be drawn in another form still has its curves as data.
  table.plots = {{.how = How::heat_map}};
  const ReportSection fields = section_of(table);
  CHECK(fields.series.size() == 1);
  REQUIRE(fields.plots.size() == 1);
  CHECK(fields.plots[0].drawing == Drawing::heat_map);
}
