#include "deal-or-no-deal/valuations.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {
namespace {

/// Fills `valuation` from type `valuation.size()` on, so that the rest is worth exactly `rest`.
void extend(const Amounts& counts, int rest, Amounts valuation, std::vector<Amounts>& list) {
  const std::size_t type = valuation.size();
  if (type + 1 == counts.size()) {
    if (rest % counts[type] != 0) return;
    valuation.push_back(rest / counts[type]);
    list.push_back(valuation);
    if (list.size() > kMaxValuations) {
      throw agon::Error(agon::ErrorKind::invalid,
                        fmt::format("the items {} can be valued in more than {} ways", text(counts),
                                    kMaxValuations),
                        {}, "use fewer types or a smaller total value");
    }
    return;
  }
  for (int value = 0; value * counts[type] <= rest; ++value) {
    Amounts next = valuation;
    next.push_back(value);
    extend(counts, rest - value * counts[type], next, list);
  }
}

}  // namespace

std::vector<Amounts> valuations(const Amounts& counts, int total_value) {
  const bool countable = std::all_of(counts.begin(), counts.end(),
                                     [](int count) { return count >= 1 && count <= kMaxCount; });
  if (counts.empty() || !countable || total_value < 0 || total_value > kMaxValue) {
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("the items {} cannot be valued at {} together", text(counts), total_value), {},
        "use counts from 1 and a total value from 0");
  }
  std::vector<Amounts> list;
  extend(counts, total_value, {}, list);
  return list;
}

std::vector<std::size_t> optimal_splits(const Amounts& counts, const Amounts& own,
                                        const Amounts& other) {
  const Instance game{{}, 0, counts, {own, other}};
  std::vector<std::size_t> best;
  std::int64_t best_joint = -1;
  std::size_t position = 0;
  for (const Split& split : all_splits(counts)) {
    if (envy_free(game, split)) {
      const auto both = scores(game, split);
      const auto joint = both[0] + both[1];
      if (joint > best_joint) best.clear();
      if (joint >= best_joint) best.push_back(position);
      best_joint = std::max(best_joint, joint);
    }
    ++position;
  }
  return best;
}

std::vector<Amounts> indistinguishable(const Amounts& counts, const Amounts& own,
                                       const Amounts& truth, std::span<const Amounts> candidates) {
  const auto wanted = optimal_splits(counts, own, truth);
  std::vector<Amounts> alike;
  for (const Amounts& candidate : candidates) {
    const auto found = optimal_splits(counts, own, candidate);
    if (!found.empty() && std::includes(wanted.begin(), wanted.end(), found.begin(), found.end())) {
      alike.push_back(candidate);
    }
  }
  return alike;
}

EstimateQuality judge_estimate(std::span<const Amounts> estimate,
                               std::span<const Amounts> acceptable, std::size_t prior_size) {
  std::size_t hits = 0;
  for (const Amounts& candidate : estimate) {
    if (std::find(acceptable.begin(), acceptable.end(), candidate) != acceptable.end()) ++hits;
  }
  const auto size = static_cast<double>(estimate.size());
  EstimateQuality quality;
  quality.precision = hits > 0 ? 1 : 0;
  quality.recall = estimate.empty() ? 0 : static_cast<double>(hits) / size;
  quality.reduction = 1 - size / static_cast<double>(prior_size);
  return quality;
}

namespace {

/// Relative difference up to which two probabilities are the same.
constexpr double kTieTolerance = 1e-12;

bool clearly_more(double a, double b) {
  return a - b > kTieTolerance * std::max(a, b);
}

void require_share(double share, const char* name) {
  if (share >= 0 && share <= 1) return;
  throw agon::Error(agon::ErrorKind::invalid, fmt::format("{} is {}", name, share), {},
                    "use a number from 0 to 1");
}

}  // namespace

Belief::Belief(const Amounts& counts, const Amounts& own_values, std::size_t side,
               const BeliefOptions& options)
    : counts_(counts),
      own_values_(own_values),
      side_(side),
      options_(options),
      splits_(all_splits(counts)),
      candidates_(valuations(counts, options.total_value)),
      weights_(candidates_.size(), 1.0) {
  require_share(options.lambda, "lambda");
  require_share(options.gamma, "gamma");
  if (own_values.size() != counts.size()) {
    throw agon::Error(
        agon::ErrorKind::invalid,
        fmt::format("there are {} values for {} item types", own_values.size(), counts.size()), {},
        "give one value for each type");
  }
  if (splits_.size() * candidates_.size() > kMaxBeliefSize) {
    throw agon::Error(agon::ErrorKind::invalid,
                      fmt::format("there are {} splits and {} valuations to weigh", splits_.size(),
                                  candidates_.size()),
                      {}, "use fewer items or types");
  }
  if (side > 1) {
    throw agon::Error(agon::ErrorKind::invalid, fmt::format("there is no side {}", side), {},
                      "use 0 or 1");
  }
}

double Belief::total_weight() const {
  double sum = 0;
  for (const double weight : weights_) sum += weight;
  return sum;
}

std::vector<double> Belief::probabilities() const {
  const double sum = total_weight();
  std::vector<double> shares;
  shares.reserve(weights_.size());
  for (const double weight : weights_) shares.push_back(weight / sum);
  return shares;
}

Split Belief::split_of(const Amounts& own_part) const {
  const Amounts rest = minus(counts_, own_part);
  return side_ == 0 ? Split{{own_part, rest}} : Split{{rest, own_part}};
}

double Belief::envy_free_weight(const Split& split) const {
  if (envies(own_values_, mine(split), theirs(split))) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (!envies(candidates_[i], theirs(split), mine(split))) sum += weights_[i];
  }
  return sum;
}

std::optional<Split> Belief::proposal() const {
  std::optional<Split> best;
  std::int64_t best_score = 0;
  double best_weight = 0;
  for (const Split& split : splits_) {
    const auto score = worth(mine(split), own_values_);
    if (best && score < best_score) continue;
    const double weight = envy_free_weight(split);
    if (weight <= 0) continue;
    if (!best || score > best_score || clearly_more(weight, best_weight)) {
      best = split;
      best_score = score;
      best_weight = weight;
    }
  }
  return best;
}

void Belief::believe(const Amounts& values) {
  const auto at = std::find(candidates_.begin(), candidates_.end(), values);
  if (at == candidates_.end()) return;
  std::fill(weights_.begin(), weights_.end(), 0.0);
  weights_[static_cast<std::size_t>(at - candidates_.begin())] = 1;
}

void Belief::reject(const Amounts& own_part) {
  const Split rejected = split_of(own_part);
  std::vector<const Split*> possible;
  for (const Split& split : splits_) {
    if (envy_free_weight(split) > 0) possible.push_back(&split);
  }
  std::vector<double> posterior;
  posterior.reserve(weights_.size());
  double sum = 0;
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    const Amounts& candidate = candidates_[i];
    double likelihood = 0;
    if (envies(candidate, theirs(rejected), mine(rejected))) {
      likelihood = 1;
    } else {
      const auto offered = worth(theirs(rejected), candidate);
      const bool greedy = std::any_of(possible.begin(), possible.end(), [&](const Split* split) {
        return worth(theirs(*split), candidate) > offered;
      });
      if (greedy) likelihood = options_.gamma;
    }
    posterior.push_back(likelihood * weights_[i]);
    sum += posterior.back();
  }
  // The factor 1 / (1 + gamma) of all likelihoods cancels, so it never enters.
  if (!(sum > 0)) return;
  if (options_.lambda < 1) {
    const double scale = total_weight() / sum;
    for (std::size_t i = 0; i < posterior.size(); ++i) {
      const double kept = (1 - options_.lambda) * weights_[i];
      const double learnt = options_.lambda * scale * posterior[i];
      posterior[i] = kept + learnt;
    }
  }
  const double largest = *std::max_element(posterior.begin(), posterior.end());
  for (double& weight : posterior) weight /= largest;
  weights_ = std::move(posterior);
}

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

void EnvyFilter::believe(const Amounts& values, bool checks) {
  if (std::find(prior_.begin(), prior_.end(), values) == prior_.end()) return;
  if (checks) unstated_ = prior_;
  prior_ = {values};
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
  if (!found.known() && !unstated_.empty()) {
    prior_ = std::move(unstated_);
    unstated_.clear();
    found = filtered(prior_);
  }
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
