#include <agon/error.hpp>
#include <cmath>

#include "report/meta.hpp"

namespace agon::report {

void solve(MetaMatrix& matrix) {
  const std::size_t k = matrix.levels.size();
  matrix.missing.clear();
  matrix.pure.clear();
  matrix.mixed.clear();
  std::vector<double> payoffs;
  for (std::size_t i = 0; i < matrix.cells.size(); ++i) {
    const MetaCell& cell = matrix.cells[i];
    if (std::isnan(cell.score[0].value) || std::isnan(cell.score[1].value))
      matrix.missing.emplace_back(i / k, i % k);
    for (const Figure& score : cell.score) payoffs.push_back(score.value);
  }
  if (!matrix.missing.empty()) return;
  const theory::MatrixGame game({k, k}, std::move(payoffs));
  for (const std::size_t profile : theory::pure_equilibria(game))
    matrix.pure.push_back({profile / k, profile % k});
  if (k > theory::most_mixed_actions) {
    matrix.mixed_note = "mixed equilibria are looked for up to " +
                        std::to_string(theory::most_mixed_actions) + " levels";
    return;
  }
  try {
    for (auto& found : theory::extreme_equilibria(game))
      if (!found.pure()) matrix.mixed.push_back(std::move(found));
  } catch (const Error& error) {
    matrix.mixed_note = error.problem();
  }
}

}  // namespace agon::report
