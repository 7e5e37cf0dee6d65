#include <agon/describe.hpp>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/database/schema.hpp"
#include "archive/match_reader.hpp"
#include "describe/read.hpp"
#include "design/keys.hpp"

namespace agon::archive {
namespace {

// What a run of format 2 says of its suite.
struct OldRun {
  std::string name;   // of the suite
  std::string asked;  // what distinguishes suites: text, and what of it was to be played
  std::uint64_t seed;
  bool by_hand;  // `agon play`
};

// What is wanted of its manifest.
struct OldManifest {
  std::optional<std::string> suite;
  std::optional<JsonText> plan;
};
AGON_DESCRIBE(OldManifest, (suite, "its name"), (plan, "by scenario"))

std::vector<OldRun> old_runs(Connection& db) {
  Statement rows(db, "select suite, seed, manifest from run order by number");
  std::vector<OldRun> runs;
  while (rows.step()) {
    OldRun& run = runs.emplace_back();
    const auto suite = read_optional(rows, read_digest);
    run.asked = suite ? hash::hex(*suite) : "";
    run.seed = std::bit_cast<std::uint64_t>(rows.integer());
    const std::string manifest(rows.text());
    if (const auto said = read_recorded<OldManifest>(manifest)) {
      run.name = said->suite.value_or("");
      run.asked += said->plan.value_or(JsonText{""}).text;
    } else {
      run.asked += manifest;
    }
    run.by_hand = run.name == "play" && suite == hash::sha256("");
  }
  return runs;
}

// Scenarios that differ in their place only become one; then there is room for the seed.
void rebuild_scenarios(Connection& db, const char* scenario_table) {
  // Views look at the table; they find it again under its name.
  db.run("pragma legacy_alter_table = on; alter table scenario rename to old_scenario");
  db.run(scenario_table);
  db.run(R"sql(
insert into scenario (number, place, name, game, preset, treatment, settings)
  select min(number), place, name, game, preset, treatment, settings from old_scenario
  group by name, treatment, settings, game;
update match set scenario = (
  select s.number from old_scenario o join scenario s using (name, treatment, settings, game)
  where o.number = match.scenario)
  where scenario in (select number from old_scenario except select number from scenario);
update partial set scenario = (
  select s.number from old_scenario o join scenario s using (name, treatment, settings, game)
  where o.number = partial.scenario)
  where scenario in (select number from old_scenario except select number from scenario);
drop table old_scenario;
pragma legacy_alter_table = off;
)sql");
}

// Which of the seeds a match's chance is from tells its key.
class Seeds {
 public:
  Seeds(Connection& db, const std::set<std::uint64_t>& seeds)
      : db_(db), seeds_(seeds), name_(db, "select name from scenario where number = ?") {}

  void enter() {
    std::vector<std::pair<std::int64_t, std::int64_t>> moves;  // match, scenario
    {
      Statement rows(db_, "select number, scenario, block, position, luck from match");
      while (rows.step()) {
        const std::int64_t match = rows.integer();
        const std::int64_t scenario = rows.integer();
        const auto block = static_cast<std::uint64_t>(rows.integer());
        const auto position = static_cast<std::uint64_t>(rows.integer());
        const auto luck = std::bit_cast<std::uint64_t>(rows.integer());
        const std::string& name = name_of(scenario);
        for (const std::uint64_t seed : seeds_) {
          if (stream_key(seed, name, block, position) != luck) continue;
          if (const std::int64_t row = row_of(scenario, seed); row != scenario)
            moves.emplace_back(match, row);
          break;
        }
      }
    }
    Statement move(db_, "update match set scenario = ? where number = ?");
    for (const auto& [match, scenario] : moves) move.bind(scenario).bind(match).run();
  }

 private:
  const std::string& name_of(std::int64_t scenario) {
    const auto [at, added] = names_.try_emplace(scenario);
    if (added) {
      if (name_.bind(scenario).step()) at->second = name_.text();
      name_.reset();
    }
    return at->second;
  }

  // The first seed has the row itself, others have copies of it.
  std::int64_t row_of(std::int64_t scenario, std::uint64_t seed) {
    const auto [at, added] = rows_.try_emplace({scenario, seed}, scenario);
    if (!added) return at->second;
    if (taken_.insert(scenario).second) {
      Statement(db_, "update scenario set seed = ? where number = ?")
          .bind(std::bit_cast<std::int64_t>(seed))
          .bind(scenario)
          .run();
      return scenario;
    }
    Statement(db_,
              "insert into scenario (place, name, game, preset, treatment, settings, seed) "
              "select place, name, game, preset, treatment, settings, ? from scenario "
              "where number = ?")
        .bind(std::bit_cast<std::int64_t>(seed))
        .bind(scenario)
        .run();
    return at->second = sqlite3_last_insert_rowid(db_.get());
  }

  Connection& db_;
  const std::set<std::uint64_t>& seeds_;
  Statement name_;
  std::map<std::int64_t, std::string> names_;
  std::map<std::pair<std::int64_t, std::uint64_t>, std::int64_t> rows_;
  std::set<std::int64_t> taken_;
};

// Where all runs had the same suite, it asked for everything. Otherwise nothing is known: a later
// suite may also have asked for what an earlier one had played.
void enter_suite(Connection& db, const std::vector<OldRun>& runs) {
  if (runs.empty()) return;
  const OldRun& first = runs.front();
  bool by_hand = true, same = true;
  for (const OldRun& run : runs) {
    by_hand = by_hand && run.by_hand;
    same = same && run.asked == first.asked && run.seed == first.seed;
  }
  if (!by_hand && !same) return;
  Statement suite(db, "insert into suite (number, digest, name, seed) values (1, ?, ?, ?)");
  if (by_hand) {
    const hash::Digest digest = digest_of_plays();
    suite.bind(std::span(digest));
  } else {
    suite.bind_null();
  }
  suite.bind(first.name).bind(std::bit_cast<std::int64_t>(first.seed)).run();
  db.run(R"sql(
update run set asked = 1;
insert into asked (run, first, last)
  select * from (select (select min(number) from run), min(number) as first, max(number) from match)
  where first is not null;
insert into asked_partial (suite, id) select 1, id from partial;
)sql");
}

}  // namespace

void to_format_3(Connection& db, const char* asked_tables, const char* scenario_table) {
  db.run(R"sql(
alter table game add column score_low real;
alter table game add column score_high real;
alter table run add column asked integer references suite;
)sql");
  db.run(asked_tables);
  rebuild_scenarios(db, scenario_table);
  const std::vector<OldRun> runs = old_runs(db);
  std::set<std::uint64_t> seeds;
  for (const OldRun& run : runs) seeds.insert(run.seed);
  Seeds(db, seeds).enter();
  enter_suite(db, runs);
}

}  // namespace agon::archive
