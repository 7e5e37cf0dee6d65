#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"
#include "report/json_sections.hpp"
#include "report/numbers.hpp"
#include "report/report.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;
using namespace json_values;

constexpr std::array<const char*, kFaults> fault_keys = {
    "ok",        "repaired", "illegal",   "unparsable", "empty",
    "truncated", "refused",  "timed_out", "crashed",    "provider_failed"};

bj::object leaderboard(const Report& report) {
  const Leaderboard& board = report.leaderboard;
  bj::array rows;
  for (const LeaderRow& row : board.rows) {
    bj::object out{{"agent", row.agent}, {"score", of(row.score)}};
    const bool compared = board.reference_scored && row.agent != report.options.reference;
    out["rank"] = row.ranks ? bj::value(row.ranks->rank) : bj::value(nullptr);
    out["rank_best"] = row.ranks ? bj::value(row.ranks->best) : bj::value(nullptr);
    out["rank_worst"] = row.ranks ? bj::value(row.ranks->worst) : bj::value(nullptr);
    out["difference"] = compared ? bj::value(of(row.difference)) : bj::value(nullptr);
    out["simultaneous"] = of(row.simultaneous);
    out["simultaneous_p"] = optional(row.simultaneous_p);
    bj::object games;
    for (std::size_t g = 0; g < board.games.size(); ++g) {
      games[board.games[g]] = bj::object{
          {"score", of(row.game_scores[g])},
          {"difference", compared ? bj::value(of(row.game_differences[g])) : bj::value(nullptr)},
          {"simultaneous", of(row.game_simultaneous[g])}};
    }
    out["games"] = std::move(games);
    rows.emplace_back(std::move(out));
  }
  bj::array without;
  for (const auto& [game, reason] : board.without)
    without.emplace_back(bj::object{{"game", game}, {"reason", reason}});
  return {{"games", strings(board.games)},
          {"games_without_score", std::move(without)},
          {"depends_on_field", board.depends_on_field},
          {"reference_scored", board.reference_scored},
          {"rows", std::move(rows)}};
}

bj::array treatments(const Report& report) {
  bj::array list;
  for (const TreatmentTable& table : report.treatments) {
    bj::object agents;
    for (const TreatmentRow& row : table.rows)
      agents[row.agent] = bj::object{{"score", of(row.score)}, {"difference", of(row.difference)}};
    list.emplace_back(bj::object{{"game", table.game},
                                 {"scenario", table.facts.scenario},
                                 {"treatment", json::parse(table.facts.treatment, "treatment")},
                                 {"label", table.facts.label},
                                 {"matches", table.facts.matches},
                                 {"blocks", table.facts.blocks},
                                 {"agents", std::move(agents)}});
  }
  return list;
}

bj::object metric(const MetricRow& row) {
  bj::object agents;
  for (const auto& [agent, estimate] : row.agents)
    agents[agent] = of(in_major_units(estimate, row.metric.decimals));
  return {{"metric", row.metric.name},
          {"unit", row.metric.unit},
          {"better", row.metric.better},
          {"decimals", row.metric.decimals},
          {"of", row.of_match ? "match" : "seat"},
          {"role", row.role},
          {"agents", std::move(agents)}};
}

bj::value strengths(const GameReport& game) {
  bj::object out{{"note", game.strengths_note}};
  if (!game.strengths) return out;
  const stats::Strengths& s = *game.strengths;
  out["model"] = game.strengths_model;
  out["reference"] = game.strengths_reference;
  out["matches"] = s.matches;
  out["left_out"] = s.left_out;
  out["log_likelihood"] = s.log_likelihood;
  bj::array ties;
  for (const double tie : s.tie) ties.emplace_back(tie);
  out["tie"] = std::move(ties);
  out["components"] = s.components;
  out["strongly_connected"] = s.strongly_connected;
  out["degenerate"] = s.degenerate;
  bj::array agents;
  for (const stats::Strength& agent : s.agents)
    agents.emplace_back(bj::object{{"agent", agent.agent},
                                   {"log_strength", agent.log_strength},
                                   {"component", agent.component},
                                   {"rank", optional(agent.rank)},
                                   {"difference", of(agent.difference)}});
  out["agents"] = std::move(agents);
  out["fit"] = fit_json(game.fit);
  return out;
}

bj::value trueskill(const GameReport& game) {
  bj::object out{{"note", game.trueskill_note}};
  if (!game.trueskill) return out;
  out["matches"] = game.trueskill->matches;
  out["left_out"] = game.trueskill->left_out;
  out["resamples"] = game.trueskill_resamples;
  out["orders"] = game.trueskill_orders;
  bj::array agents;
  for (const stats::AgentRating& agent : game.trueskill->agents)
    agents.emplace_back(bj::object{{"agent", agent.agent},
                                   {"mu", agent.mu},
                                   {"sigma", agent.sigma},
                                   {"mu_spread", agent.mu_spread},
                                   {"difference", of(agent.difference)}});
  out["agents"] = std::move(agents);
  return out;
}

bj::object game(const GameResults& counts, const GameReport& game) {
  bj::array metrics;
  for (const MetricRow& row : game.metrics) metrics.emplace_back(metric(row));
  bj::array pairs;
  for (const PairwiseRow& row : game.pairs)
    pairs.emplace_back(
        bj::object{{"agent", row.agent},
                   {"opponent", row.opponent},
                   {"meetings", row.meetings},
                   {"wins", row.wins},
                   {"ties", row.ties},
                   {"losses", row.losses},
                   {"difference", of(in_major_units(row.difference, counts.score_decimals))}});
  return {{"game", game.game},
          {"matches", counts.matches},
          {"focal_matches", counts.focal_matches},
          {"blocks", counts.blocks},
          {"score_decimals", counts.score_decimals},
          {"seats_scored", counts.seats_scored},
          {"seats_without_scale", counts.seats_without_pie},
          {"blocks_with_forced_answers", counts.blocks_forced},
          {"missing_matches", counts.missing},
          {"metrics", std::move(metrics)},
          {"strengths", strengths(game)},
          {"trueskill", trueskill(game)},
          {"pairs", std::move(pairs)}};
}

bj::array agents(const Results& results) {
  bj::array list;
  for (const AgentFacts& agent : results.facts) {
    bj::object attempts;
    for (std::size_t f = 0; f < kFaults; ++f) attempts[fault_keys[f]] = agent.attempts[f];
    list.emplace_back(bj::object{{"agent", agent.name},
                                 {"seats", agent.seats},
                                 {"seats_forced", agent.seats_forced},
                                 {"forced", agent.forced},
                                 {"attempts", std::move(attempts)},
                                 {"seats_unfinished", agent.unfinished},
                                 {"seats_game_fault", agent.game_faults},
                                 {"calls", agent.calls},
                                 {"tokens_in", agent.tokens_in},
                                 {"tokens_out", agent.tokens_out},
                                 {"tokens_cached", agent.tokens_cached},
                                 {"tokens_thought", agent.tokens_thought},
                                 {"cost_nano_usd", agent.cost},
                                 {"waiting_ms", agent.waiting_ms}});
  }
  return list;
}

bj::object policies(const Report& report) {
  bj::array rows;
  for (const PolicyRow& row : report.policies) {
    bj::object out{{"agent", row.agent}};
    for (std::size_t p = 0; p < row.places.size(); ++p)
      out[name(static_cast<FaultPolicy>(p))] = bj::object{{"value", optional(row.places[p].value)},
                                                          {"rank", optional(row.places[p].rank)}};
    rows.emplace_back(std::move(out));
  }
  return {{"verdict", report.policy_verdict}, {"rows", std::move(rows)}};
}

bj::object missing(const Report& report) {
  bj::array bounds;
  for (const BoundsRow& row : report.bounds)
    bounds.emplace_back(bj::object{{"agent", row.agent},
                                   {"seats_unfinished", row.unfinished},
                                   {"seats_game_fault", row.game_faults},
                                   {"worst", optional(row.worst)},
                                   {"best", optional(row.best)}});
  bj::array reasons;
  for (const MissingReason& reason : report.results.missing)
    reasons.emplace_back(bj::object{{"scenario", reason.scenario},
                                    {"reason", reason.reason},
                                    {"kind", reason.game_fault ? "game-fault" : "unfinished"},
                                    {"matches", reason.matches}});
  return {{"bounds", std::move(bounds)}, {"reasons", std::move(reasons)}};
}

}  // namespace

std::string json(const Report& report) {
  const ReportOptions& o = report.options;
  bj::array games;
  for (std::size_t g = 0; g < report.games.size(); ++g)
    games.emplace_back(game(report.results.games[g], report.games[g]));
  const bj::object out{
      {"format", "agon.report"},
      {"version", 2},
      {"policy", name(report.results.policy)},
      {"reference", o.reference},
      {"level", o.level},
      {"resamples",
       {{"scores", o.resamples},
        {"metrics", o.metric_resamples},
        {"strengths", o.strength_resamples},
        {"trueskill", o.trueskill_resamples},
        {"seed", o.seed}}},
      {"matches", report.results.matches},
      {"scope", report.scope.json()},
      {"leaderboard", leaderboard(report)},
      {"factors", factors_json(report)},
      {"learning", learning_json(report)},
      {"rates", rates_json(report)},
      {"treatments", treatments(report)},
      {"games", std::move(games)},
      {"agents", agents(report.results)},
      {"policies", policies(report)},
      {"missing", missing(report)},
      {"anytime", anytime_json(report)},
      {"stop", report.stop ? json::parse(write_json(*report.stop), "") : bj::value(nullptr)},
      {"drift", json::parse(write_json(report.drift), "")},
      {"open_run", report.open_run.open() ? bj::value(report.open_run.text()) : bj::value(nullptr)},
      {"notes", strings(report.notes)}};
  return json::write_pretty(out);
}

}  // namespace agon::report
