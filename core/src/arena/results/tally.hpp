#pragma once

#include <array>
#include <boost/container/flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/results.hpp"

namespace agon::report {

/// Which bins belong together because their blocks share an item, directly or through others.
class Clusters {
 public:
  /// Says that a bin's blocks are about this item.
  void link(std::size_t bin, const std::string& item) {
    const auto [at, added] = items_.try_emplace(item, parent_.size());
    if (added) {
      parent_.push_back(at->second);
      names_.push_back(item);
    }
    if (bin >= bins_.size()) bins_.resize(bin + 1, none);
    if (bins_[bin] == none) {
      bins_[bin] = at->second;
      return;
    }
    const std::size_t a = root(bins_[bin]);
    const std::size_t b = root(at->second);
    // The name that sorts first stands for all, so that the order of matches does not matter.
    if (names_[a] <= names_[b])
      parent_[b] = a;
    else
      parent_[a] = b;
  }

  /// The name of a bin's cluster; empty if it has none.
  [[nodiscard]] std::string name(std::size_t bin) const {
    if (bin >= bins_.size() || bins_[bin] == none) return {};
    return names_[root(bins_[bin])];
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  [[nodiscard]] std::size_t root(std::size_t at) const {
    while (parent_[at] != at) at = parent_[at];
    return at;
  }

  std::map<std::string, std::size_t> items_;
  std::vector<std::size_t> parent_;
  std::vector<std::string> names_;
  std::vector<std::size_t> bins_;
};

/// The first bin of what each bin belongs to, as numbers of units; empty where bins share nothing.
/// `item_of(bin)`: what it is about, empty for itself.
template <class ItemOf>
[[nodiscard]] std::vector<std::size_t> shared_units(std::size_t bins, ItemOf item_of) {
  std::map<std::string, std::size_t> units;
  std::vector<std::size_t> unit_of;
  bool shared = false;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const std::string item = item_of(bin);
    unit_of.push_back(item.empty() ? bin : units.try_emplace(item, bin).first->second);
    shared = shared || unit_of.back() != bin;
  }
  return shared ? unit_of : std::vector<std::size_t>{};
}

/// A finished match whose agents, roles and metrics are numbered as the tally wants them.
struct NumberedMatch {
  struct NumberedSeat {
    std::size_t agent = 0;
    std::size_t role = 0;
    bool counted = false;  ///< for scores and metrics
  };
  const archive::MatchRow* row = nullptr;
  std::vector<NumberedSeat> seats;
  double stake = 1;                                         ///< gains and pies are shares of it
  const std::vector<std::size_t>* seat_metrics = nullptr;   ///< places in GameResults::metrics
  const std::vector<std::size_t>* match_metrics = nullptr;  ///< places in GameResults::metrics
};

/// A match that is not there, or that the game broke: who would have counted on which seat.
struct MissingSeat {
  std::size_t agent = 0;
  std::size_t seat = 0;
};

/// The role of a seat and the mean of its pies, from finished matches.
struct SeatScale {
  std::size_t role = 0;
  BlockSum pie;
};

/// The learning sequences of one block under one treatment.
class SequenceTally {
 public:
  SequenceTally(FaultPolicy policy, std::size_t length) : policy_(policy), length_(length) {}

  /// Adds a finished match at its position.
  void add(const NumberedMatch& match);

  /// Block means of every agent that has the same number of seats at each position: that played
  /// all its sequences to the end.
  [[nodiscard]] std::vector<PositionUnit> units() const;

 private:
  struct PositionSums {
    double rank = 0;
    double gain = 0;
    double pie = 0;
    double count = 0;
    bool scaled = true;
  };
  FaultPolicy policy_;
  std::size_t length_;
  std::map<std::size_t, std::map<std::size_t, PositionSums>> agents_;  // by position
};

/// The matches of one block under one treatment, summed until the block is complete.
class BlockTally {
 public:
  /// In order, as everywhere where numbers are summed; of few entries, many times.
  template <class By, class Value>
  using Map = boost::container::flat_map<By, Value>;

  BlockTally(FaultPolicy policy, std::size_t metrics) : policy_(policy), metrics_(metrics) {}

  /// Adds a finished match.
  void add(const NumberedMatch& match);
  /// Adds a seat of a missing match. `scale` is that of the whole treatment, used where the block
  /// itself says nothing of the seat; false if there is none at all.
  bool add_missing(const MissingSeat& missing, const std::vector<SeatScale>* scale);

  [[nodiscard]] bool forced() const { return forced_; }
  [[nodiscard]] bool empty() const { return seats_.empty() && pairs_.empty() && orders_.empty(); }
  /// True if the chosen policy leaves the block out.
  [[nodiscard]] bool left_out() const { return forced_ && policy_ == FaultPolicy::exclude; }

  /// (role, agent) of everybody in the block, with what they got in it: block means.
  [[nodiscard]] std::vector<ScoreUnit> scores() const;
  /// The same for metrics; empty if the block is left out.
  [[nodiscard]] std::vector<MetricUnit> metrics() const;
  /// Adds the seats' own metrics, match by match, by agent.
  void add_raw_to(std::map<std::size_t, RawMetrics>& agents, std::size_t seat_metrics) const;

  struct PairSums {
    BlockSum difference;
    PairCounts counts;
  };
  /// By pair of agents (smaller first).
  [[nodiscard]] const Map<std::pair<std::size_t, std::size_t>, PairSums>& pairs() const {
    return pairs_;
  }
  /// (agent, rank with the sign changed) by seat, for every match of two or more seats.
  using Order = std::vector<std::pair<std::size_t, double>>;
  [[nodiscard]] const std::vector<Order>& orders() const { return orders_; }

 private:
  /// Sums over the matches that an agent played on a seat.
  struct SeatSums {
    double gain = 0;          ///< as played
    double gain_forfeit = 0;  ///< with forced answers at zero or below
    double pie = 0;
    double count = 0;
    double missing_pie = 0;
    double missing = 0;
    std::vector<BlockSum> metrics;
    /// Gains under the policy by number of the tables_, then by repeat: a learning sequence that is
    /// played again is one draw, whatever its positions.
    Map<std::size_t, Map<std::int64_t, BlockSum>> again;
  };
  /// What repeats alone add to the variance of a seat's mean gain.
  struct RepeatSpread {
    double variance = 0;
    std::int64_t repeats = 0;  ///< the fewest of a table
  };
  using SeatKey = std::tuple<std::size_t, std::size_t, std::size_t>;  // role, agent, seat

  void add_meetings(const NumberedMatch& match);
  [[nodiscard]] static RepeatSpread repeat_spread(const SeatSums& seat);
  /// The gain under the policy.
  [[nodiscard]] double chosen(const SeatSums& seat) const {
    return policy_ == FaultPolicy::forfeit ? seat.gain_forfeit : seat.gain;
  }

  FaultPolicy policy_;
  std::size_t metrics_;
  bool forced_ = false;
  Map<SeatKey, SeatSums> seats_;
  /// Line-ups and their assignments, numbered: only what is played again at the same table differs
  /// by nothing but chance.
  Map<std::pair<std::string, std::int64_t>, std::size_t> tables_;
  Map<std::size_t, SeatScale> scale_;  // by seat
  Map<std::pair<std::size_t, std::size_t>, PairSums> pairs_;
  std::vector<Order> orders_;
};

/// One game while it is collected. Agents are numbers of agent rows until the end.
struct GameTally {
  GameResults results;
  std::map<std::string, std::size_t> roles;
  std::map<std::string, std::size_t> bins;
  Clusters clusters;
  std::map<std::string, std::size_t> metric_places;  // "s:" or "m:" and the name
  std::map<std::array<std::size_t, 4>, ScoreUnit> scores;
  std::map<std::array<std::size_t, 4>, MetricUnit> metrics;
  std::map<std::array<std::size_t, 4>, PairUnit> pairs;
  std::map<std::array<std::size_t, 4>, PositionUnit> positions;
  std::map<std::size_t, RawMetrics> raw;  // by agent
  /// Who finished matches, and in which of results.treatments.
  std::map<std::size_t, std::set<std::size_t>> agents;
  std::vector<std::size_t> ranking_bins;
  std::vector<bool> item_metric;  // by metric: so far it repeats the cluster
  std::set<std::pair<std::int64_t, std::string>> versions;
  std::set<std::string> scenario_blocks;
  std::int64_t matches_ahead = 0;

  /// Place of a metric in results.metrics; added if it is new. `kind` keeps a seat's metrics apart
  /// from the match's.
  std::size_t metric_place(const std::string& kind, const archive::Metric& metric) {
    const auto [at, added] = metric_places.try_emplace(kind + metric.name, results.metrics.size());
    if (added) results.metrics.push_back(metric);
    return at->second;
  }

  /// Place of a role in results.roles; added if it is new.
  std::size_t role(const std::string& name) {
    const auto [at, added] = roles.try_emplace(name, roles.size());
    if (added) results.roles.push_back(name);
    return at->second;
  }
};

/// The game's results, with agents as places in Results::agents: `names` by number of the agent's
/// row, `places` by name.
[[nodiscard]] GameResults close(GameTally& game, const std::map<std::size_t, std::string>& names,
                                const std::map<std::string, std::size_t>& places);

}  // namespace agon::report
