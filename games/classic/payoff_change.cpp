#include "classic/payoff_change.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace classic {
namespace {

namespace theory = agon::theory;

/// A number with so many digits after the point, as the double that is nearest to it: payoffs count
/// as the decimal number that they are written as.
double rounded(double x, int digits) {
  const double power = std::pow(10, digits);
  return std::round(x * power) / power + 0.0;
}

/// How many digits after the point a hundredth of `range` has.
int digits_for(double range) {
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(range))), 0, 9);
}

}  // namespace

void change_payoffs(GameData& game, double size, int seed) {
  const std::size_t players = game.players.size();
  std::vector<std::size_t> counts;
  for (const auto& own : game.actions) counts.push_back(own.size());
  for (std::size_t p = 0; p < players; ++p) {
    double low = game.payoffs.front()[p], high = low;
    for (const auto& cell : game.payoffs) {
      low = std::min(low, cell[p]);
      high = std::max(high, cell[p]);
    }
    const double range = high > low ? high - low : 1;
    const int digits = digits_for(range);
    agon::Dice dice(static_cast<std::uint64_t>(seed), static_cast<std::uint32_t>(p));
    const double factor = 1 + rounded(size * dice.unit(), 2);
    std::map<std::vector<std::size_t>, double> moves;  // by what the others do
    for (std::size_t c = 0; c < game.payoffs.size(); ++c) {
      std::vector<std::size_t> others;
      for (std::size_t q = players, rest = c; q-- > 0; rest /= counts[q])
        others.push_back(q == p ? 0 : rest % counts[q]);
      const auto [at, is_new] = moves.try_emplace(others);
      if (is_new) at->second = rounded(size * range * (2 * dice.unit() - 1), digits);
      double& payoff = game.payoffs[c][p];
      payoff = rounded(payoff * factor + at->second, 9);
    }
  }
}

std::string difference_of(const theory::MatrixGame& one, const theory::MatrixGame& other) {
  for (std::size_t c = 0; c < one.profiles(); ++c)
    for (std::size_t p = 0; p < one.players(); ++p)
      if (theory::best_replies(one, p, c) != theory::best_replies(other, p, c))
        return fmt::format("the best replies of player {} in cell {} differ", p, c);
  if (one.players() != 2) return {};
  const auto mixes_of = [](const theory::MatrixGame& game) {
    std::vector<std::string> mixes;
    for (const theory::MixedEquilibrium& e : theory::extreme_equilibria(game)) {
      std::string mix;
      for (const theory::MixedStrategy* strategy : {&e.first, &e.second})
        for (const theory::Exact& x : *strategy) mix += x.text + " ";
      mixes.push_back(std::move(mix));
    }
    return mixes;
  };
  try {
    if (mixes_of(one) != mixes_of(other)) return "their mixed equilibria differ";
  } catch (const agon::Error&) {
    return {};  // too large for mixtures: what players choose for certain was looked at
  }
  return {};
}

std::vector<std::string> differences_of(const Solution& one, const Solution& other) {
  std::vector<std::string> lines;
  if (one.game.players.size() != other.game.players.size() ||
      is_tree(one.game) != is_tree(other.game) ||
      one.game.actions.size() != other.game.actions.size())
    return {"they differ in players, or one is a tree and the other a payoff table"};
  for (std::size_t p = 0; p < one.game.actions.size(); ++p)
    if (one.game.actions[p].size() != other.game.actions[p].size())
      return {fmt::format("player {} has {} actions in {} and {} in {}", p + 1,
                          one.game.actions[p].size(), one.name, other.game.actions[p].size(),
                          other.name)};
  // By places, as games may call the same action by other names.
  const auto sets_of = [](const Solution& s) {
    std::set<std::string> found;
    for (const Outlined& o : s.pure) {
      std::string places;
      for (std::size_t i = 0; i < o.actions.size(); ++i) {
        if (is_tree(s.game)) {
          places += (i == 0 ? "" : ", ") + o.actions[i];
          continue;
        }
        const auto& own = s.game.actions[i];
        places +=
            fmt::format("{}action {} of player {}", i == 0 ? "" : ", ",
                        std::find(own.begin(), own.end(), o.actions[i]) - own.begin() + 1, i + 1);
      }
      found.insert(places);
    }
    for (const OutlinedMix& mix : s.mixed) {
      std::vector<std::string> sides;
      for (const auto& own : mix.probabilities)
        sides.push_back(fmt::format("{}", fmt::join(own, " ")));
      found.insert(fmt::format("mixed ({})", fmt::join(sides, "; ")));
    }
    return found;
  };
  const std::set<std::string> first = sets_of(one), second = sets_of(other);
  const auto only = [&](const std::set<std::string>& in, const std::set<std::string>& out,
                        const std::string& name) {
    for (const std::string& equilibrium : in)
      if (!out.contains(equilibrium))
        lines.push_back(fmt::format("in {} alone: {}", name, equilibrium));
  };
  only(first, second, one.name);
  only(second, first, other.name);
  for (const Solution* s : {&one, &other})
    if (!s->mixed_missing.empty())
      lines.push_back(
          fmt::format("mixed equilibria of {} are not known: {}", s->name, s->mixed_missing));
  return lines;
}

}  // namespace classic
