// The experiments of docs/experiments, with strategies in the places of models: the numbers that
// their pages print.

#include <boost/json/object.hpp>
#include <cmath>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

const std::string kExperiments = std::string(AGON_TEST_SOURCE) + "/scenarios/experiments/";

}  // namespace

TEST_CASE("an experiment: a lie pays who has heard the truth before") {
  const Folder folder;
  folder.succeeds({"run", kExperiments + "deception.json", "--agent", "honest=by-claims", "--agent",
                   "deceptive=by-claims:states=lie", "--agent", "wary=by-claims:believes=false",
                   "--agent", "no stance=by-claims:states=nothing", "--out", "d.agon", "--quiet"});
  const auto table = paper_table(folder, "d.agon", "experiments/deception");
  const auto figures = [&](const std::string& row) {
    std::vector<double> all;
    for (const auto& cell : table.row(row))
      all.push_back(cell.at("value").is_null() ? -1 : cell.at("value").to_number<double>());
    return all;
  };
  const auto rounded = [](double x) { return std::round(100 * x) / 100; };
  const auto points = [&](const std::string& row) {
    const auto all = figures(row);
    return std::vector<double>{rounded(all[0]), rounded(all[1]), rounded(all[2]), rounded(all[3])};
  };
  using Points = std::vector<double>;
  const std::string once = "values stated at once: ", turn = "values stated in turn: ";
  CHECK(points(once + "honest, with honest") == Points{7.57, 7.57, 0, 0});
  CHECK(points(once + "deceptive, with honest") == Points{7.58, 7.55, 0.02, -0.02});
  CHECK(points(once + "deceptive, with wary") == Points{7.47, 7.22, -0.1, -0.35});
  CHECK(points(once + "no stance, with no stance") == Points{7.17, 7.17, -0.4, -0.4});
  CHECK(points(turn + "honest second, with honest") == Points{7.33, 7.8, 0, 0});
  CHECK(points(turn + "deceptive second, with honest") == Points{8.33, 5.63, 1, -2.17});
  CHECK(points(turn + "deceptive first, with honest") == Points{7.8, 7.33, 0, 0});
  CHECK(points(turn + "deceptive first, with deceptive") == Points{5.57, 8.4, -2.23, 1.07});
  // Everybody but 'no stance' states values, and only the deceptive false ones.
  CHECK(figures(once + "honest, with wary")[5] == 1);
  CHECK(figures(once + "honest, with wary")[6] == 0);
  CHECK(figures(once + "deceptive, with wary")[6] > 0.2);
  CHECK(figures(once + "deceptive, with wary")[7] > 0.5);
  CHECK(figures(once + "no stance, with wary")[5] == 0);
  CHECK(figures(once + "no stance, with wary")[6] == -1);
}

TEST_CASE("an experiment: firms that meet again hold on to low quantities if both reciprocate") {
  const Folder folder;
  folder.succeeds({"run", kExperiments + "repeated-duopoly.json", "--agent", "plain=nash",
                   "--agent", "workflow=tit-for-tat", "--out", "d.agon", "--quiet"});
  const Ended meta = folder.agon({"report", "d.agon", "--metagame", "workflow"});
  check_has(meta.out,
            {"own: not  0.400, 0.400 *  0.667, 0.333", "own: use  0.393, 0.427    0.467, 0.467 *",
             "own: not  0.400, 0.400 *  0.444, 0.389"});

  const auto table = paper_table(folder, "d.agon", "experiments/cooperation-by-period");
  const auto shares = [&](const std::string& row) {
    std::vector<double> all;
    for (const auto& cell : table.row(row))
      if (!cell.at("value").is_null()) all.push_back(cell.at("value").to_number<double>());
    return all;
  };
  CHECK(shares("ten periods: grim with plain") ==
        std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(shares("ten periods: workflow with grim") == std::vector<double>(10, 1));
  CHECK(shares("a tenth ends it: workflow with workflow").size() > 10);

  // What is not recorded cannot be told.
  folder.succeeds({"run", kExperiments + "repeated-duopoly.json", "--agent", "nash", "--keep",
                   "results", "--out", "e.agon", "--quiet"});
  const Ended lacks =
      folder.agon({"report", "e.agon", "--paper-table", "experiments/cooperation-by-period"});
  CHECK(lacks.code != 0);
  CHECK(contains(lacks.err, "--no-records"));
}

TEST_CASE("an experiment: each side of a persona is a factor of a grid") {
  const Folder folder;
  folder.succeeds(
      {"run", kExperiments + "persona-grid.json", "--blocks", "1", "--out", "g.agon", "--quiet"});
  const Ended report = folder.succeeds({"report", "g.agon", "--json"});
  for (const std::string told : {"persona.words", "persona.character", "You are a psychologist.",
                                 "You are quickly irritated."}) {
    INFO(told);
    CHECK(report.out.find(told) != std::string::npos);
  }
}

TEST_CASE("an experiment: a factor of a component needs the component, and a parameter of it") {
  const Folder folder;
  const auto why = [&](const std::string& agent) {
    folder.write("s.json", R"({"models": {"m": {"provider": "mock"}}, "agents": {"a": )" + agent +
                               R"(}, "scenarios": [{"game": "water-allocation"}]})");
    const Ended ended = folder.agon({"run", "s.json", "--blocks", "1", "--quiet"});
    CHECK(ended.code != 0);
    return ended.err;
  };
  const std::string lacking = why(R"({"llm": "m", "factors": {"persona.words": ["You are X."]}})");
  CHECK(lacking.find("'persona.words' needs the component") != std::string::npos);
  CHECK(lacking.find("$.agents.a.factors") != std::string::npos);
  const std::string twice = why(
      R"({"llm": "m", "persona": "text:words=X", "factors": {"persona.words": ["You are X."]}})");
  CHECK(twice.find("varies what the component is given already") != std::string::npos);
  CHECK(twice.find("leave 'words' out of") != std::string::npos);
  const std::string object =
      why(R"({"llm": "m", "persona": {"text": {}}, "factors": {"persona.words": ["You are X."]}})");
  CHECK(object.find("beside the factors as a text") != std::string::npos);
  CHECK(why(R"({"llm": "m", "persona": "text", "factors": {"persona.wrods": ["You are X."]}})")
            .find("words") != std::string::npos);
}
