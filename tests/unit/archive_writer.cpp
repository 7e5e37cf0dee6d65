#include <atomic>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include "archive/database/sqlite.hpp"
#include "archive/writer.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

TEST_CASE("archive: many threads write at once, through a small queue") {
  const Folder folder;
  WriterOptions options;
  options.queue_bytes = 20'000;  // about five matches: most calls have to wait
  Writer writer(folder / "run.agon", options);
  const Numbers numbers = add_rows(writer);
  constexpr int threads = 4;
  constexpr int each = 100;
  std::vector<std::thread> workers;
  for (int t = 0; t < threads; ++t) {
    workers.emplace_back([&, t] {
      for (int i = t * each; i < (t + 1) * each; ++i) {
        MatchRow match = sample_match(numbers, i, 3000);
        if (i % 10 == 0) {
          PartialMatch partial;
          partial.key = match.key;
          partial.record = "so far";
          writer.save_partial(partial);
        }
        writer.store("prompt", "text " + std::to_string(i % 7));
        writer.write_finished(std::move(match));
      }
    });
  }
  for (std::thread& worker : workers) worker.join();
  writer.close();
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(archive.matches().count() == threads * each);
  for (int i = 0; i < threads * each; ++i)
    CHECK(archive.matches().number(sample_match(numbers, i).key.id).has_value());
  int partials = 0;
  archive.matches().partials([&](const PartialMatch&) { ++partials; });
  CHECK(partials == 0);
  for (int i = 0; i < 7; ++i)
    CHECK(archive.content(agon::hash::sha256("text " + std::to_string(i))).has_value());
  CHECK_NOTHROW(archive.check());
}

TEST_CASE("archive: a match larger than the queue is written") {
  const Folder folder;
  WriterOptions options;
  options.queue_bytes = 1000;
  Writer writer(folder / "run.agon", options);
  const Numbers numbers = add_rows(writer);
  writer.write_finished(sample_match(numbers, 1, 300'000));
  writer.flush();
  CHECK(Archive::open(folder / "run.agon").matches().at(1).record.size() == 300'000);
}

TEST_CASE("archive: groups are committed without a flush") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  const Archive archive = Archive::open(folder / "run.agon");
  writer.write_finished(sample_match(numbers, 1));
  while (archive.matches().count() == 0) std::this_thread::yield();  // ends, or the test hangs
  CHECK(archive.matches().number(sample_match(numbers, 1).key.id).has_value());
}

TEST_CASE("archive: a reader sees one state while a run writes") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  for (int i = 0; i < 50; ++i) writer.write_finished(sample_match(numbers, i));
  writer.flush();
  const Archive archive = Archive::open(folder / "run.agon");
  int read = 0;
  archive.matches().each({}, [&](std::int64_t, const MatchRow&) {
    writer.write_finished(sample_match(numbers, 100 + read));
    if (++read == 10) writer.flush();
    return true;
  });
  CHECK(read == 50);
  archive.together([&] {
    const auto before = archive.matches().count();
    writer.write_finished(sample_match(numbers, 1000));
    writer.flush();
    CHECK(archive.matches().count() == before);
  });
  CHECK(archive.matches().count() == 101);
}

TEST_CASE("archive: a reader cannot change anything") {
  const Folder folder;
  { Writer writer(folder / "run.agon"); }
  Connection db(folder / "run.agon", OpenMode::read);
  CHECK_THAT(error_of([&] { db.run("delete from match"); }), Contains("cannot be written"));
}

TEST_CASE(
    "archive: a writer whose archive is another run's writes nothing more, and leaves its log") {
  const Folder folder;
  const auto log = [&] {
    return std::filesystem::file_size((folder / "run.agon").string() + "-wal");
  };
  std::uintmax_t before = 0;
  {
    std::atomic<bool> lost{false};
    WriterOptions options;
    options.lost = &lost;
    Writer writer(folder / "run.agon", options);
    const Numbers numbers = add_rows(writer);
    writer.write_finished(sample_match(numbers, 1));
    writer.flush();
    before = log();
    CHECK(before > 0);
    lost = true;
    writer.write_finished(sample_match(numbers, 2));
    CHECK_THAT(error_of([&] { writer.flush(); }), Contains("another run took over this archive"));
    CHECK_THAT(error_of([&] { writer.close(); }), Contains("another run took over this archive"));
  }
  CHECK(log() == before);
  CHECK(Archive::open(folder / "run.agon").matches().count() == 1);
}

TEST_CASE("archive: a match of unknown agents stops the run") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers numbers = add_rows(writer);
  writer.write_finished(sample_match(numbers, 1));
  writer.flush();
  MatchRow wrong = sample_match(numbers, 2);
  wrong.seats[1].agent = 99;
  writer.write_finished(wrong);
  CHECK_THAT(error_of([&] { writer.flush(); }), Contains("a match of an unknown agent (99)"));
  CHECK_THAT(error_of([&] { writer.write_finished(sample_match(numbers, 3)); }),
             Contains("unknown agent (99)"));
  CHECK(Archive::open(folder / "run.agon").matches().count() == 1);
}

TEST_CASE("archive: a closed writer says so") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  writer.close();
  writer.close();
  CHECK_THAT(error_of([&] { writer.flush(); }), Contains("the archive is closed"));
}
