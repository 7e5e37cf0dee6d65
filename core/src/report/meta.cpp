#include "report/meta.hpp"

#include <agon/error.hpp>
#include <agon/statistics.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/agent_levels.hpp"
#include "report/block_tally.hpp"
#include "report/collect.hpp"
#include "report/meta_base.hpp"
#include "report/suite_wishes.hpp"
#include "stats/resampling_dice.hpp"
#include "text/nearest.hpp"

namespace agon::report {
namespace {

/// What one block adds to one cell.
struct MetaSum {
  std::array<double, 2> score{};
  double matches = 0;
};

/// What one block adds to the cells.
struct MetaBlock {
  std::set<std::string> items;  ///< what its matches are about
  std::map<std::size_t, MetaSum> cells;
};

/// One matrix while it is read.
struct OpenMatrix {
  std::string scenario;
  std::set<std::string> treatments;
  MetaMatrix matrix;
  std::map<std::int64_t, MetaBlock> blocks;
  /// Cells by unit: a block, or all blocks about one item. Filled in once all is read.
  std::map<std::string, std::map<std::size_t, MetaSum>> units;
};

class MetaReader {
 public:
  MetaReader(const archive::Archive& archive, const std::string& factor, FaultPolicy policy,
             double level)
      : archive_(archive), agent_rows_(archive.agents()), scenarios_(archive.scenarios()) {
    report_.factor = factor;
    report_.policy = policy;
    report_.level = level;
  }

  MetaReport go() {
    read_agents();
    if (report_.policy == FaultPolicy::exclude) find_forced();
    archive_.matches({}, [&](std::int64_t, const archive::MatchRow& match) {
      if (match.ended == "finished") add(match);
      return true;
    });
    if (open_.empty()) refuse_nothing_fits();
    for (auto& [key, open] : open_) finish(open);
    return std::move(report_);
  }

 private:
  void read_agents() {
    std::set<std::string> known;
    for (const auto& [number, row] : agent_rows_) {
      for (const auto& [name, level] : all_levels_of(row)) known.insert(name);
      const auto agent = meta_agent(row, report_.factor);
      if (!agent) continue;
      agents_.emplace(number, *agent);
      auto& levels = levels_[agent->base];  // rows are in the order of the suite
      if (std::none_of(levels.begin(), levels.end(),
                       [&](const auto& at) { return at.first == agent->level; }))
        levels.emplace_back(agent->level, row.name);
    }
    if (!agents_.empty()) return;
    const std::vector<std::string> names(known.begin(), known.end());
    throw Error(ErrorKind::not_found,
                "no agent of the archive has a label or factor '" + report_.factor + "'" +
                    text::did_you_mean(report_.factor, names),
                archive_.path().string(),
                "write \"labels\": {\"" + report_.factor +
                    "\": \"use\"} into the agents of the suite, and run it again: what was played "
                    "stays");
  }

  /// Blocks that the policy `exclude` leaves out.
  void find_forced() {
    archive_.matches({}, [&](std::int64_t, const archive::MatchRow& match) {
      for (const archive::SeatRow& seat : match.seats)
        if (seat.forced > 0) forced_.emplace(match.key.scenario, match.key.block);
      return true;
    });
  }

  void add(const archive::MatchRow& match) {
    if (match.seats.size() != 2) {
      ++report_.other_seats;
      return;
    }
    const auto first = agents_.find(match.seats[0].agent);
    const auto second = agents_.find(match.seats[1].agent);
    if (first == agents_.end() || second == agents_.end()) {
      ++report_.unlabelled;
      return;
    }
    if (first->second.base != second->second.base) {
      ++report_.other_bases;
      return;
    }
    if (forced_.contains({match.key.scenario, match.key.block})) {
      ++report_.excluded;
      return;
    }
    OpenMatrix& open = matrix(match, first->second.base);
    const std::size_t cell =
        level(open, first->second) * open.matrix.levels.size() + level(open, second->second);
    std::array<double, 2> score{};
    for (std::size_t s = 0; s < 2; ++s) {
      const archive::SeatRow& seat = match.seats[s];
      const bool forfeits = report_.policy == FaultPolicy::forfeit;
      score[s] = (forfeits ? forfeited(seat) : seat.score) / scale(open.matrix.decimals);
    }
    if (!std::isfinite(score[0]) || !std::isfinite(score[1])) return;
    MetaBlock& block = open.blocks[match.key.block];
    if (!match.cluster.empty()) block.items.insert(match.cluster);
    MetaSum& sum = block.cells[cell];
    for (std::size_t s = 0; s < 2; ++s) sum.score[s] += score[s];
    sum.matches += 1;
  }

  static double scale(int decimals) {
    double all = 1;
    for (int i = 0; i < decimals; ++i) all *= 10;
    return all;
  }

  OpenMatrix& matrix(const archive::MatchRow& match, const std::string& base) {
    const archive::ScenarioRow& scenario = archive_.row(scenarios_, match.key.scenario);
    const std::size_t order = order_.try_emplace(scenario.name, order_.size()).first->second;
    const auto [at, added] = open_.try_emplace({order, base});
    OpenMatrix& open = at->second;
    open.treatments.insert(scenario.treatment);
    if (!added) return open;
    open.scenario = scenario.name;
    const auto games = archive_.games();
    const archive::GameRow& game = archive_.row(games, scenario.game);
    open.matrix.game = game.name;
    open.matrix.decimals = game.score_decimals;
    open.matrix.base = base;
    for (std::size_t s = 0; s < 2; ++s) open.matrix.seats[s] = match.seats[s].name;
    for (const auto& [level, agent] : levels_.at(base)) {
      open.matrix.levels.push_back(level);
      open.matrix.agents.push_back(agent);
    }
    return open;
  }

  static std::size_t level(const OpenMatrix& open, const MetaAgent& agent) {
    const auto& levels = open.matrix.levels;
    return static_cast<std::size_t>(std::find(levels.begin(), levels.end(), agent.level) -
                                    levels.begin());
  }

  [[noreturn]] void refuse_nothing_fits() const {
    if (report_.excluded > 0)
      throw Error(ErrorKind::not_found,
                  "every match that fits stands in a block with a forced answer, which the fault "
                  "policy 'exclude' leaves out",
                  archive_.path().string(), "name another policy with --policy");
    std::string list;
    for (const auto& [base, levels] : levels_)
      for (const auto& [level, agent] : levels)
        list += (list.empty() ? "'" : ", '") + agent + "' (" + level + ")";
    throw Error(ErrorKind::not_found,
                "no finished match of two players has an agent of the same base with a level of '" +
                    report_.factor + "' on either seat",
                archive_.path().string(), "play these against each other and themselves: " + list);
  }

  void finish(OpenMatrix& open) {
    MetaMatrix& matrix = open.matrix;
    matrix.treatments = open.treatments.size();
    matrix.label = matrix.treatments == 1 ? treatment_words(open.scenario, *open.treatments.begin())
                                          : open.scenario;
    const std::size_t count = matrix.levels.size() * matrix.levels.size();
    for (const auto& [number, block] : open.blocks) {
      // A sequence over several items is a unit by itself.
      auto& unit = open.units[block.items.size() == 1 ? "item " + *block.items.begin()
                                                      : "block " + std::to_string(number)];
      for (const auto& [cell, sum] : block.cells) {
        for (std::size_t s = 0; s < 2; ++s) unit[cell].score[s] += sum.score[s];
        unit[cell].matches += sum.matches;
      }
    }
    std::vector<std::array<Sample, 2>> samples(count);
    matrix.cells.resize(count);
    for (const auto& [unit, cells] : open.units) {
      for (const auto& [cell, sum] : cells) {
        for (std::size_t s = 0; s < 2; ++s) samples[cell][s].add(unit, sum.score[s], sum.matches);
        ++matrix.cells[cell].blocks;
      }
    }
    for (std::size_t c = 0; c < count; ++c)
      for (std::size_t s = 0; s < 2; ++s)
        matrix.cells[c].score[s] = samples[c][s].mean(report_.level);
    solve(matrix);
    if (matrix.missing.empty() && open.units.size() > 1) resample(open);
    report_.matrices.push_back(std::move(matrix));
  }

  /// How often each pure equilibrium of the means is one when the units are drawn again.
  void resample(OpenMatrix& open) const {
    MetaMatrix& matrix = open.matrix;
    if (matrix.pure.empty()) return;
    const std::size_t k = matrix.levels.size();
    std::vector<const std::map<std::size_t, MetaSum>*> units;
    for (const auto& [unit, cells] : open.units) units.push_back(&cells);
    std::vector<std::size_t> held(matrix.pure.size(), 0);
    std::size_t counted = 0;
    for (std::size_t b = 0; b < report_.resamples; ++b) {
      stats::ResamplingDice dice(seed, b);
      std::vector<MetaSum> sums(k * k);
      for (std::size_t i = 0; i < units.size(); ++i) {
        for (const auto& [cell, sum] : *units[dice.below(units.size())]) {
          for (std::size_t s = 0; s < 2; ++s) sums[cell].score[s] += sum.score[s];
          sums[cell].matches += sum.matches;
        }
      }
      if (std::any_of(sums.begin(), sums.end(), [](const MetaSum& s) { return s.matches == 0; }))
        continue;
      ++counted;
      std::vector<double> payoffs;
      for (const MetaSum& sum : sums)
        for (std::size_t s = 0; s < 2; ++s) payoffs.push_back(sum.score[s] / sum.matches);
      const auto found = theory::pure_equilibria(theory::MatrixGame({k, k}, std::move(payoffs)));
      for (std::size_t e = 0; e < held.size(); ++e) {
        const std::size_t profile = matrix.pure[e].row * k + matrix.pure[e].column;
        held[e] += std::binary_search(found.begin(), found.end(), profile) ? 1 : 0;
      }
    }
    if (counted == 0) return;
    for (std::size_t e = 0; e < held.size(); ++e)
      matrix.pure[e].stability = static_cast<double>(held[e]) / static_cast<double>(counted);
  }

  static constexpr std::uint64_t seed = 20261121;

  const archive::Archive& archive_;
  std::map<std::int64_t, archive::AgentRow> agent_rows_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, MetaAgent> agents_;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> levels_;  // by base
  std::set<std::pair<std::int64_t, std::int64_t>> forced_;          // scenario, block
  std::map<std::string, std::size_t> order_;                        // of scenarios, by name
  std::map<std::pair<std::size_t, std::string>, OpenMatrix> open_;  // by order and base
  MetaReport report_;
};

}  // namespace

MetaReport make_meta(const archive::Archive& archive, const std::string& factor, FaultPolicy policy,
                     double level) {
  return MetaReader(archive, factor, policy, level).go();
}

MetaReport meta_of(const std::string& path, const std::string& factor, const Choice& choice) {
  const archive::Archive archive = archive::Archive::open(path);
  const SuiteWishes suite = suite_wishes(archive);
  return make_meta(archive, factor, policy_of(choice.policy, suite, path), suite.level);
}

}  // namespace agon::report
