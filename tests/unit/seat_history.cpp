#include <agon/seat_history.hpp>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace agon {
namespace {

Delivery numbered(std::uint32_t n) {
  return {Delivery::What::question, false, "stage " + std::to_string(n), n};
}

}  // namespace

TEST_CASE("A copy of a seat's history stays as it is while the original grows") {
  SeatHistory history;
  CHECK(history.empty());
  CHECK(history.begin() == history.end());
  std::vector<SeatHistory> copies;
  // Over several blocks, and at each place of the first ones.
  for (std::uint32_t n = 0; n < 1000; ++n) {
    copies.push_back(history);
    history.push_back(numbered(n));
    CHECK(history.back().number == n);
  }
  for (std::size_t size = 0; size < copies.size(); ++size) {
    REQUIRE(copies[size].size() == size);
    CHECK(copies[size].empty() == (size == 0));
    std::uint32_t n = 0;
    for (const Delivery& d : copies[size]) {
      if (d.number != n || d.name != "stage " + std::to_string(n)) FAIL("entry " << n);
      ++n;
    }
    CHECK(n == size);
  }
}

TEST_CASE("What was handed out stays where it is") {
  SeatHistory history;
  history.push_back(numbered(0));
  const Delivery* const first = &history[0];
  for (std::uint32_t n = 1; n < 5000; ++n) history.push_back(numbered(n));
  CHECK(&history[0] == first);
  const SeatHistory copy = history;
  CHECK(&copy[4999] == &history[4999]);
}

TEST_CASE("A history is read in one thread while it grows in another") {
  SeatHistory history;
  for (std::uint32_t n = 0; n < 100; ++n) history.push_back(numbered(n));
  std::uint64_t sum = 0;
  std::thread reads([copy = history, &sum] {
    for (int round = 0; round < 200; ++round)
      for (const Delivery& d : copy) sum += d.number + d.name.size();
  });
  for (std::uint32_t n = 100; n < 3000; ++n) history.push_back(numbered(n));
  reads.join();
  CHECK(sum == 200 * (99 * 100 / 2 + 10 * 7 + 90 * 8));
}

}  // namespace agon
