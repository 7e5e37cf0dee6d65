#include "deal-or-no-deal/instances_generate.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <set>
#include <tuple>

namespace deal_or_no_deal {
namespace {

using Game = std::tuple<Amounts, Amounts, Amounts>;

void require_usable(const GeneratorOptions& options) {
  const char* problem = nullptr;
  if (options.types < 1 || options.types > kMaxTypes) problem = "the number of types";
  if (options.largest_count < 1 || options.largest_count > kMaxCount) problem = "the largest count";
  if (options.largest_value < 0 || options.largest_value > kMaxValue) problem = "the largest value";
  if (problem == nullptr) return;
  throw agon::Error(agon::ErrorKind::invalid, fmt::format("{} is out of range", problem), {},
                    fmt::format("use 1 to {} types, counts up to {} and values up to {}", kMaxTypes,
                                kMaxCount, kMaxValue));
}

Amounts draw_amounts(const Draw& draw, std::size_t types, int lowest, int highest) {
  Amounts amounts;
  for (std::size_t i = 0; i < types; ++i) {
    amounts.push_back(lowest +
                      static_cast<int>(draw(static_cast<std::uint32_t>(highest - lowest) + 1)));
  }
  return amounts;
}

}  // namespace

std::vector<Instance> generate_instances(const Draw& draw, std::size_t how_many,
                                         std::string_view prefix, const GeneratorOptions& options) {
  require_usable(options);
  const auto& limits = options.constraints;
  const std::size_t digits = fmt::formatted_size("{}", how_many);
  std::vector<Instance> made;
  std::set<Game> seen;
  std::uint64_t spent = 0;
  while (made.size() < how_many) {
    if (++spent > options.redraws) {
      throw agon::Error(
          agon::ErrorKind::invalid,
          fmt::format("only {} of {} different instances were found", made.size(), how_many), {},
          "ask for fewer instances or loosen the constraints");
    }
    Instance instance;
    instance.counts = draw_amounts(draw, options.types, 1, options.largest_count);
    const auto items = total(instance.counts);
    if (items < limits.min_items || items > limits.max_items) continue;
    for (Amounts& values : instance.values) {
      values = draw_amounts(draw, options.types, 0, options.largest_value);
    }
    if (!keeps(instance, limits) || !problems(instance).empty()) continue;
    if (!seen.emplace(instance.counts, instance.values[0], instance.values[1]).second) continue;
    instance.id = fmt::format("{}-{:0{}}", prefix, made.size() + 1, digits);
    made.push_back(std::move(instance));
    spent = 0;
  }
  return made;
}

}  // namespace deal_or_no_deal
