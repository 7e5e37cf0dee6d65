#include "deal-or-no-deal/rules.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <map>

#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {
namespace {

Case without_prior(const Instance& instance) {
  Case result;
  result.counts = instance.counts;
  result.values = instance.values;
  const Yardsticks marks = yardsticks(instance);
  result.maximum = marks.own_best;
  result.best_joint = marks.best_joint;
  result.fair_exists = marks.best.has_value();
  if (marks.best) result.fair = marks.best->scores;
  result.nash = marks.nash.scores;
  result.value_distance = value_distance(instance);
  for (const Outcome& outcome : outcomes(instance)) {
    if (outcome.pareto_optimal) result.frontier.push_back(outcome.scores);
  }
  std::sort(result.frontier.begin(), result.frontier.end());
  const auto end = std::unique(result.frontier.begin(), result.frontier.end());
  result.frontier.erase(end, result.frontier.end());
  return result;
}

void add_prior(Case& result, std::size_t size, int total_value) {
  result.prior = size;
  for (std::size_t i = 0; i < result.counts.size(); ++i) {
    result.value_caps[i] = total_value / result.counts[i];
  }
}

/// In how many ways single items of so many types can be valued; more items of a type can be valued
/// in fewer. Stops counting above kMaxValuations.
std::int64_t most_valuations(int types, int total_value) {
  std::int64_t ways = 1;
  for (int k = 1; k < types && ways <= static_cast<std::int64_t>(kMaxValuations); ++k)
    ways = ways * (total_value + k) / k;
  return ways;
}

}  // namespace

Case make_case(const Instance& instance, int total_value) {
  Case result = without_prior(instance);
  if (total_value > 0) {
    add_prior(result, valuations(instance.counts, total_value).size(), total_value);
  }
  return result;
}

std::vector<std::string> item_names(const Settings& settings) {
  std::vector<std::string> names = settings.items;
  while (names.size() < kMaxTypes) names.push_back(fmt::format("item {}", names.size() + 1));
  return names;
}

Prepared prepare(const Settings& settings) {
  Prepared prepared;
  prepared.names = item_names(settings);
  // Instances share few vectors of counts, and a prior depends on nothing else.
  std::map<Amounts, std::size_t> priors;
  for (const ListedInstance& listed : settings.instances) {
    const Instance instance = instance_of(listed);
    prepared.cases.push_back(without_prior(instance));
    if (!settings.beliefs || settings.total_value == 0) continue;
    auto [place, is_new] = priors.try_emplace(instance.counts, 0);
    if (is_new) place->second = valuations(instance.counts, settings.total_value).size();
    add_prior(prepared.cases.back(), place->second, settings.total_value);
  }
  return prepared;
}

Instance make_instance(const Settings& settings, std::uint64_t key, std::uint64_t redraws) {
  agon::Dice dice(key);
  const Generator& g = settings.generator;
  GeneratorOptions options;
  options.types = static_cast<std::size_t>(g.types);
  options.largest_count = g.largest_count;
  options.largest_value = g.largest_value;
  options.constraints = {settings.total_value, g.min_items, g.max_items, g.each_type_wanted,
                         g.shared_type};
  options.redraws = redraws;
  const Draw draw = [&dice](std::uint32_t n) { return static_cast<std::uint32_t>(dice.below(n)); };
  return std::move(generate_instances(draw, 1, "made", options).front());
}

std::string generator_problem(const Settings& settings) {
  const Generator& g = settings.generator;
  if (settings.total_value == 0) return "instances from chance need a total_value above 0";
  if (g.min_items > g.max_items) return "the generator's min_items is above its max_items";
  if (g.types > g.max_items) {
    return fmt::format("the generator's max_items is {}, but each of its {} types has an item",
                       g.max_items, g.types);
  }
  const std::int64_t most = std::int64_t{g.types} * g.largest_count;
  if (most < g.min_items) {
    return fmt::format(
        "the generator's min_items is {}, but {} types of at most {} items (largest_count) have {}",
        g.min_items, g.types, g.largest_count, most);
  }
  const std::int64_t highest = std::min<std::int64_t>(most, g.max_items) * g.largest_value;
  if (highest < settings.total_value) {
    return fmt::format(
        "total_value is {}, but the generator's items are worth at most {} together; raise its "
        "largest_value or max_items",
        settings.total_value, highest);
  }
  if (settings.beliefs &&
      most_valuations(g.types, settings.total_value) > static_cast<std::int64_t>(kMaxValuations)) {
    return fmt::format(
        "beliefs are asked for, but {} types can be worth {} together in more than {} ways: use "
        "fewer types or a smaller total_value, or set beliefs to false",
        g.types, settings.total_value, kMaxValuations);
  }
  // A tenth of what a match may take, so that a match hardly ever runs out of draws.
  constexpr std::uint64_t trial = 2'000'000;
  try {
    static_cast<void>(make_instance(settings, 0, trial));
  } catch (const agon::Error&) {
    return fmt::format(
        "the generator finds nothing in {} draws that keeps to its own settings and is worth {} to "
        "either side (total_value): loosen them",
        trial, settings.total_value);
  }
  return {};
}

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
  const Scores by_side = swapped ? Scores{result.values[1], result.values[0]} : result.values;
  result.pareto_optimal =
      std::none_of(game.frontier.begin(), game.frontier.end(), [&](const Scores& other) {
        return other != by_side && other[0] >= by_side[0] && other[1] >= by_side[1];
      });
  return result;
}

}  // namespace deal_or_no_deal
