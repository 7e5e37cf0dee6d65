#pragma once

#include <span>
#include <string>
#include <vector>

#include "english-auction/answers.hpp"

namespace english_auction {

/// What is true of one bidder.
struct TrueStanding {
  std::string_view bidder;
  agon::Money profit;
  std::vector<std::string_view> items;
};

/// How a belief compares with the truth. Each figure that was given counts once: the budget, and
/// for each bidder named its profit and the set of its items.
struct BeliefErrors {
  bool budget_wrong = false;
  int self_errors = 0;
  int self_total = 0;
  int others_errors = 0;
  int others_total = 0;

  [[nodiscard]] bool any() const { return self_errors + others_errors > 0; }
};

/// Compares a belief with the truth (AucArena, section 3.2, and its code). Names that are no bidder
/// are ignored, bidders left out are no error, prices of won items are not compared. Names are the
/// same if they are equal, not if one contains the other. Each error adds a sentence with the true
/// figures to `corrections`, if given.
[[nodiscard]] BeliefErrors check_belief(const Belief& belief, std::string_view self,
                                        agon::Money budget, std::span<const TrueStanding> truth,
                                        std::vector<std::string>* corrections);

}  // namespace english_auction
