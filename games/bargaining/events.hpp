#pragma once

#include <optional>

#include "bargaining/answers.hpp"

namespace bargaining {

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

}  // namespace bargaining
