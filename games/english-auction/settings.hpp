#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>
#include <vector>

namespace english_auction {

/// Most items in one auction, most rounds of bidding for one item, and the largest amount of money
/// in settings (in cents; products of two amounts must fit 64 bits).
inline constexpr int kMaxItems = 64;
inline constexpr int kMaxRounds = 256;
inline constexpr double kMostCents = 1e9;

/// What a bidder is after.
enum class Desire {
  profit,          ///< the sum of true value minus price over the items won
  items,           ///< the number of items won
  specific_items,  ///< the number of wanted items won
  spite,           ///< profit minus a share of the mean of the rivals' profits
  shill,           ///< what the seller gains from the other bidders
  absent,          ///< it is not there
};
AGON_DESCRIBE_ENUM(
    Desire, (profit, "as much profit as possible: true value minus price paid"),
    (items, "as many items as possible, whatever they are worth"),
    (specific_items, "as many as possible of certain wanted items"),
    (spite, "its own profit less `spite` percent of the mean of the other bidders' profits"),
    (shill,
     "in league with the seller: what the other bidders pay, less what the items cost the seller; "
     "what it wins itself goes back to the seller and brings nothing"),
    (absent,
     "it is not there: it has no money and is asked nothing, so that an auction without it can be "
     "held against one with it. The others are not told"))

/// How bidders after profit, items or certain items are told their aim.
enum class Aim { absolute, relative };
AGON_DESCRIBE_ENUM(
    Aim, (absolute, "each wants as much as possible of what it is after"),
    (relative,
     "each wants more of it than every other bidder, so that it may pay to overbid, or "
     "to bid only to harm a rival"))

/// When bidders may talk.
enum class TalkTime { auction, item, round };
AGON_DESCRIBE_ENUM(TalkTime, (auction, "once, before the first item"),
                   (item, "before the bidding for each item"),
                   (round, "before each round of bidding"))

/// What bidders know of the least price at which the seller sells.
enum class Reserve { none, open, hidden };
AGON_DESCRIBE_ENUM(Reserve, (none, "there is none: the leader in the end gets the item"),
                   (open, "the seller sets one for each item, and all are told"),
                   (hidden, "the seller sets one for each item, and nobody is told"))

/// Whether and when a bidder is asked to rate the items still to come.
enum class Planning { none, once, adaptive };
// Written out because the papers' word for `once` is a keyword of the language.
constexpr std::string_view agon_name(const Planning*) {
  return "Planning";
}
constexpr std::array<agon::Enumerator, 3> agon_enumerators(const Planning*) {
  return {{{"none", "never asked for a plan", static_cast<std::int64_t>(Planning::none)},
           {"static", "asked for a plan before the first item only",
            static_cast<std::int64_t>(Planning::once)},
           {"adaptive", "asked for a plan before the first item, and again after every item",
            static_cast<std::int64_t>(Planning::adaptive)}}};
}

/// How the leader is drawn among equal highest bids of one round.
enum class TieRule { uniform, repeated_coin };
AGON_DESCRIBE_ENUM(
    TieRule, (uniform, "every tied bidder is equally likely to lead"),
    (repeated_coin,
     "a fair coin between the leader so far and each further tied bidder in turn, so "
     "that the last one leads with probability 1/2 (AucArena's published code)"))

/// Ready-made lists of items.
enum class Arena { demo, ten, twenty, pool };
AGON_DESCRIBE_ENUM(Arena, (demo, "five items, A to E, one of them expensive"),
                   (ten, "ten items, A to J, two of them expensive (E and J)"),
                   (twenty, "twenty items, A to T, four of them expensive (E, J, P and R)"),
                   (pool, "all 26 items, A to Z"))

/// One thing for sale.
struct Item {
  std::string name;
  agon::Money price = agon::major(1000);
  agon::Money value = agon::major(2000);
};
AGON_DESCRIBE(Item, (name, "name of the item, unlike all others", agon::length(1, 60)),
              (price, "start price", agon::range(1, kMostCents), agon::unit("dollars")),
              (value, "true value, the same for every bidder and unknown until it is sold",
               agon::range(0, kMostCents), agon::unit("dollars")))

/// One seat.
struct Bidder {
  std::string name;
  agon::Money budget = agon::major(10000);
  Desire desire = Desire::profit;
  std::vector<std::string> wanted;
  int spite = 50;
  int overestimate = 10;
  Planning planning = Planning::adaptive;
  bool beliefs = true;
  bool correct_beliefs = true;
  bool learning = false;
};
AGON_DESCRIBE(
    Bidder, (name, "name that all see; empty: Bidder 1, Bidder 2, ...", agon::length(0, 40)),
    (budget, "money to spend in the whole auction", agon::range(0, kMostCents),
     agon::unit("dollars"), agon::source("AucArena, section 4: 10,000 to 30,000")),
    (desire, "what the bidder is after", agon::source("AucArena, section 3.1")),
    (wanted, "names of the wanted items, for the desire specific_items", agon::length(0, 64)),
    (spite, "weight of the mean of the other bidders' profits, for the desire spite",
     agon::range(0, 1000), agon::unit("percent"),
     agon::source("Morgan, Steiglitz and Reis 2003, The Spite Motive and Equilibrium Behavior in "
                  "Auctions")),
    (overestimate,
     "how far the bidder's estimates lie above the true values; below zero: under them",
     agon::range(-100, 1000), agon::unit("percent"), agon::source("AucArena, section 4: 10 %")),
    (planning, "whether it is asked for a plan, and how often",
     agon::source("AucArena, section 3.2")),
    (beliefs, "whether it is asked after every item how the auction stands",
     agon::source("AucArena, section 3.2")),
    (correct_beliefs,
     "if asked: whether it is told the true figures and asked again when it is wrong",
     agon::source("AucArena, section 3.2")),
    (learning, "whether it reads its last auction of a sequence first and writes tips for this one",
     agon::source("AucArena, appendix on learning")))

/// Who leads after one tie, instead of a draw.
struct TieWinner {
  std::string item;
  int round = 1;
  std::string winner;
};
AGON_DESCRIBE(TieWinner, (item, "name of the item", agon::length(1, 60)),
              (round, "round of bidding in which the tie comes up, from 1",
               agon::range(1, kMaxRounds)),
              (winner,
               "name of the bidder who then leads; if it is not among the tied, the draw stands",
               agon::length(1, 40)))

/// What an item is worth to one bidder.
struct GivenValue {
  std::string bidder;
  std::string item;
  agon::Money value;
};
AGON_DESCRIBE(GivenValue, (bidder, "name of the bidder", agon::length(1, 40)),
              (item, "name of the item", agon::length(1, 60)),
              (value, "what it is worth to that bidder", agon::range(0, kMostCents),
               agon::unit("dollars")))

/// All settings of an auction.
struct Settings {
  Arena arena = Arena::ten;
  std::vector<Item> items;
  bool shuffle = true;
  std::vector<std::string> order;
  int seats = 3;
  Bidder everyone;
  std::vector<Bidder> bidders;
  int markup = 10;
  bool discount = false;
  int most_discounts = 3;
  int most_rounds = 200;
  TieRule ties = TieRule::uniform;
  std::vector<TieWinner> tie_winners;
  int belief_checks = 4;
  bool show_estimates = true;
  bool guide_bids = true;
  bool opening_hint = false;
  bool own_account = false;
  int value_spread = 0;
  std::vector<GivenValue> given_values;
  std::vector<Desire> desires;
  bool warn = false;
  int talk = 0;
  TalkTime talk_time = TalkTime::item;
  int talk_length = 500;
  bool seller = false;
  bool seller_hears = false;
  Reserve reserve = Reserve::hidden;
  int seller_cost = 0;
  int seller_overestimate = 10;
  int least_start = 50;
  int most_start = 200;
  std::optional<Aim> aim;
  std::optional<bool> check_prices;
  std::optional<bool> sum_up;
  std::optional<bool> seller_acts;
};
AGON_DESCRIBE(
    Settings, (arena, "which ready-made list of items is sold"),
    (items, "items of your own, sold instead of the arena's", agon::length(0, kMaxItems),
     agon::data_file("agon.english-auction.items/1")),
    (shuffle, "sell the items in an order drawn by chance; false: in the order listed",
     agon::source("AucArena, section 4")),
    (order,
     "names of the items in the order of sale; \"*\", and every place past the end, is filled "
     "from the items not named, shuffled or as listed",
     agon::length(0, kMaxItems)),
    (seats, "number of bidders, if `bidders` is empty", agon::range(2, 16)),
    (everyone, "the bidder that all seats are, if `bidders` is empty"),
    (bidders, "the bidders one by one, in the order of the seats", agon::length(0, 16)),
    (markup, "least raise over the leading bid, as a share of the item's start price",
     agon::range(1, 100), agon::unit("percent"), agon::source("AucArena, section 4: 10 %")),
    (discount,
     "offer an item again at half its price when nobody bids for it; false: it stays unsold"),
    (most_discounts, "how often one item's price is halved at most", agon::range(1, 10),
     agon::source("AucArena's code: 3")),
    (most_rounds, "after so many rounds the hammer falls to the leader",
     agon::range(1, kMaxRounds)),
    (ties, "how the leader is drawn among equal highest bids of one round"),
    (tie_winners, "ties whose winner is given instead of drawn", agon::length(0, 4096)),
    (belief_checks,
     "how many answers to one belief question are checked at most; the one after is taken as it is",
     agon::range(1, 10), agon::source("AucArena's code: 4")),
    (show_estimates,
     "show bidders without planning their estimates too; false: only those who plan see any",
     agon::source("AucArena's code: false")),
    (guide_bids,
     "state the lowest and highest legal bid as limits of the question; false: bids are only "
     "checked once they are made, so that keeping to the rules is part of the test"),
    (opening_hint,
     "say, with the first question of each item, that low openings and small raises are common",
     agon::source("AucArena's code: true")),
    (own_account,
     "once an item is sold, models and people read only their own last account (`beliefs`) of "
     "money, profit and sales, and not the true figures; programs are given these all the same",
     agon::source("AucArena's code: true")),
    (value_spread,
     "private values: how far each bidder's true value of an item, drawn evenly, may lie above or "
     "below the item's; 0: the item's value is that of all",
     agon::range(0, 100), agon::unit("percent")),
    (given_values,
     "private values by bidder and item, given instead of drawn; what is not named is drawn as "
     "`value_spread` says",
     agon::length(0, 1024)),
    (desires,
     "what bidders are after, in the order of the seats, instead of the desires in `everyone` and "
     "`bidders`; empty: as these say",
     agon::length(0, 16)),
    (warn,
     "whether the rules warn that a bidder may bid out of spite, or for the seller; who does is "
     "never told"),
    (talk, "rounds of messages among the bidders, as often as `talk_time` says; 0: nobody talks",
     agon::range(0, 20)),
    (talk_time, "when bidders talk"),
    (talk_length, "the longest message", agon::range(1, 4000), agon::unit("characters")),
    (seller,
     "whether a seller sits at the table, as the last seat: it sets the start price and the "
     "reserve of each item before it comes up"),
    (seller_hears, "whether a seller at the table hears what bidders say to each other"),
    (reserve, "the least price at which a seller at the table sells"),
    (seller_cost,
     "what an item costs its seller, or is worth to it unsold, as a share of the item's "
     "value",
     agon::range(0, 100), agon::unit("percent")),
    (seller_overestimate,
     "how far the estimates of a seller at the table lie above the items' values",
     agon::range(-100, 1000), agon::unit("percent")),
    (least_start, "lowest start price that a seller may set, as a share of the item's",
     agon::range(1, 100), agon::unit("percent")),
    (most_start, "highest start price and reserve that a seller may set, as a share of the item's",
     agon::range(100, 1000), agon::unit("percent")),
    (aim,
     "how bidders after profit, items or certain items are told their aim; scores and ranks do not "
     "depend on it. Null: absolute",
     agon::left_out, agon::source("AucArena's prompts: relative")),
    (check_prices,
     "whether a wrong price of an item won counts as a wrong account, and corrections state "
     "prices; "
     "null or false: only which items are compared",
     agon::left_out,
     agon::source("AucArena, section 4: winning bids are compared; its code: names alone")),
    (sum_up,
     "whether bidders with beliefs also sum up, in the same answer, what was notable in what the "
     "others did, and read that again with their account; null: no",
     agon::left_out, agon::source("AucArena, section 3.2, and its prompts: true")),
    (seller_acts,
     "whether a seller at the table acts in the middle of the bidding too: after each round that "
     "does not end it, the seller may change the least raise, end the bidding or say something; "
     "null: no",
     agon::left_out, agon::source("Chen et al. 2023, appendix C: an auctioneer of its own will")))

/// What a seller at the table is called.
inline constexpr std::string_view kSellerName = "Seller";

/// The 26 items of AucArena's published pool (Chen et al. 2023, section 4 and code), in order.
/// Cheap ones start at 1000 dollars and are worth 2000, expensive ones at 5000 and 10,000.
[[nodiscard]] std::vector<Item> item_pool();

/// What is for sale: the settings' own items, or those of the arena.
[[nodiscard]] std::vector<Item> items_for_sale(const Settings& settings);

/// The bidders, one a seat, with their names filled in.
[[nodiscard]] std::vector<Bidder> bidders_at_seats(const Settings& settings);

/// Is the item among those that the bidder wants?
[[nodiscard]] bool is_wanted(const Bidder& bidder, const Item& item);

}  // namespace english_auction
