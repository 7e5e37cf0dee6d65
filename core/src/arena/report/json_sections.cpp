#include "report/json_sections.hpp"

namespace agon::report {

namespace bj = boost::json;

namespace json_values {

bj::value of(const std::optional<stats::Interval>& interval) {
  return interval ? bj::value(bj::array{interval->low, interval->high}) : bj::value(nullptr);
}

bj::object of(const stats::Estimate& e) {
  return {{"value", optional(e.value)},
          {"interval", of(e.interval)},
          {"standard_error", optional(e.standard_error)},
          {"p", optional(e.p_value)},
          {"blocks", e.blocks},
          {"units", e.units},
          {"degenerate", e.degenerate},
          {"unseen", optional(e.unseen)},
          {"note", stats::describe(e.note)}};
}

}  // namespace json_values

using namespace json_values;

namespace {

bj::object effect_json(const stats::EffectEstimate& estimate) {
  bj::object out = of(estimate.effect);
  out["simultaneous"] = of(estimate.simultaneous);
  out["simultaneous_p"] = optional(estimate.simultaneous_p);
  out["confounded_with"] = strings(estimate.confounded_with);
  return out;
}

bj::array factor_list(const std::vector<stats::Factor>& factors) {
  bj::array list;
  for (const stats::Factor& factor : factors)
    list.emplace_back(bj::object{{"factor", factor.name}, {"levels", strings(factor.levels)}});
  return list;
}

bj::array by_position(const std::vector<std::optional<double>>& values) {
  bj::array list;
  for (const auto& value : values) list.push_back(optional(value));
  return list;
}

}  // namespace

bj::array factors_json(const Report& report) {
  bj::array families;
  for (const FactorReport& family : report.factors) {
    const stats::FactorDesign& design = family.effects.design;
    bj::array effects;
    for (std::size_t e = 0; e < family.effects.effects.size(); ++e) {
      const stats::FactorEffect& effect = family.effects.effects[e];
      bj::array parts;
      for (std::size_t i = 0; i < effect.name.factors.size(); ++i)
        parts.emplace_back(bj::object{{"factor", effect.name.factors[i]},
                                      {"level", effect.name.levels[i]},
                                      {"less", effect.name.bases[i]}});
      bj::object games;
      for (std::size_t g = 0; g < family.games.size(); ++g)
        games[family.games[g]] = effect_json(effect.games[g]);
      effects.emplace_back(
          bj::object{{"effect", stats::describe(effect.name)},
                     {"term", stats::term_name(effect.name)},
                     {"kind", effect.name.factors.size() == 1 ? "main" : "interaction"},
                     {"of", std::move(parts)},
                     {"confounded_with", strings(design.effects[e].confounded_with)},
                     {"told", !design.effects[e].weights.empty()},
                     {"all_games", effect_json(effect.overall)},
                     {"games", std::move(games)}});
    }
    families.emplace_back(bj::object{{"family", family.family},
                                     {"agents", family.agents},
                                     {"factors", factor_list(design.factors)},
                                     {"constant", factor_list(design.constant)},
                                     {"combinations", design.combinations},
                                     {"full_factorial", design.full},
                                     {"effects", std::move(effects)}});
  }
  return families;
}

bj::array learning_json(const Report& report) {
  bj::array tables;
  for (const LearningTable& table : report.learning) {
    bj::array rows;
    for (const LearningRow& row : table.rows)
      rows.emplace_back(bj::object{{"agent", row.agent},
                                   {"ranks", by_position(row.ranks)},
                                   {"scores", by_position(row.scores)},
                                   {"rank_slope", of(row.rank_slope)},
                                   {"rank_slope_difference", of(row.rank_slope_difference)},
                                   {"score_slope", of(row.score_slope)},
                                   {"score_slope_difference", of(row.score_slope_difference)}});
    tables.emplace_back(bj::object{{"game", table.game},
                                   {"label", table.label},
                                   {"matches", table.length},
                                   {"agents", std::move(rows)}});
  }
  return tables;
}

bj::array rates_json(const Report& report) {
  bj::array list;
  for (const RateRow& row : report.rates) {
    bj::object agents;
    for (const auto& [agent, cell] : row.agents) {
      bj::object rate = of(cell.rate);
      rate["n"] = cell.n;
      agents[agent] = std::move(rate);
    }
    list.emplace_back(bj::object{{"game", row.game},
                                 {"rate", row.name},
                                 {"what", row.what},
                                 {"source", row.source},
                                 {"agents", std::move(agents)}});
  }
  return list;
}

}  // namespace agon::report
