// A suite that is played in shards and merged is the suite that was played in one go.
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <csignal>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// As scenarios/quickstart.json, with fewer blocks: a focal design, a treatment, and two numbers of
/// blocks, neither of which three divides.
std::string quick(const std::string& blocks = "4", const std::string& name = "quick",
                  const std::string& more = "") {
  return R"({"suite": ")" + name + R"(", "seed": 20261120, "agents": {"floor": "random",
    "reference": {"rule": {"water-allocation": "survivor", "bargaining": "time-dependent"}},
    "passive": "default"},
  "design": {"focal": ["reference", "floor", "passive"], "background": "reference",
    "seat_rotation": "all", "blocks": )" +
         blocks + R"(},)" + more + R"(
  "scenarios": [{"game": "water-allocation", "treatments": {"supply": [[10, 20], [20, 30]]}},
    {"game": "bargaining", "blocks": 8}]})";
}

Ended run_shard(const Folder& folder, const std::string& shard, const std::string& out,
                const Words& more = {}) {
  return folder.succeeds(
      joined({"run", "s.json", "--shard", shard, "--out", out, "--quiet"}, more));
}

void run_three(const Folder& folder, const Words& more = {}) {
  for (const std::string n : {"1", "2", "3"}) run_shard(folder, n + "/3", "s" + n + ".agon", more);
}

/// All that a report and exports say, without times.
std::string told(const Folder& folder, const std::string& archive) {
  std::string all;
  for (const Words& words : {Words{"report", archive, "--full"}, Words{"report", archive, "--json"},
                             Words{"report", archive, "--csv"}}) {
    const Ended ended = folder.succeeds(words);
    all += ended.out + ended.err;
  }
  for (const std::string rows : {"seats", "matches", "answers", "calls"}) {
    for (const boost::json::object& row : exported(folder, archive, rows))
      all += boost::json::serialize(row) + "\n";
  }
  for (std::size_t at = all.find(archive); at != std::string::npos; at = all.find(archive))
    all.replace(at, archive.size(), "ARCHIVE");
  return all;
}

}  // namespace

TEST_CASE("shards merged in any order are the whole run: report and export say the same") {
  const bool keeps_records = GENERATE(true, false);
  const Words more = keeps_records ? Words{} : Words{"--no-records"};
  const Folder folder;
  folder.write("s.json", quick());
  Words words = joined({"run", "s.json", "--out", "whole.agon", "--quiet"}, more);
  REQUIRE(folder.agon(words).code == 0);
  const std::string whole = told(folder, "whole.agon");
  const auto records = keeps_records ? content(folder, "whole.agon") : std::vector<std::string>{};
  run_three(folder, more);
  int sum = 0;
  for (const std::string n : {"1", "2", "3"}) {
    const int own = finished(folder.at("s" + n + ".agon"));
    CHECK(own > 0);
    sum += own;
    // A shard has whole blocks, so it can be reported by itself.
    CHECK(folder.agon({"report", "s" + n + ".agon"}).code == 0);
  }
  CHECK(sum == finished(folder.at("whole.agon")));
  std::string name = "m0.agon";
  Words order{"s1.agon", "s2.agon", "s3.agon"};
  do {
    ++name[1];
    words = {"merge", name, "--json"};
    words.insert(words.end(), order.begin(), order.end());
    const Ended merged = folder.succeeds(words);
    CHECK(json_of(merged.out).at("matches") == json_of(merged.out).at("total"));
    CHECK(told(folder, name) == whole);
    if (keeps_records) CHECK(content(folder, name) == records);
    CHECK_FALSE(folder.has(name + "-wal"));
  } while (std::next_permutation(order.begin(), order.end()));
  // What is merged is complete: the suite has nothing to play in it.
  const Ended again = folder.succeeds({"run", "s.json", "--out", "m1.agon", "--json"});
  CHECK(json_of(again.out).at("played").to_number<int>() == 0);
  CHECK(folder.agon({"doctor", "m1.agon"}).code == 0);
  if (keeps_records) CHECK(folder.agon({"replay", "m1.agon", "--quiet"}).code == 0);
}

TEST_CASE("a shard that was killed, run again, run twice or cut off changes nothing") {
  const Folder folder;
  folder.write("s.json", quick("150"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  const std::string whole = told(folder, "whole.agon");
  run_shard(folder, "1/3", "s1.agon");
  run_shard(folder, "1/3", "twice.agon");
  run_shard(folder, "3/3", "s3.agon");
  // Killed while it grows in a folder of its own, run again there, and once more elsewhere.
  const Words words{"run",     "s.json", "--shard", "2/3",    "--out",
                    "s2.agon", "--work", "w",       "--jobs", "1"};
  const auto grows = [&] { return grows_in(folder, "w"); };
  Child run(words, folder.start());
  REQUIRE(run.until([&] { return !grows().empty() && finished(folder.at(grows())) > 20; }));
  run.send(SIGKILL);
  CHECK(run.end().code == 128 + SIGKILL);
  CHECK(contains(grows(), "-shard-2-of-3"));
  CHECK_FALSE(folder.has("s2.agon"));
  std::filesystem::create_directory(folder.at("cut"));
  for (const auto& file : std::filesystem::directory_iterator(folder.at("w")))
    std::filesystem::copy(file.path(), folder.at("cut") / file.path().filename());
  const std::string cut = "cut" + grows().substr(1);
  folder.refuses({"merge", "u.agon", "s1.agon", cut, "s3.agon"}, 6,
                 {"1 shard of 3 is unfinished: 2"});
  CHECK_FALSE(folder.has("u.agon"));
  REQUIRE(folder.agon(words).code == 0);
  const Ended merged = folder.succeeds(
      {"merge", "m.agon", "twice.agon", cut, "s3.agon", "s2.agon", "s1.agon", "--json"});
  CHECK(json_of(merged.out).at("repeated").to_number<int>() > finished(folder.at("s1.agon")));
  CHECK(told(folder, "m.agon") == whole);
  // What is there can be merged, reported, and played to its end.
  const Ended partial = folder.succeeds({"merge", "p.agon", "s1.agon", "s3.agon", "--partial"});
  CHECK(contains(partial.err, "1 shard of 3 missing"));
  CHECK(contains(folder.agon({"report", "p.agon"}).out, "agon run s.json"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "p.agon", "--quiet"}).code == 0);
  CHECK(told(folder, "p.agon") == whole);
}

TEST_CASE("what has been merged in parts can be merged again") {
  const Folder folder;
  folder.write("s.json", quick());
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  run_three(folder);
  REQUIRE(folder.agon({"merge", "p.agon", "s1.agon", "s3.agon", "--partial"}).code == 0);
  REQUIRE(folder.agon({"merge", "m.agon", "p.agon", "s2.agon"}).code == 0);
  CHECK(told(folder, "m.agon") == told(folder, "whole.agon"));
}

TEST_CASE("what a merge lacked and the whole suite played then can be merged again") {
  const Folder folder;
  folder.write("s.json", quick());
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  const std::string whole = told(folder, "whole.agon");
  run_three(folder);
  REQUIRE(folder.agon({"merge", "p.agon", "s1.agon", "s3.agon", "--partial"}).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--out", "p.agon", "--quiet"}).code == 0);
  for (const Words& more :
       {Words{"p.agon"}, Words{"p.agon", "s2.agon"}, Words{"s1.agon", "p.agon"}}) {
    std::filesystem::remove(folder.at("m.agon"));
    folder.succeeds(joined({"merge", "m.agon"}, more));
    CHECK(told(folder, "m.agon") == whole);
  }
  // A shard's archive with all the rest is the whole suite too, and no shard's any more.
  REQUIRE(folder.agon({"run", "s.json", "--out", "s1.agon", "--quiet"}).code == 0);
  CHECK(folder.agon({"merge", "n.agon", "s1.agon", "s2.agon"}).code == 0);
  CHECK(folder.agon({"run", "s.json", "--shard", "1/3", "--out", "s1.agon"}).code == 2);
}

TEST_CASE("calls of models, drift checks and sequences are merged with their matches") {
  const Folder folder;
  folder.write("s.json",
               R"({"suite": "m", "seed": 7, "agents": {"a": {"llm": {"model": "mock/x"}},
    "b": "random"}, "scenarios": [{"game": "bargaining", "blocks": 6},
    {"name": "learn", "game": "bargaining", "blocks": 3, "sequence": 2}]})");
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  for (const std::string n : {"1", "3"})
    run_shard(folder, n + "/3", "s" + n + ".agon", {"--drift-check"});
  // One that reached its cap has a match in progress.
  CHECK(folder
            .agon({"run", "s.json", "--shard", "2/3", "--out", "s2.agon", "--jobs", "1",
                   "--max-calls", "10", "--cap-share", "1/1", "--quiet"})
            .code == 7);
  const int begun = partial(folder.at("s2.agon"));
  CHECK(begun > 0);
  CHECK(folder.agon({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}).code == 6);
  const Ended merged =
      folder.succeeds({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--partial", "--json"});
  CHECK(json_of(merged.out).at("partial").to_number<int>() == begun);
  CHECK(json_of(merged.out).at("calls_left_out").to_number<int>() == 0);
  // Calls by match and question, but for the run and for times; those of drift checks by number.
  const auto calls = [&](const std::string& archive, bool of_drift) {
    std::multiset<std::string> rows;
    for (boost::json::object& row : exported(folder, archive, "calls")) {
      for (const char* other : {"run", "started", "latency_ms", "waited_ms"}) row.erase(other);
      if ((row.at("purpose").as_string() == "drift") == of_drift)
        rows.insert(boost::json::serialize(row));
    }
    return rows;
  };
  std::multiset<std::string> all, drift;
  for (const std::string n : {"1", "2", "3"}) {
    all.merge(calls("s" + n + ".agon", false));
    drift.merge(calls("s" + n + ".agon", true));
  }
  CHECK(calls("m.agon", false) == all);
  CHECK(calls("m.agon", true) == drift);
  CHECK(drift.size() == 40);
  // Answers that were paid for are not asked for again.
  REQUIRE(folder.agon({"run", "s.json", "--out", "m.agon", "--quiet"}).code == 0);
  CHECK(content(folder, "m.agon") == content(folder, "whole.agon"));
  CHECK(calls("m.agon", false) == calls("whole.agon", false));
  CHECK(partial(folder.at("m.agon")) == 0);
}

TEST_CASE("a merge refuses archives that are no shards of one run, and writes nothing") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  const auto refused = [&](const Words& archives, int code, const Words& parts) {
    const Ended ended = folder.agon(joined({"merge", "m.agon"}, archives));
    INFO(ended.err);
    CHECK(ended.code == code);
    for (const std::string& part : parts) CHECK(contains(ended.err, part));
    CHECK_FALSE(folder.has("m.agon"));
    CHECK_FALSE(has_part(folder));
  };
  refused({"s1.agon", "s1.agon"}, 2, {"s1.agon: the same archive is named twice"});
  std::filesystem::create_symlink(folder.at("s1.agon"), folder.at("link.agon"));
  refused({"s1.agon", "link.agon"}, 2, {"s1.agon and link.agon"});
  refused({"s1.agon", "s3.agon"}, 6, {"1 shard of 3 is missing: 2", "--partial"});
  refused({"s1.agon", "none.agon"}, 3, {"none.agon"});
  // Another suite, another version of it, another number of shards, the whole.
  folder.write("s.json", quick("4", "other"));
  run_shard(folder, "2/3", "other.agon");
  refused({"s1.agon", "other.agon", "s3.agon"}, 5, {"'other'", "'quick'", "other.agon"});
  folder.write("s.json", quick("5"));
  run_shard(folder, "2/3", "version.agon");
  refused({"s1.agon", "version.agon", "s3.agon"}, 5, {"another version of the suite 'quick'"});
  folder.write("s.json", quick());
  run_shard(folder, "2/4", "four.agon");
  refused({"s1.agon", "four.agon", "s3.agon"}, 5, {"shard 2/4", "shard 1/3", "the same N"});
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  refused({"s1.agon", "whole.agon"}, 5, {"a whole run", "shard 1/3"});
  // Not an archive; the place is taken; into itself.
  folder.write("notes", "mine, not of SQLite\n");
  refused({"s1.agon", "notes"}, 1, {"notes: this is not an Agon archive"});
  const Ended taken = folder.agon({"merge", "notes", "s1.agon", "s2.agon", "s3.agon"});
  CHECK(taken.code == 2);
  CHECK(folder.read("notes") == "mine, not of SQLite\n");
  CHECK(contains(folder.agon({"merge", "s2.agon", "s1.agon", "s2.agon", "s3.agon"}).err,
                 "cannot be merged into itself"));
}

TEST_CASE("a match that two archives have with different results is refused by its id") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  run_shard(folder, "2/3", "again.agon");
  folder.succeeds({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "again.agon"});
  run_sql(folder.at("again.agon"),
          "update seat set payoff = payoff + 1 where match = 5 and seat = 0");
  const Ended ended =
      folder.refuses({"merge", "n.agon", "s1.agon", "s2.agon", "s3.agon", "again.agon"}, 5,
                     {"with another result or record", "again.agon", "s2.agon"});
  const std::string listed = folder.agon({"export", "again.agon", "--rows", "matches"}).out;
  const std::string id = ended.err.substr(ended.err.find("match ") + 6, 32);
  CHECK(contains(listed, id));
  CHECK_FALSE(folder.has("n.agon"));
}

TEST_CASE("a merge refuses records that cannot be read, and rows that refer to what is missing") {
  const Folder folder;
  folder.write("s.json", quick("60"));
  run_three(folder);
  const auto refused = [&](const std::string& sql, int code, const std::string& part) {
    std::filesystem::copy_file(folder.at("s2.agon"), folder.at("bad.agon"),
                               std::filesystem::copy_options::overwrite_existing);
    run_sql(folder.at("bad.agon"), sql);
    const Ended ended = folder.agon({"merge", "m.agon", "s1.agon", "bad.agon", "s3.agon"});
    INFO(sql << "\n" << ended.err);
    CHECK(ended.code == code);
    CHECK(contains(ended.err, "bad.agon"));
    CHECK(contains(ended.err, part));
    CHECK_FALSE(folder.has("m.agon"));
    for (const auto& left : std::filesystem::directory_iterator(folder.path()))
      CHECK(left.path().string().find(".part") == std::string::npos);
  };
  const std::string unreadable = "a record cannot be read";
  refused("update record set bytes = x'00ff' where match = 1", 1, unreadable);
  refused("update record set bytes = substr(bytes, 1, length(bytes) - 1) where match = 2", 1,
          unreadable);
  refused("delete from content where kind = 'dictionary'", 1, unreadable);
  const std::string missing = "refers to a missing row";
  refused("update seat set agent = 99 where match = 2", 1, missing);
  refused("update match set focal = 99 where number = 2", 1, missing);
  refused("update match set scenario = 99 where number = 2", 1, missing);
  refused("attach '" + folder.at("s1.agon").string() +
              "' as other; update match set id = (select id from other.match where number = 3) "
              "where number = 2",
          5, "is in an archive of another shard too");
  const Ended whole = folder.agon({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"});
  INFO(whole.err);
  REQUIRE(whole.code == 0);
  CHECK(folder.agon({"replay", "m.agon", "--quiet"}).code == 0);
}

TEST_CASE("a disk that fills while archives are merged leaves no part of a file") {
  const Folder folder;
  folder.write("s.json", quick("200"));
  run_three(folder);
  REQUIRE(folder.agon({"merge", "fine.agon", "s1.agon", "s2.agon", "s3.agon"}).code == 0);
  // In the middle, and when all is committed but not moved from the log into the file.
  for (const std::uintmax_t most : {std::filesystem::file_size(folder.at("s1.agon")) / 2,
                                    std::filesystem::file_size(folder.at("fine.agon")) - 4096}) {
    Start small;
    small.most_file_bytes = most;
    folder.refuses({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}, 1,
                   {"m.agon: the merged archive cannot be written"}, small);
    CHECK_FALSE(folder.has("m.agon"));
    CHECK_FALSE(has_part(folder));
  }
  CHECK(folder.agon({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}).code == 0);
}

TEST_CASE("a log that lies where the merged archive is to be is not read into it") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  for (const std::string log : {"m.agon-wal", "o.agon-wal"})
    folder.write(log, "of another archive");
  folder.refuses({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}, 1, {"the log of one"});
  CHECK_FALSE(folder.has("m.agon"));
  folder.refuses({"run", "s.json", "--shard", "1/3", "--out", "o.agon", "--work", "w", "--quiet"},
                 1, {"o.agon: the finished archive could not be put here"});
  CHECK_FALSE(folder.has("o.agon"));
}

TEST_CASE("a shard that another machine writes is left out of a merge") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  folder.write("s2.agon.owner",
               R"({"host":"node7","machine":"another","process":7,"started":1,"beat":1})");
  folder.refuses({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}, 6,
                 {"s2.agon: another machine is writing this archive (process 7 on"});
  CHECK_FALSE(folder.has("m.agon"));
  const Ended rest =
      folder.succeeds({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--partial", "--json"});
  CHECK(contains(rest.err, "left out: s2.agon"));
  CHECK(json_of(rest.out).at("archives").to_number<int>() == 2);
  CHECK(folder.agon({"merge", "n.agon", "s2.agon", "--partial"}).code == 6);
}

TEST_CASE("a shard that cannot be is refused before anything is played") {
  const Folder folder;
  folder.write("s.json", quick());
  const auto refused = [&](const Words& more, const Words& parts, Start start = {}) {
    const Ended ended =
        folder.agon(joined({"run", "s.json", "--out", "o.agon"}, more), std::move(start));
    INFO(ended.err);
    CHECK(ended.code == 2);
    for (const std::string& part : parts) CHECK(contains(ended.err, part));
    CHECK_FALSE(folder.has("o.agon"));
  };
  for (const std::string text : {"3", "0/3", "4/3", "1/0", "a/3", "1/3/2", "1.5/3", "/"})
    refused({"--shard", text}, {"--shard"});
  refused({"--shard", "1/13"}, {"the suite has 12 blocks, too few for 13 shards"});
  refused({"--shard", "1/3", "--until", "best=0.95"}, {"a stopping rule", "--until all"});
  refused({"--cap-share", "1/3"}, {"--cap-share requires --shard"});
  refused({"--shard", "1/3", "--cap-share", "1/3"}, {"the suite has no cap"});
  refused({"--shard", "1/3", "--cap-share", "3"}, {"for --cap-share; expected A/B"});
  refused({"--shard", "1/3", "--cap-share", "4/3"}, {"A is from 1 to 3"});
  // Shards of one archive.
  run_shard(folder, "1/3", "s1.agon");
  folder.refuses({"run", "s.json", "--shard", "2/3", "--out", "s1.agon"}, 2,
                 {"this archive is of shard 1/3, and --shard asks for 2/3"});
}

TEST_CASE("a shard has the same blocks of scenarios that share their draws") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "pairs", "agents": {"floor": "random",
    "reference": {"rule": {"bargaining": "time-dependent"}}},
    "scenarios": [{"name": "first", "game": "bargaining", "blocks": 3},
      {"name": "second", "game": "bargaining", "blocks": 3, "same_draws_as": "first"}]})");
  std::set<std::string> all;
  for (const std::string n : {"1", "2"}) {
    run_shard(folder, n + "/2", "s" + n + ".agon");
    std::map<std::string, std::set<std::string>> blocks;
    for (const auto& row : exported(folder, "s" + n + ".agon", "matches"))
      blocks[std::string(row.at("scenario").as_string())].insert(
          boost::json::serialize(row.at("block")));
    CHECK(blocks["first"] == blocks["second"]);
    all.insert(blocks["first"].begin(), blocks["first"].end());
  }
  CHECK(all.size() == 3);
  CHECK(folder.agon({"run", "s.json", "--shard", "1/4", "--out", "x.agon"}).code == 2);
}

TEST_CASE("a shard is read from the variables of a job array, when that is asked for") {
  const Folder folder;
  folder.write("s.json", quick());
  int runs = 0;
  const auto run = [&](const std::string& shard,
                       const std::vector<std::pair<std::string, std::string>>& variables) {
    Start start;
    start.environment = variables;
    return folder.agon({"run", "s.json", "--shard", shard, "--out",
                        "o" + std::to_string(++runs) + ".agon", "--quiet"},
                       start);
  };
  const auto slurm = [](int id, int low, int high, int step, int count) {
    return std::vector<std::pair<std::string, std::string>>{
        {"SLURM_ARRAY_TASK_ID", std::to_string(id)},
        {"SLURM_ARRAY_TASK_MIN", std::to_string(low)},
        {"SLURM_ARRAY_TASK_MAX", std::to_string(high)},
        {"SLURM_ARRAY_TASK_STEP", std::to_string(step)},
        {"SLURM_ARRAY_TASK_COUNT", std::to_string(count)}};
  };
  run_shard(folder, "2/3", "s2.agon");
  const auto second = content(folder, "s2.agon");
  const auto is_second = [&](const Ended& ended) {
    INFO(ended.err);
    REQUIRE(ended.code == 0);
    CHECK(content(folder, "o" + std::to_string(runs) + ".agon") == second);
  };
  is_second(run("slurm/3", slurm(1, 0, 2, 1, 3)));
  is_second(run("slurm/3", slurm(2, 1, 3, 1, 3)));
  is_second(run("slurm/3", slurm(14, 10, 18, 4, 3)));
  is_second(run("kubernetes/3", {{"JOB_COMPLETION_INDEX", "1"}}));
  const auto refused = [&](const Ended& ended, const std::string& part) {
    INFO(ended.err);
    CHECK(ended.code == 2);
    CHECK(contains(ended.err, part));
  };
  refused(run("slurm/4", slurm(1, 0, 2, 1, 3)), "the array has 3 tasks, and --shard says 4");
  refused(run("slurm/3", slurm(3, 1, 7, 1, 3)), "not evenly spaced");
  refused(run("slurm/4", slurm(3, 3, 4, 1, 2)), "the array has 2 tasks, and --shard says 4");
  refused(run("slurm", slurm(1, 0, 2, 1, 3)), "slurm/N");
  refused(run("slurm/3", {}), "SLURM_ARRAY_TASK_ID is not set");
  refused(run("slurm/3", {{"SLURM_ARRAY_TASK_ID", "x"}}), "'x' of SLURM_ARRAY_TASK_ID");
  refused(run("kubernetes", {{"JOB_COMPLETION_INDEX", "1"}}), "kubernetes/N");
  refused(run("kubernetes/3", {{"JOB_COMPLETION_INDEX", "3"}}), "the pod has index 3");
  refused(run("kubernetes/3", {}), "JOB_COMPLETION_INDEX is not set");
  // Variables alone mean nothing: they leak into shells.
  Start start;
  start.environment = slurm(1, 0, 2, 1, 3);
  const Ended plain = folder.succeeds({"run", "s.json", "--out", "plain.agon", "--json"}, start);
  CHECK(json_of(plain.out).at("matches").to_number<int>() == finished(folder.at("plain.agon")));
  CHECK(finished(folder.at("plain.agon")) > finished(folder.at("s2.agon")));
}

TEST_CASE("caps are divided among shards, and a share can be moved") {
  const Folder folder;
  // Of the run, or of its one model.
  const std::string limits =
      GENERATE(std::string(R"("calls": 10)"), std::string(R"("models": {"x": {"calls": 10}})"));
  folder.write("s.json",
               R"({"suite": "m", "models": {"x": "mock/x"},
    "agents": {"a": {"llm": "x"}, "b": "random"}, "limits": {)" +
                   limits + R"(}, "scenarios": [{"game": "bargaining", "blocks": 40}]})");
  const auto calls = [&](const Words& more, const std::string& out) {
    const Ended ended =
        folder.agon(joined({"run", "s.json", "--out", out, "--json", "--jobs", "1"}, more));
    INFO(ended.err);
    CHECK(ended.code == 7);
    return json_of(ended.out).at("calls").to_number<int>();
  };
  CHECK(calls({}, "w.agon") == 10);
  CHECK(calls({"--shard", "1/3"}, "1.agon") + calls({"--shard", "2/3"}, "2.agon") +
            calls({"--shard", "3/3"}, "3.agon") ==
        10);
  CHECK(calls({"--shard", "1/3", "--cap-share", "8/10"}, "1.agon") == 8);
}

TEST_CASE("a plan says what each shard takes, and makes fewer of small ones") {
  const Folder folder;
  folder.write("s.json", quick());
  const Ended plan = folder.succeeds({"plan", "s.json", "--shards", "5", "--json"});
  const boost::json::value told_plan = json_of(plan.out);
  const auto& shards = told_plan.at("shards").as_array();
  REQUIRE(shards.size() == 5);
  std::int64_t matches = 0;
  for (const boost::json::value& shard : shards) {
    matches += shard.at("matches").to_number<std::int64_t>();
    CHECK(shard.at("seconds").is_null());
  }
  CHECK(shards[1].at("shard").as_string() == "2/5");
  CHECK(matches == told_plan.at("matches").to_number<std::int64_t>());
  run_shard(folder, "2/5", "s2.agon");
  CHECK(finished(folder.at("s2.agon")) == shards[1].at("matches").to_number<int>());
  // How long it takes is known from a pilot.
  folder.refuses({"plan", "s.json", "--shards", "5", "--at-least", "30min"}, 2, {"--pilot"});
  const Ended packed = folder.succeeds(
      {"plan", "s.json", "--shards", "5", "--at-least", "30min", "--pilot", "s2.agon", "--json"});
  const boost::json::value told_packed = json_of(packed.out);
  REQUIRE(told_packed.at("shards").as_array().size() == 1);
  CHECK(told_packed.at("shards").as_array()[0].at("seconds").to_number<double>() > 0);
  for (const std::string time : {"30", "min", "-1h", "0s", "30 min", "1e9h"})
    CHECK(folder.agon({"plan", "s.json", "--shards", "5", "--at-least", time, "--pilot", "s2.agon"})
              .code == 2);
  CHECK(folder.agon({"plan", "s.json", "--shards", "13"}).code == 2);
  CHECK(folder.agon({"plan", "s.json", "--at-least", "1h"}).code == 2);
}

TEST_CASE("a second machine that writes the same archive is refused, as locks do not show it") {
  const Folder folder;
  folder.write("s.json", quick());
  const Words words{"run", "s.json", "--shard", "1/3", "--out", "o.agon", "--work", "w", "--quiet"};
  REQUIRE(folder.agon(words).code == 0);
  std::string grown;
  for (const auto& file : std::filesystem::directory_iterator(folder.at("w"))) {
    CHECK(file.path().extension() == ".agon");  // what a run needs beside it is gone
    grown = file.path().filename().string();
  }
  // One of another machine that counts on, with an archive and a log that is in use there.
  std::filesystem::remove(folder.at("o.agon"));
  const std::string log = folder.write("w/" + grown + "-wal", "a log");
  const std::string archive = folder.read("w/" + grown);
  const auto beat = [&](int n) {
    folder.write("note", R"({"host":"node7","machine":"another","process":7,"started":1,"beat":)" +
                             std::to_string(n) + "}");
    std::filesystem::rename(folder.at("note"), folder.at("w/" + grown + ".owner"));
  };
  beat(1);
  Child second(words, folder.start());
  int n = 1;
  while (second.step()) beat(++n);
  const Ended ended = second.end();
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "another run is writing this archive (process 7 on node7)"));
  CHECK_FALSE(folder.has("o.agon"));
  CHECK(folder.read(log) == "a log");
  CHECK(folder.read("w/" + grown) == archive);
}

TEST_CASE("a run whose archive another machine took over writes nothing more, and fails") {
  const Folder folder;
  folder.write("s.json", quick("200000"));
  const Words words{"run",    "s.json", "--shard", "1/3", "--out",  "o.agon",
                    "--work", "w",      "--jobs",  "1",   "--quiet"};
  const auto grown = [&] { return grows_in(folder, "w"); };
  Child run(words, folder.start());
  REQUIRE(run.until([&] { return !grown().empty() && finished(folder.at(grown())) > 20; }));
  folder.write(grown() + ".owner",
               R"({"host":"node7","machine":"another","process":7,"started":1,"beat":3})");
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "was taken over by another run"));
  CHECK_FALSE(folder.has("o.agon"));
  CHECK(contains(folder.read(grown() + ".owner"), "node7"));
  // Its log is as it was, and nothing says that the run ended.
  CHECK(std::filesystem::file_size(folder.at(grown() + "-wal")) > 0);
  CHECK(folder.agon({"merge", "m.agon", grown(), "--partial"}).err.find("left out") !=
        std::string::npos);
}

TEST_CASE("a merge that looks again replaces no archive but one of fewer shards of the suite") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  REQUIRE(folder.agon({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon"}).code == 0);
  const std::string merged = folder.read("m.agon");
  const auto refused = [&](const Words& shards, const std::string& why) {
    folder.refuses(joined({"merge", "m.agon", "--watch"}, shards), 2, {why});
    CHECK(folder.read("m.agon") == merged);
  };
  refused({"s1.agon", "s3.agon"}, "has shard 2, which is not among");
  folder.write("s.json", quick("5"));
  for (const std::string n : {"1", "2", "3"}) run_shard(folder, n + "/3", "v" + n + ".agon");
  refused({"v1.agon", "v2.agon", "v3.agon"}, "merged from another suite");
  CHECK(folder.agon({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--watch"}).code == 0);
}

TEST_CASE("a merge that looks again tries again where one failed") {
  const Folder folder;
  folder.write("s.json", quick());
  run_three(folder);
  std::filesystem::rename(folder.at("s2.agon"), folder.at("kept"));
  folder.write("s2.agon", "half a file");
  Child watch({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--watch", "--every", "1"},
              folder.start());
  const auto failures = [&] { return count(watch.err(), "not merged: "); };
  REQUIRE(watch.until([&] { return failures() > 1; }));  // although nothing changed
  std::filesystem::rename(folder.at("kept"), folder.at("s2.agon"));
  const Ended ended = watch.end();
  INFO(ended.err);
  CHECK(ended.code == 0);
  CHECK(folder.agon({"doctor", "m.agon"}).code == 0);
}

TEST_CASE("a merge that is stopped leaves nothing behind") {
  const Folder folder;
  folder.write("s.json", quick("1500"));
  run_three(folder);
  Child merge({"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--json"}, folder.start());
  REQUIRE(merge.until([&] { return has_part(folder); }));
  merge.send(SIGINT);
  const Ended ended = merge.end();
  INFO(ended.err);
  CHECK(ended.code == 130);
  CHECK(json_of(ended.out).at("interrupted").as_bool());
  CHECK_FALSE(has_part(folder));
  CHECK_FALSE(folder.has("m.agon"));
}

TEST_CASE("the shards of a run in progress are merged and reported until all are done") {
  const Folder folder;
  folder.write("s.json", quick("20"));
  run_shard(folder, "1/3", "s1.agon");
  Child watch(
      {"merge", "m.agon", "s1.agon", "s2.agon", "s3.agon", "--watch", "--every", "1", "--report"},
      folder.start());
  REQUIRE(watch.until([&] { return contains(watch.out(), "anytime-valid"); }));
  CHECK(folder.has("m.agon"));
  run_shard(folder, "2/3", "s2.agon");
  run_shard(folder, "3/3", "s3.agon");
  const Ended ended = watch.end();
  INFO(ended.err);
  CHECK(ended.code == 0);
  CHECK(contains(ended.err, "2 shards of 3 missing"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon", "--quiet"}).code == 0);
  CHECK(told(folder, "m.agon") == told(folder, "whole.agon"));
}
