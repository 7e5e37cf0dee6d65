#pragma once

#include <agon/export.hpp>
#include <array>
#include <concepts>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

namespace agon {

/// One block of Philox4x32-10: four random words as a pure function of a 128-bit counter and a
/// 64-bit key. Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                                            std::uint64_t key) {
  auto k0 = static_cast<std::uint32_t>(key), k1 = static_cast<std::uint32_t>(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {
        static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ k0, static_cast<std::uint32_t>(p1),
        static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += 0x9E3779B9U;
    k1 += 0xBB67AE85U;
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

/// A 64-bit hash of a text: FNV-1a, mixed. For keys of luck, not for identity of content.
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
  constexpr Dice(std::uint64_t key, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0)
      : key_(key), place_{0, a, b, c} {}

  /// Four bytes, uniform.
  constexpr std::uint32_t bits() {
    if (next_ == 4) {
      words_ = philox(place_, key_);
      ++place_[0];
      next_ = 0;
    }
    return words_[next_++];
  }
  constexpr std::uint64_t bits64() {
    const std::uint64_t high = bits();
    const std::uint64_t low = bits();
    return high << 32 | low;
  }

  /// Uniform over 0..n-1 without bias (Lemire 2019: multiply, reject the short stretch). n >= 1.
  constexpr std::uint64_t below(std::uint64_t n) {
    if (n <= 0xFFFFFFFFULL) {
      const auto m = static_cast<std::uint32_t>(n);
      std::uint64_t product = std::uint64_t{bits()} * m;
      if (static_cast<std::uint32_t>(product) < m) {
        const std::uint32_t least = (0U - m) % m;
        while (static_cast<std::uint32_t>(product) < least) product = std::uint64_t{bits()} * m;
      }
      return product >> 32;
    }
    const std::uint64_t least = (0 - n) % n;
    std::uint64_t x = bits64();
    while (x < least) x = bits64();
    return x % n;
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
  std::array<std::uint32_t, 4> place_;
  std::array<std::uint32_t, 4> words_{};
  unsigned next_ = 4;
};

}  // namespace agon
