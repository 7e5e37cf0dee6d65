#include <agon/agent.hpp>
#include <agon/game.hpp>
#include <agon/plugin_command.hpp>
#include <set>

#include "agents.hpp"
#include "catch.hpp"
#include "record/record.hpp"
#include "table/match.hpp"

namespace agents_rule_test {

using namespace agon;

struct Settings {
  int rounds = 3;
};
AGON_DESCRIBE(Settings, (rounds, "questions a seat is asked"))
struct Pick {
  int number = 0;
};
AGON_DESCRIBE(Pick, (number, "what is picked"))
struct Guess {
  int number = 0;
};
AGON_DESCRIBE(Guess, (number, "what it guesses"))
struct Seen {
  int number = 0;
  int rejected = 0;
  bool forced = false;
  int guess = -1;
};
AGON_DESCRIBE(Seen, (number, "as it stood"), (rejected, "attempts"), (forced, "by the table"),
              (guess, "the probe's answer; -1: declined"))

constexpr Probe<"guess", Guess> kGuess{"guess a number"};
constexpr Stage<"even", Pick> kEven{"pick a number"};
constexpr Stage<"odd", Pick> kOdd{"pick a number"};
constexpr Note<"seen", Seen> kSeen{"what came of it"};

/// Asks for numbers 1..9 and adds them up; before each, a probe.
Outcome play(Table<kGuess, kEven, kOdd, kSeen> table, const Settings& s) {
  int sum = 0;
  for (int i = 0; i < s.rounds; ++i) {
    const auto guess = table.probe(0, kGuess, limit(&Guess::number, 0, 5));
    const auto pick = i % 2 == 0
                          ? table.ask(0, kEven, limit(&Pick::number, 1, 9), fallback(Pick{1}))
                          : table.ask(0, kOdd, limit(&Pick::number, 1, 9), fallback(Pick{1}));
    table.note(kSeen,
               Seen{pick.number, pick.rejected(), pick.forced(), guess ? guess->number : -1});
    sum += pick.number;
  }
  return {{.score = sum}};
}

struct Result {
  MatchResult match;
  std::vector<Seen> seen;
};

Result run(const Agent& agent, int rounds = 3, std::string_view past = {}, bool strict = false) {
  const Game game = agon::game<&play>("picks", {.seats = {1, 1}});
  const Settings settings{rounds};
  MatchSetup setup;
  setup.game = &game;
  setup.settings = &settings;
  setup.seats.push_back({&agent, 7, {}});
  setup.cards.push_back({"seat 0", ""});
  setup.past = past;
  setup.strict_replay = strict;
  Result r{play_match(setup), {}};
  for (const record::Entry& e : record::read(r.match.record).entries) {
    if (e.what != record::Entry::What::event) continue;
    Seen seen;
    record::Bytes bytes(e.payload);
    REQUIRE(record::decode(bytes, type_of<Seen>(), &seen));
    r.seen.push_back(seen);
  }
  return r;
}

std::vector<int> numbers(const Result& r) {
  std::vector<int> all;
  for (const Seen& s : r.seen) all.push_back(s.number);
  return all;
}

TEST_CASE("random draws legal answers and declines probes unless told otherwise") {
  const agents::Random silent({}), open({true});
  const Result a = run(silent, 50);
  REQUIRE(a.match.end == End::finished);
  for (const Seen& s : a.seen) {
    CHECK(s.number >= 1);
    CHECK(s.number <= 9);
    CHECK(s.rejected == 0);
    CHECK(s.guess == -1);
  }
  const Result b = run(open, 50);
  for (const Seen& s : b.seen) {
    CHECK(s.guess >= 0);
    CHECK(s.guess <= 5);
  }
  // Its dice belong to the question, so answering probes does not change the draws.
  CHECK(numbers(a) == numbers(b));
}

TEST_CASE("edge answers at both ends of the limits and declines probes unless told otherwise") {
  const Result silent = run(agents::Edge({}), 50), open = run(agents::Edge({true}), 50);
  REQUIRE(silent.match.end == End::finished);
  std::set<int> picked, guessed;
  for (const Seen& s : silent.seen) {
    picked.insert(s.number);
    CHECK(s.rejected == 0);
    CHECK(s.guess == -1);
  }
  for (const Seen& s : open.seen) guessed.insert(s.guess);
  CHECK(picked == std::set<int>{1, 9});
  CHECK(guessed == std::set<int>{0, 5});
  CHECK(numbers(silent) == numbers(open));
}

TEST_CASE("default leaves the game's fallback standing and is not at fault") {
  const agents::Default agent({});
  const Result r = run(agent);
  CHECK(numbers(r) == std::vector<int>{1, 1, 1});
  CHECK(r.match.forced == std::vector<std::uint32_t>{0});
}

TEST_CASE("script plays its answers in order") {
  const agents::Script agent({{R"({"number":3})", R"({"number":4})", R"({"number":5})"}, {}, {}});
  const Result r = run(agent);
  CHECK(numbers(r) == std::vector<int>{3, 4, 5});
  CHECK(r.match.outcome[0].score == 12);
}

TEST_CASE("script plays answers by stage, probes too, beside the common list") {
  const agents::Script agent(
      {{R"({"number":2})"},
       {{"even", {R"({"number":8})", R"({"number":9})"}}, {"guess", {R"({"number":5})"}}},
       {}});
  const Result r = run(agent);
  CHECK(numbers(r) == std::vector<int>{8, 2, 9});
  CHECK(r.seen[0].guess == 5);
  CHECK(r.seen[1].guess == -1);  // run out: declined
}

TEST_CASE("script by scenario and block plays what stands there, and names what is missing") {
  const agents::Script agent(
      {{},
       {},
       agents::Then::fallback,
       {{"one", {{{R"({"number":3})"}, {}}, {{}, {{"even", {R"({"number":8})"}}}}}},
        {"two", {{{R"({"number":5})"}, {}}}}}});
  CHECK(numbers(run(*agent.in_block("one", 0))) == std::vector<int>{3, 1, 1});
  CHECK(numbers(run(*agent.in_block("one", 1))) == std::vector<int>{8, 1, 1});
  CHECK(numbers(run(*agent.in_block("two", 0))) == std::vector<int>{5, 1, 1});
  CHECK_THROWS_WITH(agent.in_block("three", 0),
                    Catch::Contains("says nothing for the scenario 'three'") &&
                        Catch::Contains("$.scenarios.three"));
  CHECK_THROWS_WITH(agent.in_block("two", 1), Catch::Contains("1 block for the scenario 'two'") &&
                                                  Catch::Contains("$.scenarios.two[1]"));
  CHECK(agents::Script({{R"({"number":3})"}, {}, {}, {}}).in_block("one", 0) == nullptr);
  CHECK_THROWS_AS(agents::Script({{R"({"number":3})"}, {}, {}, {{"one", {{}}}}}), Error);
}

TEST_CASE("script goes on with the next answer after one that is turned down") {
  const agents::Script agent({{R"({"number":12})", "what?", R"({"number":6})"}, {}, {}});
  const Result r = run(agent, 1);
  REQUIRE(r.seen.size() == 1);
  CHECK(r.seen[0].number == 6);
  CHECK(r.seen[0].rejected == 2);
  CHECK(r.match.faults[0][static_cast<std::size_t>(Fault::illegal)] == 1);
  CHECK(r.match.faults[0][static_cast<std::size_t>(Fault::unparsable)] == 1);
}

TEST_CASE("script that has run out falls back, draws or fails, as told") {
  using agents::Then;
  const std::vector<std::string> one{R"({"number":7})"};
  const Result fallback = run(agents::Script({one, {}, Then::fallback}));
  CHECK(numbers(fallback) == std::vector<int>{7, 1, 1});
  CHECK(fallback.match.forced[0] == 0);
  const Result random = run(agents::Script({one, {}, Then::random}), 20);
  CHECK(random.seen[0].number == 7);
  CHECK(random.match.forced[0] == 0);
  const Result again = run(agents::Script({one, {}, Then::random}), 20);
  CHECK(random.match.record == again.match.record);
  const Result fail = run(agents::Script({one, {}, Then::fail}));
  CHECK(numbers(fail) == std::vector<int>{7});
  CHECK(fail.match.end != agon::End::finished);
  CHECK(fail.match.forced[0] == 0);
}

TEST_CASE("script takes up a cut match where it stood, and replays") {
  const agents::Script agent(
      {{R"({"number":3})", R"({"number":40})", R"({"number":4})", R"({"number":5})"},
       {{"guess", {R"({"number":1})", R"({"number":2})", R"({"number":3})"}}},
       {}});
  const Result whole = run(agent);
  CHECK(numbers(whole) == std::vector<int>{3, 4, 5});
  // Cut after every entry: the rest must come out the same.
  int cuts = 0;
  for (std::size_t n = 1; n < whole.match.record.size(); ++n) {
    const std::string_view part = std::string_view(whole.match.record).substr(0, n);
    try {
      if (record::read(part).entries.empty()) continue;
    } catch (const std::exception&) {
      continue;  // in the middle of an entry
    }
    ++cuts;
    const Result resumed = run(agent, 3, part);
    CHECK(resumed.match.record == whole.match.record);
  }
  CHECK(cuts >= 8);
  CHECK(run(agent, 3, whole.match.record, true).match.record == whole.match.record);
}

TEST_CASE("script uses each answer once on the path without recording") {
  const Game game = agon::game<&play>("picks", {.seats = {1, 1}});
  const Settings settings{3};
  const agents::Script agent({{R"({"number":3})", R"({"number":4})", R"({"number":5})"}, {}, {}});
  MatchSetup setup;
  setup.game = &game;
  setup.settings = &settings;
  setup.seats.push_back({&agent, 7, {}});
  setup.cards.push_back({"seat 0", ""});
  setup.record = false;
  const MatchResult r = play_match(setup);
  REQUIRE(r.end == End::finished);
  CHECK(r.outcome[0].score == 12);
}

struct Names final : Registry {
  std::vector<std::string> ids;
  void add(const Game&) override {}
  void add(const AgentCard& card) override {
    ids.emplace_back(card.id);
    std::vector<std::byte> params(card.params->size);
    card.params->construct(params.data());
    CHECK(card.make(params.data(), {}) != nullptr);
    CHECK_FALSE(card.doc.empty());
    card.params->destroy(params.data());
  }
  void add(const PartCard&) override {}
  void add(const ProviderCard&) override {}
  void add(const PluginCommand&) override {}
  void add(const TableCard&) override {}
};

TEST_CASE("the plugin brings its agents for any game") {
  Names names;
  agents::enter(names);
  CHECK(names.ids == std::vector<std::string>{"random", "default", "edge", "script", "human"});
}

}  // namespace agents_rule_test
