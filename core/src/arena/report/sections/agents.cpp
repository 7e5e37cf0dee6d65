#include <fmt/format.h>

#include <algorithm>

#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using text::Align;

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

std::string design_words(const FactorReport& report) {
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
std::vector<std::string> confounded_words(const FactorReport& report) {
  std::vector<std::string> remarks;
  bool starred = false;
  std::vector<std::string> said;
  const auto say = [&](std::string words) {
    if (std::find(said.begin(), said.end(), words) != said.end()) return;
    said.push_back(words);
    remarks.push_back(std::move(words));
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
ReportTable design_table(const FactorReport& report) {
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

ReportSection factor_section(const ReportEstimates& whole_report, const FactorReport& report) {
  ReportSection section;
  section.id = "factors";
  section.title = "Factors of " + report.family;
  section.explanation =
      design_words(report) +
      " Tables name an agent by its levels, in this order. What a level adds to the normalised "
      "score, over all combinations of the other factors, "
      "paired by block and role; x: how much more (or less) it adds with the other level than "
      "without. p: for all effects over all games at once, as the simultaneous intervals. n: "
      "independent blocks at most.";
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
                   {.header = "adjusted p", .align = Align::right, .where = Where::shown}};
  for (const std::string& game : report.games)
    if (several)
      table.columns.push_back({.header = game, .about = {.game = game}, .units_in_head = true});
  if (several) add_widest_columns(table);
  std::vector<std::pair<std::string, std::optional<stats::WidestGame>>> wide;
  for (std::size_t e = 0; e < report.effects.effects.size(); ++e) {
    const stats::FactorEffect& effect = report.effects.effects[e];
    const auto& confounded = report.effects.design.effects[e].confounded_with;
    ReportRow& row = table.rows.emplace_back();
    row.about.metric = stats::describe(effect.name);
    if (!confounded.empty()) row.about.text = "confounded with " + text::joined(confounded, " or ");
    row.cells = {effect_words(effect.name), effect_cell(effect.overall),
                 number(effect.overall.simultaneous_p, 4)};
    if (!effect.overall.simultaneous_p) row.cells.back() = Missing{""};
    for (const stats::EffectEstimate& game : effect.games)
      if (several) row.cells.push_back(effect_cell(game));
    if (several) add_widest_cells(row, report.games, effect.widest);
    wide.emplace_back(effect_words(effect.name), effect.widest);
  }
  for (std::string& words : widest_words(whole_report, report.games, wide))
    section.remarks.push_back(std::move(words));
  section.plots.push_back({.name = "effects",
                           .title = "Effects of parts, and how they act together",
                           .table = section.tables.size() - 1,
                           .columns = {1},
                           .unit = "change of the normalised score",
                           .line = 0});
  return section;
}

ReportTable learning_table(const ReportEstimates& all, const LearningTable& learning, bool ranks) {
  const std::string& reference = all.options.reference;
  const bool compared = learning.rows.size() > 1 &&
                        std::any_of(learning.rows.begin(), learning.rows.end(),
                                    [&](const LearningRow& row) { return row.agent == reference; });
  const std::string metric = ranks ? "rank" : "score";
  ReportTable table;
  table.title = metric;
  table.about = {.game = learning.game, .treatment = learning.label, .metric = metric};
  table.fixed = 1;
  table.columns = {agent_column(metric + " by match")};
  for (std::size_t p = 1; p <= learning.length; ++p)
    table.columns.push_back({.header = std::to_string(p),
                             .align = Align::right,
                             .about = {.position = static_cast<double>(p)}});
  table.columns.push_back({.header = "change a match", .about = {.metric = metric + "_slope"}});
  if (compared)
    table.columns.push_back(
        {.header = "less " + shown_agent(all, reference),
         .about = {.other = reference, .metric = metric + "_slope_difference"}});
  table.columns.push_back({.header = "n", .align = Align::right, .where = Where::shown});
  for (const LearningRow& row : learning.rows) {
    const stats::Estimate& slope = ranks ? row.rank_slope : row.score_slope;
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells = {shown_agent(all, row.agent)};
    for (const auto& value : ranks ? row.ranks : row.scores)
      out.cells.push_back(number(value, ranks ? 2 : 3));
    out.cells.push_back(figure(slope, 3, true));
    if (compared) {
      const auto& difference = ranks ? row.rank_slope_difference : row.score_slope_difference;
      out.cells.push_back(row.agent == reference ? ReportCell(Missing{"reference"})
                                                 : figure(difference, 3, true));
    }
    out.cells.push_back(whole(slope.blocks));
  }
  return table;
}

/// The same as curves; n: sequences, as for the slope.
void add_learning_curves(ReportSection& section, const LearningTable& learning, bool ranks) {
  const std::string metric = ranks ? "rank" : "score";
  for (const LearningRow& row : learning.rows) {
    PlotSeries& series = section.series.emplace_back();
    series.name = metric + " of " + row.agent;
    series.about = {
        .game = learning.game, .treatment = learning.label, .agent = row.agent, .metric = metric};
    series.x = {"match"};
    series.y = {"mean " + std::string(ranks ? "rank" : "normalised score")};
    series.tabled = true;
    const auto& values = ranks ? row.ranks : row.scores;
    for (std::size_t p = 0; p < values.size(); ++p) {
      Estimated figure;
      figure.estimate.value = values[p];
      figure.estimate.units = (ranks ? row.rank_slope : row.score_slope).units;
      figure.estimate.note = stats::Note::none;
      series.points.push_back({static_cast<double>(p + 1), std::move(figure)});
    }
  }
}

/// The curves from `first` on.
Plot learning_plot(const ReportSection& section, std::size_t first, const std::string& metric) {
  Plot plot{.name = metric,
            .title = "Mean " + metric + " by place in the sequence",
            .drawing = Drawing::curves};
  for (std::size_t s = first; s < section.series.size(); ++s) plot.columns.push_back(s);
  return plot;
}

bool zero_for_all(const RateRow& row) {
  return std::all_of(row.agents.begin(), row.agents.end(),
                     [](const auto& agent) { return agent.second.rate.value.value_or(0) == 0; });
}

/// The rates of one game, a line an agent.
ReportTable rates_table(const ReportEstimates& report, const std::vector<const RateRow*>& rows,
                        bool all) {
  ReportTable table;
  table.title = rows.front()->game;
  table.about.game = rows.front()->game;
  table.fixed = 1;
  table.columns = {agent_column(rows.front()->game)};
  std::vector<std::string> agents;
  for (const RateRow* row : rows) {
    table.columns.push_back(
        {.header = row->name,
         .about = {.metric = row->name, .text = row->what + " (" + row->source + ")"},
         .where = all || !zero_for_all(*row) ? Where::everywhere : Where::data});
    for (const auto& [agent, cell] : row->agents)
      if (std::find(agents.begin(), agents.end(), agent) == agents.end()) agents.push_back(agent);
  }
  std::sort(agents.begin(), agents.end());
  for (const std::string& agent : agents) {
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = agent;
    out.cells = {shown_agent(report, agent)};
    for (const RateRow* row : rows) {
      const auto at = row->agents.find(agent);
      out.cells.push_back(at == row->agents.end()
                              ? ReportCell(Missing{})
                              : Estimated{.estimate = at->second.rate, .out_of = at->second.n});
    }
  }
  return table;
}

ReportSection rates_section(const ReportEstimates& report, bool all) {
  ReportSection section;
  section.id = "rates";
  section.title = "Rates of the papers";
  section.explanation =
      "A sum over a sum, over all seats of the agent; interval over blocks; n: the sum below the "
      "line.";
  section.method = stats::interval_method;
  std::vector<std::vector<const RateRow*>> games;
  bool shown = false;
  for (const RateRow& row : report.rates) {
    if (games.empty() || games.back().front()->game != row.game) games.emplace_back();
    games.back().push_back(&row);
    if (!all && zero_for_all(row)) continue;
    shown = true;
    if (!row.what.empty() || !row.source.empty())
      section.remarks.push_back(row.name + (row.what.empty() ? "" : ": " + row.what) +
                                (row.source.empty() ? "" : " (" + row.source + ")") + ".");
  }
  if (!shown) section.where = Where::data;
  for (const auto& rows : games) section.tables.push_back(rates_table(report, rows, all));
  return section;
}

}  // namespace

std::string shown_agent(const ReportEstimates& report, const std::string& agent) {
  for (const AgentFacts& facts : report.results.facts)
    if (facts.name == agent) return facts.shown;
  return agent;
}

std::vector<ReportSection> factor_sections(const ReportEstimates& report) {
  std::vector<ReportSection> sections;
  for (const FactorReport& family : report.factors)
    sections.push_back(factor_section(report, family));
  return sections;
}

namespace {

std::size_t slopes_with_intervals(const LearningTable& learning) {
  std::size_t count = 0;
  for (const LearningRow& row : learning.rows)
    for (const stats::Estimate* slope : {&row.rank_slope, &row.rank_slope_difference,
                                         &row.score_slope, &row.score_slope_difference})
      count += slope->interval ? 1 : 0;
  return count;
}

}  // namespace

std::vector<ReportSection> learning_sections(const ReportEstimates& report) {
  std::vector<ReportSection> sections;
  for (const LearningTable& learning : report.learning) {
    ReportSection& section = sections.emplace_back();
    section.id = "learning";
    section.title = fmt::format("Learning over {} matches: {}, {}", learning.length, learning.game,
                                learning.label);
    section.explanation =
        "Mean rank and normalised score by place in the sequence. Change: the least-squares slope "
        "over places, with the sequence as the unit (n); a falling rank is an improvement. " +
        each_by_itself(slopes_with_intervals(learning), report.options.level);
    section.method = stats::interval_method;
    section.tables = {learning_table(report, learning, true)};
    add_learning_curves(section, learning, true);
    section.plots.push_back(learning_plot(section, 0, "rank"));
    if (std::none_of(learning.rows.begin(), learning.rows.end(),
                     [](const auto& row) { return row.score_slope.value.has_value(); }))
      continue;
    section.tables.push_back(learning_table(report, learning, false));
    const std::size_t ranked = section.series.size();
    add_learning_curves(section, learning, false);
    section.plots.push_back(learning_plot(section, ranked, "score"));
  }
  return sections;
}

std::vector<ReportSection> paper_sections(const ReportEstimates& report, bool all) {
  std::vector<ReportSection> sections = {rates_section(report, all)};
  std::erase_if(sections, [](const ReportSection& section) { return section.tables.empty(); });
  return sections;
}

}  // namespace agon::report
