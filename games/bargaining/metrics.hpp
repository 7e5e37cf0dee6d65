#pragma once

#include <agon/describe.hpp>
#include <array>
#include <optional>

#include "bargaining/events.hpp"
#include "bargaining/session.hpp"
#include "bargaining/terms.hpp"

namespace bargaining {

/// What is measured of one side. A mean of a "per deal" metric is taken over deals only, as it is
/// undefined elsewhere; a sum of `snp` over matches is the published sum of normalised profits.
struct SeatMetrics {
  double profit = 0;
  double snp = 0;
  std::optional<double> snp_mutual{};
  std::optional<double> snp_conflict{};
  std::optional<double> share{};
  std::optional<double> share_mutual{};
  std::optional<double> share_conflict{};
  std::optional<bool> ahead{};
  std::optional<double> surplus_share{};
  std::optional<bool> loss_avoided{};
  double loss = 0;
  int offers = 0;
  std::optional<agon::Money> first_offer{};
  std::optional<agon::Money> last_offer{};
  bool wrong_action = false;
  int turned_down = 0;
};
AGON_DESCRIBE(SeatMetrics,
              (profit,
               "profit as published: budget or cost against price; budgets within a dollar of the "
               "cost are moved to a dollar; 0 without a deal",
               agon::unit("dollars"), agon::in_cents, agon::Better::higher,
               agon::source("Xia et al. 2024, section 3")),
              (snp, "normalised profit P': profit over |B - C|; 0 without a deal",
               agon::Better::higher, agon::source("Xia et al. 2024, section 3")),
              (snp_mutual, "the same, only where C <= B", agon::Better::higher),
              (snp_conflict, "the same, only where C > B", agon::Better::higher),
              (share, "normalised profit per deal", agon::Better::higher),
              (share_mutual, "normalised profit per deal where C <= B: the part of the pie",
               agon::Better::higher),
              (share_conflict, "normalised profit per deal where C > B", agon::Better::higher),
              (ahead,
               "per deal: more than half, that is above 0.5 where C <= B and above -0.5 elsewhere",
               agon::Better::higher),
              (surplus_share, "score over B - C; 0 without a deal; undefined where C >= B",
               agon::Better::higher),
              (loss_avoided, "where C > B: no deal, or none at a loss", agon::Better::higher),
              (loss, "what a deal beyond the own limit cost; else 0", agon::unit("dollars"),
               agon::in_cents, agon::at_least(0), agon::Better::lower),
              (offers, "offers made", agon::at_least(0)),
              (first_offer, "the first offer", agon::unit("dollars")),
              (last_offer, "the last offer", agon::unit("dollars")),
              (wrong_action, "this side gave no legal action, or a deal that takes up no offer",
               agon::Better::lower),
              (turned_down, "attempts that were turned down", agon::at_least(0),
               agon::Better::lower))

/// What is measured of a match. Means over matches are rates: of `deal` the deal rate over all
/// matches, of `deal_if_valid` over valid ones, of `deal_mutual` over valid ones with C <= B.
struct MatchMetrics {
  std::int64_t product = 0;
  bool mutual = false;
  bool conflict = false;
  bool valid = false;
  bool wrong_action = false;
  bool deal = false;
  std::optional<bool> deal_if_valid{};
  std::optional<bool> deal_mutual{};
  std::optional<bool> deal_conflict{};
  std::optional<bool> efficiency{};
  std::optional<double> split_distance{};
  std::optional<bool> in_zone{};
  bool quit = false;
  bool turn_limit = false;
  int turns = 0;
  int messages = 0;
  int buy_offers = 0;
  int sell_offers = 0;
  agon::Money list_price{};
  double budget = 0;
  agon::Money cost{};
  std::optional<agon::Money> price{};
};
AGON_DESCRIBE(
    MatchMetrics,
    (product, "index of the product in the list, from 0: the item that matches cluster by"),
    (mutual, "C <= B: mutual interest"), (conflict, "C > B: conflicting interest"),
    (valid, "something was said and nobody gave a wrong action", agon::Better::higher),
    (wrong_action, "somebody gave no legal action, or a deal that takes up no offer",
     agon::Better::lower),
    (deal, "a deal was closed"), (deal_if_valid, "the same, of valid matches"),
    (deal_mutual, "the same, of valid matches with C <= B", agon::Better::higher),
    (deal_conflict, "the same, of valid matches with C > B", agon::Better::lower),
    (efficiency, "the possible gain B - C was realised; undefined where C > B",
     agon::Better::higher),
    (split_distance,
     "per deal where C <= B: distance from the Nash bargaining solution, as a share of B - C",
     agon::at_least(0), agon::Better::lower, agon::source("Nash 1950")),
    (in_zone, "per deal where C <= B: the price lies within C..B", agon::Better::higher),
    (quit, "somebody walked away"), (turn_limit, "ended by the limit of turns"),
    (turns, "turns begun", agon::unit("turns"), agon::at_least(0)),
    (messages, "messages sent", agon::at_least(0)),
    (buy_offers, "BUY offers of the buyer", agon::at_least(0)),
    (sell_offers, "SELL offers of the seller", agon::at_least(0)),
    (list_price, "list price L", agon::unit("dollars")),
    (budget, "budget B, not rounded", agon::unit("dollars"), agon::in_cents),
    (cost, "cost C", agon::unit("dollars")), (price, "price D of the deal", agon::unit("dollars")))

/// How a match came out, before it is scored.
struct Result {
  End end = End::turn_limit;
  agon::Money price{};  ///< of a deal
  int turns = 0;        ///< turns begun
  std::array<int, 2> turned_down{};
};

[[nodiscard]] constexpr bool is_deal(End end) {
  return end == End::buyer_deal || end == End::seller_deal;
}

/// Did this side give a wrong action?
[[nodiscard]] constexpr bool is_wrong(End end, Side side) {
  return side == Side::buyer ? end == End::buyer_action_error || end == End::buyer_invalid_deal
                             : end == End::seller_action_error || end == End::seller_invalid_deal;
}

[[nodiscard]] SeatMetrics seat_metrics(const Terms& terms, const Session& session,
                                       const Result& result, Side side);
[[nodiscard]] MatchMetrics match_metrics(const Terms& terms, const Session& session,
                                         const Result& result, std::size_t product);

}  // namespace bargaining
