#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "meta/meta.hpp"
#include "stats/estimate.hpp"

namespace agon::report {

/// What one seat got with one profile of choices, summed over matches.
struct MetaSum {
  double score = 0;
  double gain = 0;     ///< score minus zero
  double pie = 0;      ///< one minus zero
  double matches = 0;  ///< with a score
  double scaled = 0;   ///< of these, with a zero and a one
};

/// What was played on one draw of random numbers under one treatment.
struct MetaBlock {
  std::size_t unit = 0;
  std::size_t treatment = 0;
  /// By choices of all seats: sums by seat.
  std::map<std::vector<std::size_t>, std::vector<MetaSum>> sums;
};

/// The payoffs of a game on one scale: for every line-up and seat a mean over treatments, and over
/// seats that are alike, of ratios of sums over blocks.
class MetaPayoffs {
 public:
  /// `blocks` have choices by the game's numbers.
  MetaPayoffs(const MetaGame& game, const std::vector<MetaBlock>& blocks, std::size_t units,
              MetaScale scale);

  /// Whether every line-up and seat has a payoff.
  [[nodiscard]] bool complete() const;
  /// The largest value behind the payoffs.
  [[nodiscard]] double largest() const { return largest_; }
  [[nodiscard]] std::size_t units() const { return units_; }

  /// The payoff of `seat` as a cell of contrasts.
  [[nodiscard]] stats::StratumCell payoff(std::size_t line_up, std::size_t seat) const;
  /// Payoff of `to_seat` in line-up `to` minus that of `from_seat` in `from`, on blocks that both
  /// have.
  [[nodiscard]] stats::StratumCell difference(std::size_t from, std::size_t from_seat,
                                              std::size_t to, std::size_t to_seat) const;

  /// Payoffs of all line-ups and seats, one after another, when unit u is taken times[u] times; NaN
  /// where there is none.
  void evaluate(const std::vector<double>& times, std::vector<double>& payoffs) const;

 private:
  /// A block's part in a payoff: sums of block means.
  struct BlockTerm {
    std::size_t block = 0;
    std::size_t unit = 0;
    double numerator = 0;
    double denominator = 0;
  };
  /// By treatment and seat played.
  using Terms = std::map<std::pair<std::size_t, std::size_t>, std::vector<BlockTerm>>;

  [[nodiscard]] const Terms& terms(std::size_t line_up, std::size_t seat) const {
    return slots_[slot_[line_up * seats_ + seat]];
  }

  std::size_t seats_;
  std::size_t units_;
  stats::ValueBounds range_{};  ///< of every payoff
  double largest_ = 0;
  std::vector<std::size_t> slot_;  ///< [line-up][seat]: seats of one choice share one
  std::vector<Terms> slots_;
  std::vector<std::vector<stats::RatioTerm>> columns_;  ///< by slot: the sums of its terms
};

/// Fills line-ups and what is missing, from choices and blocks; and the solutions, on both scales
/// where they have one.
void solve(MetaGame& game, const std::vector<MetaBlock>& blocks, std::size_t units,
           const MetaReport& report);

/// All line-ups that the game needs.
[[nodiscard]] std::vector<MetaLineUp> line_ups_of(const MetaGame& game);

/// The most line-ups of a game, orders of seats counted.
inline constexpr std::size_t kMostLineUps = 4096;

}  // namespace agon::report
