#include <fmt/format.h>

#include "report/sections/sections.hpp"
#include "stats/confidence_sequence.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

constexpr const char* kMethod =
    "confidence sequence: holds after every block at once, however often one looks";

/// Why a sequence has no interval yet.
stats::Note why_none(const stats::AnytimeDifference& difference) {
  const bool is_constant = !difference.varies && difference.units >= stats::kFewestSequenceUnits;
  return is_constant ? stats::Note::no_variation : stats::Note::too_few;
}

/// What the intervals do not reckon with: figures of their own beside them.
void add_unseen_columns(ReportTable& table) {
  table.columns.push_back({.header = "may be unseen", .where = Where::shown});
  table.columns.push_back(number_column("overturned by", "overturned_by"));
}
void add_unseen(ReportRow& row, const stats::AnytimeDifference& difference) {
  row.cells.push_back(difference.unseen
                          ? ReportCell(fmt::format("under {:.1f}%", 100 * *difference.unseen))
                          : ReportCell(Missing{}));
  row.cells.push_back(number(difference.overturned_by, 2));
}

constexpr const char* kUnseen =
    "May be unseen: what happens in a smaller share of blocks than that may not be among them, and "
    "the interval does not reckon with it; overturned by: so much such blocks would have to cost "
    "on average to move an interval that leaves out 0 back to it. Where there is none, declared "
    "ranges of scores say all that can happen.";

Estimated difference_cell(const stats::AnytimeDifference& difference) {
  stats::Estimate estimate;
  estimate.value = difference.value;
  estimate.interval = difference.interval;
  estimate.units = difference.units;
  estimate.unseen = difference.unseen;
  estimate.note = !difference.value     ? stats::Note::undefined
                  : difference.interval ? stats::Note::none
                                        : why_none(difference);
  return {.estimate = estimate, .sign = true};
}

}  // namespace

std::vector<ReportSection> stop_sections(const ReportEstimates& report) {
  if (!report.stop) return {};
  const StopState& stop = *report.stop;
  ReportSection section;
  section.id = "stop";
  section.title = "Stopping";
  section.explanation = "The run was to play " + stop.words + ". It is " +
                        (stop.verdict.starts_with("not") || stop.verdict.starts_with("decided") ||
                                 stop.verdict.starts_with("reached")
                             ? stop.verdict
                             : "done, " + stop.verdict) +
                        ".";
  section.tables = {facts("rule", {},
                          {{"rule", stop.rule.text},
                           {"decided", std::int64_t{stop.decided}},
                           {"best", stop.best.value_or("")},
                           {"looks", whole(stop.looks)},
                           {"most_looks", whole(stop.most_looks)}})};
  if (!stop.looks) return {std::move(section)};
  section.method = kMethod;
  section.level = stop.level;
  ReportTable table;
  const std::string level = text::percent(stop.level);
  table.columns = {
      agent_column(),
      {.header = "", .key = true},
      {.header = "less", .limit = kAgentWidth, .key = true},
      {.header = "difference",
       .about = {.metric = "difference"},
       .apart = {{FigurePart::What::value, "difference"},
                 {FigurePart::What::interval, level + " valid interval", text::Align::left},
                 {FigurePart::What::units, "n"}}}};
  add_unseen_columns(table);
  for (const char* metric : {"in", "out_after", "sequence"})
    table.columns.push_back(data_column(metric));
  section.remarks.emplace_back(kUnseen);
  for (const StopState::Agent& agent : stop.agents) {
    std::optional<stats::Interval> interval;
    if (agent.interval) interval = {(*agent.interval)[0], (*agent.interval)[1]};
    const stats::AnytimeDifference difference{.value = agent.difference,
                                              .interval = interval,
                                              .units = agent.units.value_or(0),
                                              .varies = !agent.constant.value_or(false),
                                              .unseen = agent.unseen,
                                              .overturned_by = agent.overturned_by};
    ReportRow& row = table.rows.emplace_back();
    row.about.agent = agent.agent;
    row.about.other = agent.less.value_or("");
    row.cells = {shown_agent(report, agent.agent),
                 agent.out_after            ? fmt::format("out after {}", *agent.out_after)
                 : agent.agent == stop.best ? "best"
                                            : "in",
                 !agent.less ? ReportCell(Missing{}) : ReportCell(shown_agent(report, *agent.less)),
                 !agent.less ? ReportCell(Missing{}) : difference_cell(difference)};
    add_unseen(row, difference);
    row.cells.emplace_back(std::int64_t{agent.in});
    row.cells.push_back(whole(agent.out_after));
    row.cells.emplace_back(agent.method.value_or(""));
  }
  section.tables.push_back(std::move(table));
  section.remarks.emplace_back(
      "These intervals reckon with a look after every block. All others of this report do not: "
      "they are for a number of blocks that was fixed beforehand, and a run that stopped because "
      "of what it saw shows them too narrow; --anytime gives differences to the reference that "
      "hold.");
  return {std::move(section)};
}

std::vector<ReportSection> anytime_sections(const ReportEstimates& report) {
  if (report.anytime.empty()) return {};
  ReportSection section;
  section.id = "anytime";
  section.title = "Differences that hold whenever one looks";
  section.explanation = fmt::format(
      "Score less that of '{}', mean over games, with intervals that hold after every number of "
      "blocks at once: one may look at them as often as one likes, and stop when one likes. None "
      "under an effective number of {} blocks.",
      report.options.reference, stats::kFewestSequenceUnits);
  section.method = kMethod;
  ReportTable table;
  const std::string level = text::percent(report.options.level);
  table.columns = {
      agent_column(),
      {.header = "difference",
       .about = {.other = report.options.reference, .metric = "difference"},
       .apart = {{FigurePart::What::value, "difference"},
                 {FigurePart::What::interval, level + " valid interval", text::Align::left},
                 {FigurePart::What::units, "n"}}},
      {.header = "method", .about = {.metric = "sequence"}}};
  add_unseen_columns(table);
  section.remarks.emplace_back(kUnseen);
  for (const AnytimeRow& row : report.anytime) {
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells = {shown_agent(report, row.agent), difference_cell(row.difference),
                 std::string(stats::name(row.difference.sequence))};
    add_unseen(out, row.difference);
    PlotSeries& series = section.series.emplace_back();
    series.name = row.agent;
    series.about = {
        .agent = row.agent, .other = report.options.reference, .metric = "difference_by_blocks"};
    series.x = {"blocks of the scenario with the fewest"};
    series.y = {"score less that of " + report.options.reference};
    for (const AnytimeRow::Then& then : row.course)
      series.points.push_back({static_cast<double>(then.looks), difference_cell(then.difference)});
  }
  section.tables = {std::move(table)};
  section.plots.push_back({.name = "course",
                           .title = "Differences block by block, with intervals that always hold",
                           .drawing = Drawing::curves,
                           .line = 0});
  return {std::move(section)};
}

}  // namespace agon::report
