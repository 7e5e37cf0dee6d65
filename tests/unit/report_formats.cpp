// One report as text, CSV, LaTeX, Markdown and HTML: what is said must be the same, whatever is in
// names.

#include <agon/error.hpp>
#include <algorithm>
#include <limits>
#include <sstream>

#include "catch.hpp"
#include "describe/file_text.hpp"
#include "markup_samples.hpp"
#include "report/render/render.hpp"
#include "report_samples.hpp"

using namespace report_samples;
using report::Detail;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

bool has_words(const std::string& text, const std::string& words) {
  return occurrences(text, words) > 0;
}

/// Columns that LaTeX sees in a row: an ampersand behind a backslash is none.
std::size_t latex_columns(const std::string& row) {
  std::size_t columns = 1;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row[at] == '\\')
      ++at;
    else if (row[at] == '&')
      ++columns;
  }
  return columns;
}

/// Columns that GitHub sees in a row.
std::size_t markdown_columns(const std::string& row) {
  std::size_t bars = 0;
  for (std::size_t at = 0; at < row.size(); ++at) {
    if (row[at] == '\\')
      ++at;
    else if (row[at] == '|')
      ++bars;
  }
  return bars - 1;
}

const std::string hostile = "a&b%c$d#e_f{g}h~i^j\\k|l`m\"n<o>p*q[r]\u00e9";

/// Twelve blocks in which `first` beats `ref` by a little, or by more.
void play(Book& book, const std::string& first, const std::string& game = "g") {
  book.scenario(game, book.game(game, {{"days", "days", "higher", 0}}));
  for (int block = 0; block < 12; ++block) {
    const double luck = (block * 7 % 5) / 10.0;
    book.match({game, block}, {{first, luck + 0.1 + 0.3 * (block % 2), 0, 1, "", 0, {3.0}},
                               {"ref", luck, 0, 1, "", 0, {1.0 + block}}});
  }
}

using CsvLine = std::map<std::string, std::string>;

std::vector<CsvLine> csv_lines(const std::string& text) {
  const auto rows = agon::text::read_csv(text, "report.csv");
  std::vector<CsvLine> lines;
  for (std::size_t r = 1; r < rows.size(); ++r) {
    REQUIRE(rows[r].cells.size() == rows[0].cells.size());
    CsvLine& line = lines.emplace_back();
    for (std::size_t c = 0; c < rows[0].cells.size(); ++c)
      line[rows[0].cells[c]] = rows[r].cells[c];
  }
  return lines;
}

CsvLine the_line(const std::vector<CsvLine>& lines, const CsvLine& wanted) {
  std::vector<CsvLine> found;
  for (const CsvLine& line : lines)
    if (std::all_of(wanted.begin(), wanted.end(),
                    [&](const auto& field) { return line.at(field.first) == field.second; }))
      found.push_back(line);
  REQUIRE(found.size() == 1);
  return found.front();
}

}  // namespace

TEST_CASE("CSV has every figure with what is known of it, and nothing where nothing is known",
          "[report]") {
  Book book;
  play(book, "a");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  const auto lines = csv_lines(report::render_csv(report::document(made, Detail::data)));
  const auto& row = row_of(made, "a");
  CsvLine line =
      the_line(lines, {{"section", "leaderboard"}, {"agent", "a"}, {"metric", "difference"}});
  CHECK(std::stod(line.at("value")) == row.difference.value);
  CHECK(std::stod(line.at("low")) == row.difference.interval->low);
  CHECK(std::stod(line.at("high_simultaneous")) == row.simultaneous->high);
  CHECK(std::stod(line.at("p_adjusted")) == row.simultaneous_p);
  CHECK(line.at("level") == "0.95");
  CHECK(line.at("other") == "ref");
  CHECK(line.at("n") == "12");
  CHECK(line.at("note").empty());
  line = the_line(lines, {{"section", "metrics"}, {"agent", "a"}, {"metric", "days"}});
  CHECK(line.at("value") == "3");
  CHECK(line.at("unit") == "days");
  CHECK(line.at("game") == "g");
  CHECK(line.at("note") == "no variation");
  CHECK(line.at("level").empty());
  line = the_line(lines, {{"section", "faults"}, {"agent", "ref"}, {"metric", "crashed"}});
  CHECK(line.at("value") == "0");
  // Both orders of a pair, though people are shown one.
  the_line(lines, {{"section", "pairs"}, {"agent", "ref"}, {"metric", "won"}});
  the_line(lines, {{"section", "pairs"}, {"agent", "a"}, {"metric", "won"}});
  // Nothing is compared with itself.
  CHECK(std::none_of(lines.begin(), lines.end(), [](const CsvLine& l) {
    return l.at("metric") == "difference" && l.at("agent") == "ref";
  }));
}

TEST_CASE("No name breaks a table, whatever characters it has", "[report]") {
  Book book;
  book.labelled(hostile, "{}", {}, R"({"rule": "hostile"})");
  play(book, hostile, "game|&_");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  const report::Document document = report::document(made, Detail::full);
  std::size_t columns = 0;
  bool inside = false;
  for (const std::string& line : lines_of(report::render_latex(document))) {
    if (line == "\\toprule") inside = true, columns = 0;
    if (line == "\\bottomrule") inside = false;
    if (!inside || !line.ends_with(" \\\\")) continue;
    INFO(line);
    if (columns == 0) columns = latex_columns(line);
    CHECK((latex_columns(line) == columns || line.starts_with("\\multicolumn")));
    CHECK(occurrences(line, "{") == occurrences(line, "}"));
  }
  CHECK(has_words(report::render_latex(document),
                  "a\\&b\\%c\\$d\\#e\\_f\\{g\\}h\\textasciitilde{}i\\textasciicircum{}j"
                  "\\textbackslash{}k\\textbar{}l\\textasciigrave{}m\\char34{}n\\textless{}o"
                  "\\textgreater{}p*q[r]\u00e9"));
  columns = 0;
  for (const std::string& line : lines_of(report::render_markdown(document))) {
    if (!line.starts_with("|")) {
      columns = 0;
      continue;
    }
    INFO(line);
    if (columns == 0) columns = markdown_columns(line);
    CHECK(markdown_columns(line) == columns);
  }
  const auto lines = csv_lines(report::render_csv(document));
  the_line(lines, {{"section", "leaderboard"}, {"agent", hostile}, {"metric", "rank"}});
}

TEST_CASE("JSON has what CSV has, and no number that is none", "[report]") {
  report::Document document;
  report::ReportSection section{.id = "s", .title = "T", .method = "m"};
  report::Estimated wild;
  wild.estimate.value = std::numeric_limits<double>::quiet_NaN();
  wild.estimate.interval = {-std::numeric_limits<double>::infinity(), 1};
  wild.estimate.note = agon::stats::Note::none;
  wild.published = 2.5;
  report::ReportTable table;
  table.about = {.game = "g", .metric = "of the table"};
  table.columns = {{.header = "who", .key = true},
                   {.header = "x", .about = {.metric = "of the column"}},
                   {.header = "seen", .where = report::Where::shown}};
  table.rows = {{.about = {.agent = "a"}, .cells = {"A", wild, "5"}},
                {.about = {.agent = "b"}, .cells = {"B", report::NoFigure{}}},
                {.cells = {"heading"}, .where = report::Where::shown}};
  section.tables = {table};
  section.series = {{.name = "c",
                     .about = {.agent = "a"},
                     .x = {"day"},
                     .y = {"money", "dollars"},
                     .points = {{3, wild}}}};
  section.remarks = {"r."};
  section.points = {{"p."}};
  document.sections = {section};
  CHECK(data_of(document).at("sections") == agon::json::parse(R"([{
    "id": "s", "title": "T", "explanation": "",
    "tables": [{"title": "",
      "columns": [{"header": "who", "key": true}, {"header": "x", "key": false}],
      "rows": [
        {"cells": [{"text": "A"},
                   {"game": "g", "agent": "a", "metric": "of the column", "high": 1.0,
                    "level": 0.95, "published": 2.5, "method": "m"}]},
        {"cells": [{"text": "B"}, {}]}]}],
    "series": [{"name": "c", "x": {"label": "day", "unit": ""},
      "y": {"label": "money", "unit": "dollars"}, "in_table": false,
      "points": [{"agent": "a", "position": 3.0, "unit": "dollars", "high": 1.0, "level": 0.95,
                  "published": 2.5, "method": "m"}]}],
    "notes": ["r.", "p."]}])",
                                                              "test"));
  const auto lines = csv_lines(report::render_csv(document));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("published") == "2.5");
  CHECK(lines[0].at("low").empty());
  CHECK(lines[1].at("position") == "3");
}

TEST_CASE("Parts of figures stand under their values, and only where there are any", "[report]") {
  report::Document document;
  report::ReportTable table;
  report::Estimated sure, bare;
  sure.estimate.value = 0.5;
  sure.estimate.interval = {0.25, 0.75};
  sure.published = 0.75;
  bare.estimate.value = 1;
  bare.estimate.note = agon::stats::Note::none;
  for (report::Estimated* figure : {&sure, &bare}) figure->decimals = 2;
  table.columns = {{.header = "of", .key = true},
                   {.header = "x", .align = agon::text::Align::right}};
  table.rows = {{.cells = {"all"}, .heading = true},
                {.cells = {"  part", sure}},
                {.cells = {"  rest", bare}}};
  table.below = {{report::FigurePart::Item::interval, "interval"},
                 {report::FigurePart::Item::published, "published"}};
  document.sections.push_back({.id = "s", .title = "T", .tables = {table}});
  CHECK(report::render_text(document, false) ==
        "T\n\n  of                        x\n  -------------  ------------\n  all\n"
        "    part                 0.50\n      interval   [0.25, 0.75]\n      published          "
        "0.75\n"
        "    rest                 1.00\n");
  CHECK(has_words(report::render_markdown(document), "| &emsp;interval | [0.25, 0.75] |\n"));
  CHECK(has_words(report::render_latex(document), "\n\\quad published & $0.75$ \\\\\n"));
}

TEST_CASE("A row of LaTeX may begin with what a rule would read as its argument", "[report]") {
  report::Document document;
  report::ReportTable table;
  table.columns = {{.header = "[x]", .key = true}, {.header = "n"}};
  table.rows = {{.cells = {"[1cm] --", report::ReportCell(report::Number{-0.25, 2, true})}},
                {.cells = {"*", report::NoFigure{}}}};
  document.sections.push_back({.id = "s", .title = "50% of a \u2212 b", .tables = {table}});
  document.warnings.push_back({"NOT FINISHED: half.", "agon run x_y.json"});
  const std::string latex = report::render_latex(document);
  CHECK(
      has_words(latex, "\n{[}x] & n \\\\\n\\midrule\n{[}1cm] -{}- & $-0.25$ \\\\\n{*} & - \\\\\n"));
  CHECK(
      has_words(latex, "\\caption{50\\% of a $-$ b}\n\\label{tab:s}\n\\begin{tabular}{@{}ll@{}}"));
  CHECK(has_words(latex, "% NOT FINISHED: half.\n% agon run x_y.json\n"));
  CHECK(has_words(latex, "\\footnotesize\nNOT FINISHED: half.\n"));
}

TEST_CASE("Huge numbers have an exponent, in full only where that is short", "[report]") {
  report::Document document;
  report::ReportTable table;
  table.columns = {{.header = "n"}};
  for (const double number : {-1e308, 123456789012345.0, 2.5e15})
    table.rows.push_back({.cells = {report::Number{number, 1}}});
  document.sections.push_back({.id = "s", .title = "T", .tables = {table}});
  CHECK(has_words(report::render_text(document, false),
                  "\n  -1e+308\n  123456789012345.0\n  2.5e+15\n"));
  CHECK(has_words(report::render_latex(document),
                  "\n$-1\\times 10^{308}$ \\\\\n$123456789012345.0$ \\\\\n$2.5\\times 10^{15}$ "));
  CHECK(has_words(report::render_csv(document), ",-1e+308,"));
}

TEST_CASE("A report is a page that stands by itself, whatever is in names", "[report]") {
  Book book;
  book.labelled(hostile, "{}", {}, R"({"rule": "hostile"})");
  play(book, hostile, "game|&_");
  report::Document document = report::document(book.make({.reference = "ref"}), Detail::full);
  document.warnings.push_back({"NOT <b>FINISHED</b>.", "agon run 'a&b'"});
  const std::string html = report::render_html(document);
  CHECK(html.starts_with("<!DOCTYPE html>\n"));
  CHECK(is_well_formed(html));
  CHECK(has_words(html, "a&amp;b%c$d#e_f{g}h~i^j\\k|l`m&quot;n&lt;o&gt;p*q[r]\u00e9"));
  CHECK(
      has_words(html, "NOT &lt;b&gt;FINISHED&lt;/b&gt;.</strong> <code>agon run 'a&amp;b'</code>"));
  CHECK(!has_words(html, "http"));
  for (const report::ReportSection& section : document.sections)
    if (section.where != report::Where::data)
      CHECK(has_words(html, "<section class=\"" + section.id));
  CHECK(occurrences(html, "<tr") > 10);
}

TEST_CASE("What stands under a table as a list is in its note in LaTeX", "[report]") {
  report::Document document;
  report::ReportTable table;
  table.columns = {{.header = "of", .key = true}};
  table.rows = {{.cells = {"all"}}, {.cells = {"  part"}}};
  document.sections.push_back(
      {.id = "s", .title = "T", .tables = {table, table}, .points = {{"p.", {"a", "b"}}}});
  const std::string latex = report::render_latex(document);
  CHECK(has_words(latex,
                  "\nall \\\\\n\\quad part \\\\\n\\bottomrule\n\\end{tabular}\n\\end{table}\n"));
  CHECK(occurrences(latex, "\\footnotesize\np. a; b\n") == 1);
  // A table for programs is none of those.
  table.rows = {{.cells = {"none"}, .where = report::Where::data}};
  document.sections.front().tables.push_back(table);
  CHECK(report::render_latex(document) == latex);
  const std::string markdown = report::render_markdown(document);
  CHECK(has_words(markdown, "| all |\n| &emsp;part |\n"));
  CHECK(has_words(markdown, "\n- p.\n  - a\n  - b\n"));
  CHECK(has_words(report::render_text(document, false), "\n  - p.\n    - a\n    - b\n"));
  CHECK(has_words(report::render_json(document), R"("p. a; b")"));
}

TEST_CASE("A table with chosen columns fits a column of a paper", "[report]") {
  Book book;
  play(book, "a");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  const auto latex = [&](const std::vector<std::string>& columns) {
    report::Document document = report::document(made, Detail::brief);
    report::choose_columns(document, columns);
    return report::render_latex(document);
  };
  const std::string narrow = latex({"Score", "interval"});
  CHECK(occurrences(narrow, "\\begin{table}") == 1);  // others have no such column
  CHECK(
      has_words(narrow, "\\begin{tabular}{@{}lrl@{}}\n\\toprule\nagent & score & 95\\% CI \\\\\n"));
  bool inside = false;
  for (const std::string& line : lines_of(narrow)) {
    if (line == "\\toprule") inside = true;
    if (line == "\\bottomrule") inside = false;
    CHECK((!inside || line.size() <= 50));  // of 10 points, in 250
  }
  // Notes are below the table, a sentence a line.
  CHECK(narrow.find("\\footnotesize\n") > narrow.find("\\end{tabular}"));
  CHECK(has_words(narrow, "\nIntervals at 95\\%: Student's t, lengthened by Hall's transform.\n"));
  CHECK(has_words(latex({"score"}), "\nagent & score \\\\\n"));
  CHECK(has_words(latex({"rank", "difference", "interval", "p"}),
                  "\nrank & agent & vs. ref & 95\\% CI, simultaneous & adj. p \\\\\n"));
  CHECK(has_words(latex({"interval"}),
                  "\nagent & score & 95\\% CI & vs. ref & 95\\% CI, simultaneous \\\\\n"));
  CHECK_THROWS_AS(latex({"scor"}), agon::Error);
  // Plots keep everything.
  report::Document document = report::document(made, Detail::page);
  const auto plots = [&] {
    std::string all;
    for (const report::ReportSection& section : document.sections)
      for (const report::Plot& plot : section.plots) all += report::render_svg(section, plot, true);
    return all;
  };
  const std::string before = plots();
  report::choose_columns(document, {"rank"});
  CHECK(plots() == before);
}

TEST_CASE("What concerns every figure stands in every format, whatever is picked", "[report]") {
  report::Document document;
  for (const char* id : {"a", "b"}) {
    report::ReportTable table;
    table.columns = {{.header = "n", .about = {.metric = "n"}}};
    table.rows = {{.cells = {report::ReportCell(std::int64_t{1})}}};
    document.sections.push_back({.id = id, .title = "Of " + std::string(id), .tables = {table}});
  }
  document.warnings.push_back({"NOT FINISHED: half.", "agon run x.json"});
  report::choose(document, {"b"});
  CHECK(report::render_text(document, false) ==
        "Of b\n  NOT FINISHED: half.\n  agon run x.json\n\n  n\n  -\n  1\n");
  CHECK(report::render_markdown(document) ==
        "> **NOT FINISHED: half.** agon run x.json\n\n## Of b\n\n| n |\n| --- |\n| 1 |\n");
  const auto lines = csv_lines(report::render_csv(document));
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].at("section") == "notes");
  CHECK(lines[0].at("text") == "NOT FINISHED: half. agon run x.json");
  CHECK(lines[1].at("value") == "1");
}

TEST_CASE("One section gives one table, with its level and method", "[report]") {
  Book book;
  play(book, "a");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  const std::string latex = report::render_latex(report::document(made, Detail::brief, {"scores"}));
  CHECK(occurrences(latex, "\\begin{table}") == 1);
  CHECK(occurrences(latex, "\\begin{tabular}{@{}ll@{}}") == 1);
  CHECK(has_words(latex, "\\caption{Scores by game}"));
  CHECK(has_words(latex, "agent & g, n=12 \\\\"));
  CHECK(has_words(latex, "Intervals at 95\\%: Student's t, lengthened by Hall's transform."));
  const auto& score = row_of(made, "a").score;
  std::ostringstream cell;
  cell.precision(3);
  cell << std::fixed << "a & $" << *score.value << "$ [" << score.interval->low << ", "
       << score.interval->high << "] \\\\";
  CHECK(has_words(latex, cell.str()));
  // What a brief report leaves out is there when it is asked for by name.
  CHECK(has_words(report::render_markdown(report::document(made, Detail::brief, {"pairs"})),
                  "## Pairs in g\n"));
}

namespace {

/// A stop rule after 40 looks, of these agents.
agon::StopState stopped(std::vector<agon::StopState::AgentState> agents) {
  agon::StopState state;
  state.words = "until it is known";
  state.verdict = "not decided yet, after 40 of 80 blocks";
  state.looks = 40;
  state.most_looks = 80;
  state.level = 0.99;
  state.agents = std::move(agents);
  return state;
}

}  // namespace

TEST_CASE("Intervals of a stop rule are at its own level in every format", "[report]") {
  Book book;
  play(book, "a");
  report::ReportEstimates made = book.make({.reference = "ref"});
  made.stop = stopped({{"a", true, {}, "ref", 0.1, {{0.05, 0.2}}, "asymptotic", 40}});
  const auto lines = csv_lines(report::render_csv(report::document(made, Detail::data)));
  CHECK(the_line(lines, {{"section", "stop"}, {"agent", "a"}, {"metric", "difference"}})
            .at("level") == "0.99");
  CHECK(the_line(lines, {{"section", "leaderboard"}, {"agent", "a"}, {"metric", "difference"}})
            .at("level") == "0.95");
  CHECK(has_words(report::render_latex(report::document(made, Detail::brief, {"stop"})),
                  "Intervals at 99\\%: confidence sequence"));
  CHECK(has_words(report::render_latex(report::document(made, Detail::brief, {"scores"})),
                  "Intervals at 95\\%: "));
}

TEST_CASE("Why a stop rule has no interval", "[report]") {
  Book book;
  play(book, "a");
  report::ReportEstimates made = book.make({.reference = "ref"});
  const auto note = [&](std::optional<double> difference, std::uint64_t units,
                        std::optional<bool> constant) {
    made.stop = stopped({{"a", true, {}, "ref", difference, {}, "none", units, constant}});
    const auto lines = csv_lines(report::render_csv(report::document(made, Detail::data)));
    return the_line(lines, {{"section", "stop"}, {"agent", "a"}, {"metric", "difference"}})
        .at("note");
  };
  CHECK(note(0.1, 23, true) == "too few");
  CHECK(note(0.1, 24, true) == "no variation");
  CHECK(note(0.1, 24, {}) == "too few");
  CHECK(note({}, 40, {}) == "undefined");
}

TEST_CASE("What nobody wrote down of a stop rule is not made up", "[report]") {
  Book book;
  play(book, "a");
  report::ReportEstimates made = book.make({.reference = "ref"});
  made.stop = stopped({});
  made.stop->looks.reset();
  made.stop->verdict = "not known how far it came";
  const std::string text = report::text(made, false);
  CHECK(has_words(text, "It is not known how far it came."));
  CHECK_FALSE(has_words(text, "These intervals reckon"));
}

TEST_CASE("A section that is not there is an error that names those that are", "[report]") {
  Book book;
  play(book, "a");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  try {
    (void)report::document(made, Detail::brief, {"factors", "use"});
    FAIL("was taken");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK(has_words(error.hint(), "leaderboard, scores, differences, "));
  }
  CHECK(report::document(made, Detail::brief, {"factors", "scores"}).sections.size() == 1);
}

TEST_CASE("Every section has a name that it can be asked for by", "[report]") {
  Book book;
  play(book, "a");
  book.unfinished({"g", 3}, {"a", "ref"}, "HTTP 503");
  const report::ReportEstimates made = book.make({.reference = "ref"});
  const auto& names = report::section_names();
  for (const report::ReportSection& section : report::document(made, Detail::data).sections) {
    INFO(section.id);
    CHECK(std::find(names.begin(), names.end(), section.id) != names.end());
  }
  const auto lines = csv_lines(report::render_csv(report::document(made, Detail::data)));
  const CsvLine reason = the_line(lines, {{"section", "missing"}});
  CHECK(reason.at("text") == "HTTP 503");
  CHECK(reason.at("metric") == "unfinished");
  CHECK(reason.at("value") == "1");
}

TEST_CASE("An empty archive has a report in every format", "[report]") {
  Book book;
  const report::ReportEstimates made = book.make();
  const report::Document document = report::document(made, Detail::data);
  CHECK(has_words(report::render_text(document, false), "No agent has a normalised score."));
  CHECK(has_words(report::render_latex(document), "% No agent has a normalised score.\n"));
  CHECK(has_words(report::render_markdown(document), "No agent has a normalised score.\n"));
  CHECK(csv_lines(report::render_csv(document)).size() == made.notes.size());
}
