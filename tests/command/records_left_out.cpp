// --keep results: scores and metrics as ever, and no records.

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"
#include "json/write.hpp"

namespace records_left_out_test {

using namespace command_test;

// The second scenario learns from match to match, so its records are needed.
constexpr std::string_view kSuite = R"({
  "suite": "kept", "seed": 7,
  "agents": { "one": "random", "other": "random" },
  "scenarios": [
    { "name": "alone", "game": "deal-or-no-deal", "blocks": 6 },
    { "name": "twice", "game": "bargaining", "sequence": 2, "blocks": 2 } ]
})";

TEST_CASE("with --keep results there are the same results, and no records") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended all = folder.agon({"run", "s.json", "--out", "all.agon", "--quiet"});
  INFO(all.err);
  REQUIRE(all.code == 0);
  const Ended some =
      folder.agon({"run", "s.json", "--out", "some.agon", "--quiet", "--keep", "results"});
  INFO(some.err);
  REQUIRE(some.code == 0);
  // Times and the order in which matches ended are no results.
  const auto scores = [&](const std::string& archive) {
    std::vector<std::string> rows;
    for (const std::string& line :
         lines(folder.agon({"export", archive, "--rows", "seats", "--format", "jsonl"}).out)) {
      boost::json::object row = json_of(line).as_object();
      for (const char* other : {"match", "waiting_ms", "wall_ms", "created", "run"})
        row.erase(other);
      rows.push_back(agon::json::write(boost::json::value(std::move(row))));
    }
    std::sort(rows.begin(), rows.end());
    return rows;
  };
  CHECK(scores("all.agon").size() == 40);
  CHECK(scores("all.agon") == scores("some.agon"));
  CHECK(folder.agon({"report", "all.agon", "--detail", "full"}).out ==
        folder.agon({"report", "some.agon", "--detail", "full"}).out);

  // What has no record says so, and what has one is replayed.
  const Ended replayed = folder.agon({"replay", "some.agon"});
  INFO(replayed.out << replayed.err);
  CHECK(replayed.code == 0);
  CHECK(contains(replayed.out, "8 of 8 matches come out byte for byte the same"));
  CHECK(contains(replayed.out, "played with --keep results: there is no record to replay"));
  const Ended shown = folder.agon({"show", "some.agon", "1"});
  CHECK(shown.code != 0);
  CHECK(contains(shown.out, "score"));
  CHECK(contains(shown.err, "was played with --keep results"));
  CHECK(folder.agon({"replay", "some.agon", "1"}).code != 0);
  CHECK(count(folder.agon({"export", "some.agon", "--rows", "records", "--format", "jsonl"}).out,
              R"("record":null)") > 0);

  // To a run they are played, however it keeps.
  const Ended again = folder.agon({"run", "s.json", "--out", "some.agon"});
  CHECK(contains(again.err, "20 of 20 matches"));
  CHECK(finished(folder.at("some.agon")) == 20);
  CHECK(folder.agon({"replay", "some.agon"}).out == replayed.out);
}

TEST_CASE("what a run keeps is records or results") {
  const Folder folder;
  folder.write("s.json", kSuite);
  const Ended wrong = folder.agon({"run", "s.json", "--keep", "scores"});
  CHECK(wrong.code == 2);
  CHECK(contains(wrong.err, "--keep is records or results, not 'scores'"));
}

}  // namespace records_left_out_test
