#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "archive/archive.hpp"
#include "json/write.hpp"
#include "replay/told_match.hpp"
#include "report/plot/drawings.hpp"
#include "report/render/render.hpp"
#include "text/percent.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::report {

std::string markup(std::string_view words) {
  std::string out;
  for (const char c : text::printable(words))
    out += c == '&'   ? "&amp;"
           : c == '<' ? "&lt;"
           : c == '>' ? "&gt;"
           : c == '"' ? "&quot;"
                      : std::string(1, c);
  return out;
}

namespace {

/// Words in which no line breaks inside an interval.
std::string prose(std::string_view words) {
  std::string out;
  while (!words.empty()) {
    const std::size_t from = std::min(words.find('['), words.size());
    const std::size_t to = words.find_first_not_of("0123456789+-.,e ", from + 1);
    out += markup(words.substr(0, from));
    words.remove_prefix(from);
    if (words.empty()) break;
    const bool interval = to != std::string_view::npos && words[to - from] == ']';
    const std::size_t length = interval ? to - from + 1 : 1;
    const std::string part = markup(words.substr(0, length));
    out += interval ? "<span class=\"interval\">" + part + "</span>" : part;
    words.remove_prefix(length);
  }
  return out;
}

/// Of a page, as its tab and its first line say it.
std::string title_of(const Document& document) {
  if (document.made.table) return document.made.table->id;
  return document.title.empty() ? "Agon report" : "Report on " + document.title;
}

/// Writes a page or a part of it.
class HtmlWriter {
 public:
  HtmlWriter(std::string& out, const MatchesInPage* matches, const BesideReport* beside)
      : out_(out), matches_(matches), beside_(beside) {}

  /// `id`: of its element.
  void add(const ReportSection& section, const std::string& id);

 private:
  void add_plots(const ReportSection& section);
  void add(const std::vector<ListedRemark>& points);
  void add(const ReportSection& section, const ReportTable& table);
  void add(const ReportSection& section, const Plot& plot);
  void begin_wide(const std::string& name);
  void add_cell(const ReportTable& table, const Grid& grid, const Grid::Row& row,
                std::size_t column);
  [[nodiscard]] std::string link_of(const ReportTable& table, const ReportRow& row,
                                    const ReportColumn& column) const;

  std::string& out_;
  const MatchesInPage* matches_;  ///< null: none
  const BesideReport* beside_;    ///< null: it is a page by itself
};

/// To the matches behind a figure; empty where nothing says which they are.
std::string HtmlWriter::link_of(const ReportTable& table, const ReportRow& row,
                                const ReportColumn& column) const {
  if (matches_ == nullptr && beside_ == nullptr) return {};
  const MatchesInPage none;
  const MatchesInPage& here = matches_ == nullptr ? none : *matches_;
  std::string link;
  const auto narrow = [&](const char* by, std::string Subject::*member,
                          const std::set<std::string>& known) {
    // A figure's row goes before its column, and this before the table.
    for (const Subject* about : {&row.about, &column.about, &table.about})
      if (const std::string& name = about->*member; !name.empty()) {
        if (beside_ != nullptr || known.contains(name))
          link += fmt::format("{}{}={}", link.empty() ? "#matches?" : "&amp;", by,
                              text::percent_encoded(name, ""));
        return;
      }
  };
  narrow("agent", &Subject::agent, here.agents);
  // Tables of papers and games have agents as the labels of rows and columns.
  const std::string& label = row.about.row;
  const std::size_t own = label.rfind(": ");
  for (const std::string& name :
       {column.about.column, label, own == std::string::npos ? label : label.substr(own + 2)})
    if (link.empty() && here.agents.contains(name))
      link = "#matches?agent=" + text::percent_encoded(name, "");
  narrow("game", &Subject::game, here.games);
  narrow("treatment", &Subject::treatment, here.treatments);
  if (column.about.metric == "score_difference")  // of matches against somebody
    narrow("other", &Subject::other, here.agents);
  return beside_ == nullptr || link.empty() ? link : markup(beside_->matches) + link;
}

void HtmlWriter::add_cell(const ReportTable& table, const Grid& grid, const Grid::Row& row,
                          std::size_t column) {
  const Grid::Cell& cell = row.cells[column];
  const bool names_row = column == 0;
  const char* tag = names_row ? "th" : "td";
  const std::size_t indent = std::min(cell.words.find_first_not_of(' '), cell.words.size());
  std::string attributes = names_row ? " scope=\"row\"" : "";
  if (grid.columns[column].align == text::Align::right)
    attributes += " class=\"figure\"";
  else if (cell.words.starts_with('['))
    attributes += " class=\"interval\"";
  else if (indent > 0 && names_row)
    attributes += fmt::format(" class=\"indent{}\"", std::min<std::size_t>(indent / 2, 4));
  std::string words = names_row ? markup(cell.words) : prose(cell.words);
  const std::string link = cell.figure && !row.below && row.from != nullptr
                               ? link_of(table, *row.from, *grid.from[column])
                               : std::string();
  if (!link.empty() && !words.empty()) words = fmt::format("<a href=\"{}\">{}</a>", link, words);
  out_ += fmt::format("<{}{}>{}</{}>", tag, attributes, words, tag);
}

/// What may be wider than the screen moves sideways by itself, with the keyboard too: for that it
/// is reached by Tab and has a name.
void HtmlWriter::begin_wide(const std::string& name) {
  out_ += fmt::format("<div class=\"wide\" role=\"group\" aria-label=\"{}\" tabindex=\"0\">",
                      markup(name));
}

void HtmlWriter::add(const ReportSection& section, const ReportTable& table) {
  const Grid grid = grid_of(table);
  if (grid.rows.empty()) return;
  begin_wide(table.title.empty() ? section.title : table.title);
  // Parts of it that are printed for themselves have these columns each.
  const auto key = std::ranges::find(grid.from, true, &ReportColumn::key) - grid.from.begin();
  const std::size_t fixed = std::max(grid.fixed, static_cast<std::size_t>(key) + 1);
  out_ += fixed > 1 && fixed < grid.columns.size()
              ? fmt::format("<table data-fixed=\"{}\">\n", fixed)
              : "<table>\n";
  if (!table.title.empty()) out_ += "<caption>" + markup(table.title) + "</caption>\n";
  out_ += "<thead><tr>";
  for (const text::Column& column : grid.columns)
    out_ += fmt::format("<th scope=\"col\"{}>{}</th>",
                        column.align == text::Align::right ? " class=\"figure\"" : "",
                        markup(column.header));
  out_ += "</tr></thead>\n<tbody>\n";
  for (const Grid::Row& row : grid.rows) {
    out_ += row.heading ? "<tr class=\"heading\">" : "<tr>";
    for (std::size_t c = 0; c < row.cells.size(); ++c) add_cell(table, grid, row, c);
    out_ += "</tr>\n";
  }
  out_ += "</tbody>\n</table></div>\n";
}

void HtmlWriter::add(const ReportSection& section, const Plot& plot) {
  const std::string picture = render_svg(section, plot, false);
  if (picture.empty()) return;
  out_ += "<figure>\n<figcaption>" + prose(plot.title);
  if (!plot.shows.empty()) out_ += "<span class=\"small\">" + prose(plot.shows) + "</span>";
  out_ += "</figcaption>\n";
  begin_wide(plot.title);
  out_ += picture + "</div>\n</figure>\n";
}

/// The first picture is seen; the others, which mostly show the same figures otherwise, unfold.
void HtmlWriter::add_plots(const ReportSection& section) {
  if (section.plots.empty()) return;
  add(section, section.plots.front());
  if (section.plots.size() < 2) return;
  if (section.folds) {
    for (std::size_t p = 1; p < section.plots.size(); ++p) add(section, section.plots[p]);
    return;
  }
  out_ += "<details><summary>More plots</summary>\n";
  for (std::size_t p = 1; p < section.plots.size(); ++p) add(section, section.plots[p]);
  out_ += "</details>\n";
}

void HtmlWriter::add(const std::vector<ListedRemark>& points) {
  if (points.empty()) return;
  out_ += "<ul>\n";
  for (const auto& [words, below] : points) {
    out_ += "<li>" + prose(words);
    if (!below.empty()) out_ += "\n<ul>\n";
    for (const std::string& item : below) out_ += "<li>" + prose(item) + "</li>\n";
    out_ += below.empty() ? "</li>\n" : "</ul>\n</li>\n";
  }
  out_ += "</ul>\n";
}

void HtmlWriter::add(const ReportSection& section, const std::string& id) {
  const auto paragraph = [&](const std::string& words) {
    if (!words.empty()) out_ += "<p>" + prose(words) + "</p>\n";
  };
  out_ += fmt::format("<section class=\"{}\" id=\"{}\">\n", markup(section.id), id);
  out_ += section.folds ? "<details><summary><h2>" + markup(section.title) + "</h2></summary>\n"
                        : "<h2>" + markup(section.title) + "</h2>\n";
  paragraph(section.explanation);
  add_plots(section);
  for (const ReportTable& table : section.tables) add(section, table);
  for (const std::string& remark : section.remarks) paragraph(remark);
  add(section.points);
  out_ += section.folds ? "</details>\n</section>\n" : "</section>\n";
}

/// Says of what the page is, and what is in it.
void add_head(std::string& out, const Document& document, const BesideReport* beside) {
  if (beside != nullptr)
    out += "<p><a href=\"" + markup(beside->matches) + "\">Archive and matches</a></p>\n";
  out += "<h1>" + markup(title_of(document)) + "</h1>\n";
  const auto add_facts = [&](bool origin, std::string_view before, std::string_view after) {
    if (std::ranges::find(document.source, origin, &SourceFact::origin) == document.source.end())
      return;
    out += fmt::format("{}<dl class=\"source small\">\n", before);
    for (const SourceFact& fact : document.source)
      if (fact.origin == origin)
        out += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", markup(fact.what),
                           markup(fact.words));
    out += fmt::format("</dl>\n{}", after);
  };
  add_facts(false, "", "");
  add_facts(true, "<details><summary>Version, command and digest</summary>\n", "</details>\n");
  for (const ReportAlert& alert : document.warnings) {
    out += "<p class=\"alert\"><strong>" + markup(alert.words) + "</strong>";
    if (!alert.command.empty()) out += " <code>" + markup(alert.command) + "</code>";
    out += "</p>\n";
  }
}

/// Links to the sections.
void add_contents(std::string& out, const std::vector<const ReportSection*>& sections,
                  bool with_matches) {
  constexpr std::size_t kFewest = 6;
  if (sections.size() < kFewest) return;
  out += "<nav aria-label=\"Contents\"><details><summary>Contents</summary>\n<ul>\n";
  for (std::size_t s = 0; s < sections.size(); ++s)
    out +=
        fmt::format("<li><a href=\"#section-{}\">{}</a></li>\n", s + 1, markup(sections[s]->title));
  if (with_matches) out += "<li><a href=\"#matches\">Matches</a></li>\n";
  out += "</ul></details></nav>\n";
}

/// The list to choose from, and its data. The script makes all of it: without it the page has the
/// tables alone.
void add_matches(std::string& out, const MatchesInPage& matches) {
  out +=
      "<section class=\"interactive\">\n<h2>Matches</h2>\n<p>" + markup(matches.words) +
      "</p>\n<div id=\"matches\"><noscript>They are shown with JavaScript only.</noscript></div>\n"
      "</section>\n<script type=\"application/json\" id=\"matches-data\">";
  // "</script>" inside of it would end it.
  for (const char c : matches.json)
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  out += "</script>\n<script type=\"module\">\n" + std::string(conversation_script()) +
         std::string(matches_script()) + "</script>\n";
}

std::string page_of(const Document& document, const MatchesInPage* matches,
                    const BesideReport* beside) {
  std::string out = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
         markup(title_of(document)) + "</title>\n";
  out += beside == nullptr ? "<style>\n" + report_style() + "\n</style>\n"
                           : "<link rel=\"stylesheet\" href=\"" + markup(beside->style) + "\">\n";
  out += "</head>\n<body>\n<main>\n";
  add_head(out, document, beside);
  std::vector<const ReportSection*> sections;
  for (const ReportSection& section : document.sections)
    if (section.where != Where::data) sections.push_back(&section);
  add_contents(out, sections, matches != nullptr);
  HtmlWriter page(out, matches, beside);
  for (std::size_t s = 0; s < sections.size(); ++s)
    page.add(*sections[s], fmt::format("section-{}", s + 1));
  if (matches != nullptr) add_matches(out, *matches);
  out += beside == nullptr
             ? "<script type=\"module\">\n" + std::string(report_script()) + "</script>\n"
             : "<script type=\"module\" src=\"" + markup(beside->script) + "\"></script>\n";
  return out + "</main>\n</body>\n</html>\n";
}

}  // namespace

std::string render_html(const Document& document, const MatchesInPage* matches) {
  return page_of(document, matches, nullptr);
}

std::string render_html(const Document& document, const BesideReport& beside) {
  return page_of(document, nullptr, &beside);
}

std::string report_style() {
  return std::string(page_style()) + plot_style(Theme::of_reader);
}

namespace {

/// The numbers of all matches of other games, in the order in which a page takes them: the first
/// block of every scenario, then the second of each.
std::vector<std::int64_t> in_turns(const archive::Archive& archive,
                                   const std::vector<std::string>& without) {
  using PageOrder = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::string,
                               std::int64_t, archive::MatchId>;
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto is_left_out = [&](const archive::ScenarioRow& scenario) {
    return std::ranges::find(without, archive.row(games, scenario.game).name) != without.end();
  };
  std::vector<std::pair<PageOrder, std::int64_t>> all;
  archive.matches().each({.seats = false, .in_order = false},
                         [&](std::int64_t number, const archive::MatchRow& match) {
                           const archive::MatchKey& key = match.key;
                           if (is_left_out(archive.row(scenarios, key.scenario))) return true;
                           all.emplace_back(PageOrder(key.block, key.repeat, key.position,
                                                      archive.row(scenarios, key.scenario).place,
                                                      key.line_up, key.assignment, key.id),
                                            number);
                           return true;
                         });
  std::ranges::sort(all);
  std::vector<std::int64_t> numbers;
  for (const auto& [place, number] : all) numbers.push_back(number);
  return numbers;
}

}  // namespace

MatchesInPage matches_in_page(const archive::Archive& archive, const Catalogue& catalogue,
                              const PageBudget& budget, const AgentsApart& apart) {
  MatchesInPage page;
  MatchTeller teller(archive, catalogue, apart);
  SharedTexts texts;
  std::vector<std::pair<std::int64_t, std::string>> told;
  std::size_t bytes = 0;
  const std::vector<std::int64_t> numbers = in_turns(archive, budget.without);
  for (const std::int64_t number : numbers) {
    if (budget.matches ? static_cast<std::int64_t>(told.size()) >= *budget.matches
                       : bytes + texts.bytes() >= budget.bytes)
      break;
    const ToldMatch match = teller.tell(number, texts);
    for (const ToldSeat& seat : match.seats) page.agents.insert(seat.agent);
    page.games.insert(match.game);
    page.treatments.insert(match.treatment);
    told.emplace_back(number, write_json(match));
    bytes += told.back().second.size();
  }
  std::ranges::sort(told);
  page.json = "{\"matches\":[";
  for (const auto& [number, json] : told) page.json += (page.json.back() == '[' ? "" : ",") + json;
  page.json += "],\"texts\":[";
  for (const std::string& text : texts.all()) {
    if (page.json.back() != '[') page.json += ',';
    json::append_string(page.json, text);
  }
  page.json += "]}";
  page.words =
      told.size() == numbers.size()
          ? "All " + text::counted(static_cast<std::int64_t>(numbers.size()), "match", "matches") +
                "."
          : fmt::format(
                "{} of {} matches: of every scenario the first blocks. 'agon show' shows "
                "any.",
                told.size(), numbers.size());
  return page;
}

}  // namespace agon::report
