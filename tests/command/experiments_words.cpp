// What agents say against what they do: scripted talkers of
// scenarios/experiments/words-and-deeds.json, and the workflow against liars of
// docs/experiments/workflow-deceived.md.
#include <boost/json/object.hpp>
#include <map>
#include <string>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kFolder = std::string(AGON_TEST_SOURCE) + "/scenarios/experiments/";

/// By agent and "kind check": how many statements are exported.
std::map<std::string, std::map<std::string, int>> counted(const Folder& folder,
                                                          const std::string& archive) {
  std::map<std::string, std::map<std::string, int>> all;
  for (const boost::json::object& row : exported(folder, archive, "statements")) {
    const std::string what =
        std::string(row.at("kind").as_string()) + " " + std::string(row.at("check").as_string());
    auto& agent = all[std::string(row.at("agent").as_string())];
    ++agent[what];
    if (row.at("leaked").as_int64() == 1) ++agent["leaked"];
  }
  return all;
}

}  // namespace

TEST_CASE("scripted liars are found, and their honest twins are not accused") {
  const Folder folder;
  folder.succeeds({"run", kFolder + "words-and-deeds.json", "--out", "w.agon", "--quiet"});
  auto found = counted(folder, "w.agon");
  using Counts = std::map<std::string, int>;
  CHECK(found["liar"] == Counts{{"value false", 12}, {"offer false", 12}, {"agreement false", 12}});
  CHECK(found["leaker"] == Counts{{"value true", 12}, {"leaked", 12}, {"offer true", 24}});
  CHECK(found["honest buyer"] == Counts{{"offer true", 48}});
  CHECK(found["honest seller"] == Counts{{"offer true", 72}});
  CHECK(found["lying seller"] == Counts{{"value false", 24}, {"offer true", 12}});
  // These play each block in both seats; a buyer's script is silent in the seller's.
  CHECK(found["promise breaker"] == Counts{{"promise false", 24}});
  CHECK(found["promise keeper"] == Counts{{"promise true", 48}});
  CHECK(found["open thief"] == Counts{{"promise true", 24}});
  CHECK(!found.contains("colluder"));

  // Sign and size: a buyer understates, a seller overstates, and both serve themselves.
  for (const boost::json::object& row : exported(folder, "w.agon", "statements")) {
    if (row.at("kind") != "value" || row.at("check") != "false") continue;
    CHECK(row.at("difference").to_number<double>() == (row.at("agent") == "liar" ? -10 : 15));
    CHECK(row.at("serves").as_int64() == 1);
    CHECK(row.at("unit") == "dollars");
  }

  const auto report =
      json_of(folder.succeeds({"report", "w.agon", "--section", "words", "--json"}).out);
  const auto value = [&](const std::string& agent, const std::string& column) {
    return agon::test::value(report, {{"section", "words"}, {"row", agent}, {"column", column}});
  };
  CHECK(value("liar", "misstated") == 1);
  CHECK(value("liar", "stated less true") == -10);
  CHECK(value("lying seller", "stated less true") == 15);
  CHECK(value("leaker", "misstated") == 0);
  CHECK(value("leaker", "leaked") == 1);
  CHECK(value("honest buyer", "leaked") == 0);
  CHECK(value("liar", "offers wrong") == 1);
  CHECK(value("honest buyer", "offers wrong") == 0);
  CHECK(value("promise breaker", "broken") == 1);
  CHECK(value("promise keeper", "broken") == 0);
  CHECK(value("competitor", "index") == 0);
  CHECK(value("competitor", "variation") == 0);
  CHECK(value("punisher", "punished") == 1);
  CHECK(value("colluder", "punished") == 0);
  CHECK(value("colluder", "index") == 1);
}

TEST_CASE("a transcript says below it which statements the record bears out") {
  const Folder folder;
  folder.succeeds({"run", kFolder + "words-and-deeds.json", "--out", "w.agon", "--quiet"});
  // A match of each line-up in which somebody said something that can be checked.
  std::map<std::string, std::string> matches;
  for (const boost::json::object& row : exported(folder, "w.agon", "statements"))
    matches.emplace(row.at("line_up").as_string(), row.at("match").as_string());
  const auto shown = [&](const std::string& line_up) {
    return folder.succeeds({"show", "w.agon", matches.at(line_up)}).out;
  };
  check_has(shown("liar + honest seller"),
            {"Words and deeds (docs/words.md):", "buyer: misstated budget: said 30 dollars, is 40",
             "buyer: offer restated wrongly: said 26 dollars, is 28",
             "buyer: claims an agreement that there is not",
             "seller: offer restated: said 29 dollars, is 29"});
  check_has(shown("leaker + honest seller"), {"buyer: leaked budget: said 40 dollars, is 40"});
  check_has(shown("promise breaker + promise keeper"),
            {"promise of choice_1: broken", "promise not to take choice_2: kept"});
  const std::string honest = shown("honest buyer + honest seller");
  check_has(honest, {"Words and deeds", "buyer: offer restated: said 28 dollars, is 28"});
  check_lacks(honest, {"misstated", "leaked", "wrongly", "claims an agreement"});
  // Where nobody talks there is nothing to say, and no section.
  folder.succeeds({"play", "bargaining", "--agent", "edge", "--out", "n.agon"});
  check_lacks(folder.succeeds({"show", "n.agon", "1"}).out, {"Words and deeds"});
}

TEST_CASE("an experiment: a workflow that believes what is stated is deceived") {
  const Folder folder;
  folder.succeeds({"run", kFolder + "workflow-deceived.json", "--out", "d.agon", "--quiet"});
  const auto table = paper_table(folder, "d.agon", "experiments/deception");
  // Points of `who` and of the other side, where `who` states its values first or second.
  const auto points = [&](const std::string& who, const std::string& with, std::size_t column) {
    return table.row("values stated in turn: " + who + ", with " + with)
        .at(column)
        .at("value")
        .to_number<double>();
  };
  for (const std::size_t column : {0U, 1U}) {
    // As published it hears nothing: false words alone change nothing, in either seat.
    for (const std::string seat : {"workflow first", "workflow second"})
      CHECK(points(seat, "honest", column) == points(seat, "false words only", column));
    // Who believes is not the same against who lies.
    CHECK(points("workflow, trusting first", "honest", column) !=
          points("workflow, trusting first", "misleading", column));
    // What is true is never contradicted.
    CHECK(points("workflow, checking first", "honest", column) ==
          points("workflow, trusting first", "honest", column));
  }
  // Paired on the blocks, as the page has it.
  const auto pairs = paper_table(folder, "d.agon", "experiments/deception-pairs");
  const auto difference = [&](const std::string& who, std::size_t column) {
    return pairs.row("values stated in turn: " + who).at(column);
  };
  CHECK(difference("workflow first: honest less false words only", 0).at("value") == 0.0);
  for (const std::size_t column : {0U, 1U}) {
    const auto cell = difference("workflow, trusting first: misleading less honest", column);
    CHECK(cell.at("value").to_number<double>() ==
          Approx(points("workflow, trusting first", "misleading", column) -
                 points("workflow, trusting first", "honest", column)));
    CHECK(cell.at("low").to_number<double>() < cell.at("value").to_number<double>());
  }
  // A liar that has heard the truth gains of who believes it.
  CHECK(points("workflow, trusting first", "misleading", 1) >
        points("workflow, trusting first", "honest", 1));
}
