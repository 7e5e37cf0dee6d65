#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// An archive of a few matches of all games.
struct Archive {
  Folder folder;
  Archive() {
    folder.write("s.json", R"({"seed": 5, "agents": {"floor": "random", "mute": "default"},
      "scenarios": [{"game": "bargaining"}, {"game": "english-auction"},
                    {"game": "water-allocation", "design": {"fixed": [["floor", "floor", "floor",
                      "floor", "floor"], ["mute", "mute", "mute", "mute", "floor"]]},
                      "seat_rotation": "latin"},
                    {"game": "deal-or-no-deal"}]})");
    folder.succeeds({"run", "s.json"});
  }
  [[nodiscard]] int matches() const { return finished(folder.at("s.agon")); }
  /// The number of the first match of a game.
  [[nodiscard]] std::string first(std::string_view game) const {
    const auto all = json_of(folder.agon({"show", "s.agon", "--json"}).out);
    for (const auto& m : all.as_array())
      if (m.at("scenario").as_string() == game) return std::to_string(m.at("match").as_int64());
    return "";
  }
};

/// The fields of a line of CSV.
std::size_t fields(const std::string& line) {
  std::size_t n = 1;
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') quoted = !quoted;
    if (c == ',' && !quoted) ++n;
  }
  return quoted ? 0 : n;
}

}  // namespace

TEST_CASE("show lists matches, and tells one") {
  const Archive a;
  const auto listed = json_of(a.folder.agon({"show", "s.agon", "--json"}).out);
  REQUIRE(listed.as_array().size() == static_cast<std::size_t>(a.matches()));
  CHECK(
      json_of(a.folder.agon({"show", "s.agon", "--limit", "3", "--json"}).out).as_array().size() ==
      3);
  const Ended some = a.folder.agon({"show", "s.agon", "--limit", "3"});
  CHECK(contains(some.out, "--limit shows more"));
  for (const auto& match : listed.as_array()) {
    const std::string number = std::to_string(match.at("match").as_int64());
    const std::string id(match.at("id").as_string());
    const Ended by_number = a.folder.succeeds({"show", "s.agon", number});
    CHECK(contains(by_number.out, "Match " + id));
    CHECK(a.folder.agon({"show", "s.agon", id.substr(0, 12)}).out == by_number.out);
    CHECK_FALSE(json_of(a.folder.agon({"show", "s.agon", id, "--json"}).out).as_array().empty());
  }
  CHECK(a.folder.agon({"show", "s.agon", "999"}).code == 3);
  CHECK(a.folder.agon({"show", "s.agon", "zebra"}).code == 3);
  CHECK(a.folder.agon({"show", "s.agon", "1", "--seat", "nobody"}).code == 2);
}

TEST_CASE("show --seat tells what that seat was told") {
  const Archive a;
  const std::string match = a.first("bargaining");
  const Ended both = a.folder.agon({"show", "s.agon", match});
  const Ended buyer = a.folder.agon({"show", "s.agon", match, "--seat", "buyer"});
  const Ended seller = a.folder.agon({"show", "s.agon", match, "--seat", "1"});
  CHECK(buyer.code == 0);
  check_has(both.out, {"budget ", "cost "});
  // What only one side knows, and what only the record knows, is not in the other's transcript.
  CHECK(contains(buyer.out, "budget "));
  CHECK_FALSE(contains(buyer.out, "cost "));
  CHECK(contains(seller.out, "cost "));
  CHECK_FALSE(contains(seller.out, "budget "));
  CHECK_FALSE(contains(buyer.out, "chance "));
  for (const auto& line : lines(buyer.out)) {
    CHECK_FALSE(line.starts_with("  [seller]"));
    CHECK_FALSE(line.starts_with("  > seller"));
  }
  CHECK(a.folder.agon({"show", "s.agon", match, "--seat", "seller"}).out == seller.out);

  const std::string auction = a.first("english-auction");
  const Ended second = a.folder.succeeds({"show", "s.agon", auction, "--seat", "Bidder 2"});
  for (const auto& line : lines(second.out)) {
    CHECK_FALSE(line.starts_with("  > Bidder 1"));
    CHECK_FALSE(line.starts_with("  > Bidder 3"));
    CHECK_FALSE(line.starts_with("  [Bidder 1]"));
  }
}

TEST_CASE("replay compares every match byte for byte") {
  const Archive a;
  const int all = a.matches();
  CHECK(a.folder.agon({"replay", "s.agon"}).out ==
        std::to_string(all) + " of " + std::to_string(all) +
            " matches come out byte for byte the same\n");
  CHECK(a.folder.agon({"replay", "s.agon", "1"}).out ==
        "1 of 1 match comes out byte for byte the same\n");
  CHECK(a.folder.agon({"replay", "s.agon", "999"}).code == 3);

  // One byte of one record is changed, which is no longer compressed then.
  const std::string match = a.first("water-allocation");
  CHECK(change_records(a.folder.at("s.agon"), "AGR", "AGR") == all);
  CHECK(a.folder.agon({"replay", "s.agon"}).code == 0);
  run_sql(
      a.folder.at("s.agon"),
      "update record set bytes = cast(substr(bytes, 1, length(bytes) - 40) || "
      "case substr(hex(bytes), 2 * (length(bytes) - 40) + 1, 2) when '41' then x'42' else x'41' "
      "end || substr(bytes, length(bytes) - 38) as blob) where match = " +
          match);
  const Ended replayed = a.folder.agon({"replay", "s.agon"});
  INFO(replayed.out << replayed.err);
  CHECK(replayed.code == 1);
  CHECK(replayed.err.empty());
  CHECK(
      contains(replayed.out, std::to_string(all - 1) + " of " + std::to_string(all) + " matches"));
  const Ended one = a.folder.agon({"replay", "s.agon", match});
  CHECK(one.code == 1);
  // One that cannot be read at all is no better, and the others are still compared.
  run_sql(a.folder.at("s.agon"), "update record set bytes = x'00ff00ff' where match = " + match);
  const Ended garbled = a.folder.agon({"replay", "s.agon"});
  INFO(garbled.out << garbled.err);
  CHECK(garbled.code == 1);
  CHECK(contains(garbled.out, std::to_string(all - 1) + " of " + std::to_string(all) + " matches"));
  // The others are still the same.
  for (const std::string game : {"bargaining", "english-auction", "deal-or-no-deal"})
    CHECK(a.folder.agon({"replay", "s.agon", a.first(game)}).code == 0);
}

TEST_CASE("replay drives no terminal by what a changed record says") {
  const Archive a;
  REQUIRE(change_records(a.folder.at("s.agon"), "sell", "s\x1b\xff\n") > 0);
  const Ended replay = a.folder.agon({"replay", "s.agon"});
  INFO(replay.out << replay.err);
  CHECK(replay.code == 1);
  CHECK(contains(replay.out, "an answer to stage 's\\x1b\\xff\\n' of seat"));
  CHECK(replay.out.find('\x1b') == std::string::npos);
}

TEST_CASE("replay shows the first difference") {
  const Folder folder;
  folder.write("s.json", R"({"agents": {
    "b": {"script": {"answers": [{"talk": "good morning", "action": {"kind": "reject"}}]}},
    "s": {"script": {"answers": [{"talk": "", "action": {"kind": "quit"}}]}}},
    "scenarios": [{"game": "bargaining", "design": {"fixed": [["b", "s"]]}}]})");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  CHECK(folder.agon({"replay", "s.agon"}).code == 0);
  // In the one record with these words, the event that told them is changed; the answer is not.
  CHECK(change_records(folder.at("s.agon"), "good morning", "good evening") == 1);
  const Ended changed = folder.agon({"replay", "s.agon"});
  INFO(changed.out << changed.err);
  CHECK(changed.code == 1);
  CHECK(contains(changed.out, "1 of 2 matches"));
  const std::size_t recorded = changed.out.find("recorded:"),
                    replayed = changed.out.find("replayed:");
  REQUIRE(recorded < replayed);
  REQUIRE(replayed < changed.out.size());
  CHECK(contains(changed.out.substr(recorded, replayed - recorded), "good evening"));
  CHECK(contains(changed.out.substr(replayed), "good morning"));
  CHECK(contains(changed.out, "first at entry "));

  // Under other random numbers, all come out otherwise.
  run_sql(folder.at("s.agon"), "update match set rng_key = rng_key + 1");
  const Ended differs = folder.agon({"replay", "s.agon"});
  INFO(differs.out << differs.err);
  CHECK(differs.code == 1);
  check_has(differs.out, {"0 of 2 matches", "first at entry ", "recorded:", "replayed:"});
  const auto json = json_of(folder.agon({"replay", "s.agon", "--json"}).out);
  CHECK(json.at("differences").as_array().size() == 2);
}

TEST_CASE("export: seats, matches and records as CSV and JSON Lines") {
  const Archive a;
  const auto matches = static_cast<std::size_t>(a.matches());
  const auto of = [&](const std::string& rows, const std::string& format) {
    return lines(a.folder.succeeds({"export", "s.agon", "--rows", rows, "--format", format}).out);
  };
  std::size_t seats = 0;
  std::set<std::string> ids;
  for (const std::string& line : of("matches", "jsonl")) {
    const auto row = json_of(line);
    ids.emplace(row.at("match").as_string());
    seats += row.at("agents").as_array().size();
    CHECK(row.at("status").as_string() == "finished");
  }
  CHECK(ids.size() == matches);
  const auto seat_rows = of("seats", "jsonl");
  CHECK(seat_rows.size() == seats);
  for (const std::string& line : seat_rows)
    CHECK(ids.contains(std::string(json_of(line).at("match").as_string())));
  for (const std::string& line : of("records", "jsonl"))
    CHECK_FALSE(json_of(line).at("record").as_array().empty());
  for (const std::string rows : {"seats", "matches"}) {
    const auto csv = of(rows, "csv");
    REQUIRE(csv.size() == 1 + (rows == "seats" ? seats : matches));
    for (const std::string& line : csv) CHECK(fields(line) == fields(csv.front()));
  }
  CHECK(a.folder.agon({"export", "s.agon", "--out", "rows.csv"}).code == 0);
  CHECK(a.folder.read("rows.csv") == a.folder.agon({"export", "s.agon"}).out);
  CHECK(a.folder.agon({"export", "s.agon", "--rows", "events"}).code == 2);
  CHECK(a.folder.agon({"export", "s.agon", "--format", "xml"}).code == 2);
  CHECK(a.folder.agon({"export", "s.agon", "--out", "no/such/rows.csv"}).code == 1);
}

TEST_CASE("export: data sets for trainers and spans, and what does not go together") {
  const Archive a;
  const auto exported = [&](const Words& more) {
    return a.folder.agon(joined({"export", "s.agon"}, more));
  };
  const auto turns = lines(exported({"--rows", "turns", "--json"}).out);
  REQUIRE_FALSE(turns.empty());
  CHECK(lines(exported({"--rows", "turns"}).out).size() == 1 + turns.size());
  // Agents of rules have answers, and say nothing that a model could learn from.
  CHECK(json_of(turns.front()).at("prompt").is_null());
  CHECK_FALSE(json_of(turns.front()).at("answer").is_null());
  const Ended trl = exported({"--rows", "turns", "--format", "trl", "--layout", "messages"});
  CHECK(trl.code == 0);
  CHECK(trl.out.empty());
  CHECK(exported({"--format", "otlp", "--out", "spans.pb"}).code == 0);
  CHECK(a.folder.read("spans.pb") == exported({"--format", "otlp"}).out);
  const auto spans = json_of(exported({"--format", "otlp-json"}).out);
  CHECK_FALSE(spans.at("resourceSpans").as_array().empty());
  const std::vector<std::pair<Words, std::string>> refused{
      {{"--format", "trl"}, "--format trl requires --rows turns"},
      {{"--format", "trl", "--rows", "seats"}, "--format trl requires --rows turns"},
      {{"--layout", "messages"}, "--layout requires --format"},
      {{"--layout", "messages", "--format", "csv"}, "--layout requires --format trl"},
      {{"--layout", "chat", "--format", "trl", "--rows", "turns"}, "invalid value 'chat'"},
      {{"--format", "otlp", "--rows", "seats"}, "--rows conflicts with --format otlp"},
      {{"--rows", "turns", "--fault-policy", "forfeit"}, "--fault-policy requires --rows seats"}};
  for (const auto& [words, problem] : refused) {
    const Ended ended = exported(words);
    INFO(ended.err);
    CHECK(ended.code == 2);
    CHECK(contains(ended.err, problem));
  }
}

TEST_CASE("doctor looks at archives and suites") {
  const Archive a;
  const Ended archive = a.folder.succeeds({"doctor", "s.agon"});
  CHECK(contains(archive.out, std::to_string(a.matches()) + " finished matches, 0 in progress"));
  CHECK_FALSE(contains(archive.out, "TROUBLE"));
  const Ended suite = a.folder.succeeds({"doctor", "s.json"});
  check_has(suite.out, {std::to_string(a.matches()) + " matches of 4 scenarios and 2 agents",
                        "under 10 there are no intervals"});
  // A broken page is found.
  std::string bytes = a.folder.read("s.agon");
  for (std::size_t i = bytes.size() / 2; i < bytes.size() / 2 + 20'000 && i < bytes.size(); ++i)
    bytes[i] = '\x5a';
  a.folder.write("broken.agon", bytes);
  const Ended broken = a.folder.agon({"doctor", "broken.agon"});
  CHECK(broken.code == 1);
  CHECK(contains(broken.out,
                 "TROUBLE  broken.agon: the archive is damaged or cut short; take a copy from"));
  CHECK_FALSE(contains(broken.out + broken.err, "database"));
}

TEST_CASE("broken JSON in an archive is damage, and nobody's typing error") {
  const auto told = [](const std::string& sql, const Words& words) {
    const Archive a;
    run_sql(a.folder.at("s.agon"), sql);
    const Ended ended = a.folder.agon(words);
    INFO(ended.err);
    CHECK(ended.code == 1);
    CHECK(contains(ended.out + ended.err, "the archive is damaged: "));
    return ended.out + ended.err;
  };
  const std::string metrics = "update game set seat_metrics = '[0.1.0]'";
  CHECK(contains(told(metrics, {"report", "s.agon"}), "'seat_metrics' of a row is not as"));
  CHECK(contains(told(metrics, {"export", "s.agon"}), "'seat_metrics' of a row is not as"));
  CHECK(contains(told("update content set bytes = x'7b302e312e307d' where kind = 'settings'",
                      {"replay", "s.agon"}),
                 "the settings of a scenario are not as a run stores them"));
  CHECK(contains(told("delete from content where kind = 'settings'", {"replay", "s.agon"}),
                 "the settings of a scenario are missing"));
}

TEST_CASE("new suite writes one that plays") {
  const Folder folder;
  const Ended made = folder.succeeds({"new", "suite", "mine"});
  CHECK(made.out.empty());
  CHECK(folder.agon({"doctor", "mine.json"}).code == 0);
  // It does not overwrite.
  const std::string text = folder.read("mine.json");
  CHECK(contains(text, "/share/agon/schema/suite.schema.json\""));
  CHECK(folder.agon({"new", "suite", "mine.json"}).code == 1);
  CHECK(folder.read("mine.json") == text);
  for (const std::string game :
       {"english-auction", "water-allocation", "bargaining", "deal-or-no-deal"})
    CHECK(contains(text, game));

  folder.succeeds(
      {"new", "suite", "two.json", "--game", "bargaining", "--game", "deal-or-no-deal"});
  CHECK_FALSE(contains(folder.read("two.json"), "water"));
  const Ended run = folder.succeeds({"run", "two.json", "--report"});
  CHECK(contains(run.out, "reference"));
  CHECK(finished(folder.at("two.agon")) == 2 * 20 * 3);
}

TEST_CASE("options of show that would do nothing are refused") {
  const Archive a;
  for (const auto& [words, says] : std::vector<std::pair<Words, std::string>>{
           {{"--seat", "0"}, "--seat requires MATCH"},
           {{"--calls"}, "--calls requires MATCH"},
           {{"1", "--full"}, "--full requires --calls"},
           {{"1", "--limit", "3"}, "--limit conflicts with MATCH"}}) {
    const Ended refused = a.folder.agon(joined({"show", "s.agon"}, words));
    INFO(refused.err);
    CHECK(refused.code == 2);
    CHECK(refused.out.empty());
    CHECK(contains(refused.err, says));
  }
  CHECK(a.folder.agon({"show", "s.agon", "1", "--calls", "--full"}).code == 0);
}
