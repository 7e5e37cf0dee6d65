#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "json/write.hpp"
#include "report/meta.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

bj::value or_null(double value) {
  return std::isnan(value) ? bj::value(nullptr) : bj::value(value);
}

bj::object figure_json(const Figure& figure) {
  bj::object out{{"mean", or_null(figure.value)}};
  out["interval"] = std::isnan(figure.low)
                        ? bj::value(nullptr)
                        : bj::value(bj::array{or_null(figure.low), or_null(figure.high)});
  return out;
}

bj::array strategy_json(const theory::MixedStrategy& strategy) {
  bj::array list;
  for (const auto& weight : strategy)
    list.emplace_back(bj::object{{"share", weight.value}, {"exact", weight.text}});
  return list;
}

bj::object matrix_json(const MetaMatrix& m) {
  bj::array levels;
  for (const std::string& level : m.levels) levels.emplace_back(level);
  bj::array cells;
  const std::size_t k = m.levels.size();
  for (std::size_t i = 0; i < m.cells.size(); ++i) {
    const MetaCell& cell = m.cells[i];
    const double n = cell.score[0].n;
    cells.emplace_back(
        bj::object{{"levels", bj::array{bj::value(m.levels[i / k]), bj::value(m.levels[i % k])}},
                   {"scores", bj::array{figure_json(cell.score[0]), figure_json(cell.score[1])}},
                   {"matches", std::isnan(n) ? 0 : static_cast<std::int64_t>(n)},
                   {"blocks", static_cast<std::int64_t>(cell.blocks)}});
  }
  bj::array missing;
  for (const auto& [row, column] : m.missing)
    missing.emplace_back(
        bj::object{{"levels", bj::array{bj::value(m.levels[row]), bj::value(m.levels[column])}},
                   {"line_up", bj::array{bj::value(m.agents[row]), bj::value(m.agents[column])}}});
  bj::array pure;
  for (const MetaPure& found : m.pure)
    pure.emplace_back(bj::object{
        {"levels", bj::array{bj::value(m.levels[found.row]), bj::value(m.levels[found.column])}},
        {"held_in", found.stability ? bj::value(*found.stability) : bj::value(nullptr)}});
  bj::array mixed;
  for (const auto& found : m.mixed)
    mixed.emplace_back(bj::object{
        {"strategies", bj::array{strategy_json(found.first), strategy_json(found.second)}},
        {"expected", bj::array{found.first_payoff.value, found.second_payoff.value}}});
  return {{"game", m.game},
          {"label", m.label},
          {"treatments", static_cast<std::int64_t>(m.treatments)},
          {"base", m.base},
          {"seats", bj::array{bj::value(m.seats[0]), bj::value(m.seats[1])}},
          {"levels", std::move(levels)},
          {"cells", std::move(cells)},
          {"missing", std::move(missing)},
          {"pure_equilibria", std::move(pure)},
          {"mixed_equilibria", std::move(mixed)},
          {"mixed_note", m.mixed_note}};
}

}  // namespace

std::string json(const MetaReport& report) {
  bj::array matrices;
  for (const MetaMatrix& matrix : report.matrices) matrices.emplace_back(matrix_json(matrix));
  return json::write_pretty(
      bj::object{{"format", "agon.meta"},
                 {"version", 1},
                 {"factor", report.factor},
                 {"policy", name(report.policy)},
                 {"level", report.level},
                 {"resamples", static_cast<std::int64_t>(report.resamples)},
                 {"matrices", std::move(matrices)},
                 {"matches_of_different_bases", static_cast<std::int64_t>(report.other_bases)},
                 {"matches_without_label", static_cast<std::int64_t>(report.unlabelled)},
                 {"matches_of_other_seats", static_cast<std::int64_t>(report.other_seats)},
                 {"matches_excluded", static_cast<std::int64_t>(report.excluded)}});
}

}  // namespace agon::report
