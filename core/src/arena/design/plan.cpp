#include "design/plan.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>

#include "design/lineups.hpp"

namespace agon::design {
Treatments::Treatments(std::vector<TreatmentFactor> factors) : factors_(std::move(factors)) {
  std::set<std::string_view> seen;
  Count count = 1;
  for (const TreatmentFactor& factor : factors_) {
    if (factor.name.empty()) refuse("a factor has no name", "name it");
    if (!seen.insert(factor.name).second)
      refuse(fmt::format("two factors are called '{}'", factor.name), "rename one of them");
    if (factor.levels < 1)
      refuse(fmt::format("the factor '{}' has no levels", factor.name),
             "give it at least one level, or leave it out");
    count = product(count, static_cast<std::uint64_t>(factor.levels));
  }
  if (!count)
    refuse(fmt::format("{} crossed factors make more than 10^19 treatments", factors_.size()),
           "use fewer factors or levels");
  size_ = *count;
}

std::vector<int> Treatments::levels(std::uint64_t i) const {
  if (i >= size_)
    refuse(fmt::format("there is no treatment number {}: there are {}", i, size_), "count from 0");
  std::vector<int> out(factors_.size());
  for (std::size_t k = factors_.size(); k-- > 0;) {
    const auto levels = static_cast<std::uint64_t>(factors_[k].levels);
    out[k] = static_cast<int>(i % levels);
    i /= levels;
  }
  return out;
}

std::uint64_t Treatments::index(const std::vector<int>& levels) const {
  if (levels.size() != factors_.size())
    refuse(fmt::format("{} levels are given for {} factors", levels.size(), factors_.size()),
           "give one level a factor");
  std::uint64_t out = 0;
  for (std::size_t k = 0; k < factors_.size(); ++k) {
    const TreatmentFactor& factor = factors_[k];
    if (levels[k] < 0 || levels[k] >= factor.levels)
      refuse(fmt::format("the factor '{}' has no level number {}: it has {}", factor.name,
                         levels[k], factor.levels),
             "count from 0");
    out = out * static_cast<std::uint64_t>(factor.levels) + static_cast<std::uint64_t>(levels[k]);
  }
  return out;
}

namespace {

__extension__ using Wide = unsigned __int128;

void check_size(std::uint64_t size) {
  if (size > kMostInOrder)
    throw Error(ErrorKind::invalid,
                fmt::format("more than {} matches are too many to order", kMostInOrder), {},
                "use fewer agents, seats or blocks");
}

}  // namespace

std::vector<std::uint64_t> shuffled(std::uint64_t count, std::uint64_t seed) {
  check_size(count);
  std::vector<std::uint64_t> out(count);
  std::iota(out.begin(), out.end(), std::uint64_t{0});
  Dice dice(seed);
  dice.shuffle(std::span(out));
  return out;
}

std::vector<OrderItem> riffled(std::span<const std::uint64_t> sizes, std::uint64_t seed) {
  struct Timed {
    std::uint64_t time;  // a fraction of the whole, times 2^64
    OrderItem turn;
  };
  std::vector<Timed> timed;
  std::uint64_t total = 0;
  for (const std::uint64_t size : sizes) {
    check_size(size);
    total += size;
    check_size(total);
  }
  timed.reserve(total);
  Dice dice(seed);
  for (std::size_t list = 0; list < sizes.size(); ++list) {
    const std::uint64_t size = sizes[list];
    for (std::uint64_t item = 0; item < size; ++item) {
      const Wide time = static_cast<Wide>(item << 32 | dice.bits()) << 32;
      timed.push_back(
          {static_cast<std::uint64_t>(time / size), {static_cast<std::uint32_t>(list), item}});
    }
  }
  // Times of neighbours in a list differ by more than rounding, so a list cannot overtake itself.
  std::sort(timed.begin(), timed.end(), [](const Timed& a, const Timed& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.turn.list != b.turn.list) return a.turn.list < b.turn.list;
    return a.turn.item < b.turn.item;
  });
  std::vector<OrderItem> out;
  out.reserve(timed.size());
  for (const Timed& entry : timed) out.push_back(entry.turn);
  return out;
}

std::vector<std::uint64_t> interleaved(std::span<const std::uint32_t> group, std::uint64_t seed) {
  std::uint32_t groups = 0;
  for (const std::uint32_t g : group) groups = std::max(groups, g + 1);
  std::vector<std::uint64_t> sizes(groups, 0);
  for (const std::uint32_t g : group) ++sizes[g];
  std::vector<std::uint64_t> starts(groups, 0);
  std::exclusive_scan(sizes.begin(), sizes.end(), starts.begin(), std::uint64_t{0});

  std::vector<std::uint64_t> items(group.size());
  std::vector<std::uint64_t> next = starts;
  for (std::size_t i = 0; i < group.size(); ++i) items[next[group[i]]++] = i;
  Dice dice(seed);
  for (std::uint32_t g = 0; g < groups; ++g)
    dice.shuffle(std::span(items).subspan(starts[g], sizes[g]));

  std::vector<std::uint64_t> out;
  out.reserve(group.size());
  const std::uint64_t pattern = combine(seed, hash_of("riffle"));
  for (const OrderItem& turn : riffled(sizes, pattern))
    out.push_back(items[starts[turn.list] + turn.item]);
  return out;
}

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

MatchPlan::MatchPlan(std::vector<Seating> line_ups, std::vector<PlannedMatch> matches,
                     std::uint64_t treatments)
    : MatchPlan(std::move(line_ups), 1, 1, treatments) {
  if (matches.empty()) refuse("the plan has no matches", "ask for one or more");
  for (std::uint64_t i = 0; i < matches.size(); ++i)
    if (i == 0 || matches[i].block != matches[i - 1].block) begins_.push_back(i);
  blocks_ = begins_.size();
  begins_.push_back(matches.size());
  listed_ = std::move(matches);
}

std::uint64_t MatchPlan::block_of(std::uint64_t match) const {
  if (!is_listed()) return match / block_size();
  const auto after = std::upper_bound(begins_.begin(), begins_.end(), match);
  return static_cast<std::uint64_t>(after - begins_.begin()) - 1;
}

PlannedMatch MatchPlan::match(std::uint64_t i) const {
  if (i >= size())
    refuse(fmt::format("there is no match number {}: the plan has {}", i, size()), "count from 0");
  if (is_listed()) return listed_[i];
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
  out.agents = seating.assignment(out.assignment, out.block);
  out.focal = seating.focal();
  return out;
}

ExecutionOrder::ExecutionOrder(const MatchPlan& plan, std::uint64_t seed, BlockSteps part)
    : seed_(seed), repeats_(plan.repeats()) {
  if (plan.is_listed()) {
    order_listed(plan, part);
    return;
  }
  const std::uint64_t round = plan.round_size();
  const std::uint64_t blocks =
      part.first < plan.blocks() ? (plan.blocks() - part.first - 1) / part.step + 1 : 0;
  if (round > kMostInOrder || blocks * repeats_ > kMostInOrder)
    refuse(fmt::format("a plan of {} matches in {} rounds is too large to order",
                       blocks * repeats_ * round, blocks * repeats_),
           "use the seat design pairwise or latin, or fewer blocks");
  group_.reserve(round);
  std::uint32_t group = 0;
  for (std::uint64_t treatment = 0; treatment < plan.treatments(); ++treatment)
    for (const Seating& seating : plan.line_ups())
      group_.insert(group_.end(), seating.size(), group++);

  starts_.reserve(blocks * repeats_);
  const std::uint64_t key = combine(seed, hash_of("blocks"));
  for (std::uint64_t repeat = 0; repeat < repeats_; ++repeat) {
    for (const std::uint64_t place : shuffled(blocks, combine(key, repeat)))
      starts_.push_back(((part.first + place * part.step) * repeats_ + repeat) * round);
  }
}

void ExecutionOrder::order_listed(const MatchPlan& plan, BlockSteps part) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t block = part.first; block < plan.blocks(); block += part.step)
    blocks.push_back(block);
  for (const std::uint64_t place : shuffled(blocks.size(), combine(seed_, hash_of("blocks")))) {
    starts_.push_back(plan.begin_of(blocks[place]));
    sizes_.push_back(plan.begin_of(blocks[place] + 1) - starts_.back());
  }
}

std::vector<std::uint64_t> ExecutionOrder::round(std::uint64_t k) const {
  if (k >= rounds())
    refuse(fmt::format("there is no round number {}: there are {}", k, rounds()), "count from 0");
  if (sizes_.empty()) return round_from(starts_[k]);
  std::vector<std::uint64_t> out =
      shuffled(sizes_[k], combine(combine(seed_, hash_of("round")), starts_[k]));
  for (std::uint64_t& match : out) match += starts_[k];
  return out;
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
  for (std::uint64_t k = 0; k < rounds(); ++k) {
    const std::vector<std::uint64_t> part = round(k);
    out.insert(out.end(), part.begin(), part.end());
  }
  return out;
}

}  // namespace agon::design
