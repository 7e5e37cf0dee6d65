#include <agon/error.hpp>
#include <algorithm>
#include <cstdint>
#include <limits>

#include "catch.hpp"
#include "design/shard.hpp"

using namespace agon::design;

TEST_CASE("each unit is in one shard, and shards differ by one unit at most", "[design]") {
  for (std::uint64_t count = 1; count <= 9; ++count)
    for (std::uint64_t end = 0; end <= 25; ++end) {
      std::uint64_t sum = 0, most = 0, least = end;
      for (std::uint64_t number = 1; number <= count; ++number) {
        const Shard shard{number, count};
        std::uint64_t units = 0;
        const BlockSteps own = shard.blocks(3);
        for (std::uint64_t unit = 3; unit < 3 + end; ++unit) {
          units += shard.has(unit) ? 1 : 0;
          const std::uint64_t block = unit - 3;
          CHECK(shard.has(unit) == (block >= own.first && (block - own.first) % own.step == 0));
        }
        CHECK(shard.units(3, 3 + end) == units);
        sum += units;
        most = std::max(most, units);
        least = std::min(least, units);
      }
      CHECK(sum == end);
      CHECK(most - least <= 1);
    }
}

TEST_CASE("the parts of an amount make the whole", "[design]") {
  for (const std::int64_t amount : {std::int64_t{0}, std::int64_t{10}, std::int64_t{25'000'000'001},
                                    std::numeric_limits<std::int64_t>::max()})
    for (const std::uint64_t of : {1U, 3U, 7U, 1'000'000U}) {
      std::int64_t sum = 0;
      for (std::uint64_t part = 0; part < of; ++part) sum += part_of(amount, part, part + 1, of);
      CHECK(sum == amount);
      CHECK(part_of(amount, 0, of, of) == amount);
    }
  CHECK(part_of(10, 0, 8, 10) == 8);
}

TEST_CASE("a shard is written as its number of how many", "[design]") {
  CHECK(Shard::parse("3/16", "--shard") == Shard{3, 16});
  CHECK(Shard{3, 16}.text() == "3/16");
  for (const char* text : {"", "3", "3/", "/16", "0/16", "17/16", "1/0", "-1/2", "1/2/3", "1 /2",
                           "+1/2", "1/1000001", "99999999999999999999/2"})
    CHECK_THROWS_AS(Shard::parse(text, "--shard"), agon::Error);
}
