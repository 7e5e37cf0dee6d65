#include <set>

#include "archive/matches/match_id.hpp"
#include "catch.hpp"

using namespace agon::archive;

namespace {

MatchParts parts() {
  MatchParts p;
  p.game = "split";
  p.game_version = 2;
  p.plugin_version = "1.0";
  p.scenario = "quick";
  p.settings = agon::hash::sha256("settings");
  p.agents = {agon::hash::sha256("a"), agon::hash::sha256("b")};
  p.seed = 7;
  return p;
}

}  // namespace

TEST_CASE("archive: a match id is the same everywhere and for ever") {
  // Worked out independently with Python's hashlib from the description in match_id.hpp.
  CHECK(match_id(parts()).hex() == "f9dc3fcb334a2439b9cea83e3ae7e648");
}

TEST_CASE("archive: every part changes the match id") {
  std::set<MatchId> ids{match_id(parts())};
  const auto changed = [&](auto change) {
    MatchParts p = parts();
    change(p);
    return ids.insert(match_id(p)).second;
  };
  CHECK(changed([](MatchParts& p) { p.game = "other"; }));
  CHECK(changed([](MatchParts& p) { p.game_version = 3; }));
  CHECK(changed([](MatchParts& p) { p.plugin_version = "1.1"; }));
  CHECK(changed([](MatchParts& p) { p.scenario = "slow"; }));
  CHECK(changed([](MatchParts& p) { p.settings = agon::hash::sha256("else"); }));
  CHECK(changed([](MatchParts& p) { std::swap(p.agents[0], p.agents[1]); }));
  CHECK(changed([](MatchParts& p) { p.agents.pop_back(); }));
  CHECK(changed([](MatchParts& p) { p.seed = 8; }));
  CHECK(changed([](MatchParts& p) { p.block = 1; }));
  CHECK(changed([](MatchParts& p) { p.position = 1; }));
  CHECK(changed([](MatchParts& p) { p.repeat = 1; }));
  CHECK(changed([](MatchParts& p) { p.assignment = 1; }));
  // The same letters, cut elsewhere.
  CHECK(changed([](MatchParts& p) { p.plugin_version = "1.0q", p.scenario = "uick"; }));
}

TEST_CASE("archive: a match id reads back from its digits") {
  const MatchId id = match_id(parts());
  CHECK(MatchId::read(id.hex()) == id);
  CHECK_FALSE(MatchId::read(id.hex().substr(1)));
  CHECK_FALSE(MatchId::read(std::string(32, 'g')));
}
