#include <sqlite3.h>

#include <cmath>
#include <vector>

#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;

namespace {

/// What a query gives: cells parted by |, a line a row.
std::string cells(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
  std::string text;
  const auto add = [](void* out, int n, char** values, char**) {
    for (int i = 0; i < n; ++i)
      *static_cast<std::string*>(out) +=
          std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "" : values[i]);
    *static_cast<std::string*>(out) += '\n';
    return 0;
  };
  CHECK(sqlite3_exec(db, sql.c_str(), add, &text, nullptr) == SQLITE_OK);
  sqlite3_close(db);
  return text;
}

bool same(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

void check_equal(const MatchRow& a, const MatchRow& b) {
  CHECK(a.key.id == b.key.id);
  CHECK(a.key.scenario == b.key.scenario);
  CHECK(a.key.block == b.key.block);
  CHECK(a.key.repeat == b.key.repeat);
  CHECK(a.key.position == b.key.position);
  CHECK(a.key.line_up == b.key.line_up);
  CHECK(a.key.assignment == b.key.assignment);
  CHECK(a.focal == b.focal);
  CHECK(a.cluster == b.cluster);
  CHECK(a.rng_key == b.rng_key);
  CHECK(a.status == b.status);
  CHECK(a.fault == b.fault);
  CHECK(a.metrics == b.metrics);
  CHECK(a.questions == b.questions);
  CHECK(a.wall_ms == b.wall_ms);
  CHECK(a.waiting_ms == b.waiting_ms);
  CHECK(a.created == b.created);
  CHECK(a.record == b.record);
  REQUIRE(a.seats.size() == b.seats.size());
  for (std::size_t i = 0; i < a.seats.size(); ++i) {
    const SeatRow &x = a.seats[i], &y = b.seats[i];
    CHECK(x.name == y.name);
    CHECK(x.role == y.role);
    CHECK(x.agent == y.agent);
    CHECK(same(x.payoff, y.payoff));
    CHECK(same(x.disagreement, y.disagreement));
    CHECK(same(x.ideal, y.ideal));
    CHECK(x.rank == y.rank);
    CHECK(x.metrics == y.metrics);
    CHECK(x.fallbacks == y.fallbacks);
    CHECK(x.attempts == y.attempts);
    CHECK(x.input_tokens == y.input_tokens);
    CHECK(x.output_tokens == y.output_tokens);
    CHECK(x.cached_tokens == y.cached_tokens);
    CHECK(x.reasoning_tokens == y.reasoning_tokens);
    CHECK(x.cost == y.cost);
    CHECK(x.waiting_ms == y.waiting_ms);
  }
}

}  // namespace

TEST_CASE("archive: a match reads back as it was written") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  MatchRow plain = sample_match(numbers, 1);
  MatchRow odd = sample_match(numbers, 2, 0);
  odd.focal.reset();
  odd.status = MatchStatus::game_error;
  odd.fault = "the game threw: \"no\"";
  odd.metrics.clear();
  odd.seats[0].metrics.clear();
  odd.seats[1].payoff = std::nan("");
  odd.record = std::string("\0\xFF binary", 9);
  writer.write_finished(plain);
  writer.write_finished(odd);
  writer.flush();
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(archive.matches().count() == 2);
  check_equal(archive.matches().at(1), plain);
  check_equal(archive.matches().at(2), odd);
}

TEST_CASE("archive: what is written twice is kept once") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  const Numbers again = add_rows(writer);
  CHECK(again.game == numbers.game);
  CHECK(again.scenario == numbers.scenario);
  CHECK(again.first == numbers.first);
  MatchRow match = sample_match(numbers, 1);
  writer.write_finished(match);
  match.record = "another record";
  writer.write_finished(match);
  writer.flush();
  match.record = "and another";
  writer.write_finished(match);
  const auto hash = writer.store("prompt", "Say hello.");
  CHECK(writer.store("prompt", "Say hello.") == hash);
  writer.close();
  {
    Writer next(folder / "run.agon");  // its memory of content is empty, the table's is not
    CHECK(next.store("prompt", "Say hello.") == hash);
    const Numbers third = add_rows(next);
    CHECK(third.scenario == numbers.scenario);
  }
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(archive.matches().count() == 1);
  CHECK(archive.matches().at(1).record == sample_match(numbers, 1).record);
  CHECK(archive.content(hash) == "Say hello.");
  CHECK_FALSE(archive.content(agon::hash::sha256("never stored")));
  CHECK(archive.games().size() == 1);
  CHECK(archive.agents().size() == 2);
}

TEST_CASE("archive: runs, games, scenarios and agents read back") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  RunRow run;
  run.started = 1000;
  run.suite_file = writer.store("suite", "{ // a suite\n}");
  run.seed = 0xFFFFFFFFFFFFFFFFU;
  run.command = R"(["run","a.json"])";
  run.versions = R"({"agon":"0.1.0"})";
  run.plugins = R"([{"name":"games"}])";
  const std::int64_t first = writer.begin_run(run);
  writer.begin_run(run);
  writer.end_run(first, "interrupted");
  const Archive archive = Archive::open(folder / "run.agon");
  const auto runs = archive.runs();
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].started == 1000);
  CHECK(runs[0].ended.has_value());
  CHECK(runs[0].status == "interrupted");
  CHECK(archive.content(*runs[0].suite_file) == "{ // a suite\n}");
  CHECK(runs[0].seed == run.seed);
  CHECK(runs[0].command == run.command);
  CHECK(runs[0].versions == run.versions);
  CHECK(runs[0].plugins == run.plugins);
  CHECK_FALSE(runs[1].ended);
  CHECK_FALSE(runs[1].status);
  const GameRow game = archive.games().at(numbers.game);
  CHECK(game.name == "split");
  CHECK(game.version == 3);
  CHECK(game.score_decimals == 2);
  REQUIRE(game.seat_metrics.size() == 2);
  CHECK(game.seat_metrics[1].name == "paid");
  CHECK(game.seat_metrics[1].unit == "USD");
  CHECK(game.seat_metrics[1].better == "lower");
  CHECK(game.seat_metrics[1].decimals == 2);
  CHECK(game.seat_metrics[0].min == 0.0);
  CHECK(game.seat_metrics[0].max == 1.0);
  CHECK(game.seat_metrics[1].min == -12.5);
  CHECK_FALSE(game.seat_metrics[1].max);
  CHECK(game.match_metrics[0].name == "efficiency");
  CHECK_FALSE(game.match_metrics[0].min);
  CHECK_FALSE(game.score_min);
  CHECK(game.score_max == 1.0);
  const ScenarioRow scenario = archive.scenarios().at(numbers.scenario);
  CHECK(scenario.name == "quick");
  CHECK(scenario.game == numbers.game);
  CHECK(archive.content(scenario.settings) == R"({"pie":10})");
  CHECK(archive.agents().at(numbers.second).spec == R"({"rule":"two"})");
}

TEST_CASE("archive: matches come in the order of the design, however they were finished") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  ScenarioRow late = {.place = 5, .name = "late", .game = numbers.game};
  ScenarioRow early = {.place = -1, .name = "early", .game = numbers.game};
  const std::int64_t later = writer.scenario(late), earlier = writer.scenario(early);
  int made = 0;
  for (const std::int64_t scenario : {later, numbers.scenario, earlier}) {
    for (const int block : {2, 0, 1}) {
      MatchRow match = sample_match(numbers, made++);
      match.key.scenario = scenario;
      match.key.block = block;
      writer.write_finished(match);
    }
  }
  writer.flush();
  const Archive archive = Archive::open(folder / "run.agon");
  std::vector<std::pair<std::int64_t, std::int64_t>> order;
  archive.matches().each({}, [&](std::int64_t, const MatchRow& match) {
    order.emplace_back(match.key.scenario, match.key.block);
    CHECK(match.seats.size() == 2);
    CHECK(match.record.empty());
    return true;
  });
  const std::vector<std::pair<std::int64_t, std::int64_t>> expected{{earlier, 0},
                                                                    {earlier, 1},
                                                                    {earlier, 2},
                                                                    {numbers.scenario, 0},
                                                                    {numbers.scenario, 1},
                                                                    {numbers.scenario, 2},
                                                                    {later, 0},
                                                                    {later, 1},
                                                                    {later, 2}};
  CHECK(order == expected);
  int count = 0;
  ReadOptions some;
  some.record = true;
  some.scenarios = {later};
  archive.matches().each(some, [&](std::int64_t, const MatchRow& match) {
    CHECK(match.key.scenario == later);
    CHECK(match.record.size() == 40);
    return ++count < 2;
  });
  CHECK(count == 2);
}

TEST_CASE("archive: a match is found by number, by id and by the beginning of its id") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  MatchRow match = sample_match(numbers, 1);
  match.key.id = *MatchId::read("abcd1000000000000000000000000000");
  writer.write_finished(match);
  match.key.id = *MatchId::read("abcd2000000000000000000000000000");
  writer.write_finished(match);
  match.key.id = *MatchId::read("12340000000000000000000000000000");
  writer.write_finished(match);
  writer.flush();
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(archive.matches().find("1") == 1);
  CHECK(archive.matches().find("#2") == 2);
  CHECK(archive.matches().find("abcd1") == 1);
  CHECK(archive.matches().find("ABCD2") == 2);
  CHECK(archive.matches().find("abcd2000000000000000000000000000") == 2);
  CHECK(archive.matches().find("1234") == 3);  // there is no match number 1234
  using Catch::Matchers::Contains;
  CHECK_THAT(error_of([&] { (void)archive.matches().find("abcd"); }),
             Contains("ambiguous match id 'abcd'") && Contains("abcd1000000000000000000000000000"));
  CHECK_THAT(error_of([&] { (void)archive.matches().find("9"); }),
             Contains("no finished match '9'"));
  CHECK_THAT(error_of([&] { (void)archive.matches().find("abcd3"); }),
             Contains("no finished match 'abcd3'"));
  CHECK_THAT(error_of([&] { (void)archive.matches().find("abc"); }), Contains("4 to 32 digits"));
  CHECK_THAT(error_of([&] { (void)archive.matches().find(""); }), Contains("no finished match ''"));
  CHECK_THAT(error_of([&] { (void)archive.matches().at(4); }),
             Contains("the numbers go from 1 to 3"));
  CHECK(archive.matches().number(match.key.id).has_value());
  CHECK_FALSE(archive.matches().number(MatchId{}).has_value());
  int ids = 0;
  archive.matches().ids(
      [&](const MatchId& id, std::int64_t) { ids += archive.matches().number(id) ? 1 : 0; });
  CHECK(ids == 3);
}

TEST_CASE("archive: a partial match grows, never shrinks, and goes when the match is finished") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  const MatchRow match = sample_match(numbers, 1);
  PartialMatch partial;
  partial.key = match.key;
  partial.agents = {numbers.second, numbers.first};
  partial.sequence = 2;
  partial.record = "two answers";
  writer.save_partial(partial);
  partial.sequence = 1;
  partial.record = "one answer";
  writer.save_partial(partial);
  const Archive archive = Archive::open(folder / "run.agon");
  auto read = archive.matches().partial(match.key.id);
  REQUIRE(read);
  CHECK(read->record == "two answers");
  CHECK(read->sequence == 2);
  CHECK(read->agents == partial.agents);
  CHECK(read->key.block == match.key.block);
  CHECK(read->key.line_up == "pair");
  CHECK(read->reason.empty());
  partial.sequence = 3;
  partial.record = "three answers";
  partial.reason = "provider-failed";
  writer.save_partial(partial);
  int count = 0;
  archive.matches().partials([&](const PartialMatch& each) {
    ++count;
    CHECK(each.record == "three answers");
    CHECK(each.reason == "provider-failed");
  });
  CHECK(count == 1);
  writer.write_finished(match);
  writer.flush();
  CHECK_FALSE(archive.matches().partial(match.key.id));
  writer.save_partial(partial);  // too late
  CHECK_FALSE(archive.matches().partial(match.key.id));
  CHECK(archive.matches().number(match.key.id).has_value());
}

TEST_CASE("archive: people and what they answered") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  PersonRow person;
  person.session = "s1";
  person.pseudonym = "blue heron";
  person.disclosure = "You may meet programs.";
  person.started = 5;
  writer.person(person);
  person.consent = writer.store("consent", "I agree.");
  person.consented = 7;
  writer.person(person);
  PersonAnswer answer;
  answer.session = "s1";
  answer.seat = 1;
  answer.question = 3;
  answer.shown = 10;
  writer.person_answer(answer);
  answer.first_input = 12;
  answer.answered = 15;
  answer.disconnects = 1;
  writer.person_answer(answer);
  answer.question = 4;
  answer.first_input.reset();
  answer.answered.reset();
  writer.person_answer(answer);
  writer.close();
  CHECK(cells(folder / "run.agon",
              "select pseudonym, consented, cast(bytes as text), disclosure, started "
              "from person join content on hash = consent") ==
        "blue heron|7|I agree.|" + person.disclosure + "|5\n");
  CHECK(cells(folder / "run.agon",
              "select seat, question, shown, first_input, answered, disconnects from person_answer "
              "order by question") == "1|3|10|12|15|1\n1|4|10|||1\n");
}

TEST_CASE("archive: a game whose scores get other bounds keeps to the wider ones") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  GameRow game = sample_game();
  const auto after = [&](std::optional<double> min, std::optional<double> max) {
    game.score_min = min;
    game.score_max = max;
    const std::int64_t number = writer.game(game);
    return Archive::open(folder / "run.agon").games().at(number);
  };
  after(0, 2);
  GameRow row = after(-1, 1);
  CHECK(row.score_min == -1.0);
  CHECK(row.score_max == 2.0);
  row = after(-3, {});
  CHECK(row.score_min == -3.0);
  CHECK_FALSE(row.score_max);
  // What was once without bounds may hold anything.
  CHECK_FALSE(after(-3, 1).score_max);
}
