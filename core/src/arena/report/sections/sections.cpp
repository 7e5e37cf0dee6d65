#include "report/sections/sections.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "describe/value.hpp"
#include "report/render/render.hpp"
#include "report/report.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

std::vector<ReportSection> notes_sections(const ReportEstimates& report) {
  ReportSection section{.id = "notes", .title = "How to read this"};
  section.points.assign(report.notes.begin(), report.notes.end());
  return {section};
}

std::vector<ReportSection> read_sections(const ReportEstimates& report) {
  return report.read;
}

/// Whether there are blocks enough to see differences settle.
bool settles(const ReportSection& section) {
  constexpr double kCourseBlocks = 10;
  return std::ranges::any_of(section.series, [](const PlotSeries& series) {
    return series.points.back().x >= kCourseBlocks;
  });
}

Made made_of(const ReportEstimates& report) {
  const ReportOptions& o = report.options;
  const auto count = [](auto number) { return static_cast<std::int64_t>(number); };
  return {.level = o.level,
          .scope = report.scope,
          .policy = std::string(name(report.results.policy)),
          .aggregate = std::string(name_of(o.aggregate)),
          .without = report.without.empty() ? std::nullopt : std::optional(report.without),
          .reference = o.reference,
          .matches = report.results.matches,
          .resamples =
              Resamples{count(o.resamples), count(o.metric_resamples), count(o.strength_resamples),
                        count(o.trueskill_resamples), count(o.seed)}};
}

}  // namespace

std::string shown_agent(const ReportEstimates& report, const std::string& agent) {
  for (const AgentFacts& facts : report.results.facts)
    if (facts.name == agent) return facts.shown;
  return agent;
}

ReportColumn agent_column(const std::string& header) {
  return {.header = header, .limit = kAgentWidth, .key = true};
}

ReportColumn number_column(const std::string& header, const std::string& metric) {
  return {.header = header, .align = text::Align::right, .about = {.metric = metric}};
}

ReportColumn units_column() {
  return {.header = "n", .align = text::Align::right, .where = Where::shown};
}

ReportColumn data_column(const std::string& metric) {
  return {.header = metric, .about = {.metric = metric}, .where = Where::data};
}

ReportCell figure(const stats::Estimate& estimate, int decimals, bool sign) {
  return Estimated{.estimate = estimate, .decimals = decimals, .sign = sign};
}

ReportCell number(const std::optional<double>& value, int decimals, bool sign) {
  return value ? ReportCell(Number{*value, decimals, sign}) : ReportCell(NoFigure{});
}

ReportCell whole(const std::optional<std::size_t>& value) {
  return value ? ReportCell(static_cast<std::int64_t>(*value)) : ReportCell(NoFigure{});
}

std::vector<std::size_t> plotted_columns(const ReportTable& table, const std::string& metric) {
  std::vector<std::size_t> columns;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    const ReportColumn& column = table.columns[c];
    if (metric.empty() ? !column.key && column.where == Where::everywhere
                       : column.about.metric == metric)
      columns.push_back(c);
  }
  return columns;
}

ReportTable facts(const std::string& title, Subject about,
                  const std::vector<std::pair<std::string, ReportCell>>& list) {
  ReportTable table{.title = title, .about = std::move(about)};
  table.columns = {{.header = "fact", .key = true}, {.header = "value"}};
  for (const auto& [name, value] : list)
    table.rows.push_back({.about = {.metric = name}, .cells = {name, value}, .where = Where::data});
  return table;
}

const std::vector<SectionMaker>& section_makers() {
  using When = SectionMaker::When;
  static const std::vector<SectionMaker> all = {
      {{"summary"}, &summary_sections, false, When::always, true},
      {{"stop"}, &stop_sections, false, When::always, true},
      {{"anytime"}, &anytime_sections, true, When::anytime, true},
      {{"leaderboard", "scores", "differences"}, &leaderboard_sections, false, When::always, true},
      {{}, &anytime_sections, true, When::course},
      {{"factors"}, &factor_sections, true},
      {{"learning"}, &learning_sections, true},
      {{"treatments"}, &treatment_sections},
      {{"contrasts"}, &contrast_sections},
      {{"recall"}, &recall_sections, true},
      {{"rates"}, &rate_sections, true},
      {{"games", "metrics", "strengths", "fit", "trueskill", "pairs"},
       &game_sections,
       false,
       When::detailed},
      {{"probes", "words", "play", "swaps", "replies", "impulses", "blunders", "controls"},
       &read_sections},
      {{"faults", "policies"}, &fault_sections, true},
      {{"bounds", "missing"}, &missing_sections, true},
      {{"use"}, &use_sections},
      {{"drift"}, &drift_sections},
      {{"notes"}, &notes_sections}};
  return all;
}

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SectionMaker& maker : section_makers())
      all.insert(all.end(), maker.ids.begin(), maker.ids.end());
    return all;
  }();
  return names;
}

void add_alerts(Document& document, const OpenRun& run, const std::vector<Warning>& warnings) {
  const Scope& scope = document.made.scope;
  for (const std::string& words : {scope.what(), scope.others()})
    if (!words.empty()) document.warnings.push_back({words});
  if (run.open())
    document.warnings.push_back({"NOT FINISHED: " + run.what + ".", run.resume, "not-finished"});
  for (const Warning& warning : warnings)
    document.warnings.push_back({warning.words, "", warning.id, warning.games});
}

Document document(const ReportEstimates& report, Detail detail,
                  const std::vector<std::string>& sections, bool anytime) {
  Document document;
  document.made = made_of(report);
  document.apart = report.results.apart;
  add_source(document, report);
  std::vector<Warning> warnings = report.scope.warnings;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  add_alerts(document, report.open_run, warnings);
  if (report.open_run.open() && !anytime)
    document.warnings.push_back(
        {"Looking again and again until a difference shows finds one where there is none: in 32% "
         "of suites of equal agents that were looked at every 5 blocks up to 300. --anytime gives "
         "intervals that hold whenever one looks.",
         "", "not-finished"});
  const bool chosen = !sections.empty(), all = detail != Detail::brief || chosen;
  // Who looks more than once needs other intervals, which have sections of their own.
  const bool looks = anytime || report.stop || report.open_run.open();
  for (const SectionMaker& maker : section_makers()) {
    using When = SectionMaker::When;
    if ((maker.make == &summary_sections && looks) || (maker.when == When::detailed && !all) ||
        (maker.when == When::anytime && !anytime && detail != Detail::data && !chosen) ||
        (maker.when == When::course && (anytime || detail != Detail::page || chosen)))
      continue;
    std::vector<ReportSection> made =
        maker.estimates ? report.sections.at(maker.make) : maker.make(report);
    if (maker.when == When::course && !made.empty() && !settles(made.front())) continue;
    if (maker.make == &rate_sections && !made.empty()) made.erase(made.begin() + (all ? 1 : 0));
    for (ReportSection& section : made) {
      section.folds = detail == Detail::page && !maker.open;
      if (looks && section.id != "anytime")
        for (Plot& plot : section.plots)
          if (!plot.shows.empty()) plot.title = std::exchange(plot.shows, "");
    }
    std::move(made.begin(), made.end(), std::back_inserter(document.sections));
  }
  if (!sections.empty()) choose(document, sections);
  return document;
}

void choose(Document& document, const std::vector<std::string>& sections) {
  std::vector<std::string> there;
  for (const ReportSection& section : document.sections)
    if (std::ranges::find(there, section.id) == there.end()) there.push_back(section.id);
  std::erase_if(document.sections, [&](const ReportSection& section) {
    return std::ranges::find(sections, section.id) == sections.end();
  });
  for (ReportSection& section : document.sections) {
    section.where = Where::everywhere;
    section.folds = false;
  }
  if (!document.sections.empty()) return;
  throw Error(ErrorKind::not_found, "the archive has nothing for the sections that are asked for",
              {}, "it has: " + text::joined(there));
}

namespace {

/// What a column may be called.
std::vector<std::string> names_of(const ReportColumn& column) {
  return {text::lower(column.header), column.about.metric, column.about.game, column.about.agent};
}

/// What a part of a column's figures may be called; empty: the figure itself, which stays.
std::string_view name_of(FigurePart::Item part) {
  using enum FigurePart::Item;
  switch (part) {
    case value:
      return {};
    case interval:
    case together:
      return "interval";
    case p:
    case p_adjusted:
      return "p";
    case units:
    case out_of:
      return "n";
    case published:
      return "published";
  }
  return {};
}

/// The columns that people see and can do without.
std::vector<ReportColumn*> optional_columns(ReportTable& table) {
  std::vector<ReportColumn*> columns;
  for (ReportColumn& column : table.columns)
    if (!column.key && column.where != Where::data) columns.push_back(&column);
  return columns;
}

/// Keeps the named columns of a table, or those with a named part; false if it has none.
bool keep_columns(ReportTable& table, const std::vector<std::string>& names) {
  const auto is_asked = [&](std::string_view name) {
    return !name.empty() && std::ranges::find(names, name) != names.end();
  };
  const auto is_named = [&](const ReportColumn* column) {
    return std::ranges::any_of(names_of(*column), is_asked);
  };
  const auto has_part = [&](const ReportColumn* column) {
    return std::ranges::any_of(
        column->apart, [&](const FigurePart& part) { return is_asked(name_of(part.what)); });
  };
  const std::vector<ReportColumn*> columns = optional_columns(table);
  const bool named = std::ranges::any_of(columns, is_named);
  bool kept = false;
  for (ReportColumn* column : columns) {
    if (named ? !is_named(column) : !has_part(column)) {
      column->where = Where::data;
      continue;
    }
    kept = true;
    std::erase_if(column->apart, [&](const FigurePart& part) {
      const std::string_view name = name_of(part.what);
      return !name.empty() && !is_asked(name);
    });
  }
  return kept;
}

}  // namespace

void choose_columns(Document& document, std::vector<std::string> names) {
  for (std::string& name : names) name = text::lower(name);
  std::set<std::string> known;
  for (ReportSection& section : document.sections)
    for (ReportTable& table : section.tables)
      for (const ReportColumn* column : optional_columns(table)) {
        for (std::string& name : names_of(*column)) known.insert(std::move(name));
        for (const FigurePart& part : column->apart) known.emplace(name_of(part.what));
      }
  known.erase("");
  for (const std::string& name : names)
    if (!known.contains(name))
      throw Error(ErrorKind::not_found, "unknown column '" + name + "'", "--columns",
                  text::suggestion(name, {known.begin(), known.end()},
                                   "the tables have: " + text::joined(known)));
  for (ReportSection& section : document.sections) {
    bool any = section.tables.empty();
    for (ReportTable& table : section.tables)
      if (keep_columns(table, names))
        any = true;
      else  // plots still need it
        for (ReportRow& row : table.rows) row.where = Where::data;
    if (!any) section.where = Where::data;
  }
}

std::string text(const ReportEstimates& report, bool colour, Detail detail) {
  return render_text(document(report, detail), colour);
}

}  // namespace agon::report
