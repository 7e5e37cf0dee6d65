#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

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

}  // namespace agon::stats
