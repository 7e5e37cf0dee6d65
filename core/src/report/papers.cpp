#include <array>
#include <map>
#include <set>
#include <string_view>

#include "report/architectures.hpp"
#include "stats/bootstrap.hpp"

namespace agon::report {
namespace {

/// A rate that a paper reports, made of metrics of a game's seats.
struct PaperRate {
  std::string_view game;
  std::string_view name;
  std::string_view above;  ///< metric summed above the line
  std::string_view below;  ///< metric summed below it; empty: the seats that have the other
  std::string_view what;
  std::string_view source;
};

constexpr std::string_view auctions = "Chen et al. 2023, section 4";
constexpr std::string_view deals = "Hua et al. 2024, section 5.5";

constexpr std::array<PaperRate, 8> rates{{
    {"english-auction", "CFR of bids", "failed_bids", "total_bids",
     "answers to the question for a bid that were turned down; n: answers", auctions},
    {"english-auction", "CFR of beliefs, self", "belief_self_errors", "belief_self_total",
     "wrong figures about itself; n: figures checked", auctions},
    {"english-auction", "CFR of beliefs, others", "belief_others_errors", "belief_others_total",
     "wrong figures about the others; n: figures checked", auctions},
    {"deal-or-no-deal", "valuation precision", "belief_precision", "",
     "last reports that hold the other's true values; n: seats that reported", deals},
    {"deal-or-no-deal", "valuation recall", "belief_recall", "",
     "1 / size of a last report that holds them, else 0; n: seats that reported", deals},
    {"deal-or-no-deal", "valuation reduction", "belief_reduction", "",
     "share of the possible values that the last report rules out; n: seats that reported", deals},
    {"deal-or-no-deal", "valuation precision, alike", "belief_precision_alike", "",
     "precision up to values with the same best splits; n: seats that reported", deals},
    {"deal-or-no-deal", "valuation recall, alike", "belief_recall_alike", "",
     "recall up to values with the same best splits; n: seats that reported", deals},
}};

std::optional<std::size_t> metric(const GameResults& game, std::string_view name) {
  for (std::size_t m = 0; m < game.seat_metrics; ++m)
    if (game.metrics[m].name == name) return m;
  return std::nullopt;
}

/// One rate of one game, by agent.
class Rate {
 public:
  Rate(const Results& results, const GameResults& game, const PaperRate& rate)
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
    stats::BootstrapProblem problem;
    problem.units = {places.size()};
    for (auto& [agent, part] : parts) {
      part.cell.blocks = part.bins.size();
      part.cell.units = part.units.size();
      problem.cells.push_back(std::move(part.cell));
      problem.contrasts.push_back({{problem.cells.size() - 1, 1.0}});
    }
    stats::BootstrapOptions bootstrap;
    bootstrap.level = options.level;
    bootstrap.resamples = options.metric_resamples;
    bootstrap.seed = options.seed;
    const auto estimates = stats::StudentisedBootstrap(problem, bootstrap).estimates();
    std::size_t at = 0;
    for (const auto& [agent, part] : parts) row.agents[agent].rate = estimates[at++];
  }

  const Results& results_;
  const GameResults& game_;
  const PaperRate& rate_;
};

}  // namespace

std::vector<RateRow> make_rates(const Results& results, const ReportOptions& options) {
  std::vector<RateRow> rows;
  for (const GameResults& game : results.games)
    for (const PaperRate& rate : rates) {
      if (rate.game != game.name) continue;
      if (auto row = Rate(results, game, rate).row(options)) rows.push_back(std::move(*row));
    }
  return rows;
}

std::vector<PlanRow> make_plans(const Results& results) {
  std::vector<PlanRow> rows;
  for (const GameResults& game : results.games)
    for (const PlanPairs& pairs : game.plans)
      for (const bool current : {false, true}) {
        const PlanPairs::Items& items = current ? pairs.current : pairs.initial;
        if (items.priority.empty()) continue;
        PlanRow& row = rows.emplace_back();
        row.game = game.name;
        row.agent = results.agents[pairs.agent];
        row.current = current;
        row.bids = stats::spearman(items.priority, items.bids);
        row.wins = stats::spearman(items.priority, items.won);
        row.n = items.priority.size();
        row.all = pairs.all;
      }
  return rows;
}

}  // namespace agon::report
