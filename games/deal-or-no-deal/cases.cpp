#include "deal-or-no-deal/cases.hpp"

#include <fmt/format.h>

#include <agon/luck.hpp>
#include <algorithm>
#include <map>

#include "deal-or-no-deal/instances_filter.hpp"
#include "deal-or-no-deal/instances_generate.hpp"
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
  while (names.size() < max_types) names.push_back(fmt::format("item {}", names.size() + 1));
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

Instance make_instance(const Settings& settings, std::uint64_t key) {
  agon::Dice dice(key);
  const Generator& g = settings.generator;
  GeneratorOptions options;
  options.types = static_cast<std::size_t>(g.types);
  options.largest_count = g.largest_count;
  options.largest_value = g.largest_value;
  options.constraints = {settings.total_value, g.min_items, g.max_items, g.each_type_wanted,
                         g.shared_type};
  const Draw draw = [&dice](std::uint32_t n) { return static_cast<std::uint32_t>(dice.below(n)); };
  return std::move(generate_instances(draw, 1, "made", options).front());
}

}  // namespace deal_or_no_deal
