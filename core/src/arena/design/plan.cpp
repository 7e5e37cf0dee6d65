#include "design/plan.hpp"

#include <fmt/format.h>

#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <utility>

#include "design/counting.hpp"
#include "design/order.hpp"
#include "design/refuse.hpp"

namespace agon::design {
MatchPlan::MatchPlan(std::vector<Seating> line_ups, std::uint64_t blocks, std::uint64_t repeats,
                     std::uint64_t treatments)
    : line_ups_(std::move(line_ups)), blocks_(blocks), repeats_(repeats), treatments_(treatments) {
  if (line_ups_.empty()) refuse("the plan has no line-ups", "list at least one agent");
  const std::array<std::pair<const char*, std::uint64_t>, 3> counts{
      {{"blocks", blocks}, {"repeats", repeats}, {"treatments", treatments}}};
  Count total = 1;
  for (const auto& [what, count] : counts) {
    if (count == 0) refuse(fmt::format("the plan has no {}", what), "ask for at least 1");
    total = product(total, count);
  }
  Count assignments = 0;
  ends_.reserve(line_ups_.size());
  for (const Seating& seating : line_ups_) {
    assignments = sum(assignments, seating.size());
    ends_.push_back(assignments.value_or(0));
  }
  if (!product(total, assignments))
    refuse("the plan has more than 10^19 matches",
           "use the seat design pairwise or latin, or fewer blocks");
}

PlannedMatch MatchPlan::match(std::uint64_t i) const {
  if (i >= size())
    refuse(fmt::format("there is no match number {}: the plan has {}", i, size()), "count from 0");
  PlannedMatch out;
  const std::uint64_t within = i % ends_.back();
  i /= ends_.back();
  out.treatment = i % treatments_;
  i /= treatments_;
  out.repeat = i % repeats_;
  out.block = i / repeats_;

  const auto end = std::upper_bound(ends_.begin(), ends_.end(), within);
  const Seating& seating = line_ups_[static_cast<std::size_t>(end - ends_.begin())];
  out.line_up = static_cast<std::uint64_t>(end - ends_.begin());
  out.assignment = within - (*end - seating.size());
  out.agents = seating.assignment(out.assignment);
  out.focal = seating.focal();
  return out;
}

ExecutionOrder::ExecutionOrder(const MatchPlan& plan, std::uint64_t seed)
    : seed_(seed), repeats_(plan.repeats()) {
  const std::uint64_t round = plan.round_size();
  if (round > kMostInOrder || plan.size() / round > kMostInOrder)
    refuse(fmt::format("a plan of {} matches in {} rounds is too large to order", plan.size(),
                       plan.size() / round),
           "use the seat design pairwise or latin, or fewer blocks");
  group_.reserve(round);
  std::uint32_t group = 0;
  for (std::uint64_t treatment = 0; treatment < plan.treatments(); ++treatment)
    for (const Seating& seating : plan.line_ups())
      group_.insert(group_.end(), seating.size(), group++);

  starts_.reserve(plan.blocks() * plan.repeats());
  const std::uint64_t key = combine(seed, hash_of("blocks"));
  for (std::uint64_t repeat = 0; repeat < plan.repeats(); ++repeat) {
    for (const std::uint64_t block : shuffled(plan.blocks(), combine(key, repeat)))
      starts_.push_back((block * plan.repeats() + repeat) * round);
  }
}

std::vector<std::uint64_t> ExecutionOrder::round(std::uint64_t k) const {
  if (k >= rounds())
    refuse(fmt::format("there is no round number {}: there are {}", k, rounds()), "count from 0");
  return round_from(starts_[k]);
}

std::vector<std::uint64_t> ExecutionOrder::round_from(std::uint64_t start) const {
  const std::uint64_t key = combine(combine(seed_, hash_of("round")), start);
  std::vector<std::uint64_t> out = interleaved(group_, key);
  for (std::uint64_t& match : out) match += start;
  return out;
}

std::uint64_t ExecutionOrder::block_at(std::uint64_t place) const {
  if (place >= rounds() / repeats_)
    refuse(fmt::format("there is no block at place {}: there are {}", place, rounds() / repeats_),
           "count from 0");
  return starts_[place] / (repeats_ * group_.size());
}

std::vector<std::uint64_t> ExecutionOrder::block(std::uint64_t place) const {
  const std::uint64_t start = block_at(place) * repeats_ * group_.size();
  std::vector<std::uint64_t> out;
  for (std::uint64_t repeat = 0; repeat < repeats_; ++repeat) {
    const std::vector<std::uint64_t> part = round_from(start + repeat * group_.size());
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

std::vector<std::uint64_t> ExecutionOrder::flat() const {
  std::vector<std::uint64_t> out;
  out.reserve(rounds() * group_.size());
  for (std::uint64_t k = 0; k < rounds(); ++k) {
    const std::vector<std::uint64_t> part = round(k);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace agon::design
