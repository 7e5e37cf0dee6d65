#include "stats/factors.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <optional>
#include <set>

#include "stats/statistics.hpp"
#include "text/words.hpp"

namespace agon::stats {
namespace {

using ExactNumber = boost::multiprecision::cpp_rational;
using ExactRow = std::vector<ExactNumber>;

/// A term of the model: nothing (the mean), one factor or two; places in FactorDesign::factors.
using Term = std::vector<std::size_t>;

/// The weights of an effect, if the model can tell it.
using EffectWeights = std::optional<std::vector<double>>;

/// levels[i] of the term's factor i minus its base.
struct LevelContrast {
  Term term;
  std::vector<std::size_t> levels;
};

/// Level l of k in sum-to-zero coding, column c of k - 1: the last level is minus all others.
int code(std::size_t level, std::size_t column, std::size_t levels) {
  if (level + 1 == levels) return -1;
  return level == column ? 1 : 0;
}

/// Columns of a term for one combination of levels.
void append_columns(const Term& term, const std::vector<Factor>& factors,
                    const std::vector<std::size_t>& levels, std::vector<int>& out) {
  std::vector<int> columns = {1};
  for (const std::size_t f : term) {
    const std::size_t k = factors[f].levels.size();
    std::vector<int> product;
    for (const int before : columns)
      for (std::size_t c = 0; c + 1 < k; ++c) product.push_back(before * code(levels[f], c, k));
    columns = std::move(product);
  }
  out.insert(out.end(), columns.begin(), columns.end());
}

class Designer {
 public:
  explicit Designer(std::span<const FactorAgent> agents) {
    for (const FactorAgent& agent : agents)
      for (const auto& [name, level] : agent.levels) {
        if (std::ranges::none_of(all_,
                                 [&wanted = name](const Factor& f) { return f.name == wanted; }))
          all_.push_back({name, {}});
      }
    for (const FactorAgent& agent : agents)
      for (Factor& factor : all_) {
        const std::string level = level_of(agent, factor.name);
        if (std::ranges::find(factor.levels, level) == factor.levels.end())
          factor.levels.push_back(level);
      }
    for (const Factor& factor : all_)
      (factor.levels.size() > 1 ? out_.factors : out_.constant).push_back(factor);
    out_.full = 1;
    for (const Factor& factor : out_.factors) out_.full *= factor.levels.size();
    std::set<std::vector<std::size_t>> seen;
    for (const FactorAgent& agent : agents) {
      std::vector<std::size_t> levels;
      for (const Factor& factor : out_.factors) {
        const auto at = std::ranges::find(factor.levels, level_of(agent, factor.name));
        levels.push_back(static_cast<std::size_t>(at - factor.levels.begin()));
      }
      seen.insert(levels);
      agents_.push_back(std::move(levels));
    }
    out_.combinations = seen.size();
  }

  FactorDesign go() {
    const std::size_t n = out_.factors.size();
    main_ = {{}};
    for (std::size_t f = 0; f < n; ++f) main_.push_back({f});
    pairs_ = main_;
    for (std::size_t f = 0; f < n; ++f)
      for (std::size_t g = f + 1; g < n; ++g) pairs_.push_back({f, g});
    for (std::size_t t = 1; t < pairs_.size(); ++t) add_contrasts(pairs_[t]);
    for (std::size_t e = 0; e < contrasts_.size(); ++e) judge(e, out_.effects[e]);
    return std::move(out_);
  }

 private:
  static std::string level_of(const FactorAgent& agent, const std::string& factor) {
    for (const auto& [name, level] : agent.levels)
      if (name == factor) return level;
    return {};
  }

  /// Every combination of levels of the term's factors, the bases left out.
  void add_contrasts(const Term& term) {
    std::vector<std::size_t> levels(term.size(), 1);
    for (;;) {
      DesignEffect effect;
      for (std::size_t i = 0; i < term.size(); ++i) {
        const Factor& factor = out_.factors[term[i]];
        effect.name.factors.push_back(factor.name);
        effect.name.levels.push_back(factor.levels[levels[i]]);
        effect.name.bases.push_back(factor.levels.front());
      }
      out_.effects.push_back(std::move(effect));
      contrasts_.push_back({term, levels});
      std::size_t at = term.size();
      while (at > 0 && levels[at - 1] + 1 == out_.factors[term[at - 1]].levels.size()) {
        levels[at - 1] = 1;
        --at;
      }
      if (at == 0) return;
      ++levels[at - 1];
    }
  }

  void judge(std::size_t e, DesignEffect& effect) {
    const Term& term = contrasts_[e].term;
    if (const EffectWeights& all = solved(pairs_)[e]) {
      effect.weights = *all;
      return;
    }
    const bool single = term.size() == 1;
    if (single)
      if (const EffectWeights& alone = solved(main_)[e]) effect.weights = *alone;
    // Without weights a main effect is mixed up with other main effects: those are the news.
    const std::vector<Term>& model = single && effect.weights.empty() ? main_ : pairs_;
    for (std::size_t t = 1; t < model.size(); ++t) {
      if (!can_be_blamed(model[t], term, effect)) continue;
      std::vector<Term> without = model;
      without.erase(without.begin() + static_cast<std::ptrdiff_t>(t));
      if (solved(without)[e]) effect.confounded_with.push_back(name_of(model[t]));
    }
    if (!effect.confounded_with.empty() || effect.weights.empty()) return;
    // No single term is to blame: every interaction that it cannot be told apart from.
    for (std::size_t t = main_.size(); t < pairs_.size(); ++t) {
      std::vector<Term> with = main_;
      with.push_back(pairs_[t]);
      if (!solved(with)[e]) effect.confounded_with.push_back(name_of(pairs_[t]));
    }
    if (effect.confounded_with.empty()) effect.confounded_with.emplace_back("the interactions");
  }

  /// A main effect that a model without interactions tells can only be mixed up with interactions;
  /// and no interaction with the main effects that it is made of.
  static bool can_be_blamed(const Term& other, const Term& term, const DesignEffect& effect) {
    if (other == term) return false;
    if (term.size() == 1) return effect.weights.empty() || other.size() > 1;
    return other.size() > 1 || (other[0] != term[0] && other[0] != term[1]);
  }

  [[nodiscard]] std::string name_of(const Term& term) const {
    return text::joined(term, " x ", [&](std::size_t f) { return out_.factors[f].name; });
  }

  /// The function of the coefficients that a contrast is: level minus base, products for pairs.
  [[nodiscard]] std::vector<int> target(const LevelContrast& contrast,
                                        const std::vector<Term>& model) const {
    std::vector<int> all;
    for (const Term& other : model) {
      const bool own = other == contrast.term;
      std::vector<int> columns = {1};
      for (std::size_t i = 0; i < other.size(); ++i) {
        const std::size_t k = out_.factors[other[i]].levels.size();
        std::vector<int> product;
        for (const int before : columns)
          for (std::size_t c = 0; c + 1 < k; ++c)
            product.push_back(before * (own ? code(contrast.levels[i], c, k) - code(0, c, k) : 0));
        columns = std::move(product);
      }
      if (other.empty()) columns = {0};
      all.insert(all.end(), columns.begin(), columns.end());
    }
    return all;
  }

  /// w = X u with X'X u = c for every contrast c: the least-squares weights of c'beta; nothing
  /// where c is not in the row space of X.
  const std::vector<EffectWeights>& solved(const std::vector<Term>& model) {
    const auto [entry, added] = solved_.try_emplace(model);
    if (!added) return entry->second;
    std::vector<std::vector<int>> x;
    for (const auto& agent : agents_) {
      x.emplace_back();
      for (const Term& term : model) append_columns(term, out_.factors, agent, x.back());
    }
    const std::size_t width = x.empty() ? 0 : x.front().size();
    std::vector<ExactRow> system(width, ExactRow(width + contrasts_.size()));
    for (std::size_t i = 0; i < width; ++i)
      for (std::size_t j = 0; j < width; ++j) {
        int sum = 0;
        for (const auto& row : x) sum += row[i] * row[j];
        system[i][j] = sum;
      }
    for (std::size_t e = 0; e < contrasts_.size(); ++e) {
      const std::vector<int> c = target(contrasts_[e], model);
      for (std::size_t i = 0; i < width; ++i) system[i][width + e] = c[i];
    }
    const std::vector<std::size_t> pivots = reduce(system, width);
    for (std::size_t e = 0; e < contrasts_.size(); ++e) {
      const bool known =
          std::ranges::find(model, contrasts_[e].term) != model.end() &&
          std::all_of(system.begin() + static_cast<std::ptrdiff_t>(pivots.size()), system.end(),
                      [&](const ExactRow& row) { return row[width + e] == 0; });
      entry->second.emplace_back();
      if (!known) continue;
      std::vector<double>& weights = entry->second.back().emplace();
      for (const auto& row : x) {
        ExactNumber sum = 0;
        for (std::size_t i = 0; i < pivots.size(); ++i)
          sum += system[i][width + e] * row[pivots[i]];
        weights.push_back(sum.convert_to<double>());
      }
    }
    return entry->second;
  }

  /// Gauss and Jordan over the first `width` columns; gives the column of each leading row.
  static std::vector<std::size_t> reduce(std::vector<ExactRow>& system, std::size_t width) {
    std::vector<std::size_t> pivots;
    for (std::size_t column = 0; column < width; ++column) {
      const std::size_t at = pivots.size();
      std::size_t row = at;
      while (row < system.size() && system[row][column] == 0) ++row;
      if (row == system.size()) continue;
      std::swap(system[at], system[row]);
      const ExactNumber lead = system[at][column];
      for (ExactNumber& value : system[at])
        if (value != 0) value /= lead;
      for (std::size_t i = 0; i < system.size(); ++i) {
        if (i == at || system[i][column] == 0) continue;
        const ExactNumber times = system[i][column];
        for (std::size_t j = column; j < system[i].size(); ++j)
          if (system[at][j] != 0) system[i][j] -= times * system[at][j];
      }
      pivots.push_back(column);
    }
    return pivots;
  }

  std::vector<Factor> all_;
  std::vector<std::vector<std::size_t>> agents_;  ///< level of each factor of out_.factors
  std::vector<Term> main_;                        ///< the model without interactions
  std::vector<Term> pairs_;                       ///< the model with them
  std::vector<LevelContrast> contrasts_;          ///< by effect
  std::map<std::vector<Term>, std::vector<EffectWeights>> solved_;  ///< by model
  FactorDesign out_;
};

}  // namespace

FactorDesign factor_design(std::span<const FactorAgent> agents) {
  return Designer(agents).go();
}

std::string term_name(const EffectName& name) {
  return text::joined(name.factors, " x ");
}

std::string describe(const EffectName& name) {
  std::string text;
  const auto shown = [](const std::string& level) { return level.empty() ? "(none)" : level; };
  for (std::size_t i = 0; i < name.factors.size(); ++i) {
    if (i > 0) text += " x ";
    text += name.factors[i] + ": " + shown(name.levels[i]) + " less " + shown(name.bases[i]);
  }
  return text;
}

namespace {

/// The agents of a game that have results in it.
std::vector<FactorAgent> players(const ScoreTable& table, std::size_t game,
                                 std::span<const FactorAgent> agents) {
  std::vector<FactorAgent> out;
  for (const FactorAgent& agent : agents)
    if (!table.score_cell(game, table.agent_index(agent.agent)).terms.empty()) out.push_back(agent);
  return out;
}

const DesignEffect* find(const FactorDesign& design, const EffectName& name) {
  for (const DesignEffect& effect : design.effects)
    if (effect.name.factors == name.factors && effect.name.levels == name.levels &&
        effect.name.bases == name.bases)
      return &effect;
  return nullptr;
}

/// What holds for one column of effects at once. contrast[i] is absent where targets[i] was not
/// estimated.
void finish(const ContrastEstimates& all, const std::vector<std::optional<std::size_t>>& contrast,
            const std::vector<EffectEstimate*>& targets) {
  std::vector<std::size_t> family;
  std::vector<EffectEstimate*> members;
  for (std::size_t i = 0; i < targets.size(); ++i) {
    if (!contrast[i]) continue;
    targets[i]->effect = all.estimates()[*contrast[i]];
    family.push_back(*contrast[i]);
    members.push_back(targets[i]);
  }
  const auto together = all.jointly(family);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i]->simultaneous = together[i].interval;
    members[i]->simultaneous_p = together[i].p_value;
  }
}

}  // namespace

StratumCell effect_cell(const ScoreTable& table, std::size_t game,
                        std::span<const FactorAgent> agents, const std::vector<double>& weights) {
  std::vector<std::size_t> places;
  std::vector<double> parts;
  for (std::size_t a = 0; a < agents.size(); ++a) {
    if (weights[a] == 0) continue;
    places.push_back(table.agent_index(agents[a].agent));
    parts.push_back(weights[a]);
  }
  return table.contrast_cell(game, places, parts);
}

namespace {

/// The contrasts of effects, by game and over all of them.
struct EffectContrasts {
  const ScoreTable& table;
  std::optional<ScoreTable> alike;  ///< what is averaged over games, where it is not the scores
  std::vector<std::vector<FactorAgent>> who;  ///< plays a game
  std::vector<FactorDesign> designs;          ///< by game
  ContrastProblem problem;
  std::vector<std::vector<std::optional<std::size_t>>> by_game;  ///< contrast of game and effect
  std::vector<std::vector<std::size_t>> parts;                   ///< of overall
  std::vector<std::optional<std::size_t>> overall;               ///< contrast, by effect

  EffectContrasts(const ScoreTable& of, Aggregate aggregate, const std::vector<FactorAgent>& agents,
                  const FactorDesign& design);

  void add(FactorEffect& effect);
};

EffectContrasts::EffectContrasts(const ScoreTable& of, Aggregate aggregate,
                                 const std::vector<FactorAgent>& agents, const FactorDesign& design)
    : table(of), by_game(of.games().size()) {
  if (aggregate != Aggregate::mean) alike = table.made_alike(aggregate);
  for (std::size_t g = 0; g < by_game.size(); ++g) {
    who.push_back(players(table, g, agents));
    designs.push_back(who.back().size() == agents.size() ? design : factor_design(who.back()));
    problem.units.push_back(table.units(g));
  }
}

void EffectContrasts::add(FactorEffect& effect) {
  const std::size_t games = by_game.size();
  effect.games.resize(games);
  parts.emplace_back();
  overall.emplace_back();
  Contrast mean_over_games;
  bool everywhere = games > 0;
  for (std::size_t g = 0; g < games; ++g) {
    std::optional<std::size_t>& own = by_game[g].emplace_back();
    const DesignEffect* told = find(designs[g], effect.name);
    if (told != nullptr) effect.games[g].confounded_with = told->confounded_with;
    if (told == nullptr || told->weights.empty()) {
      everywhere = false;
      continue;
    }
    own = problem.add(effect_cell(table, g, who[g], told->weights));
    parts.back().push_back(alike ? problem.add(effect_cell(*alike, g, who[g], told->weights))
                                 : *own);
    mean_over_games.push_back({problem.cells.size() - 1, 1.0 / static_cast<double>(games)});
  }
  // What must be taken to be absent in one game must be so for the mean.
  std::vector<std::string>& absent = effect.overall.confounded_with;
  for (const EffectEstimate& game : effect.games)
    for (const std::string& term : game.confounded_with)
      if (std::ranges::find(absent, term) == absent.end()) absent.push_back(term);
  if (everywhere) overall.back() = problem.add(std::move(mean_over_games));
}

}  // namespace

FactorEffects factor_effects(const ScoreTable& table, std::span<const FactorAgent> agents,
                             const IntervalOptions& options, Aggregate aggregate) {
  std::vector<FactorAgent> known;
  for (const FactorAgent& agent : agents)
    if (std::binary_search(table.agents().begin(), table.agents().end(), agent.agent))
      known.push_back(agent);
  FactorEffects result;
  result.design = factor_design(known);
  EffectContrasts contrasts(table, aggregate, known, result.design);
  for (const DesignEffect& effect : result.design.effects) {
    result.effects.emplace_back().name = effect.name;
    contrasts.add(result.effects.back());
  }

  const ContrastEstimates all(contrasts.problem, options);
  const std::size_t effects = result.effects.size();
  std::vector<EffectEstimate*> column(effects);
  for (std::size_t g = 0; g < contrasts.by_game.size(); ++g) {
    for (std::size_t e = 0; e < effects; ++e) column[e] = &result.effects[e].games[g];
    finish(all, contrasts.by_game[g], column);
  }
  for (std::size_t e = 0; e < effects; ++e) {
    column[e] = &result.effects[e].overall;
    std::vector<Estimate> own;
    for (const std::size_t part : contrasts.parts[e]) own.push_back(all.estimates()[part]);
    if (contrasts.overall[e]) result.effects[e].widest = widest_game(own);
  }
  finish(all, contrasts.overall, column);
  return result;
}

}  // namespace agon::stats
