#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace agon::stats {

/// The random numbers of resampling. A counter-based stream: number k of a stream is a hash of the
/// stream's key and k, so that streams never depend on each other, on the order in which they are
/// used, on the number of threads or on the machine. The hash is the finaliser of SplitMix64
/// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class ResamplingDice {
 public:
  /// One stream per (seed, stream). Resample number b uses stream b.
  constexpr explicit ResamplingDice(std::uint64_t seed, std::uint64_t stream = 0)
      : key_(finalise(finalise(seed + golden) ^ (stream * golden + 1))) {}

  /// The next 64 uniform bits.
  constexpr std::uint64_t next() { return finalise(key_ + golden * ++count_); }

  /// Uniform over 0, 1, ..., n-1, without bias; n must be positive. Multiplication with rejection:
  /// Lemire, "Fast random integer generation in an interval", ACM TOMACS 29 (2019), algorithm 5.
  constexpr std::uint64_t below(std::uint64_t n) {
    auto [high, low] = multiply(next(), n);
    if (low < n) {
      const std::uint64_t threshold = (0 - n) % n;
      while (low < threshold) {
        const auto again = multiply(next(), n);
        high = again.first;
        low = again.second;
      }
    }
    return high;
  }

  /// Uniform on the open interval (0, 1): the midpoints of 2^53 equal cells.
  constexpr double unit() { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }

  /// Puts `items` into a uniformly random order (Fisher and Yates).
  template <typename T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      const auto j = static_cast<std::size_t>(below(i));
      std::swap(items[i - 1], items[j]);
    }
  }

 private:
  static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;

  static constexpr std::uint64_t finalise(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }

  /// The 128-bit product of a and b as (high, low), from 32-bit halves: no compiler extension.
  static constexpr std::pair<std::uint64_t, std::uint64_t> multiply(std::uint64_t a,
                                                                    std::uint64_t b) {
    const std::uint64_t mask = 0xffffffffULL;
    const std::uint64_t low = (a & mask) * (b & mask);
    const std::uint64_t first = (a >> 32) * (b & mask) + (low >> 32);
    const std::uint64_t second = (a & mask) * (b >> 32) + (first & mask);
    return {(a >> 32) * (b >> 32) + (first >> 32) + (second >> 32), a * b};
  }

  std::uint64_t key_;
  std::uint64_t count_ = 0;
};

/// One seat's end of a match. Higher scores are better; equal scores are ties.
struct SeatResult {
  std::string agent;
  double score = 0;
};

/// One finished match, for the estimators that work on who beat whom.
struct MatchRanking {
  std::string game;
  std::string block;
  std::string cluster;  ///< what blocks may share, such as an item; empty: the block is by itself
  std::vector<SeatResult> seats;
};

/// Matches sorted into the units of resampling: a game's clusters of blocks. The order of units
/// follows their names, so that the order of the matches given never matters to which are drawn.
class MatchUnits {
 public:
  /// One independent unit.
  struct MatchUnit {
    std::vector<std::size_t> blocks;  ///< places in blocks()
  };
  /// One block of matches, in the order given.
  struct MatchBlock {
    std::size_t game = 0;              ///< place in games()
    std::size_t unit = 0;              ///< place in units()
    std::vector<std::size_t> matches;  ///< places in the matches given
  };

  /// How much there is of one agent.
  struct Presence {
    std::size_t blocks = 0;     ///< blocks with a match of it
    std::size_t units = 0;      ///< units with a match of it
    std::size_t fewest = 0;     ///< such units of that of its games which has fewest
    std::size_t component = 0;  ///< agents of one component are linked by matches
  };

  /// Throws agon::Error for a score that is not finite and for a block in two clusters.
  explicit MatchUnits(std::span<const MatchRanking> matches);

  [[nodiscard]] const std::vector<std::string>& agents() const { return agents_; }
  [[nodiscard]] const std::vector<std::string>& games() const { return games_; }
  [[nodiscard]] const std::vector<MatchUnit>& units() const { return units_; }
  [[nodiscard]] const std::vector<MatchBlock>& blocks() const { return blocks_; }
  /// By place in agents(). Components are numbered in the order of their first agent.
  [[nodiscard]] const std::vector<Presence>& presence() const { return presence_; }
  /// How many groups of agents there are that no match links; 1 is connected.
  [[nodiscard]] std::size_t components() const;
  /// Place of an agent in agents(). Throws Error (not_found) for one that has no match, as only a
  /// reference that somebody names can have none.
  [[nodiscard]] std::size_t agent_index(const std::string& name) const;

  /// How often each unit is taken when, game by game, as many units are drawn with replacement as
  /// there are.
  void draw(ResamplingDice& dice, std::vector<std::size_t>& times) const;

 private:
  std::vector<std::string> agents_;
  std::vector<std::string> games_;
  std::vector<std::size_t> first_unit_;
  std::vector<MatchUnit> units_;
  std::vector<MatchBlock> blocks_;
  std::vector<Presence> presence_;

  void count_agents(std::span<const MatchRanking> matches);
  void link_agents(std::span<const MatchRanking> matches);
};

/// Places of agents in groups that finished level, best first.
using Groups = std::vector<std::vector<std::size_t>>;

/// The agents of a match in groups of equal score; an agent in several seats is named as often.
[[nodiscard]] Groups finishing_groups(const MatchRanking& match, const MatchUnits& sorted);

/// Whether every seat has the same agent, so that nobody is compared.
[[nodiscard]] bool one_agent_only(const MatchRanking& match);

}  // namespace agon::stats
