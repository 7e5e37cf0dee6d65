#include <agon/random.hpp>
#include <array>
#include <set>

#include "catch.hpp"

namespace luck_test {

using namespace agon;

using Words = std::array<std::uint64_t, 2>;

constexpr Words kZeros{0, 0};
constexpr Words kOnes{~std::uint64_t{0}, ~std::uint64_t{0}};
// The first digits of pi, as in the published vectors.
constexpr Words kPi{0x243f6a8885a308d3ULL, 0x13198a2e03707344ULL};
constexpr std::uint64_t kPiKey = 0xa4093822299f31d0ULL;

TEST_CASE("Philox2x64 gives the published known answers") {
  CHECK(philox<10>(kZeros, 0) == Words{0xca00a0459843d731ULL, 0x66c24222c9a845b5ULL});
  CHECK(philox<10>(kOnes, kOnes[0]) == Words{0x65b021d60cd8310fULL, 0x4d02f3222f86df20ULL});
  CHECK(philox<10>(kPi, kPiKey) == Words{0x0a5e742c2997341cULL, 0xb0f883d38000de5dULL});
  CHECK(philox<7>(kZeros, 0) == Words{0xb41da69fbfefc666ULL, 0x511e9ce1a5534056ULL});
  CHECK(philox<7>(kOnes, kOnes[0]) == Words{0xa4696cc04462015dULL, 0x724782dae17169e9ULL});
  CHECK(philox<7>(kPi, kPiKey) == Words{0x98ed1534392bf372ULL, 0x67528b1568882fd5ULL});
}

TEST_CASE("dice are a function of key and place, and both words of a block are used") {
  Dice dice(5, 1, 2, 3);
  const Words first = philox({std::uint64_t{1} << 32, std::uint64_t{3} << 32 | 2}, 5);
  const Words second = philox({std::uint64_t{1} << 32 | 1, std::uint64_t{3} << 32 | 2}, 5);
  CHECK(dice.bits64() == first[0]);
  CHECK(dice.bits64() == first[1]);
  CHECK(dice.bits64() == second[0]);
  CHECK(dice.bits() == second[1] >> 32);
  std::set<std::uint64_t> seen;
  for (const std::uint32_t a : {0U, 1U})
    for (const std::uint32_t b : {0U, 1U})
      for (const std::uint32_t c : {0U, 1U}) seen.insert(Dice(5, a, b, c).bits64());
  CHECK(seen.size() == 8);
}

TEST_CASE("below() keeps to the Lemire rule, also for bounds next to 2^64") {
  // Bounds just above 2^63 turn down nearly every second word.
  const std::uint64_t n = (std::uint64_t{1} << 63) + 1;
  Dice dice(8), words(8);
  int turned_down = 0;
  for (int i = 0; i < 200; ++i) {
    Product p = multiply(words.bits64(), n);
    while (p.low < (0 - n) % n) p = multiply(words.bits64(), n), ++turned_down;
    REQUIRE(dice.below(n) == p.high);
  }
  CHECK(turned_down > 150);
  CHECK(turned_down < 250);
}

TEST_CASE("draws made together are uniform over all combinations") {
  const std::array<std::uint64_t, 3> bounds{3, 1, 4};
  std::array<int, 12> seen{};
  std::array<std::uint64_t, 3> drawn{};
  for (std::uint32_t i = 0; i < 12'000; ++i) {
    Dice dice(3, i);
    dice.below_each(
        3, 12, [&](std::size_t at) { return bounds[at]; },
        [&](std::size_t at, std::uint64_t x) { drawn[at] = x; });
    REQUIRE(drawn[0] < 3);
    REQUIRE(drawn[1] == 0);
    REQUIRE(drawn[2] < 4);
    ++seen[drawn[0] * 4 + drawn[2]];
  }
  double sum = 0;
  for (const int n : seen) sum += (n - 1000.0) * (n - 1000.0) / 1000;
  CHECK(sum < 31.3);  // 99.9th percentile of chi-square with 11 degrees of freedom
}

TEST_CASE("draws made together turn down the short stretch, and large ones are made one by one") {
  // A sixteenth of all words is left over by 3 * 2^60.
  const std::array<std::uint64_t, 3> bounds{3, 1 << 30, 1 << 30};
  const std::uint64_t product = std::uint64_t{3} << 60;
  std::array<std::uint64_t, 3> drawn{};
  const auto bound = [&](std::size_t at) { return bounds[at]; };
  const auto put = [&](std::size_t at, std::uint64_t x) { drawn[at] = x; };
  Dice together(4), words(4);
  int turned_down = 0;
  for (int i = 0; i < 320; ++i) {
    together.below_each(3, product, bound, put);
    std::array<std::uint64_t, 3> expected{};
    for (std::uint64_t rest = 0; rest < std::uint64_t{1} << 60; ++turned_down) {
      rest = words.bits64();
      for (std::size_t at = 0; at < 3; ++at) {
        const Product p = multiply(rest, bounds[at]);
        expected[at] = p.high;
        rest = p.low;
      }
    }
    REQUIRE(drawn == expected);
  }
  turned_down -= 320;
  CHECK(turned_down > 5);
  CHECK(turned_down < 50);

  Dice apart(4), each(4);
  apart.below_each(3, Dice::kManyTogether, bound, put);
  for (std::size_t i = 0; i < 3; ++i) CHECK(drawn[i] == each.below(bounds[i]));
}

}  // namespace luck_test
