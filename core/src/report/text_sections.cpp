#include "report/text_sections.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "report/numbers.hpp"
#include "report/wide_table.hpp"

namespace agon::report {
namespace {

using text::Align;
using text::Column;

std::string joined(const std::vector<std::string>& names, std::string_view between = ", ") {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : std::string(between)) + name;
  return list;
}

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

std::string effect_cell(const stats::EffectEstimate& estimate) {
  if (!estimate.effect.value) return estimate.confounded_with.empty() ? "-" : "confounded";
  return with_interval(estimate.effect, 3, true) + (estimate.confounded_with.empty() ? "" : " *");
}

std::string design_words(const FactorReport& report) {
  const stats::FactorDesign& design = report.effects.design;
  std::string words = fmt::format("{} agents, ", report.agents);
  words += design.combinations == design.full
               ? "every combination of "
               : fmt::format("{} of the {} combinations of ", design.combinations, design.full);
  bool first = true;
  for (const stats::Factor& factor : design.factors) {
    std::vector<std::string> levels;
    for (const std::string& level : factor.levels) levels.push_back(shown_level(level));
    words += (first ? "" : "; ") + factor.name + " (" + joined(levels) + ")";
    first = false;
  }
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
                      term, joined(effect.confounded_with, " or ")));
    } else if (effect.weights.empty()) {
      say(fmt::format("{} cannot be told: no agents have the combinations that it needs.", term));
    } else if (!effect.confounded_with.empty()) {
      starred = true;
      say(
          fmt::format("* {} holds only if there is no interaction {}: the two cannot be told "
                      "apart.",
                      term, joined(effect.confounded_with, " or ")));
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

Section factor_section(const FactorReport& report, std::size_t width) {
  Section section;
  section.title = "Factors of " + report.family;
  section.explanation =
      design_words(report) +
      " Tables name an agent by its levels, in this order. What a level adds to the normalised "
      "score, over all combinations of the other factors, "
      "paired by block and role; x: how much more (or less) it adds with the other level than "
      "without. p: Holm-adjusted over the column of all games. n: independent blocks at most.";
  if (report.effects.effects.empty()) {
    section.remarks = confounded_words(report);
    return section;
  }
  const bool several = report.games.size() > 1;
  const auto with_n = [&](const std::string& title, const auto& estimate_of) {
    std::size_t most = 0;
    for (const stats::FactorEffect& effect : report.effects.effects)
      most = std::max(most, estimate_of(effect).effect.units);
    return title + ", n=" + std::to_string(most);
  };
  std::vector<Column> columns = {
      {with_n(
          several ? "all games" : joined(report.games),
          [](const stats::FactorEffect& e) -> const auto& { return e.overall; })},
      {"p", Align::right}};
  for (std::size_t g = 0; several && g < report.games.size(); ++g)
    columns.push_back({with_n(
        report.games[g], [g](const stats::FactorEffect& e) -> const auto& { return e.games[g]; })});
  WideTable table({{"effect", Align::left, 60}}, columns);
  for (const stats::FactorEffect& effect : report.effects.effects) {
    std::vector<std::string> cells = {
        effect_words(effect.name), effect_cell(effect.overall),
        effect.overall.holm_p ? fixed(*effect.overall.holm_p, 4) : ""};
    if (several)
      for (const stats::EffectEstimate& game : effect.games) cells.push_back(effect_cell(game));
    table.add(std::move(cells));
  }
  section.body = table.str(2, width);
  section.remarks = confounded_words(report);
  return section;
}

std::string optional_number(const std::optional<double>& value, int decimals) {
  return value ? fixed(*value, decimals) : "-";
}

std::string learning_table(const Report& all, const LearningTable& learning, bool ranks,
                           std::size_t width) {
  const bool compared =
      std::any_of(learning.rows.begin(), learning.rows.end(),
                  [&](const LearningRow& row) { return row.agent == all.options.reference; });
  std::vector<Column> columns;
  for (std::size_t p = 0; p < learning.length; ++p)
    columns.push_back({std::to_string(p + 1), Align::right});
  columns.push_back({"change a match"});
  const bool differences = compared && learning.rows.size() > 1;
  if (differences) columns.push_back({"less " + shown_agent(all, all.options.reference)});
  columns.push_back({"n", Align::right});
  WideTable table({{ranks ? "rank by match" : "score by match", Align::left, agent_width}},
                  columns);
  for (const LearningRow& row : learning.rows) {
    const stats::Estimate& slope = ranks ? row.rank_slope : row.score_slope;
    std::vector<std::string> cells = {shown_agent(all, row.agent)};
    for (const auto& value : ranks ? row.ranks : row.scores)
      cells.push_back(optional_number(value, ranks ? 2 : 3));
    cells.push_back(with_interval(slope, 3, true));
    if (differences)
      cells.push_back(
          row.agent == all.options.reference
              ? "reference"
              : with_interval(ranks ? row.rank_slope_difference : row.score_slope_difference, 3,
                              true));
    cells.push_back(std::to_string(slope.blocks));
    table.add(std::move(cells));
  }
  return table.str(2, width);
}

bool zero_for_all(const RateRow& row) {
  return std::all_of(row.agents.begin(), row.agents.end(),
                     [](const auto& agent) { return agent.second.rate.value.value_or(0) == 0; });
}

/// The rates of one game, a line an agent.
std::string rates_table(const Report& report, const std::vector<const RateRow*>& rows,
                        std::size_t width) {
  std::vector<std::string> agents;
  std::vector<Column> columns;
  for (const RateRow* row : rows) {
    columns.push_back({row->name});
    for (const auto& [agent, cell] : row->agents)
      if (std::find(agents.begin(), agents.end(), agent) == agents.end()) agents.push_back(agent);
  }
  std::sort(agents.begin(), agents.end());
  WideTable table({{rows.front()->game, Align::left, agent_width}}, columns);
  for (const std::string& agent : agents) {
    std::vector<std::string> cells = {shown_agent(report, agent)};
    for (const RateRow* row : rows) {
      const auto at = row->agents.find(agent);
      cells.push_back(at == row->agents.end() ? "-"
                                              : with_interval(at->second.rate, 3) +
                                                    fmt::format(" n={:.0f}", at->second.n));
    }
    table.add(std::move(cells));
  }
  return table.str(2, width);
}

Section rates_section(const Report& report, std::size_t width, bool all) {
  Section section;
  std::vector<std::vector<const RateRow*>> games;
  for (const RateRow& row : report.rates) {
    if (!all && zero_for_all(row)) continue;
    if (games.empty() || games.back().front()->game != row.game) games.emplace_back();
    games.back().push_back(&row);
    section.remarks.push_back(fmt::format("{}: {} ({}).", row.name, row.what, row.source));
  }
  if (games.empty()) return section;
  section.title = "Rates of the papers";
  section.explanation =
      "A sum over a sum, over all seats of the agent; interval over blocks; n: the sum below the "
      "line.";
  for (const auto& rows : games)
    section.body += (section.body.empty() ? "" : "\n") + rates_table(report, rows, width);
  return section;
}

Section plans_section(const Report& report) {
  Section section;
  if (report.plans.empty()) return section;
  section.title = "Do agents follow their plans?";
  section.explanation =
      "Spearman's rank correlation, over items, of the priority given to an item (1 to 3) with the "
      "number of bids for it and with winning it. p takes items for independent, as the paper does "
      "(Chen et al. 2023, section 4); items of one auction are not, so that it is too small.";
  text::Table table({{"agent", Align::left, agent_width},
                     {"priority of"},
                     {"with bids", Align::right},
                     {"p", Align::right},
                     {"with winning", Align::right},
                     {"p", Align::right},
                     {"n", Align::right}});
  const auto p_words = [](const std::optional<double>& p) {
    if (!p) return std::string("-");
    return *p < 0.0001 ? std::string("<0.0001") : fixed(*p, 4);
  };
  const auto rho = [](const std::optional<double>& value) {
    return value ? fixed(*value, 3, true) : std::string("constant");
  };
  bool all = true;
  for (const PlanRow& row : report.plans) {
    table.add({shown_agent(report, row.agent), row.current ? "plan held" : "first plan",
               rho(row.bids.rho), p_words(row.bids.p_value), rho(row.wins.rho),
               p_words(row.wins.p_value), std::to_string(row.n)});
    all = all && row.all;
  }
  section.body = table.str(2);
  if (!all) section.remarks.emplace_back("From the leading matches only, where n is largest.");
  return section;
}

}  // namespace

std::string shown_agent(const Report& report, const std::string& agent) {
  for (const AgentFacts& facts : report.results.facts) {
    if (facts.name != agent || facts.levels.levels.empty()) continue;
    std::string name = facts.levels.family;
    char before = '/';
    for (const auto& [factor, level] : facts.levels.levels) {
      name += before + level;
      before = ',';
    }
    // Two specs of one name are told apart by the end of it.
    const std::size_t mark = agent.rfind('@');
    return mark == std::string::npos ? name : name + agent.substr(mark);
  }
  return agent;
}

std::vector<Section> factor_sections(const Report& report, std::size_t width) {
  std::vector<Section> sections;
  for (const FactorReport& family : report.factors)
    sections.push_back(factor_section(family, width));
  return sections;
}

std::vector<Section> learning_sections(const Report& report, std::size_t width) {
  std::vector<Section> sections;
  for (const LearningTable& table : report.learning) {
    Section& section = sections.emplace_back();
    section.title =
        fmt::format("Learning over {} matches: {}, {}", table.length, table.game, table.label);
    section.explanation =
        "Mean rank and normalised score by place in the sequence. Change: the least-squares slope "
        "over places, with the sequence as the unit (n); a falling rank is an improvement.";
    section.body = learning_table(report, table, true, width);
    const bool scored = std::any_of(table.rows.begin(), table.rows.end(), [](const auto& row) {
      return row.score_slope.value.has_value();
    });
    if (scored) section.body += '\n' + learning_table(report, table, false, width);
  }
  return sections;
}

std::vector<Section> paper_sections(const Report& report, std::size_t width, bool all) {
  std::vector<Section> sections;
  sections.push_back(rates_section(report, width, all));
  sections.push_back(plans_section(report));
  std::erase_if(sections, [](const Section& section) { return section.title.empty(); });
  return sections;
}

}  // namespace agon::report
