// Matches that are longer than a record may be: what is nobody's fault is charged to nobody, and no
// more is asked of those whose answers cost something.

#include <agon/game.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "support.hpp"
#include "table/contract.hpp"

namespace long_matches {

using agon::End;
using agon::MatchResult;
using namespace seam;

struct Settings {
  int rounds = 40;
  int shown = 0;
  int announced = 0;
};
AGON_DESCRIBE(Settings, (rounds, "rounds"), (shown, "bytes that a view shows"),
              (announced, "bytes that are announced"))
struct Number {
  int x = 0;
};
AGON_DESCRIBE(Number, (x, "any number"))
struct Words {
  std::string text;
};
AGON_DESCRIBE(Words, (text, "any words"))

constexpr agon::Stage<"number", Number, Words> kNumber{"a number"};
constexpr agon::Event<"words", Words> kWords{"words are said"};
using Table = agon::Table<kNumber, kWords>;

/// Words that are new in every round.
Words words_of(int round, int bytes) {
  Words words;
  words.text.reserve(static_cast<std::size_t>(bytes));
  std::uint64_t state = static_cast<std::uint64_t>(round) + 1;
  while (words.text.size() < static_cast<std::size_t>(bytes)) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    words.text += std::to_string(state);
  }
  return words;
}

agon::Outcome play(Table table, const Settings& s) {
  for (int round = 0; round < s.rounds; ++round) {
    if (s.announced > 0) table.announce(kWords, words_of(round, s.announced));
    (void)table.ask(0, kNumber, agon::view([&] { return words_of(round, s.shown); }));
  }
  return {{.score = 1}};
}

/// The same with two seats that are asked at once.
agon::Outcome play_together(Table table, const Settings& s) {
  constexpr int kBoth[] = {0, 1};
  for (int round = 0; round < s.rounds; ++round)
    (void)table.ask_all(kBoth, kNumber, [&](int seat) {
      return agon::asking<Number>(
          agon::view([&s, round, seat] { return words_of(2 * round + seat, s.shown); }));
    });
  return {{.score = 1}, {.score = 1}};
}

agon::Game long_game() {
  return agon::game<&play>("long", {.seats = {1, 1}, .rules = "Say numbers."});
}

struct LongMatch {
  MatchResult result;
  int asked = 0;
};

/// Plays with an agent that waits, and thinks so many bytes aloud with each answer.
LongMatch played(const std::string& settings, std::size_t thought = 0, std::string_view past = {}) {
  const agon::Game game = long_game();
  const Scene scene(game, settings);
  LongMatch match;
  const Asked agent([&](const agon::OwnedQuestion&, const agon::Completion& done) {
    ++match.asked;
    done({.json = R"({"x": 1})", .thought = std::string(thought, 't')});
  });
  agon::MatchSetup setup = scene.setup({&agent});
  setup.past = past;
  match.result = agon::play_match(setup);
  return match;
}

int questions_in(const std::string& record) {
  int questions = 0;
  agon::record::each_entry(record, [&](const agon::record::Entry& entry) {
    questions += entry.what == agon::record::Entry::What::question ? 1 : 0;
    return true;
  });
  return questions;
}

void check_too_long(const LongMatch& match) {
  CHECK(match.result.end == End::unfinished);
  CHECK(match.result.is_too_long);
  CHECK_FALSE(match.result.outage);
  CHECK(match.result.problem.starts_with("the match is too long: its record would grow beyond 64"));
}

TEST_CASE("a match whose views are too long for a record ends before more is asked",
          "[seam][long]") {
  const std::string settings = R"({"shown": 3000000})";
  const LongMatch match = played(settings);
  check_too_long(match);
  CHECK(match.asked == 22);
  // Every answer that was asked for is on record.
  CHECK(questions_in(match.result.record) == match.asked);
  CHECK(match.result.record.size() <= agon::kLargestRecord);
  // Taken up again it ends there, and nobody is asked.
  const LongMatch again = played(settings, 0, match.result.record);
  check_too_long(again);
  CHECK(again.asked == 0);
  CHECK(again.result.record == match.result.record);
  // A shorter one is finished.
  const LongMatch shorter = played(R"({"shown": 3000000, "rounds": 20})");
  CHECK(shorter.result.end == End::finished);
  CHECK_FALSE(shorter.result.is_too_long);
  CHECK(shorter.asked == 20);
}

TEST_CASE("seats that are asked at once are asked if a record has room for all of them",
          "[seam][long]") {
  const agon::Game game =
      agon::game<&play_together>("together", {.seats = {2, 2}, .rules = "Say numbers."});
  const Scene scene(game, R"({"shown": 3500000})");
  LongMatch match;
  const Asked agent([&](const agon::OwnedQuestion&, const agon::Completion& done) {
    ++match.asked;
    done({.json = R"({"x": 1})"});
  });
  match.result = agon::play_match(scene.setup({&agent, &agent}));
  check_too_long(match);
  // After nine rounds there is room for one more view, and not for two.
  CHECK(match.asked == 18);
  CHECK(questions_in(match.result.record) == match.asked);
  CHECK(match.result.record.size() <= agon::kLargestRecord);
}

TEST_CASE("a match whose agents say too much for a record is not charged to its game",
          "[seam][long]") {
  const LongMatch match = played("{}", 3'000'000);
  check_too_long(match);
  // How long an answer is is known when it is there: the one that goes beyond is the last.
  CHECK(match.asked == 23);
  CHECK(questions_in(match.result.record) == match.asked);
  // One answer that is longer than an entry may be.
  const LongMatch one = played("{}", 9'000'000);
  check_too_long(one);
  CHECK(one.asked == 1);
}

TEST_CASE("a game that says too much for a record is charged with it, with any agent",
          "[seam][long]") {
  const LongMatch match = played(R"({"announced": 3000000})");
  CHECK(match.result.end == End::game_fault);
  CHECK_FALSE(match.result.is_too_long);
  CHECK(match.result.problem ==
        "the match's record has grown beyond 64 MiB: does the game ever end?");
}

TEST_CASE("a record with whole views is gone on with and played again as it is", "[seam][long]") {
  const std::string settings = R"({"rounds": 5, "shown": 2000})";
  // The beginning of a record as it was before: its version, and that seat 0 waits.
  const std::string beginning("AGR\x01\x01", 5);
  const std::string former = played(settings, 0, beginning).result.record;
  const std::string now = played(settings).result.record;
  CHECK(former.starts_with(beginning));
  CHECK(now.starts_with("AGR\x02\x01"));
  const agon::Game game = long_game();
  const Scene scene(game, settings);
  std::vector<std::vector<std::string>> views(2);
  for (std::size_t i = 0; i < 2; ++i) {
    const std::string& record = i == 0 ? former : now;
    const MatchResult again = agon::play_match(scene.replay(record));
    CHECK(again.end == End::finished);
    CHECK((again.record == record));
    agon::record::each_entry(record, [&](const agon::record::Entry& entry) {
      views[i].emplace_back(entry.view);
      return true;
    });
  }
  CHECK((views[0] == views[1]));
  CHECK(views[0].size() > 5);
}

}  // namespace long_matches
