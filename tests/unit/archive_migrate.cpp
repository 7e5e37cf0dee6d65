#include <array>

#include "archive/database/schema.hpp"
#include "archive_format_2.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

namespace {

// An archive as an imagined version would have left it, whose tables nobody checks.
void make_old(const std::filesystem::path& path, int version) {
  Connection db(path, Access::write);
  db.run("pragma journal_mode = wal; create table match (number integer primary key) strict");
  db.run("insert into match values (1), (2)");
  db.run(("pragma application_id = " + std::to_string(application_id)).c_str());
  db.run(("pragma user_version = " + std::to_string(version)).c_str());
}

void add_block(Connection& db) {
  db.run("alter table match add column block integer not null default 7");
}

void double_block(Connection& db) {
  db.run("update match set block = 2 * block");
}

void fail_midway(Connection& db) {
  db.run("delete from match");
  db.run("insert into nowhere values (1)");
}

}  // namespace

TEST_CASE("archive: an older archive is brought up to date step by step") {
  const Folder folder;
  make_old(folder / "run.agon", 103);
  Connection db(folder / "run.agon", Access::write);
  REQUIRE(inspect(db, 105) == FileState::older);
  const std::array<Migration, 3> steps{Migration{102, fail_midway}, Migration{103, add_block},
                                       Migration{104, double_block}};
  migrate(db, steps, 105);
  CHECK(inspect(db, 105) == FileState::current);
  CHECK(db.integer("select sum(block) from match") == 28);
  migrate(db, steps, 105);  // nothing left to do
  CHECK(db.integer("select sum(block) from match") == 28);
}

TEST_CASE("archive: a migration that fails leaves the archive as it was") {
  const Folder folder;
  make_old(folder / "run.agon", 103);
  Connection db(folder / "run.agon", Access::write);
  const std::array<Migration, 2> steps{Migration{103, add_block}, Migration{104, fail_midway}};
  CHECK_THAT(error_of([&] { migrate(db, steps, 105); }), Contains("no such table: nowhere"));
  CHECK(db.integer("pragma user_version") == 103);
  CHECK(db.integer("select count(*) from match") == 2);
  CHECK(db.integer("select count(*) from pragma_table_info('match')") == 1);
}

TEST_CASE("archive: an archive that no step leads from is refused, unchanged") {
  const Folder folder;
  make_old(folder / "run.agon", 0);
  CHECK_THAT(error_of([&] { Writer writer(folder / "run.agon"); }),
             Contains("too old to be brought up to date") && Contains("archive format 0"));
  CHECK_THAT(error_of([&] { Archive::open(folder / "run.agon"); }), Contains("too old"));
  Connection db(folder / "run.agon", Access::write);
  CHECK(db.integer("pragma user_version") == 0);
  CHECK(db.integer("select count(*) from match") == 2);
}

TEST_CASE("archive: the steps lead from every older version to the present one") {
  std::int64_t version = kSchemaVersion - static_cast<std::int64_t>(migrations().size());
  CHECK(version == 1);
  for (const Migration& step : migrations()) CHECK(step.from == version++);
  CHECK(version == kSchemaVersion);
}

TEST_CASE("archive: one of format 2 is read, and its games have no bounds") {
  const Folder folder;
  make_format_2(folder / "run.agon", R"sql(
insert into game values (1, 'split', 3, 'games', '1.2', 2,
  '[{"name":"share","unit":"","better":"higher","decimals":0}]', '[]');
)sql");
  const Archive archive = Archive::open(folder / "run.agon");
  const GameRow game = archive.games().at(1);
  CHECK(game.name == "split");
  CHECK(game.seat_metrics.at(0).name == "share");
  CHECK_FALSE(game.seat_metrics.at(0).min);
  CHECK_FALSE(game.seat_metrics.at(0).max);
  CHECK_FALSE(game.score_min);
  CHECK_FALSE(game.score_max);
}
