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
    "design": {"focal": ["py", "sh"], "field": "ref", "blocks": 1},
    "scenarios": [{"game": "english-auction"}, {"game": "water-allocation"},
                  {"game": "bargaining"}, {"game": "deal-or-no-deal"}]})";
  folder.write("s.json", text);
  const Ended four = folder.agon({"run", "s.json", "--jobs", "4", "--out", "four.agon", "--trust"});
  INFO(four.err);
  REQUIRE(four.code == 0);
  const auto rows = lines(folder.agon({"export", "four.agon", "--format", "jsonl"}).out);
  REQUIRE(rows.size() > 12);
  for (const std::string& row : rows) {
    INFO(row);
    CHECK(contains(row, "\"forced\":0"));
    CHECK(contains(row, "\"crashed\":0"));
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
  const Ended run = folder.agon({"run", "inner/s.json", "--trust"});
  INFO(run.err);
  CHECK(run.code == 0);
  // On the command line that is the folder one is in.
  const Ended play = folder.agon(
      {"play", "bargaining", "--seat", "0=external:command=python3 inner/mine.py,per_match=true"});
  INFO(play.err);
  CHECK(play.code == 0);
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
                 "no option 'timd'; it has: timid"));
  CHECK(contains(refusal("{\"command\": [" + bot + "], \"options\": {\"timid\": \"yes\"}}"),
                 "must be of type boolean, not \"yes\""));
}

TEST_CASE("check-agent goes through the protocol point by point") {
  const Ended good = command_test::agon({"check-agent", "python3", kSamples + "bot.py"});
  INFO(good.out << good.err);
  CHECK(good.code == 0);
  CHECK_FALSE(contains(good.out, "FAILED"));
  CHECK(contains(good.out, " 1  ok      starts and says hello: bot.py, protocol 1"));
  CHECK(contains(good.out, "all 22 points are kept"));

  const Ended json = command_test::agon({"check-agent", "--json", "python3", kSamples + "bot.py"});
  CHECK(json.code == 0);
  const auto list = json_of(json.out).as_object();
  CHECK(list.at("passed") == true);
  CHECK(list.at("checks").as_array().size() == 22);
  CHECK(list.at("checks").at(2).at("check") == "answers a ping");

  // The shell's sample knows its four games only: not what is asked here.
  const Ended shell = command_test::agon({"check-agent", kSamples + "bot.sh"});
  CHECK(shell.code == 1);
  CHECK(contains(shell.out, " 3  ok      answers a ping"));
  CHECK(contains(shell.out, "FAILED  answers with numbers"));
  CHECK(contains(shell.out, "ok      ends at the end of its standard input"));
}

TEST_CASE("check-agent says what is wrong with a program") {
  const auto said = [](const std::string& script) {
    const Ended ended = command_test::agon({"check-agent", "--seconds", "20", "sh", "-c", script});
    CHECK(ended.code == 1);
    // Every point, whatever fails.
    CHECK(count(ended.out, "  ok      ") + count(ended.out, "  FAILED  ") == 22);
    CHECK(contains(ended.out, "An agent that knows the stages of one game fails them"));
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
  CHECK(contains(help.out, "Usage: agon check-agent [--json]"));
  CHECK(contains(command_test::agon({"check-agnt", "x"}).err, "did you mean 'check-agent'"));
}
