#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "english-auction/settings.hpp"
#include "english-auction/views.hpp"

namespace english_auction {

/// What a bidder has said in answer to probes. Matches of bidders that answer none never make one.
struct Mind {
  std::string past_log;
  std::vector<std::string> past_tips;
  std::vector<std::string> tips;

  Belief belief;                      ///< before the last item
  std::optional<Belief> next_belief;  ///< after it, until all have answered
  std::vector<Standing> standings;    ///< of all bidders by `belief`; points into it
  std::vector<std::string> corrections;

  std::array<std::int8_t, kMaxItems> first_plan{};  ///< by item as listed; 0: not planned
  std::array<std::int8_t, kMaxItems> held_plan{};   ///< when the item came up
};

/// Brings `mind.standings` up to date with `mind.belief`.
void restate(Mind& mind, std::span<const std::string_view> bidders);

}  // namespace english_auction
