#pragma once

#include <agon/describe.hpp>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace bargaining {

/// The two sides; the value is the seat.
enum class Side : std::uint8_t { buyer, seller };
AGON_DESCRIBE_ENUM(Side, (buyer, "wants the product within the budget"),
                   (seller, "wants more than the cost"))

/// The seat across the table.
[[nodiscard]] constexpr Side other(Side side) {
  return side == Side::buyer ? Side::seller : Side::buyer;
}

// ---- what a seat answers (Xia et al. 2024, section 3) -------------------------------------------

/// The buyer's offer to buy.
struct Buy {
  agon::Money price{};
  friend bool operator==(const Buy&, const Buy&) = default;
};
AGON_DESCRIBE(Buy, (price, "what you offer to pay", agon::unit("dollars"), agon::at_least(0)))

/// The seller's offer to sell.
struct Sell {
  agon::Money price{};
  friend bool operator==(const Sell&, const Sell&) = default;
};
AGON_DESCRIBE(Sell, (price, "what you ask for it", agon::unit("dollars"), agon::at_least(0)))

/// No offer now; talk goes on, and earlier offers stand.
struct Reject {
  friend bool operator==(const Reject&, const Reject&) = default;
};
AGON_DESCRIBE(Reject)

/// Takes up an offer of the other side: any earlier one, not only the latest.
struct Deal {
  agon::Money price{};
  friend bool operator==(const Deal&, const Deal&) = default;
};
AGON_DESCRIBE(Deal, (price, "the price of the other side's offer that you take",
                     agon::unit("dollars"), agon::at_least(0)))

/// Walks away: no deal.
struct Quit {
  friend bool operator==(const Quit&, const Quit&) = default;
};
AGON_DESCRIBE(Quit)

/// What a message does.
using Action = std::variant<Buy, Sell, Reject, Deal, Quit>;

/// Most bytes of talk in one message.
inline constexpr std::size_t kMaxTalk = 4000;

/// A message to the other side. Private reasons do not belong in it.
struct Message {
  std::string talk{};
  Action action{Reject{}};
};
AGON_DESCRIBE(
    Message, (talk, "what you say to the other side; may be empty", agon::length(0, kMaxTalk)),
    (action,
     "what you do: make an offer, make none now (reject), take an earlier offer of the other side "
     "(deal) or walk away (quit)"))

/// Whether the side has no more to decide after it: it takes an offer, or walks away.
[[nodiscard]] inline bool ends_match(const Message& message) {
  return std::holds_alternative<Deal>(message.action) ||
         std::holds_alternative<Quit>(message.action);
}

// ---- what a seat sees ---------------------------------------------------------------------------

/// What both sides know of the product.
struct Goods {
  std::string_view codename{};
  std::string_view category{};
  std::string_view title{};
  std::string_view description{};
  agon::Money list_price{};
  int quantity = 1;
};
AGON_DESCRIBE(Goods, (codename, "short name of the product"), (category, "kind of product"),
              (title, "the product"), (description, "more about it; may be empty"),
              (list_price, "list price, known to both sides", agon::unit("dollars")),
              (quantity, "how many are wanted"))

/// A message as both sides have heard it.
struct Utterance {
  int turn = 0;
  Side side = Side::buyer;
  std::string talk{};
  Action action{Reject{}};
};
AGON_DESCRIBE(Utterance, (turn, "turn, from 1"), (side, "who spoke"), (talk, "what was said"),
              (action, "what was done"))

/// What the buyer sees with a question.
struct BuyerView {
  Goods product{};
  agon::Money budget{};
  std::int64_t budget_rest = 0;
  int turn = 1;
  int turns_left = 1;
  int max_turns = 1;
  std::span<const agon::Money> seller_offers{};
  std::span<const Utterance> history{};
};
AGON_DESCRIBE(BuyerView, (product, "what you want to buy"),
              (budget, "your secret budget, rounded down to whole cents", agon::unit("dollars")),
              (budget_rest, "what the rounding took away", agon::unit("millionths of a cent"),
               agon::unshown),
              (turn, "this turn, from 1"),
              (turns_left, "messages you can still send, this one too"),
              (max_turns, "turns of the whole match"),
              (seller_offers, "prices the seller has offered, oldest first; a deal takes one",
               agon::unit("dollars")),
              (history, "all messages so far, oldest first"))

/// What the seller sees with a question.
struct SellerView {
  Goods product{};
  agon::Money cost{};
  int turn = 1;
  int turns_left = 1;
  int max_turns = 1;
  std::span<const agon::Money> buyer_offers{};
  std::span<const Utterance> history{};
};
AGON_DESCRIBE(SellerView, (product, "what you want to sell"),
              (cost, "your secret cost", agon::unit("dollars")), (turn, "this turn, from 1"),
              (turns_left, "messages you can still send, this one too"),
              (max_turns, "turns of the whole match"),
              (buyer_offers, "prices the buyer has offered, oldest first; a deal takes one",
               agon::unit("dollars")),
              (history, "all messages so far, oldest first"))

}  // namespace bargaining
