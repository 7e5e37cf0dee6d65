#include "clock-auction/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>

#include "clock-auction/messages.hpp"
#include "clock-auction/play.hpp"
#include "clock-auction/strategies.hpp"

namespace clock_auction {

namespace {

/// Rounds that know nothing of each other are so many single auctions.
int told_rounds(const Settings& s) {
  return s.history || s.plan || s.reflect ? s.rounds : 1;
}

}  // namespace

Facts facts(const Settings& settings) {
  Facts facts;
  const auction_values::Source drawn = auction_values::source_of(settings);
  facts.bidders = settings.bidders;
  facts.rounds = told_rounds(settings);
  facts.step = settings.step;
  facts.ceiling = ceiling(settings);
  facts.currency = auction_values::currency_name(settings.currency);
  facts.values = auction_values::values_text(drawn, facts.rounds, facts.currency);
  facts.objective = auction_values::goal_text(settings.values, facts.rounds);
  const bool falls = settings.clock == Clock::dutch;
  facts.act = falls ? "take the item" : "leave";
  facts.otherwise = falls ? "taken the item earlier, or waited for longer"
                          : "left earlier, or stayed in for longer";
  if (!settings.history) facts.apart = "round";
  facts.rivals = settings.bidders - 1;
  facts.auctions = settings.rounds;
  facts.start = settings.start;
  facts.clock = settings.clock;
  facts.value_model = settings.values;
  facts.common_low = drawn.common[0];
  facts.common_high = drawn.common[1];
  facts.own_low = drawn.own[0];
  facts.own_high = drawn.own[1];
  return facts;
}

std::string rules_text(const Settings& settings) {
  const Facts f = facts(settings);
  const bool falls = settings.clock == Clock::dutch;
  const auto amount = [&](int n) { return auction_values::amount_text(n, settings.currency); };
  std::string text = fmt::format(
      "{} bidders compete for one item{}, in an auction in which the price moves by itself.\n\n"
      "Values. {}\n\n",
      f.bidders, f.rounds == 1 ? "" : fmt::format(" in each of {} rounds", f.rounds), f.values);
  if (falls)
    text += fmt::format(
        "The clock. The price starts at {} and falls by {} from call to call, the last time by "
        "what is left, down to {}. At each "
        "call everybody is asked at the same time whether to take the item at that price. The "
        "first to take it gets it and pays that price; if several take it at the same call, one of "
        "them is drawn evenly. If nobody has taken it at the last call, it stays unsold.",
        amount(f.ceiling), amount(f.step), amount(settings.start));
  else
    text += fmt::format(
        "The clock. The price starts at {0} and rises by {1} from call to call. At each call "
        "everybody who is still in is asked at the same time whether to stay in at that price or "
        "to leave. Who has left does not come back{2}. As soon as one bidder alone is still in, "
        "that bidder gets the item and pays the price at which the last rival left. If all who "
        "were in leave at the same call, one of them is drawn evenly, gets the item and pays that "
        "price. At {3} the clock stops: of those who would still stay, one is drawn evenly, gets "
        "the item and pays that.\n\n",
        amount(settings.start), amount(f.step), f.rounds == 1 ? "" : " in that round",
        amount(f.ceiling));
  if (settings.clock == Clock::ascending)
    text +=
        settings.opponents == Named::all
            ? "After each call all are told how many have left at it, but not who."
            : "After each call all are told how many have left at it, and at the next one which "
              "rivals are still in.";
  if (settings.clock == Clock::ascending_blind)
    text += settings.opponents == Named::all
                ? fmt::format("Nobody is told{} whether others have left.",
                              f.rounds == 1 ? "" : " during a round")
                : "How many leave at a call is not told, but at each call every bidder is told "
                  "which rivals are still in.";
  if (settings.history && settings.rounds > 1)
    text += "\n\nAfter a round you are told what the item was sold for and what you gained.";
  text += "\n\nAims. " + f.objective;
  return text;
}

int ceiling(const Settings& settings) {
  return settings.ceiling.value_or(
      auction_values::seen_range(auction_values::source_of(settings))[1]);
}

std::string check(const Settings& settings) {
  if (settings.values == auction_values::ValueModel::common)
    return "values are common, which the clock has no rules for: set them to independent or "
           "affiliated, or play sealed-bid";
  std::string reason =
      auction_values::check(auction_values::source_of(settings), settings.bidders, settings.rounds);
  if (!reason.empty()) return reason;
  const int top = ceiling(settings);
  if (settings.start > top)
    return fmt::format("start is {}, above {}, where the clock {} (ceiling)", settings.start, top,
                       settings.clock == Clock::dutch ? "begins to fall" : "stops");
  if ((top - settings.start) / settings.step > 100'000)
    return fmt::format("from {} to {} in steps of {} are more than 100000 prices: make step larger",
                       settings.start, top, settings.step);
  return {};
}

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Three bidders, ten rounds, values in two parts of 0 to 20; a blind clock is blind, "
            "earlier rounds are shown, plans and lessons are asked for",
     .reasks = 3},
    {.name = "paper",
     .doc =
         "The published clock: rounds that know nothing of each other, without plans before them "
         "or lessons after them; a plan and a reflection are written with every action",
     .settings = R"({"plan": false, "reflect": false, "history": false, "written": true})",
     .reasks = 3},
    {.name = "published-code",
     .doc = "Like `paper`, with the flaw of the published program that a blind clock names the "
            "rivals who are still in, and so gives their exits away",
     .settings =
         R"({"plan": false, "reflect": false, "history": false, "written": true, "opponents": "remaining"})",
     .reasks = 3},
    {.name = "dutch",
     .doc = "Our own falling clock, over independent values of 0 to 99",
     .settings = R"({"clock": "dutch", "values": "independent"})",
     .reasks = 3},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return auction_values::seating(settings.bidders);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>(
      "clock-auction",
      {
          .title = "Clock Auction",
          .seats = {auction_values::kMinBidders, auction_values::kMaxBidders},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Shah, Zhu, Jiang, Wang, Dayi, Horton, Parkes: Learning from Synthetic Labs: "
                    "Language Models as Auction Participants, 2025, arXiv:2507.09083, after Li: "
                    "Obviously Strategy-Proof Mechanisms, 2017; the falling clock is our own",
          .score =
              "profit over all rounds, in whole units of the currency: value less price where the "
              "bidder won",
          .disagreement = "0: nothing won",
          .ideal =
              "every round whose value is above the lowest price that the clock shows, won at it",
          // No price is below the lowest that the clock shows; losses have no end.
          .score_range = agon::at_most(1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = kPresets,
          .version = 3,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = auction_values::kWrittenRates,
          .reference = "equilibrium-bid",
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Truthful>(
      {.id = "truthful",
       .game = "clock-auction",
       .doc = "Stays in while the price is below its value; with a falling clock takes the item "
              "at its value.",
       .source = "Li 2017: dominant with a rising clock, and seen to be so without thought"}));
  registry.add(agon::agent<Shade>({.id = "shade",
                                   .game = "clock-auction",
                                   .doc = "Plays as if its value were a share of what it is."}));
  registry.add(agon::agent<EquilibriumBid>(
      {.id = "equilibrium-bid",
       .game = "clock-auction",
       .doc = "With a rising clock its value; with a falling one the equilibrium bid of the "
              "first-price auction, which is known for independent values only.",
       .source = "Vickrey 1961",
       .check = agon::hook<&why_not>}));
  add_tables(registry);
}

}  // namespace clock_auction
