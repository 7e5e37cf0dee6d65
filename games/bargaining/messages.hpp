#pragma once

#include <agon/describe.hpp>
#include <agon/telling.hpp>
#include <optional>
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

/// How a match ended.
enum class End : std::uint8_t {
  buyer_deal,
  seller_deal,
  buyer_quit,
  seller_quit,
  buyer_action_error,
  seller_action_error,
  buyer_invalid_deal,
  seller_invalid_deal,
  turn_limit,
};
AGON_DESCRIBE_ENUM(End, (buyer_deal, "the buyer took an offer of the seller"),
                   (seller_deal, "the seller took an offer of the buyer"),
                   (buyer_quit, "the buyer walked away"), (seller_quit, "the seller walked away"),
                   (buyer_action_error, "the buyer gave no legal action"),
                   (seller_action_error, "the seller gave no legal action"),
                   (buyer_invalid_deal, "the buyer took an offer that was never made"),
                   (seller_invalid_deal, "the seller took an offer that was never made"),
                   (turn_limit, "no deal within the turns"))

/// The label that published result files use: "BUYER:deal", "turn limit". Invalid deals, which the
/// published code finds only in its evaluation, are "BUYER:invalid deal".
[[nodiscard]] constexpr std::string_view label(End end) {
  switch (end) {
    case End::buyer_deal:
      return "BUYER:deal";
    case End::seller_deal:
      return "SELLER:deal";
    case End::buyer_quit:
      return "BUYER:quit";
    case End::seller_quit:
      return "SELLER:quit";
    case End::buyer_action_error:
      return "BUYER:action error";
    case End::seller_action_error:
      return "SELLER:action error";
    case End::buyer_invalid_deal:
      return "BUYER:invalid deal";
    case End::seller_invalid_deal:
      return "SELLER:invalid deal";
    case End::turn_limit:
      return "turn limit";
  }
  return {};
}

/// Public, at the start. As all that is told at the start, it is in the view of every question, and
/// shown there.
struct Listing {
  Goods product{};
  int max_turns = 0;
};
AGON_DESCRIBE(Listing, (product, "what is bargained over", agon::unshown),
              (max_turns, "turns; in each the buyer speaks, then the seller", agon::unshown))

/// Private to the buyer, at the start.
struct BuyerFacts {
  agon::Money budget{};
  std::int64_t budget_rest = 0;
};
AGON_DESCRIBE(BuyerFacts,
              (budget, "your secret budget, rounded down to whole cents", agon::unit("dollars"),
               agon::unshown),
              (budget_rest, "what the rounding took away", agon::unit("millionths of a cent"),
               agon::unshown))

/// Private to the seller, at the start.
struct SellerFacts {
  agon::Money cost{};
};
AGON_DESCRIBE(SellerFacts, (cost, "your secret cost", agon::unit("dollars"), agon::unshown))

/// For the record only.
struct Truth {
  std::int64_t product = 0;
  agon::Money list_price{};
  agon::Money budget{};
  std::int64_t budget_rest = 0;
  agon::Money cost{};
  bool mutual = true;
};
AGON_DESCRIBE(Truth, (product, "index of the product in the list, from 0"),
              (list_price, "list price L"), (budget, "budget B, rounded down to whole cents"),
              (budget_rest, "what the rounding took away", agon::unit("millionths of a cent")),
              (cost, "cost C"), (mutual, "true: C <= B, a deal can serve both sides"))

/// Public: a message.
struct Saying {
  int turn = 0;
  Side side = Side::buyer;
  std::string talk{};
  Action action{Reject{}};
  std::string line{};
};
AGON_DESCRIBE(Saying, (turn, "turn, from 1"), (side, "who spoke"), (talk, "what was said"),
              (action, "what was done"), (line, "the action in its text form", agon::unshown))

/// Public: the end.
struct Ending {
  End how = End::turn_limit;
  std::string_view label{};
  std::optional<agon::Money> price{};
};
AGON_DESCRIBE(Ending, (how, "how it ended"),
              (label, "the same as published result files have it", agon::unshown),
              (price, "the price of the deal; null: there is none", agon::unit("dollars")))

/// The text form of an action on so many of one product, such as "[BUY] $10 (1x apple_1)" or
/// "[QUIT]": a price without needless zeros and without commas (Xia et al. 2024, published code).
[[nodiscard]] std::string action_text(const Action& action, std::string_view codename,
                                      int quantity = 1);

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const Listing& listing, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BuyerFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const SellerFacts& facts, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Truth& truth, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Saying& saying, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Ending& ending, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BuyerView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const SellerView& view, const agon::Scene& scene);
///@}

/// A message in a sentence: "The buyer offers to pay $50 and says: ...".
[[nodiscard]] std::string message_text(Side side, const Action& action, std::string_view talk,
                                       const agon::Scene& scene);
/// The product as both sides know it.
[[nodiscard]] std::string goods_text(const Goods& goods);

}  // namespace bargaining
