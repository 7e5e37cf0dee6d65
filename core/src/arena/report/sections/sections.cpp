#include "report/sections/sections.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <iterator>

#include "describe/value.hpp"
#include "report/render/render.hpp"
#include "report/report.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

std::vector<ReportSection> notes_sections(const ReportEstimates& report) {
  ReportSection section{.id = "notes", .title = "How to read this"};
  section.points = report.notes;
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
  if (detail == Detail::page) add_source(document, report);
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
  for (const SectionMaker& maker : section_makers()) {
    using When = SectionMaker::When;
    if ((maker.make == &summary_sections && anytime) || (maker.when == When::detailed && !all) ||
        (maker.when == When::anytime && !anytime && detail != Detail::data && !chosen) ||
        (maker.when == When::course && (anytime || detail != Detail::page || chosen)))
      continue;
    std::vector<ReportSection> made =
        maker.estimates ? report.sections.at(maker.make) : maker.make(report);
    if (maker.when == When::course && !made.empty() && !settles(made.front())) continue;
    if (maker.make == &rate_sections && !made.empty()) made.erase(made.begin() + (all ? 1 : 0));
    for (ReportSection& section : made) section.folds = detail == Detail::page && !maker.open;
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

std::string text(const ReportEstimates& report, bool colour, Detail detail) {
  return render_text(document(report, detail), colour);
}

}  // namespace agon::report
