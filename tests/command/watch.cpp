// `agon play --watch`: what is played again, and when.

#include <csignal>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// A game in Python that asks nothing, whose one seat gets `score`: the ninth line.
std::string game(const std::string& score, const std::string& name = "watched") {
  return R"(from dataclasses import dataclass
import agon
@dataclass
class Over:
    years: int = agon.field(0, "how long it was")
OVER = agon.Event("over", Over, "it is over")
def play(table: agon.Table[OVER]):
    table.announce(OVER, Over(3))
    return [agon.SeatScore()" +
         score + R"()]
agon.game(")" +
         name + R"(", play, title="Watched", seats=(1, 1), rules="Nothing is asked.")
)";
}

/// Puts a file in the place of another at once, as editors do.
void replace(const Folder& folder, const std::string& name, const std::string& text) {
  folder.write("new." + name + ".tmp", text);
  std::filesystem::rename(folder.at("new." + name + ".tmp"), folder.at(name));
}

bool waits(const Child& child, std::size_t times) {
  return count(child.err(), "waiting for a change") == times;
}

}  // namespace

TEST_CASE("a game is played again when its file or one beside it changes") {
  const Folder folder;
  folder.write("g.py", game("12321"));
  Child child({"play", "./g.py", "--watch"}, folder.start());
  REQUIRE(child.until([&] { return waits(child, 1); }));
  CHECK(contains(child.out(), "12321"));

  // What is broken is told with its place, and mended is played on.
  folder.write("g.py", "import agon\n\ndef play(:\n");
  REQUIRE(child.until([&] { return waits(child, 2); }));
  check_has(child.err(), {"changed: g.py\n", "g.py:3"});
  replace(folder, "g.py", game("1 // 0"));
  REQUIRE(child.until([&] { return waits(child, 3); }));
  check_has(child.err(), {"ZeroDivisionError", "g.py:9)"});
  replace(folder, "g.py", game("45654"));
  REQUIRE(child.until([&] { return waits(child, 4); }));
  CHECK(contains(child.out(), "45654"));

  // What it does not import is not looked at: the next change is that of another file.
  folder.write("notes.txt", "none of the game's");
  folder.write("helper.py", "");
  REQUIRE(child.until([&] { return waits(child, 5); }));
  CHECK(count(child.out(), "45654") == 2);
  CHECK(contains(child.err(), "changed: helper.py\n"));
  CHECK_FALSE(contains(child.err(), "notes.txt"));

  child.send(SIGINT);
  CHECK(child.end().code == 130);
}

TEST_CASE("a library is played again when it is built anew, and nothing else beside it") {
  const Folder folder;
  std::filesystem::create_directory(folder.at("built"));
  const std::string plugin = AGON_TEST_PLUGINS "/../../lib/agon/plugins/guess-average.so";
  std::filesystem::copy(plugin, folder.at("built/g.so"));
  for (const Words& words : {Words{"play", "./built/g.so", "--watch"},
                             Words{"play", "guess-average", "--plugin", "built/g.so", "--watch"}}) {
    Child child(words, folder.start());
    REQUIRE(child.until([&] { return waits(child, 1); }));
    std::filesystem::copy(plugin, folder.at("built/other.so"),
                          std::filesystem::copy_options::overwrite_existing);
    std::filesystem::remove(folder.at("built/g.so"));
    std::filesystem::copy(plugin, folder.at("built/g.so"));
    REQUIRE(child.until([&] { return waits(child, 2); }));
    CHECK(contains(child.err(), "changed: g.so\n"));
    CHECK_FALSE(contains(child.err(), "other.so\n"));
    child.send(SIGTERM);
    CHECK(child.end().code == 130);
  }
}

TEST_CASE("who insists leaves a match that waits for a person") {
  const Folder folder;
  std::filesystem::copy(AGON_TEST_PLUGINS "/../../lib/agon/plugins/guess-average.so",
                        folder.at("g.so"));
  Child child({"play", "./g.so", "--watch", "--seat", "0=human"}, folder.start({.hold_in = true}));
  REQUIRE(child.until([&] { return !child.out().empty() || !child.err().empty(); }));
  child.send(SIGINT);
  child.send(SIGTERM);
  CHECK(child.end().code == 130);
}

TEST_CASE("a folder of plugins is watched as a whole") {
  const Folder folder;
  std::filesystem::create_directories(folder.at("mine/none of them.py"));
  folder.write("mine/g.py", game("1"));
  Child child({"play", "watched", "--plugin", "mine", "--watch", "--json"}, folder.start());
  REQUIRE(child.until([&] { return waits(child, 1); }));
  CHECK(json_of(child.out()).at("seats").at(0).at("payoff") == 1.0);
  folder.write("mine/h.py",
               game("2") + "agon.game(\"other\", play, seats=(1, 1), rules=\"None.\")\n");
  REQUIRE(child.until([&] { return waits(child, 2); }));
  CHECK(contains(child.err(), "changed: h.py\n"));
  std::filesystem::remove_all(folder.at("mine"));
  const Ended ended = child.end();
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "mine: the watched folder was removed\nhint: create it"));
}

TEST_CASE("what cannot be watched is refused") {
  const Folder folder;
  folder.write("g.py", game("1"));
  const auto refuses = [&](const Words& words, int code, const std::string& says) {
    const Ended ended = folder.agon(words);
    INFO(ended.err);
    CHECK(ended.code == code);
    CHECK(contains(ended.err, says));
  };
  refuses({"play", "bargaining", "--watch"}, 2, "--watch requires a game file or --plugin");
  refuses({"play", "./no.py", "--watch"}, 3, "no.py: file not found");
  refuses({"play", "./g.py", "--watch", "--out", "a.agon"}, 2, "--watch conflicts with --out");
}
