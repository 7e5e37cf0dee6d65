#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "archive/database/file.hpp"
#include "archive/database/schema.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;
using Catch::Matchers::Equals;

namespace {

std::string reading(const std::filesystem::path& path) {
  return error_of([&] { Archive::open(path); });
}

std::string writing(const std::filesystem::path& path) {
  return error_of([&] { Writer writer(path); });
}

void put(const std::filesystem::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The process that holds SQLite's own lock of who reads, or "nobody". Closing any descriptor of the
// file in that process would drop it.
std::string reader_of(const std::filesystem::path& path) {
  return in_child([&]() -> std::string {
    constexpr off_t kShared = 0x40000002;
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_start = kShared;
    lock.l_len = 510;
    fcntl(file, F_GETLK, &lock);
    close(file);
    return lock.l_type == F_RDLCK ? std::to_string(lock.l_pid) : "nobody";
  });
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator files("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

void run_sql(const std::filesystem::path& path, const char* sql) {
  Connection(path, OpenMode::write).run(sql);
}

void make_archive(const std::filesystem::path& path, int matches) {
  Writer writer(path);
  const Numbers numbers = add_rows(writer);
  for (int i = 0; i < matches; ++i) writer.write_finished(sample_match(numbers, i, 3000));
  writer.close();
}

// An ordinary user, so that permissions mean something although tests may run as root.
void become_nobody() {
  if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0))
    throw std::runtime_error("cannot change the user");
}

}  // namespace

TEST_CASE("archive: a path that cannot be an archive is refused") {
  const Folder folder;
  put(folder / "notes.txt", "These are my notes, in plain words.\n");
  run_sql(folder / "other.db", "create table mine (a)");
  mkfifo((folder / "pipe").c_str(), 0600);
  for (const auto& open : {reading, writing}) {
    CHECK_THAT(open(folder.path()),
               Contains("expected an archive, got a folder") && Contains("choose a file in it"));
    CHECK_THAT(open(folder / "notes.txt"), Contains("notes.txt: this is not an Agon archive"));
    CHECK_THAT(open(folder / "other.db"), Contains("a database of another program"));
    CHECK_THAT(open(folder / "pipe"), Contains("expected a regular file"));
  }
  CHECK_THAT(reading(folder / "none.agon"), Contains("archive not found"));
  CHECK_THAT(writing(folder / "none" / "run.agon"),
             Contains("the folder of the archive does not exist") && Contains("create the folder"));
  std::ifstream notes(folder / "notes.txt");
  std::string text;
  std::getline(notes, text);
  CHECK(text == "These are my notes, in plain words.");  // untouched
}

TEST_CASE("archive: an empty file is nothing to read, and room for a new archive") {
  const Folder folder;
  put(folder / "run.agon", "");
  CHECK_THAT(reading(folder / "run.agon"),
             Contains("the archive is empty: no run has written to it"));
  CHECK(std::filesystem::file_size(folder / "run.agon") == 0);
  make_archive(folder / "run.agon", 1);
  CHECK(Archive::open(folder / "run.agon").matches().count() == 1);
}

TEST_CASE("archive: a truncated archive is refused, wherever it was cut") {
  const Folder folder;
  make_archive(folder / "run.agon", 40);
  const auto size = std::filesystem::file_size(folder / "run.agon");
  REQUIRE(size > 100'000);
  const std::uintmax_t cuts[] = {10, 50, 100, 511, 512, 5000, size / 2, size - 1, size - 4096};
  for (const std::uintmax_t cut : cuts) {
    INFO(cut);
    for (const auto& open : {reading, writing}) {
      const auto copy = folder / "copy.agon";
      std::filesystem::copy_file(folder / "run.agon", copy,
                                 std::filesystem::copy_options::overwrite_existing);
      std::filesystem::resize_file(copy, cut);
      CHECK_THAT(open(copy), Contains("copy.agon: the archive is damaged or cut short"));
    }
  }
}

TEST_CASE("archive: damage inside the file is found when it is read or checked") {
  const Folder folder;
  make_archive(folder / "run.agon", 40);
  const auto size = std::filesystem::file_size(folder / "run.agon");
  {
    std::fstream file(folder / "run.agon", std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(40'000);
    file << std::string(size - 40'000, '\x7F');
  }
  const std::string error = error_of([&] {
    const Archive archive = Archive::open(folder / "run.agon");
    CHECK_THAT(error_of([&] { archive.check(); }),
               Equals((folder / "run.agon").string() +
                      ": the archive is damaged or cut short; take a copy from before the damage, "
                      "or rescue what is left with `sqlite3 FILE .recover`"));
    ReadOptions all;
    all.record = true;
    archive.matches().each(all, [](std::int64_t, const MatchRow&) { return true; });
  });
  CHECK_THAT(error, Contains("damaged"));
  make_archive(folder / "sound.agon", 40);
  CHECK_NOTHROW(Archive::open(folder / "sound.agon").check());
}

TEST_CASE("archive: an archive of another format is refused, and left as it is") {
  const auto [version, told] = GENERATE(table<int, const char*>(
      {{99, "written by a newer version of Agon"}, {4, "before its first release"}}));
  const Folder folder;
  make_archive(folder / "run.agon", 1);
  const std::string format = std::to_string(version);
  run_sql(folder / "run.agon", ("pragma user_version = " + format).c_str());
  for (const auto& open : {reading, writing}) {
    CHECK_THAT(open(folder / "run.agon"), Contains(told) && Contains("archive format " + format) &&
                                              Contains("this Agon reads format 7"));
  }
  CHECK(Connection(folder / "run.agon", OpenMode::read).integer("pragma user_version") == version);
}

namespace {

// What Agon wrote before format 6, from an archive of the present one.
constexpr const char* kToFormat5 = R"sql(
drop view result;
drop view seat_metric;
drop view match_metric;
alter table requested rename to asked;
alter table requested_partial rename to asked_partial;
alter table run rename column suite_number to asked;
alter table run rename column suite_file to suite;
alter table run rename column status to outcome;
alter table agent rename column family to base;
alter table match rename column rng_key to luck;
alter table match rename column status to ended;
update match set ended = 'game-fault' where number = 2;
update match set ended = 'set-aside' where number = 3;
alter table seat rename column payoff to score;
alter table seat rename column disagreement to zero;
alter table seat rename column ideal to one;
alter table seat rename column fallbacks to forced;
alter table seat rename column input_tokens to tokens_in;
alter table seat rename column output_tokens to tokens_out;
alter table seat rename column cached_tokens to tokens_cached;
alter table seat rename column reasoning_tokens to tokens_thought;
alter table call rename column input_tokens to tokens_in;
alter table call rename column output_tokens to tokens_out;
alter table call rename column cached_tokens to tokens_cached;
alter table call rename column reasoning_tokens to tokens_thought;
alter table person rename column disclosure to told;
alter table partial rename to newer;
create table partial (
  id blob primary key,
  scenario integer not null references scenario,
  block integer not null,
  repeat integer not null,
  position integer not null,
  line_up text not null,
  assignment integer not null,
  agents text not null,
  sequence integer not null,
  reason text not null,
  saved integer not null,
  record blob not null
) strict;
insert into partial select id, scenario, block, repeat, position, line_up, assignment, agents,
  sequence, reason, saved, record from newer;
drop table newer;
create view result as select score from seat;
pragma user_version = 5;
)sql";

}  // namespace

TEST_CASE("archive: one of format 5 is converted when it is opened") {
  const Folder folder;
  const auto path = folder / "run.agon";
  make_archive(path, 4);
  const MatchRow before = Archive::open(path).matches().at(4);
  run_sql(path, kToFormat5);
  SECTION("for reading") {
    const Archive archive = Archive::open(path);
    const MatchRow after = archive.matches().at(4);
    CHECK(after.rng_key == before.rng_key);
    CHECK(after.seats.at(0).payoff == before.seats.at(0).payoff);
    CHECK(after.seats.at(0).ideal == before.seats.at(0).ideal);
    CHECK(after.seats.at(0).fallbacks == before.seats.at(0).fallbacks);
    CHECK(after.seats.at(0).input_tokens == before.seats.at(0).input_tokens);
    CHECK(archive.matches().at(1).status == MatchStatus::finished);
    CHECK(archive.matches().at(2).status == MatchStatus::game_error);
    CHECK(archive.matches().at(3).status == MatchStatus::quarantined);
    Connection db(path, OpenMode::read);
    CHECK(db.integer("pragma user_version") == 7);
    CHECK(db.integer("select count(*) from sqlite_schema where name = 'result' and sql like "
                     "'%payoff%'") == 1);
  }
  SECTION("for writing") {
    CHECK(writing(path) == "no error");
    CHECK(Archive::open(path).matches().at(4).rng_key == before.rng_key);
  }
  SECTION("but not while a run writes it, nor where it cannot be written") {
    {
      const RunLock lock(path);
      CHECK_THAT(
          in_child([&] { return reading(path); }),
          Contains("written in an earlier format, and not converted: another run is writing"));
    }
    if (geteuid() != 0) {
      std::filesystem::permissions(path, std::filesystem::perms::owner_read);
      CHECK_THAT(reading(path), Contains("not converted") && Contains("copy the archive"));
    }
    CHECK(Connection(path, OpenMode::read).integer("pragma user_version") == 5);
  }
  SECTION("nor where another program has changed it") {
    run_sql(path, "alter table seat rename column score to points");
    CHECK_THAT(reading(path), Contains("not converted"));
    CHECK(Connection(path, OpenMode::read).integer("pragma user_version") == 5);
    CHECK(Connection(path, OpenMode::read).integer("select count(luck) from match") == 4);
  }
}

TEST_CASE("archive: only one run writes an archive at a time") {
  const Folder folder;
  const auto path = folder / "run.agon";
  std::filesystem::create_symlink(path, folder / "link.agon");
  {
    Writer writer(path);
    CHECK_THAT(writing(path), Contains("another run is writing this archive (process " +
                                       std::to_string(getpid()) + ")"));
    CHECK_THAT(writing(folder / "link.agon"), Contains("another run is writing"));
    CHECK_THAT(in_child([&] { return writing(path); }), Contains("another run is writing"));
    CHECK(reading(path) == "no error");
  }
  CHECK(writing(path) == "no error");
}

TEST_CASE("archive: who is refused in the same process leaves the locks of the writer alone") {
  const Folder folder;
  const auto path = folder / "run.agon";
  Writer writer(path);
  REQUIRE(reader_of(path) == std::to_string(getpid()));
  CHECK_THAT(writing(path), Contains("another run is writing this archive"));
  CHECK(reader_of(path) == std::to_string(getpid()));
}

TEST_CASE("archive: a reader keeps its locks when writers of the same process end") {
  const Folder folder;
  const auto path = folder / "run.agon";
  make_archive(path, 1);
  const std::size_t before = open_descriptors();
  {
    std::optional<Archive> reader = Archive::open(path);
    CHECK(reader->matches().count() == 1);
    REQUIRE(reader_of(path) == std::to_string(getpid()));
    for (int i = 0; i < 3; ++i) {
      { Writer writer(path); }
      CHECK(reader_of(path) == std::to_string(getpid()));
      // The last reader to close takes the log away: another process is not the last.
      CHECK(in_child([&] { return reading(path); }) == "no error");
      CHECK(std::filesystem::exists(path.string() + "-wal"));
    }
    // One waits to be closed, however many runs there were.
    const std::size_t with_reader = open_descriptors();
    { Writer writer(path); }
    CHECK(open_descriptors() == with_reader);
    reader.reset();
    CHECK(reader_of(path) == "nobody");
  }
  CHECK(open_descriptors() == before);
}

TEST_CASE("archive: a lock takes the file that it made with it where nobody wrote it") {
  const Folder folder;
  const auto path = folder / "run.agon";
  { const RunLock lock(path); }
  CHECK_FALSE(std::filesystem::exists(path));
  {
    const RunLock lock(path);
    std::ofstream(path) << "written";
  }
  CHECK(std::filesystem::exists(path));
  std::filesystem::remove(path);
  {
    // Somebody moves it away and has an empty file of another one's there.
    const RunLock lock(path);
    std::filesystem::rename(path, folder / "moved.agon");
    std::ofstream(path).flush();
  }
  CHECK(std::filesystem::exists(path));
}

TEST_CASE("archive: of many that come and go one holds the lock at a time") {
  const Folder folder;
  const auto path = folder / "run.agon";
  std::atomic<int> holders{0};
  std::atomic<int> held{0};
  std::atomic<bool> together{false};
  const auto come_and_go = [&] {
    for (int i = 0; i < 2000; ++i) {
      try {
        const RunLock lock(path);
        if (++holders > 1) together = true;
        ++held;
        std::this_thread::yield();
        --holders;
      } catch (const agon::Error&) {  // somebody else has it
      }
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(come_and_go);
  for (std::thread& t : threads) t.join();
  CHECK_FALSE(together);
  CHECK(held > 0);
}

TEST_CASE("archive: a closed archive is one file") {
  const Folder folder;
  make_archive(folder / "run.agon", 3);
  CHECK(Archive::open(folder / "run.agon").matches().count() == 3);
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) {
    INFO(entry.path());
    ++files;
  }
  CHECK(files == 1);
}

TEST_CASE("archive: a read-only folder can be read and not written") {
  const Folder folder;
  const auto path = folder / "sub" / "run 1%?.agon";
  std::filesystem::create_directory(folder / "sub");
  make_archive(path, 3);
  chmod(path.c_str(), 0444);
  chmod((folder / "sub").c_str(), 0555);
  chmod(folder.path().c_str(), 0755);
  CHECK(in_child([&] {
          become_nobody();
          const Archive archive = Archive::open(path);
          int seats = 0;
          archive.matches().each({}, [&](std::int64_t, const MatchRow& match) {
            seats += static_cast<int>(match.seats.size());
            return true;
          });
          return std::to_string(archive.matches().count()) + " matches, " + std::to_string(seats) +
                 " seats";
        }) == "3 matches, 6 seats");
  const std::string refused = in_child([&] {
    become_nobody();
    return writing(path) + "\n" + writing(folder / "sub" / "new.agon");
  });
  CHECK_THAT(refused, Contains("run 1%?.agon: no run can write here: Permission denied; "
                               "choose a file and a folder that you may write, with --out"));
  CHECK_THAT(refused, Contains("new.agon: no run can write here"));
  chmod((folder / "sub").c_str(), 0755);
  CHECK_THAT(in_child([&] {
               become_nobody();
               return writing(folder / "sub" / "new.agon");
             }),
             Contains("no run can write here") || Contains("no error"));
}

TEST_CASE("archive: a read-only file in a folder that may be written is not written") {
  const Folder folder;
  make_archive(folder / "run.agon", 3);
  chmod(folder.path().c_str(), 0777);
  chmod((folder / "run.agon").c_str(), 0444);
  CHECK_THAT(in_child([&] {
               become_nobody();
               return writing(folder / "run.agon");
             }),
             Contains("run.agon: no run can write here: Permission denied"));
}

TEST_CASE("archive: a database that another program holds is waited for, then given up") {
  const Folder folder;
  make_archive(folder / "run.agon", 1);
  Connection other(folder / "run.agon", OpenMode::write);
  other.run("begin immediate");
  Connection mine(folder / "run.agon", OpenMode::write);
  sqlite3_busy_timeout(mine.get(), 1);
  CHECK_THAT(error_of([&] { mine.run("begin immediate"); }),
             Contains("another program holds the archive"));
}

TEST_CASE("archive: every failure of the database has its own words") {
  const auto words = [](int code, int system = 0) {
    return std::string(database_error(code, "run.agon", "detail", system).what());
  };
  CHECK_THAT(words(SQLITE_FULL), Contains("the disk is full"));
  CHECK_THAT(words(SQLITE_IOERR_WRITE, ENOSPC), Contains("the disk is full"));
  CHECK_THAT(words(SQLITE_IOERR_WRITE, EFBIG), Contains("limit on file sizes"));
  CHECK_THAT(words(SQLITE_IOERR_FSYNC, EIO),
             Contains("reading or writing the archive failed: Input/output error"));
  CHECK_THAT(words(SQLITE_CORRUPT_INDEX), Contains("damaged"));
  CHECK_THAT(words(SQLITE_NOTADB), Contains("not an Agon archive"));
  CHECK_THAT(words(SQLITE_READONLY_DBMOVED), Contains("cannot be written"));
  CHECK_THAT(words(SQLITE_READONLY_DIRECTORY, EACCES), Contains("cannot be opened"));
  CHECK_THAT(words(SQLITE_BUSY_SNAPSHOT), Contains("another program"));
  CHECK_THAT(words(SQLITE_CANTOPEN, EMFILE), Contains("Too many open files"));
  CHECK_THAT(words(SQLITE_NOMEM), Contains("out of memory"));
  CHECK_THAT(words(SQLITE_CONSTRAINT), Contains("refused an operation: detail"));
}
