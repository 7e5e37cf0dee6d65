#include "english-auction/game.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "english-auction/messages.hpp"
#include "english-auction/play.hpp"
#include "english-auction/settings.hpp"
#include "english-auction/strategies.hpp"
#include "english-auction/tables/tables.hpp"

namespace english_auction {

namespace {

constexpr std::string_view kPool[] = {
    "Widget A",     "Gadget B",    "Thingamajig C", "Doodad D",    "Equipment E", "Gizmo F",
    "Implement G",  "Apparatus H", "Contraption I", "Mechanism J", "Tool K",      "Device L",
    "Instrument M", "Utensil N",   "Appliance O",   "Machine P",   "Unit Q",      "Element R",
    "Component S",  "Piece T",     "Object U",      "Item V",      "Product W",   "Accessory X",
    "Module Y",     "Entity Z"};

bool is_expensive(char letter) {
  return letter == 'E' || letter == 'J' || letter == 'P' || letter == 'R';
}

std::size_t size_of(Arena arena) {
  switch (arena) {
    case Arena::demo:
      return 5;
    case Arena::ten:
      return 10;
    case Arena::twenty:
      return 20;
    case Arena::pool:
      break;
  }
  return std::size(kPool);
}

}  // namespace

std::vector<Item> item_pool() {
  std::vector<Item> items;
  for (const std::string_view name : kPool) {
    const std::int64_t scale = is_expensive(name.back()) ? 5000 : 1000;
    items.push_back({std::string(name), agon::major(scale), agon::major(2 * scale)});
  }
  return items;
}

std::vector<Item> items_for_sale(const Settings& settings) {
  if (!settings.items.empty()) return settings.items;
  std::vector<Item> items = item_pool();
  items.resize(size_of(settings.arena));
  return items;
}

std::vector<Bidder> bidders_at_seats(const Settings& settings) {
  std::vector<Bidder> bidders = settings.bidders;
  if (bidders.empty())
    for (int seat = 0; seat < settings.seats; ++seat) {
      bidders.push_back(settings.everyone);
      bidders.back().name.clear();  // one name cannot serve several seats
    }
  for (std::size_t seat = 0; seat < bidders.size(); ++seat) {
    if (bidders[seat].name.empty()) bidders[seat].name = fmt::format("Bidder {}", seat + 1);
    if (seat < settings.desires.size()) bidders[seat].desire = settings.desires[seat];
    if (bidders[seat].desire != Desire::absent) continue;
    bidders[seat].budget = agon::Money{0};
    bidders[seat].planning = Planning::none;
    bidders[seat].beliefs = bidders[seat].learning = false;
  }
  return bidders;
}

bool is_wanted(const Bidder& bidder, const Item& item) {
  return std::find(bidder.wanted.begin(), bidder.wanted.end(), item.name) != bidder.wanted.end();
}

Facts facts(const Settings& settings) {
  Facts facts;
  facts.bidders = static_cast<int>(bidders_at_seats(settings).size());
  facts.items = static_cast<int>(items_for_sale(settings).size());
  facts.markup = settings.markup;
  facts.most_rounds = settings.most_rounds;
  facts.discount =
      settings.discount
          ? fmt::format(
                "An item for which nobody bids is offered again at half its price, up to "
                "{} times.",
                settings.most_discounts)
          : "An item for which nobody bids stays unsold.";
  facts.among = settings.seller ? ". With you at the table are" : ", and bid against";
  facts.auction =
      settings.seller
          ? fmt::format(
                ". In this English auction {} puts up {} items one after another; prices rise, and "
                "the highest bid takes the item.",
                kSellerName, facts.items)
          : fmt::format(
                " in an English auction: {} items come up one after another, prices rise, and the "
                "highest bid takes the item.",
                facts.items);
  facts.account =
      settings.value_spread > 0 || !settings.given_values.empty()
          ? "your own profit so far (true value to you less price, over all items won; what others "
            "made of theirs nobody else knows), and for each bidder, you too, the items won with "
            "their prices"
          : "for each bidder, you too, the profit so far (true value less price, over all items "
            "won) and the items won with their prices";
  return facts;
}

namespace {

/// A paragraph on the seller; empty: none sits at the table.
std::string seller_text(const Settings& settings) {
  if (!settings.seller) return {};
  std::string text = fmt::format(
      "\nThe seller. {} sets the start price of each item before it comes up, between {}% and {}% "
      "of what it is listed at.",
      kSellerName, settings.least_start, settings.most_start);
  if (settings.reserve != Reserve::none)
    text += fmt::format(
        " It may also set a reserve, the least price at which it sells: if the leading bid is "
        "below "
        "it in the end, the item stays unsold. {}",
        settings.reserve == Reserve::open ? "Bidders are told the reserve."
                                          : "Bidders are not told whether there is one.");
  if (settings.seller_acts.value_or(false))
    text += fmt::format(
        " After each round of bidding in which somebody may still raise, {} may set another least "
        "raise for the item, from {}% to 100% of its start price; or end the bidding at once{}. It "
        "may also say something that all hear.",
        kSellerName, settings.markup,
        settings.reserve == Reserve::none
            ? ", which sells the item to the leader"
            : ", which sells the item to the leader if the leading bid reaches the reserve");
  return text + "\n";
}

/// A paragraph on messages; empty: nobody talks.
std::string talk_text(const Settings& settings) {
  if (settings.talk == 0) return {};
  const std::string_view when = settings.talk_time == TalkTime::auction ? "the first item"
                                : settings.talk_time == TalkTime::item ? "the bidding for each item"
                                                                       : "each round of bidding";
  const std::string rounds =
      settings.talk == 1 ? std::string("comes a round of messages: in it")
                         : fmt::format("come {} rounds of messages: in each", settings.talk);
  return fmt::format(
      "\nTalk. Before {} {} every bidder may send one message of at most {} characters to all "
      "other "
      "bidders, all at the same time. Who sends an empty one says nothing.{} Nobody is bound by "
      "what "
      "is said.\n",
      when, rounds, settings.talk_length,
      !settings.seller        ? ""
      : settings.seller_hears ? fmt::format(" {} reads them too.", kSellerName)
                              : fmt::format(" {} does not read them.", kSellerName));
}

}  // namespace

std::string rules_text(const Settings& settings) {
  const bool is_private = settings.value_spread > 0 || !settings.given_values.empty();
  const std::string values =
      is_private
          ? "Values. Each item has a true value for each bidder, not the same for all, which "
            "nobody "
            "knows before it is sold. You may have an estimate of what it is worth to you, which "
            "can "
            "be too high or too low. Whoever wins an item gains its true value to the winner and "
            "pays its own last bid: profit = true value - price, which is a loss if the price is "
            "higher. After a sale the winner alone is told the true value."
          : "Values. Each item has a true value, the same for every bidder, which nobody knows "
            "before "
            "it is sold. You may have an estimate of it, which can be too high or too low. Whoever "
            "wins an item gains its true value and pays its own last bid: profit = true value - "
            "price, which is a loss if the price is higher. After a sale everybody is told the "
            "true "
            "value.";
  std::string aims =
      settings.aim == Aim::relative
          ? "Aims. A bidder wants more profit than every other bidder, or more items than every "
            "other bidder, or more of certain items than every other bidder. "
          : "Aims. A bidder wants as much profit as possible, or as many items as possible, or as "
            "many as possible of certain items. ";
  if (settings.warn)
    aims +=
        "It may also be that a bidder bids to harm its rivals, or that it works for the seller and "
        "only means to drive up prices; nobody is told who. ";
  aims += "You are told your own aim only.";
  if (settings.seller)
    aims += fmt::format(" {} wants as much as possible of what bidders pay{}.", kSellerName,
                        settings.seller_cost > 0 ? ", less what the items sold cost it" : "");
  std::string text = fmt::format(
      R"({} bidders buy {} items, one after another, in an open ascending auction.

Money. Each bidder has a budget for the whole auction, which only that bidder knows. Nobody can bid more than it has left. Money that is not spent is worth nothing at the end.

{}

{}
{}{}
Bidding for one item goes in rounds:
- In each round everybody is asked at the same time except the leader and those who have withdrawn. You bid an amount, or you withdraw. A withdrawal is final for this item{}.
- The first bids must be at least the start price. Later ones must exceed the leading bid of the round before by at least {}% of the item's start price{}. Bids of the same round are not compared with each other: the highest of them leads.
- When several bidders share the highest bid, the leader is drawn from them by chance; the others are asked again in the next round.
- If the first bid for an item is the only one of its round, the item is sold for it at once. Otherwise the item is sold to the leader as soon as a round brings no new bid.
- A bid that breaks a rule is turned down with the reason, and you are asked again. If you keep breaking rules you are withdrawn.
- The bidding for one item ends after {} rounds at the latest.
)",
      bidders_at_seats(settings).size(), items_for_sale(settings).size(), values, aims,
      seller_text(settings), talk_text(settings),
      settings.discount ? ", unless it is offered again" : "", settings.markup,
      settings.seller_acts.value_or(false)
          ? fmt::format(", unless {} has set another least raise for the item", kSellerName)
          : "",
      settings.most_rounds);
  if (settings.discount)
    text += fmt::format(
        "\nWhen nobody bids for an item it is offered again at half its price, to everybody and up "
        "to {} times; then it stays unsold.\n",
        settings.most_discounts);
  else
    text += "\nAn item for which nobody bids stays unsold and does not come back.\n";
  return text;
}

namespace {

constexpr std::string_view kSection4 = "Chen et al. 2023, section 4";

constexpr agon::RateCard kRates[] = {
    {.name = "CFR of bids",
     .above = "failed_bids",
     .below = "total_bids",
     .what = "answers to the question for a bid that broke a rule of bidding; n: answers",
     .source = kSection4},
    {.name = "CFR of beliefs, self",
     .above = "belief_self_errors",
     .below = "belief_self_total",
     .what = "wrong figures about itself; n: figures checked",
     .source = kSection4},
    {.name = "CFR of beliefs, others",
     .above = "belief_others_errors",
     .below = "belief_others_total",
     .what = "wrong figures about the others; n: figures checked",
     .source = kSection4},
};

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Three bidders, ten items; legal bids are stated, ties are drawn evenly, three re-asks",
     .settings = "{}",
     .reasks = 3},
    {.name = "paper",
     .doc = "AucArena's set-up: bids are checked only once they are made, and bidders that do not "
            "plan see no estimates, and all live by their own account of the auction",
     .settings =
         R"({"guide_bids": false, "show_estimates": false, "opening_hint": true, "own_account": true})",
     .reasks = 3},
    {.name = "published-code",
     .doc = "Like `paper`, with the published code's uneven draw among tied bidders and, in place "
            "of its endless re-asking, twenty re-asks",
     .settings =
         R"({"guide_bids": false, "show_estimates": false, "opening_hint": true, "own_account": true, "ties": "repeated_coin"})",
     .reasks = 20},
    {.name = "twenty-items",
     .doc = "Three bidders with 20,000 dollars each, twenty items; otherwise like `agon`",
     .settings = R"({"arena": "twenty", "everyone": {"budget": 20000}})",
     .reasks = 3},
    {.name = "laboratory",
     .doc =
         "Three bidders and a seller, ten items, private values that are known: up to 40% above "
         "or below what the item is listed as worth; a hidden reserve, and talk before each item",
     .settings =
         R"({"value_spread": 40, "everyone": {"overestimate": 0, "planning": "none", "beliefs": false}, "seller": true, "talk": 1})",
     .reasks = 3},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  std::vector<agon::SeatCard> seats;
  for (const Bidder& bidder : bidders_at_seats(settings))
    seats.push_back({.name = bidder.name, .role = settings.seller ? "bidder" : ""});
  if (settings.seller) seats.push_back({.name = std::string(kSellerName), .role = "seller"});
  return seats;
}

}  // namespace

namespace {

constexpr agon::TalkMember kTalkMessages[] = {{"talk", "text"}};
constexpr agon::PrivateMember kTalkValues[] = {{.event = "private",
                                                .member = "budget",
                                                .words = "spending limit,budget,limit,maximum",
                                                .unit = "dollars",
                                                .understating = agon::Understating::serves},
                                               {.event = "private",
                                                .member = "items[].estimate",
                                                .label = "items[].item",
                                                .unit = "dollars",
                                                .understating = agon::Understating::serves}};
constexpr agon::TalkCard kTalkCard{.messages = kTalkMessages, .values = kTalkValues};

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "english-auction",
      {
          .title = "English Auction",
          .seats = {2, static_cast<int>(agon::kMaxSeats)},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Chen, Yuan, Ye, Majumder, Richardson: Put Your Money Where Your Mouth Is: "
                    "Evaluating Strategic Planning and Execution of LLM Agents in an Auction Arena "
                    "(AucArena), 2023, arXiv:2310.05746",
          .score =
              "profit in dollars for the desire profit; the number of items won for the desire "
              "items; the number of wanted items won for the desire specific_items; for spite, "
              "profit "
              "less `spite` percent of the mean of the other bidders' profits; for a shill and for "
              "a "
              "seller at the table, what buyers (bidders that are no shills) pay less what the "
              "items "
              "cost the seller. Ranks are by profit, whatever the desire; a seller's profit is its "
              "score",
          .disagreement =
              "0: no purchase, no sale. For spite, what it is if the rivals buy all that their "
              "budgets together can at start prices",
          .ideal =
              "the largest surplus (or number of items, or of wanted items) that the budget can "
              "buy at start prices with nobody else bidding; for a shill and a seller, every item "
              "at the highest value that a buyer has for it, as far as all buyers' budgets go",
          // No score_range: losses have no end, and an item at a discount brings more than `one`.
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .score_decimals = 2,
          .version = 6,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = kRates,
          .reference = "value-cap",
          .talk = &kTalkCard,
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  add_strategies(registry);
  add_tables(registry);
}

}  // namespace english_auction
