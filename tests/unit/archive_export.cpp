#include <sqlite3.h>

#include <boost/json/value.hpp>
#include <sstream>

#include "archive/database/sqlite.hpp"
#include "archive/export/export.hpp"
#include "archive_samples.hpp"
#include "catch.hpp"
#include "json/parse.hpp"

using namespace archive_samples;
using Catch::Matchers::Contains;

namespace {

// Two games: the second has other metrics, no money and another treatment.
void make_two_games(const std::filesystem::path& path) {
  Writer writer(path);
  Numbers numbers = add_rows(writer);
  writer.write_finished(sample_match(numbers, 1));
  GameRow other;
  other.name = "other";
  other.seat_metrics = {{"share"}, {"days", "days"}};
  ScenarioRow scenario;
  scenario.place = 1;
  scenario.name = "second";
  scenario.game = writer.game(other);
  scenario.treatment = R"({"price":0.5,"open":true,"none":null})";
  numbers.scenario = writer.scenario(scenario);
  MatchRow match = sample_match(numbers, 2);
  match.focal.reset();
  match.metrics.clear();
  match.fault = "it broke, \"badly\"";
  match.status = MatchStatus::game_error;
  match.seats.pop_back();
  match.seats[0].payoff = std::nan("");
  match.seats[0].metrics = {std::nan(""), 20};
  match.seats[0].rank = 0;
  writer.write_finished(match);
  writer.close();
}

std::string csv(const Archive& archive, ExportRows rows) {
  std::ostringstream out;
  export_csv(archive, out, {.rows = rows});
  return out.str();
}

std::string jsonl(const Archive& archive, const ExportOptions& options) {
  std::ostringstream out;
  export_jsonl(archive, out, options);
  return out.str();
}

}  // namespace

TEST_CASE("archive: seats as CSV") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  const Archive archive = Archive::open(folder / "run.agon");
  const std::string id1 = archive.matches().at(1).key.id.hex(),
                    id2 = archive.matches().at(2).key.id.hex();
  const std::string first = agon::hash::hex(agon::hash::sha256("first"));
  const std::string second = agon::hash::hex(agon::hash::sha256("second"));
  const std::string settings = agon::hash::hex(agon::hash::sha256(R"({"pie":10})")) +
                               R"(,"{""supply"":[10,20],""mood"":""calm, dry""}")";
  CHECK(
      csv(archive, ExportRows::seats) ==
      "match,scenario,game,game_version,plugin,plugin_version,preset,seed,block,repeat,position,"
      "line_up,assignment,cluster,focal,status,settings,treatment,seat,seat_name,role,agent,"
      "agent_hash,payoff,disagreement,ideal,rank,fallbacks,gain,surplus,counted,policy,ok,repaired,"
      "illegal,"
      "unparsable,empty,truncated,refused,timed_out,crashed,"
      "provider_failed,in_words,input_tokens,output_tokens,cached_tokens,reasoning_tokens,cost_usd,"
      "waiting_"
      "ms,"
      "treatment_supply,treatment_mood,treatment_price,treatment_open,treatment_none,"
      "metric_share,metric_paid,metric_match_efficiency,metric_days\r\n" +
          id1 + ",quick,split,3,games,1.2,agon,,1,1,0,pair,0,item,first,finished," + settings +
          ",0,Ann,buyer,first," + first +
          ",12.43,0.00,20.00,1,0,12.43,20.00,1,as-played,4,0,0,0,0,0,0,0,0,0,0,100,20,0,0,0.0015,0."
          "125,"
          "\"[10,20]\",\"calm, dry\",,,,0.25,0.05,0.1,\r\n" +
          id1 + ",quick,split,3,games,1.2,agon,,1,1,0,pair,0,item,first,finished," + settings +
          ",1,Bob,seller,second," + second +
          ",12.42,0.00,,2,1,,,0,as-played,4,0,1,0,0,0,0,0,0,0,0,101,20,0,0,0.0015,0.125,"
          "\"[10,20]\",\"calm, dry\",,,,0.25,0.06,0.1,\r\n" +
          id2 + ",second,other,1,,,,,2,1,0,pair,0,item,,game-error," + std::string(64, '0') +
          ",\"{\"\"price\"\":0.5,\"\"open\"\":true,\"\"none\"\":null}\",0,Ann,buyer,first," +
          first +
          ",,0,2000,,0,,,0,as-played,4,0,0,0,0,0,0,0,0,0,0,100,20,0,0,0.0015,0.125,"
          ",,0.5,true,,,,,20\r\n");
}

TEST_CASE("archive: seats as JSON Lines") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  const Archive archive = Archive::open(folder / "run.agon");
  std::istringstream lines(jsonl(archive, {}));
  std::vector<boost::json::object> rows;
  for (std::string line; std::getline(lines, line);)
    rows.push_back(agon::json::parse(line, "line").as_object());
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].at("payoff") == "12.43");
  CHECK(rows[0].at("cost_usd") == "0.0015");
  CHECK(rows[0].at("treatment_supply") == boost::json::array{10, 20});
  CHECK(rows[0].at("treatment_mood") == "calm, dry");
  CHECK(rows[0].at("metric_share") == 0.25);
  CHECK(rows[0].at("metric_paid") == "0.05");
  CHECK(rows[0].at("metric_days").is_null());
  CHECK(rows[0].at("treatment_price").is_null());
  CHECK(rows[1].at("ideal").is_null());
  CHECK(rows[1].at("illegal") == 1);
  CHECK(rows[2].at("payoff").is_null());
  CHECK(rows[2].at("metric_share").is_null());
  CHECK(rows[2].at("metric_days") == 20.0);
  CHECK(rows[2].at("rank").is_null());
  CHECK(rows[2].at("focal").is_null());
  CHECK(rows[2].at("treatment_open") == true);
  CHECK(rows[2].at("metric_paid").is_null());
  // One set of columns, in one order, as CSV has it.
  const auto names = [](const boost::json::object& row) {
    std::string all;
    for (const auto& member : row) all += (all.empty() ? "" : ",") + std::string(member.key());
    return all;
  };
  const std::string table = csv(archive, ExportRows::seats);
  for (const boost::json::object& row : rows)
    CHECK(names(row) == table.substr(0, table.find("\r\n")));
}

TEST_CASE("archive: gain, pie and what counts, by fault policy") {
  const Folder folder;
  {
    Writer writer(folder / "run.agon");
    const Numbers numbers = add_rows(writer);
    // Block 1: the focal agent gains by a forced answer; block 2: it loses by one; block 3: none.
    for (int block = 1; block <= 3; ++block) {
      MatchRow match = sample_match(numbers, block);
      for (SeatRow& seat : match.seats) seat.fallbacks = 0;
      match.seats[0].disagreement = 1000;
      match.seats[0].payoff = block == 2 ? 900 : 1500;
      match.seats[0].fallbacks = block < 3 ? 1 : 0;
      writer.write_finished(match);
    }
    writer.close();
  }
  const Archive archive = Archive::open(folder / "run.agon");
  const auto rows = [&](const std::string& policy) {
    std::ostringstream out;
    export_jsonl(archive, out, {.policy = policy});
    std::istringstream lines(out.str());
    std::vector<std::string> found;  // of the focal agent's seats: gain, pie, counted
    for (std::string line; std::getline(lines, line);) {
      const auto row = agon::json::parse(line, "line").as_object();
      CHECK(row.at("policy").as_string() == policy);
      if (row.at("seat") == 0)
        found.push_back(std::string(row.at("gain").as_string()) + " of " +
                        std::string(row.at("surplus").as_string()) +
                        (row.at("counted") == 1 ? ", counted" : ""));
      else
        CHECK(row.at("counted") == 0);  // among others, and not what the match is about
    }
    return found;
  };
  using Rows = std::vector<std::string>;
  CHECK(rows("as-played") ==
        Rows{"5.00 of 10.00, counted", "-1.00 of 10.00, counted", "5.00 of 10.00, counted"});
  CHECK(rows("forfeit") ==
        Rows{"0.00 of 10.00, counted", "-1.00 of 10.00, counted", "5.00 of 10.00, counted"});
  CHECK(rows("exclude") == Rows{"5.00 of 10.00", "-1.00 of 10.00", "5.00 of 10.00, counted"});
}

TEST_CASE("archive: a forced answer in a match that its game broke leaves no block out") {
  const Folder folder;
  {
    Writer writer(folder / "run.agon");
    const Numbers numbers = add_rows(writer);
    // Block 1: clean, and broken after a forced answer; block 2: forced.
    for (const std::string kind : {"clean", "broken", "forced"}) {
      MatchRow match = sample_match(numbers, kind == "forced" ? 2 : 1);
      match.key.repeat = kind == "broken" ? 1 : 0;
      if (kind == "broken") match.status = MatchStatus::game_error, match.fault = "broke";
      if (kind == "broken") match.key.id.bytes.fill(9);
      for (SeatRow& seat : match.seats) seat.fallbacks = kind == "clean" ? 0 : 1;
      writer.write_finished(match);
    }
    writer.close();
  }
  std::ostringstream out;
  export_jsonl(Archive::open(folder / "run.agon"), out, {.policy = "exclude"});
  std::istringstream lines(out.str());
  std::vector<std::string> counted;
  for (std::string line; std::getline(lines, line);) {
    const auto row = agon::json::parse(line, "line").as_object();
    if (row.at("counted") == 1)
      counted.push_back(std::to_string(row.at("block").to_number<int>()) + "." +
                        std::to_string(row.at("repeat").to_number<int>()));
  }
  CHECK(counted == std::vector<std::string>{"1.0"});
}

TEST_CASE("archive: matches as CSV") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  const Archive archive = Archive::open(folder / "run.agon");
  const std::string settings = agon::hash::hex(agon::hash::sha256(R"({"pie":10})")) +
                               R"(,"{""supply"":[10,20],""mood"":""calm, dry""}")";
  CHECK(
      csv(archive, ExportRows::matches) ==
      "match,scenario,game,game_version,plugin,plugin_version,preset,seed,block,repeat,position,"
      "line_up,assignment,cluster,focal,status,settings,treatment,rng_key,game_error,agents,"
      "questions,"
      "wall_ms,created,input_tokens,output_tokens,cached_tokens,reasoning_tokens,cost_usd,waiting_"
      "ms,"
      "treatment_supply,treatment_mood,treatment_price,treatment_open,treatment_none,"
      "metric_match_efficiency\r\n" +
          archive.matches().at(1).key.id.hex() +
          ",quick,split,3,games,1.2,agon,,1,1,0,pair,0,item,first,finished," + settings +
          ",fedcba9876543211,,\"[\"\"first\"\",\"\"second\"\"]\",2,1.5,2026-11-20T12:34:56.789Z,"
          "201,40,0,0,0.003,0.25,\"[10,20]\",\"calm, dry\",,,,0.1\r\n" +
          archive.matches().at(2).key.id.hex() +
          ",second,other,1,,,,,2,1,0,pair,0,item,,game-error," + std::string(64, '0') +
          R"(,"{""price"":0.5,""open"":true,""none"":null}")"
          ",fedcba9876543212,\"it broke, \"\"badly\"\"\",\"[\"\"first\"\"]\",2,1.5,"
          "2026-11-20T12:34:56.789Z,100,20,0,0,0.0015,0.25,,,0.5,true,,\r\n");
}

TEST_CASE("archive: records as JSON Lines, through a decoder") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  const Archive archive = Archive::open(folder / "run.agon");
  ExportOptions options;
  options.rows = ExportRows::records;
  options.scenarios = {2};
  options.record_entries = [](std::string_view record, const auto& each) {
    each(std::to_string(record.size()));
    each("\"" + std::string(record.substr(0, 2)) + "\"");
  };
  const auto row = agon::json::parse(jsonl(archive, options), "line").as_object();
  CHECK(row.at("scenario") == "second");
  CHECK(row.at("record") == boost::json::array{40, "cc"});
  CHECK_THAT(error_of([&] { csv(archive, ExportRows::records); }),
             Contains("--rows records cannot be written as CSV"));
  options.record_entries = nullptr;
  CHECK_THAT(error_of([&] { jsonl(archive, options); }), Contains("without a decoder"));
}

TEST_CASE("archive: an export that cannot be written is an error") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  const Archive archive = Archive::open(folder / "run.agon");
  std::ostringstream broken;
  broken.setstate(std::ios::badbit);
  CHECK_THAT(error_of([&] { export_csv(archive, broken, {}); }),
             Contains("the export could not be written"));
  CHECK_THAT(error_of([&] { export_jsonl(archive, broken, {}); }),
             Contains("the export could not be written"));
}

TEST_CASE("archive: the views unfold metrics for SQL") {
  const Folder folder;
  make_two_games(folder / "run.agon");
  // As other programs open it: Agon itself never reads its views.
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open((folder / "run.agon").c_str(), &db) == SQLITE_OK);
  const auto number = [&](const char* sql) {
    sqlite3_stmt* row = nullptr;
    REQUIRE(sqlite3_prepare_v2(db, sql, -1, &row, nullptr) == SQLITE_OK);
    REQUIRE(sqlite3_step(row) == SQLITE_ROW);
    const double value = sqlite3_column_double(row, 0);
    sqlite3_finalize(row);
    return value;
  };
  CHECK(number("select count(*) from seat_metric") == 6);
  CHECK(number("select value from seat_metric where match = 1 and seat = 1 and name = 'paid'") ==
        6.0);
  CHECK(number("select count(*) from match_metric where name = 'efficiency' and value = 0.1") == 1);
  CHECK(number("select count(*) from result where agent = 'first' and game = 'split'") == 1);
  sqlite3_close(db);
}
