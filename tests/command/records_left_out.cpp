// --no-records: scores and metrics as ever, and no records.

#include <sqlite3.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <csignal>
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

// Results go into columns a few thousand at a time: some line-ups, repeats and two scenarios.
constexpr std::string_view kManySuite = R"({
  "suite": "many", "seed": 9,
  "agents": { "one": "random", "other": "random", "third": { "rule": { "bargaining":
    "time-dependent", "deal-or-no-deal": "concede" } } },
  "scenarios": [
    { "name": "talks", "game": "deal-or-no-deal", "blocks": 400, "repeats": 2,
      "design": { "round_robin": true }, "treatments": { "max_rounds": [3, 5] } },
    { "name": "bargains", "game": "bargaining", "blocks": 300,
      "design": { "round_robin": true } } ]
})";

/// That two archives say the same in every export, and in every report if they had the same runs.
void check_same(const Folder& folder, const std::string& a, const std::string& b,
                bool had_same_runs = true) {
  INFO(a << " and " << b);
  for (const char* kind : {"seats", "matches"}) {
    const auto rows = exported(folder, a, kind);
    CHECK(rows.size() > 5000);
    CHECK((rows == exported(folder, b, kind)));
  }
  for (const char* format : {"text", "csv", "latex"})
    if (had_same_runs)
      CHECK(folder.agon({"report", a, "--format", format}).out ==
            folder.agon({"report", b, "--format", format}).out);
}

void run_whole(const Folder& folder, const std::string& archive, const Words& more, int code = 0) {
  const Ended run = folder.agon(joined({"run", "many.json", "--out", archive, "--quiet"}, more));
  INFO(run.err);
  CHECK(run.code == code);
}

TEST_CASE("results are the same with records, without them, and of both") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  run_whole(folder, "all.agon", {});
  run_whole(folder, "none.agon", {"--no-records"});
  run_whole(folder, "one.agon", {"--no-records", "--jobs", "1"});
  run_whole(folder, "mixed.agon", {"--blocks", "50"});
  run_whole(folder, "mixed.agon", {"--no-records"});
  for (const char* other : {"none.agon", "one.agon"}) check_same(folder, "all.agon", other);
  check_same(folder, "all.agon", "mixed.agon", false);
  CHECK(std::filesystem::file_size(folder.at("none.agon")) * 5 <
        std::filesystem::file_size(folder.at("all.agon")));
  // A match is found by its number, its id and the beginning of that.
  const auto rows = exported(folder, "none.agon", "matches");
  const std::string id(rows[4321].at("match").as_string());
  const Ended shown = folder.agon({"show", "none.agon", id.substr(0, 12)});
  CHECK(contains(shown.out, "Match " + id));
  CHECK(contains(shown.err, "was played with --no-records"));
  CHECK(contains(folder.agon({"show", "none.agon", "1"}).out, "Match "));
  CHECK(folder.agon({"doctor", "none.agon"}).code == 0);
  // A run finds what others played, also as another suite that asks for some of it.
  CHECK(contains(folder.agon({"run", "many.json", "--out", "none.agon"}).err, " in none.agon"));
  CHECK(finished(folder.at("none.agon")) == finished(folder.at("all.agon")));
  run_whole(folder, "none.agon", {"--blocks", "20"});
  CHECK(finished(folder.at("none.agon")) == finished(folder.at("all.agon")));
  run_whole(folder, "all.agon", {"--blocks", "20"});
  CHECK(folder.agon({"report", "none.agon"}).out == folder.agon({"report", "all.agon"}).out);
}

TEST_CASE("a run without records goes on after kill -9 and after a full disk") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  run_whole(folder, "whole.agon", {"--no-records"});
  Words run{"run", "many.json", "--out", "killed.agon", "--no-records", "--quiet"};
  int some = 0;
  for (const int least : {1, 1500, 4000}) {
    Child child(run, folder.start());
    child.until([&] { return finished(folder.at("killed.agon")) >= least; });
    child.send(SIGKILL);
    child.end();
    const int now = finished(folder.at("killed.agon"));
    CHECK(now >= some);
    some = now;
  }
  run_whole(folder, "killed.agon", {"--no-records"});
  check_same(folder, "whole.agon", "killed.agon");

  const Ended full = folder.agon({"run", "many.json", "--out", "full.agon", "--no-records"},
                                 {.most_file_bytes = 120'000});
  INFO(full.err);
  CHECK(full.code == 1);
  run_whole(folder, "full.agon", {"--no-records"});
  check_same(folder, "whole.agon", "full.agon");
}

TEST_CASE("a run without records finds in rows and columns what others played") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  // Some blocks as columns, some as rows, and two more runs for the rest.
  run_whole(folder, "m.agon", {"--no-records", "--blocks", "30"});
  run_whole(folder, "m.agon", {"--blocks", "60"});
  const int before = finished(folder.at("m.agon"));
  run_whole(folder, "m.agon", {"--no-records", "--blocks", "40"});
  CHECK(finished(folder.at("m.agon")) == before);
  const Ended rest = folder.agon({"run", "many.json", "--out", "m.agon", "--no-records"});
  CHECK(contains(rest.err, "(" + std::to_string(before) + " from before)"));
  run_whole(folder, "whole.agon", {});
  check_same(folder, "whole.agon", "m.agon", false);
  const Ended again = folder.agon({"run", "many.json", "--out", "m.agon"});
  CHECK(contains(again.err, "(" + std::to_string(finished(folder.at("m.agon"))) + " from before)"));
  CHECK(finished(folder.at("m.agon")) == finished(folder.at("whole.agon")));
}

TEST_CASE("two runs without records on one archive: the second is refused") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  Child first(
      {"run", "many.json", "--out", "a.agon", "--no-records", "--quiet", "--blocks", "10000000"},
      folder.start());
  REQUIRE(first.until([&] { return finished(folder.at("a.agon")) >= 1; }));
  first.send(SIGSTOP);
  folder.refuses({"run", "many.json", "--out", "a.agon", "--no-records"}, 1,
                 {"another run is writing this archive (process "});
  first.send(SIGKILL);
  CHECK(first.end().code == 128 + SIGKILL);
}

/// All rows of a query, cells parted by |.
std::vector<std::string> query(const std::filesystem::path& archive, const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open_v2(archive.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  std::vector<std::string> rows;
  const auto add = [](void* out, int n, char** values, char**) {
    std::string row;
    for (int i = 0; i < n; ++i)
      row += std::string(i == 0 ? "" : "|") + (values[i] == nullptr ? "" : values[i]);
    static_cast<std::vector<std::string>*>(out)->push_back(row);
    return 0;
  };
  CHECK(sqlite3_exec(db, sql.c_str(), add, &rows, nullptr) == SQLITE_OK);
  sqlite3_close(db);
  return rows;
}

TEST_CASE("the views of an archive say that matches stand in columns") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  run_whole(folder, "c.agon", {"--no-records", "--blocks", "20"});
  run_whole(folder, "r.agon", {"--blocks", "20"});
  const std::string note = " matches stored as columns: agon export gives them as rows";
  // Two treatments of one scenario, and another scenario.
  const auto results = query(folder.at("c.agon"), "select match, scenario, payoff from result");
  REQUIRE(results.size() == 3);
  CHECK(results[0] == "240" + note + "|talks|");
  CHECK(results[2] == "120" + note + "|bargains|");
  for (const char* view : {"seat_metric", "match_metric"}) {
    const auto rows = query(folder.at("c.agon"), "select name from " + std::string(view));
    REQUIRE(rows.size() == 3);
    CHECK(rows[0] == "240" + note);
    CHECK(query(folder.at("r.agon"),
                "select name from " + std::string(view) + " where name like '% matches %'")
              .empty());
  }
  CHECK(query(folder.at("r.agon"), "select 1 from result").size() == 1200);
  CHECK(query(folder.at("r.agon"), "select 1 from result where payoff is null").empty());
}

TEST_CASE("columns that are damaged are told") {
  const Folder folder;
  folder.write("many.json", kManySuite);
  run_whole(folder, "c.agon", {"--no-records", "--blocks", "20"});
  for (const char* damage : {"bytes = x'00'", "bytes = substr(bytes, 1, length(bytes) - 1)",
                             "matches = matches - 1", "last_block = 3", "scenario = 99"}) {
    INFO(damage);
    std::filesystem::copy_file(folder.at("c.agon"), folder.at("d.agon"),
                               std::filesystem::copy_options::overwrite_existing);
    run_sql(folder.at("d.agon"), std::string("update result_columns set ") + damage);
    for (const Words& words :
         {Words{"doctor", "d.agon"}, Words{"report", "d.agon"}, Words{"export", "d.agon"},
          Words{"run", "many.json", "--out", "d.agon"}}) {
      const Ended ended = folder.agon(words);
      INFO(words.front() << ": " << ended.out << ended.err);
      CHECK(ended.code == 1);
      CHECK(contains(ended.out + ended.err, "damaged"));
    }
  }
}

TEST_CASE("with --no-records there are the same results, and no records") {
  const Folder folder;
  folder.write("s.json", kSuite);
  folder.succeeds({"run", "s.json", "--out", "all.agon", "--quiet"});
  folder.succeeds({"run", "s.json", "--out", "some.agon", "--quiet", "--no-records"});
  // Times and the order in which matches ended are no results.
  const auto scores = [&](const std::string& archive) {
    std::vector<std::string> rows;
    for (boost::json::object& row : exported(folder, archive)) {
      for (const char* other : {"match", "run"}) row.erase(other);
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
  const Ended replayed = folder.succeeds({"replay", "some.agon"});
  check_has(replayed.out, {"8 of 8 matches come out byte for byte the same",
                           "played with --no-records: there is no record to replay"});
  const Ended shown = folder.agon({"show", "some.agon", "20"});
  CHECK(shown.code != 0);
  CHECK(contains(shown.out, "payoff"));
  CHECK(contains(shown.err, "was played with --no-records"));
  CHECK(folder.agon({"replay", "some.agon", "20"}).code != 0);
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
  folder.refuses({"run", "s.json", "--keep", "scores"}, 2,
                 {"invalid value 'scores' for --keep; expected records or results"});
  // As it was called before.
  CHECK(folder.agon({"run", "s.json", "--out", "k.agon", "--keep", "results"}).code == 0);
  CHECK(contains(folder.agon({"show", "k.agon", "20"}).err, "was played with --no-records"));
  CHECK(folder.agon({"run", "s.json", "--keep", "records", "--no-records"}).code == 2);
}

}  // namespace records_left_out_test
