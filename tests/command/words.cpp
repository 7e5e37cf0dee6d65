#include <sys/wait.h>

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"

using namespace command_test;

namespace {

/// One wrong call, what it must say and how it must end. Nothing is to come out on standard output.
struct WrongCall {
  Words call;
  int code;
  std::string says;
};

void check_call(const Folder& folder, const WrongCall& w) {
  std::string call;
  for (const std::string& word : w.call) call += " " + word;
  INFO("agon" << call);
  const Ended ended = folder.agon(w.call);
  INFO(ended.err);
  CHECK(ended.code == w.code);
  CHECK(ended.out.empty());
  CHECK(contains(ended.err, w.says));
  CHECK(ended.err.starts_with("agon: error: "));
  CHECK(ended.err.ends_with("\n"));
}

}  // namespace

TEST_CASE("a wrong word is named, with the nearest right one") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining"})"));
  const std::vector<WrongCall> all{
      {{"lst"}, 2, "agon: error: unknown command 'lst'\nhint: did you mean 'list'?\n"},
      {{"xyzzy"}, 2, "unknown command 'xyzzy'\nhint: see 'agon --help'\n"},
      {{"run"}, 2, "missing SUITE"},
      {{"run", "s.json", "--jobz", "2"},
       2,
       "unknown option '--jobz'\nhint: did you mean '--jobs'?"},
      {{"run", "s.json", "--job", "2"}, 2, "unknown option '--job'\nhint: did you mean '--jobs'?"},
      {{"run", "s.json", "--jobs"}, 2, "--jobs requires a value: N"},
      {{"run", "s.json", "--jobs", "0"},
       2,
       "invalid value '0' for --jobs; expected a whole number from 1 to 65536"},
      {{"run", "s.json", "--jobs", "two"}, 2, "invalid value 'two' for --jobs"},
      {{"run", "s.json", "--jobs", "1", "--jobs", "2"}, 2, "duplicate option '--jobs'"},
      {{"run", "s.json", "more"}, 2, "unexpected argument 'more'"},
      {{"run", "none.json"}, 3, "none.json: file not found"},
      {{"list", "game"}, 2, "invalid value 'game' for WHAT; expected one of games, agents"},
      {{"describe", "bargain"}, 3, "hint: did you mean 'bargaining'?"},
      {{"describe", "survivr"}, 3, "hint: did you mean 'survivor'?"},
      {{"play", "poker"}, 3, "unknown game 'poker'"},
      {{"play", "bargaining", "--seed", "-1"}, 2, "invalid value '-1' for --seed"},
      {{"play", "bargaining", "--seed", "1.5"}, 2, "invalid value '1.5' for --seed"},
      {{"play", "bargaining", "--preset", "papr"}, 5, "(did you mean 'paper'?)"},
      {{"show", "none.agon"}, 3, "archive not found"},
      {{"bench", "--signature", "--milliseconds", "10"},
       2,
       "--signature conflicts with --milliseconds"},
      {{"bench", "--signature", "--recorded", "1"}, 2, "--signature conflicts with --recorded"},
      {{"bench", "s.json", "--signature"}, 2, "--signature conflicts with SUITE"},
      {{"report", "none.agon", "--refrence", "x"}, 2, "hint: did you mean '--reference'?"},
      {{"replay", "none.agon"}, 3, "archive not found"},
      {{"report", "none.agon"}, 3, "archive not found"},
      {{"export", "none.agon"}, 3, "archive not found"},
      {{"doctor", "none.agon"}, 3, "file not found"},
      {{"import", "deal-or-no", "x"}, 3, "(did you mean 'deal-or-no-deal'?)"},
      {{"import", "deal-or-no-deal", "none.txt"}, 3, "none.txt: file not found"},
      {{"new", "suit", "x"}, 2, "invalid value 'suit' for WHAT; expected suite, game or agent"},
      {{"new", "suite", "no/such/x"}, 1, "cannot write"},
      {{"new", "suite", "x", "--game", "auction"}, 3, "unknown game 'auction'"},
      {{"bench", "--jobs", "-3"}, 2, "invalid value '-3' for --jobs"},
      {{"list", "--plugin", "none.so"}, 3, "none.so"},
      {{"run", "s.json", "--until", ""},
       2,
       "--until requires a value, but got an empty one\nhint: set"},
      {{"run", "s.json", "--agent", ""}, 2, "--agent requires a value, but got an empty one"},
      {{"report", "none.agon", "--reference", ""},
       2,
       "--reference requires a value, but got an empty one"},
      {{"report", "none.agon", "--metagame", ""},
       2,
       "--metagame requires a value, but got an empty one"},
  };
  for (const WrongCall& w : all) check_call(folder, w);
}

TEST_CASE("what is data goes to standard output, all else to standard error") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 2})"));
  const Ended run = folder.succeeds({"run", "s.json"});
  CHECK(run.out.empty());
  check_has(run.err, {"4 of 4 matches", "next: agon report s.agon"});
  const Ended quiet = folder.agon({"run", "s.json", "--quiet"});
  CHECK(contains(quiet.err, "4 of 4 matches"));
  CHECK_FALSE(contains(quiet.err, "next:"));
  const Ended reported = folder.succeeds({"run", "s.json", "--report"});
  CHECK(reported.out == folder.agon({"report", "s.agon"}).out);
  CHECK_FALSE(contains(reported.err, "next:"));
  for (const Words& call : std::vector<Words>{{"list"},
                                              {"show", "s.agon"},
                                              {"show", "s.agon", "1"},
                                              {"report", "s.agon"},
                                              {"export", "s.agon"},
                                              {"replay", "s.agon"},
                                              {"doctor", "s.agon"},
                                              {"play", "water-allocation"}}) {
    INFO(call.front());
    const Ended ended = folder.succeeds(call);
    CHECK_FALSE(ended.out.empty());
    CHECK(ended.err.empty());
  }
}

TEST_CASE("with --json there is one JSON value on standard output") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 2})"));
  const auto parsed = [&](const Words& call) {
    INFO(call.front());
    const Ended ended = folder.succeeds(call);
    CHECK((ended.err.empty() || ended.err == "next: agon report s.agon\n"));
    return json_of(ended.out);
  };
  const auto listed = parsed({"list", "--json"});
  // A plugin a game, and those of the agents.
  const std::size_t agents = 3;
  std::size_t games = 0;
  for (const auto& folder_of_game :
       std::filesystem::directory_iterator(std::filesystem::path(AGON_TEST_SOURCE) / "games"))
    games += std::filesystem::exists(folder_of_game.path() / "game.cpp") ? 1 : 0;
  CHECK(games > 5);
  CHECK(listed.at("games").as_array().size() >= games);
  // And the importers, in Python.
  CHECK(listed.at("plugins").as_array().size() == games + agents + 1);
  CHECK(listed.as_object().size() == 6);
  const auto kits = [&](const std::string& file) {
    for (const auto& plugin : listed.at("plugins").as_array())
      if (plugin.at("path").as_string().ends_with("/" + file))
        return plugin.at("sdk_modules").as_array();
    return boost::json::array{"there is no such plugin"};
  };
  CHECK(kits("llm.so") == boost::json::array{"model"});
  CHECK(kits("water-allocation.so") == boost::json::array{"analysis"});
  CHECK(kits("agents.so").empty());
  CHECK(parsed({"list", "games", "--json"}).as_object().size() == 1);
  CHECK(parsed({"play", "bargaining", "--json"}).at("seats").as_array().size() == 2);
  CHECK(parsed({"run", "s.json", "--json"}).at("played").as_int64() == 4);
  CHECK(parsed({"run", "s.json", "--json"}).at("before").as_int64() == 4);
  CHECK(parsed({"show", "s.agon", "--json"}).as_array().size() == 4);
  CHECK(parsed({"show", "s.agon", "1", "--json"}).is_array());
  const auto replayed = parsed({"replay", "s.agon", "--json"});
  CHECK(replayed.at("same").as_int64() == 4);
  CHECK(replayed.at("differences").as_array().empty());
  CHECK(parsed({"report", "s.agon", "--json"}).is_object());
  CHECK(parsed({"doctor", "--json"}).at("fine").as_bool());
  CHECK(parsed({"doctor", "s.agon", "--json"}).at("fine").as_bool());
  CHECK(parsed({"bench", "--signature", "--json"}).at("signature").as_string().size() == 16);
}

TEST_CASE("colours and progress are for terminals only") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "water-allocation", "blocks": 2})"));
  const Start colourful = {.environment = {{"TERM", "xterm-256color"}, {"NO_COLOR", ""}}};
  const Ended run = folder.agon({"run", "s.json", "--report"}, colourful);
  for (const Words& call : std::vector<Words>{
           {"list"}, {"describe", "bargaining"}, {"show", "s.agon", "1"}, {"report", "s.agon"}}) {
    const Ended ended = folder.agon(call, colourful);
    CHECK_FALSE(contains(ended.out + ended.err, "\x1b"));
  }
  CHECK_FALSE(contains(run.out + run.err, "\x1b"));

  Terminal bold({"list"}, folder.start(colourful));
  CHECK(bold.end() == 0);
  CHECK(contains(bold.shown(), "\x1b[1m"));
  Terminal plain({"list"}, folder.start({.environment = {{"TERM", "xterm"}, {"NO_COLOR", "1"}}}));
  CHECK(plain.end() == 0);
  CHECK_FALSE(contains(plain.shown(), "\x1b"));
  Terminal dumb({"list"}, folder.start({.environment = {{"TERM", "dumb"}, {"NO_COLOR", ""}}}));
  CHECK(dumb.end() == 0);
  CHECK_FALSE(contains(dumb.shown(), "\x1b"));
}

TEST_CASE("a terminal sees how far a run is") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction", "blocks": 1000000})"));
  Terminal run({"run", "s.json", "--jobs", "2"},
               folder.start({.environment = {{"TERM", "xterm"}}}));
  CHECK(run.sees("of 8000000 matches"));
  CHECK(run.sees(" a second"));
  run.type("\x03");
  CHECK(run.end() == 130);
}

TEST_CASE("a reader that goes away is no error") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction", "blocks": 3})"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  // `head` reads one line and goes; far more than a pipe holds is still to come.
  for (const std::string rest : {"list --json", "describe english-auction --json", "show s.agon 1",
                                 "export s.agon --rows records --format jsonl", "export s.agon"}) {
    const std::string shell = "{ '" + command_path() + "' " + rest +
                              " ; echo $? > code; } 2> err | " +
                              (contains(rest, "export") ? "true" : "head -n 1 > first");
    INFO(rest);
    CHECK(WEXITSTATUS(std::system(("cd '" + folder.path().string() + "' && " + shell).c_str())) ==
          0);
    CHECK(folder.read("err").empty());
    const std::string code = folder.read("code");
    CHECK((code == "0\n" || code == "141\n"));  // 141: as a shell reports SIGPIPE
  }
}

TEST_CASE("output that cannot be written is an error") {
  if (!std::ofstream("/dev/full")) SKIP("there is no /dev/full here");
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining"})"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  for (const std::string rest : {"list", "show s.agon", "export s.agon", "--help"}) {
    INFO(rest);
    const std::string shell =
        "'" + command_path() + "' " + rest + " > /dev/full 2> err; echo $? > code";
    (void)std::system(("cd '" + folder.path().string() + "' && " + shell).c_str());
    CHECK(folder.read("code") == "1\n");
    CHECK(contains(folder.read("err"), "agon: error: "));
    CHECK(count(folder.read("err"), "\n") == 1);
  }
}

TEST_CASE("words: an option that was renamed works under its old name, with a warning") {
  const Folder folder;
  struct Renamed {
    std::vector<std::string> call;
    std::string was, is;
  };
  const std::vector<Renamed> all{
      {{"run", "--isolate", "auto"}, "isolate", "sandbox"},
      {{"report", "--against=x"}, "against", "reference"},
      {{"report", "--policy", "forfeit"}, "policy", "fault-policy"},
      {{"export", "--policy", "forfeit"}, "policy", "fault-policy"},
      {{"run", "--retry-set-aside"}, "retry-set-aside", "retry-quarantined"},
      {{"report", "--meta", "x"}, "meta", "metagame"},
      {{"report", "--meta-agents", "x"}, "meta-agents", "metagame-agents"},
      {{"report", "--seats-apart"}, "seats-apart", "asymmetric"},
      {{"report", "--table", "x"}, "table", "paper-table"},
      {{"report", "--papers"}, "papers", "with-paper-tables"},
      {{"report", "--list-tables"}, "list-tables", "list-paper-tables"},
      {{"export", "--all"}, "all", "all-suites"},
      {{"judge", "--read", "x"}, "read", "forms"},
      {{"new", "--in", "x"}, "in", "directory"},
      {{"serve", "--host", "x"}, "host", "public-host"}};
  for (const Renamed& option : all) {
    std::vector<std::string> call = option.call;
    call.emplace_back("--help");
    const Ended ended = folder.agon(call);
    INFO(option.was << ": " << ended.err);
    CHECK(ended.code == 0);
    CHECK(ended.err == "warning: --" + option.was + " is now --" + option.is + "\n");
    CHECK(contains(ended.out, "  --" + option.is + " "));
    CHECK_FALSE(contains(ended.out, "  --" + option.was + " "));
  }
  // The new name says nothing, and where a command has an option of the old name it keeps it.
  CHECK(folder.agon({"report", "--reference", "x", "--help"}).err.empty());
  CHECK(contains(folder.agon({"run", "--all"}).err, "unknown option '--all'"));
  // Both do the same.
  folder.write("s.json", suite(R"({"game": "bargaining"})"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "s.agon", "--quiet"}).code == 0);
  const Ended old_name = folder.agon({"export", "s.agon", "--all", "--policy=forfeit"});
  const Ended new_name =
      folder.agon({"export", "s.agon", "--all-suites", "--fault-policy=forfeit"});
  CHECK(old_name.code == 0);
  CHECK(old_name.out == new_name.out);
}
