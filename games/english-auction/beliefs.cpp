#include "english-auction/beliefs.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>

namespace english_auction {

namespace {

bool same_items(const std::vector<Won>& said, std::span<const std::string_view> truth) {
  for (const Won& won : said)
    if (std::find(truth.begin(), truth.end(), won.item) == truth.end()) return false;
  for (const std::string_view item : truth)
    if (std::none_of(said.begin(), said.end(), [&](const Won& won) { return won.item == item; }))
      return false;
  return true;
}

std::string list_of(std::span<const std::string_view> items) {
  if (items.empty()) return "no item";
  return fmt::format("{}", fmt::join(items, ", "));
}

}  // namespace

BeliefErrors check_belief(const Belief& belief, std::string_view self, agon::Money budget,
                          std::span<const TrueStanding> truth,
                          std::vector<std::string>* corrections) {
  BeliefErrors errors;
  const auto count = [&](bool is_self, bool wrong) {
    (is_self ? errors.self_total : errors.others_total) += 1;
    (is_self ? errors.self_errors : errors.others_errors) += wrong ? 1 : 0;
    return wrong && corrections != nullptr;
  };
  errors.budget_wrong = belief.remaining_budget != budget;
  if (count(true, errors.budget_wrong))
    corrections->push_back(fmt::format("you have {} left, not {}", money_text(budget),
                                       money_text(belief.remaining_budget)));
  for (const TrueStanding& standing : truth) {
    const std::string name(standing.bidder);
    const bool is_self = standing.bidder == self;
    if (const auto said = belief.total_profits.find(name); said != belief.total_profits.end())
      if (count(is_self, said->second != standing.profit))
        corrections->push_back(fmt::format(
            "{} is {}, not {}", is_self ? "your total profit" : "the total profit of " + name,
            money_text(standing.profit), money_text(said->second)));
    if (const auto said = belief.winning_bids.find(name); said != belief.winning_bids.end())
      if (count(is_self, !same_items(said->second, standing.items)))
        corrections->push_back(fmt::format("{} won {} so far", is_self ? "you have" : name + " has",
                                           list_of(standing.items)));
  }
  return errors;
}

}  // namespace english_auction
