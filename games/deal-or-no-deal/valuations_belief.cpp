#include "deal-or-no-deal/valuations_belief.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>

#include "deal-or-no-deal/valuations.hpp"

namespace deal_or_no_deal {
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

}  // namespace deal_or_no_deal
