#pragma once

#include <boost/container/flat_map.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "results/results.hpp"

namespace agon::report {

/// A finished match whose agents, roles and metrics are numbered as the tally wants them.
struct NumberedMatch {
  struct Seat {
    std::size_t agent = 0;
    std::size_t role = 0;
    bool counted = false;  ///< for scores and metrics
  };
  const archive::MatchRow* row = nullptr;
  std::vector<Seat> seats;
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
  Sum pie;
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
  struct Seats {
    double rank = 0;
    double gain = 0;
    double pie = 0;
    double count = 0;
    bool scaled = true;
  };
  FaultPolicy policy_;
  std::size_t length_;
  std::map<std::size_t, std::map<std::size_t, Seats>> agents_;  // by position
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

  struct Pair {
    Sum difference;
    PairCounts counts;
  };
  /// By pair of agents (smaller first).
  [[nodiscard]] const Map<std::pair<std::size_t, std::size_t>, Pair>& pairs() const {
    return pairs_;
  }
  /// (agent, rank with the sign changed) by seat, for every match of two or more seats.
  using Order = std::vector<std::pair<std::size_t, double>>;
  [[nodiscard]] const std::vector<Order>& orders() const { return orders_; }

 private:
  /// Sums over the matches that an agent played on a seat.
  struct Seat {
    double gain = 0;          ///< as played
    double gain_forfeit = 0;  ///< with forced answers at zero or below
    double pie = 0;
    double count = 0;
    double missing_pie = 0;
    double missing = 0;
    std::vector<Sum> metrics;
    /// Gains under the policy by number of the tables_, then by repeat: a learning sequence that is
    /// played again is one draw, whatever its positions.
    Map<std::size_t, Map<std::int64_t, Sum>> again;
  };
  /// What repeats alone add to the variance of a seat's mean gain.
  struct RepeatSpread {
    double variance = 0;
    std::int64_t repeats = 0;  ///< the fewest of a table
  };
  using Key = std::tuple<std::size_t, std::size_t, std::size_t>;  // role, agent, seat

  void add_meetings(const NumberedMatch& match);
  [[nodiscard]] static RepeatSpread repeat_spread(const Seat& seat);
  /// The gain under the policy.
  [[nodiscard]] double chosen(const Seat& seat) const {
    return policy_ == FaultPolicy::forfeit ? seat.gain_forfeit : seat.gain;
  }

  FaultPolicy policy_;
  std::size_t metrics_;
  bool forced_ = false;
  Map<Key, Seat> seats_;
  /// Line-ups and their assignments, numbered: only what is played again at the same table differs
  /// by nothing but chance.
  Map<std::pair<std::string, std::int64_t>, std::size_t> tables_;
  Map<std::size_t, SeatScale> scale_;  // by seat
  Map<std::pair<std::size_t, std::size_t>, Pair> pairs_;
  std::vector<Order> orders_;
};

}  // namespace agon::report
