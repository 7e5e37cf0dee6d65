#pragma once

#include <agon/table.hpp>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "english-auction/bidding.hpp"
#include "english-auction/settings.hpp"

namespace english_auction {

/// One bidder, with what follows from the settings.
struct PreparedBidder {
  Bidder settings;
  std::vector<std::string_view> wanted;
  std::vector<agon::Money> estimates;  ///< by item as listed
  bool sees_estimates = true;
  std::uint64_t wants = 0;  ///< bit i: item i as listed is wanted
  double one = 0;           ///< see SeatOutcome::one
};

/// A tie whose winner is given.
struct PreparedTie {
  int item = 0;   ///< as listed
  int round = 0;  ///< 0-based
  int winner = 0;
};

/// What is worked out once for given settings.
struct Prepared {
  Prepared() = default;
  Prepared(Prepared&&) = default;
  Prepared& operator=(Prepared&&) = default;
  ~Prepared() = default;
  // Views point into the strings here.
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::vector<Item> items;
  std::vector<PreparedBidder> bidders;
  std::vector<int> pinned;  ///< by place in the sale: item as listed, or -1: drawn
  std::vector<int> loose;   ///< items that are not pinned, as listed
  std::vector<PreparedTie> ties;
  War::Rules war;
  agon::InlineList<int, agon::kMaxSeats> learners, planners, replanners, believers;
  agon::Money best_value;  ///< most true value that all budgets together can buy at start prices
};

/// Why settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// Works out what all matches of these settings share.
[[nodiscard]] Prepared prepare(const Settings& settings);

/// Scores are shown with two decimals, since most are amounts in cents; so an item counts as 1.00
/// where a bidder wants items rather than profit.
inline constexpr int kScoreOfItem = 100;

/// The best that a bidder alone can reach at start prices: the largest surplus (in cents) that its
/// budget can buy, or the largest number of items, or of wanted items.
[[nodiscard]] std::int64_t best_alone(const Bidder& bidder, const std::vector<Item>& items);

}  // namespace english_auction
