#include <csignal>
#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace fs = std::filesystem;

namespace {

/// Matches that take so long that a test can meddle with the archive in between.
const std::string kSlow = R"({"seed": 1, "models": {"m": {"provider": "mock", "mock":
  {"latency_ms": 20, "in_real_time": true}}}, "agents": {"a": {"llm": "m"}}, "scenarios":
  [{"game": "water-allocation", "blocks": 400, "set": {"days": 2},
    "design": {"fixed": [["a", "a", "a", "a", "a"]]}}]})";

const Words kCall{"run", "s.json", "--out", "a.agon", "--jobs", "4"};

}  // namespace

TEST_CASE("an archive that is removed or moved or replaced during a run is saved beside") {
  const std::string how = GENERATE("removed", "moved", "replaced", "removed with its log");
  const Folder folder;
  folder.write("s.json", kSlow);
  Child run(kCall, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 5; }));
  const int before = finished(folder.at("a.agon"));
  if (how == "moved") {
    fs::rename(folder.at("a.agon"), folder.at("b.agon"));
  } else if (how == "replaced") {
    folder.write("other", "somebody else's");
    fs::rename(folder.at("other"), folder.at("a.agon"));
  } else {
    fs::remove(folder.at("a.agon"));
    if (how != "removed") {
      fs::remove(folder.at("a.agon-wal"));
      fs::remove(folder.at("a.agon-shm"));
    }
  }
  const Ended ended = run.end();
  INFO(how << "\n" << ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "a.agon was moved, removed or replaced"));
  REQUIRE(folder.has("a.rescued.agon"));
  check_has(ended.err,
            {"take it up again with: agon run s.json --jobs 4 --out ", "a.rescued.agon"});
  // It stopped, and everything that was played until then is there.
  const int saved = finished(folder.at("a.rescued.agon"));
  CHECK(saved >= before);
  CHECK(saved < 400);
  CHECK(contains(ended.err, std::to_string(saved) + " of 400 matches"));
  CHECK(folder.agon({"doctor", "a.rescued.agon"}).code == 0);
  CHECK(folder.agon({"replay", "a.rescued.agon"}).code == 0);
  if (how == "replaced") CHECK(folder.read("a.agon") == "somebody else's");
  const Ended report = folder.agon({"report", "a.rescued.agon"});
  check_has(report.out, {"was stopped, as its archive was moved",
                         "again with: agon run s.json --jobs 4 --out a.rescued.agon"});
  // No call is paid twice: the calls of all matches are there too.
  CHECK(folder.agon({"run", "s.json", "--out", "a.rescued.agon", "--blocks", "1"}).code == 0);
}

TEST_CASE("an archive that is truncated during a run is saved beside, whole") {
  const int size = GENERATE(0, 4096, 5000);
  const Folder folder;
  folder.write("s.json", kSlow);
  Child run(kCall, folder.start());
  // A reader that comes earlier can keep the tables in the log, and a file of one page has nothing
  // to cut.
  REQUIRE(
      run.until([&] { return folder.has("a.agon") && fs::file_size(folder.at("a.agon")) > 8192; }));
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 5; }));
  const int before = finished(folder.at("a.agon"));
  fs::resize_file(folder.at("a.agon"), static_cast<std::uintmax_t>(size));
  const Ended ended = run.end();
  INFO(size << "\n" << ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "a.agon was truncated or overwritten"));
  REQUIRE(folder.has("a.rescued.agon"));
  const int saved = finished(folder.at("a.rescued.agon"));
  CHECK(saved >= before);
  CHECK(saved < 400);
  CHECK(contains(ended.err, std::to_string(saved) + " of 400 matches"));
  CHECK(folder.agon({"doctor", "a.rescued.agon"}).code == 0);
  CHECK(folder.agon({"replay", "a.rescued.agon"}).code == 0);
  // What somebody made of the file stays, and no log lies beside it to be taken for its own.
  CHECK(fs::file_size(folder.at("a.agon")) == static_cast<std::uintmax_t>(size));
  CHECK_FALSE(folder.has("a.agon-wal"));
}

TEST_CASE("an archive whose log is damaged during a run is saved beside, whole") {
  const std::string how = GENERATE("truncated", "overwritten", "zeroed pages", "removed");
  const Folder folder;
  folder.write("s.json", kSlow);
  Child run(kCall, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 5; }));
  const int before = finished(folder.at("a.agon"));
  const std::string log = folder.at("a.agon-wal");
  const std::string archive = folder.read("a.agon");
  if (how == "truncated") {
    fs::resize_file(log, 0);
  } else if (how == "removed") {
    fs::remove(log);
  } else {
    const bool zero = how == "zeroed pages";
    const auto size = static_cast<std::size_t>(fs::file_size(log));
    std::fstream file(log, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(zero ? 4 * 4120 : 0);
    file << std::string(zero ? 4 * 4120 : size, zero ? '\0' : 'x');
  }
  const Ended ended = run.end();
  INFO(how << "\n" << ended.err);
  CHECK(ended.code == 1);
  CHECK(contains(ended.err, "all that it held was saved in "));
  REQUIRE(folder.has("a.rescued.agon"));
  const int saved = finished(folder.at("a.rescued.agon"));
  CHECK(saved >= before);
  CHECK(contains(ended.err, std::to_string(saved) + " of 400 matches"));
  // Earlier pages are checked when the log is moved into the file, which may be at the end.
  if (how != "zeroed pages") {
    CHECK(contains(ended.err, "a.agon was truncated or overwritten, or its log (-wal) was"));
    CHECK(saved < 400);
  }
  CHECK(folder.agon({"doctor", "a.rescued.agon"}).code == 0);
  CHECK(folder.agon({"replay", "a.rescued.agon"}).code == 0);
  CHECK(folder.read("a.agon") == archive);
  CHECK_FALSE(folder.has("a.agon-wal"));
}

TEST_CASE("what an earlier run played is saved too when the archive is truncated") {
  const Folder folder;
  folder.write("s.json", kSlow);
  REQUIRE(folder.agon({"run", "s.json", "--out", "a.agon", "--blocks", "20"}).code == 0);
  Child run(kCall, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 25; }));
  fs::resize_file(folder.at("a.agon"), 0);
  CHECK(run.end().code == 1);
  CHECK(finished(folder.at("a.rescued.agon")) >= 25);
  CHECK(folder.agon({"replay", "a.rescued.agon"}).code == 0);
}

TEST_CASE("an archive that is touched, read and checkpointed by others is whole") {
  const Folder folder;
  folder.write("s.json", kSlow);
  Child run({"run", "s.json", "--out", "a.agon", "--jobs", "4", "--blocks", "40"}, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 5; }));
  fs::last_write_time(folder.at("a.agon"), fs::file_time_type::clock::now());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 10; }));
  run_sql(folder.at("a.agon"), "pragma wal_checkpoint");
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 15; }));
  run_sql(folder.at("a.agon"), "pragma wal_checkpoint(truncate)");
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 0);
  CHECK(finished(folder.at("a.agon")) == 40);
  CHECK(folder.agon({"doctor", "a.agon"}).code == 0);
}

TEST_CASE("a log without its archive is not thrown away") {
  const Folder folder;
  folder.write("s.json", kSlow);
  {
    Child run(kCall, folder.start());
    REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 2; }));
    run.send(SIGKILL);
    (void)run.end();
  }
  REQUIRE(fs::file_size(folder.at("a.agon-wal")) > 0);
  const std::string log = folder.read("a.agon-wal");
  fs::resize_file(folder.at("a.agon"), 0);
  Ended again = folder.refuses({"run", "s.json", "--out", "a.agon"}, 1,
                               {"there is no archive here, but the log of one"});
  fs::remove(folder.at("a.agon"));
  again = folder.agon({"run", "s.json", "--out", "a.agon"});
  CHECK(again.code == 1);
  CHECK(folder.read("a.agon-wal") == log);
}

TEST_CASE("no file is replaced by what is saved and a second run finds its own name") {
  const Folder folder;
  folder.write("s.json", kSlow);
  folder.write("a.rescued.agon", "mine");
  Child run(kCall, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 2; }));
  fs::remove(folder.at("a.agon"));
  CHECK(run.end().code == 1);
  CHECK(folder.read("a.rescued.agon") == "mine");
  CHECK(finished(folder.at("a.rescued-2.agon")) >= 2);
}

TEST_CASE("the folder of an archive may go with it: what was played is saved elsewhere") {
  const Folder folder;
  folder.write("s.json", kSlow);
  fs::create_directory(folder.at("sub"));
  Child run({"run", "s.json", "--out", "sub/a.agon", "--jobs", "4"}, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("sub/a.agon")) >= 2; }));
  // The run may write a file into it in between.
  std::error_code busy;
  while (fs::exists(folder.at("sub"))) fs::remove_all(folder.at("sub"), busy);
  const Ended ended = run.end();
  INFO(ended.err);
  CHECK(ended.code == 1);
  CHECK(finished(folder.at("a.rescued.agon")) >= 2);
}

TEST_CASE("a lock holds under every name of the archive") {
  const Folder folder;
  folder.write("s.json", kSlow);
  Child run(kCall, folder.start());
  REQUIRE(run.until([&] { return finished(folder.at("a.agon")) >= 1; }));
  fs::create_hard_link(folder.at("a.agon"), folder.at("hard.agon"));
  fs::create_symlink(folder.at("a.agon"), folder.at("soft.agon"));
  for (const char* name : {"a.agon", "hard.agon", "soft.agon"}) {
    const Ended second = folder.agon({"run", "s.json", "--out", name});
    INFO(name << "\n" << second.err);
    CHECK(second.code == 1);
    CHECK(contains(second.err, "another run is writing this archive (process "));
  }
  run.send(SIGTERM);
  CHECK(run.end().code == 130);
}
