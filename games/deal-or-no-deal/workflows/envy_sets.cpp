#include "deal-or-no-deal/workflows/envy_sets.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>

#include "deal-or-no-deal/splits.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal-or-no-deal/valuations_belief.hpp"

namespace deal_or_no_deal {
namespace {

/// An option is "more likely to be taken than not" above this.
constexpr Hundredths kEvenChance = 50;

std::optional<Hundredths> mean_worth(const std::vector<Amounts>& set, const Amounts& part) {
  if (set.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const Amounts& values : set) sum += worth(part, values);
  return hundredths(sum, static_cast<std::int64_t>(set.size()));
}

std::optional<Hundredths> share_of_envy(const std::vector<Amounts>& set, const Amounts& part,
                                        const Amounts& other) {
  if (set.empty()) return std::nullopt;
  const auto envious = std::count_if(
      set.begin(), set.end(), [&](const Amounts& values) { return envies(values, part, other); });
  return hundredths(envious, static_cast<std::int64_t>(set.size()));
}

}  // namespace

Hundredths hundredths(std::int64_t n, std::int64_t d) {
  const std::int64_t whole = 100 * n / d;
  const std::int64_t twice_rest = 2 * (100 * n % d);
  const bool up = twice_rest > d || (twice_rest == d && whole % 2 != 0);
  return whole + (up ? 1 : 0);
}

EnvyFilter::EnvyFilter(const Amounts& counts, const Amounts& own_values, int total_value)
    : counts_(counts), values_(own_values), prior_(valuations(counts, total_value)) {
  const std::size_t splits = all_splits(counts).size();
  if (splits * prior_.size() > kMaxBeliefSize) {
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("there are {} splits and {} valuations to weigh", splits, prior_.size()), {},
        "use fewer items or types");
  }
}

void EnvyFilter::propose(const Amounts& take) {
  own_ = take;
  proposed_.push_back(take);
}

EnvySets EnvyFilter::filtered(const std::vector<Amounts>& pool) const {
  EnvySets found;
  for (const Amounts& v : pool) {
    const auto their_offer = worth(rest(*offered_), v);
    if (!own_) {
      // Nothing was refused yet: its own proposal must not make it envious, that is all.
      if (their_offer >= worth(*offered_, v)) found.envious.push_back(v);
      continue;
    }
    const auto left_to_it = worth(rest(*own_), v);
    if (left_to_it < worth(*own_, v)) {
      if (their_offer >= worth(*offered_, v)) found.envious.push_back(v);
    } else if (their_offer > left_to_it) {
      found.greedy.push_back(v);
    }
  }
  return found;
}

void EnvyFilter::hear(const std::optional<Amounts>& take) {
  if (take) {
    offered_ = rest(*take);
    offers_.push_back(*offered_);
  }
  if (!offered_) return;
  if (own_ == offered_) return;  // agreed: nothing was turned down
  EnvySets found = filtered(own_ ? possible() : prior_);
  if (!found.known()) found = filtered(prior_);
  if (!found.known()) return;
  sets_ = std::move(found);
  pool_ = sets_.envious;
  pool_.insert(pool_.end(), sets_.greedy.begin(), sets_.greedy.end());
}

const std::vector<Amounts>& EnvyFilter::possible() const {
  return sets_.known() ? pool_ : prior_;
}

Hundredths EnvyFilter::envy_share() const {
  return sets_.known() ? hundredths(static_cast<std::int64_t>(sets_.envious.size()),
                                    static_cast<std::int64_t>(pool_.size()))
                       : 0;
}

Hundredths EnvyFilter::greed_share() const {
  return sets_.known() ? hundredths(static_cast<std::int64_t>(sets_.greedy.size()),
                                    static_cast<std::int64_t>(pool_.size()))
                       : 0;
}

int EnvyFilter::refused(const Amounts& take) const {
  if (std::find(offers_.begin(), offers_.end(), take) != offers_.end()) return 0;
  return static_cast<int>(std::count(proposed_.begin(), proposed_.end(), take));
}

Hundredths EnvyFilter::envy_free(const Amounts& take) const {
  const auto& pool = possible();
  const auto content = std::count_if(
      pool.begin(), pool.end(), [&](const Amounts& v) { return !envies(v, rest(take), take); });
  return hundredths(content, static_cast<std::int64_t>(pool.size()));
}

Hundredths EnvyFilter::acceptance(const Amounts& take, double deteriorate_rate) const {
  auto chance = static_cast<double>(envy_free(take));
  for (int i = refused(take); i > 0; --i) chance *= 1 - deteriorate_rate;
  return std::llround(chance);
}

Weighed EnvyFilter::weigh(const Amounts& take) const {
  const Amounts theirs = rest(take);
  Weighed weighed;
  weighed.score = worth(take, values_);
  weighed.their_score = worth(theirs, values_);
  weighed.envies = weighed.score < weighed.their_score;
  weighed.expected_if_envious = mean_worth(sets_.envious, theirs);
  weighed.expected_if_greedy = mean_worth(sets_.greedy, theirs);
  weighed.envy_if_envious = share_of_envy(sets_.envious, theirs, take);
  weighed.envy_if_greedy = share_of_envy(sets_.greedy, theirs, take);
  return weighed;
}

std::vector<SplitOption> EnvyFilter::options(double deteriorate_rate) const {
  std::vector<SplitOption> found;
  for (const Split& split : all_splits(counts_)) {
    const auto& [take, theirs] = split.parts;
    if (envies(values_, take, theirs)) continue;
    found.push_back(
        {take, worth(take, values_), acceptance(take, deteriorate_rate), refused(take)});
  }
  return found;
}

std::vector<SplitOption> EnvyFilter::fairer(const Amounts& draft, double deteriorate_rate) const {
  auto found = options(deteriorate_rate);
  std::erase_if(found, [&](const SplitOption& option) {
    return option.acceptance <= kEvenChance || option.take == draft;
  });
  return found;
}

std::vector<SplitOption> EnvyFilter::better(const Amounts& draft, double deteriorate_rate) const {
  auto found = options(deteriorate_rate);
  const auto score = worth(draft, values_);
  std::erase_if(found, [&](const SplitOption& option) {
    return option.score <= score || option.acceptance <= 0;
  });
  return found;
}

}  // namespace deal_or_no_deal
