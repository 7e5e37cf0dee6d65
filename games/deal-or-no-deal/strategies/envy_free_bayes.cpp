#include "deal-or-no-deal/strategies/envy_free_bayes.hpp"

#include "deal-or-no-deal/strategies/position.hpp"
#include "deal-or-no-deal/valuations_belief.hpp"

namespace deal_or_no_deal {
namespace {

void report(agon::Question& question, const Belief& belief) {
  auto* answer = question.answer<BeliefReport>();
  if (answer == nullptr) return question.decline();
  const auto probabilities = belief.probabilities();
  answer->candidates.clear();
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] > 0) {
      answer->candidates.push_back({listed(belief.candidates()[i]), probabilities[i]});
    }
  }
  if (answer->candidates.empty()) question.decline();
}

}  // namespace

void EnvyFreeBayes::answer(agon::Question& question) const {
  const auto position = position_of(question);
  if (!position) return question.decline();
  const auto seat = static_cast<std::size_t>(position->seat);
  Belief belief(position->counts, position->values, seat,
                {params_.lambda, params_.gamma, position->total_value});
  for (const Amounts& part : position->rejected) belief.reject(part);
  if (question.is_probe()) return report(question, belief);

  // The likelihood of a rejection in Algorithm 1 says who accepts: somebody who does not envy and
  // for whom no split that may be envy-free is strictly better. This side accepts by the same rule.
  const auto best = belief.proposal();
  const Amounts propose = best ? best->parts[seat] : position->counts;
  bool no_envy = false;
  bool accept = false;
  if (position->offered) {
    const auto& offered = *position->offered;
    no_envy = !envies(position->values, offered, minus(position->counts, offered));
    const bool good_enough =
        !best || worth(offered, position->values) >= worth(propose, position->values);
    accept = no_envy && (good_enough || params_.accept == Accepts::any ||
                         (params_.yield && position->is_last()));
  }
  // With talks over, an offer without envy is better than takes that do not fit.
  const bool settles = no_envy && (params_.yield || position->offered == position->own_latest);
  const Amounts last_take = settles ? *position->offered : position->own_latest.value_or(propose);
  play_proposal(question, *position, accept, propose, last_take);
}

agon::AgentCard EnvyFreeBayes::card() {
  agon::AgentCard card;
  card.id = "envy-free-bayes";
  card.game = "deal-or-no-deal";
  card.doc =
      "Proposes the split that is best for itself among those that may be envy-free, and learns "
      "from rejections what the other side may value. Accepts an offer that it does not envy and "
      "that is worth no less to it than what it would propose next.";
  card.source = "Hua et al. 2024, Algorithm 1";
  return agon::agent<EnvyFreeBayes>(card);
}

}  // namespace deal_or_no_deal
