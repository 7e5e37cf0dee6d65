// The part of a suite that one machine plays.

#include <fmt/format.h>

#include <agon/error.hpp>
#include <cstdint>
#include <optional>
#include <vector>

#include "design/shard.hpp"
#include "suite/suite.hpp"

namespace agon {
namespace {

/// The scenario whose draws this one has, or itself.
std::size_t draws_of(const std::vector<Scenario>& scenarios, std::size_t scenario) {
  for (std::size_t i = 0; i < scenarios.size(); ++i)
    if (scenarios[i].name == scenarios[scenario].draws()) return i;
  return scenario;  // that one was left out
}

/// Where the blocks of each scenario begin, counted one scenario after the other, and where those
/// of the last end. Scenarios of the same draws have the same place, so that a shard has their
/// blocks in pairs.
std::vector<std::uint64_t> units_before(const std::vector<Scenario>& scenarios) {
  std::vector<std::size_t> places;
  std::vector<std::uint64_t> own;
  std::uint64_t units = 0;
  for (std::size_t i = 0; i < scenarios.size(); ++i) {
    places.push_back(draws_of(scenarios, i));
    own.push_back(units);
    if (places[i] == i) units += scenarios[i].plan->blocks();
  }
  std::vector<std::uint64_t> firsts;
  firsts.reserve(places.size() + 1);
  for (const std::size_t place : places) firsts.push_back(own[place]);
  firsts.push_back(units);
  return firsts;
}

}  // namespace

void Suite::take(const design::Shard& part, const std::optional<design::Shard>& caps_share) {
  if (stop)
    throw Error(ErrorKind::usage,
                "a suite with a stopping rule cannot be split: the rule looks at all blocks", file,
                "--until all plays the whole plan, which can be");
  first_units = units_before(scenarios);
  const std::uint64_t units = first_units.back();
  if (part.count > units)
    throw Error(ErrorKind::usage,
                fmt::format("the suite has {} blocks, too few for {} shards", units, part.count),
                file, fmt::format("shards are whole blocks: use {} or fewer", units));
  if (caps_share && !caps.any() && part_caps.empty())
    throw Error(ErrorKind::usage, "--cap-share changes nothing: the suite has no cap", file,
                "leave it out, or set a cap, such as --max-cost");
  shard = part;
  const auto divide = [&](Caps& whole) {
    for (std::optional<std::int64_t>* cap : {&whole.cost, &whole.tokens, &whole.calls})
      if (*cap)
        *cap = caps_share ? design::part_of(**cap, 0, caps_share->number, caps_share->count)
                          : design::part_of(**cap, part.number - 1, part.number, part.count);
  };
  divide(caps);
  for (PartCaps& own : part_caps) divide(own.caps);
}

bool Suite::has_block(std::size_t scenario, std::uint64_t block) const {
  return !shard || shard->has(first_units.at(scenario) + block);
}

std::uint64_t Suite::next_played(std::size_t scenario, std::uint64_t match) const {
  const design::MatchPlan& plan = *scenarios[scenario].plan;
  while (match < plan.size() && !has_block(scenario, plan.block_of(match)))
    match = plan.begin_of(plan.block_of(match) + 1);
  return match;
}

std::uint64_t Suite::blocks_of(std::size_t scenario) const {
  const std::uint64_t blocks = scenarios[scenario].plan->blocks();
  if (!shard) return blocks;
  const std::uint64_t first = first_units.at(scenario);
  return shard->units(first, first + blocks);
}

}  // namespace agon
