#include "remote/batch.hpp"

#include "catch.hpp"

using namespace agon;
using namespace agon::remote;

namespace {

BatchResult some_result() {
  BatchResult one;
  one.result.outcome = Outcome{{.score = 3, .disagreement = 0, .ideal = 10, .rank = 1}};
  one.result.outcome[0].metrics.push_back(0.5);
  one.result.carried = {"{}"};
  one.result.faults = {{1, 2}};
  one.result.forced = {300};
  one.result.questions = 7;
  one.shapes = {"{number:i}"};
  one.wall_ms = 1.5;
  return one;
}

std::string written() {
  std::string bytes;
  write_result(bytes, some_result());
  BatchResult broke;
  broke.result.end = End::game_fault;
  broke.result.problem = "the game threw: x";
  write_result(bytes, broke);
  return bytes;
}

}  // namespace

TEST_CASE("matches of a batch come as they were sent") {
  const std::vector<BatchMatch> sent{{3, ~std::uint64_t{0}, 5, {{1, 9}, {0, 1U << 31U}}}, {}};
  const auto got = read_matches(write_matches(sent));
  REQUIRE(got);
  REQUIRE(got->size() == 2);
  const BatchMatch& first = got->front();
  CHECK(first.table == 3);
  CHECK(first.stream_key == ~std::uint64_t{0});
  CHECK(first.turn == 5);
  REQUIRE(first.seats.size() == 2);
  CHECK(first.seats[0].agent == 1);
  CHECK(first.seats[1].dice_key == 1U << 31U);
  CHECK(got->back().seats.empty());
}

TEST_CASE("results of a batch come as they were sent") {
  std::vector<BatchResult> got;
  REQUIRE(read_results(written(), [&](BatchResult one) { got.push_back(std::move(one)); }));
  REQUIRE(got.size() == 2);
  const MatchResult& first = got[0].result;
  CHECK(first.end == End::finished);
  REQUIRE(first.outcome.seats() == 1);
  CHECK(first.outcome[0].score == 3);
  CHECK(first.outcome[0].ideal == 10);
  CHECK(first.outcome[0].rank == 1);
  REQUIRE(first.outcome[0].metrics.size() == 1);
  CHECK(first.outcome[0].metrics[0] == 0.5);
  CHECK(first.record.empty());
  CHECK(first.carried == some_result().result.carried);
  CHECK(first.faults == some_result().result.faults);
  CHECK(first.forced == some_result().result.forced);
  CHECK(first.waiting_ms.size() == 1);
  CHECK(first.questions == 7);
  CHECK(got[0].shapes == some_result().shapes);
  CHECK(got[0].wall_ms == 1.5);
  CHECK(got[1].result.end == End::game_fault);
  CHECK(got[1].result.problem == "the game threw: x");
}

TEST_CASE("a result with a record leaves the outcome to it") {
  BatchResult with = some_result();
  with.result.record = std::string("AGR\0\n", 5);
  std::string bytes;
  write_result(bytes, with);
  std::vector<BatchResult> got;
  REQUIRE(read_results(bytes, [&](BatchResult&& one) { got.push_back(std::move(one)); }));
  REQUIRE(got.size() == 1);
  CHECK(got[0].result.record == with.result.record);
  CHECK(got[0].result.outcome.seats() == 0);
  CHECK(got[0].result.questions == 7);
}

TEST_CASE("what was cut off or is nonsense is no batch") {
  const std::string whole = written();
  std::string first;
  write_result(first, some_result());
  for (std::size_t size = 1; size < whole.size(); ++size) {
    INFO(size);
    const std::string_view part = std::string_view(whole).substr(0, size);
    CHECK(read_results(part, [](const BatchResult&) {}) == (size == first.size()));
  }
  CHECK_FALSE(
      read_results("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", [](const BatchResult&) {}));
  CHECK_FALSE(read_matches("\xff\xff\xff"));
  // Counts that no bytes follow reserve nothing.
  CHECK_FALSE(read_matches("\xff\xff\xff\xff\x0f"));
}
