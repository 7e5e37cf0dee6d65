// Draws that somebody else's log gives take the place of chance, and a replay takes them from the
// record.

#include "catch.hpp"
#include "support.hpp"

using agon::End;
using agon::MatchResult;
using namespace seam;
using What = agon::record::Entry::What;

namespace {

/// The draws of a record at places of that name, and how many of them were given.
struct Drawn {
  std::vector<std::int64_t> values;
  int given = 0;
};

Drawn drawn(const MatchResult& result, std::string_view name) {
  Drawn all;
  const agon::record::RecordedTypes recorded(
      [&](const agon::hash::Digest& d) { return result.shapes->notation(d); });
  for (const agon::record::Entry& e : agon::record::read(result.record).entries) {
    if (e.what != What::draw || e.name != name) continue;
    all.values.push_back(std::stoll(recorded.json(e.shape, e.payload).value()));
    all.given += e.given ? 1 : 0;
  }
  return all;
}

}  // namespace

TEST_CASE("given draws are played, marked, and replayed from the record") {
  const Scene water("water-allocation", R"({"days": 6})");
  const auto fixed = agent("fixed", "water-allocation");
  agon::MatchSetup setup = water.setup({fixed.get()});
  const Drawn by_chance = drawn(agon::play_match(setup), "supply");
  REQUIRE(by_chance.values.size() == 6);
  CHECK(by_chance.given == 0);

  const agon::GivenDraws given{
      {{"supply", {2}}, {10}}, {{"supply", {4}}, {20, 3}}, {{"elsewhere", {}}, {7}}};
  setup.given = &given;
  const MatchResult result = agon::play_match(setup);
  REQUIRE(result.end == End::finished);
  const Drawn mixed = drawn(result, "supply");
  CHECK(mixed.given == 2);
  std::vector<std::int64_t> expected = by_chance.values;
  expected[1] = 10;
  expected[3] = 20;
  CHECK(mixed.values == expected);

  const MatchResult again = agon::play_match(water.replay(result.record));
  CHECK(again.end == End::finished);
  CHECK(again.record == result.record);
  // The others are still worked out.
  CHECK(agon::play_match(water.replay(result.record, 2)).record != result.record);
}

TEST_CASE("a given draw beyond what may be drawn is a fault that names it") {
  const Scene water("water-allocation", R"({"days": 2})");
  const auto fixed = agent("fixed", "water-allocation");
  agon::MatchSetup setup = water.setup({fixed.get()});
  const agon::GivenDraws given{{{"supply", {1}}, {31}}};
  setup.given = &given;
  const MatchResult result = agon::play_match(setup);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find("31 is given, which is not between 10 and 20") != std::string::npos);
}
