#include <sqlite3.h>

#include <cstdint>
#include <limits>
#include <string>

#include "archive/database/sqlite.hpp"
#include "archive/export/export.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "results/results.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

namespace {

/// What another program does to an archive. It may switch off what SQLite checks.
void change(const std::filesystem::path& path, const std::string& sql) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
  char* problem = nullptr;
  const int code = sqlite3_exec(db, sql.c_str(), nullptr, nullptr, &problem);
  INFO(sql << ": " << (problem == nullptr ? "" : problem));
  CHECK(code == SQLITE_OK);
  sqlite3_free(problem);
  sqlite3_close(db);
}

/// An archive of three matches, a call of a model and a match in progress.
void make(const std::filesystem::path& path) {
  Writer writer(path);
  const Numbers numbers = add_rows(writer);
  for (int i = 0; i < 3; ++i) writer.write_finished(sample_match(numbers, i, 100));
  CallRow call;
  call.match = sample_match(numbers, 0, 0).key.id;
  call.run = 1;
  call.call.messages = {{"system", "Bargain."}};
  call.call.parameters = "{}";
  call.call.text = "Deal.";
  for (const agon::ChatMessage& message : call.call.messages)
    call.messages.push_back(writer.store("message", message_bytes(message)));
  call.parameters = writer.store("parameters", call.call.parameters);
  writer.save_call(call);
  PartialMatch partial;
  partial.key = sample_match(numbers, 9, 0).key;
  partial.agents = {numbers.first, numbers.second};
  partial.record = "half";
  writer.save_partial(partial);
  writer.close();
}

/// Reads all that there is.
std::string reading_all(const std::filesystem::path& path) {
  return error_of([&] {
    const Archive archive = Archive::open(path);
    archive.check();
    (void)archive.runs();
    (void)archive.games();
    (void)archive.scenarios();
    archive.matches().partials([](const PartialMatch&) {});
    (void)archive.calls().totals();
    archive.calls().uncounted([](const UncountedCall&) {});
    (void)agon::report::collect(archive, {});
    std::ostringstream out;
    export_jsonl(archive, out, {});
    export_csv(archive, out, {.rows = ExportRows::matches});
    export_calls(archive, out, CsvAudience::data);
  });
}

/// What reading says after `sql`.
std::string after(const std::string& sql) {
  const Folder folder;
  make(folder / "run.agon");
  REQUIRE(reading_all(folder / "run.agon") == "no error");
  change(folder / "run.agon", sql);
  return reading_all(folder / "run.agon");
}

}  // namespace

TEST_CASE("archive: tables are tables, and nothing acts") {
  CHECK_THAT(after("alter table match rename to old; create view match as select * from old"),
             Contains("'match' is a view, not a table"));
  CHECK_THAT(after("create trigger t after insert on match begin delete from record; end"),
             Contains("it has the trigger 't'"));
  CHECK_THAT(after("drop table person_answer; create virtual table person_answer using fts5(a)"),
             Contains("it has the virtual table 'person_answer'"));
  CHECK_THAT(after("drop table record"), Contains("the table 'record' is missing"));
  CHECK_THAT(after("alter table seat add column odd real as (payoff * 2)"),
             Contains("the table 'seat' is not as Agon makes it"));
  CHECK_THAT(after("alter table run rename column seed to seeds"),
             Contains("the table 'run' is not as Agon makes it"));
  CHECK_THAT(after("drop index call_of_match"), Contains("the index 'call_of_match' is missing"));
  CHECK_THAT(after("drop index call_of_match; create index call_of_match on call (abs(match))"),
             Contains("the index 'call_of_match' is not as Agon makes it"));
  CHECK_THAT(after("create index quick on match (block)"), Contains("it has the index 'quick'"));
  // A writer looks as well: the trigger would act there.
  const Folder folder;
  make(folder / "run.agon");
  change(folder / "run.agon",
         "create trigger t after insert on match begin delete from record; end");
  CHECK_THAT(error_of([&] { Writer writer(folder / "run.agon"); }), Contains("the trigger 't'"));
}

TEST_CASE("archive: an owner's own tables and views are left alone") {
  CHECK(after("create table notes (a, b); create index by_a on notes (a); insert into notes values "
              "(1, 2); create view scores as select payoff from seat; drop view result") ==
        "no error");
}

TEST_CASE("archive: a view is never read") {
  const Folder folder;
  make(folder / "run.agon");
  change(folder / "run.agon", "create view odd as select 1");
  Connection db(folder / "run.agon", OpenMode::read);
  CHECK_THAT(error_of([&] { db.integer("select * from odd"); }), Contains("prohibited"));
}

TEST_CASE("archive: a statement that makes no end of it is stopped") {
  const Folder folder;
  make(folder / "run.agon");
  Connection db(folder / "run.agon", OpenMode::read);
  const std::string endless = "with recursive n(i) as (select 1 union all select i + 1 from n) ";
  CHECK_THAT(error_of([&] { db.integer(endless + "select max(i) from n"); }),
             Contains("reading it does not come to an end"));
  CHECK_THAT(error_of([&] { db.run((endless + "select max(i) from n").c_str()); }),
             Contains("reading it does not come to an end"));
  Statement rows(db, endless + "select i from n");
  CHECK_THAT(error_of([&] {
               while (rows.step()) {
               }
             }),
             Contains("it gives more than it holds"));
  Statement texts(db, endless + "select hex(zeroblob(100000)) from n");
  CHECK_THAT(error_of([&] {
               while (texts.step()) (void)texts.text();
             }),
             Contains("it gives more than it holds"));
  CHECK_THAT(error_of([&] { db.integer("select length(zeroblob(500000000))"); }),
             Contains("too long for an archive"));
  // What was stopped keeps nothing from going on.
  CHECK(db.integer("select count(*) from match") == 3);
}

TEST_CASE("archive: a sort of many rows is no endless statement") {
  const Folder folder;
  make(folder / "run.agon");
  Connection db(folder / "run.agon", OpenMode::read);
  CHECK(db.integer("with recursive n(i) as (select 1 union all select i + 1 from n where i < "
                   "300000) select i from n order by -i") == 300000);
}

TEST_CASE("archive: numbers out of their range are damage, told with their column") {
  const struct {
    const char* sql;
    const char* told;
  } cases[] = {
      {"update match set block = -1", "'block' of a row is -1"},
      {"update match set block = 9223372036854775807", "'block' of a row is 9223372036854775807"},
      {"update match set repeat = -1", "'repeat' of a row is -1"},
      {"update match set position = 10000", "'position' of a row is 10000"},
      {"update match set questions = -1", "'questions' of a row is -1"},
      {"update match set wall_ms = 9e999", "'wall_ms' of a row is infinite"},
      {"update match set created = 253402300800000", "'created' of a row is 253402300800000"},
      {"update match set id = x'00' where number = 1", "'id' of a row is 1 bytes long"},
      {"update match set metrics = '[1,]'", "'metrics' of a row is no list of numbers"},
      {"update match set metrics = '[1e999]'", "'metrics' of a row is no list of numbers"},
      {"update seat set payoff = -9e999", "'payoff' of a row is infinite"},
      {"update seat set rank = 17", "'rank' of a row is 17"},
      {"update seat set rank = -1", "'rank' of a row is -1"},
      {"update seat set seat = seat + 1 where seat = 1", "'seat' of a row is 2"},
      {"update seat set ok = -1", "'ok' of a row is -1"},
      {"update seat set input_tokens = 9223372036854775807", "'input_tokens' of a row is 9"},
      {"update seat set cost = -1", "'cost' of a row is -1"},
      {"update game set score_decimals = 100", "'score_decimals' of a row is 100"},
      {"update game set seat_metrics = replace(seat_metrics, ':2', ':1000000000')",
       "'seat_metrics' of a row is not as Agon writes it"},
      {R"(update game set seat_metrics = replace(seat_metrics, ':-12.5', ':2,"max":1'))",
       "'seat_metrics' of a row is not as Agon writes it"},
      {R"(update game set seat_metrics = replace(seat_metrics, ':-12.5', ':"1"'))",
       "'seat_metrics' of a row is not as Agon writes it"},
      {"update game set match_metrics = '[0.1.0]'",
       "'match_metrics' of a row is not as Agon writes it"},
      {"update partial set agents = '[0.1.0]'", "'agents' of a row is not as Agon writes it"},
      {"update game set score_low = 9e999", "'score_low' of a row is infinite"},
      {"update game set score_low = 1, score_high = 0", "have nothing between them"},
      {"update scenario set settings = x'00'", "'settings' of a row is 1 bytes long"},
      {"update scenario set treatment = '[1]'", "'treatment' of a row is no JSON object"},
      {"update agent set spec = '{'", "'spec' of a row is no JSON object"},
      {"update agent set factors = cast(x'ff' as text)", "'factors' of a row is no JSON object"},
      {"update agent set name = printf('%.*c', 10001, 'n')",
       "the name of an agent is longer than any"},
      {"update agent set family = printf('%.*c', 10001, 'n')",
       "the name of an agent is longer than any"},
      {"update call set seat = 16", "'seat' of a row is 16"},
      {"update call set answered = 2", "'answered' of a row is 2"},
      {"update call set attempt = -1", "'attempt' of a row is -1"},
      {"update call set cost = -5", "'cost' of a row is -5"},
      {"update call set output_tokens = -5", "'output_tokens' of a row is -5"},
      {"update call set tries = 2147483648", "'tries' of a row is 2147483648"},
      {"update call set fault = 'odd'", "'fault' of a row is an unknown name"},
      {"update call set messages = x'00'", "'messages' of a row is no list of digests"},
      {"delete from content where kind = 'message'", "lost a part of a model call"},
      {"update partial set agents = '[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17]'",
       "too many seats"},
      {"update partial set agents = '{}'", "'agents' of a row is not as Agon writes it"},
      {"update partial set agents = '[77, 1]'", "a match refers to a missing row"},
      {"pragma foreign_keys = off; update match set scenario = 77",
       "a match refers to a missing row"},
      {"pragma foreign_keys = off; update match set focal = 77", "a match refers to a missing row"},
      {"pragma foreign_keys = off; update seat set agent = 77", "a match refers to a missing row"},
      {"pragma foreign_keys = off; update scenario set game = 77",
       "a scenario refers to a missing row"},
  };
  for (const auto& [sql, told] : cases) {
    INFO(sql);
    CHECK_THAT(after(sql), Contains(told));
  }
}

TEST_CASE("archive: an agent may have the longest name there is") {
  CHECK(after("update agent set name = printf('%.*c%d', 9999, 'n', number % 10)") == "no error");
}

TEST_CASE("archive: a cell of the wrong type is damage too") {
  CHECK_THAT(
      after("pragma writable_schema = on; update sqlite_schema set sql = replace(sql, ') strict', "
            "')') where name = 'match'; pragma writable_schema = reset; "
            "update match set block = 'many'; pragma writable_schema = on; "
            "update sqlite_schema set sql = sql || ' strict' where name = 'match'"),
      Contains("'block' of a row is no whole number") || Contains("damaged"));
}

TEST_CASE("archive: sums of what rows may say do not overflow") {
  CHECK(after("update seat set cost = 9223372036854775807") == "no error");
  CHECK(add_capped(1, 2) == 3);
  CHECK(add_capped(std::numeric_limits<std::int64_t>::max() - 2, 2) ==
        std::numeric_limits<std::int64_t>::max());
  CHECK(add_capped(std::numeric_limits<std::int64_t>::max(), 1) ==
        std::numeric_limits<std::int64_t>::max());
}
