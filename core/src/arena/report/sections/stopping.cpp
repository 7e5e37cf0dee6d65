#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "results/tally.hpp"
#include "stats/sequential/confidence_sequence.hpp"
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
                          : ReportCell(NoFigure{}));
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

ReportRow stop_row(const ReportEstimates& report, const StopState::AgentState& agent) {
  std::optional<stats::Interval> interval;
  if (agent.interval) interval = {(*agent.interval)[0], (*agent.interval)[1]};
  const stats::AnytimeDifference difference{.value = agent.difference,
                                            .interval = interval,
                                            .units = agent.units.value_or(0),
                                            .varies = !agent.constant.value_or(false),
                                            .unseen = agent.unseen,
                                            .overturned_by = agent.overturned_by};
  ReportRow row;
  row.about.agent = agent.agent;
  row.about.other = agent.less.value_or("");
  row.cells = {shown_agent(report, agent.agent),
               agent.out_after                    ? fmt::format("out after {}", *agent.out_after)
               : agent.agent == report.stop->best ? "best"
                                                  : "in",
               !agent.less ? ReportCell(NoFigure{}) : ReportCell(shown_agent(report, *agent.less)),
               !agent.less ? ReportCell(NoFigure{}) : difference_cell(difference)};
  add_unseen(row, difference);
  row.cells.emplace_back(std::int64_t{agent.in});
  row.cells.push_back(whole(agent.out_after));
  row.cells.emplace_back(agent.method.value_or(""));
  return row;
}

}  // namespace

std::vector<ReportSection> stop_sections(const ReportEstimates& report) {
  if (!report.stop) return {};
  const StopState& stop = *report.stop;
  ReportSection section{.id = "stop", .title = "Stopping"};
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
       .apart = {{FigurePart::Item::value, "difference"},
                 {FigurePart::Item::interval, level + " anytime-valid CI", text::Align::left},
                 {FigurePart::Item::units, "n"}}}};
  add_unseen_columns(table);
  for (const char* metric : {"in", "out_after", "sequence"})
    table.columns.push_back(data_column(metric));
  section.remarks.emplace_back(kUnseen);
  for (const StopState::AgentState& agent : stop.agents)
    table.rows.push_back(stop_row(report, agent));
  section.tables.push_back(std::move(table));
  section.remarks.emplace_back(
      "These intervals reckon with a look after every block. All others of this report do not: "
      "they are for a number of blocks that was fixed beforehand, and a run that stopped because "
      "of what it saw shows them too narrow; --anytime gives differences to the reference that "
      "hold.");
  return {std::move(section)};
}

namespace {

/// A game as the sequence sees it: its bins in looks, each scenario at the same rate.
struct Ordered {
  std::map<std::string, std::vector<std::size_t>> of_scenario;  // bins, by name

  explicit Ordered(const GameResults& game) {
    std::map<std::string, std::set<std::pair<std::string, std::size_t>>> met;
    for (const ScoreUnit& unit : game.scores)
      met[game.treatments[unit.treatment].scenario].insert({game.bins[unit.bin].name, unit.bin});
    for (const auto& [scenario, bins] : met)
      for (const auto& [name, bin] : bins) of_scenario[scenario].push_back(bin);
  }
};

/// No more places on a curve than people can tell apart.
constexpr std::size_t kMostPlaces = 50;

/// What comes in look by look. Without bounds: intervals by betting hold where every bet was made
/// before its block was played, and a report does not know in which order blocks were.
struct Looks {
  stats::PairedLooks seen;
  std::vector<std::vector<stats::LookRow>> to_come;
};

Looks looks_of(const Results& results) {
  std::vector<Ordered> games;
  std::size_t looks = 0;
  for (const GameResults& game : results.games) {
    for (const auto& [scenario, bins] : games.emplace_back(game).of_scenario)
      looks = looks == 0 ? bins.size() : std::min(looks, bins.size());
  }
  stats::PairedLooks all(results.agents.size(), {results.games.size(), std::nullopt});
  std::vector<std::vector<stats::LookRow>> rows(looks);
  std::size_t cells = 0;
  const auto counted = static_cast<std::size_t>(counting(results.policy));
  for (std::size_t g = 0; g < results.games.size(); ++g) {
    const GameResults& game = results.games[g];
    std::vector<std::size_t> look_of(game.bins.size());
    for (const auto& [scenario, bins] : games[g].of_scenario)
      for (std::size_t i = 0; i < bins.size(); ++i) look_of[bins[i]] = i * looks / bins.size();
    for (const ScoreUnit& unit : game.scores) {
      if (!unit.present[counted]) continue;
      rows[look_of[unit.bin]].push_back({g, cells + unit.treatment * game.roles.size() + unit.role,
                                         unit.bin, unit.agent, unit.gain[counted],
                                         unit.pie[counted]});
    }
    cells += game.treatments.size() * game.roles.size();
    auto units =
        shared_units(game.bins.size(), [&](std::size_t bin) { return game.bins[bin].cluster; });
    if (!units.empty()) all.share(g, std::move(units));
  }
  return {std::move(all), std::move(rows)};
}

/// An agent's difference after some looks, evenly spread over all, the last among them.
using LookCourse = std::vector<std::pair<std::size_t, stats::AnytimeDifference>>;

/// By agent.
std::vector<LookCourse> courses_of(const ReportEstimates& report, std::size_t base) {
  const Results& results = report.results;
  Looks looks = looks_of(results);
  const std::size_t most = looks.to_come.size();
  std::vector<LookCourse> courses(results.agents.size());
  for (std::size_t look = 1; look <= most; ++look) {
    looks.seen.add(looks.to_come[look - 1]);
    if (look * kMostPlaces / most == (look - 1) * kMostPlaces / most) continue;
    for (std::size_t a = 0; a < courses.size(); ++a)
      if (a != base && !results.against_others.contains(results.agents[a]))
        courses[a].emplace_back(look, looks.seen.difference(a, base, report.options.level));
  }
  return courses;
}

}  // namespace

std::vector<ReportSection> anytime_sections(const ReportEstimates& report) {
  const Results& results = report.results;
  const std::string& reference = report.options.reference;
  const auto found = std::ranges::find(results.agents, reference);
  if (found == results.agents.end() || results.against_others.contains(reference)) return {};
  const auto base = static_cast<std::size_t>(found - results.agents.begin());
  const std::vector<LookCourse> courses = courses_of(report, base);
  ReportSection section{.id = "anytime", .title = "Anytime-valid differences"};
  section.explanation = fmt::format(
      "Score minus that of '{}', mean over games, with intervals that hold after every number of "
      "blocks at once: one may look at them as often as one likes, and stop when one likes. None "
      "under an effective number of {} blocks.",
      reference, stats::kFewestSequenceUnits);
  section.method = kMethod;
  ReportTable table;
  const std::string level = text::percent(report.options.level);
  table.columns = {
      agent_column(),
      {.header = "difference",
       .about = {.other = reference, .metric = "difference"},
       .apart = {{FigurePart::Item::value, "difference"},
                 {FigurePart::Item::interval, level + " anytime-valid CI", text::Align::left},
                 {FigurePart::Item::units, "n"}}},
      {.header = "method", .about = {.metric = "sequence"}}};
  add_unseen_columns(table);
  section.remarks.emplace_back(kUnseen);
  Sides sides;
  for (std::size_t a = 0; a < courses.size(); ++a) {
    if (courses[a].empty() || !courses[a].back().second.value) continue;
    const stats::AnytimeDifference& difference = courses[a].back().second;
    const std::string& agent = results.agents[a];
    sides.add(quoted(report, agent), difference.interval);
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = agent;
    out.cells = {shown_agent(report, agent), difference_cell(difference),
                 std::string(stats::name(difference.sequence))};
    add_unseen(out, difference);
    PlotSeries& series = section.series.emplace_back();
    series.name = agent;
    series.about = {.agent = agent, .other = reference, .metric = "difference_by_blocks"};
    series.x = {"blocks of the scenario with the fewest"};
    series.y = {"score minus that of " + reference};
    for (const auto& [look, then] : courses[a])
      series.points.push_back({static_cast<double>(look), difference_cell(then)});
  }
  if (table.rows.empty()) return {};
  section.tables = {std::move(table)};
  Plot plot{.name = "course",
            .title = "Differences block by block, with anytime-valid intervals.",
            .drawing = Drawing::curves,
            .line = 0};
  SideWords words = versus_reference(report);
  words.than += ", whenever one looks";
  words.from += ", whenever one looks";
  say_found(plot, sides.words(words));
  section.plots.push_back(std::move(plot));
  return {std::move(section)};
}

}  // namespace agon::report
