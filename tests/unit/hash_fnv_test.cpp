#include <bit>
#include <cstdint>
#include <set>
#include <string>

#include "catch.hpp"
#include "text/hash.hpp"

using namespace agon::hash;

TEST_CASE("FNV-1a agrees with its authors' published values") {
  STATIC_REQUIRE(fnv1a("") == 0xCBF29CE484222325U);
  STATIC_REQUIRE(fnv1a("a") == 0xAF63DC4C8601EC8CU);
  STATIC_REQUIRE(fnv1a("foobar") == 0x85944171F73967E8U);
  STATIC_REQUIRE(fnv1a("bar", fnv1a("foo")) == fnv1a("foobar"));
  CHECK(fnv1a("\xFF") == (kFnvBasis ^ 0xFFU) * 0x100000001B3U);  // bytes are unsigned
}

TEST_CASE("the mixer is that of SplitMix64") {
  // The first two outputs of SplitMix64 from seed 0.
  STATIC_REQUIRE(mix(0x9E3779B97F4A7C15U) == 0xE220A8397B1DCDAFU);
  STATIC_REQUIRE(mix(0x3C6EF372FE94F82AU) == 0x6E789E6AA1B965F4U);
}

TEST_CASE("one changed bit changes about half of the mixed bits") {
  int changed = 0;
  for (unsigned bit = 0; bit < 64; ++bit) {
    changed += std::popcount(mixed("match 7") ^ mix(fnv1a("match 7") ^ (std::uint64_t{1} << bit)));
  }
  CHECK(changed > 64 * 28);
  CHECK(changed < 64 * 36);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(mixed("match " + std::to_string(i)) >> 32U);
  CHECK(seen.size() == 1000);
}
