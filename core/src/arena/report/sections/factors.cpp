#include "stats/factors.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "report/estimates.hpp"
#include "report/sections/sections.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

/// What the parts of one family of agents do to their scores.
struct FamilyEffects {
  std::string family;
  std::size_t agents = 0;
  std::vector<std::string> games;
  stats::FactorEffects effects;
};

std::string shown_level(const std::string& level) {
  return level.empty() ? "(none)" : level;
}

/// "memory: notebook less whole"; "memory notebook x planning static" for an interaction.
std::string effect_words(const stats::EffectName& name) {
  if (name.factors.size() == 1)
    return name.factors[0] + ": " + shown_level(name.levels[0]) + " less " +
           shown_level(name.bases[0]);
  std::string words;
  for (std::size_t i = 0; i < name.factors.size(); ++i)
    words += (i > 0 ? " x " : "") + name.factors[i] + " " + shown_level(name.levels[i]);
  return words;
}

ReportCell effect_cell(const stats::EffectEstimate& estimate) {
  Estimated figure{.estimate = estimate.effect,
                   .sign = true,
                   .together = estimate.simultaneous,
                   .p_adjusted = estimate.simultaneous_p};
  if (!estimate.confounded_with.empty())
    (estimate.effect.value ? figure.mark : figure.instead) =
        estimate.effect.value ? "*" : "confounded";
  return figure;
}

std::string design_words(const FamilyEffects& report) {
  const stats::FactorDesign& design = report.effects.design;
  std::string words = fmt::format("{} agents, ", report.agents);
  words += design.combinations == design.full
               ? "every combination of "
               : fmt::format("{} of the {} combinations of ", design.combinations, design.full);
  words += text::joined(design.factors, "; ", [](const stats::Factor& factor) {
    return factor.name + " (" + text::joined(factor.levels, ", ", shown_level) + ")";
  });
  return words + ".";
}

/// What the design cannot tell, in sentences.
std::vector<std::string> confounded_words(const FamilyEffects& report) {
  std::vector<std::string> remarks;
  bool starred = false;
  const auto say = [&](std::string words) {
    if (std::ranges::find(remarks, words) == remarks.end()) remarks.push_back(std::move(words));
  };
  for (const stats::DesignEffect& effect : report.effects.design.effects) {
    const std::string term = stats::term_name(effect.name);
    if (effect.weights.empty() && !effect.confounded_with.empty()) {
      say(
          fmt::format("CONFOUNDED: {} was not varied independently of {}: their effects cannot be "
                      "told apart.",
                      term, fmt::join(effect.confounded_with, " or ")));
    } else if (effect.weights.empty()) {
      say(fmt::format("{} cannot be told: no agents have the combinations that it needs.", term));
    } else if (!effect.confounded_with.empty()) {
      starred = true;
      say(
          fmt::format("* {} holds only if there is no interaction {}: the two cannot be told "
                      "apart.",
                      term, fmt::join(effect.confounded_with, " or ")));
    }
  }
  for (const stats::FactorEffect& effect : report.effects.effects)
    for (std::size_t g = 0; g < report.games.size(); ++g)
      if (!starred && effect.games[g].effect.value && !effect.games[g].confounded_with.empty()) {
        starred = true;
        remarks.emplace_back(
            "* Not all agents played this game: the effect holds only without interactions.");
      }
  for (const stats::Factor& factor : report.effects.design.constant)
    remarks.push_back(fmt::format("{} is {} for all of them: it has no effect to estimate.",
                                  factor.name, shown_level(factor.levels.front())));
  return remarks;
}

/// Who the agents of a family are, for programs: levels by factor.
ReportTable design_table(const FamilyEffects& report) {
  const stats::FactorDesign& design = report.effects.design;
  std::vector<std::pair<std::string, ReportCell>> list = {
      {"agents", whole(report.agents)},
      {"combinations", whole(design.combinations)},
      {"combinations_of_a_full_design", whole(design.full)}};
  for (const auto* factors : {&design.factors, &design.constant})
    for (const stats::Factor& factor : *factors)
      list.emplace_back("levels of " + factor.name, text::joined(factor.levels));
  return facts("design", {.agent = report.family}, list);
}

ReportSection factor_section(const ReportEstimates& whole_report, const FamilyEffects& report) {
  ReportSection section{.id = "factors", .title = "Factors of " + report.family};
  section.explanation =
      design_words(report) +
      " Tables name an agent by its levels, in this order. What a level adds to the normalised "
      "score, over all combinations of the other factors, "
      "paired by block and role; x: how much more (or less) it adds with the other level than "
      "without. p: for all effects over all games at once, as the simultaneous intervals. " +
      std::string(kCountsBlocks) + ", at most.";
  section.method = stats::interval_method;
  section.remarks = confounded_words(report);
  section.tables = {design_table(report)};
  if (report.effects.effects.empty()) return section;
  const bool several = report.games.size() > 1;
  ReportTable& table = section.tables.emplace_back();
  table.fixed = 1;
  table.about.agent = report.family;
  const std::string all = several ? "all games" : text::joined(report.games);
  table.columns = {{.header = "effect", .limit = 60, .key = true},
                   {.header = all, .about = {.game = several ? "" : all}, .units_in_head = true},
                   {.header = "adj. p", .align = text::Align::right, .where = Where::shown}};
  for (const std::string& game : report.games)
    if (several)
      table.columns.push_back({.header = game, .about = {.game = game}, .units_in_head = true});
  if (several) add_widest_columns(table);
  std::vector<std::pair<std::string, std::optional<stats::WidestGame>>> wide;
  Sides sides;
  for (std::size_t e = 0; e < report.effects.effects.size(); ++e) {
    const stats::FactorEffect& effect = report.effects.effects[e];
    const auto& confounded = report.effects.design.effects[e].confounded_with;
    ReportRow& row = table.rows.emplace_back();
    row.about.metric = stats::describe(effect.name);
    if (!confounded.empty()) row.about.text = "confounded with " + text::joined(confounded, " or ");
    row.cells = {effect_words(effect.name), effect_cell(effect.overall),
                 number(effect.overall.simultaneous_p, 4)};
    if (!effect.overall.simultaneous_p) row.cells.back() = NoFigure{""};
    for (const stats::EffectEstimate& game : effect.games)
      if (several) row.cells.push_back(effect_cell(game));
    if (several) add_widest_cells(row, report.games, effect.widest);
    wide.emplace_back(effect_words(effect.name), effect.widest);
    sides.add("'" + effect_words(effect.name) + "'", effect.overall.simultaneous);
  }
  for (std::string& words : widest_words(whole_report, report.games, wide))
    section.remarks.push_back(std::move(words));
  Plot plot{.name = "effects",
            .title =
                "Main effects and interactions, each alone (thick) and all simultaneously "
                "(thin).",
            .table = section.tables.size() - 1,
            .columns = {1},
            .unit = "change of the normalised score",
            .line = 0};
  say_found(plot, sides.words({"above 0", "below 0", "not told apart from 0", "", "", "effects"}));
  section.plots.push_back(std::move(plot));
  return section;
}

}  // namespace

std::vector<ReportSection> factor_sections(const ReportEstimates& report) {
  const Results& results = report.results;
  // Agents in the order of the suite, so that a factor's first level is the one written first.
  std::vector<const AgentFacts*> order;
  for (const AgentFacts& agent : results.facts)
    if (!agent.levels.levels.empty()) order.push_back(&agent);
  std::ranges::stable_sort(
      order, [](const AgentFacts* a, const AgentFacts* b) { return a->row < b->row; });
  std::map<std::string, std::vector<stats::FactorAgent>> families;
  for (const AgentFacts* agent : order)
    families[agent->levels.family + agent->apart].push_back({agent->name, agent->levels.levels});
  if (families.empty()) return {};
  const stats::ScoreTable table = score_table(results, counting(results.policy));
  std::vector<ReportSection> sections;
  for (const auto& [family, agents] : families) {
    if (agents.size() < 2) continue;
    sections.push_back(factor_section(
        report,
        {family, agents.size(), table.games(),
         stats::factor_effects(table, agents, report.options.intervals(report.options.resamples),
                               report.options.aggregate)}));
  }
  return sections;
}

}  // namespace agon::report
