#include <csignal>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

std::string many_matches(const Folder& folder) {
  return folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 400},
    {"game": "water-allocation", "blocks": 200})"));
}

}  // namespace

TEST_CASE("with --work the archive appears at --out when it is complete, not before") {
  const Folder folder;
  const std::string file = many_matches(folder);
  REQUIRE(folder.agon({"run", file, "--out", "plain.agon", "--quiet"}).code == 0);
  const Words words{"run", file, "--out", "o.agon", "--work", "w", "--jobs", "1"};
  // A workflow engine kills the job, removes what it finds at its output, and runs it again.
  int had = 0;
  for (int kill = 0; kill < 2; ++kill) {
    Child run(words, folder.start());
    REQUIRE(run.until([&] {
      const std::string archive = grows_in(folder, "w");
      return !archive.empty() && finished(folder.at(archive)) > had + 20;
    }));
    CHECK_FALSE(folder.has("o.agon"));
    run.send(SIGKILL);
    CHECK(run.end().code == 128 + SIGKILL);
    CHECK_FALSE(folder.has("o.agon"));
    had = finished(folder.at(grows_in(folder, "w")));
  }
  const Ended whole = folder.succeeds(words);
  check_has(whole.err, {"(" + std::to_string(had) + " from before)", "in o.agon"});
  CHECK(content(folder, "o.agon") == content(folder, "plain.agon"));
  CHECK_FALSE(folder.has("o.agon-wal"));
  // What the engine removes after all is there again without a match played.
  std::filesystem::remove(folder.at("o.agon"));
  const Ended again = folder.succeeds({"run", file, "--out", "o.agon", "--work", "w", "--json"});
  CHECK(json_of(again.out).at("played").to_number<int>() == 0);
  CHECK(json_of(again.out).at("archive").as_string() == "o.agon");
  CHECK(content(folder, "o.agon") == content(folder, "plain.agon"));
}

TEST_CASE("an interrupted run with --work says where the archive is and how to go on") {
  const Folder folder;
  const std::string file = many_matches(folder);
  Child run({"run", file, "--out", "o.agon", "--work", "w", "--jobs", "1"}, folder.start());
  REQUIRE(run.until([&] {
    const std::string archive = grows_in(folder, "w");
    return !archive.empty() && finished(folder.at(archive)) > 20;
  }));
  run.send(SIGINT);
  const Ended ended = run.end();
  CHECK(ended.code == 130);
  CHECK_FALSE(folder.has("o.agon"));
  check_has(ended.err, {"in " + grows_in(folder, "w"), "o.agon appears when all is played",
                        "agon run s.json --out o.agon --work w --jobs 1"});
  CHECK(folder.agon({"report", grows_in(folder, "w")}).code == 0);
}

TEST_CASE("the report on an archive that grows in the folder of --work says how to go on") {
  const bool names_out = GENERATE(false, true);
  INFO((names_out ? "with --out" : "without --out"));
  const Folder folder;
  many_matches(folder);
  Words words{"run", "s.json", "--work", "w", "--jobs", "1"};
  if (names_out) words.insert(words.end(), {"--out", "o.agon"});
  Child run(words, folder.start());
  REQUIRE(run.until([&] {
    return folder.has("w") && !grows_in(folder, "w").empty() &&
           finished(folder.at(grows_in(folder, "w"))) > 20;
  }));
  run.send(SIGINT);
  REQUIRE(run.end().code == 130);
  const std::string archive = grows_in(folder, "w");
  const Ended report = folder.agon({"report", archive});
  INFO(report.out << report.err);
  REQUIRE(report.code == 0);
  const std::string line = std::string("Take it up again with: agon run s.json --work w --jobs 1") +
                           (names_out ? " --out o.agon" : "");
  CHECK(contains(report.out + report.err, line));
  CHECK_FALSE(contains(report.out + report.err, "--out " + archive));
  // And that command goes on with what is there.
  const int had = finished(folder.at(archive));
  const Ended rest = folder.agon(words);
  INFO(rest.err);
  CHECK(rest.code == 0);
  CHECK(contains(rest.err, "(" + std::to_string(had) + " from before)"));
  CHECK(folder.has(names_out ? "o.agon" : "s.agon"));
}

TEST_CASE("the option --work replaces nobody's file and says what is in its way") {
  const Folder folder;
  const std::string file = folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 4})"));
  const std::string other =
      folder.write("more.json", suite(R"({"game": "bargaining", "blocks": 8})"));
  const Words words{"run", file, "--out", "o.agon", "--work", "w"};
  REQUIRE(folder.agon(words).code == 0);
  // Complete: nothing to do.
  CHECK(folder.agon(words).code == 0);
  // An archive that lacks matches, and a file of something else.
  folder.refuses({"run", other, "--out", "o.agon", "--work", "w"}, 2,
                 {"o.agon: --work conflicts with this archive", "without --work"});
  folder.write("notes", "mine\n");
  CHECK(folder.agon({"run", file, "--out", "notes", "--work", "w"}).code == 2);
  CHECK(folder.read("notes") == "mine\n");
  folder.refuses({"run", file, "--out", "p.agon", "--work", "notes"}, 1,
                 {"notes: --work folder cannot be created"});
  // Played, but the place cannot be written: nothing is lost, and the message says where it is.
  const Ended no_place =
      folder.refuses({"run", file, "--out", "none/p.agon", "--work", "w2"}, 1,
                     {"none/p.agon: the finished archive could not be put here"});
  CHECK(contains(no_place.err, "complete in " + grows_in(folder, "w2")));
  CHECK(finished(folder.at(grows_in(folder, "w2"))) > 0);
  std::filesystem::create_directory(folder.at("none"));
  CHECK(folder.agon({"run", file, "--out", "none/p.agon", "--work", "w2"}).code == 0);
  CHECK(content(folder, "none/p.agon") == content(folder, "o.agon"));
}

TEST_CASE("what cannot be complete stays in the folder of --work") {
  const Folder folder;
  const std::string file = folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 4})"));
  // A full disk while the copy is made: no half of a file.
  REQUIRE(folder.agon({"run", file, "--out", "o.agon", "--work", "w"}).code == 0);
  const auto size = std::filesystem::file_size(folder.at("o.agon"));
  std::filesystem::remove(folder.at("o.agon"));
  Start small;
  small.most_file_bytes = size / 2;
  const Ended full = folder.agon({"run", file, "--out", "o.agon", "--work", "w"}, small);
  INFO(full.err);
  CHECK(full.code == 1);
  CHECK_FALSE(folder.has("o.agon"));
  CHECK_FALSE(has_part(folder));
  CHECK(folder.agon({"run", file, "--out", "o.agon", "--work", "w"}).code == 0);
}
