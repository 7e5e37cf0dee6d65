// A game in another process plays as one of this process would, and what it does wrong is its own
// fault, said with what was expected, and costs its own match only.

#include <agon/error.hpp>
#include <agon/telling.hpp>
#include <atomic>
#include <cmath>
#include <csignal>
#include <stop_token>
#include <thread>

#include "catch.hpp"
#include "describe/value.hpp"
#include "record/record.hpp"
#include "remote/game.hpp"
#include "remote/remote_plugin.hpp"
#include "table/match_state.hpp"

namespace remote_matches_test {

using namespace agon;
using namespace remote_game;

/// Says the same each time.
seam::Inline saying(int amount) {
  return seam::Inline([amount](const seam::Ask&) {
    return Reply{.json = R"({"amount": )" + std::to_string(amount) + "}"};
  });
}

TEST_CASE("a match of another process has a record, an outcome and metrics") {
  const Running running;
  const MatchResult result = running.play("");
  INFO(result.problem);
  REQUIRE(result.end == End::finished);
  REQUIRE(result.outcome.seats() == 2);
  CHECK(result.outcome[0].ideal == 9);
  CHECK(result.outcome[1].rank == (result.outcome[0].score > 0 ? 2 : 1));
  REQUIRE(result.outcome[0].metrics.size() == 2);
  CHECK(result.outcome[0].metrics[0] == 1);
  CHECK(result.outcome[0].metrics[1] == 150);
  CHECK(std::isnan(result.outcome[1].metrics[1]));
  CHECK(result.outcome.match_metrics()[0] == 2);
  std::vector<std::string> names;
  for (const record::Entry& entry : record::read(result.record).entries)
    names.emplace_back(entry.name);
  CHECK(names == std::vector<std::string>{"supply", "supply", "order", "order", "order", "first",
                                          "first", "item", "truth", "hint", "hint", "bid", "guess",
                                          "bid", "bid", "said", ""});
  CHECK(result.questions == 4);
}

TEST_CASE("the same luck brings the same record in any process, and a replay too") {
  const Running one, other;
  const MatchResult first = one.play("", {}, 5);
  REQUIRE(first.end == End::finished);
  CHECK(one.play("", {}, 5).record == first.record);
  CHECK(other.play("", {}, 5).record == first.record);
  CHECK(other.play("", {}, 6).record != first.record);
  const seam::Scene scene(other.game(), "{}");
  const MatchResult replayed = play_match(scene.replay(first.record, 5));
  CHECK(replayed.end == End::finished);
  CHECK(replayed.record == first.record);
}

TEST_CASE("whatever goes wrong is charged to the game, and said") {
  const Running running(limits(20));
  const auto row = GENERATE(table<std::string, std::string>({
      {"fault", "the game threw: ValueError: bad (game.py:12)"},
      {"talking fault",
       "the game threw: ValueError: bad (game.py:12); it printed: n is 3\\n\\x1b!"},
      {"whole fault", "it is all wrong"},
      {"no json", "the game's process said 'hello there' before its outcome: it is not valid JSON"},
      {"no object", "the game's process said '[1]' before its outcome: a message is a JSON object"},
      {"no type",
       "the game's process said '{\"typ\":1}' before its outcome: its member 'type' is "
       "missing"},
      {"wrong message",
       "the game's process said '{\"type\": \"reply\", \"value\": 1}' before its "
       "outcome: no message of type 'reply' is expected in a match"},
      {"no such stage", ": the card has no stage 'bud'; it has bid, guess"},
      {"view does not fit", ": the view does not fit: $.pie: must be a whole number, not a text"},
      {"view of none", ": the stage 'guess' has no view on the card"},
      {"bad limit", ": limit 0: there is no 'amont' at 'amont'; there are amount"},
      {"fallback does not fit", ": the fallback does not fit: $.amount: must be a whole number"},
      {"no such seat", "the match has no such seat at stage 'bid' (question 0, seat 7)"},
      {"too many", ": it asks 17 questions at once"},
      {"two alone", ": it asks 2 questions at once"},
      {"no such event", ": the card has no event 'sad' that is for whom this is said"},
      {"wrong audience", ": the card has no event 'truth' that is for whom this is said"},
      {"event does not fit", ": the event does not fit: $.amont: is not known here"},
      {"tell nobody", "the game threw: tell(): there is no seat 5"},
      {"no stream", ": there is no stream 1: its first draw names it"},
      {"no draw", ": 'card' is no draw: say between, unit, one_of or shuffle"},
      {"empty draw", "the game threw: chance 'x': there is nothing between 3 and 1"},
      {"drawn twice", "chance(\"x\") is used a second time"},
      {"bad deal", ": things are dealt in_turn or by_draw, not 'so'"},
      {"long draw", ": its member 'name' has more than 100 characters"},
      {"long deal", ": its member 'name' has more than 100 characters"},
      {"carries much", ": what is carried is longer than 1 MiB"},
      {"bad description", ": its member 'as' is no description: 'thing' is not a kind of value"},
      {"exit", "the game's process ended before its outcome: it exited with status 3"},
      {"crash", "the game's process ended before its outcome: Segmentation fault, signal 11"},
      {"last words", "it exited with status 1; on standard error it said: this is why"},
      {"half a line",
       "the game's process ended in the middle of a line ({\"type\":\"ann) before "
       "its outcome: it exited with status 0"},
      {"closed output",
       "the game's process ended before its outcome: it closed its standard "
       "output"},
      {"long line", "the game's process wrote a line of more than 16 MiB"},
      {"asks twice", "after a question of stage 'bid': it was not its turn"},
      {"check is wrong", ": its member 'reason' is missing"},
      {"check faults", "the game threw after a question of stage 'bid': no such check (f:1)"},
      {"one seat", "the outcome has 1 seats, the match 2"},
      {"text score", ": its member 'score' must be a number"},
      {"no such metric", ": the card declares no metric 'rods'"},
      {"metric does not fit", ": the metric 'won' does not fit: must be true or false"},
      {"talks on", "after its outcome: nothing more is expected"},
  }));
  const auto& [trouble, problem] = row;
  INFO(trouble);
  const MatchResult result = running.play(trouble);
  INFO(result.problem);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find(problem) != std::string::npos);
  for (int seat = 0; seat < 2; ++seat) CHECK(seam::faults(result, seat, Fault::crashed) == 0);
  // The next match has a process, the same or another one.
  CHECK(running.play("").end == End::finished);
}

TEST_CASE("a message whose members are of other kinds is refused with what they must be") {
  const Running running;
  const std::string ask = "say {'type':'ask','stage':'bid',";
  const std::string draw = "say {'type':'draw','stream':1,'name':'x',";
  const std::string limit = ask + "'questions':[{'seat':0,'limits':[";
  const std::vector<std::pair<std::string, std::string>> rows{
      {ask + "'questions':1}", ": its member 'questions' must be a list"},
      {ask + "'questions':[1]}", ": a question must be an object"},
      {ask + "'single':1,'questions':[{'seat':0}]}", ": its member 'single' must be true or false"},
      {ask + "'questions':[{'seat':2147483648}]}", ": there is no seat 2147483648"},
      {ask + "'questions':[{'seat':-2147483649}]}", ": there is no seat -2147483649"},
      {draw + "'what':'one_of','seats':[0,16]}", ": there is no seat 16"},
      {draw + "'what':'one_of','seats':[-1]}", ": there is no seat -1"},
      {draw + "'what':'between','low':0.5,'high':3}", ": its member 'low' must be a whole number"},
      {draw + "'what':'between','low':0,'high':1e16}",
       ": its member 'high' must be a whole number"},
      {draw + "'what':'shuffle','n':1000001}",
       ": its member 'n' is 1000001, and must be a whole number from 0 to 1000000"},
      {draw + "'what':'shuffle','n':-1}",
       ": its member 'n' is -1, and must be a whole number from 0 to 1000000"},
      {"say {'type':'outcome','seats':[" + std::string(R"({'score':0})") +
           [] {
             std::string more;
             for (int i = 0; i < 16; ++i) more += ",{'score':0}";
             return more;
           }() +
           "]}",
       ": it has 17 seats"},
      {limit + "{'kind':1}]}]}", ": limit 0: 'kind' must be a text"},
      // What only Agon's own processes say.
      {"say {'type':'chance','at':[],'name':'x','integer':true,'value':1}",
       "no message of type 'chance' is expected in a match"},
      {"say {'type':'turn','name':'x','n':3}", "no message of type 'turn' is expected in a match"},
  };
  for (const auto& [said, problem] : rows) {
    INFO(said);
    const MatchResult result = running.play(said);
    INFO(result.problem);
    CHECK(result.end == End::game_fault);
    CHECK(result.problem.find(problem) != std::string::npos);
  }
  // Some languages know no whole numbers.
  const MatchResult whole = running.play(draw + "'what':'between','low':3.0,'high':3.0}");
  CHECK(whole.end == End::finished);
  CHECK(running.place().read("heard").find(R"({"type":"drawn","value":3})") != std::string::npos);
}

TEST_CASE("a game without metrics on its card has none in its outcome") {
  const Running running({}, "PLAIN = 1");
  const MatchResult result = running.play("");
  INFO(result.problem);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find(": it has metrics, and the card declares none") != std::string::npos);
}

TEST_CASE("what breaks while somebody who waits is asked is charged to the game, and said once") {
  const Running running;
  const seam::Asked person([](const OwnedQuestion& question, const Completion& done) {
    if (question.stage != "bid") return done({.declined = true});
    const std::string four = R"({"amount": 4})";
    CHECK_FALSE(ends_match(question, four));
    done({.json = four});
  });
  const MatchResult at_the_end = running.play("", {&person});
  CHECK(at_the_end.end == End::game_fault);
  CHECK(at_the_end.problem == "the game threw: no such end (f:3)");
  for (int seat = 0; seat < 2; ++seat) {
    CHECK(seam::faults(at_the_end, seat, Fault::crashed) == 0);
    CHECK(at_the_end.forced[static_cast<std::size_t>(seat)] == 0);
  }
  const MatchResult in_the_view = running.play("told badly", {&person});
  CHECK(in_the_view.end == End::game_fault);
  CHECK(in_the_view.problem == "the game threw: no such view (f:4)");
}

TEST_CASE("a game that takes too much is ended") {
  ProcessLimits few = limits(60, 0.5);
  few.questions = 25;
  few.output = 1;
  const Running running(few);
  const std::string too_busy = "the game used more than 0.5 s of the processor for one match";
  const std::string too_much = "the game said more than 1 MiB in one match";
  const auto row = GENERATE_COPY(table<std::string, std::string, ProcessEnd>({
      {"busy", too_busy, ProcessEnd::busy},
      {"chatty and busy", too_busy, ProcessEnd::busy},
      {"asks for ever", "the game has asked more than 25 questions in one match",
       ProcessEnd::other},
      {"talks for ever", too_much, ProcessEnd::other},
      {"shuffles for ever", too_much, ProcessEnd::other},
      {"complains for ever", too_much, ProcessEnd::other},
  }));
  INFO(std::get<0>(row));
  const MatchResult result = running.play(std::get<0>(row));
  INFO(result.problem);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find(std::get<1>(row)) == 0);
  CHECK(result.process_end == std::get<2>(row));
  CHECK(running.play("").end == End::finished);
}

TEST_CASE("what a match may take begins anew with each match of a process") {
  // Each asks 4 questions, says some 600 kB and uses 0.6 s of the processor.
  ProcessLimits few = limits(60, 1);
  few.questions = 6;
  few.output = 1;
  const Running running(few);
  for (int i = 0; i < 2; ++i) {
    const MatchResult result = running.play("takes 60 percent");
    INFO(result.problem);
    CHECK(result.end == End::finished);
  }
  CHECK(running.place().started() == 1);
}

TEST_CASE("what a game says on standard error is that match's alone") {
  ProcessLimits few = limits(60);
  few.output = 1;
  const Running running(few);
  for (int i = 0; i < 3; ++i) CHECK(running.play("complains much").end == End::finished);
  const std::string problem = running.play("exit").problem;
  CHECK(problem.find("it exited with status 3") != std::string::npos);
  CHECK(problem.find("old complaint") == std::string::npos);
}

TEST_CASE("no more is kept of a fault than people read") {
  const Running running;
  const MatchResult result = running.play("long fault");
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find("the game threw: ppp") == 0);
  CHECK(result.problem.size() < 5000);
}

TEST_CASE("settings are not waited for when the arena is to stop") {
  const Place place;
  std::atomic<bool> stop{false};
  remote::Launch launch = place.launch();
  launch.limits = limits(86400);
  launch.stop = &stop;
  const remote::RemotePlugin plugin(launch);
  stop = true;
  CHECK_THROWS_WITH(seam::Scene(plugin.cards().games.front(), R"({"trouble": "never replies"})"),
                    Catch::Contains("was not waited for"));
}

TEST_CASE("a game that says nothing is ended") {
  const Running running(limits(10));  // its start has as long, also on a busy machine
  const auto row = GENERATE(table<std::string, std::string>({
      {"silent", "before its outcome"},
      {"closed input", "before its outcome"},
      {"check is silent", "after a question of stage 'bid'"},
  }));
  const MatchResult result = running.play(std::get<0>(row));
  INFO(result.problem);
  CHECK(result.end == End::game_fault);
  CHECK(result.problem.find("the game said nothing for 10 s " + std::get<1>(row)) == 0);
  CHECK(result.process_end == ProcessEnd::silent);
}

TEST_CASE("of settings that a game says nothing of it is known that it was silent") {
  const Running running(limits(10));
  try {
    const seam::Scene scene(running.game(), R"({"trouble": "never replies"})");
    FAIL("it replied");
  } catch (const remote::FailedRequest& failed) {
    CHECK(failed.process_end() == ProcessEnd::silent);
  }
}

TEST_CASE("how a game's process ended is known by what it did and not by its words") {
  const Running running;
  const MatchResult killed = running.play("killed");
  INFO(killed.problem);
  CHECK(killed.end == End::game_fault);
  CHECK(killed.process_end == ProcessEnd::killed);
  const MatchResult said =
      running.play("say {'type':'fault','problem':'the game said nothing for 3 s'}");
  CHECK(said.end == End::game_fault);
  CHECK(said.problem == "the game threw: the game said nothing for 3 s");
  CHECK(said.process_end == ProcessEnd::other);
}

TEST_CASE("a match that is stopped does not wait for its game") {
  const Running running(limits(86400));
  std::stop_source source;
  const seam::Inline agent(seam::draws);
  const seam::Scene scene(running.game(), R"({"trouble": "silent"})");
  MatchSetup setup = scene.setup({&agent});
  setup.cancel = source.get_token();
  source.request_stop();
  const MatchResult result = play_match(setup);
  CHECK(result.end == End::stopped);
}

TEST_CASE("processes are used again") {
  const Running running;
  for (int i = 0; i < 5; ++i) CHECK(running.play("").end == End::finished);
  CHECK(running.place().started() == 1);
  // A fault of the game's code, and a table that refuses something, leave the process in order.
  CHECK(running.play("fault").end == End::game_fault);
  const seam::Inline high = saying(60);
  const MatchResult illegal = running.play("illegal fallback", {&high});
  CHECK(illegal.problem.find("the game's own fallback is illegal") == 0);
  CHECK(running.play("").end == End::finished);
  CHECK(running.place().started() == 1);
  CHECK(running.play("exit").end == End::game_fault);
  CHECK(running.place().started() == 1);
  CHECK(running.play("").end == End::finished);
  CHECK(running.place().started() == 2);
  CHECK(running.play("is ended afterwards").end == End::finished);
  CHECK(running.play("").end == End::finished);
  CHECK(running.place().started() == 3);
}

TEST_CASE("a process that breaks at the start of a later match is charged for it") {
  const auto trouble = GENERATE("exit", "crash", "closed output");
  INFO(trouble);
  // Another process would hide what only breaks where there was a match before.
  const Running running;
  REQUIRE(running.play("").end == End::finished);
  const MatchResult result = running.play(trouble);
  CHECK(result.end == End::game_fault);
  CHECK(running.place().started() == 1);
}

TEST_CASE("a process that somebody ended between two matches costs none") {
  const Running running;
  CHECK(running.play("").end == End::finished);
  REQUIRE(kill(std::stoi(running.place().read("started")), SIGKILL) == 0);
  CHECK(running.play("").end == End::finished);
  CHECK(running.place().started() == 2);
}

TEST_CASE("a process that cannot be started leaves the match to be taken up again") {
  const Running running;
  CHECK(running.play("").end == End::finished);  // what is asked of these settings is kept
  CHECK(running.play("exit").end == End::game_fault);
  running.place().remove();
  const MatchResult result = running.play("");
  CHECK(result.end == End::unfinished);
  CHECK(result.outage);
  CHECK(result.problem.find("there is no folder to start the program in") != std::string::npos);
}

TEST_CASE("an agent that cannot be asked for want of the machine is not charged with it") {
  class Wanting final : public Agent {
   public:
    void answer(Question&) const override {
      throw MachineFault(Error(ErrorKind::failure, "no more processes"));
    }
  };
  const Wanting agent;
  const Running running;
  const MatchResult result = running.play("", {&agent});
  CHECK(result.end == End::unfinished);
  CHECK(result.outage);
  CHECK(result.problem == "no more processes");
  CHECK(seam::faults(result, 0, Fault::crashed) == 0);
}

TEST_CASE("a program that is not there is no plugin") {
  const Place place;
  remote::Launch launch = place.launch();
  launch.words = {"/no/such/program"};
  try {
    const remote::RemotePlugin plugin(launch);
    FAIL("it was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::not_found);
    CHECK(error.where() == "raw.py");
    CHECK(error.problem().find("cannot start '/no/such/program'") == 0);
  }
}

TEST_CASE("a card that changes is a fault") {
  const Running running({}, "CHANGED = 1");
  CHECK(running.play("exit").end == End::game_fault);
  CHECK_THROWS_WITH(running.play(""),
                    Catch::Contains("the game's card has changed since it was loaded"));
}

TEST_CASE("a game that speaks after its outcome plays no more") {
  const Running running({}, R"(
import threading, time, sys
def later():
    time.sleep(0.2); print("late", flush=True)
threading.Thread(target=later, daemon=True).start()
)");
  MatchResult result;
  do {
    result = running.play("");
  } while (result.end == End::finished);
  CHECK(result.problem.find("the game's process said 'late' ") == 0);
}

TEST_CASE("a game that spoke between two matches is charged with it in all that follow") {
  const Running running({}, R"(
import threading, time, os
def later():
    while not os.path.exists("go"): time.sleep(0.01)
    print("late", flush=True)
    open("late", "w").close()
threading.Thread(target=later, daemon=True).start()
)");
  REQUIRE(running.play("").end == End::finished);
  running.place().write("go");
  while (!running.place().has("late")) std::this_thread::yield();
  for (int i = 0; i < 2; ++i) {
    const MatchResult result = running.play("");
    CHECK(result.end == End::game_fault);
    CHECK(result.problem ==
          "the game's process said 'late' after its outcome: nothing more is expected");
  }
  CHECK(running.place().started() == 1);
}

TEST_CASE("no more is told and kept of why an answer was turned down than people read") {
  const Running running;
  std::vector<std::string> heard;
  const seam::Inline odd([&](const seam::Ask& ask) {
    if (!ask.complaint.empty()) heard.push_back(ask.complaint);
    return Reply{.json = ask.attempt == 0 ? R"({"amount": 3})" : R"({"amount": 4})"};
  });
  const MatchResult result = running.play("long reason", {&odd});
  INFO(result.problem);
  REQUIRE(result.end == End::finished);
  CHECK(result.record.size() < 50000);
  REQUIRE(!heard.empty());
  CHECK(heard[0] == std::string(4000, 'o') + " [cut: 4996000 more characters]");
  // Likewise of an agent that broke.
  const seam::Inline broken([](const seam::Ask& ask) -> Reply {
    throw std::runtime_error(std::string(ask.number == 0 ? 5000000 : 4001, 'b'));
  });
  const MatchResult crashed = running.play("", {&broken});
  REQUIRE(crashed.end == End::finished);
  CHECK(crashed.record.size() < 100000);
}

TEST_CASE("checks narrow what is legal and are asked again with the reason") {
  const Running running;
  const seam::Inline odd([](const seam::Ask& ask) {
    return Reply{.json = ask.attempt == 0 ? R"({"amount": 3})" : R"({"amount": 4})"};
  });
  const MatchResult result = running.play("checks", {&odd});
  INFO(result.problem);
  REQUIRE(result.end == End::finished);
  CHECK(result.outcome[0].score == 4);
  CHECK(seam::faults(result, 0, Fault::illegal) == 1);
  bool told = false;
  for (const record::Entry& entry : record::read(result.record).entries)
    told = told || seam::text_of(entry).find("it is odd") != std::string::npos;
  CHECK(told);
  // What is drawn is legal at once.
  class Drawing final : public Agent {
   public:
    void answer(Question& question) const override { question.draw(); }
  };
  const Drawing drawing;
  const MatchResult drawn = running.play("checks", {&drawing});
  REQUIRE(drawn.end == End::finished);
  CHECK(seam::faults(drawn, 0, Fault::illegal) == 0);
}

TEST_CASE("answers say how they came") {
  const Running running;
  const seam::Inline high = saying(50);
  const MatchResult result = running.play("", {&high});
  REQUIRE(result.end == End::finished);
  CHECK(result.outcome[0].score == 0);
  const std::string heard = running.place().read("heard");
  CHECK(heard.find(R"({"type":"answers","answers":[{"answer":{"amount":0},"rejected":4,)"
                   R"("illegal":4,"forced":true}]})") != std::string::npos);
}

TEST_CASE("what was against the rules is told apart from what could not be read") {
  const Running running;
  // Once what is no answer, once one that is too high, then a legal one.
  const seam::Inline slow_to_learn([](const seam::Ask& ask) {
    return Reply{.json = ask.attempt == 0   ? "{"
                         : ask.attempt == 1 ? R"({"amount": 50})"
                                            : R"({"amount": 3})"};
  });
  REQUIRE(running.play("", {&slow_to_learn}).end == End::finished);
  const std::string heard = running.place().read("heard");
  CHECK(heard.find(R"({"type":"answers","answers":[{"answer":{"amount":3},"rejected":2,)"
                   R"("illegal":1,"forced":false}]})") != std::string::npos);
}

TEST_CASE("a probe that is declined is said to be") {
  const Running running;
  const seam::Inline declining(seam::draws, false);
  REQUIRE(running.play("", {&declining}).end == End::finished);
  const std::string heard = running.place().read("heard");
  CHECK(heard.find(R"("declines":[0,1],"listening":true})") != std::string::npos);
  CHECK(heard.find(R"({"type":"answers","answers":[{"declined":true}]})") != std::string::npos);
}

TEST_CASE("what a game takes along comes back in the next match") {
  const Running running;
  const MatchResult first = running.play("carries");
  REQUIRE(first.end == End::finished);
  CHECK(first.carried[0] == R"({"amount":4})");
  CHECK(running.place().read("heard").find(R"({"type":"carried","value":null})") !=
        std::string::npos);
  const seam::Inline agent(seam::draws);
  const seam::Scene scene(running.game(), R"({"trouble": "carries"})");
  MatchSetup setup = scene.setup({&agent});
  setup.seats[0].carried = first.carried[0];
  REQUIRE(play_match(setup).end == End::finished);
  CHECK(running.place().read("heard").find(R"({"type":"carried","value":{"amount":4}})") !=
        std::string::npos);
}

TEST_CASE("the functions of the card are asked for, once for the same settings") {
  const Running running;
  const Game& game = running.game();
  const seam::Scene scene(game, R"({"trouble": "x"})");
  CHECK(scene.settings.seating()[1].name == "Bea");
  CHECK(scene.settings.seating()[1].role == "second");
  CHECK(scene.settings.rules() == "Bid, with trouble 'x'.");
  CHECK(game.card.facts_for(scene.settings.get(), Language::english()) == R"({"total":12})");
  CHECK(game.card.persona_for(scene.settings.get(), 1, Language::english()) == "You are seat 1.");
  CHECK_THROWS_WITH(seam::Scene(game, R"({"trouble": "refused"})"),
                    Catch::Contains("no such trouble"));
  CHECK_THROWS_WITH(seam::Scene(game, R"({"trouble": "long name"})"),
                    Catch::Contains("a seat whose name has more than 100 characters"));
  CHECK_THROWS_WITH(seam::Scene(game, R"({"trouble": "long role"})"),
                    Catch::Contains("a seat whose role has more than 100 characters"));
  try {
    const seam::Scene refused(game, R"({"trouble": "refused at length"})");
    FAIL("it was not refused");
  } catch (const Error& error) {
    CHECK(error.problem().find("nnn") != std::string::npos);
    CHECK(error.problem().size() < 5000);
  }
  CHECK_THROWS_WITH(seam::Scene(game, R"({"trouble": "long reply"})"),
                    Catch::Contains("it is longer than 1 MiB"));
  const std::string before = running.place().read("heard");
  (void)game.card.rules_for(scene.settings.get(), Language::english());
  CHECK(running.place().read("heard") == before);
}

TEST_CASE("tellings are asked for by reader") {
  const Running running;
  const Game& game = running.game();
  const seam::Scene scene(game, "{}");
  const std::vector<std::string_view> names{"Ann", "Bea"};
  Value said(*game.events[0].type);
  CHECK(game.events[0].telling(said.get(), Scene(names, scene.settings.get(), 1)) ==
        "1 hears of {'amount': 0} from ['Ann', 'Bea']");
  Value view(*game.stages[0].view);
  CHECK(game.stages[0].telling(view.get(), Scene(names, scene.settings.get())) ==
        "-1 sees {'pie': 0}");
  Value answer(*game.stages[0].answer);
  CHECK_FALSE(game.stages[0].ends(answer.get()));
  REQUIRE_FALSE(read_json(*game.stages[0].answer, answer.get(), R"({"amount": 9})"));
  CHECK(game.stages[0].ends(answer.get()));
  CHECK(game.stages[1].telling == nullptr);
  const seam::Scene long_winded(game, R"({"trouble": "long telling"})");
  CHECK_THROWS_WITH(game.events[0].telling(said.get(), Scene(names, long_winded.settings.get(), 1)),
                    Catch::Contains("it is longer than 64 KiB"));
}

TEST_CASE("a request that goes wrong says why") {
  const Running running;
  const seam::Scene scene(running.game(), R"({})");
  Value settings(*running.game().settings);
  REQUIRE_FALSE(
      read_json(*running.game().settings, settings.get(), R"({"trouble": "request faults"})"));
  CHECK_THROWS_WITH(running.game().card.rules_for(settings.get(), Language::english()),
                    Catch::Contains("the game threw: KeyError: x (f:9)"));
  REQUIRE_FALSE(
      read_json(*running.game().settings, settings.get(), R"({"trouble": "wrong reply"})"));
  CHECK_THROWS_WITH(running.game().card.rules_for(settings.get(), Language::english()),
                    Catch::Contains("its member 'value' must be a text"));
  CHECK_THROWS_WITH(running.game().card.facts_for(settings.get(), Language::english()),
                    Catch::Contains("the value does not fit: must be an object"));
}

TEST_CASE("few replies of a game are kept") {
  const Running running;
  const auto ask = [&](int i) {
    Value settings(*running.game().settings);
    REQUIRE_FALSE(read_json(*running.game().settings, settings.get(),
                            R"({"trouble": ")" + std::to_string(i) + R"("})"));
    (void)running.game().card.rules_for(settings.get(), Language::english());
  };
  for (int i = 0; i <= 1000; ++i) ask(i);
  const std::string before = running.place().read("heard");
  ask(1000);
  CHECK(running.place().read("heard") == before);
  ask(0);
  CHECK(running.place().read("heard") != before);
}

/// The game's process as one of Agon's own, which brings an agent.
struct Worker {
  Place place;
  remote::RemotePlugin plugin{[&] {
    remote::Launch launch = place.launch();
    launch.is_worker = true;
    return launch;
  }()};
};

TEST_CASE("an agent whose process breaks while it is asked says so") {
  const Worker worker;
  const AgentCard& card = worker.plugin.cards().agents.front();
  const Value settings(*worker.plugin.cards().games.front().settings);
  try {
    (void)card.check(settings.get());
    FAIL("it answered");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::failure);
    CHECK(error.where() == "agent 'raw-agent'");
    CHECK(error.problem().find("it exited with status 3") != std::string::npos);
  }
}

TEST_CASE("an agent is made in another process where somebody ended the first") {
  const Worker worker;
  const AgentCard& card = worker.plugin.cards().agents.front();
  const Value params(*card.params);
  for (int i = 0; i < 2; ++i) CHECK(card.make(params.get(), {.game = "raw"})->answers_probes());
  CHECK(worker.place.started() == 2);
}

TEST_CASE("no more is told of why an agent refuses settings than people read") {
  const Worker worker;
  const AgentCard& card = worker.plugin.cards().agents.front();
  Value settings(*worker.plugin.cards().games.front().settings);
  REQUIRE_FALSE(read_json(settings.type(), settings.get(), R"({"trouble": "at length"})"));
  const std::string reason = card.check(settings.get());
  CHECK(reason.starts_with("aaa"));
  CHECK(reason.size() < 5000);
}

TEST_CASE("a plugin that does not say a hello is refused with the reason") {
  const auto row = GENERATE(table<std::string, std::string>({
      {"import nothing_at_all\n", "No module named 'nothing_at_all'"},
      {"def broken(:\n", "SyntaxError"},
      {"print('welcome')\n", "the game's process said 'welcome' before its hello: it is not valid"},
      {"PROTOCOL = 2\n", "it speaks version 2 of the protocol, not 1"},
      {"PROTOCOL = 'one'\n", "its member 'protocol' must be a whole number"},
      {"NAME = ''\n", "($.name): the plugin has no name"},
      {"NAME = 'n' * 101\n", "($.name): it has more than 100 characters"},
      {"while True: pass\n", "the game said nothing for 10 s before its hello"},
  }));
  const Place place;
  remote::Launch launch = place.launch(std::get<0>(row));
  launch.limits.silence = 10;
  INFO(std::get<0>(row));
  try {
    const remote::RemotePlugin plugin(launch);
    FAIL("it was taken");
  } catch (const Error& error) {
    INFO(error.what());
    CHECK(error.kind() == ErrorKind::not_found);
    CHECK(error.where() == "raw.py");
    CHECK(error.problem().find(std::get<1>(row)) != std::string::npos);
  }
}

TEST_CASE("matches at the same time have processes of their own") {
  const Running running;
  std::vector<MatchResult> results(8);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < results.size(); ++i)
      threads.emplace_back([&, i] { results[i] = running.play("", {}, i); });
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    CHECK(results[i].end == End::finished);
    CHECK(results[i].record == running.play("", {}, i).record);
  }
  CHECK(running.place().started() <= 8);
}

TEST_CASE("a process that is not locked in as it should be is refused by name") {
  const Place place;
  remote::Launch launch = place.launch();
  launch.filters = 1;
  CHECK_THROWS_WITH(remote::RemotePlugin(launch),
                    Catch::Contains("its process is not locked in: 0 of 1 filters"));
}

}  // namespace remote_matches_test
