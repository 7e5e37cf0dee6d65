#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/document.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"
#include "stats/sequential/confidence_sequence.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using text::Align;

std::string sentence(std::string words) {
  if (!words.empty() && words.front() >= 'a' && words.front() <= 'z')
    words.front() = static_cast<char>(words.front() - 'a' + 'A');
  if (!words.empty() && words.back() != '.') words += '.';
  return words;
}

ReportSection games_section(const ReportEstimates& report) {
  ReportSection section{.id = "games", .title = "Games"};
  section.explanation =
      "Finished matches and blocks; seats that count for normalised scores, and those without a "
      "scale; blocks (by treatment) in which somebody's answer was forced; missing matches.";
  ReportTable& table = section.tables.emplace_back();
  table.columns = {{.header = "game", .key = true},
                   number_column("matches", "matches"),
                   number_column("of them focal", "focal_matches"),
                   number_column("blocks", "blocks"),
                   number_column("seats scored", "seats_scored"),
                   number_column("without scale", "seats_without_scale"),
                   number_column("blocks forced", "blocks_with_forced_answers"),
                   number_column("missing", "missing_matches")};
  for (const GameResults& game : report.results.games)
    table.rows.push_back(
        {.about = {.game = game.name},
         .cells = {game.name, game.matches, game.focal_matches, game.blocks, game.seats_scored,
                   game.seats_without_pie, game.blocks_forced, game.missing}});
  return section;
}

bool zero_for_all(const MetricRow& row) {
  return std::ranges::all_of(row.agents, [](const auto& agent) {
    const stats::Estimate& e = agent.second;
    return e.value && *e.value == 0 && e.note == stats::Note::no_variation;
  });
}

std::string units_of(const std::map<std::string, stats::Estimate>& agents) {
  std::size_t low = agents.begin()->second.units;
  std::size_t high = low;
  for (const auto& [agent, e] : agents) {
    low = std::min(low, e.units);
    high = std::max(high, e.units);
  }
  return low == high ? std::to_string(low) : fmt::format("{} to {}", low, high);
}

ReportRow metric_row(const MetricRow& row, const std::set<std::string>& agents) {
  const archive::Metric& m = row.metric;
  std::string title = m.better == "higher" ? "+ " : m.better == "lower" ? "- " : "  ";
  title += m.name;
  if (!row.role.empty()) title += ", " + row.role;
  if (!m.unit.empty()) title += " (" + m.unit + ")";
  double size = 0;
  for (const auto& [agent, e] : row.agents)
    if (const auto shown = in_major_units(e, m.decimals); shown.value)
      size = std::max(size, std::abs(*shown.value));
  const int decimals = m.decimals > 0 ? m.decimals : decimals_for(size);
  ReportRow out;
  out.about = {.role = row.role, .metric = m.name, .unit = m.unit, .better = m.better};
  if (row.of_match) out.about.text = "of the whole match";
  if (zero_for_all(row)) out.where = Where::data;
  out.cells = {title, units_of(row.agents)};
  for (const std::string& agent : agents) {
    const auto at = row.agents.find(agent);
    out.cells.push_back(at == row.agents.end()
                            ? ReportCell(NoFigure{})
                            : figure(in_major_units(at->second, m.decimals), decimals));
  }
  return out;
}

ReportSection metrics_section(const ReportEstimates& report, const GameReport& game,
                              const GameResults& counts) {
  std::set<std::string> agents;
  for (const MetricRow& row : game.metrics)
    for (const auto& [agent, e] : row.agents) agents.insert(agent);
  ReportSection section;
  section.id = "metrics";
  section.title = fmt::format("Metrics of {}: {}, {}", game.game,
                              text::counted(counts.matches, "match", "matches"),
                              text::counted(counts.blocks, "block"));
  section.explanation = fmt::format("Mean and interval; + more is better, - less is better; {}. {}",
                                    kCountsBlocks, each_by_itself());
  section.method = stats::interval_method;
  ReportTable& table = section.tables.emplace_back();
  table.fixed = 2;
  table.about.game = game.game;
  table.columns = {{.header = "metric", .limit = kAgentWidth, .key = true}, units_column()};
  for (const std::string& agent : agents)
    table.columns.push_back(
        {.header = shown_agent(report, agent), .limit = kAgentWidth, .about = {.agent = agent}});
  std::size_t zeros = 0;
  for (const bool of_match : {false, true}) {
    bool first = of_match;
    for (const MetricRow& row : game.metrics) {
      if (row.of_match != of_match) continue;
      ReportRow out = metric_row(row, agents);
      zeros += out.where == Where::data ? 1 : 0;
      if (first && out.where != Where::data) {
        table.rows.push_back(
            {.cells = {"of the whole match:"}, .where = Where::shown, .heading = true});
        first = false;
      }
      table.rows.push_back(std::move(out));
    }
  }
  if (zeros > 0)
    section.remarks.push_back(fmt::format("Not shown: {} that {} 0 for everybody.",
                                          text::counted(zeros, "metric"),
                                          zeros == 1 ? "is" : "are"));
  return section;
}

/// How much stronger an agent is than the one that stands for the reference.
ReportCell less_reference(const GameReport& game, const auto& agent, int decimals) {
  return agent.agent == game.strengths_reference ? ReportCell(NoFigure{"reference"})
                                                 : figure(agent.difference, decimals, true);
}

std::string strengths_words(const GameReport& game) {
  const stats::Strengths& s = *game.strengths;
  std::string words = "Log strengths";
  if (!game.strengths_note.empty()) words += " (" + game.strengths_note + ")";
  words += ", from " + text::counted(s.matches, "match", "matches");
  if (s.left_out > 0) words += fmt::format(" ({} of one agent alone left out)", s.left_out);
  words += s.components > 1
               ? fmt::format(
                     "; {} groups of agents that no match links: strengths (and mu) of "
                     "different groups cannot be compared",
                     s.components)
           : s.strongly_connected
               ? "; everybody finished both at or above and at or below everybody, directly or "
                 "through others"
               : "; some agents only ever won or lost: a small ridge keeps them finite";
  return sentence(words);
}

ReportSection strengths_section(const ReportEstimates& report, const GameReport& game) {
  ReportSection section{.id = "strengths", .title = "Strengths in " + game.game};
  if (!game.strengths) {
    section.explanation = sentence(game.strengths_note);
    return section;
  }
  section.title += ": " + game.strengths_model;
  section.explanation = strengths_words(game);
  section.method = "refits over resampled blocks";
  ReportTable& table = section.tables.emplace_back();
  table.about.game = game.game;
  table.columns = {
      agent_column(),
      number_column("strength", "log_strength"),
      {.header = "vs. " + shown_agent(report, game.strengths_reference),
       .limit = kAgentWidth,
       .about = {.other = game.strengths_reference, .metric = "log_strength_difference"}},
      units_column(),
      data_column("rank"),
      data_column("component")};
  auto order = game.strengths->agents;
  std::ranges::stable_sort(
      order, [](const auto& a, const auto& b) { return a.log_strength > b.log_strength; });
  for (const stats::Strength& agent : order) {
    table.rows.push_back(
        {.about = {.agent = agent.agent},
         .cells = {shown_agent(report, agent.agent), Number{agent.log_strength, 3, true},
                   less_reference(game, agent, 3), whole(agent.difference.units), whole(agent.rank),
                   whole(agent.component)}});
  }
  const stats::Strengths& s = *game.strengths;
  std::vector<std::pair<std::string, ReportCell>> fitted = {
      {"matches", whole(s.matches)},
      {"matches_left_out", whole(s.left_out)},
      {"log_likelihood", Number{s.log_likelihood, 3}},
      {"components", whole(s.components)},
      {"strongly_connected", std::int64_t{s.strongly_connected}},
      {"degenerate_resamples", whole(s.degenerate)}};
  for (std::size_t i = 0; i < s.tie.size(); ++i)
    fitted.emplace_back(fmt::format("tie_of_{}", i + 2), Number{s.tie[i], 3});
  section.tables.push_back(facts("model", {.game = game.game}, fitted));
  return section;
}

ReportSection trueskill_section(const ReportEstimates& report, const GameReport& game) {
  ReportSection section{.id = "trueskill", .title = "TrueSkill in " + game.game};
  if (!game.trueskill) {
    section.explanation = sentence(game.trueskill_note);
    return section;
  }
  section.explanation = "mu and sigma describe a belief, not an interval.";
  if (!game.trueskill_note.empty()) section.explanation += " " + sentence(game.trueskill_note);
  section.method = "refits over resampled blocks";
  const bool compared = std::ranges::any_of(game.trueskill->agents, [&](const auto& rating) {
    return rating.difference.value.has_value();
  });
  ReportTable& table = section.tables.emplace_back();
  table.about.game = game.game;
  table.columns = {agent_column(),
                   number_column("mu", "mu"),
                   number_column("sigma", "sigma"),
                   {.header = "vs. " + shown_agent(report, game.strengths_reference),
                    .limit = kAgentWidth,
                    .about = {.other = game.strengths_reference, .metric = "mu_difference"},
                    .where = compared ? Where::everywhere : Where::data},
                   data_column("mu_spread")};
  auto order = game.trueskill->agents;
  std::ranges::stable_sort(order, [](const auto& a, const auto& b) { return a.mu > b.mu; });
  for (const stats::AgentRating& agent : order) {
    table.rows.push_back(
        {.about = {.agent = agent.agent},
         .cells = {shown_agent(report, agent.agent), Number{agent.mu, 2}, Number{agent.sigma, 2},
                   less_reference(game, agent, 2), Number{agent.mu_spread, 2}}});
  }
  section.tables.push_back(facts("how", {.game = game.game},
                                 {{"matches", whole(game.trueskill->matches)},
                                  {"matches_left_out", whole(game.trueskill->left_out)},
                                  {"resamples", whole(game.trueskill_resamples)},
                                  {"orders", whole(game.trueskill_orders)}}));
  return section;
}

ReportSection pairs_section(const ReportEstimates& report, const GameReport& game,
                            int score_decimals) {
  ReportSection section{.id = "pairs", .title = "Pairs in " + game.game};
  section.explanation = "Who finished above whom, and the mean difference of their scores.";
  section.method = stats::interval_method;
  ReportTable& table = section.tables.emplace_back();
  table.about.game = game.game;
  table.columns = {agent_column(),
                   agent_column("against"),
                   number_column("won", "won"),
                   number_column("tied", "tied"),
                   number_column("lost", "lost"),
                   {.header = "score difference", .about = {.metric = "score_difference"}},
                   units_column(),
                   data_column("meetings")};
  std::size_t statements = 0, differ = 0;
  for (const PairwiseRow& pair : game.pairs) {
    const auto difference = in_major_units(pair.difference, score_decimals);
    const int decimals =
        score_decimals > 0 ? score_decimals : decimals_for(difference.value.value_or(0));
    table.rows.push_back(
        {.about = {.agent = pair.agent, .other = pair.opponent},
         .cells = {shown_agent(report, pair.agent), shown_agent(report, pair.opponent),
                   whole(pair.wins), whole(pair.ties), whole(pair.losses),
                   figure(difference, decimals, true), whole(difference.units),
                   whole(pair.meetings)},
         // Of both orders of a pair people need one only.
         .where = pair.agent > pair.opponent ? Where::data : Where::everywhere});
    if (pair.agent < pair.opponent && difference.interval) {
      ++statements;
      differ += stats::side_of_zero(difference.interval) != 0 ? 1 : 0;
    }
  }
  section.explanation += " " + each_by_itself(statements, report.options.level);
  Plot plot{.name = "pairs",
            .title = "Mean difference of scores, of the agent on the left to the one above.",
            .drawing = Drawing::heat_map,
            .columns = {5}};
  if (statements > 0)
    say_found(plot, fmt::format("In {} of {} one agent scores more, each pair by its own interval.",
                                differ, text::counted(statements, "pair", "pairs")));
  section.plots.push_back(std::move(plot));
  return section;
}

/// "a wins 62% against b (fitted: 48%)".
std::string pair_words(const ReportEstimates& report, const stats::PairFit& pair) {
  return fmt::format("{} wins {}% against {} (fitted: {}%)", shown_agent(report, pair.agent),
                     fixed(100 * pair.observed, 0), shown_agent(report, pair.opponent),
                     fixed(100 * pair.expected, 0));
}

bool refused(const ReportEstimates& report, const std::optional<double>& p_value) {
  return p_value && *p_value <= 1 - report.options.level;
}

/// The pair and the triple that lie furthest from the model.
std::string furthest_words(const ReportEstimates& report, const stats::ModelFit& fit) {
  const stats::PairFit& most = fit.pairs.front();
  std::string words =
      fmt::format(" Furthest from it, ties counted half: {}, p {}",
                  pair_words(report, most.residual < 0 ? stats::turned(most) : most),
                  fixed(most.p_value.value_or(1), 4));
  if (!fit.triple) return words + ".";
  words += fit.triple->cycle ? "; the circle " : "; the three ";
  words += text::joined(fit.triple->steps, ", ",
                        [&](const auto& step) { return pair_words(report, step); });
  return words + ", p " + fixed(fit.triple->p_value.value_or(1), 4) + ".";
}

std::string fit_words(const ReportEstimates& report, const stats::ModelFit& fit) {
  if (fit.note == stats::Note::too_few)
    return fmt::format(
        "Whether one strength an agent says who beats whom: too few blocks, {} of {}.", fit.units,
        stats::kFewestUnits);
  if (!fit.p_value) return "All blocks say the same: there is nothing to test.";
  const bool test = refused(report, fit.p_value);
  std::string all = fmt::format("One strength an agent {} (p {}, {} blocks).",
                                test ? "does NOT say who beats whom" : "agrees with who beats whom",
                                fixed(*fit.p_value, 4), fit.units);
  if (test || refused(report, fit.pairs.front().p_value) ||
      (fit.triple && refused(report, fit.triple->p_value)))
    all += furthest_words(report, fit);
  if (fit.cyclic_share)
    all += fmt::format(" Cyclic part of the log odds: {}, by chance about {}.",
                       fixed(*fit.cyclic_share, 2), fixed(*fit.cyclic_share_by_chance, 2));
  return all;
}

ReportRow pair_row(const ReportEstimates& report, const stats::PairFit& pair) {
  return {.about = {.agent = pair.agent, .other = pair.opponent},
          .cells = {shown_agent(report, pair.agent), shown_agent(report, pair.opponent),
                    Number{pair.meetings, 0}, Number{pair.observed, 3}, Number{pair.expected, 3},
                    Number{pair.residual, 2, true}, number(pair.p_value, 4)},
          // Pairs that agree with the model are many.
          .where = refused(report, pair.p_value) ? Where::everywhere : Where::data};
}

/// Whether the strengths of a game say who beats whom; none where nothing could contradict them.
std::vector<ReportSection> fit_sections(const ReportEstimates& report, const GameReport& game) {
  const stats::ModelFit& fit = game.fit;
  if (fit.cycles == 0) return {};
  ReportSection section{.id = "fit",
                        .title = "Fit of " + game.strengths_model + " in " + game.game};
  section.explanation = fit_words(report, fit);
  section.method = "sign flips of blocks";
  ReportTable& table = section.tables.emplace_back();
  table.about.game = game.game;
  table.columns = {agent_column(),
                   agent_column("against"),
                   number_column("meetings", "meetings"),
                   number_column("won", "won_share"),
                   number_column("fitted", "won_share_fitted"),
                   number_column("residual", "fit_residual"),
                   number_column("unadjusted p", "fit_p")};
  for (const stats::PairFit& pair : fit.pairs) table.rows.push_back(pair_row(report, pair));
  std::vector<std::pair<std::string, ReportCell>> test = {
      {"statistic", Number{fit.statistic, 3}},
      {"cycles", whole(fit.cycles)},
      {"p", number(fit.p_value, 4)},
      {"units", whole(fit.units)},
      {"flips", whole(fit.flips)},
      {"cyclic_share", number(fit.cyclic_share, 3)},
      {"cyclic_share_by_chance", number(fit.cyclic_share_by_chance, 3)},
      {"note", stats::describe(fit.note)}};
  if (fit.triple) {
    const stats::TripleFit& triple = *fit.triple;
    test.insert(test.end(), {{"triple", text::joined(triple.steps, ", ", &stats::PairFit::agent)},
                             {"triple_excess_log_odds", Number{triple.excess, 3}},
                             {"triple_residual", Number{triple.residual, 2}},
                             {"triple_is_cycle", std::int64_t{triple.cycle}},
                             {"triple_p", number(triple.p_value, 4)}});
  }
  section.tables.push_back(facts("test", {.game = game.game}, test));
  return {std::move(section)};
}

}  // namespace

std::vector<ReportSection> game_sections(const ReportEstimates& report) {
  std::vector<ReportSection> sections = {games_section(report)};
  for (std::size_t g = 0; g < report.games.size(); ++g) {
    const GameReport& game = report.games[g];
    const GameResults& counts = report.results.games[g];
    if (!game.metrics.empty()) sections.push_back(metrics_section(report, game, counts));
    sections.push_back(strengths_section(report, game));
    for (ReportSection& section : fit_sections(report, game))
      sections.push_back(std::move(section));
    if (game.trueskill || !game.trueskill_note.empty())
      sections.push_back(trueskill_section(report, game));
    if (!game.pairs.empty()) sections.push_back(pairs_section(report, game, counts.score_decimals));
  }
  return sections;
}

}  // namespace agon::report
