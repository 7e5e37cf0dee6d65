// What branches and continuations tell: effects, blunders, preferences, control variates.

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "command/folder.hpp"

namespace branch_effects_test {

using namespace command_test;
namespace bj = boost::json;

/// Six periods of the prisoner's dilemma. Alice plays on "defect" but for period 3; nothing that
/// she does changes what Bob does.
constexpr const char* kDilemma = R"({"suite": "d", "seed": 5,
  "agents": {"blunderer": {"script": {"answers": [
      {"action": "defect"}, {"action": "defect"}, {"action": "defect"}, {"action": "cooperate"},
      {"action": "defect"}, {"action": "defect"}]}},
    "nash": "nash"},
  "scenarios": [{"game": "classic", "blocks": 12,
    "set": {"game": "prisoners-dilemma", "periods": 6, "labels": true},
    "design": {"seat_rotation": "as-listed", "fixed": [["blunderer", "nash"]]}}]})";

/// The rows of a section's first table: what each is about, and its figures by metric.
std::vector<bj::object> rows_of(const Folder& folder, const std::string& archive,
                                const std::string& section, const Words& more = {}) {
  const Ended ended =
      folder.succeeds(joined({"report", archive, "--section", section, "--json"}, more));
  std::vector<bj::object> rows;
  const bj::value report = json_of(ended.out);
  for (const auto& one : report.at("sections").as_array())
    for (const auto& row : one.at("tables").at(0).at("rows").as_array())
      rows.push_back(row.as_object());
  return rows;
}

double figure(const bj::object& row, std::string_view metric, const char* part = "value") {
  for (const auto& cell : row.at("cells").as_array())
    if (const auto* of = cell.as_object().if_contains("metric");
        of != nullptr && of->as_string() == metric && cell.as_object().contains(part))
      return cell.at(part).to_number<double>();
  return std::nan("");
}

TEST_CASE("a planted blunder is the only one, and gives the only preferences") {
  const Folder folder;
  folder.write("d.json", kDilemma);
  folder.succeeds({"run", "d.json", "--quiet"});
  const bj::value done = json_of(folder
                                     .succeeds({"branch", "d.agon", "--decisions", "--reference",
                                                "nash", "--out", "v.agon", "--json"})
                                     .out);
  CHECK(done.at("decisions").as_int64() == 12 * 12);
  CHECK(done.at("answers").as_int64() == 2 * 12 * 12);
  // Both answers are all that there are, and each was continued 24 times.
  CHECK(done.at("continuations").as_int64() == 24 * 2 * 12 * 12);
  const Ended report = folder.succeeds({"report", "v.agon", "--section", "blunders"});
  check_has(report.out, {"12 of 144 decisions lost something", "cooperate", "blunderer"});
  const auto rows = rows_of(folder, "v.agon", "blunders");
  REQUIRE(rows.size() == 144);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    INFO(bj::serialize(rows[i]));
    const double loss = figure(rows[i], "decision_loss");
    if (i < 12) {
      CHECK(loss > 0);
      CHECK(figure(rows[i], "decision_loss", "low") > 0);
    } else {
      CHECK(loss == 0);
    }
  }
  // Defecting is better at every question, whatever was played.
  const Ended pairs =
      folder.succeeds({"export", "v.agon", "--rows", "preferences", "--format", "jsonl"});
  CHECK(lines(pairs.out).size() == 144);
  std::size_t rejected = 0;
  for (const std::string& line : lines(pairs.out)) {
    const bj::value row = json_of(line);
    CHECK(row.at("chosen").as_string() == R"({"action":"defect"})");
    CHECK(row.at("rejected").as_string() == R"({"action":"cooperate"})");
    CHECK(row.at("difference_low").to_number<double>() > 0);
    rejected += row.at("rejected_was_played").as_int64() == 1 ? 1 : 0;
  }
  CHECK(rejected == 12);
  const Ended trl =
      folder.succeeds({"export", "v.agon", "--rows", "preferences", "--format", "trl"});
  CHECK(trl.out.empty());
  check_has(trl.err, {"left out: 144 pairs at questions for which no model was called"});
  CHECK(lines(folder.succeeds({"export", "v.agon", "--rows", "preferences"}).out).size() == 145);
  check_has(folder.agon({"export", "d.agon", "--rows", "preferences"}).err, {"no pairs"});
  folder.refuses({"branch", "d.agon", "--decisions", "--reference", "nash", "--out", "v.agon"}, 2,
                 {"there is a file already"});
  folder.refuses({"branch", "d.agon", "--decisions", "--reference", "human", "--out", "w.agon"}, 2,
                 {"is not an agent that answers at once"});
}

TEST_CASE("what a model was asked is the prompt of a preference") {
  const Folder folder;
  folder.write("m.json", R"({"suite": "m", "seed": 5, "models": {"m": {"provider": "mock"}},
    "agents": {"llm": {"llm": "m"}, "nash": "nash"},
    "scenarios": [{"game": "classic", "blocks": 2,
      "set": {"game": "prisoners-dilemma", "periods": 3, "labels": true},
      "design": {"seat_rotation": "as-listed", "fixed": [["llm", "nash"]]}}]})");
  folder.succeeds({"run", "m.json", "--quiet"});
  folder.succeeds({"branch", "m.agon", "--decisions", "--reference", "nash", "--seat", "Alice",
                   "--out", "v.agon", "--quiet"});
  const Ended trl =
      folder.succeeds({"export", "v.agon", "--rows", "preferences", "--format", "trl"});
  REQUIRE(lines(trl.out).size() == 6);
  const bj::value row = json_of(lines(trl.out)[0]);
  CHECK(row.at("prompt").at(0).at("role").as_string() == "system");
  CHECK(row.at("chosen").at(0).at("content").as_string() == R"({"action":"defect"})");
  CHECK(row.at("rejected").at(0).at("role").as_string() == "assistant");
}

TEST_CASE("swaps have the effect that they must have, and best replies are found") {
  const Folder folder;
  folder.write("d.json", kDilemma);
  folder.succeeds({"run", "d.json", "--quiet"});
  folder.succeeds({"branch", "d.agon", "--every", "choose", "--seat", "Alice=nash", "--out",
                   "b.agon", "--quiet"});
  const auto swaps = rows_of(folder, "b.agon", "swaps");
  REQUIRE(swaps.size() == 1);
  INFO(bj::serialize(swaps[0]));
  // Of six cuts, four are before the blunder or at it. It costs 1 of 18 - 6.
  const double effect = figure(swaps[0], "swap_effect");
  CHECK(std::abs(effect - 4.0 / 6 / 12) < 1e-9);
  CHECK(figure(swaps[0], "swap_effect", "low") > 0);
  // An agent that takes over at the blunder has all of it.
  folder.succeeds({"branch", "d.agon", "all", "--at", "6", "--seat", "Alice=nash", "--out",
                   "o.agon", "--quiet"});
  const auto replies = rows_of(folder, "o.agon", "replies");
  REQUIRE(replies.size() == 1);
  INFO(bj::serialize(replies[0]));
  CHECK(replies[0].at("cells").at(4).at("text").as_string() == "nash");
  CHECK(std::abs(figure(replies[0], "best_reply_gain") - 1.0 / 12) < 1e-9);
  CHECK(figure(replies[0], "best_reply_gain", "low") > 0);
}

TEST_CASE("a forced answer gains what it must, and a script goes on where it was") {
  const Folder folder;
  folder.write("l.json", R"({"suite": "l", "seed": 5,
    "agents": {"blunderer": {"script": {"answers": [
        {"action": "defect"}, {"action": "cooperate"}]}},
      "nash": "nash"},
    "scenarios": [{"game": "classic", "blocks": 12,
      "set": {"game": "prisoners-dilemma", "periods": 2, "labels": true},
      "design": {"seat_rotation": "as-listed", "fixed": [["blunderer", "nash"]]}}]})");
  folder.succeeds({"run", "l.json", "--quiet"});
  folder.succeeds({"branch", "l.agon", "all", "--at", "2", "--answer", R"({"action":"defect"})",
                   "--out", "a.agon", "--quiet"});
  const auto gains = rows_of(folder, "a.agon", "replies");
  REQUIRE(gains.size() == 1);
  INFO(bj::serialize(gains[0]));
  check_has(std::string(gains[0].at("cells").at(4).at("text").as_string()), {"answer", "defect"});
  CHECK(std::abs(figure(gains[0], "best_reply_gain") - 1.0 / 4) < 1e-9);
  CHECK(figure(gains[0], "best_reply_gain", "low") > 0);

  // The script is not asked for the forced answer, so its blunder comes a period later: no block
  // gains anything.
  folder.write("d.json", kDilemma);
  folder.succeeds({"run", "d.json", "--quiet"});
  folder.succeeds({"branch", "d.agon", "all", "--at", "6", "--answer", R"({"action":"defect"})",
                   "--out", "b.agon", "--quiet"});
  const auto none = rows_of(folder, "b.agon", "replies");
  REQUIRE(none.size() == 1);
  INFO(bj::serialize(none[0]));
  const auto& gain = none[0].at("cells").at(5);
  CHECK(none[0].at("cells").at(4).at("text").as_string() == "what was played");
  CHECK(gain.at("value").to_number<double>() == 0);
  CHECK(gain.at("note").as_string() == "no variation");
  CHECK_FALSE(gain.as_object().contains("low"));
}

/// What the seat and the other one get, by period after the forced answer: value and, with `part`,
/// an end of its interval.
std::vector<double> paid(const std::vector<bj::object>& rows, std::string_view who,
                         const char* part = "value") {
  std::vector<double> all;
  for (const bj::object& row : rows)
    all.push_back(figure(row, std::string(who) + "_payoff_change", part));
  return all;
}

TEST_CASE("what a forced answer brings and costs is told by period") {
  const Folder folder;
  const auto play = [&](const std::string& bob) {
    folder.write("p.json", R"({"suite": "p", "seed": 5,
      "agents": {"good": "tit-for-tat", "bob": ")" +
                               bob + R"("},
      "scenarios": [{"game": "classic", "blocks": 12,
        "set": {"game": "prisoners-dilemma", "periods": 6, "labels": true},
        "design": {"seat_rotation": "as-listed", "fixed": [["good", "bob"]]}}]})");
    folder.succeeds({"run", "p.json", "--out", bob + ".agon", "--quiet"});
    folder.succeeds({"branch", bob + ".agon", "all", "--at", "2", "--answer",
                     R"({"action":"defect"})", "--repeats", "3", "--out", "of-" + bob + ".agon",
                     "--quiet"});
    return rows_of(folder, "of-" + bob + ".agon", "impulses");
  };
  // It takes from the other side at once; then that side is grim, and both lose.
  const auto grim = play("grim");
  CHECK(paid(grim, "own") == std::vector<double>{2, -3, -2, -2, -2});
  CHECK(paid(grim, "others") == std::vector<double>{-3, 2, -2, -2, -2});
  // Who draws its moves does not punish: the gain is of one period, and varies with the block.
  const auto random = play("random");
  const auto own = paid(random, "own"), low = paid(random, "own", "low");
  REQUIRE(own.size() == 5);
  CHECK(own[0] > 0);
  CHECK(low[0] < own[0]);
  CHECK(paid(random, "others")[0] < 0);
  // Repeats and periods of a block are one observation.
  for (const bj::object& row : random) CHECK(row.at("cells").at(6).at("blocks") == 12);
}

TEST_CASE("answers are searched for the best reply to the others' own agents") {
  const Folder folder;
  folder.write("t.json", R"({"suite": "t", "seed": 5, "agents": {"good": {"script": {"answers": [
      {"action": "cooperate"}, {"action": "cooperate"}]}}, "tit": "tit-for-tat"},
    "scenarios": [{"game": "classic", "blocks": 12,
      "set": {"game": "prisoners-dilemma", "periods": 2, "labels": true},
      "design": {"seat_rotation": "as-listed", "fixed": [["good", "tit"]]}}]})");
  folder.succeeds({"run", "t.json", "--quiet"});
  folder.succeeds({"branch", "t.agon", "--decisions", "--reference", "tit-for-tat", "--others",
                   "--seat", "Alice", "--out", "v.agon", "--quiet"});
  const auto replies = rows_of(folder, "v.agon", "replies");
  // Defecting pays in the last period, where nobody punishes it any more.
  REQUIRE(replies.size() == 2);
  INFO(bj::serialize(replies[0]) << bj::serialize(replies[1]));
  CHECK(figure(replies[1], "best_reply_gain", "low") > 0);
  folder.refuses({"branch", "t.agon", "--others", "--out", "w.agon"}, 2, {"--decisions"});
}

TEST_CASE("controls make errors smaller and leave scores where they are") {
  const Folder folder;
  folder.write("e.json", R"({"suite": "e", "seed": 5,
    "agents": {"cap": "value-cap", "rule": "rule", "floor": "random"},
    "design": {"focal": ["rule", "floor"], "background": "cap", "blocks": 60},
    "scenarios": [{"game": "english-auction"}]})");
  folder.succeeds({"run", "e.json", "--quiet"});
  const auto rows =
      rows_of(folder, "e.agon", "controls", {"--control", "cap", "--control-blocks", "400"});
  REQUIRE(rows.size() == 2);
  for (const bj::object& row : rows) {
    INFO(bj::serialize(row));
    const double plain = figure(row, "normalized_score");
    const double controlled = figure(row, "controlled_score");
    CHECK(std::isfinite(figure(row, "blocks_saved")));
    const double error = figure(row, "standard_error");
    CHECK(std::abs(plain - controlled) < 4 * error);
    // It explains scores of the rule, and hardly anything of those drawn at random.
    const bool explains = row.at("cells").at(1).at("text").as_string() == "rule";
    CHECK(figure(row, "controlled_standard_error") < (explains ? 1 : 1.15) * error);
  }
  // Without being asked for there are none.
  folder.refuses({"report", "e.agon", "--section", "controls", "--json"}, 3,
                 {"the archive has nothing for the sections that are asked for"});
  folder.refuses({"report", "e.agon", "--control", "human"}, 2, {"answers at once"});
  folder.refuses({"report", "e.agon", "--control-blocks", "40"}, 2, {"--control"});
}

}  // namespace branch_effects_test
