// What `agon new game` and `agon new agent` make and refuse; that it builds and plays is tried by
// plugins/new.sh.

#include <sys/stat.h>

#include <boost/json/array.hpp>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// What the command wrote to standard output, with a PATH that leads to no `agon`.
std::string made(const Folder& folder, Words words) {
  words.insert(words.begin(), "new");
  return folder.succeeds(words, {.environment = {{"PATH", "/usr/bin:/bin"}}}).out;
}

/// `to` in the place of `from`, which a file has once.
void change(const Folder& folder, const std::string& file, const std::string& from,
            const std::string& to) {
  std::string text = folder.read(file);
  REQUIRE(count(text, from) == 1);
  folder.write(file, text.replace(text.find(from), from.size(), to));
}

void refuses(const Folder& folder, Words words, int code, const std::string& says) {
  words.insert(words.begin(), "new");
  const Ended ended = folder.agon(words);
  INFO(ended.err);
  CHECK(ended.code == code);
  CHECK(contains(ended.err, says));
  CHECK(ended.out.empty());
}

}  // namespace

TEST_CASE("a new game is the template under another name") {
  const Folder folder;
  const std::string commands = made(folder, {"game", "third-price"});
  const std::string place = std::filesystem::path(command_path()).parent_path().string();
  CHECK(lines(commands).at(0) == "export PATH=" + place + "\"${PATH:+:$PATH}\"");
  CHECK(lines(commands).at(1) == "cd third-price");
  check_has(commands, {"\n./test.sh\n", "\nagon check ./third_price_game.py\n",
                       "\nagon play ./third_price_game.py\n"});
  const std::string game = folder.read("third-price/third_price_game.py");
  CHECK(contains(game, "agon.game(\"third-price\", play, title=\"Third price\""));
  struct stat script {};
  REQUIRE(::stat(folder.at("third-price/test.sh").c_str(), &script) == 0);
  CHECK((script.st_mode & S_IXUSR) != 0);
  for (const auto& file : std::filesystem::directory_iterator(folder.at("third-price"))) {
    INFO(file.path().string());
    CHECK_FALSE(contains(file.path().filename().string(), "ultimatum"));
    // Its rules are still those of the ultimatum game, and only the README says so.
    if (file.path().filename() != "README.md")
      CHECK_FALSE(contains(read_file(file.path()), "ltimatum"));
  }
  CHECK(folder.agon({"play", "./third-price/third_price_game.py"}).code == 0);
}

TEST_CASE("names that would be words of a language are none in the files") {
  const Folder folder;
  CHECK(contains(made(folder, {"game", "signal"}), "./signal_game.py"));
  CHECK(contains(made(folder, {"game", "auto", "--language", "cpp"}), "build/auto_game.so"));
  check_has(folder.read("auto/auto_game.cpp"),
            {"namespace auto_game {", "AGON_GAME(\"auto\", auto_game::play"});
  CHECK(contains(made(folder, {"agent", "my-agent"}), "my_agent.py"));
}

TEST_CASE("a new agent knows the stages of the game that it is for") {
  const Folder folder;
  (void)made(folder, {"agent", "any"});
  CHECK_FALSE(contains(folder.read("any/any_agent.py"), "== \"take\""));
  CHECK(contains(folder.read("any/any_agent.py"), "# By stage:"));
  (void)made(folder, {"agent", "mine", "--game", "deal-or-no-deal"});
  const std::string python = folder.read("mine/mine_agent.py");
  CHECK(contains(python, "    if question.stage == \"take\":  # present privately what you take"));
  CHECK_FALSE(contains(python, "# By stage:"));
  CHECK(contains(folder.read("mine/suite.json"), "\"game\": \"deal-or-no-deal\""));
  (void)made(folder, {"agent", "ours", "--game", "deal-or-no-deal", "--language", "cpp"});
  const std::string cpp = folder.read("ours/ours_agent.cpp");
  check_has(cpp, {"    if (question.stage() == \"take\") return question.draw();\n",
                  ".game = \"deal-or-no-deal\","});
  CHECK_FALSE(contains(cpp, "belief"));  // a probe
  CHECK_FALSE(contains(cpp, "// By stage:"));
}

TEST_CASE("the test of a new agent asks the stages of its game") {
  const Folder folder;
  // What it printed, and whether it passed.
  const auto tested = [&](const std::string& name) {
    const int code =
        shell(folder, "XDG_STATE_HOME=. ./" + name + "/test.sh \"$AGON\" > printed 2>&1");
    return std::pair(folder.read("printed"), code == 0);
  };
  for (const std::string game : {"deal-or-no-deal", "guess-average"}) {
    const std::string name = "of-" + game;
    CHECK(contains(made(folder, {"agent", name, "--game", game}),
                   "\nagon check-agent --game " + game + " python3 "));
    change(folder, name + "/suite.json", "\"blocks\": 20", "\"blocks\": 1");
    const auto [printed, passed] = tested(name);
    INFO(printed);
    CHECK(passed);
    CHECK(contains(printed, "points are kept\n"));
    CHECK_FALSE(contains(printed, "answers with numbers"));
  }
  // An answer that one of its stages does not take.
  change(
      folder, "of-deal-or-no-deal/of_deal_or_no_deal_agent.py",
      "    if question.stage == \"take\":",
      "    if question.stage == \"take\": return {\"x\": 7}\n    if question.stage == \"take\":");
  const auto [printed, passed] = tested("of-deal-or-no-deal");
  INFO(printed);
  CHECK_FALSE(passed);
  check_has(printed, {"FAILED  answers 'take' of preset 'agon'",
                      "FAILED: the agent does not keep to the protocol\n"});
}

TEST_CASE("a new agent for a game in a file plays it by the commands that are told") {
  const Folder folder;
  (void)made(folder, {"game", "mine"});
  const std::string game = folder.at("mine/mine_game.py").string();
  // By its file, or by its name where the plugin is named.
  for (const Words& words : {Words{"agent", "bold", "--game", "./mine/mine_game.py"},
                             {"agent", "shy", "--game", "mine", "--plugin", "mine/mine_game.py"}}) {
    const std::string commands = made(folder, words);
    INFO(commands);
    CHECK_FALSE(contains(commands, "AGON_PLUGIN_PATH"));
    check_has(commands, {"\nagon play " + game + " --agent ",
                         "\nagon check-agent --game " + game + " python3 "});
    const std::string suite = words[1] + "/suite.json";
    CHECK(contains(folder.read(suite), "\"game\": \"" + game + "\""));
    CHECK(contains(folder.read(words[1] + "/README.md"), "agon describe mine --plugin " + game));
    folder.succeeds({"run", suite, "--trust", "--quiet", "--blocks", "1"});
  }
  (void)made(folder, {"agent", "own", "--game", "./mine/mine_game.py", "--language", "cpp"});
  const std::string test = folder.read("own/test.sh");
  check_has(test,
            {" play " + game + " --plugin \"$plugin\" --agent own", "suite.json\" --trust --plugin",
             "own.agon\" --plugin " + game + " --plugin \"$plugin\""});
}

TEST_CASE("what new makes is told as JSON") {
  const Folder folder;
  std::filesystem::create_directory(folder.at("a b"));
  const auto told = json_of(made(folder, {"game", "mine", "--directory", "a b", "--json"}));
  CHECK(told.at("game") == "mine");
  CHECK(told.at("folder") == "a b/mine");
  CHECK(told.at("commands").at(1) == "cd 'a b/mine'");
  for (const auto& file : told.at("files").as_array())
    CHECK(folder.has(std::string(file.as_string())));
  CHECK(told.at("files").as_array().size() == 4);
}

TEST_CASE("nothing is overwritten, and names are checked before anything is made") {
  const Folder folder;
  (void)made(folder, {"game", "mine"});
  const std::string before = folder.read("mine/mine_game.py");
  folder.write("mine/mine_game.py", before + "# changed\n");
  refuses(folder, {"game", "mine"}, 1, "mine: the folder already exists\nhint: choose");
  CHECK(folder.read("mine/mine_game.py") == before + "# changed\n");
  for (const char* name : {"My-Game", "my game", "3-card", "-", "a--b", "a-", "../a", "a_b"})
    refuses(folder, {"game", "--", name}, 2, "invalid name '" + std::string(name) + "'");
  refuses(folder, {"game", "bargaining"}, 1, "game 'bargaining' already exists");
  refuses(folder, {"agent", "random"}, 1, "agent 'random' already exists");
  refuses(folder, {"game", "llm"}, 1, "plugin 'llm' already exists");
  refuses(folder, {"game", "x", "--language", "c"}, 2,
          "invalid value 'c' for --language; expected python or cpp");
  refuses(folder, {"game", "x", "--game", "bargaining"}, 2,
          "--game requires agon new suite or agon new agent");
  refuses(folder, {"agent", "x", "--game", "barganing"}, 3, "did you mean 'bargaining'");
  refuses(folder, {"agent", "x", "--game", "bargaining", "--game", "classic"}, 2, "one game");
  refuses(folder, {"suite", "x", "--directory", "."}, 2, "--directory requires agon new game");
  refuses(folder, {"suite", "x", "--language", "cpp"}, 2, "--language requires agon new game");
  refuses(folder, {"thing", "x"}, 2, "invalid value 'thing' for WHAT");
  refuses(folder, {"game", "x", "--directory", "nowhere"}, 1, "make its folder first");
  refuses(folder, {"game", "x", "--directory", "mine/README.md"}, 1, "Not a directory");
  CHECK_FALSE(folder.has("x"));
}

TEST_CASE("a new game whose files cannot all be written leaves nothing behind") {
  const Folder folder;
  folder.refuses({"new", "game", "mine"}, 1, {"check the free space on the disk"},
                 {.most_file_bytes = 100});
  CHECK_FALSE(folder.has("mine"));
}
