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

void append(std::vector<ReportSection>& all, std::vector<ReportSection> more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
}

std::vector<ReportSection> notes_sections(const ReportEstimates& report) {
  ReportSection section;
  section.id = "notes";
  section.title = "How to read this";
  section.points = report.notes;
  return {section};
}

/// How much of a report is asked for.
struct SectionFilter {
  bool all = false;      ///< everything that some section has to say
  bool anytime = false;  ///< differences that hold whenever one looks
  bool course = false;   ///< the same, where there are blocks enough to see them settle
};

/// What makes sections of a report.
struct SectionMaker {
  std::vector<std::string_view> ids;  ///< of the sections that it may make
  std::vector<ReportSection> (*make)(const ReportEstimates& report, const SectionFilter& asked);
  bool detail = false;  ///< a brief report leaves them out
};

template <std::vector<ReportSection> (*Make)(const ReportEstimates&)>
std::vector<ReportSection> always(const ReportEstimates& report, const SectionFilter&) {
  return Make(report);
}

/// Blocks from which on a page shows how differences settled.
constexpr std::size_t kCourseBlocks = 10;

std::vector<ReportSection> course_sections(const ReportEstimates& report) {
  const bool enough =
      std::any_of(report.anytime.begin(), report.anytime.end(), [](const AnytimeRow& row) {
        return !row.course.empty() && row.course.back().looks >= kCourseBlocks;
      });
  return enough ? anytime_sections(report) : std::vector<ReportSection>();
}

/// In the order of the report. A new section is a function and a line here.
const std::vector<SectionMaker>& makers() {
  static const std::vector<SectionMaker> all = {
      {{"stop"}, &always<&stop_sections>},
      {{"anytime"},
       [](const ReportEstimates& report, const SectionFilter& asked) {
         return asked.anytime ? anytime_sections(report) : std::vector<ReportSection>();
       }},
      {{"leaderboard", "scores", "differences"}, &always<&leaderboard_sections>},
      {{},
       [](const ReportEstimates& report, const SectionFilter& asked) {
         return asked.course ? course_sections(report) : std::vector<ReportSection>();
       }},
      {{"factors"}, &always<&factor_sections>},
      {{"learning"}, &always<&learning_sections>},
      {{"treatments"}, &always<&treatment_sections>},
      {{"contrasts"}, &always<&contrast_sections>},
      {{"rates"},
       [](const ReportEstimates& report, const SectionFilter& asked) {
         return paper_sections(report, asked.all);
       }},
      {{"games", "metrics", "strengths", "fit", "trueskill", "pairs"},
       &always<&game_sections>,
       true},
      {{"play"}, [](const ReportEstimates& report, const SectionFilter&) { return report.play; }},
      {{"faults", "policies"}, &always<&fault_sections>},
      {{"bounds", "missing"}, &always<&missing_sections>},
      {{"use"}, &always<&use_sections>},
      {{"drift"}, &always<&drift_sections>},
      {{"notes"}, &always<&notes_sections>}};
  return all;
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

ReportColumn agent_column(const std::string& header) {
  return {.header = header, .limit = kAgentWidth, .key = true};
}

ReportColumn number_column(const std::string& header, const std::string& metric) {
  return {.header = header, .align = text::Align::right, .about = {.metric = metric}};
}

ReportColumn data_column(const std::string& metric) {
  return {.header = metric, .about = {.metric = metric}, .where = Where::data};
}

ReportCell figure(const stats::Estimate& estimate, int decimals, bool sign) {
  return Estimated{.estimate = estimate, .decimals = decimals, .sign = sign};
}

ReportCell number(const std::optional<double>& value, int decimals, bool sign) {
  return value ? ReportCell(Number{*value, decimals, sign}) : ReportCell(Missing{});
}

ReportCell whole(const std::optional<std::size_t>& value) {
  return value ? ReportCell(static_cast<std::int64_t>(*value)) : ReportCell(Missing{});
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
  ReportTable table;
  table.title = title;
  table.about = std::move(about);
  table.columns = {{.header = "fact", .key = true}, {.header = "value"}};
  for (const auto& [name, value] : list)
    table.rows.push_back({.about = {.metric = name}, .cells = {name, value}, .where = Where::data});
  return table;
}

const std::vector<std::string>& section_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const SectionMaker& maker : makers())
      all.insert(all.end(), maker.ids.begin(), maker.ids.end());
    return all;
  }();
  return names;
}

void add_alerts(Document& document, const OpenRun& run, const std::vector<Warning>& warnings) {
  const Scope& scope = document.made.scope;
  for (const std::string& words : {scope.what(), scope.others()})
    if (!words.empty()) document.alerts.push_back({words});
  if (run.open())
    document.alerts.push_back({"NOT FINISHED: " + run.what + ".", run.resume, "not-finished"});
  for (const Warning& warning : warnings)
    document.alerts.push_back({warning.words, "", warning.id, warning.games});
}

Document document(const ReportEstimates& report, Detail detail,
                  const std::vector<std::string>& sections, bool anytime) {
  Document document;
  document.made = made_of(report);
  document.apart = report.results.apart;
  std::vector<Warning> warnings = report.scope.warnings;
  warnings.insert(warnings.end(), report.warnings.begin(), report.warnings.end());
  add_alerts(document, report.open_run, warnings);
  if (report.open_run.open() && !anytime)
    document.alerts.push_back(
        {"Looking again and again until a difference shows finds one where there is none: in 32% "
         "of suites of equal agents that were looked at every 5 blocks up to 300. --anytime gives "
         "intervals that hold whenever one looks.",
         "", "not-finished"});
  const SectionFilter asked{.all = detail != Detail::brief || !sections.empty(),
                            .anytime = anytime || detail == Detail::data || !sections.empty(),
                            .course = !anytime && detail == Detail::page && sections.empty()};
  for (const SectionMaker& maker : makers())
    if (asked.all || !maker.detail) append(document.sections, maker.make(report, asked));
  if (!sections.empty()) choose(document, sections);
  return document;
}

void choose(Document& document, const std::vector<std::string>& sections) {
  std::vector<std::string> there;
  for (const ReportSection& section : document.sections)
    if (std::find(there.begin(), there.end(), section.id) == there.end())
      there.push_back(section.id);
  std::erase_if(document.sections, [&](const ReportSection& section) {
    return std::find(sections.begin(), sections.end(), section.id) == sections.end();
  });
  for (ReportSection& section : document.sections) section.where = Where::everywhere;
  if (!document.sections.empty()) return;
  throw Error(ErrorKind::not_found, "the archive has nothing for the sections that are asked for",
              {}, "it has: " + text::joined(there));
}

std::string text(const ReportEstimates& report, bool colour, Detail detail) {
  return render_text(document(report, detail), colour);
}

}  // namespace agon::report
