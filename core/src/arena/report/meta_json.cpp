#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/write.hpp"
#include "report/json_sections.hpp"
#include "report/meta.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;
using namespace json_values;

/// The choices of all seats, by name.
bj::array names(const MetaGame& game, const std::vector<std::size_t>& choices) {
  bj::array list;
  for (std::size_t s = 0; s < choices.size(); ++s) list.emplace_back(game.choices[s][choices[s]]);
  return list;
}

bj::array names(const MetaGame& game, std::size_t line_up) {
  return names(game, game.line_ups[line_up].choices);
}

bj::array line_ups_json(const MetaGame& game) {
  bj::array list;
  for (const MetaLineUp& line_up : game.line_ups)
    list.emplace_back(bj::object{{"choices", names(game, line_up.choices)},
                                 {"matches", line_up.matches},
                                 {"blocks", line_up.blocks}});
  return list;
}

bj::array missing_json(const MetaGame& game) {
  bj::array list;
  for (const std::size_t l : game.missing) {
    bj::array agents;
    for (std::size_t s = 0; s < game.players(); ++s)
      agents.emplace_back(game.agents[s][game.line_ups[l].choices[s]]);
    list.emplace_back(bj::object{{"choices", names(game, l)}, {"line_up", std::move(agents)}});
  }
  return list;
}

bj::array payoffs_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (std::size_t l = 0; l < solution.payoffs.size(); ++l) {
    bj::array payoffs;
    for (const stats::Estimate& estimate : solution.payoffs[l]) payoffs.emplace_back(of(estimate));
    list.emplace_back(bj::object{{"choices", names(game, l)}, {"payoffs", std::move(payoffs)}});
  }
  return list;
}

bj::array gains_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (const MetaGain& gain : solution.gains)
    list.emplace_back(bj::object{{"choices", names(game, gain.choices)},
                                 {"seat", gain.seat},
                                 {"to", game.choices[gain.seat][gain.to]},
                                 {"gain", of(gain.gain)}});
  return list;
}

bj::array regrets_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (const MetaRegret& regret : solution.regrets) {
    const bool gains = regret.regret.value_or(0) > 0;
    list.emplace_back(bj::object{
        {"choices", names(game, regret.line_up)},
        {"regret", optional(regret.regret)},
        {"interval", of(regret.interval)},
        {"seat", gains ? bj::value(regret.seat) : bj::value(nullptr)},
        {"to", gains ? bj::value(game.choices[regret.seat][regret.to]) : bj::value(nullptr)}});
  }
  return list;
}

bj::array strategy_json(const std::vector<std::string>& choices,
                        const theory::MixedStrategy& strategy,
                        const std::vector<std::optional<stats::Interval>>& intervals) {
  bj::array list;
  for (std::size_t a = 0; a < strategy.size(); ++a)
    list.emplace_back(bj::object{{"choice", choices[a]},
                                 {"share", strategy[a].value},
                                 {"exact", strategy[a].text},
                                 {"interval", of(intervals[a])}});
  return list;
}

bj::array mixed_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (const MetaMixed& mixed : solution.mixed)
    list.emplace_back(bj::object{
        {"strategies",
         bj::array{strategy_json(game.choices[0], mixed.exact.first, mixed.weights[0]),
                   strategy_json(game.choices[1], mixed.exact.second, mixed.weights[1])}},
        {"expected", bj::array{mixed.exact.first_payoff.value, mixed.exact.second_payoff.value}},
        {"symmetric", mixed.symmetric},
        {"held_in", optional(mixed.held_in)}});
  return list;
}

bj::array supports_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (const MetaSupport& support : solution.supports) {
    bj::array choices;
    for (std::size_t p = 0; p < 2; ++p) {
      bj::array used;
      for (const std::size_t a : support.choices[p]) used.emplace_back(game.choices[p][a]);
      choices.emplace_back(std::move(used));
    }
    list.emplace_back(bj::object{{"choices", std::move(choices)},
                                 {"held_in", support.share},
                                 {"of_the_means", support.found}});
  }
  return list;
}

bj::array rankings_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array list;
  for (const MetaRanking& ranking : solution.rankings) {
    bj::array masses;
    for (std::size_t s = 0; s < ranking.mass.size(); ++s)
      masses.emplace_back(bj::object{
          {"choices", game.symmetric ? bj::array{bj::value(game.choices[0][s])} : names(game, s)},
          {"mass", ranking.mass[s]},
          {"interval", of(ranking.intervals[s])}});
    list.emplace_back(bj::object{{"alpha", optional(ranking.alpha)},
                                 {"residual", ranking.residual},
                                 {"masses", std::move(masses)}});
  }
  return list;
}

bj::array shares_json(const MetaGame& game, const theory::Shares& shares) {
  bj::array list;
  for (std::size_t p = 0; p < shares.size(); ++p) {
    bj::array population;
    for (std::size_t a = 0; a < shares[p].size(); ++a)
      population.emplace_back(bj::object{{"choice", game.choices[p][a]}, {"share", shares[p][a]}});
    list.emplace_back(std::move(population));
  }
  return list;
}

bj::value dynamics_json(const MetaGame& game, const MetaSolution& solution) {
  if (!solution.dynamics) return nullptr;
  const MetaDynamics& d = *solution.dynamics;
  bj::array basins;
  for (const MetaBasin& basin : d.basins)
    basins.emplace_back(bj::object{{"starts", basin.starts},
                                   {"settled", basin.settled},
                                   {"spread", basin.spread},
                                   {"shares", shares_json(game, basin.shares)}});
  return bj::object{
      {"from_uniform", bj::object{{"settled", d.from_uniform.settled},
                                  {"gap", d.from_uniform.gap},
                                  {"time", d.from_uniform.time},
                                  {"error", d.from_uniform.error},
                                  {"shares", shares_json(game, d.from_uniform.shares)}}},
      {"starts", d.starts},
      {"error", d.error},
      {"basins", std::move(basins)}};
}

bj::object solution_json(const MetaGame& game, const MetaSolution& solution) {
  bj::array pure;
  for (const MetaPure& found : solution.pure)
    pure.emplace_back(
        bj::object{{"choices", names(game, found.line_up)}, {"held_in", optional(found.held_in)}});
  return {{"scale", name(solution.scale)},
          {"note", solution.note},
          {"resamples", solution.resamples},
          {"payoffs", payoffs_json(game, solution)},
          {"gains", gains_json(game, solution)},
          {"regrets", regrets_json(game, solution)},
          {"pure_equilibria", std::move(pure)},
          {"mixed_equilibria", mixed_json(game, solution)},
          {"mixed_note", solution.mixed_note},
          {"supports", supports_json(game, solution)},
          {"alpha_rank", rankings_json(game, solution)},
          {"alpha_rank_note", solution.ranking_note},
          {"replicator", dynamics_json(game, solution)}};
}

bj::object game_json(const MetaGame& game) {
  bj::array choices;
  for (const auto& here : game.choices) choices.emplace_back(strings(here));
  bj::array solutions;
  for (const MetaSolution& solution : game.solutions)
    solutions.emplace_back(solution_json(game, solution));
  return {{"game", game.game},
          {"label", game.label},
          {"treatments", game.treatments},
          {"base", game.base},
          {"seats", strings(game.seats)},
          {"symmetric", game.symmetric},
          {"choices", std::move(choices)},
          {"line_ups", line_ups_json(game)},
          {"missing", missing_json(game)},
          {"left_out", strings(game.left_out)},
          {"note", game.note},
          {"solutions", std::move(solutions)}};
}

}  // namespace

std::string json(const MetaReport& report) {
  bj::array games;
  for (const MetaGame& game : report.games) games.emplace_back(game_json(game));
  const MetaQuestion& question = report.question;
  return json::write_pretty(bj::object{
      {"format", "agon.meta"},
      {"version", 2},
      {"scope", report.scope.json()},
      {"factor", question.label.empty() ? bj::value(nullptr) : bj::value(question.label)},
      {"agents", question.agents.empty() ? bj::value(nullptr) : bj::value(question.agents)},
      {"seats_apart", question.seats_apart},
      {"policy", name(report.policy)},
      {"level", report.level},
      {"resamples", report.resamples},
      {"games", std::move(games)},
      {"matches_of_different_bases", report.other_bases},
      {"matches_not_chosen", report.not_chosen},
      {"matches_of_one_seat", report.one_seat},
      {"matches_excluded", report.excluded}});
}

}  // namespace agon::report
