// Matches in a row: what each is handed of the one before, which turn it is, and how a row goes on
// that was cut.

#include <agon/dealing.hpp>
#include <agon/game.hpp>
#include <algorithm>

#include "agents.hpp"
#include "archive/archive.hpp"
#include "archive/database/file.hpp"
#include "archive/database/sqlite.hpp"
#include "catch.hpp"
#include "run/runner.hpp"
#include "support.hpp"

namespace {

struct RelaySettings {
  int breaks_at = -1;
};
AGON_DESCRIBE(RelaySettings, (breaks_at, "match of a row in which the game breaks"))

struct Baton {
  int matches = 0;
};
AGON_DESCRIBE(Baton, (matches, "played so far"))

/// Carries on how many matches were played before, and scores ten times that and what was dealt to
/// it in turn, of five.
agon::Outcome relay(agon::Table<> table, const RelaySettings& settings) {
  Baton baton;
  if (const auto carried = table.carried<Baton>(0)) baton = *carried;
  if (baton.matches == settings.breaks_at) throw std::runtime_error("it broke");
  const auto dealt = table.deal("item", 5, agon::Dealing::in_turn);
  const auto score = 10 * baton.matches + dealt;
  ++baton.matches;
  table.carry(0, baton);
  return {{.score = static_cast<double>(score)}};
}

const agon::Catalogue& games() {
  static const std::unique_ptr<const agon::Catalogue> held = [] {
    auto c = std::make_unique<agon::Catalogue>();
    agon::agents::enter(*c);
    c->add(agon::game<&relay>("relay", {.title = "Relay", .seats = {1, 1}, .rules = "Run."}));
    return c;
  }();
  return *held;
}

agon::Suite rows_of(int matches, const std::string& more = "") {
  return agon::Suite::parse(games(),
                            R"({"agents": {"a": "random"}, "scenarios": [{"game": "relay",
                                "blocks": 2, "sequence": )" +
                                std::to_string(matches) + more + "}]}",
                            "s.json", {});
}

struct Run {
  agon::RunSummary summary;
  std::vector<double> scores;  ///< of what this run played, in order
};

Run run(const agon::Suite& suite, const std::filesystem::path& archive = {}) {
  Run ran;
  agon::RunOptions options;
  options.archive = archive.string();
  options.jobs = 1;
  options.quiet = true;
  options.on_match = [&](const agon::Scenario&, const agon::Treatment&, const std::vector<int>&,
                         const agon::MatchResult& result) {
    ran.scores.push_back(result.end == agon::End::finished ? result.outcome[0].score : -1);
  };
  ran.summary = agon::run_suite(suite, games(), options);
  return ran;
}

std::vector<double> sorted(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace

TEST_CASE("sequences: each match gets what the one before carried, and its own turn",
          "[seam][sequences]") {
  // Block 0 is dealt 0, 1, 2, block 1 begins with 1.
  const std::vector<double> wanted{0, 1, 11, 12, 22, 23};
  const Run kept_nowhere = run(rows_of(3));
  CHECK(sorted(kept_nowhere.scores) == wanted);
  CHECK(kept_nowhere.summary.total == 6);
  CHECK(kept_nowhere.summary.played == 6);
  const agon::archive::ScratchFolder folder("agon-seam");
  CHECK(sorted(run(rows_of(3), folder.path() / "a.agon").scores) == wanted);
  // Matches that learn nothing from one another begin anew.
  CHECK(sorted(run(rows_of(1)).scores) == std::vector<double>{0, 1});
}

TEST_CASE("sequences: a row that was cut anywhere goes on from there", "[seam][sequences]") {
  const agon::archive::ScratchFolder folder("agon-seam");
  const auto whole = folder.path() / "whole.agon";
  REQUIRE(run(rows_of(4), whole).summary.played == 8);
  const std::vector<double> of_block_1{1, 12, 23, 34};
  for (std::size_t kept = 0; kept <= 4; ++kept) {
    INFO(kept);
    const auto cut = folder.path() / ("cut" + std::to_string(kept) + ".agon");
    std::filesystem::copy_file(whole, cut);
    {
      agon::archive::Connection db(cut, agon::archive::OpenMode::write);
      const std::string gone =
          "create temp table gone as select number from match where block = 1 and position >= " +
          std::to_string(kept);
      db.run(gone.c_str());
      db.run("delete from record where match in gone");
      db.run("delete from seat where match in gone");
      db.run("delete from match where number in gone");
    }
    const Run rest = run(rows_of(4), cut);
    CHECK(rest.summary.before == 4 + kept);
    CHECK(rest.summary.played == 4 - kept);
    CHECK(rest.scores == std::vector<double>(of_block_1.begin() + static_cast<std::ptrdiff_t>(kept),
                                             of_block_1.end()));
  }
}

TEST_CASE("sequences: a row ends where its game breaks, now and in the next run",
          "[seam][sequences]") {
  const agon::archive::ScratchFolder folder("agon-seam");
  const auto archive = folder.path() / "a.agon";
  const agon::Suite suite = rows_of(4, R"(, "set": {"breaks_at": 2})");
  const Run first = run(suite, archive);
  CHECK(sorted(first.scores) == std::vector<double>{-1, -1, 0, 1, 11, 12});
  CHECK(first.summary.played == 6);
  CHECK(first.summary.game_faults == 2);
  CHECK(first.summary.before == 0);
  CHECK(first.summary.first_trouble.find("it broke") != std::string::npos);
  const Run again = run(suite, archive);
  CHECK(again.scores.empty());
  CHECK(again.summary.played == 0);
  CHECK(again.summary.before == 6);
  CHECK(again.summary.game_faults == 2);
  CHECK(again.summary.total == 8);
}
