#include <map>
#include <set>
#include <string_view>

#include "plugin/catalogue.hpp"
#include "report/architectures.hpp"
#include "results/metric_range.hpp"
#include "stats/contrast_estimates.hpp"

namespace agon::report {
namespace {

std::optional<std::size_t> metric(const GameResults& game, std::string_view name) {
  for (std::size_t m = 0; m < game.seat_metrics; ++m)
    if (game.metrics[m].name == name) return m;
  return std::nullopt;
}

/// One rate of one game, by agent.
class Rate {
 public:
  Rate(const Results& results, const GameResults& game, const RateCard& rate)
      : results_(results), game_(game), rate_(rate) {}

  /// Nothing where the game's version lacks the metrics, or nobody has anything below the line.
  [[nodiscard]] std::optional<RateRow> row(const ReportOptions& options) {
    const auto above = metric(game_, rate_.above);
    const auto below = rate_.below.empty() ? above : metric(game_, rate_.below);
    if (!above || !below) return std::nullopt;
    RateRow row;
    row.game = game_.name;
    row.name = rate_.name;
    row.what = rate_.what;
    row.source = rate_.source;
    for (const RawMetrics& raw : game_.raw) {
      const Sum& sum = raw.metrics[*below];
      const double n = rate_.below.empty() ? sum.count : sum.total;
      if (n > 0) row.agents[results_.agents[raw.agent]].n = n;
    }
    if (row.agents.empty()) return std::nullopt;
    estimate(row, *above, *below, options);
    return row;
  }

 private:
  void estimate(RateRow& row, std::size_t above, std::size_t below, const ReportOptions& options) {
    const auto unit_name = [](const Bin& bin) {
      return bin.cluster.empty() ? "block " + bin.name : "item " + bin.cluster;
    };
    std::map<std::string, std::size_t> places;
    for (const Bin& bin : game_.bins) places.try_emplace(unit_name(bin), 0);
    std::size_t next = 0;
    for (auto& [name, place] : places) place = next++;

    struct Part {
      stats::Cell cell;
      std::set<std::size_t> bins;
      std::set<std::size_t> units;
    };
    std::map<std::string, Part> parts;
    for (const MetricUnit& unit : game_.metric_units) {
      const Sum& top = unit.metrics[above];
      const Sum& bottom = unit.metrics[below];
      const double under = rate_.below.empty() ? bottom.count : bottom.total;
      const std::string& agent = results_.agents[unit.agent];
      if (!row.agents.contains(agent) || bottom.count <= 0 || under <= 0) continue;
      Part& part = parts[agent];
      if (part.cell.terms.empty()) {
        part.cell.terms.resize(1);
        part.cell.terms[0].numerator.resize(places.size());
        part.cell.terms[0].denominator.resize(places.size());
      }
      const std::size_t place = places.at(unit_name(game_.bins[unit.bin]));
      part.cell.terms[0].numerator[place] += top.total;
      part.cell.terms[0].denominator[place] += under;
      part.bins.insert(unit.bin);
      part.units.insert(place);
    }
    // A mean of the metric above has that one's range; a ratio of counts is at least 0.
    stats::Range range;
    bool yes_no = false;
    const auto at_least_0 = [&](std::size_t m) { return game_.metrics[m].min.value_or(-1) >= 0; };
    if (rate_.below.empty()) {
      range = range_of(game_.metrics[above]);
      yes_no = yes_or_no(game_.metrics[above]);
    } else if (at_least_0(above) && at_least_0(below)) {
      range.low = 0;
    }
    stats::ContrastProblem problem;
    problem.units = {places.size()};
    for (auto& [agent, part] : parts) {
      part.cell.blocks = part.bins.size();
      part.cell.units = part.units.size();
      part.cell.range = range;
      part.cell.yes_or_no = yes_no;
      problem.cells.push_back(std::move(part.cell));
      problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
    }
    stats::IntervalOptions bootstrap;
    bootstrap.level = options.level;
    bootstrap.resamples = options.metric_resamples;
    bootstrap.seed = options.seed;
    const auto estimates = stats::ContrastEstimates(problem, bootstrap).estimates();
    std::size_t at = 0;
    for (const auto& [agent, part] : parts) row.agents[agent].rate = estimates[at++];
  }

  const Results& results_;
  const GameResults& game_;
  const RateCard& rate_;
};

}  // namespace

std::vector<GameRate> rates_of(const Catalogue& catalogue) {
  std::vector<GameRate> rates;
  for (const Game* game : catalogue.games())
    for (const RateCard& card : game->card.rates) rates.push_back({std::string(game->id), card});
  return rates;
}

std::vector<RateRow> make_rates(const Results& results, const ReportOptions& options) {
  std::vector<RateRow> rows;
  for (const GameResults& game : results.games)
    for (const GameRate& rate : options.rates) {
      if (rate.game != game.name) continue;
      if (auto row = Rate(results, game, rate.card).row(options)) rows.push_back(std::move(*row));
    }
  return rows;
}

}  // namespace agon::report
