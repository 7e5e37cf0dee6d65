#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "archive/database/rescue.hpp"
#include "archive/database/sqlite.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;

namespace {

namespace fs = std::filesystem;

/// A database in WAL mode that has its table, with a spare copy; others meddle with it.
struct Watched {
  Watched() {
    db.run("pragma journal_mode = wal");
    db.run("pragma wal_autocheckpoint = 0");
    db.run("create table t (a)");
    spare.emplace(db);
    add();
    REQUIRE(spare->take_commit());
  }
  void add() { db.run("insert into t values (randomblob(20000))"); }
  /// As another program does it.
  void move_log(const std::string& how) const {
    Connection(path, OpenMode::write).run(("pragma wal_checkpoint(" + how + ")").c_str());
  }
  void overwrite(const fs::path& file, std::streamoff at, std::size_t size) const {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    stream.seekp(at);
    stream << std::string(size, 'x');
  }
  /// Rows of the spare copy.
  int copied() {
    const fs::path copy = folder / ("copy" + std::to_string(++copies));
    REQUIRE(spare->write_to(copy));
    Connection there(copy, OpenMode::write);
    Statement check(there, "pragma integrity_check");
    CHECK((check.step() && check.text() == "ok"));
    return static_cast<int>(there.integer("select count(*) from t"));
  }

  const Folder folder;
  const fs::path path = folder / "a.db";
  const fs::path log = folder / "a.db-wal";
  Connection db{path, OpenMode::write};
  std::optional<SpareCopy> spare;
  int copies = 0;
};

}  // namespace

TEST_CASE("archive: another program may move the log into the file at any moment") {
  const std::string how = GENERATE("passive", "full", "restart", "truncate");
  CAPTURE(how);
  Watched it;
  it.move_log(how);  // when all is copied
  CHECK(it.spare->is_whole());
  it.add();
  CHECK(it.spare->take_commit());
  it.add();
  it.move_log(how);  // between a commit and its copy
  CHECK(it.spare->take_commit());
  CHECK(it.spare->is_whole());
  CHECK(it.copied() == 3);
  it.move_log(how);
  CHECK(it.spare->checkpoint());
  it.add();
  CHECK(it.spare->take_commit());
  CHECK(it.spare->checkpoint());
  CHECK(it.copied() == 4);
}

TEST_CASE("archive: what is damaged after the log was moved is seen, and the copy has it all") {
  const std::string how = GENERATE("passive", "truncate");
  CAPTURE(how);
  Watched it;
  it.move_log(how);
  CHECK(it.spare->is_whole());
  it.overwrite(it.path, 4096, 4096);
  CHECK_FALSE(it.spare->is_whole());
  CHECK_FALSE(it.spare->checkpoint());
  CHECK(it.copied() == 1);
}

TEST_CASE("archive: a commit whose log was damaged before it was copied is not taken") {
  const std::string how = GENERATE("emptied", "overwritten", "zeroed", "removed");
  CAPTURE(how);
  Watched it;
  it.add();
  const auto size = fs::file_size(it.log);
  if (how == "emptied") fs::resize_file(it.log, 0);
  if (how == "overwritten") it.overwrite(it.log, 0, size);
  if (how == "zeroed") it.overwrite(it.log, static_cast<std::streamoff>(size) - 4120, 4120);
  if (how == "removed") fs::remove(it.log);
  CHECK_FALSE(it.spare->take_commit());
  CHECK(it.copied() == 1);
}

TEST_CASE("archive: a file cut short after its log was moved into it is not taken") {
  Watched it;
  it.move_log("truncate");
  REQUIRE(it.spare->is_whole());
  it.add();
  it.move_log("truncate");
  fs::resize_file(it.path, 8192);
  CHECK_FALSE(it.spare->take_commit());
  CHECK(it.copied() == 1);
}

TEST_CASE("archive: what is damaged in the log after it was copied is seen") {
  Watched it;
  REQUIRE(it.spare->is_whole());
  it.overwrite(it.log, 2 * 4120, 4120);
  CHECK_FALSE(it.spare->is_whole());
  // A commit since then hides it from a look at size and time, not from a checkpoint.
  it.add();
  CHECK(it.spare->take_commit());
  CHECK_FALSE(it.spare->checkpoint());
  CHECK(it.copied() == 2);
}
