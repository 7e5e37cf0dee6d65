#include <chrono>
#include <csignal>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

TEST_CASE("nothing is written over an archive, nor over the data set that is read") {
  const Folder folder;
  REQUIRE(folder.agon({"play", "bargaining", "--out", "a.agon"}).code == 0);
  folder.write("set.txt", "1 4 4 1 1 2\n1 0 4 2 1 2\n");
  std::filesystem::create_symlink(folder.at("a.agon"), folder.at("link.csv"));
  const std::string before = folder.read("a.agon"), set = folder.read("set.txt");
  const std::vector<std::pair<Words, std::string>> all{
      {{"export", "a.agon", "--out", "a.agon"}, "a.agon: refusing to overwrite an archive"},
      {{"export", "a.agon", "--rows", "matches", "--out", "./a.agon"},
       "refusing to overwrite an archive"},
      {{"export", "a.agon", "--out", "link.csv"}, "link.csv: refusing to overwrite an archive"},
      {{"import", "deal-or-no-deal", "set.txt", "--out", "a.agon"},
       "a.agon: refusing to overwrite an archive"},
      {{"import", "deal-or-no-deal", "set.txt", "--out", "./set.txt"},
       "./set.txt: refusing to overwrite the data set"},
  };
  for (const auto& [words, says] : all) {
    folder.refuses(words, 2, {says, "hint: choose another --out file\n"});
    CHECK(folder.read("a.agon") == before);
    CHECK(folder.read("set.txt") == set);
  }
  CHECK(folder.agon({"replay", "a.agon"}).code == 0);
  folder.refuses({"run", "a.agon"}, 5, {"a.agon: expected a suite, got an archive"});
}

TEST_CASE("a file of an earlier export is replaced as a whole, or not at all") {
  const Folder folder;
  REQUIRE(folder.agon({"play", "water-allocation", "--out", "a.agon"}).code == 0);
  const Words words{"export", "a.agon", "--rows", "records", "--format", "jsonl", "--out", "r.out"};
  folder.write("r.out", "what was here before\n");
  CHECK(folder.agon(words, {.most_file_bytes = 512}).code == 1);
  CHECK(folder.read("r.out") == "what was here before\n");
  REQUIRE(folder.agon(words).code == 0);
  CHECK(folder.read("r.out").starts_with("{"));
  CHECK_FALSE(folder.has("r.out.part"));
}

TEST_CASE("a file that was being written when the command was killed leaves nothing behind") {
  const Folder folder;
  std::string rows;
  for (int i = 0; i < 60'000; ++i) rows += "1 4 4 1 1 2\n1 0 4 2 1 2\n";
  folder.write("set.txt", rows);
  folder.write("set.json", "what was here before\n");
  const Words words{"import", "deal-or-no-deal", "set.txt", "--out", "set.json", "--quiet"};
  REQUIRE(folder.agon(words).code == 0);
  const std::string whole = folder.read("set.json");
  const auto begin = std::chrono::steady_clock::now();
  REQUIRE(folder.agon(words).code == 0);
  const auto took = std::chrono::steady_clock::now() - begin;
  for (int tenth = 1; tenth <= 12; ++tenth) {
    folder.write("set.json", "what was here before\n");
    Child import(words, folder.start());
    // At the last ones as soon as a file that is not whole can be seen.
    const auto until = std::chrono::steady_clock::now() + took * tenth / 10;
    while (import.step() && !folder.has("set.json.part") &&
           (tenth > 8 || std::chrono::steady_clock::now() < until)) {
    }
    import.send(SIGKILL);
    import.end();
    const std::string left = folder.read("set.json");
    CHECK((left == whole || left == "what was here before\n"));
    // It has its first name when it is whole, for a moment.
    CHECK((!folder.has("set.json.part") || folder.read("set.json.part") == whole));
  }
  // What a system without such files leaves is taken away by the next.
  folder.write("set.json.part", "half of");
  CHECK(folder.agon(words).code == 0);
  CHECK(folder.read("set.json") == whole);
  CHECK_FALSE(folder.has("set.json.part"));
}

TEST_CASE("why a file cannot be written, and what helps") {
  const Folder folder;
  REQUIRE(folder.agon({"play", "bargaining", "--out", "a.agon"}).code == 0);
  const auto check = [&](const std::string& out, const std::string& says) {
    folder.refuses({"export", "a.agon", "--out", out}, 1, {says});
  };
  check("no/such/x.csv",
        "no/such/x.csv: cannot write: No such file or directory\nhint: make its folder");
  check(".", "Is a directory\nhint: name a file in it");
  check(std::string(300, 'n'), "File name too long\nhint: choose a shorter name");
  check("a.agon/x.csv", "Not a directory\nhint: make its folder first, or choose another place");
  folder.refuses({"play", "bargaining", "--out", std::string(300, 'n')}, 1,
                 {"File name too long\nhint: choose a shorter name"});
}

TEST_CASE("an empty name is none: what was to be kept would be lost") {
  const Folder folder;
  for (const Words& words :
       {Words{"play", "bargaining", "--out", ""}, Words{"play", "bargaining", "--out="},
        Words{"run", "s.json", "--out", ""}}) {
    folder.refuses(words, 2, {"--out", "--out requires a value"});
  }
}

TEST_CASE("what new and judge made is told as JSON too") {
  const Folder folder;
  const Ended made = folder.succeeds({"new", "suite", "mine", "--json"});
  CHECK(json_of(made.out).at("suite") == "mine.json");
  REQUIRE(folder.agon({"play", "bargaining", "--out", "a b.agon"}).code == 0);
  const Ended drawn = folder.succeeds(
      {"judge", "a b.agon", "--records", "1", "--judges", "1", "--key", "my key.csv", "--json"});
  CHECK(json_of(drawn.out).at("key") == "my key.csv");
  CHECK(json_of(drawn.out).at("records") == 1);
  folder.refuses({"judge", "a b.agon", "--forms", "a b-judging/judge-1.csv"}, 3,
                 {"a b-judging-key.csv: judging key not found", "hint: pass it with --key"});
  check_has(drawn.err, {"wrote 1 record and 1 form into",
                        "agon judge 'a b.agon' --key 'my key.csv' --forms 'a b-judging'/"});
}
