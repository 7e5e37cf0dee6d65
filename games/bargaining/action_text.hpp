#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bargaining/answers.hpp"

namespace bargaining {

/// So many of one product.
struct Item {
  std::int64_t quantity = 1;  ///< at least 1
  std::string name;           ///< without , ( ) [ ]
  friend bool operator==(const Item&, const Item&) = default;
};

/// What a text action means. BUY, SELL and DEAL have items, REJECT and QUIT have none.
struct TextAction {
  Action action{Reject{}};
  std::vector<Item> items{};
  friend bool operator==(const TextAction&, const TextAction&) = default;
};

/// The text form of an action on so many of one product, such as "[BUY] $10 (1x apple_1)" or
/// "[QUIT]": a price without needless zeros and without commas (Xia et al. 2024, published code).
[[nodiscard]] std::string action_text(const Action& action, std::string_view codename,
                                      int quantity = 1);

/// The same of any items.
[[nodiscard]] std::string action_text(const TextAction& action);

/// Reads an action out of a text. Every word of capitals in square brackets is an action, and the
/// last one counts. BUY, SELL and DEAL are followed by a blank, a dollar sign and a price (commas
/// and decimals allowed), a blank and a list in parentheses: "2x apple_1, 1 pear_3". REJECT and
/// QUIT must not be followed by both. The price is rounded to cents as cents_of() does. Nothing
/// when there is no action, the last one is unknown, or its price or list is missing, wrong or too
/// many.
[[nodiscard]] std::optional<TextAction> read_action(std::string_view text);

/// Is this about exactly one of this product, or about none (REJECT, QUIT)?
[[nodiscard]] bool is_about(const TextAction& action, std::string_view codename);

/// The three one-line fields of a text reply. A field that is missing is empty.
struct TextReply {
  std::string_view thought;
  std::string_view talk;
  std::string_view action;
};

/// Finds the first "Thought: ", "Talk: " and "Action: " of a text and takes the rest of their
/// lines (Xia et al. 2024, published code). The views point into the text.
[[nodiscard]] TextReply read_reply(std::string_view text);

}  // namespace bargaining
