#include <sys/mount.h>
#include <unistd.h>

#include <iostream>
#include <random>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kSmall = suite(R"({"game": "bargaining", "blocks": 3})");

/// A file system of 256 KiB, where the test may make one.
class SmallDisk {
 public:
  explicit SmallDisk(const std::filesystem::path& at) : at_(at) {
    std::filesystem::create_directory(at);
    mounted_ = mount("none", at.c_str(), "tmpfs", 0, "size=256k") == 0;
  }
  ~SmallDisk() {
    if (mounted_) umount2(at_.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;
  [[nodiscard]] bool mounted() const { return mounted_; }

 private:
  std::filesystem::path at_;
  bool mounted_ = false;
};

/// A number that another suite on this machine hardly has at the same time, nor anybody else.
uid_t user_of_this_run() {
  std::random_device dice;
  return std::uniform_int_distribution<uid_t>(20'000, 59'999)(dice);
}

void check_refused(const Folder& folder, const Words& call, int code, const std::string& says) {
  std::string shown;
  for (const std::string& word : call) shown += " " + word;
  const Ended ended = folder.agon(call);
  INFO("agon" << shown << "\n" << ended.err);
  CHECK(ended.code == code);
  CHECK(ended.out.empty());
  CHECK(ended.err.starts_with("agon: error: "));
  CHECK(contains(ended.err, says));
  CHECK_FALSE(contains(ended.err, "please report"));
}

}  // namespace

TEST_CASE("where an archive cannot be") {
  const Folder folder;
  folder.write("s.json", kSmall);
  folder.write("text.agon", "not an archive at all, but some words of text");
  folder.write("empty.agon", "");
  check_refused(folder, {"run", "s.json", "--out", "no/such/a.agon"}, 3,
                "the folder of the archive does not exist");
  check_refused(folder, {"run", "s.json", "--out", "."}, 1, "expected an archive, got a folder");
  check_refused(folder, {"run", "s.json", "--out", "s.json"}, 1, "not an Agon archive");
  check_refused(folder, {"run", "s.json", "--out", "text.agon"}, 1, "not an Agon archive");
  check_refused(folder, {"show", "text.agon"}, 1, "not an Agon archive");
  check_refused(folder, {"replay", "text.agon"}, 1, "not an Agon archive");
  check_refused(folder, {"show", "."}, 1, "expected an archive, got a folder");
  check_refused(folder, {"run", "s.json", "--out", "/dev/null"}, 1, "expected a regular file");
  CHECK(folder.read("text.agon") == "not an archive at all, but some words of text");
  // However short: nobody's file is written over.
  for (const std::string some : {"x", "\n", "12 bytes old"}) {
    folder.write("short.agon", some);
    check_refused(folder, {"run", "s.json", "--out", "short.agon"}, 1,
                  "short.agon: this is not an Agon archive, but another file of " +
                      std::to_string(some.size()) + " byte");
    check_refused(folder, {"play", "bargaining", "--out", "short.agon"}, 1, "another file of");
    check_refused(folder, {"show", "short.agon"}, 1, "another file of");
    CHECK(folder.read("short.agon") == some);
  }
  CHECK(folder.agon({"show", "empty.agon"}).code != 0);
  // An empty file, as mktemp makes it, may become an archive.
  CHECK(folder.agon({"run", "s.json", "--out", "empty.agon"}).code == 0);
  CHECK(finished(folder.at("empty.agon")) == 3 * 2);
}

TEST_CASE("a folder that is read-only") {
  const Folder folder;
  folder.write("s.json", kSmall);
  folder.write("ro/keep.txt", "");
  REQUIRE(folder.agon({"run", "s.json", "--out", "ro/a.agon"}).code == 0);
  const auto before = content(folder, "ro/a.agon");
  Start start;
  std::filesystem::permissions(folder.at("ro"), std::filesystem::perms(0555));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  if (geteuid() == 0) {
    start.user = 65534;  // root may write anywhere
    const Ended reachable = folder.agon({"--version"}, start);
    if (reachable.code != 0) SKIP("the command cannot be run by another user than root");
  }
  for (const Words& call : std::vector<Words>{{"run", "s.json", "--out", "ro/b.agon"},
                                              {"run", "s.json", "--out", "ro/a.agon"},
                                              {"new", "suite", "ro/new"},
                                              {"play", "bargaining", "--out", "ro/c.agon"},
                                              {"export", "ro/a.agon", "--out", "ro/a.csv"}}) {
    const Ended ended = folder.agon(call, start);
    INFO(call.front() << ": " << ended.err);
    CHECK(ended.code == 1);
    CHECK(ended.out.empty());
    CHECK(contains(ended.err, "ro/"));
    // Whose archive it is may write to it, but not beside it.
    CHECK((contains(ended.err, "Permission denied") || contains(ended.err, "Read-only") ||
           contains(ended.err, "readonly")));
  }
  // What is there can be looked at.
  for (const Words& call : std::vector<Words>{
           {"show", "ro/a.agon"}, {"report", "ro/a.agon"}, {"replay", "ro/a.agon"}}) {
    const Ended ended = folder.agon(call, start);
    INFO(call.front() << ": " << ended.err);
    CHECK(ended.code == 0);
  }
  std::filesystem::permissions(folder.at("ro"), std::filesystem::perms(0755));
  CHECK(content(folder, "ro/a.agon") == before);
}

TEST_CASE("an archive that no run came to begin in is reported as not finished") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 2})"));
  int begun_by_none = 0;
  for (std::uint64_t most = 120; most <= 280; most += 8) {
    const std::string archive = std::to_string(most) + ".agon";
    if (folder.agon({"run", "s.json", "--out", archive}, {.most_file_bytes = most * 1024}).code ==
        0)
      continue;
    const Ended report = folder.agon({"report", archive});
    INFO(archive << ": " << report.out << report.err);
    // Or all is there, and no room to put it from the log into the archive.
    CHECK((report.code != 0 || contains(report.out, "NOT FINISHED: ") ||
           contains(report.out, "4 finished matches")));
    begun_by_none += report.code != 0 ? 1 : 0;
  }
  CHECK(begun_by_none > 0);
}

TEST_CASE("a full disk") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction", "blocks": 20})"));
  {
    const SmallDisk disk(folder.at("disk"));
    Start start;
    if (!disk.mounted()) {
      std::cout << "no small file system can be made here: a limit on files stands for it\n";
      start.most_file_bytes = 256 * 1024;
    }
    const Ended full = folder.agon({"run", "s.json", "--out", "disk/a.agon"}, start);
    INFO(full.err);
    CHECK(full.code == 1);
    CHECK(full.out.empty());
    CHECK(contains(full.err, "a.agon"));
    CHECK_FALSE(contains(full.err, "please report"));
    // What was finished before is whole.
    for (const char* part : {"a.agon", "a.agon-wal"})
      if (folder.has(std::string("disk/") + part))
        std::filesystem::copy_file(folder.at(std::string("disk/") + part), folder.at(part));
  }
  // With room, the same command goes on from there.
  folder.succeeds({"run", "s.json", "--out", "a.agon"});
  CHECK(folder.agon({"doctor", "a.agon"}).code == 0);
  REQUIRE(folder.agon({"run", "s.json", "--out", "whole.agon"}).code == 0);
  CHECK(content(folder, "a.agon") == content(folder, "whole.agon"));

  folder.refuses({"export", "a.agon", "--out", "cut.csv"}, 1,
                 {"cut.csv", "check the free space on the disk"}, {.most_file_bytes = 4096});
  CHECK_FALSE(folder.has("cut.csv"));
  CHECK_FALSE(folder.has("cut.csv.part"));
}

TEST_CASE("where the system gives fewer threads than asked for, fewer do the work") {
  const Folder folder;
  // The limit counts all threads of a user on the machine, and does not hold for root.
  const Start tight{.most_threads = 20, .user = user_of_this_run()};
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0777));
  if (geteuid() != 0 || folder.agon({"--version"}, tight).code != 0)
    SKIP("the command cannot be run by a user without processes");
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 100})"));
  folder.succeeds({"run", "s.json", "--jobs", "200"}, tight);
  CHECK(finished(folder.at("s.agon")) > 100);
  folder.succeeds({"replay", "s.agon", "--jobs", "200"}, tight);
  CHECK(folder.agon({"bench", "--signature", "--jobs", "200"}, tight).code == 0);
  // What is measured on fewer threads is not what was asked for.
  folder.refuses({"bench", "--jobs", "200", "--milliseconds", "10"}, 1, {"fewer --jobs"}, tight);
}

TEST_CASE("a machine that gives too few threads or files is said to") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "bargaining", "blocks": 2})"));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0777));
  const auto check = [&](const Start& start) {
    INFO(start.most_threads << " threads, " << start.most_files << " files");
    const Ended run =
        folder.agon({"run", "s.json", "--out", "t.agon", "--sandbox", "always"}, start);
    INFO(run.err);
    check_lacks(run.err, {"please report", "check that the file"});
    if (run.code != 0) CHECK(contains(run.err, "ulimit"));
    std::filesystem::remove(folder.at("t.agon"));
  };
  for (std::uint64_t files = 16; files < 48; files += 4) check({.most_files = files});
  const uid_t user = user_of_this_run();
  if (geteuid() != 0 || folder.agon({"--version"}, {.most_threads = 20, .user = user}).code != 0)
    SKIP("the command cannot be run by a user without processes");
  for (std::uint64_t threads = 1; threads < 30; threads += 3)
    check({.most_threads = threads, .user = user});
}

TEST_CASE("archives that are not whole, not ours, or of another time") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "english-auction", "blocks": 4})"));
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  const std::string whole = folder.read("s.agon");
  for (const std::size_t size : {std::size_t{15}, std::size_t{99}, std::size_t{600},
                                 std::size_t{4096}, whole.size() / 2, whole.size() - 1}) {
    INFO(size << " of " << whole.size() << " bytes");
    folder.write("cut.agon", std::string_view(whole).substr(0, size));
    for (const std::string command : {"show", "replay", "report", "export", "doctor"}) {
      const Ended ended = folder.agon({command, "cut.agon"});
      INFO(command << ": " << ended.err);
      CHECK(ended.code != 0);
      CHECK(contains(ended.err + ended.out, "cut.agon"));
      CHECK_FALSE(contains(ended.err, "please report"));
    }
    const Ended run = folder.agon({"run", "s.json", "--out", "cut.agon"});
    INFO(run.err);
    CHECK(run.code == 1);
    const bool untouched = folder.read("cut.agon") == whole.substr(0, size);
    CHECK(untouched);
  }

  folder.write("new.agon", whole);
  run_sql(folder.at("new.agon"), "pragma user_version = 99");
  check_refused(folder, {"show", "new.agon"}, 1, "newer version of Agon (archive format 99");
  check_refused(folder, {"run", "s.json", "--out", "new.agon"}, 1, "newer version of Agon");

  folder.write("other.agon", whole);
  run_sql(folder.at("other.agon"), "pragma application_id = 7");
  check_refused(folder, {"show", "other.agon"}, 1, "a database of another program");
  check_refused(folder, {"run", "s.json", "--out", "other.agon"}, 1, "another program");
}
