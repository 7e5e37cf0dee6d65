// Which matches a suite and a run asked for.
#include "archive/database/sqlite.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "design/plan.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

namespace {

std::int64_t begin(Writer& writer, std::optional<std::int64_t> suite, const Selection& found = {}) {
  RunRow run;
  run.started = 1000;
  run.suite_number = suite;
  return writer.begin_run(run, found);
}

std::int64_t suite_named(Writer& writer, const std::string& name, std::uint64_t seed = 1) {
  return writer.suite({agon::hash::sha256(name + std::to_string(seed)), name, seed});
}

std::vector<std::int64_t> numbers_of(const Selection& selection, std::int64_t most = 20) {
  std::vector<std::int64_t> numbers;
  for (std::int64_t n = 1; n <= most; ++n)
    if (selection.matches.has(n)) numbers.push_back(n);
  return numbers;
}

using List = std::vector<std::int64_t>;

void write_matches(Writer& writer, const Numbers& rows, int from, int to) {
  for (int i = from; i <= to; ++i) writer.write_finished(sample_match(rows, i));
  writer.flush();
}

}  // namespace

TEST_CASE("archive: ranges of numbers are kept in order and joined") {
  const MatchNumbers numbers({{5, 6}, {1, 2}, {3, 3}, {9, 9}, {5, 7}, {20, 30}, {21, 22}});
  REQUIRE(numbers.ranges().size() == 4);
  CHECK(numbers.ranges()[0].last == 3);
  CHECK(numbers.ranges()[1].last == 7);
  CHECK(numbers.ranges()[3].last == 30);
  for (const std::int64_t in : {1, 3, 5, 7, 9, 20, 30}) CHECK(numbers.has(in));
  for (const std::int64_t out : {0, 4, 8, 10, 19, 31}) CHECK_FALSE(numbers.has(out));
  CHECK_FALSE(MatchNumbers().has(1));
}

TEST_CASE("archive: a suite has what its runs played and found, a run what was known by then") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  const std::int64_t first = suite_named(writer, "a");
  CHECK(suite_named(writer, "a") == first);
  const std::int64_t one = begin(writer, first);
  write_matches(writer, rows, 1, 3);
  const std::int64_t other = suite_named(writer, "b");
  CHECK(other != first);
  Selection found;
  found.matches = MatchNumbers({{2, 2}});
  const std::int64_t two = begin(writer, other, found);
  write_matches(writer, rows, 4, 5);
  const std::int64_t three = begin(writer, first);
  write_matches(writer, rows, 6, 6);

  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(numbers_of(archive.asked_by(first)) == List{1, 2, 3, 6});
  CHECK(numbers_of(archive.asked_by(other)) == List{2, 4, 5});
  CHECK(numbers_of(archive.asked_by(first, one)) == List{1, 2, 3});
  CHECK(numbers_of(archive.asked_by(first, three)) == List{1, 2, 3, 6});
  CHECK(archive.asked_by(first).runs == std::set<std::int64_t>{one, three});
  CHECK(archive.asked_by(other).runs == std::set<std::int64_t>{two});
  CHECK(archive.asked_by_nobody().matches.empty());
  CHECK(archive.runs().at(1).suite_number == other);
  CHECK(archive.suites().at(other).name == "b");
}

TEST_CASE("archive: what is narrowed gives what was asked for alone") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  begin(writer, suite_named(writer, "a"));
  write_matches(writer, rows, 1, 3);
  PartialMatch partial;
  partial.key = sample_match(rows, 9).key;
  partial.agents = {rows.first, rows.second};
  writer.save_partial(partial);
  const std::int64_t second = suite_named(writer, "b");
  Selection found;
  found.matches = MatchNumbers({{1, 1}});
  begin(writer, second, found);
  write_matches(writer, rows, 4, 5);

  Archive archive = Archive::open(folder / "run.agon");
  const auto seen = [&] {
    List list;
    archive.matches().each({}, [&](std::int64_t number, const MatchRow&) {
      list.push_back(number);
      return true;
    });
    int open = 0;
    archive.matches().partials([&](const PartialMatch&) { ++open; });
    list.push_back(archive.matches().count());
    list.push_back(open);
    list.push_back(static_cast<std::int64_t>(archive.runs().size()));
    return list;
  };
  CHECK(seen() == List{1, 2, 3, 4, 5, 5, 1, 2});
  archive.narrow(archive.asked_by(second));
  CHECK(seen() == List{1, 4, 5, 3, 0, 1});
  CHECK(archive.runs().front().number == 2);
  archive.narrow(archive.asked_by(1));
  CHECK(seen() == List{1, 2, 3, 3, 1, 1});
  archive.narrow({});
  CHECK(seen() == List{0, 0, 0});
}

TEST_CASE("archive: a match in progress is asked for until it is finished") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  const std::int64_t first = suite_named(writer, "a"), second = suite_named(writer, "b");
  begin(writer, first);
  PartialMatch partial;
  partial.key = sample_match(rows, 1).key;
  partial.agents = {rows.first, rows.second};
  writer.save_partial(partial);
  Selection found;
  found.partials.insert(partial.key.id);
  begin(writer, second, found);
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(archive.asked_by(first).partials.size() == 1);
  CHECK(archive.asked_by(second).partials.size() == 1);
  write_matches(writer, rows, 1, 1);
  CHECK(archive.asked_by(first).partials.empty());
  CHECK(archive.asked_by(second).partials.empty());
  CHECK(numbers_of(archive.asked_by(second)) == List{1});
}

TEST_CASE("archive: the number of a match that was set aside is not given to another") {
  const Folder folder;
  Writer writer(folder / "run.agon");
  const Numbers rows = add_rows(writer);
  const std::int64_t first = suite_named(writer, "a"), second = suite_named(writer, "b");
  begin(writer, first);
  write_matches(writer, rows, 1, 2);
  MatchRow aside = sample_match(rows, 3);
  aside.status = MatchStatus::quarantined;
  writer.write_finished(aside);
  writer.close();
  Writer next(folder / "run.agon");
  next.forget_set_aside();
  begin(next, second);
  write_matches(next, rows, 4, 4);
  Archive archive = Archive::open(folder / "run.agon");
  CHECK(numbers_of(archive.asked_by(second)) == List{4});
  archive.narrow(archive.asked_by(first));
  CHECK(archive.matches().count() == 2);
}

TEST_CASE("archive: a run that is killed has asked for what was committed") {
  const Folder folder;
  const std::string said = in_child([&] {
    Writer writer(folder / "run.agon");
    const Numbers rows = add_rows(writer);
    Selection found;
    begin(writer, suite_named(writer, "a"), found);
    write_matches(writer, rows, 1, 4);
    _exit(0);
    return std::string();
  });
  CHECK(said.empty());
  const Archive archive = Archive::open(folder / "run.agon");
  CHECK(numbers_of(archive.asked_by(1)) == List{1, 2, 3, 4});
}

TEST_CASE("archive: runs and suites that point nowhere, and ranges that are none, are damage") {
  const auto after = [](const char* sql) {
    const Folder folder;
    {
      Writer writer(folder / "run.agon");
      const Numbers rows = add_rows(writer);
      begin(writer, suite_named(writer, "a"));
      write_matches(writer, rows, 1, 2);
    }
    {
      Connection db(folder / "run.agon", OpenMode::write);
      db.run(sql);
    }
    return error_of([&] {
      const Archive archive = Archive::open(folder / "run.agon");
      (void)archive.suites();
      (void)archive.asked_by(1);
      (void)archive.asked_by_nobody();
    });
  };
  CHECK_THAT(after("update requested set first = 0"), Contains("'first' of a row is 0"));
  CHECK_THAT(after("update requested set last = 0"), Contains("'last' of a row is 0"));
  CHECK_THAT(after("update requested set last = 9223372036854775807"),
             Contains("'last' of a row is 9"));
  CHECK_THAT(after("update suite set digest = x'00'"), Contains("'digest' of a row is 1 bytes"));
  CHECK(after("select 1") == "no error");
}
