#include "auction-values/agents.hpp"

#include <algorithm>
#include <vector>

namespace auction_values {

std::string bidders_of(const agon::PlayedMatch& match) {
  std::vector<std::string_view> names;
  std::string text;
  for (const agon::PlayedSeat& seat : match.seats()) {
    if (std::find(names.begin(), names.end(), seat.base) != names.end()) continue;
    names.push_back(seat.base);
    text += (text.empty() ? "" : " + ") + std::string(seat.base);
  }
  return text;
}

std::string block_of(const agon::PlayedMatch& match) {
  return std::string(match.scenario()) + "/" + std::to_string(match.block());
}

}  // namespace auction_values
