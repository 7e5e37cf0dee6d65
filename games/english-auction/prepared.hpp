#pragma once

#include <agon/table.hpp>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "english-auction/bidding.hpp"
#include "english-auction/settings.hpp"
#include "english-auction/yardsticks.hpp"

namespace english_auction {

/// One bidder, with what follows from the settings.
struct PreparedBidder {
  Bidder settings;
  std::vector<std::string_view> wanted;
  std::vector<agon::Money> estimates;  ///< by item as listed
  bool sees_estimates = true;
  std::uint64_t wants = 0;  ///< bit i: item i as listed is wanted
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
  /// Each bidder's value of each item, a row a bidder; where values are private, of those that are
  /// given only, and else that of the item.
  std::vector<agon::Money> values;
  std::vector<bool> given;  ///< which of them are given
  bool is_private = false;
  bool draws_values = false;  ///< some are drawn in each match, and yardsticks with them
  Yardsticks yardsticks;
};

/// Why settings make no sense together; empty if they do.
[[nodiscard]] std::string check(const Settings& settings);

/// Works out what all matches of these settings share.
[[nodiscard]] Prepared prepare(const Settings& settings);

}  // namespace english_auction
