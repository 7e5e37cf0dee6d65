#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>

#include <algorithm>

#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

namespace {

// Plays the part of a run: matches in fives, each five acknowledged by a flush, and a partial match
// that grows and is acknowledged on its own. One byte down the pipe for each acknowledgement.
[[noreturn]] void write_until_killed(const std::filesystem::path& path, int pipe_end) {
  try {
    Writer writer(path);
    const Numbers numbers = add_rows(writer);
    PartialMatch partial;
    partial.key = sample_match(numbers, 1'000'000).key;
    partial.agents = {numbers.first, numbers.second};
    for (int i = 0;; ++i) {
      writer.write_finished(sample_match(numbers, i, 3000));
      if (i % 5 == 4) {
        writer.flush();
        if (write(pipe_end, "f", 1) != 1) _exit(1);
        partial.sequence = i;
        partial.record += std::to_string(i) + ";";
        writer.save_partial(partial);
        if (write(pipe_end, "p", 1) != 1) _exit(1);
      }
    }
  } catch (...) {
    _exit(1);
  }
}

struct Acknowledged {
  int flushes = 0;
  int partials = 0;
};

// Kills the writing process as soon as it has acknowledged so many times.
Acknowledged kill_after(const std::filesystem::path& path, int acknowledgements) {
  std::array<int, 2> ends{};
  REQUIRE(pipe(ends.data()) == 0);
  const pid_t child = fork();
  if (child == 0) write_until_killed(path, ends[1]);
  close(ends[1]);
  Acknowledged got;
  const auto take = [&] {
    char c = 0;
    if (read(ends[0], &c, 1) != 1) return false;
    ++(c == 'f' ? got.flushes : got.partials);
    return true;
  };
  for (int i = 0; i < acknowledgements; ++i) REQUIRE(take());
  kill(child, SIGKILL);
  while (take()) {  // what it still said before it died
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  CHECK((WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL));
  return got;
}

}  // namespace

TEST_CASE("archive: nothing acknowledged is lost to kill -9") {
  const Folder folder;
  for (const int point : {0, 1, 2, 3, 8, 21, 60}) {
    INFO("killed after acknowledgement " << point);
    const auto path = folder / ("run" + std::to_string(point) + ".agon");
    const Acknowledged got = kill_after(path, point);
    {
      Writer next(path);  // the lock went with the process, and what was cut off is taken in
      const Numbers numbers = add_rows(next);
      const Archive archive = Archive::open(path);
      CHECK_NOTHROW(archive.check());
      for (int i = 0; i < 5 * got.flushes; ++i) {
        const MatchRow expected = sample_match(numbers, i, 3000);
        const auto number = archive.matches().number(expected.key.id);
        REQUIRE(number);
        const MatchRow match = archive.matches().at(*number);
        CHECK(match.record == expected.record);
        CHECK(match.seats.size() == 2);
      }
      const auto partial = archive.matches().partial(sample_match(numbers, 1'000'000).key.id);
      CHECK(partial.has_value() >= (got.partials > 0));
      if (partial) {
        const auto saves = std::count(partial->record.begin(), partial->record.end(), ';');
        CHECK(saves >= got.partials);
        CHECK(partial->sequence == 5 * saves - 1);
      }
      // Taken up again: the set difference is played, and the match in progress ends.
      const auto before = archive.matches().count();
      for (int i = 0; i < 400; ++i) next.write_finished(sample_match(numbers, i, 3000));
      next.write_finished(sample_match(numbers, 1'000'000));
      next.flush();
      CHECK(archive.matches().count() == std::max<std::int64_t>(before, 400) + 1);
      CHECK_FALSE(archive.matches().partial(sample_match(numbers, 1'000'000).key.id));
    }
    CHECK_FALSE(std::filesystem::exists(path.string() + "-wal"));
  }
}

namespace {

// Writes until the archive stops; then says what went wrong, or nothing.
std::string write_until_full(const std::filesystem::path& path, std::string_view expected) {
  Writer writer(path);
  const Numbers numbers = add_rows(writer);
  PartialMatch partial;
  partial.key = sample_match(numbers, 1'000'000).key;
  int kept = 0;
  std::string first = "no error";
  for (int i = 0; i < 10'000 && first == "no error"; ++i) {
    first = error_of([&] {
      writer.write_finished(sample_match(numbers, i, 3000));
      if (i % 10 == 9) {
        writer.flush();
        kept = i + 1;
      }
    });
  }
  if (first.find(expected) == std::string::npos) return "the first error: " + first;
  if (kept == 0) return "nothing was kept";
  const std::function<void()> calls[] = {[&] { writer.flush(); },
                                         [&] { writer.save_partial(partial); },
                                         [&] { writer.write_finished(sample_match(numbers, 1)); },
                                         [&] { writer.store("prompt", "new text"); },
                                         [&] { writer.agent({}); },
                                         [&] { writer.close(); }};
  for (const auto& call : calls) {
    const std::string later = error_of(call);
    if (later != first) return "a later error: " + later;
  }
  const Archive archive = Archive::open(path);
  archive.check();
  for (int i = 0; i < kept; ++i) {
    const auto number = archive.matches().number(sample_match(numbers, i).key.id);
    if (!number) return "match " + std::to_string(i) + " of " + std::to_string(kept) + " is lost";
    if (archive.matches().at(*number).record.size() != 3000) return "a record is cut";
  }
  return "";
}

}  // namespace

TEST_CASE("archive: a limit on the file's size stops the run and loses nothing") {
  const Folder folder;
  CHECK(in_child([&] {
          signal(SIGXFSZ, SIG_IGN);
          rlimit limit{4'000'000, 4'000'000};
          if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return std::string("no limit");
          return write_until_full(folder / "run.agon", "limit on file sizes");
        }) == "");
  // With the limit gone, the run goes on where it stopped.
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  for (int i = 0; i < 2000; ++i) writer.write_finished(sample_match(numbers, i, 3000));
  writer.close();
  CHECK(Archive::open(folder / "run.agon").matches().count() == 2000);
}

TEST_CASE("archive: a full disk stops the run and loses nothing") {
  const Folder folder;
  const std::string said = in_child([&] {
    // A file system of 4 MB that only this process sees.
    if (unshare(CLONE_NEWNS) != 0 ||
        mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
        mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=4m") != 0)
      return std::string("skipped");
    return write_until_full(folder / "run.agon", "the disk is full");
  });
  if (said == "skipped") SKIP("mounting a small file system needs more rights");
  CHECK(said == "");
}

TEST_CASE("archive: what could not be saved leaves no part of a file behind") {
  const Folder folder;
  const auto path = folder.path() / "runs" / "run.agon";
  const auto other = folder.path() / "other";
  std::filesystem::create_directories(path.parent_path());
  std::filesystem::create_directories(other);
  CHECK(in_child([&]() -> std::string {
          // All folders that a rescue tries are the test's own.
          std::filesystem::current_path(other);
          setenv("TMPDIR", other.c_str(), 1);
          Writer writer(path);
          const Numbers numbers = add_rows(writer);
          for (int i = 0; i < 20; ++i) writer.write_finished(sample_match(numbers, i, 3000));
          writer.flush();
          std::filesystem::remove(path);
          signal(SIGXFSZ, SIG_IGN);
          rlimit limit{8192, 8192};
          if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return "no limit";
          const std::string error = error_of([&] { writer.close(); });
          return error.find("could not be saved") == std::string::npos ? error : "";
        }) == "");
  for (const auto& file : std::filesystem::recursive_directory_iterator(folder.path())) {
    INFO(file.path());
    CHECK(file.path().filename().string().find(".rescued") == std::string::npos);
  }
}

TEST_CASE("archive: what is overwritten after a checkpoint is saved whole") {
  const bool truncated = GENERATE(true, false);
  const Folder folder;
  const auto path = folder / "run.agon";
  constexpr int kMatches = 12'000;  // 3 kB each: the log is moved into the file on the way
  const auto write = [&](Writer& writer, const Numbers& numbers, int from, int to) {
    for (int i = from; i < to; ++i) {
      writer.write_finished(sample_match(numbers, i, 8000));
      if (i % 50 == 49) writer.flush();
    }
  };
  {
    Writer writer(path);
    const Numbers numbers = add_rows(writer);
    write(writer, numbers, 0, kMatches);
    CHECK(writer.looks_whole());
    REQUIRE(std::filesystem::file_size(path) > (std::uintmax_t{32} << 20U));
    if (truncated) {
      std::filesystem::resize_file(path, std::uintmax_t{1} << 20U);
    } else {
      const int file = open(path.c_str(), O_WRONLY | O_CLOEXEC);
      const std::string garbage(std::size_t{8} << 20U, 'x');
      REQUIRE(pwrite(file, garbage.data(), garbage.size(), 4 << 20) ==
              static_cast<ssize_t>(garbage.size()));
      close(file);
    }
    CHECK_FALSE(writer.looks_whole());
    // What is written meanwhile is in the copy too.
    write(writer, numbers, kMatches, kMatches + 100);
    CHECK(writer.fate() == Writer::Fate::overwritten);
    writer.close();
    CHECK(writer.rescued() == std::filesystem::canonical(folder.path()) / "run.rescued.agon");
  }
  const Archive saved = Archive::open(folder / "run.rescued.agon");
  CHECK(saved.matches().count() == kMatches + 100);
  saved.check();
}
