// Whom `agon new suite` measures others against: the strategy that does best among those that come
// with the game. `tests/bench/references.py` is the same tournament, larger.

#include <boost/json.hpp>
#include <cmath>
#include <map>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

namespace bj = boost::json;

struct Mean {
  double value = 0;
  double error = 0;
};

/// The score of every agent among copies of `field`, by name in `agents`.
std::map<std::string, Mean> scores(const Folder& folder, const std::string& game,
                                   const std::vector<std::string>& agents, std::size_t field) {
  bj::object named;
  bj::array focal;
  std::vector<std::string> names;
  for (const std::string& agent : agents) {
    names.push_back("a" + std::to_string(names.size()));
    named[names.back()] = agent;
    focal.emplace_back(names.back());
  }
  const bj::object suite{
      {"suite", "references"},
      {"seed", 11},
      {"agents", named},
      {"design",
       {{"focal", focal}, {"background", names[field]}, {"seat_rotation", "all"}, {"blocks", 12}}},
      {"scenarios", {{{"game", game}}}},
      {"report", {{"reference", names[field]}}}};
  const std::string file = game + "-" + std::to_string(field);
  folder.write(file + ".json", bj::serialize(suite));
  folder.succeeds({"run", file + ".json", "--out", file + ".agon", "--quiet"});
  const bj::value report = bj::parse(folder.agon({"report", file + ".agon", "--json"}).out);
  std::map<std::string, Mean> found;
  for (const bj::object& score :
       agon::test::figures(report, {{"section", "leaderboard"}, {"metric", "normalized_score"}})) {
    const std::size_t place = std::stoul(std::string(score.at("agent").as_string()).substr(1));
    const bj::value* error = score.if_contains("standard_error");
    found[agents[place]] = {score.at("value").to_number<double>(),
                            error != nullptr ? error->to_number<double>() : 0};
  }
  return found;
}

}  // namespace

TEST_CASE("the reference of every game does as well as any strategy that comes with it") {
  const Folder folder;
  std::map<std::string, std::set<std::string>> strategies;
  const bj::value listed = bj::parse(folder.agon({"list", "agents", "--json"}).out);
  for (const bj::value& agent : listed.at("agents").as_array()) {
    const std::string game(agent.at("game").as_string()), id(agent.at("id").as_string());
    if (game.empty()) continue;
    const bj::value cards = bj::parse(folder.agon({"describe", id, "--json"}).out);
    for (const bj::value& card : cards.as_array())
      if (card.at("game").as_string() == game && card.at("roles").as_array().empty())
        strategies[game].insert(id);
  }
  REQUIRE(strategies.size() >= 10);
  for (auto& [game, fields] : strategies) {
    const bj::value card = bj::parse(folder.agon({"describe", game, "--json"}).out);
    const std::string reference(card.at("reference").as_string());
    fields.insert({reference, "random"});
    const std::vector<std::string> agents(fields.begin(), fields.end());
    std::map<std::string, Mean> means;
    for (std::size_t field = 0; field < agents.size(); ++field) {
      const auto found = scores(folder, game, agents, field);
      for (const auto& [agent, score] : found) {
        means[agent].value += score.value / static_cast<double>(agents.size());
        means[agent].error =
            std::hypot(means[agent].error, score.error / static_cast<double>(agents.size()));
      }
      INFO(game << ": " << reference << " among copies of itself");
      if (agents[field] == reference) CHECK(found.at("random").value <= found.at(reference).value);
    }
    for (const auto& [agent, mean] : means) {
      INFO(game << ": " << agent << " " << mean.value << ", " << reference << " "
                << means.at(reference).value);
      const double error = std::hypot(mean.error, means.at(reference).error);
      CHECK(mean.value <= means.at(reference).value + 3 * error + 1e-9);
      if (agent == "random") CHECK(mean.value < means.at(reference).value);
    }
  }
}
