#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <agon/outcome.hpp>
#include <agon/table.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "bargaining/game.hpp"
#include "bargaining/messages.hpp"
#include "bargaining/products.hpp"

/// What the game asks and says.
namespace bargaining {

inline constexpr agon::Stage<"buy", Message, BuyerView> kBuy{
    "Your message as the buyer: some talk and one action. buy makes an offer, reject makes none, "
    "deal takes an earlier offer of the seller at its price, quit walks away. Try to pay as "
    "little as you can; never pay more than your budget.",
    "buyer", &tell, &ends_match};
inline constexpr agon::Stage<"sell", Message, SellerView> kSell{
    "Your message as the seller: some talk and one action. sell makes an offer, reject makes "
    "none, deal takes an earlier offer of the buyer at its price, quit walks away. Try to get as "
    "much as you can; never sell below your cost.",
    "seller", &tell, &ends_match};

inline constexpr agon::Event<"listing", Listing> kListing{"what is bargained over", &tell};
inline constexpr agon::PrivateEvent<"private", BuyerFacts> kBuyerFacts{"what the buyer may spend",
                                                                       &tell};
inline constexpr agon::PrivateEvent<"private", SellerFacts> kSellerFacts{
    "what the product costs the seller", &tell};
inline constexpr agon::Note<"truth", Truth> kTruth{"budget, cost and where they come from", &tell};
inline constexpr agon::Event<"message", Saying> kSaying{"a side has spoken", &tell};
inline constexpr agon::Event<"end", Ending> kEnding{"the bargaining is over", &tell};

using Table =
    agon::Table<kBuy, kSell, kListing, kBuyerFacts, kSellerFacts, kTruth, kSaying, kEnding>;

/// Millionths of a cent: fine enough to hold a budget of at most six decimals times whole cents
/// without rounding.
using Micros = std::int64_t;
inline constexpr Micros kMicrosPerCent = 1'000'000;

/// What a match is about, exactly (Xia et al. 2024, section 3).
struct Terms {
  agon::Money list_price{};  ///< L
  agon::Money cost{};        ///< C
  Micros budget = 0;         ///< B, not rounded

  /// B - C.
  [[nodiscard]] constexpr Micros gap() const { return budget - cost.cents * kMicrosPerCent; }
  /// C <= B: some price serves both sides. Equality counts as mutual.
  [[nodiscard]] constexpr bool mutual() const { return gap() >= 0; }
  /// The budget in whole cents, rounded down: the highest price within it.
  [[nodiscard]] constexpr agon::Money affordable() const { return {budget / kMicrosPerCent}; }
  /// What affordable() leaves out.
  [[nodiscard]] constexpr Micros rest() const { return budget % kMicrosPerCent; }
  /// The budget that the published evaluation uses: where |B - C| is below a dollar it is moved to
  /// one dollar from C, on its own side, so that nothing is divided by a tiny number.
  [[nodiscard]] constexpr Micros guarded_budget() const {
    constexpr Micros dollar = 100 * kMicrosPerCent;
    if (gap() >= 0) return gap() < dollar ? budget - gap() + dollar : budget;
    return gap() > -dollar ? budget - gap() - dollar : budget;
  }
};

/// Terms of one product under the settings, which have passed check().
[[nodiscard]] Terms terms_of(const Product& product, const Settings& settings,
                             const BudgetFactor& factor);

/// What both sides get from a deal.
struct Profits {
  double buyer = 0;   ///< in cents
  double seller = 0;  ///< in cents
};

/// B - D and D - C, with the true budget.
[[nodiscard]] Profits profits(const Terms& terms, agon::Money price);

/// The same as the published evaluation has it: with the guarded budget.
[[nodiscard]] Profits published_profits(const Terms& terms, agon::Money price);

/// Profits over |B - C|, guarded: they sum to 1 where interests are mutual, else to -1.
[[nodiscard]] Profits normalised_profits(const Terms& terms, agon::Money price);

/// How far from the Nash bargaining solution (Nash 1950), here an equal split of B - C, as a share
/// of B - C, guarded: 0 is the equal split, 0.5 gives everything to one side. Only for mutual
/// interest.
[[nodiscard]] double split_distance(const Terms& terms, agon::Money price);

/// Are two prices the same offer? (Published evaluation; see Tolerance.)
[[nodiscard]] bool same_price(agon::Money a, agon::Money b, Tolerance tolerance);

/// Prices in words, each once.
[[nodiscard]] std::string prices_text(std::span<const agon::Money> prices);

/// All that has been said in a match, and the offers in it. Held in place.
class Session {
 public:
  /// Adds a message. A side makes offers only of its own kind: a BUY of the seller or a SELL of the
  /// buyer is kept as said, but it is no offer.
  void add(int turn, Side side, const Message& message);

  [[nodiscard]] std::span<const Utterance> history() const {
    return {history_.data(), history_.size()};
  }
  /// The prices that a side has offered, oldest first. A REJECT takes none of them back.
  [[nodiscard]] std::span<const agon::Money> offers(Side side) const {
    const auto& list = side == Side::buyer ? buys_ : sells_;
    return {list.data(), list.size()};
  }
  /// Does a DEAL of this side at this price take up any earlier offer of the other side?
  [[nodiscard]] bool takes_offer(Side side, agon::Money price, Tolerance tolerance) const;

 private:
  agon::InlineList<Utterance, 2 * kMaxTurnsLimit> history_;
  agon::InlineList<agon::Money, kMaxTurnsLimit> buys_;
  agon::InlineList<agon::Money, kMaxTurnsLimit> sells_;
};

/// Why a DEAL takes up no offer; empty if it does.
[[nodiscard]] std::string why_no_deal(const Session& session, Side side, const Message& message,
                                      Tolerance tolerance);

/// The end that a message of this side brings, judged before it is added to the session; nothing
/// while talk goes on.
[[nodiscard]] std::optional<End> end_after(const Session& session, Side side, const Action& action,
                                           Tolerance tolerance);

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

/// What follows from settings alone and all their matches share.
struct Prepared {
  BudgetFactor factor{};
  std::vector<std::size_t> candidates{};  ///< indices of products that can be drawn
};

/// Works it out. The settings have passed check().
[[nodiscard]] Prepared prepare(const Settings& settings);

/// One match (Xia et al. 2024, section 3 and published code).
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace bargaining
