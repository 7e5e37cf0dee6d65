#include <cmath>
#include <limits>
#include <set>

#include "catch.hpp"
#include "markup_samples.hpp"
#include "report/document.hpp"
#include "report/plot/drawings.hpp"
#include "report/render/render.hpp"
#include "report/sections/sections.hpp"

namespace {

using namespace agon;
using report::Drawing;
using report::Estimated;
using report::Plot;
using report::ReportSection;

/// The figures behind `name="` in the order in which they come up.
std::vector<double> numbers(const std::string& svg, const std::string& element,
                            const std::string& name) {
  std::vector<double> all;
  for (std::size_t at = 0; (at = svg.find("<" + element + " ", at)) != std::string::npos;) {
    const std::size_t end = svg.find('>', at);
    const std::size_t found = svg.find(" " + name + "=\"", at);
    if (found < end) all.push_back(std::stod(svg.substr(found + name.size() + 3)));
    at = end;
  }
  return all;
}

Estimated estimate(double value, std::optional<stats::Interval> own = {},
                   std::optional<stats::Interval> together = {}) {
  Estimated out{.decimals = 2};
  out.estimate.value = value;
  out.estimate.interval = own;
  out.estimate.units = 7;
  out.estimate.note = stats::Note::none;
  out.together = together;
  return out;
}

/// Agents down, two figures across.
ReportSection two_agents() {
  ReportSection section{.id = "s", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .key = true}, {.header = "first"}, {.header = "second"}};
  table.rows.push_back({.cells = {"a<b>", estimate(0, {{-1, 1}}, {{-2, 2}}), estimate(4)}});
  table.rows.push_back({.cells = {"c", estimate(-2), report::NoFigure{}}});
  return section;
}

}  // namespace

TEST_CASE("An axis has round numbers around all that it shows", "[report][plot]") {
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {0, 1}, {-0.013, 0.009}, {999.5, 1000.5}, {-3, -3}, {0, 0}, {1e-9, 5e12}, {-7, 123}}) {
    report::Scale scale;
    scale.show(low);
    scale.show(high);
    scale.show(std::numeric_limits<double>::quiet_NaN());
    scale.show(std::numeric_limits<double>::infinity());
    scale.lay(100, 300, 6);
    INFO(low << " to " << high);
    const auto& ticks = scale.ticks();
    REQUIRE(ticks.size() >= 2);
    CHECK(ticks.size() <= 9);
    CHECK(ticks.front() <= low + 1e-12);
    CHECK(ticks.back() >= high - 1e-12);
    CHECK(scale.at(ticks.front()) == Approx(100));
    CHECK(scale.at(ticks.back()) == Approx(300));
    for (std::size_t i = 1; i < ticks.size(); ++i) {
      CHECK(ticks[i] > ticks[i - 1]);
      CHECK(scale.tick_words(ticks[i]) != scale.tick_words(ticks[i - 1]));
    }
    // Half of the figures is half of the way.
    CHECK(scale.at((ticks.front() + ticks.back()) / 2) == Approx(200));
  }
  report::Scale ranks;
  ranks.show(1);
  ranks.show(2);
  ranks.lay(0, 1, 6);
  CHECK(ranks.ticks() == std::vector<double>{1, 2});
}

TEST_CASE("A forest has each figure at its place between the ends of its intervals",
          "[report][plot]") {
  const ReportSection section = two_agents();
  const Plot plot{.name = "p", .title = "T <&>", .columns = {1}, .unit = "score", .line = 0};
  const std::string svg = report::render_svg(section, plot, true);
  CHECK(is_well_formed(svg));
  CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  CHECK(occurrences(svg, "a&lt;b&gt;") == 2);  // its label, and the hint of its figure
  CHECK(svg.find("aria-label=\"T &lt;&amp;&gt;\"") != std::string::npos);
  const std::vector<double> places = numbers(svg, "circle", "cx");
  REQUIRE(places.size() == 2);
  // The axis goes from -2 to 2: no difference is in its middle, and -2 at its beginning.
  const auto from = numbers(svg, "line", "x1"), to = numbers(svg, "line", "x2");
  const double left = *std::min_element(from.begin(), from.end());
  const double right = *std::max_element(to.begin(), to.end());
  CHECK(places[0] == Approx((left + right) / 2));
  CHECK(places[1] == Approx(left));
  const auto interval = [&](const std::string& classes) {
    const std::size_t at = svg.find("class=\"" + classes + "\"");
    REQUIRE(at != std::string::npos);
    const std::string line = svg.substr(svg.rfind("<line", at), 200);
    return std::pair(numbers(line, "line", "x1").front(), numbers(line, "line", "x2").front());
  };
  // Places are written with one decimal.
  CHECK(interval("own s0").first == Approx((3 * left + right) / 4).margin(0.1));
  CHECK(interval("own s0").second == Approx((left + 3 * right) / 4).margin(0.1));
  CHECK(interval("together s0") == std::pair(left, right));
}

TEST_CASE("An outlier of a forest is an arrow with its figure where it would flatten the rest",
          "[report][plot]") {
  const auto drawn = [](double last, std::size_t others, std::optional<double> published = {}) {
    ReportSection section{.id = "s", .title = "T"};
    report::ReportTable& table = section.tables.emplace_back();
    table.columns = {{.header = "agent", .key = true}, {.header = "score"}};
    for (std::size_t i = 0; i < others; ++i)
      table.rows.push_back(
          {.cells = {"a" + std::to_string(i), estimate(static_cast<double>(i) / 4)}});
    table.rows.push_back({.cells = {"far", estimate(last, {{last - 1, last + 1}})}});
    std::get<Estimated>(table.rows.back().cells[1]).published = published;
    const Plot plot{.name = "p", .title = "T", .columns = {1}};
    return report::render_svg(section, plot, true);
  };
  const std::string svg = drawn(-20, 4);
  CHECK(is_well_formed(svg));
  CHECK(occurrences(svg, "<polygon") == 1);
  CHECK(occurrences(svg, ">-20.00</text>") == 1);
  CHECK(svg.find("far: -20.00 (n = 7), off the scale") != std::string::npos);
  // The others have the whole axis.
  const std::vector<double> places = numbers(svg, "circle", "cx");
  REQUIRE(places.size() == 4);
  CHECK(places[3] - places[0] > 0.6 * report::kPlotWidth);
  // A figure that is farther away than the others, but flattens nothing, stays at its place; so do
  // a few figures of which none is the rule, and what a paper prints.
  for (const std::string& whole : {drawn(-0.25, 4), drawn(-20, 3), drawn(-20, 4, -19)}) {
    CHECK(whole.find("off the scale") == std::string::npos);
    CHECK(occurrences(whole, "<polygon") == occurrences(whole, "class=\"hollow"));
    CHECK(numbers(whole, "circle", "cx").size() >= 4);
  }
}

TEST_CASE("Panels have the same rows on one scale, and a file has them below its title",
          "[report][plot]") {
  const ReportSection section = two_agents();
  const Plot plot{.name = "p",
                  .title = "Found.",
                  .shows = "Shown.",
                  .columns = {1, 2},
                  .line = 0,
                  .panels = true};
  const std::string page = report::render_svg(section, plot, false);
  REQUIRE(occurrences(page, "<svg") == 2);
  const std::string first = page.substr(0, page.find("<svg", 1)),
                    second = page.substr(first.size());
  for (const std::string& panel : {first, second}) {
    CHECK(occurrences(panel, ">c</text>") == 1);  // who has no figure here keeps the place
    CHECK(occurrences(panel, ">-2</text>") == 1);
    CHECK(occurrences(panel, ">4</text>") == 1);
  }
  CHECK(occurrences(first, ">first</text>") == 1);
  CHECK(second.find("aria-label=\"second: Found. Shown.\"") != std::string::npos);
  CHECK(numbers(first, "circle", "cx").size() == 2);
  CHECK(numbers(second, "circle", "cx").size() == 1);
  CHECK(numbers(first, "circle", "cx")[0] < numbers(second, "circle", "cx")[0]);
  const std::string file = report::render_svg(section, plot, true);
  CHECK(is_well_formed(file));
  CHECK(occurrences(file, "<svg") == 1);
  CHECK(occurrences(file, "class=\"head\">Found.</text>") == 1);
  CHECK(occurrences(file, ">Shown.</text>") == 1);
  CHECK(occurrences(file, "<circle") == 3);
  CHECK(file.find("aria-label=\"Found. Shown.\"") != std::string::npos);
}

TEST_CASE("Several figures a line have a legend and marks of their own", "[report][plot]") {
  ReportSection section = two_agents();
  Plot plot{.name = "p", .title = "T", .columns = {1, 2}};
  std::string svg = report::render_svg(section, plot, false);
  CHECK(svg.find(">first</text>") != std::string::npos);
  CHECK(svg.find(">second</text>") != std::string::npos);
  CHECK(svg.find(">published</text>") == std::string::npos);
  CHECK(svg.find("xmlns") == std::string::npos);
  std::get<Estimated>(section.tables[0].rows[1].cells[1]).published = 3;
  svg = report::render_svg(section, plot, false);
  CHECK(svg.find(">published</text>") != std::string::npos);
  CHECK(occurrences(svg, "class=\"hollow s0\"") == 1);
}

TEST_CASE("A heat map of pairs has rows and columns of the same names", "[report][plot]") {
  ReportSection section{.id = "pairs", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .key = true}, {.header = "against", .key = true}, {}};
  // Of the second order people see nothing: a plot shows both all the same.
  table.rows.push_back({.cells = {"x", "y", estimate(3)}});
  table.rows.push_back({.cells = {"y", "x", estimate(-3)}, .where = report::Where::data});
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::heat_map, .columns = {2}};
  const std::string svg = report::render_svg(section, plot, false);
  CHECK(is_well_formed(svg));
  CHECK(occurrences(svg, "<rect") == 2);
  CHECK(occurrences(svg, ">x</text>") == 2);
  const auto x = numbers(svg, "rect", "x"), y = numbers(svg, "rect", "y");
  // x against y is on the right above, y against x on the left below.
  CHECK(x[0] > x[1]);
  CHECK(y[0] < y[1]);
  CHECK(svg.find("field s0\" fill-opacity=\"0.54\"") != std::string::npos);
  CHECK(svg.find("field s1\" fill-opacity=\"0.54\"") != std::string::npos);
  CHECK(occurrences(svg, ">n 7</text>") == 2);
}

TEST_CASE("Rows of the same label under several headings are fields of their own",
          "[report][plot]") {
  TableCard card;
  card.id = "a/b";
  card.title = "t";
  PaperTable table;
  table.columns = {"1", "2", "3", "4", "5", "6", "7"};
  table.units = {"share"};
  const std::string longer(60, 'x');
  for (const std::string& heading : {longer + " open", longer + " hidden"}) {
    table.rows.push_back({heading, std::vector<TableCell>(7)});
    TableRow& row = table.rows.emplace_back(TableRow{"  3 buyers", std::vector<TableCell>(7)});
    for (TableCell& cell : row.cells) cell.ours.value = 1;
  }
  const report::ReportSection section = report::paper_section(card, table, "", 0.95);
  REQUIRE(section.plots.size() == 1);
  REQUIRE(section.plots[0].drawing == Drawing::heat_map);
  const std::string svg = report::render_svg(section, section.plots[0], false);
  const auto y = numbers(svg, "rect", "y");
  REQUIRE(y.size() == 14 + 6);  // with the key
  CHECK(y.front() < y[13]);
  CHECK(svg.find("open: 3 buyers</text>") != std::string::npos);
  CHECK(svg.find("hidden: 3 buyers</text>") != std::string::npos);
}

TEST_CASE("Bars are as long as their parts together", "[report][plot]") {
  ReportSection section{.id = "faults", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {
      {.header = "agent", .key = true}, {.header = "one"}, {.header = "none"}, {.header = "two"}};
  table.rows.push_back({.cells = {"a", std::int64_t{3}, std::int64_t{0}, std::int64_t{1}}});
  table.rows.push_back({.cells = {"b", std::int64_t{0}, std::int64_t{0}, std::int64_t{4}}});
  const Plot plot{.name = "p",
                  .title = "T",
                  .drawing = Drawing::bars,
                  .columns = {1, 2, 3},
                  .unit = "attempts"};
  const std::string svg = report::render_svg(section, plot, false);
  const auto x = numbers(svg, "rect", "x"), width = numbers(svg, "rect", "width");
  REQUIRE(x.size() == 3);
  CHECK(x[1] == Approx(x[0] + width[0]));
  CHECK(width[0] == Approx(3 * width[1]).margin(0.3));
  CHECK(width[0] + width[1] == Approx(width[2]).margin(0.2));
  CHECK(svg.find(">none</text>") == std::string::npos);  // nobody has it
}

TEST_CASE("Curves have bands and what is published", "[report][plot]") {
  ReportSection section{.id = "learning", .title = "T"};
  report::PlotSeries& series = section.series.emplace_back();
  series.name = "curve \"a\"";
  series.x = {"day"};
  series.y = {"health", "points"};
  for (int i = 0; i < 3; ++i) {
    Estimated y = estimate(i, {{i - 0.5, i + 0.5}});
    y.published = 2 - i;
    series.points.push_back({static_cast<double>(i), y});
  }
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::curves};
  const std::string svg = report::render_svg(section, plot, false);
  CHECK(is_well_formed(svg));
  CHECK(occurrences(svg, "<polygon points=\"") == 4);  // the band and three hollow marks
  CHECK(occurrences(svg, "<polyline") == 2);
  CHECK(svg.find("health (points)") != std::string::npos);
  CHECK(svg.find(">day</text>") != std::string::npos);
  const auto y = numbers(svg, "circle", "cy");
  REQUIRE(y.size() == 3);
  CHECK(y[0] - y[1] == Approx(y[1] - y[2]));  // up is more
  CHECK(y[0] > y[2]);
}

namespace {

/// Curves over three places that end at these figures.
ReportSection curves_to(const std::vector<std::pair<std::string, double>>& ends) {
  ReportSection section{.id = "learning", .title = "T"};
  for (const auto& [name, end] : ends) {
    report::PlotSeries& series = section.series.emplace_back();
    series.name = name;
    series.x = {"match"};
    series.y = {"score"};
    for (int i = 0; i < 3; ++i)
      series.points.push_back({static_cast<double>(i), estimate(i == 2 ? end : 5)});
  }
  return section;
}

struct PlacedWords {
  double x = 0, y = 0;
};

std::optional<PlacedWords> place_of(const std::string& svg, const std::string& words) {
  const std::size_t end = svg.find(">" + words + "</text>");
  if (end == std::string::npos) return std::nullopt;
  const std::string element = svg.substr(svg.rfind("<text", end), 100);
  return PlacedWords{numbers(element, "text", "x").front(), numbers(element, "text", "y").front()};
}

}  // namespace

TEST_CASE("Lines have their names at their ends, apart from one another", "[report][plot]") {
  ReportSection section = curves_to({{"low", 0}, {"high", 10}, {"alike", 9.99}, {"same", 9.98}});
  section.series[3].theory = true;
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::curves};
  const std::string svg = report::render_svg(section, plot, false);
  CHECK(is_well_formed(svg));
  const auto low = place_of(svg, "low"), high = place_of(svg, "high"),
             alike = place_of(svg, "alike"), same = place_of(svg, "same");
  REQUIRE((low && high && alike && same));
  const auto x = numbers(svg, "circle", "cx"), y = numbers(svg, "circle", "cy");
  REQUIRE(x.size() == 3);  // of the first curve alone: the others have other marks
  CHECK(low->x > x.back());
  CHECK(low->x == high->x);
  // Beside its end where nothing else is; else in the order of the ends, a line apart.
  CHECK(low->y - 4 == Approx(y.back()).margin(0.1));
  CHECK(alike->y - high->y == Approx(14).margin(0.1));
  CHECK(same->y - alike->y == Approx(14).margin(0.1));
  CHECK(occurrences(svg, "class=\"leader s") == 1);  // "alike", the highest fits where it ends
  CHECK(occurrences(svg, "class=\"leader theory s6\"") == 1);
  for (const char* name : {"low", "high", "alike", "same"})  // no legend
    CHECK(occurrences(svg, ">" + std::string(name) + "</text>") == 1);
  // Of agents the name alone stands there, where it tells lines apart.
  ReportSection ranks = curves_to({{"rank of a", 1}, {"rank of b", 2}});
  ranks.series[0].about.agent = "a";
  CHECK(place_of(report::render_svg(ranks, plot, false), "rank of b"));
  ranks.series[1].about.agent = "b";
  CHECK(place_of(report::render_svg(ranks, plot, false), "b"));
  // What a paper prints has the legend for itself.
  section.series[0].points[2].y.published = 1;
  const std::string printed = report::render_svg(section, plot, false);
  CHECK(occurrences(printed, ">published</text>") == 1);
  CHECK(occurrences(printed, ">low</text>") == 1);
}

TEST_CASE("Lines that are too many, named too long or end elsewhere have a legend",
          "[report][plot]") {
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::curves};
  const auto in_legend = [&](const ReportSection& section) {
    const std::string svg = report::render_svg(section, plot, false);
    CHECK(is_well_formed(svg));
    const auto name = place_of(svg, section.series.front().name);
    REQUIRE(name);
    return name->y < 30;  // above the field
  };
  std::vector<std::pair<std::string, double>> many;
  for (int i = 0; i < 18; ++i) many.emplace_back("agent " + std::to_string(i), 3);
  CHECK_FALSE(in_legend(curves_to(many)));
  many.emplace_back("one more", 3);
  CHECK(in_legend(curves_to(many)));
  CHECK_FALSE(in_legend(curves_to({{std::string(26, 'x'), 1}, {"b", 2}})));
  CHECK(in_legend(curves_to({{std::string(30, 'x'), 1}, {"b", 2}})));
  ReportSection early = curves_to({{"a", 1}, {"b", 2}});
  early.series[1].points.resize(2);
  CHECK(in_legend(early));
  // One line is what the title says.
  const std::string one = report::render_svg(curves_to({{"alone", 1}}), plot, false);
  CHECK_FALSE(place_of(one, "alone"));
}

TEST_CASE("Many curves are drawn under their headings", "[report][plot]") {
  TableCard card;
  card.id = "a/b";
  card.title = "health by day";
  PaperTable table;
  table.corner = "day";
  table.curves = Curves{.x = "day", .y = "health", .unit = "", .down = false};
  table.columns = {"1", "2"};
  for (const char* heading : {"low", "high"}) {
    table.rows.push_back({heading, {TableCell{}, TableCell{}}});
    for (const char* who : {"  Alex", "  Bob", "  Cindy", "  David"}) {
      TableRow& row = table.rows.emplace_back(TableRow{who, {}});
      for (const double value : {1.0, 2.0}) {
        row.cells.emplace_back();
        row.cells.back().ours.value = value;
      }
    }
  }
  const report::ReportSection section = report::paper_section(card, table, "", 0.95);
  REQUIRE(section.plots.size() == 2);
  CHECK(section.plots[0].title == "low");
  CHECK(section.plots[1].columns == std::vector<std::size_t>{4, 5, 6, 7});
  const std::string svg = report::render_svg(section, section.plots[1], false);
  CHECK(svg.find(">Alex</text>") != std::string::npos);
  CHECK(svg.find(">high: Alex</text>") == std::string::npos);
  CHECK(occurrences(svg, "<polyline") == 4);
}

TEST_CASE("A scatter has a frontier of those than whom nobody has more for less",
          "[report][plot]") {
  ReportSection section{.id = "use", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .key = true}, {.header = "USD"}, {.header = "score"}};
  const auto add = [&](const char* name, std::int64_t cost, double score) {
    table.rows.push_back({.cells = {name, report::Dollars{cost}, estimate(score)}});
  };
  add("cheap", 1'000'000'000, 1);
  add("wasteful", 3'000'000'000, 0.5);
  add("best", 4'000'000'000, 2);
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::scatter, .columns = {1, 2}};
  const std::string svg = report::render_svg(section, plot, false);
  const auto x = numbers(svg, "circle", "cx"), y = numbers(svg, "circle", "cy");
  REQUIRE(x.size() == 3);
  CHECK(x[0] < x[1]);
  CHECK(y[1] > y[0]);
  const std::size_t at = svg.find("<polyline points=\"");
  REQUIRE(at != std::string::npos);
  const std::string frontier = svg.substr(at + 18, svg.find('"', at + 18) - at - 18);
  CHECK(occurrences(frontier, ",") == 2);  // the wasteful one is not on it
}

TEST_CASE("What has no figure is not drawn", "[report][plot]") {
  ReportSection section{.id = "s", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "agent", .key = true}, {.header = "n"}, {.header = "m"}};
  table.rows.push_back({.cells = {"a", report::NoFigure{}}});
  table.rows.push_back({.cells = {"b", report::Number{std::nan(""), 2}, "words"}});
  for (const Drawing drawing :
       {Drawing::forest, Drawing::heat_map, Drawing::curves, Drawing::scatter, Drawing::bars}) {
    const Plot plot{.name = "p", .title = "T", .drawing = drawing, .columns = {1, 2}};
    if (drawing == Drawing::curves) {
      CHECK(report::render_svg(section, {.name = "p", .title = "T", .drawing = drawing}, true)
                .empty());
      continue;
    }
    CHECK(report::render_svg(section, plot, true).empty());
  }
}

TEST_CASE("Matches in a page cannot end its script", "[report][plot]") {
  const report::Document document;
  const report::MatchesInPage matches{
      .json = R"({"matches":[],"texts":["</script><b onclick='x'>"]})", .words = "None."};
  const std::string html = report::render_html(document, &matches);
  CHECK(html.find("</script><b") == std::string::npos);
  CHECK(html.find("\\u003c/script>\\u003cb onclick='x'>") != std::string::npos);
  CHECK(occurrences(html, "</script>") == 3);
}

TEST_CASE("A figure leads to the matches behind it where they are in the page", "[report][plot]") {
  report::Document document;
  ReportSection section = two_agents();
  section.tables[0].columns[1].about.game = "a game";
  section.tables[0].rows[0].about.agent = "a<b>";
  section.tables[0].rows[1].about.agent = "nobody";
  document.sections.push_back(section);
  report::MatchesInPage matches{.json = R"({"matches":[],"texts":[]})",
                                .words = "None.",
                                .agents = {"a<b>"},
                                .games = {"a game"}};
  const std::string html = report::render_html(document, &matches);
  CHECK(html.find("<a href=\"#matches?agent=a%3Cb%3E&amp;game=a%20game\">0.00 "
                  "<span class=\"interval\">[-1.00, 1.00]</span></a>") != std::string::npos);
  CHECK(html.find("nobody") == std::string::npos);
  CHECK(report::render_html(document).find("<a ") == std::string::npos);
}

TEST_CASE("Points are as large as what stands behind them and theory is a line", "[report][plot]") {
  ReportSection section{.id = "play", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {
      {.header = "who", .key = true}, {.header = "x"}, {.header = "y"}, {.header = "n"}};
  const auto heading = [&](const char* words) {
    table.rows.push_back({.cells = {words}, .heading = true});
  };
  const auto point = [&](double x, double y, double n) {
    table.rows.push_back(
        {.cells = {"p", report::Number{x, 1}, report::Number{y, 1}, report::Number{n, 0}}});
  };
  heading("a with b");
  point(0, 0, 1);
  point(1, 1, 4);
  heading("c with d");
  point(0.5, 0, 1);
  heading("frontier");
  for (const double x : {0.0, 1.0}) {
    point(x, 1, 0);
    table.rows.back().theory = true;
  }
  const Plot plot{.name = "p", .title = "T", .drawing = Drawing::points, .columns = {1, 2, 3}};
  const std::string svg = report::render_svg(section, plot, false);
  CHECK(is_well_formed(svg));
  // Two marks are the legend's; the large points come first, so that small ones lie on them.
  std::vector<double> discs;
  for (std::size_t at = 0; (at = svg.find("class=\"disc", at)) != std::string::npos; ++at)
    discs.push_back(numbers(svg.substr(svg.rfind("<circle", at), 200), "circle", "r").front());
  REQUIRE(discs.size() == 3);
  CHECK(discs[0] > discs[1]);
  CHECK(discs[1] == discs[2]);
  CHECK(occurrences(svg, "class=\"line theory s6\"") == 2);  // and in the legend
  CHECK(occurrences(svg, ">frontier</text>") == 1);
  CHECK(occurrences(svg, "class=\"disc s1\"") == 1);
  CHECK(svg.find("(n = 4)") != std::string::npos);
}

TEST_CASE("Lines of theory are dashed and take no colour of those who played", "[report][plot]") {
  TableCard card;
  card.id = "game/bids";
  card.title = "bids";
  card.game = "game";
  card.in_report = true;
  PaperTable table;
  table.corner = "bid";
  table.columns = {"0 to 9", "10 to 19"};
  table.curves = Curves{.x = "value", .y = "bid", .at = {4.5, 14.5}};
  for (const char* heading : {"first: price 1", "second: price 2"}) {
    table.rows.push_back({heading, {TableCell{}, TableCell{}}});
    for (const bool theory : {false, true}) {
      TableRow& row =
          table.rows.emplace_back(TableRow{theory ? "  equilibrium" : "  a", {}, theory});
      for (const double value : {4.0, 14.0}) row.cells.emplace_back().ours.value = value;
    }
  }
  const report::ReportSection section = report::paper_section(card, table, "", 0.95);
  CHECK(section.id == "play");
  CHECK(section.tables[0].about.game == "game");
  CHECK(section.tables[0].about.metric == "bids");
  // Theory says something else of each: a plot under each heading, colons in it or not.
  REQUIRE(section.plots.size() == 2);
  CHECK(section.plots[0].name == "game-bids");
  CHECK(section.plots[1].name == "game-bids-2");
  CHECK(section.plots[0].title == "first: price 1");
  CHECK(section.series[0].points[0].x == 4.5);
  CHECK(section.tables[0].columns[2].about.position == 14.5);
  const std::string svg = report::render_svg(section, section.plots[1], false);
  CHECK(svg.find(">a</text>") != std::string::npos);
  CHECK(svg.find(">equilibrium</text>") != std::string::npos);
  CHECK(occurrences(svg, "line theory s6") == 1);
  CHECK(occurrences(svg, "class=\"line s0\"") == 1);
  CHECK(occurrences(svg, "<circle") == 2);
}

TEST_CASE("Best replies are arrows between profiles and who stays has none", "[report][plot]") {
  ReportSection section{.id = "gains", .title = "T"};
  report::ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "against", .key = true}, {.header = "gain"}};
  for (const char* header : {"b0", "b1", "a0", "a1"})
    table.columns.push_back({.header = header, .key = true});
  const auto gain = [&](const char* role, const char* from, const char* to, const char* against,
                        double value, std::vector<std::string> profiles) {
    report::ReportRow& row = table.rows.emplace_back();
    row.about = {.role = role, .agent = to, .other = from, .text = against};
    row.cells = {against, estimate(value, {{value - 1, value + 1}})};
    for (const std::string& choice : profiles) row.cells.emplace_back(choice);
  };
  // A dilemma: to defect gains 2 for sure, and -0.5 back is not.
  gain("row", "C", "D", "C", 2, {"C", "C", "D", "C"});
  gain("row", "C", "D", "D", 0.5, {"C", "D", "D", "D"});
  gain("column", "C", "D", "C", 2, {"C", "C", "C", "D"});
  gain("column", "D", "C", "D", -0.5, {"D", "D", "D", "C"});
  const Plot plot{
      .name = "p", .title = "T", .drawing = Drawing::arrows, .columns = {1, 2, 3, 4, 5}};
  const std::string svg = report::render_svg(section, plot, false);
  CHECK(is_well_formed(svg));
  CHECK(occurrences(svg, "<polygon") == 4);  // heads of arrows
  CHECK(occurrences(svg, "class=\"own s0\"") == 2);
  CHECK(occurrences(svg, "class=\"together unsure s0\"") == 2);
  CHECK(svg.find("D, C, C to D: +0.50") != std::string::npos);  // what -0.5 says of the way back
  CHECK(occurrences(svg, "nobody gains by another choice") == 1);
  CHECK(svg.find("D, D: nobody gains") != std::string::npos);
  const auto x = numbers(svg, "rect", "x"), y = numbers(svg, "rect", "y");
  CHECK(std::set<double>(x.begin(), x.end()).size() == 2);  // rows and columns
  CHECK(std::set<double>(y.begin(), y.end()).size() == 2);
}
