#include <fmt/format.h>

#include "report/numbers.hpp"
#include "report/sections.hpp"

namespace agon::report {
namespace {

/// "a wins 62% against b (fitted: 48%)".
std::string pair_words(const Report& report, const stats::PairFit& pair) {
  return fmt::format("{} wins {}% against {} (fitted: {}%)", shown_agent(report, pair.agent),
                     fixed(100 * pair.observed, 0), shown_agent(report, pair.opponent),
                     fixed(100 * pair.expected, 0));
}

bool refused(const Report& report, const std::optional<double>& p_value) {
  return p_value && *p_value <= 1 - report.options.level;
}

/// The pair and the triple that lie furthest from the model.
std::string furthest_words(const Report& report, const stats::ModelFit& fit) {
  const stats::PairFit& most = fit.pairs.front();
  std::string words =
      fmt::format(" Furthest from it, ties counted half: {}, p {}",
                  pair_words(report, most.residual < 0 ? stats::turned(most) : most),
                  fixed(most.p_value.value_or(1), 4));
  if (!fit.triple) return words + ".";
  words += fit.triple->cycle ? "; the circle " : "; the three ";
  for (std::size_t i = 0; i < fit.triple->steps.size(); ++i)
    words += (i > 0 ? ", " : "") + pair_words(report, fit.triple->steps[i]);
  return words + ", p " + fixed(fit.triple->p_value.value_or(1), 4) + ".";
}

std::string words(const Report& report, const stats::ModelFit& fit) {
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

Row pair_row(const Report& report, const stats::PairFit& pair) {
  return {.about = {.agent = pair.agent, .other = pair.opponent},
          .cells = {shown_agent(report, pair.agent), shown_agent(report, pair.opponent),
                    Number{pair.meetings, 0}, Number{pair.observed, 3}, Number{pair.expected, 3},
                    Number{pair.residual, 2, true}, number(pair.p_value, 4)},
          // Pairs that agree with the model are many.
          .where = refused(report, pair.p_value) ? Where::everywhere : Where::data};
}

}  // namespace

std::vector<Section> fit_sections(const Report& report, const GameReport& game) {
  const stats::ModelFit& fit = game.fit;
  if (fit.cycles == 0) return {};
  Section section;
  section.id = "fit";
  section.title = "Fit of " + game.strengths_model + " in " + game.game;
  section.explanation = words(report, fit);
  section.method = "sign flips of blocks";
  Table& table = section.tables.emplace_back();
  table.about.game = game.game;
  table.columns = {agent_column(),
                   agent_column("against"),
                   number_column("meetings", "meetings"),
                   number_column("won", "won_share"),
                   number_column("fitted", "won_share_fitted"),
                   number_column("residual", "fit_residual"),
                   number_column("unadjusted p", "fit_p")};
  for (const stats::PairFit& pair : fit.pairs) table.rows.push_back(pair_row(report, pair));
  std::vector<std::pair<std::string, Cell>> test = {
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
    std::string agents;
    for (const stats::PairFit& step : triple.steps)
      agents += (agents.empty() ? "" : ", ") + step.agent;
    test.insert(test.end(), {{"triple", agents},
                             {"triple_excess_log_odds", Number{triple.excess, 3}},
                             {"triple_residual", Number{triple.residual, 2}},
                             {"triple_is_cycle", std::int64_t{triple.cycle}},
                             {"triple_p", number(triple.p_value, 4)}});
  }
  section.tables.push_back(facts("test", {.game = game.game}, test));
  return {std::move(section)};
}

}  // namespace agon::report
