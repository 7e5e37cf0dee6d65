#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "plugin/catalogue.hpp"
#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"

namespace agon::report {
namespace {

/// A rate that a paper reports, by agent: a sum over a sum, over all its counted seats.
struct RateRow {
  const GameResults* game;
  const RateCard* card;
  std::map<std::string, Estimated> agents;  ///< `out_of`: the sum below the line

  [[nodiscard]] bool zero_for_all() const {
    return std::ranges::all_of(
        agents, [](const auto& agent) { return agent.second.estimate.value.value_or(0) == 0; });
  }
};

std::optional<std::size_t> metric(const GameResults& game, std::string_view name) {
  for (std::size_t m = 0; m < game.seat_metrics; ++m)
    if (game.metrics[m].name == name) return m;
  return std::nullopt;
}

/// Estimates the rates of all agents in a row, from metrics above and below the line.
void estimate(RateRow& row, std::size_t above, std::size_t below, const ReportEstimates& report) {
  const GameResults& game = *row.game;
  const bool is_mean = row.card->below.empty();
  const Units units = units_of(game);
  std::map<std::string, MeanCell> parts;
  for (const MetricUnit& unit : game.metric_units) {
    const BlockSum& top = unit.metrics[above];
    const BlockSum& bottom = unit.metrics[below];
    const double under = is_mean ? bottom.count : bottom.total;
    const std::string& agent = report.results.agents[unit.agent];
    if (!row.agents.contains(agent) || bottom.count <= 0 || under <= 0) continue;
    parts.try_emplace(agent, units).first->second.add(0, unit.bin, {top.total, under});
  }
  // A mean of the metric above has that one's range; a ratio of counts is at least 0.
  stats::ValueBounds range;
  const auto at_least_0 = [&](std::size_t m) { return game.metrics[m].min.value_or(-1) >= 0; };
  if (is_mean)
    range = range_of(game.metrics[above]);
  else if (at_least_0(above) && at_least_0(below))
    range.low = 0;
  std::vector<stats::StratumCell> cells;
  for (const auto& [agent, part] : parts) {
    stats::StratumCell& cell = cells.emplace_back(part.cell());
    cell.range = range;
    cell.yes_or_no = is_mean && yes_or_no(game.metrics[above]);
  }
  const auto estimates = estimates_of(units.count, std::move(cells),
                                      report.options.intervals(report.options.metric_resamples));
  std::size_t at = 0;
  for (const auto& [agent, part] : parts) row.agents[agent].estimate = estimates[at++];
}

/// Nothing where the game's version lacks the metrics, or nobody has anything below the line.
std::optional<RateRow> row_of(const GameResults& game, const RateCard& card,
                              const ReportEstimates& report) {
  const auto above = metric(game, card.above);
  const auto below = card.below.empty() ? above : metric(game, card.below);
  if (!above || !below) return std::nullopt;
  RateRow row{&game, &card, {}};
  for (const RawMetrics& raw : game.raw) {
    const BlockSum& sum = raw.metrics[*below];
    const double n = card.below.empty() ? sum.count : sum.total;
    if (n > 0) row.agents[report.results.agents[raw.agent]].out_of = n;
  }
  if (row.agents.empty()) return std::nullopt;
  estimate(row, *above, *below, report);
  return row;
}

/// The rates of one game, a line an agent.
ReportTable rates_table(const ReportEstimates& report, const std::vector<RateRow>& rows, bool all) {
  const std::string& game = rows.front().game->name;
  ReportTable table{.title = game, .about = {.game = game}, .fixed = 1};
  table.columns = {agent_column(game)};
  std::set<std::string> agents;
  for (const RateRow& row : rows) {
    const std::string name(row.card->name);
    table.columns.push_back(
        {.header = name,
         .about = {.metric = name,
                   .text =
                       std::string(row.card->what) + " (" + std::string(row.card->source) + ")"},
         .where = all || !row.zero_for_all() ? Where::everywhere : Where::data});
    for (const auto& [agent, rate] : row.agents) agents.insert(agent);
  }
  for (const std::string& agent : agents) {
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = agent;
    out.cells = {shown_agent(report, agent)};
    for (const RateRow& row : rows) {
      const auto at = row.agents.find(agent);
      out.cells.push_back(at == row.agents.end() ? ReportCell(NoFigure{}) : at->second);
    }
  }
  return table;
}

ReportSection rates_section(const ReportEstimates& report,
                            const std::vector<std::vector<RateRow>>& games, bool all) {
  ReportSection section{.id = "rates", .title = "Rates of the papers"};
  section.explanation =
      "A sum over a sum, over all seats of the agent; interval over blocks; n: the sum below the "
      "line.";
  section.method = stats::interval_method;
  section.where = Where::data;
  for (const std::vector<RateRow>& rows : games) {
    section.tables.push_back(rates_table(report, rows, all));
    for (const RateRow& row : rows) {
      if (!all && row.zero_for_all()) continue;
      section.where = Where::everywhere;
      const RateCard& card = *row.card;
      if (!card.what.empty() || !card.source.empty())
        section.remarks.push_back(
            fmt::format("{}{}{}{}.", card.name, card.what.empty() ? "" : ": ", card.what,
                        card.source.empty() ? "" : fmt::format(" ({})", card.source)));
    }
  }
  return section;
}

}  // namespace

std::vector<GameRate> rates_of(const Catalogue& catalogue) {
  std::vector<GameRate> rates;
  for (const Game* game : catalogue.all<Game>())
    for (const RateCard& card : game->card.rates) rates.push_back({std::string(game->id), card});
  return rates;
}

std::vector<ReportSection> rate_sections(const ReportEstimates& report) {
  std::vector<std::vector<RateRow>> games;
  for (const GameResults& game : report.results.games) {
    std::vector<RateRow> rows;
    for (const GameRate& rate : report.options.rates)
      if (rate.game == game.name)
        if (auto row = row_of(game, rate.card, report)) rows.push_back(std::move(*row));
    if (!rows.empty()) games.push_back(std::move(rows));
  }
  if (games.empty()) return {};
  return {rates_section(report, games, true), rates_section(report, games, false)};
}

}  // namespace agon::report
