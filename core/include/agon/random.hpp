#pragma once

#include <agon/export.hpp>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace agon {

/// The 128 bits of a product.
struct Product {
  std::uint64_t high;  ///< the upper 64 of them
  std::uint64_t low;   ///< the lower 64
};
/// The whole product of two numbers.
[[nodiscard]] constexpr Product multiply(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return {static_cast<std::uint64_t>(product >> 64), static_cast<std::uint64_t>(product)};
}

/// One block of Philox2x64: two random words as a pure function of a 128-bit counter and a 64-bit
/// key. Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011, where
/// six rounds pass every test of BigCrush; the seven of our dice leave one to spare.
template <int Rounds = 7>
[[nodiscard]] constexpr std::array<std::uint64_t, 2> philox(std::array<std::uint64_t, 2> counter,
                                                            std::uint64_t key) {
  for (int round = 0; round < Rounds; ++round) {
    const Product p = multiply(0xD2B74407B1CE6E93ULL, counter[0]);
    counter = {p.high ^ key ^ counter[1], p.low};
    key += 0x9E3779B97F4A7C15ULL;
  }
  return counter;
}

/// Mixes 64 bits so that every input bit reaches every output bit (the finaliser of SplitMix64,
/// Steele, Lea, Flood, OOPSLA 2014).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
  return x ^ (x >> 31);
}

/// A 64-bit hash of a text: FNV-1a, mixed. For keys of chance, not for identity of content.
[[nodiscard]] constexpr std::uint64_t hash_of(std::string_view text) {
  std::uint64_t h = 0xCBF29CE484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  return mix(h);
}

/// A key made of two: order matters.
[[nodiscard]] constexpr std::uint64_t combine(std::uint64_t a, std::uint64_t b) {
  return mix(a * 0x9E3779B97F4A7C15ULL + mix(b + 0x632BE59BD9B4E019ULL));
}

/// Dice that are a pure function of a key and a place, never of how many draws came before
/// elsewhere. Every draw is frozen: the same on any machine, compiler and library.
class Dice {
 public:
  /// Dice of a key at the place (a, b, c).
  constexpr Dice(std::uint64_t key, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0)
      : key_(key), place_{std::uint64_t{a} << 32, std::uint64_t{c} << 32 | b} {}

  /// Eight bytes, uniform.
  constexpr std::uint64_t bits64() {
    if (has_spare_) {
      has_spare_ = false;
      return spare_;
    }
    const std::array<std::uint64_t, 2> words = philox(place_, key_);
    ++place_[0];
    spare_ = words[1];
    has_spare_ = true;
    return words[0];
  }
  /// Four bytes, uniform.
  constexpr std::uint32_t bits() { return static_cast<std::uint32_t>(bits64() >> 32); }

  /// Uniform over 0..n-1 without bias (Lemire 2019: multiply, reject the short stretch). n >= 1.
  constexpr std::uint64_t below(std::uint64_t n) {
    Product p = multiply(bits64(), n);
    if (p.low < n) [[unlikely]] {
      const std::uint64_t least = (0 - n) % n;
      while (p.low < least) p = multiply(bits64(), n);
    }
    return p.high;
  }

  /// Products of bounds from here on are too large for below_each() to draw from one word.
  static constexpr std::uint64_t kManyTogether = std::uint64_t{1} << 62;
  /// `n` draws at once: put(i, x) gets x uniform over 0..bound(i)-1, bounds >= 1. `product` is that
  /// of all bounds, or anything from kManyTogether on if it is as large. One word serves all of
  /// them where the product allows (Brackett-Rozinsky, Lemire: "Batched ranged random integer
  /// generation", 2024), still without bias. put() may be called again for the same i.
  template <class Bound, class Put>
  constexpr void below_each(std::size_t n, std::uint64_t product, Bound bound, Put put) {
    if (product >= kManyTogether) {
      for (std::size_t i = 0; i < n; ++i) put(i, below(bound(i)));
      return;
    }
    for (;;) {
      Product p{0, bits64()};
      for (std::size_t i = 0; i < n; ++i) {
        p = multiply(p.low, bound(i));
        put(i, p.high);
      }
      if (p.low >= product || p.low >= (0 - product) % product) [[likely]]
        return;
    }
  }

  /// Uniform over lo..hi, both included.
  constexpr std::int64_t between(std::int64_t lo, std::int64_t hi) {
    const std::uint64_t span = static_cast<std::uint64_t>(hi) - static_cast<std::uint64_t>(lo);
    const std::uint64_t x = span == ~std::uint64_t{0} ? bits64() : below(span + 1);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(lo) + x);
  }

  /// Uniform over the multiples of 2^-53 in [0, 1).
  constexpr double unit() { return static_cast<double>(bits64() >> 11) * 0x1.0p-53; }

  /// Fisher-Yates from the back.
  template <class T>
  constexpr void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) {
      const auto j = static_cast<std::size_t>(below(i));
      std::swap(items[i - 1], items[j]);
    }
  }

 private:
  std::uint64_t key_;
  std::array<std::uint64_t, 2> place_;
  std::uint64_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace agon
