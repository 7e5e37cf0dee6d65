#include "deal-or-no-deal/rules.hpp"

#include <algorithm>

namespace deal_or_no_deal {

bool same_split(const Amounts& counts, const std::optional<ItemCounts>& a,
                const std::optional<ItemCounts>& b) {
  return is_deal(counts, {a, b}, DealMatch::eq);
}

TalkStop stops(int round, int max_rounds, const std::array<bool, 2>& halts, const Amounts& counts,
               const std::array<std::optional<ItemCounts>, 2>& latest) {
  if (halts[0] && halts[1]) return TalkStop::both_halted;
  if ((halts[0] || halts[1]) && same_split(counts, latest[0], latest[1])) return TalkStop::settled;
  return round >= max_rounds ? TalkStop::out_of_rounds : TalkStop::none;
}

bool is_deal(const Amounts& counts, const std::array<std::optional<ItemCounts>, 2>& takes,
             DealMatch match) {
  if (!takes[0] || !takes[1]) return false;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const int taken = (*takes[0])[i] + (*takes[1])[i];
    if (match == DealMatch::eq ? taken != counts[i] : taken > counts[i]) return false;
  }
  return true;
}

std::int64_t worth(const ItemCounts& part, const Amounts& values) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < part.size(); ++i) sum += std::int64_t{part[i]} * values[i];
  return sum;
}

Judgement judge(const Case& game, bool swapped, const Deal& deal) {
  Judgement result;
  for (std::size_t i = 0; i < game.counts.size(); ++i) {
    result.left_over += game.counts[i] - deal[0][i] - deal[1][i];
  }
  result.full = result.left_over == 0;
  for (std::size_t seat = 0; seat < 2; ++seat) {
    const Amounts& values = game.values[swapped ? 1 - seat : seat];
    result.values[seat] = worth(deal[seat], values);
    result.envies[seat] = result.values[seat] < worth(deal[1 - seat], values);
  }
  result.envy_free = result.full && !result.envies[0] && !result.envies[1];
  const Pair by_side = swapped ? Pair{result.values[1], result.values[0]} : result.values;
  result.pareto_optimal =
      std::none_of(game.frontier.begin(), game.frontier.end(), [&](const Pair& other) {
        return other != by_side && other[0] >= by_side[0] && other[1] >= by_side[1];
      });
  return result;
}

}  // namespace deal_or_no_deal
