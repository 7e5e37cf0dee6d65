#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// A message or an offer, as somebody reads it who waits for its text.
struct Spoken {
  int seat = 0;
  std::string text;
  std::optional<Amounts> take;  ///< what its writer proposes to take
};

/// What a side sees, out of the JSON of a TalkView, an OfferView or a BeliefView.
struct Talk {
  std::vector<std::string> items;
  Amounts counts;
  Amounts values;
  int total_value = 0;  ///< 0: not known of the other side
  int round = 0;        ///< from 1; 0 for an OfferView
  std::vector<Spoken> said;
};

/// Reads it. Throws agon::Error for anything else.
[[nodiscard]] Talk read_talk(std::string_view view_json);

/// Is that a part of what is on the table?
[[nodiscard]] bool lies_within(const Amounts& part, const Amounts& counts);

/// "1 book, 0 hats and 2 balls".
[[nodiscard]] std::string items_text(const Talk& talk, const Amounts& part);

}  // namespace deal_or_no_deal
