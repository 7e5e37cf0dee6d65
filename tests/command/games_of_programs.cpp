// A game that is a program: named by its file, in suites too, and played, kept, taken up again and
// shown like any other.

#include <csignal>
#include <filesystem>
#include <map>

#include "catch.hpp"
#include "command/folder.hpp"
#include "text/words.hpp"

using namespace command_test;

namespace fs = std::filesystem;

namespace {

/// The ultimatum game of the template, with a telling.
constexpr const char* kGame = R"py(
from dataclasses import dataclass
import agon
print("made of lines")
@dataclass
class Settings:
    pie: int = agon.field(10, "coins to split", min=1, unit="coins")
@dataclass
class Offer:
    give: int = agon.field(0, "coins you hand over", unit="coins")
@dataclass
class Reply:
    accept: bool = agon.field(False, "true takes the offer, false leaves both with nothing")
OFFER = agon.Stage("offer", Offer, "how many coins you hand over")
REPLY = agon.Stage("reply", Reply, "whether you take the offer")
def tell(event, scene):
    return scene.does(0, "hands", "hand") + " over " + str(event.give) + "."
OFFERED = agon.Event("offer", Offer, "what seat 0 hands over", telling=tell)
def play(table: agon.Table[OFFER, REPLY, OFFERED], s: Settings):
    offer = table.ask(0, OFFER, agon.limit("give", 0, s.pie))
    table.announce(OFFERED, offer)
    taken = table.ask(1, REPLY).accept
    return [agon.SeatScore(s.pie - offer.give if taken else 0, disagreement=0, ideal=s.pie),
            agon.SeatScore(offer.give if taken else 0, disagreement=0, ideal=s.pie)]
agon.game("split", play, title="Split", seats=(2, 2), rules="Split {{pie}} coins.",
          disagreement="nothing", ideal="the whole pie")
)py";

/// A suite of the game beside it.
std::string suite(int blocks, const std::string& agents = R"("a": "random", "b": "random")") {
  return R"({"seed": 3, "agents": {)" + agents +
         R"(}, "design": {"round_robin": true, "blocks": )" + std::to_string(blocks) +
         R"(}, "scenarios": [{"game": "./split.py"}]})";
}

}  // namespace

TEST_CASE("a game in a file is played and described by the file's name") {
  const Folder folder;
  folder.write("split.py", kGame);
  const Ended played = folder.succeeds({"play", "./split.py", "--seed", "4", "--json"});
  CHECK(json_of(played.out).at("game").as_string() == "split");
  CHECK(json_of(played.out).at("seats").as_array().size() == 2);
  CHECK(folder.agon({"play", "split.py:split", "--seed", "4", "--json"}).out == played.out);
  folder.write("apart/my:split.py", kGame);
  CHECK(folder.agon({"play", "apart/my:split.py", "--seed", "4", "--json"}).out == played.out);
  CHECK(folder.agon({"play", "split", "--plugin", ".", "--seed", "4", "--json"}).out == played.out);
  CHECK(contains(folder.agon({"describe", "./split.py"}).out, "split: Split"));
  folder.refuses({"play", "split.py:splot"}, 3,
                 {"the plugin brings no game 'splot' (did you mean 'split'?)"});
  folder.refuses({"play", "./nothing.py"}, 3, {"nothing.py: plugin file not found"});
}

TEST_CASE("what a game prints is told where one match is played") {
  const Folder folder;
  const auto play = [&](const std::string& first_line) {
    std::string code = kGame;
    code.insert(code.find("    offer = "), "    " + first_line + "\n");
    folder.write("split.py", code);
    return folder.agon({"play", "./split.py", "--json"});
  };
  const Ended sound = play(R"(print("pie", s.pie, "\n\x1bagon: it is ours"))");
  CHECK(sound.code == 0);
  check_has(sound.err, {"the game printed: pie 10 \n  \\x1bagon: it is ours\n",
                        "the game printed: made of lines\n"});
  CHECK(sound.err.find("printed: pie") == sound.err.rfind("printed: pie"));
  const Ended broken = play("print(1 / 0)");
  CHECK(broken.code == 6);
  check_has(broken.err, {"in play\n", " print(1 / 0)\n"});
  CHECK_FALSE(contains(broken.err, "agon_arena"));
  const Ended silent = play("pass");
  CHECK_FALSE(contains(silent.err, "Traceback"));
  folder.write("s.json", suite(1));
  CHECK_FALSE(contains(folder.agon({"run", "s.json", "--trust", "--quiet"}).err, "made of lines"));
}

TEST_CASE("what settings there are is looked up as the game was named") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("sub/s.json",
               R"({"agents": {"a": "random", "b": "default"}, "design": {"round_robin": true},
                   "scenarios": [{"game": "../split.py", "set": {"pies": 1}}]})");
  for (const Words& words :
       {Words{"play", "./split.py", "--set", "pies=1"}, {"play", "./split.py", "--preset", "big"}})
    CHECK(contains(folder.agon(words).err, "see 'agon describe ./split.py'"));
  CHECK(contains(folder.agon({"play", "split", "--plugin", "split.py", "--set", "pies=1"}).err,
                 "see 'agon describe split --plugin split.py'"));
  const std::string in_suite = folder.agon({"plan", "sub/s.json", "--trust"}).err;
  INFO(in_suite);
  CHECK(contains(in_suite, "see 'agon describe sub/../split.py'"));
}

TEST_CASE("a game may have files of the module's name beside it") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("agon.py", "raise SystemExit('not the module')\n");
  for (const char* when : {"always", "never"}) {
    folder.succeeds({"play", "./split.py", "--sandbox", when});
  }
}

TEST_CASE("a file of several games wants one of them named") {
  const Folder folder;
  folder.write("two.py", std::string(kGame) +
                             "agon.game('spilt', play, title='S', seats=(2, 2), rules='R.')\n");
  folder.refuses({"play", "./two.py"}, 3, {"the plugin brings 2 games", "FILE:spilt, FILE:split"});
  CHECK(folder.agon({"play", "./two.py:spilt"}).code == 0);
}

TEST_CASE("a suite that names the file of a game is asked for trust") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("s.json", suite(3));
  folder.refuses({"run", "s.json"}, 4,
                 {"starts " + agon::text::shell_word(folder.at("split.py").string()),
                  "($.scenarios[0].game)"});
  CHECK_FALSE(folder.has("s.agon"));
  CHECK(folder.agon({"plan", "s.json"}).code == 4);
  CHECK(folder.agon({"doctor", "s.json"}).code != 0);
  // Who loads it was not led to it by the suite.
  CHECK(folder.agon({"plan", "s.json", "--plugin", "split.py"}).code == 0);
  CHECK(folder.agon({"run", "s.json", "--plugin", "split.py", "--out", "p.agon"}).code == 0);
  folder.succeeds({"run", "s.json", "--trust"});
  CHECK(content(folder, "s.agon") == content(folder, "p.agon"));
}

TEST_CASE("matches of a game in Python are the same with any number of jobs, and in a replay") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("s.json", suite(40));
  REQUIRE(folder.agon({"run", "s.json", "--trust", "--jobs", "1", "--out", "one.agon"}).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--trust", "--jobs", "8", "--out", "more.agon"}).code == 0);
  CHECK(content(folder, "one.agon") == content(folder, "more.agon"));
  const Ended replayed = folder.succeeds({"replay", "more.agon", "--plugin", "split.py"});
  CHECK(contains(replayed.out + replayed.err, "come out byte for byte the same"));
  folder.refuses({"replay", "more.agon"}, 3,
                 {"there is no game 'split'; the plugin 'split' brought it",
                  "add --plugin " + agon::text::shell_word(folder.at("split.py").string())});
  // What it holds is read without the plugin; with it, in the game's words.
  CHECK(contains(folder.agon({"show", "more.agon", "1"}).out, "offer: give "));
  CHECK(contains(folder.agon({"show", "more.agon", "1", "--plugin", "split.py"}).out, " over "));
  CHECK(folder.agon({"report", "more.agon"}).code == 0);
  CHECK(folder.agon({"export", "more.agon", "--out", "exported"}).code == 0);
}

TEST_CASE("matches from before a plugin was changed are taken with a warning") {
  const Folder folder;
  const auto run = [&] { return folder.succeeds({"run", "s.json", "--trust", "--quiet"}).err; };
  const std::string warning =
      "split.py was changed since matches of 'split' in this archive were played";
  folder.write("split.py", kGame);
  folder.write("s.json", suite(2));
  CHECK_FALSE(contains(run(), "warning"));
  CHECK_FALSE(contains(run(), "warning"));
  folder.write("split.py", std::string(kGame) + "# edited\n");
  CHECK(contains(run(), warning));
  // Until all of them are of one file.
  CHECK(contains(run(), warning));
  std::string raised = kGame;
  const std::size_t at = raised.find("agon.game(\"split\", play, ");
  REQUIRE(at != std::string::npos);
  raised.insert(raised.find("play, ", at) + 6, "version=2, ");
  folder.write("split.py", raised);
  CHECK_FALSE(contains(run(), "warning"));
  CHECK_FALSE(contains(run(), "warning"));
}

TEST_CASE("a replay with an edited game says that it is not the one that played") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("s.json", suite(2));
  REQUIRE(folder.agon({"run", "s.json", "--trust", "--quiet"}).code == 0);
  const Words replay{"replay", "s.agon", "--plugin", "split.py"};
  std::string edited = kGame;
  const std::size_t at = edited.find("disagreement=0, ideal=s.pie)]");
  REQUIRE(at != std::string::npos);
  edited.replace(at, 28, "disagreement=-1, ideal=s.pie)");
  folder.write("split.py", edited);
  const Ended other = folder.agon(replay);
  INFO(other.out << other.err);
  CHECK(other.code == 1);
  const std::string file = folder.at("split.py").string();
  check_has(other.out, {file + " is not the file that played 'split' here: it was changed",
                        "raise the version"});
  Words as_json = replay;
  as_json.push_back("--json");
  CHECK(std::string(json_of(folder.agon(as_json).out).at("changed_plugins").at(0).as_string()) ==
        file);
  // An edit that changes no match is none to speak of.
  folder.write("split.py", std::string(kGame) + "# edited\n");
  CHECK(folder.agon(replay).code == 0);
  CHECK_FALSE(contains(folder.agon(replay).out, "is not the file"));
}

TEST_CASE(
    "a game that a suite names and that cannot be loaded is told with its place in the suite") {
  const Folder folder;
  folder.write("s.json", suite(1));
  for (const auto& [code, says] : std::map<std::string, std::string>{
           {"", "plugin file not found"},
           {"import agon\n\ndef play(:\n", "(split.py:3)"},
           {"import agon\n", "the file has no game: end it with agon.game("}}) {
    if (!code.empty()) folder.write("split.py", code);
    folder.refuses({"run", "s.json", "--trust"}, 3,
                   {says, "s.json:1:", "($.scenarios[0].game)", folder.at("split.py").string()});
  }
}

TEST_CASE("a script for a stage that no game has is refused before anything is played") {
  const Folder folder;
  folder.write("split.py", kGame);
  const auto run = [&](const std::string& stages) {
    folder.write("s.json",
                 suite(2, R"("a": {"script": {"stages": {)" + stages + R"(}}}, "b": "random")"));
    return folder.agon({"run", "s.json", "--trust", "--quiet"});
  };
  const Ended misspelt = run(R"("ofer": [{"give": 3}])");
  CHECK(misspelt.code == 5);
  check_has(misspelt.err, {"unknown stage 'ofer'", "did you mean 'offer'", "($.agents.a"});
  CHECK_FALSE(folder.has("s.agon"));
  // What seats take along is asked in every game.
  CHECK(run(R"("offer": [{"give": 3}], "take-along": [])").code == 0);
  CHECK(folder.agon({"play", "./split.py", "--seat", R"(0=script:stages={"ofer":[]})"}).code == 5);
}

TEST_CASE("what games print in a run is told at its end") {
  const Folder folder;
  std::string prints = kGame;
  prints.insert(prints.find("    offer = table.ask"), "    print('to split:', s.pie)\n");
  folder.write("split.py", prints);
  folder.write("s.json", suite(2));
  const Ended run = folder.succeeds({"run", "s.json", "--trust"});
  check_has(run.err, {"games printed, the last of it", "to split: 10"});
  CHECK(contains(folder.agon({"check", "./split.py", "--only", "card"}).err, "to split: "));
  folder.write("split.py", std::string(kGame).replace(
                               std::string(kGame).find("print(\"made of lines\")"), 22, ""));
  CHECK_FALSE(
      contains(folder.agon({"run", "s.json", "--trust", "--out", "silent.agon"}).err, "printed"));
}

TEST_CASE("a run of a game in Python is taken up again after it was killed") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("s.json", suite(400));
  const Words run{"run", "s.json", "--trust", "--jobs", "2", "--out", "killed.agon"};
  {
    Child child(run, folder.start());
    REQUIRE(child.until([&] { return finished(folder.at("killed.agon")) > 0; }));
    child.send(SIGKILL);
    (void)child.end();
  }
  REQUIRE(folder.agon(run).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--trust", "--out", "whole.agon"}).code == 0);
  CHECK(content(folder, "killed.agon") == content(folder, "whole.agon"));
}

TEST_CASE("models and people sit at the table of a game in Python") {
  const Folder folder;
  folder.write("split.py", kGame);
  folder.write("s.json", suite(2, R"("m": "llm:model=mock/mock", "r": "random")"));
  const Ended run = folder.succeeds({"run", "s.json", "--trust"});
  CHECK(contains(run.err, "model calls"));
  folder.succeeds({"replay", "s.agon", "--plugin", "split.py"});
  const Words judge{"judge", "s.agon", "--records", "2", "--judges", "1", "--per-record", "1"};
  const std::string brought = "the plugin 'split' brought it when it was played; add --plugin ";
  CHECK(contains(folder.agon(judge).err,
                 brought + agon::text::shell_word(folder.at("split.py").string())));
  Words with_plugin = judge;
  with_plugin.insert(with_plugin.end(),
                     {"--plugin", "split.py", "--out", "again", "--key", "again.csv"});
  const Ended judged = folder.succeeds(with_plugin);
  CHECK_FALSE(contains(judged.err, brought));
  const Ended person = folder.succeeds(
      {"play", "./split.py", "--seat", "1=human", "--agent", "default", "--out", "me.agon"},
      {.in = "{\"accept\": true}\nyes\n"});
  CHECK(contains(person.out + person.err, "seat 0 hands over 0."));
}

TEST_CASE("what a game calls things reaches no terminal as control characters") {
  const Folder folder;
  folder.write("red.py", R"py(from dataclasses import dataclass
import agon
@dataclass
class Guess:
    n: int = agon.field(0, "a \x1b[31m number", unit="\x1b[31mcoins")
GUESS = agon.Stage("guess", Guess, "a \x1b[31m guess", who="\x1b[31mall")
def play(table: agon.Table[GUESS]):
    return [agon.SeatScore(table.ask(0, GUESS, agon.limit("n", 2, 9)).n)]
agon.game("red", play, title="\x1b[31mRed", seats=(1, 1), rules="\x1b[31m.", score="\x1b[31m")
)py");
  folder.write("bad/broken.py", "import agon\n# agon.game(\nraise ValueError('\\x1b[31m')\n");
  REQUIRE(folder.agon({"play", "./red.py", "--out", "m.agon"}).code == 0);
  for (const Words& words : {Words{"describe", "./red.py"},
                             {"list", "--plugin", "red.py"},
                             {"show", "m.agon", "1"},
                             {"show", "m.agon", "1", "--plugin", "red.py"},
                             {"check", "./red.py", "--matches", "1"}}) {
    const Ended ended = folder.agon(words);
    INFO(words[0] << ": " << ended.out << ended.err);
    CHECK_FALSE(contains(ended.out + ended.err, "\x1b"));
    if (words[0] != "check") CHECK(ended.code == 0);
  }
  for (const char* command : {"list", "doctor"}) {
    const Ended ended = folder.agon({command}, {.environment = {{"AGON_PLUGIN_PATH", "bad"}}});
    CHECK(contains(ended.out, "broken.py: ValueError: \\x1b[31m"));
    CHECK_FALSE(contains(ended.out + ended.err, "\x1b"));
  }
}

TEST_CASE("a Python file that is no game is refused, with the line") {
  const Folder folder;
  const Folder other;
  folder.write("wrong.py", "import agon\n\ndef play(:\n");
  folder.refuses({"play", "./wrong.py"}, 3, {"wrong.py: SyntaxError: ", "(wrong.py:3)"});
  folder.write("empty.py", "import agon\n");
  folder.refuses({"play", "./empty.py"}, 3,
                 {"empty.py: the file has no game: end it with agon.game("});
  // Beside a game they are passed over where a folder is loaded.
  folder.write("split.py", kGame);
  CHECK(folder.agon({"play", "split", "--plugin", "."}).code == 0);
  // The same plugin in two places: the second cannot be told from the first.
  other.write("split.py", kGame);
  folder.refuses({"list", "--plugin", "split.py", "--plugin", other.at("split.py").string()}, 3,
                 {"there is a plugin named 'split' already"});
}

TEST_CASE("a plugin does not take the name of a shipped game unless it is asked for") {
  const Folder folder;
  std::string game = kGame;
  game.replace(game.find("agon.game(\"split\""), 17, "agon.game(\"bargaining\"");
  folder.write("innocent.py", game);
  folder.write("s.json", R"({"seed": 3, "agents": {"a": "random"}, "scenarios":
    [{"game": "bargaining", "blocks": 2, "design": {"fixed": [["a", "a"]]}}]})");
  const std::string path = folder.at("innocent.py").string();
  for (const Words& words : std::vector<Words>{{"run", "s.json"},
                                               {"plan", "s.json"},
                                               {"play", "bargaining"},
                                               {"doctor", "s.json"},
                                               {"list"},
                                               {"describe", "bargaining"}}) {
    Words given = words;
    given.insert(given.end(), {"--plugin", "innocent.py"});
    const Ended refused = folder.agon(given);
    INFO(words.front() << "\n" << refused.err);
    CHECK(refused.code == 3);
    check_has(refused.err, {"there is a game named 'bargaining' already", "--replace " + path});
  }
  CHECK_FALSE(folder.has("s.agon"));
  // Found and not named: the shipped game is played, and it is said.
  fs::create_directory(folder.at("plugins"));
  fs::rename(path, folder.at("plugins/innocent.py"));
  const Start found{.environment = {{"AGON_PLUGIN_PATH", folder.at("plugins").string()}}};
  const Ended ours = folder.succeeds({"run", "s.json", "--out", "ours.agon"}, found);
  CHECK(contains(ours.err, "innocent.py is not loaded: there is a game named 'bargaining'"));
  CHECK_FALSE(contains(ours.err, "was supplied by"));
  // Asked for: it is played, and run, report and archive say whose it is.
  const Ended theirs = folder.succeeds(
      {"run", "s.json", "--out", "theirs.agon", "--replace", "plugins/innocent.py"});
  check_has(theirs.err, {"The game 'bargaining' was supplied by the plugin '",
                         "innocent.py takes its place, as --replace asks: both bring a game "
                         "named 'bargaining'"});
  CHECK_FALSE(contains(theirs.err, "give one of the two another name"));
  for (const char* format : {"text", "markdown", "json", "csv", "latex"}) {
    INFO(format);
    CHECK(contains(folder.agon({"report", "theirs.agon", "--format", format}).out,
                   "which does not come with Agon"));
    CHECK_FALSE(contains(folder.agon({"report", "ours.agon", "--format", format}).out,
                         "which does not come with Agon"));
  }
  // And what it played is not taken for the shipped game's.
  folder.refuses({"replay", "theirs.agon"}, 3, {"is not Agon's own"});
  CHECK(folder.agon({"replay", "theirs.agon", "--replace", "plugins/innocent.py"}).code == 0);
}

TEST_CASE("a suite cannot ask for a plugin in the place of a shipped one") {
  const Folder folder;
  std::string game = kGame;
  game.replace(game.find("agon.game(\"split\""), 17, "agon.game(\"bargaining\"");
  folder.write("mine.py", game);
  folder.write("s.json", R"({"agents": {"a": "random"}, "scenarios":
    [{"game": "./mine.py", "blocks": 1, "design": {"fixed": [["a", "a"]]}}]})");
  folder.refuses({"run", "s.json", "--trust"}, 3, {"there is a game named 'bargaining' already"});
}
