#include "report/report.hpp"

#include <unistd.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "archive/export/cell.hpp"
#include "command/analysis/analysis.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "plugin/search_path.hpp"
#include "report/render/render.hpp"
#include "report/sections/sections.hpp"
#include "text/layout.hpp"
#include "text/words.hpp"

namespace agon::command {

/// The folder that `--svg` names. Files are written beside their places and moved there together,
/// so that a full disk or an interruption leaves the plots that were there before. What an earlier
/// report put there and this one does not have is removed; a list in the folder says what that is,
/// and nothing else is touched.
class PlotFolder {
 public:
  /// Makes the folder if there is none. Throws Error (failure) if that, or writing, is not
  /// possible.
  explicit PlotFolder(std::string path);
  /// Removes what was written, unless it was kept.
  ~PlotFolder();
  PlotFolder(const PlotFolder&) = delete;
  PlotFolder& operator=(const PlotFolder&) = delete;

  void add(const std::string& name, const std::string& content);
  /// Moves everything into place.
  void keep();

 private:
  [[nodiscard]] std::set<std::string> listed() const;
  void list(const std::set<std::string>& names) const;
  void move(const std::string& name) const;

  std::filesystem::path folder_;
  std::filesystem::path part_;  ///< in it, where files wait
  bool made_ = false;           ///< the folder is ours, and nothing is in it yet
  std::set<std::string> names_{};
};

namespace {

namespace fs = std::filesystem;

/// Names of the files that a report made, a line each.
constexpr const char* kList = ".agon-plots";

void write(const fs::path& path, const std::string& content) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  if (file) file << content;
  file.close();
  if (!file) refuse_to_write(path.string(), errno);
}

}  // namespace

PlotFolder::PlotFolder(std::string path) : folder_(std::move(path)) {
  std::error_code failed;
  made_ = fs::create_directories(folder_, failed);
  if (!failed && !fs::is_directory(folder_, failed))
    failed = std::make_error_code(std::errc::not_a_directory);
  part_ = folder_ / (std::string(kList) + "-" + std::to_string(::getpid()));
  if (!failed) fs::create_directory(part_, failed);
  if (failed) refuse_to_write(folder_.string(), failed.value());
}

PlotFolder::~PlotFolder() {
  std::error_code none;
  fs::remove_all(part_, none);
  if (made_) fs::remove(folder_, none);  // while it is empty
}

void PlotFolder::add(const std::string& name, const std::string& content) {
  write(part_ / name, content);
  names_.insert(name);
}

void PlotFolder::keep() {
  const std::set<std::string> before = listed();
  std::set<std::string> all = before;
  all.insert(names_.begin(), names_.end());
  // First a list of both: an end by force between here and below leaves no file that nobody knows.
  list(all);
  made_ = false;
  for (const std::string& name : names_) move(name);
  std::error_code none;
  for (const std::string& name : before)
    if (!names_.contains(name)) fs::remove(folder_ / name, none);
  list(names_);
}

std::set<std::string> PlotFolder::listed() const {
  std::set<std::string> names;
  std::ifstream file(folder_ / kList);
  for (std::string name; std::getline(file, name);)
    // Whatever somebody wrote into the list: nothing but a plot of this folder is removed.
    if (name.ends_with(".svg") && name.find('/') == std::string::npos) names.insert(name);
  return names;
}

void PlotFolder::list(const std::set<std::string>& names) const {
  std::string lines;
  for (const std::string& name : names) lines += name + "\n";
  write(part_ / kList, lines);
  move(kList);
}

void PlotFolder::move(const std::string& name) const {
  std::error_code failed;
  fs::rename(part_ / name, folder_ / name, failed);
  if (failed) refuse_to_write((folder_ / name).string(), failed.value());
}

namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

enum class Format { text, json, csv, latex, markdown, html };  // in the order of their names

void print_as(Format format, const report::Document& document) {
  print(format == Format::json       ? report::render_json(document) + "\n"
        : format == Format::csv      ? report::render_csv(document)
        : format == Format::latex    ? report::render_latex(document)
        : format == Format::markdown ? report::render_markdown(document)
        : format == Format::html     ? report::render_html(document)
                                     : report::render_text(document, colours()));
}

std::string_view paper_of(const TableCard& card) {
  return card.id.substr(0, card.id.find('/'));
}

/// True if `a` comes before `b`, numbers within them by their value: figure-2 before figure-10.
bool by_number(std::string_view a, std::string_view b) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (is_digit(a.front()) && is_digit(b.front())) {
      const auto number = [&](std::string_view& text) {
        std::size_t end = 0;
        while (end < text.size() && is_digit(text[end])) ++end;
        std::string_view digits = text.substr(0, end);
        digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
        text.remove_prefix(end);
        return digits;
      };
      const std::string_view left = number(a), right = number(b);
      if (left.size() != right.size()) return left.size() < right.size();
      if (left != right) return left < right;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

/// What plays for a table.
std::string player_of(const TableCard& card) {
  return card.in_report ? "" : "scenarios/" + std::string(card.scenario);
}

/// The tables at hand; `paper`: of this paper only.
int list_tables(Invocation& call, const std::string& paper, Format format) {
  std::vector<const TableCard*> cards;
  std::vector<std::string> papers;
  for (const TableCard* card : call.catalogue().all<TableCard>()) {
    if (papers.empty() || papers.back() != paper_of(*card)) papers.emplace_back(paper_of(*card));
    if (paper.empty() || paper == paper_of(*card)) cards.push_back(card);
  }
  std::stable_sort(cards.begin(), cards.end(),
                   [](const TableCard* a, const TableCard* b) { return by_number(a->id, b->id); });
  if (cards.empty() && !paper.empty())
    throw Error(
        ErrorKind::not_found, "unknown paper '" + paper + "'", "",
        text::suggestion(paper, papers, "'agon report --list-paper-tables' lists all papers"));
  if (format == Format::json) {
    bj::array list;
    for (const TableCard* card : cards)
      list.push_back(bj::object{{"id", bj::string(card->id)},
                                {"title", bj::string(card->title)},
                                {"source", bj::string(card->source)},
                                {"game", bj::string(card->game)},
                                {"scenario", player_of(*card)}});
    print_json(std::move(list));
    return 0;
  }
  if (format == Format::csv) {
    std::string lines = "table,title,source,game,scenario\r\n";
    for (const TableCard* card : cards) {
      const std::string_view fields[] = {card->id, card->title, card->source, card->game};
      for (const std::string_view field : fields) {
        archive::append_csv(lines, std::string(field));
        lines += ',';
      }
      archive::append_csv(lines, player_of(*card));
      lines += "\r\n";
    }
    print(lines);
    return 0;
  }
  report::ReportTable table;
  table.columns = {{.header = "table", .key = true},
                   {.header = "what it shows", .limit = 60, .key = true},
                   {.header = "played by", .key = true}};
  for (const TableCard* card : cards)
    table.rows.push_back(
        {.cells = {std::string(card->id), std::string(card->title),
                   card->in_report ? "any suite with the game" : player_of(*card)}});
  report::Document document;
  document.sections.push_back({.id = "tables",
                               .title = "Tables and figures of papers and games",
                               .tables = {std::move(table)}});
  if (format == Format::text)
    print(report::render_table(document.sections.front().tables.front()));
  else
    print_as(format, document);
  return 0;
}

/// The matches that --html takes along; none for `none`.
std::optional<report::PageBudget> asked_matches(const Invocation& call) {
  const std::string asked = call.text("matches");
  if (asked == "none") return std::nullopt;
  report::PageBudget budget;
  budget.without = call.texts("without");
  if (asked == "all")
    budget.matches = std::numeric_limits<std::int64_t>::max();
  else if (!asked.empty())
    budget.matches = call.number("matches", 0, 0, 1'000'000'000);
  return budget;
}

/// Writes the document as a page, with matches behind its figures.
void write_page(Invocation& call, const report::Document& document) {
  const std::optional<report::PageBudget> budget = asked_matches(call);
  std::optional<report::MatchesInPage> matches;
  if (budget) {
    archive::Archive archive = archive::Archive::open(call.argument("ARCHIVE"));
    archive.together([&] {
      report::narrow(archive, scope_of(call));
      matches = report::matches_in_page(archive, call.catalogue(), *budget, document.apart);
    });
  }
  OutFile file(call.text("html"));
  file.stream() << report::render_html(document, matches ? &*matches : nullptr);
  file.keep();
}

/// Writes every plot of the document as a file of its own: all of them or, where one cannot be
/// written, none.
void write_plots(Invocation& call, const report::Document& document) {
  PlotFolder folder(call.text("svg"));
  std::map<std::string, int> named;
  for (const report::ReportSection& section : document.sections)
    for (const report::Plot& plot : section.plots) {
      const std::string picture = report::render_svg(section, plot, true, document.warnings);
      if (picture.empty()) continue;
      std::string name = section.id + "-" + plot.name;
      std::replace(name.begin(), name.end(), '/', '-');
      if (const int before = named[name]++; before > 0) name += "-" + std::to_string(before + 1);
      folder.add(name + ".svg", picture + "\n");
    }
  if (named.empty())
    throw Error(ErrorKind::not_found, "the selected sections have no plots", "--svg",
                "leave --section out, or choose other sections");
  folder.keep();
}

/// The names that an option has, each by itself or several with commas.
std::vector<std::string> named_with_commas(const Invocation& call, const std::string& option) {
  std::vector<std::string> names;
  for (const std::string& list : call.texts(option))
    for (std::size_t at = 0; at <= list.size();) {
      const std::size_t end = std::min(list.find(',', at), list.size());
      names.push_back(list.substr(at, end - at));
      at = end + 1;
    }
  return names;
}

/// To where --html and --svg say, else to standard output.
void put(Invocation& call, Format format, report::Document document) {
  if (call.has("add-sections")) report::add_sections(document, call.text("add-sections"));
  if (call.has("columns")) report::choose_columns(document, named_with_commas(call, "columns"));
  if (call.has("html")) write_page(call, document);
  if (call.has("svg")) write_plots(call, document);
  if (!call.has("html") && !call.has("svg")) print_as(format, document);
}

int make_table(Invocation& call, const std::string& id, const report::ScopeChoice& scope,
               Format format) {
  const TableCard& card = call.catalogue().table(id);
  put(call, format,
      report::table_document(card, call.argument("ARCHIVE"), call.catalogue(), scope));
  return 0;
}

int make_meta(Invocation& call, const report::ReportRequest& choice, Format format) {
  report::Document document = metagame(call, choice);
  if (!choice.sections.empty()) report::choose(document, choice.sections);
  put(call, format, std::move(document));
  return 0;
}

/// What --format, --json and --csv ask for together.
Format asked_format(const Invocation& call) {
  static const std::vector<std::string> names = {"text",  "json",     "csv",
                                                 "latex", "markdown", "html"};
  std::string asked = call.text("format");
  if (call.has("format") && std::find(names.begin(), names.end(), asked) == names.end())
    throw Error(ErrorKind::usage, "invalid value '" + asked + "' for --format; expected one of " +
                                      text::joined(names));
  for (const std::string brief : {"json", "csv"}) {
    if (!call.has(brief)) continue;
    if (!asked.empty() && asked != brief)
      throw Error(
          ErrorKind::usage,
          "--" + brief + " conflicts with --" + (call.has("format") ? "format " + asked : asked),
          "", "--" + brief + " is short for --format " + brief);
    asked = brief;
  }
  if (asked.empty()) return Format::text;
  return static_cast<Format>(std::find(names.begin(), names.end(), asked) - names.begin());
}

/// The sections that --section names.
std::vector<std::string> chosen_sections(const Invocation& call,
                                         const std::vector<std::string>& known) {
  const std::vector<std::string> chosen = named_with_commas(call, "section");
  for (const std::string& name : chosen)
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw Error(ErrorKind::usage, "unknown section '" + name + "'", "--section",
                  text::suggestion(name, known, "use one or more of: " + text::joined(known)));
  return chosen;
}

int report(Invocation& call) {
  const Format format = asked_format(call);
  if (call.has("columns") && (format == Format::json || format == Format::csv))
    throw Error(ErrorKind::usage, "--columns conflicts with --format json and csv", "",
                "they have every figure: select columns where you read them");
  if (call.has("list-paper-tables")) return list_tables(call, call.argument("ARCHIVE"), format);
  if (call.argument("ARCHIVE").empty())
    throw Error(ErrorKind::usage, "missing ARCHIVE", "", "see 'agon report --help'");
  if (call.has("paper-table"))
    return make_table(call, call.text("paper-table"), scope_of(call), format);
  report::ReportRequest choice;
  choice.scope = scope_of(call);
  choice.rates = report::rates_of(call.catalogue());
  choice.play = report::play_tables_of(call.catalogue());
  choice.talk = report::talk_of(call.catalogue());
  choice.against = call.text("reference");
  choice.policy = asked_policy(call);
  choice.without = call.texts("without");
  choice.aggregate = call.text("aggregate");
  if (call.has("metagame") || call.has("metagame-agents")) {
    choice.sections = chosen_sections(call, metagame_sections());
    return make_meta(call, choice, format);
  }
  choice.anytime = call.has("anytime");
  choice.controls = {
      .agents = call.texts("control"),
      .blocks = static_cast<std::uint64_t>(call.number("control-blocks", 2000, 10, 1'000'000))};
  choice.catalogue = &call.catalogue();
  if (call.has("full")) choice.detail = report::Detail::full;
  if (call.has("html") || call.has("svg")) choice.detail = report::Detail::page;
  if (format == Format::csv || format == Format::json) choice.detail = report::Detail::data;
  choice.sections = chosen_sections(call, report::section_names());
  report::Document document = report::document_of(call.argument("ARCHIVE"), choice);
  if (call.has("with-paper-tables"))
    report::add_papers(document, call.argument("ARCHIVE"), call.catalogue(), choice.scope);
  put(call, format, std::move(document));
  return 0;
}

}  // namespace

Command report_command() {
  Command c{
      {"report",
       "print the leaderboard, metrics and paper tables of an archive",
       "",
       {{"ARCHIVE", "archive of 'agon run'; with --list-paper-tables: name of a paper", false}}},
      &report};
  // clang-format off
  c.synopsis.options.add_options()
      ("full", "show also all metrics of all games, strengths, TrueSkill and pairs")
      ("metagame", po::value<std::string>()->value_name("LABEL"), "analyse the metagame in which players choose a value of this label or factor; LABEL=A,B restricts the values")
      ("metagame-agents", po::value<std::string>()->value_name("NAMES"), "analyse the metagame of choosing an agent: comma-separated names, or all")
      ("asymmetric", "with --metagame: treat seats of one role as separate players")
      ("alpha", po::value<std::string>()->value_name("A"), "with --metagame: alpha-rank for this selection strength, next to the limit")
      ("anytime", "show differences with anytime-valid intervals first; safe to read while a run is in progress")
      ("reference", po::value<std::string>()->value_name("NAME"), "reference agent (default: the suite's)")
      ("fault-policy", po::value<std::string>()->value_name("as-played|forfeit|exclude"), "how forced answers count (default: the suite's)")
      ("without", po::value<std::vector<std::string>>()->value_name("GAME")->composing(), "leave this game out (repeatable)")
      ("aggregate", po::value<std::string>()->value_name("mean|winsorised|ranks"), "what to average over games (default: the suite's)")
      ("paper-table", po::value<std::string>()->value_name("PAPER/ID"), "print this table or figure of a paper, next to the published values")
      ("with-paper-tables", "add all tables and figures of papers that the archive has matches for")
      ("format", po::value<std::string>()->value_name("text|json|csv|latex|markdown|html"), "output format; csv has one line for each figure, latex needs booktabs, html is a complete page (default: text)")
      ("csv", "same as --format csv, as --json is --format json")
      ("html", po::value<std::string>()->value_name("FILE"), "write the report with plots and matches as one self-contained page")
      ("matches", po::value<std::string>()->value_name("all|N|none"), "with --html: matches to embed (default: the first blocks of each scenario, up to 3 MB)")
      ("metrics", po::value<std::string>()->value_name("FILE"), "add your own metrics of this archive's seats, see docs/report.md")
      ("add-sections", po::value<std::string>()->value_name("FILE"), "append sections of your own, see docs/report.md")
      ("control", po::value<std::vector<std::string>>()->value_name("AGENT")->composing(), "reduce the errors of scores by what this agent gets on the same chance: an agent of the archive or a rule agent (repeatable)")
      ("control-blocks", po::value<std::string>()->value_name("N"), "with --control: further blocks that tell what it gets on average (default: 2000)")
      ("svg", po::value<std::string>()->value_name("DIR"), "write all plots to this folder as SVG")
      ("section", po::value<std::vector<std::string>>()->value_name("SECTION")->composing(), "only this section, or several separated by commas (repeatable)")
      ("columns", po::value<std::vector<std::string>>()->value_name("COLUMNS")->composing(), "only these columns of tables, such as score,interval (repeatable)")
      ("list-paper-tables", "list the available tables and figures and the scenario of each");
  // clang-format on
  add_scope_options(c.synopsis, "the last one run");
  std::vector<OptionRule>& rules = c.synopsis.rules;
  for (const char* other : {"list-paper-tables", "paper-table", "metagame", "metagame-agents"})
    rules.push_back({other,
                     {},
                     {"full", "reference", "anytime", "with-paper-tables", "without", "aggregate",
                      "metrics", "control"}});
  for (const char* other : {"list-paper-tables", "paper-table"})
    rules.push_back(
        {other,
         {},
         {"metagame", "metagame-agents", "asymmetric", "alpha", "fault-policy", "section"}});
  rules.push_back({"list-paper-tables",
                   {},
                   {"paper-table", "add-sections", "columns", "suite", "run", "all-suites"}});
  rules.push_back({"metagame", {}, {"metagame-agents"}});
  for (const char* beside : {"asymmetric", "alpha"})
    rules.push_back({beside, {"metagame", "metagame-agents"}});
  for (const char* file : {"html", "svg"})
    rules.push_back({file, {}, {"format", "json", "csv", "list-paper-tables"}});
  rules.push_back({"control-blocks", {"control"}});
  rules.push_back({"matches", {"html"}});
  c.synopsis.details =
      text::paragraph("Sections: " + text::joined(report::section_names()) + ".", {0, {}, 80});
  return c;
}

}  // namespace agon::command
