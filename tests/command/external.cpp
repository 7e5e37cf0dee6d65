// Programs as agents: the samples in all games, suites that name them wrongly, and check-agent.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kSamples = std::string(AGON_TEST_SOURCE) + "/agents/external/samples/";

std::string suite_of(const std::string& external) {
  return R"({"agents": {"me": {"external": )" + external +
         R"(}, "b": "random"}, "scenarios": [{"game": "bargaining"}]})";
}

/// One seat picks a number, twice.
const std::string kPick = R"py(from dataclasses import dataclass
import agon
@dataclass
class Settings:
    picks: int = agon.field(2, "how many numbers", min=1, max=9)
@dataclass
class Pick:
    x: int = agon.field(0, "a number", min=0, max=10)
PICK = agon.Stage("pick", Pick, "a number")
LATER = agon.Stage("later", Pick, "never asked")
def play(table: agon.Table[PICK, LATER], s: Settings):
    even = lambda pick: "" if pick.x % 2 == 0 else "an odd number"
    x = sum(table.ask(0, PICK, check=even).x for _ in range(s.picks))
    return [agon.SeatScore(x, disagreement=0, ideal=20)]
agon.game("pick", play, title="Pick", seats=(1, 1), rules="Pick an even number.",
          disagreement="nothing", ideal="twenty")
)py";

/// A program in Python: `body` answers what it knows, and any answer that fits all else.
std::string bot(const std::string& body, const std::string& more = "") {
  return "import os\nimport agon\nasked = []\ndef answer(question):\n    asked.append(0)\n" + body +
         "    return None if question.probe else question.draw()\nagon.agent(answer" + more + ")\n";
}

/// The output of a check of a program with the stages of a game.
Ended checked(const Folder& folder, const std::string& game, const std::string& program,
              Words more = {}) {
  folder.write("bot.py", program);
  Words words = joined({"check-agent", "--game", game}, more);
  words.insert(words.end(), {"python3", "bot.py"});
  return folder.agon(words);
}

}  // namespace

TEST_CASE("the samples play all games against rule agents") {
  const Folder folder;
  const std::string text = R"({"suite": "samples", "agents": {
      "py": {"external": {"command": ["python3", ")" +
                           kSamples + R"(bot.py"], "options": {"timid": false}}},
      "sh": {"external": {"command": [")" +
                           kSamples + R"(bot.sh"], "per_match": true}},
      "ref": {"rule": {"english-auction": "value-cap", "water-allocation": "survivor",
                       "bargaining": "time-dependent", "deal-or-no-deal": "concede"}}},
    "design": {"focal": ["py", "sh"], "background": "ref", "blocks": 1},
    "scenarios": [{"game": "english-auction"}, {"game": "water-allocation"},
                  {"game": "bargaining"}, {"game": "deal-or-no-deal"}]})";
  folder.write("s.json", text);
  folder.succeeds({"run", "s.json", "--jobs", "4", "--out", "four.agon", "--trust"});
  const auto rows = lines(folder.agon({"export", "four.agon", "--format", "jsonl"}).out);
  REQUIRE(rows.size() > 12);
  for (const std::string& row : rows) {
    INFO(row);
    check_has(row, {"\"fallbacks\":0", "\"crashed\":0"});
  }
  CHECK(folder.agon({"replay", "four.agon"}).code == 0);
  // The same, whatever else is played at the time.
  folder.write("d.json", text.substr(0, text.find("\"scenarios\"")) +
                             R"("scenarios": [{"game": "deal-or-no-deal", "blocks": 2}]})");
  REQUIRE(folder.agon({"run", "d.json", "--jobs", "4", "--out", "d4.agon", "--trust"}).code == 0);
  REQUIRE(folder.agon({"run", "d.json", "--jobs", "1", "--out", "d1.agon"}).code == 0);
  CHECK(content(folder, "d1.agon") == content(folder, "d4.agon"));
}

TEST_CASE("a program runs in the suite's folder") {
  const Folder folder;
  std::filesystem::create_directory(folder.at("inner"));
  std::filesystem::copy_file(kSamples + "bot.py", folder.at("inner/mine.py"));
  folder.write("inner/s.json", suite_of(R"({"command": ["python3", "mine.py"]})"));
  folder.succeeds({"run", "inner/s.json", "--trust"});
  // On the command line that is the folder one is in.
  folder.succeeds(
      {"play", "bargaining", "--seat", "0=external:command=python3 inner/mine.py,per_match=true"});
  // There the prompts of what a model would be sent are those of the game.
  folder.succeeds(
      {"play", "bargaining", "--seat", "0=external:command=python3 inner/mine.py,rendered=true"});
}

TEST_CASE("what the documents call agents/external/samples/X is found from any folder") {
  const Folder folder;
  const std::string sample = "agents/external/samples/bot.sh";
  CHECK(folder.agon({"check-agent", "--game", "bargaining", sample}).code == 0);
  CHECK(folder.agon({"play", "bargaining", "--seat", "0=external:command=" + sample}).code == 0);
  folder.write("s.json", suite_of("{\"command\": [\"" + sample + "\"]}"));
  CHECK(folder.agon({"run", "s.json", "--trust", "--out", "s.agon"}).code == 0);
  // A file of that name in the folder comes first.
  std::filesystem::create_directories(folder.at("agents/external/samples"));
  folder.write(sample, "no program");
  CHECK_FALSE(folder.agon({"check-agent", "--game", "bargaining", sample}).code == 0);
  const Ended none = folder.agon({"check-agent", "agents/external/samples/none.sh"});
  CHECK(contains(none.out, "cannot start 'agents/external/samples/none.sh'"));
}

TEST_CASE("suites whose programs cannot play are refused before a match") {
  const std::string bot = "\"python3\", \"" + kSamples + "bot.py\"";
  const auto refusal = [](const std::string& external) {
    const Folder folder;
    folder.write("s.json", suite_of(external));
    const Ended run = folder.agon({"run", "s.json", "--trust"});
    CHECK(run.code == 5);
    CHECK(run.out.empty());
    CHECK(contains(run.err, "$.agents.me"));
    CHECK_FALSE(folder.has("s.agon"));
    return run.err;
  };
  CHECK(contains(refusal("{}"), "command"));
  CHECK(contains(refusal(R"({"command": ["./nobody"]})"), "cannot start './nobody'"));
  CHECK(contains(refusal(R"({"command": ["true"]})"), "ended before it said hello"));
  CHECK(contains(refusal(R"({"comand": ["true"]})"), "did you mean 'command'"));
  CHECK(contains(refusal("{\"command\": [" + bot + "], \"options\": {\"timd\": true}}"),
                 "no option 'timd'\nhint: it has: timid"));
  CHECK(contains(refusal("{\"command\": [" + bot + "], \"options\": {\"timid\": \"yes\"}}"),
                 "must be of type boolean, not \"yes\""));
}

TEST_CASE("check-agent goes through the protocol point by point") {
  const Ended good = command_test::agon({"check-agent", "python3", kSamples + "bot.py"});
  INFO(good.out << good.err);
  CHECK(good.code == 0);
  CHECK_FALSE(contains(good.out, "FAILED"));
  check_has(good.out,
            {" 1  ok      starts and says hello: bot.py, protocol 1", "all 23 points are kept"});

  const Ended json = command_test::agon({"check-agent", "--json", "python3", kSamples + "bot.py"});
  CHECK(json.code == 0);
  const auto list = json_of(json.out).as_object();
  CHECK(list.at("passed") == true);
  CHECK(list.at("checks").as_array().size() == 23);
  CHECK(list.at("checks").at(2).at("check") == "answers a ping");

  // The shell's sample knows its four games only: not what is asked here.
  const Ended shell = command_test::agon({"check-agent", kSamples + "bot.sh"});
  CHECK(shell.code == 1);
  check_has(shell.out, {" 3  ok      answers a ping", "FAILED  answers with numbers",
                        "ok      ends at the end of its standard input"});
}

TEST_CASE("check-agent says what is wrong with a program") {
  const auto said = [](const std::string& script) {
    const Ended ended = command_test::agon({"check-agent", "--seconds", "20", "sh", "-c", script});
    CHECK(ended.code == 1);
    // Every point, whatever fails.
    CHECK(count(ended.out, "  ok      ") + count(ended.out, "  FAILED  ") == 23);
    CHECK(contains(ended.out, "is checked with these: agon check-agent --game GAME"));
    return ended.out;
  };
  const std::string ended = said("echo sorry >&2; exit 3");
  CHECK(contains(ended,
                 "FAILED  starts and says hello: it ended: it exited with status 3; on "
                 "standard error it said:\n              sorry\n"));
  CHECK(contains(said("echo hi"), "this line is none: hi"));
  CHECK(contains(said("echo '{\"type\":\"hello\",\"protocol\":1,\"options\":[{}]}'"),
                 "FAILED  starts and says hello: an option needs a name"));
  CHECK(contains(said("echo '{\"type\":\"hello\",\"protocol\":1}'"),
                 "FAILED  answers a ping: it ended"));

  CHECK(command_test::agon({"check-agent"}).code == 2);
  CHECK(command_test::agon({"check-agent", "--seconds", "x", "true"}).code == 2);
  CHECK(command_test::agon({"check-agent", "--sceonds", "1", "true"}).code == 2);
  const Ended help = command_test::agon({"check-agent", "--help"});
  CHECK(help.code == 0);
  CHECK(contains(help.out, "Usage: agon check-agent [--game GAME] [--json]"));
  CHECK(contains(command_test::agon({"check-agnt", "x"}).err, "did you mean 'check-agent'"));
}

TEST_CASE("check-agent asks the stages of one game in matches of its presets") {
  const Words words{"check-agent", "--game", "bargaining", kSamples + "bot.sh"};
  const Ended good = command_test::agon(words);
  INFO(good.out << good.err);
  CHECK(good.code == 0);
  check_has(
      good.out,
      {" 3  ok      answers a ping: pong\n", "ok      answers 'buy' of preset 'agon': ",
       "ok      answers 'sell' of preset 'paper': ", "ok      takes how a match ended: pong\n"});
  CHECK_FALSE(contains(good.out, "not tried"));
  CHECK(contains(good.out, "points are kept\n"));
  CHECK(command_test::agon(words).out == good.out);

  // The same as JSON; of a game that no preset of which asks all its stages.
  const Ended ended = command_test::agon(
      {"check-agent", "--json", "--game", "classic", "python3", kSamples + "bot.py"});
  INFO(ended.out << ended.err);
  CHECK(ended.code == 0);
  const auto json = json_of(ended.out);
  CHECK(json.at("passed") == true);
  CHECK(json.at("game") == "classic");
  CHECK(json.at("not_tried").as_array() == boost::json::array{"message", "move"});
  std::size_t of_stages = 0;
  for (const auto& check : json.at("checks").as_array())
    if (const auto* stage = check.as_object().if_contains("stage")) {
      ++of_stages;
      CHECK(*stage == "choose");
      CHECK(check.at("questions").to_number<int>() > 0);
      CHECK(check.at("legal_at_once") == check.at("questions"));
      CHECK(check.at("refusal").is_null());
    }
  CHECK(of_stages == 3);
}

TEST_CASE("check-agent says at which stage of a game a program fails, and why") {
  const Folder folder;
  const Ended nonsense = checked(folder, "bargaining", bot(R"py(
    if question.stage == "sell": return {"offer": 5}
)py"));
  INFO(nonsense.out << nonsense.err);
  CHECK(nonsense.code == 1);
  for (const char* preset : {"agon", "paper", "published-code"}) {
    check_has(nonsense.out, {std::string("ok      answers 'buy' of preset '") + preset,
                             std::string("FAILED  answers 'sell' of preset '") + preset});
  }
  check_has(nonsense.out,
            {" 0 answered legally at the first attempt, ", R"(; it said {"offer":5})"});
  check_lacks(nonsense.out, {"plays to the end", "--game GAME"});

  // Against the rules at the first attempt alone: a schema does not say all of them.
  folder.write("pick.py", kPick);
  const auto odd = [&](const std::string& when, const std::string& what) {
    const Ended ended = checked(
        folder, "./pick.py",
        bot("    return " + what + " if question.number == 1 and " + when + " else {\"x\": 4}\n"));
    INFO(ended.err);
    CHECK(ended.code == (contains(ended.out, "FAILED") ? 1 : 0));
    return ended.out;
  };
  CHECK(contains(odd("question.attempt == 0", "{\"x\": 3}"),
                 "ok      answers 'pick': 10 questions, 5 answered legally at the first attempt; "
                 "turned down: question 1, seat 0: illegal: an odd number; it said {\"x\":3}\n"));
  CHECK(contains(odd("True", "{\"x\": 3}"),
                 "FAILED  answers 'pick': 10 questions, 5 answered legally at the first attempt, 5 "
                 "failed; turned down: question 1, seat 0: illegal: an odd number"));
  CHECK(contains(odd("question.attempt == 0", "{\"y\": 3}"),
                 "FAILED  answers 'pick': 10 questions, 5 answered legally at the first attempt, 5 "
                 "failed; turned down: question 1, seat 0: unparsable: "));

  const Ended declined = checked(folder, "bargaining", bot("    return None\n"));
  CHECK(declined.code == 1);
  check_has(declined.out,
            {"refused: this question cannot be declined", "ok      ends when it is told to"});
}

TEST_CASE("check-agent gives a match up in which a program breaks again and again") {
  const Folder folder;
  const Ended once = checked(folder, "bargaining", bot("    if len(asked) > 1: os._exit(3)\n"));
  INFO(once.out << once.err);
  CHECK(once.code == 1);
  check_has(once.out, {"1 failed; turned down: question ",
                       "crashed: the agent 'python3' ended before it answered '",
                       "it exited with status 3\n"});
  CHECK_FALSE(contains(once.out, "plays to the end"));
  // Where all seats are asked at once, more than one of them finds it broken.
  const Ended at_once = checked(folder, "guess-average", bot("    os._exit(3)\n"));
  INFO(at_once.out << at_once.err);
  CHECK(at_once.code == 1);
  CHECK(contains(at_once.out, "FAILED  plays to the end of preset 'agon': the match was stopped"));

  // Every question costs the time that an answer may take: only few are asked.
  folder.write("pick.py", kPick);
  const Ended silent =
      folder.agon({"check-agent", "--seconds", "3", "--game", "./pick.py", "sh", "-c",
                   R"(echo '{"type":"hello","protocol":1}'; cat >/dev/null)"});
  INFO(silent.out << silent.err);
  CHECK(silent.code == 1);
  CHECK(contains(silent.out,
                 "FAILED  answers 'pick': 2 questions, 0 answered legally at the first attempt, 2 "
                 "failed; turned down: question 0, seat 0: timed_out: "));

  const Ended stopped = checked(folder, "./pick.py", bot("    raise SystemExit(4)\n"));
  INFO(stopped.out << stopped.err);
  CHECK(stopped.code == 1);
  CHECK(contains(stopped.out, "it exited with status 4"));
}

TEST_CASE("check-agent tells a program how a match ended") {
  const Folder folder;
  folder.write("pick.py", kPick);
  const auto learns = [](const std::string& figure) {
    return bot("    return {\"x\": 4}\n",
               ", over=lambda ending: 1 / (ending.payoff == " + figure + ")");
  };
  const Ended good = checked(folder, "./pick.py", learns("8"));
  INFO(good.out << good.err);
  CHECK(good.code == 0);
  // A run would not say that it broke: its process is replaced before the next match.
  const Ended bad = checked(folder, "./pick.py", learns("7"));
  INFO(bad.out << bad.err);
  CHECK(bad.code == 1);
  check_has(bad.out, {"FAILED  takes how a match ended: it ended: ", "ZeroDivisionError",
                      "ok      answers 'pick'"});
  const Ended any = folder.agon({"check-agent", "python3", "bot.py"});
  CHECK(contains(any.out, "FAILED  takes how a match ended: it ended: "));
}

TEST_CASE("check-agent finds the game of a plugin, and says what it cannot find") {
  const Folder folder;
  folder.write("pick.py", kPick);
  const std::string four = bot("    return {\"x\": 4}\n");
  for (const auto& [game, plugin] :
       {std::pair<std::string, Words>{"./pick.py", {}}, {"pick", {"--plugin", "pick.py"}}}) {
    const Ended ended = checked(folder, game, four, plugin);
    INFO(ended.out << ended.err);
    CHECK(ended.code == 0);
    check_has(ended.out, {"answers 'pick': 10 questions, 10 answered legally at the first",
                          "not tried: 'later', which no preset asked"});
  }
  const auto refused = [&](const std::string& game, Words more, int code, const std::string& says) {
    const Ended ended = checked(folder, game, four, std::move(more));
    INFO(ended.out << ended.err);
    CHECK(ended.code == code);
    CHECK(ended.out.empty());
    CHECK(contains(ended.err, says));
  };
  refused("barganing", {}, 3, "did you mean 'bargaining'");
  refused("pick", {"--plugin", "none.py"}, 3, "none.py");
  refused("pick", {"--game", "bargaining"}, 2, "--game was given more than once");
  CHECK(folder.agon({"check-agent", "--plugin", "pick.py", "true"}).code == 2);
  CHECK(folder.agon({"check-agent", "--game"}).code == 2);
}
