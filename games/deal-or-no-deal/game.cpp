#include "deal-or-no-deal/game.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/settings.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "deal-or-no-deal/workflows.hpp"

namespace deal_or_no_deal {

Facts facts(const Settings& s) {
  Facts facts;
  facts.total_value = s.total_value;
  facts.speaking = s.messages ? "Write your message to the other side."
                              : "You cannot say anything to the other side.";
  if (s.messages && s.claims == ClaimOrder::none)
    facts.secrecy = "Do not tell the other side what the items are worth to you.";
  facts.max_rounds = s.max_rounds;
  facts.max_turns = s.max_turns;
  facts.deal = s.deal_match == DealMatch::le
                   ? "There is a deal if no item is taken twice; what nobody takes is lost."
                   : "There is a deal only if every item is taken exactly once.";
  if (s.discount < 1)
    facts.discount = fmt::format(
        "From the third decision on, each decision multiplies both scores by {}.", s.discount);
  return facts;
}

namespace {

Amounts amounts_of(const std::vector<int>& numbers) {
  Amounts amounts;
  for (const int number : numbers) amounts.push_back(number);
  return amounts;
}

std::string label(const ListedInstance& listed, std::size_t position) {
  return listed.id.empty() ? fmt::format("instance {}", position)
                           : fmt::format("instance {} (\"{}\")", position, listed.id);
}

std::string problem_of(const ListedInstance& listed, const Settings& settings) {
  if (listed.values.size() != 2) return "values are not given for exactly two sides";
  if (std::max({listed.counts.size(), listed.values[0].size(), listed.values[1].size()}) >
      kMaxTypes) {
    return fmt::format("there are more than {} item types", kMaxTypes);
  }
  const Instance instance = instance_of(listed);
  const auto found = problems(instance);
  if (!found.empty()) return found.front();
  if (settings.total_value == 0) return {};
  for (std::size_t side = 0; side < 2; ++side) {
    const auto everything = worth(instance.counts, instance.values[side]);
    if (everything != settings.total_value) {
      return fmt::format(
          "everything is worth {} to side {}, but total_value is {}; set total_value to 0 if it "
          "differs",
          everything, side, settings.total_value);
    }
  }
  return {};
}

constexpr std::string_view kAgonPreset = R"({"instances": "instances"})";
constexpr std::string_view kPaperPreset =
    R"({"instances": "instances", "protocol": "negotiation", "messages": true, "max_rounds": 20,
        "deal_match": "le", "beliefs": true})";
constexpr std::string_view kOriginalPreset =
    R"({"instances": "instances", "protocol": "negotiation", "messages": true, "max_rounds": 10,
        "deal_match": "eq", "swap_sides": "drawn", "beliefs": false})";
constexpr std::string_view kOpenspielPreset =
    R"({"instances": "instances", "protocol": "alternating_offers", "messages": false,
        "max_turns": 10, "discount": 1, "prob_end": 0, "beliefs": false})";

// Ten tries of every answer are one attempt and nine re-asks.
constexpr agon::Preset kAllPresets[] = {
    {.name = "agon",
     .doc = "negotiation over the shipped instances, one stop rule for everybody",
     .settings = kAgonPreset,
     .reasks = 9},
    {.name = "paper",
     .doc = "the negotiation of Hua et al. 2024, spelt out (same rules as \"agon\")",
     .settings = kPaperPreset,
     .reasks = 9},
    {.name = "original",
     .doc = "Lewis et al. 2017: takes must add up exactly, chance decides who has which side, 20 "
            "messages",
     .settings = kOriginalPreset,
     .reasks = 9},
    {.name = "openspiel",
     .doc = "OpenSpiel's game bargaining with its defaults: alternating offers, no words",
     .settings = kOpenspielPreset,
     .reasks = 3},
};

}  // namespace

std::vector<std::string> usual_items() {
  return {"book", "hat", "ball"};
}

Instance instance_of(const ListedInstance& listed) {
  return {listed.id,
          listed.line,
          amounts_of(listed.counts),
          {amounts_of(listed.values[0]), amounts_of(listed.values[1])}};
}

std::string check(const Settings& settings) {
  std::set<std::string_view> names;
  for (const std::string& item : settings.items) {
    if (item.empty()) return "an item type has an empty name";
    if (!names.insert(item).second) return fmt::format("two item types are called \"{}\"", item);
  }
  const std::vector<std::string> usual = item_names(settings);
  for (std::size_t i = settings.items.size(); i < usual.size(); ++i) {
    if (names.contains(usual[i])) {
      return fmt::format("an item type is called \"{}\", as type {} is without a name of its own",
                         usual[i], i + 1);
    }
  }
  if (settings.protocol == Protocol::negotiation) {
    if (settings.discount < 1) return "discount is for alternating offers: leave it at 1";
    if (settings.prob_end > 0) return "prob_end is for alternating offers: leave it at 0";
  }
  if (settings.instances.empty()) {
    if (settings.instance) return "there is no list of instances to take a fixed instance from";
    if (settings.order == agon::Dealing::in_turn)
      return "there is no list of instances to deal in turn; give \"instances\" or leave order out";
    if (std::string problem = generator_problem(settings); !problem.empty()) return problem;
  }
  if (settings.instance &&
      static_cast<std::size_t>(*settings.instance) >= settings.instances.size()) {
    return fmt::format("instance is {}, but there are {} instances, counted from 0",
                       *settings.instance, settings.instances.size());
  }
  if (settings.instance && settings.order == agon::Dealing::in_turn)
    return "every block has the same instance: leave out instance or order";
  for (std::size_t i = 0; i < settings.instances.size(); ++i) {
    const std::string problem = problem_of(settings.instances[i], settings);
    if (!problem.empty()) {
      return fmt::format("{}: {}", label(settings.instances[i], i), problem);
    }
  }
  return {};
}

std::span<const agon::Preset> presets() {
  return kAllPresets;
}

namespace {

std::string negotiation_rules(const Settings& s) {
  std::string text = fmt::format(
      "You talk for at most {} round{}. In each round Alice sends one message and then Bob sends "
      "one. ",
      s.max_rounds, s.max_rounds == 1 ? "" : "s");
  text += s.messages ? "A message is free text and may carry a concrete proposal: what its writer "
                       "would take, the rest being for the other side. "
                     : "A message holds no text, but may carry a concrete proposal: what its "
                       "writer would take, the rest being for the other side. ";
  text +=
      "Proposals bind nobody. Either side may ask to stop talking. Talks stop after a round "
      "in which both sides have asked for it, after one in which one side has asked for it and at "
      "whose end the latest proposals of both sides are the same split, and after the last round.\n"
      "Then each side presents in private what it takes. ";
  text +=
      s.deal_match == DealMatch::le
          ? "If no item is taken twice, there is a deal, each side gets what it took, and items "
            "that nobody took are lost. "
          : "If every item is taken exactly once, there is a deal and each side gets what it "
            "took. ";
  text += "Otherwise, and if a side leaves without a deal, nobody gets anything.\n";
  return text;
}

std::string offer_rules(const Settings& s) {
  std::string text = fmt::format(
      "Alice makes an offer: what she would keep, the rest being for Bob. From then on the "
      "sides decide in turn: agree to the other side's last offer, which ends the game "
      "with that split, or make an offer of your own instead. Offers are binding. Offer number {} "
      "ends the game without a deal, so nobody can agree to it. ",
      s.max_turns);
  if (s.messages) text += "With each decision you may write a message to the other side. ";
  if (s.discount < 1) {
    text += fmt::format(
        "Time costs: from the third decision on, every decision, agreeing included, multiplies the "
        "scores of both sides by {}. ",
        s.discount);
  }
  if (s.prob_end > 0) {
    text += fmt::format(
        "Once both sides have moved, talks break down after an offer with probability {}. ",
        s.prob_end);
  }
  text += "Without a deal nobody gets anything.\n";
  return text;
}

std::vector<agon::SeatCard> seating(const Settings&) {
  return {{.name = "Alice"}, {.name = "Bob"}};
}

constexpr std::string_view kSection55 = "Hua et al. 2024, section 5.5";

constexpr agon::RateCard kRates[] = {
    {.name = "valuation precision",
     .above = "belief_precision",
     .what = "last reports that hold the other's true values; n: seats that reported",
     .source = kSection55},
    {.name = "valuation recall",
     .above = "belief_recall",
     .what = "1 / size of a last report that holds them, else 0; n: seats that reported",
     .source = kSection55},
    {.name = "valuation reduction",
     .above = "belief_reduction",
     .what = "share of the possible values that the last report rules out; n: seats that reported",
     .source = kSection55},
    {.name = "valuation precision, alike",
     .above = "belief_precision_alike",
     .what = "precision up to values with the same best splits; n: seats that reported",
     .source = kSection55},
    {.name = "valuation recall, alike",
     .above = "belief_recall_alike",
     .what = "recall up to values with the same best splits; n: seats that reported",
     .source = kSection55},
};

}  // namespace

std::string rules_text(const Settings& s) {
  std::string text =
      "Alice and Bob divide a small number of items of several types. Items cannot be cut. What an "
      "item is worth differs between the sides, and neither knows what it is worth to the other. ";
  if (s.total_value > 0) {
    text += fmt::format("All items together are worth {} points to either side. ", s.total_value);
  }
  text +=
      "Your score is what the items that you get are worth to you. Make it as high as you can.\n";
  if (s.claims != ClaimOrder::none) {
    text +=
        "Before anything else each side states what one item of each type is worth to it, or "
        "states "
        "nothing. ";
    text += s.claims == ClaimOrder::at_once
                ? "Both do so at the same time, and then both are told what was stated. "
                : "Alice does so first; Bob is told what she stated before he does. ";
    text += "Nothing checks whether it is true.\n";
  }
  text += s.protocol == Protocol::negotiation ? negotiation_rules(s) : offer_rules(s);
  return text + "Amounts are lists with one number for each item type, in the order of your items.";
}

namespace {

constexpr agon::TalkMember kTalkMessages[] = {{"message", "text"}, {"spoken-move", "text"}};
constexpr agon::TalkMember kTalkStated[] = {{"claim", "values.each"}};
constexpr agon::TalkMember kTalkOffers[] = {{"message", "proposal.take"},
                                            {"move", "action.offer.keep"},
                                            {"spoken-move", "action.offer.keep"}};
constexpr agon::TalkMember kTalkAgreements[] = {{"move", "action.agree"},
                                                {"spoken-move", "action.agree"}};
constexpr agon::PrivateMember kTalkValues[] = {{.event = "private",
                                                .member = "items[].value",
                                                .label = "items[].item",
                                                .count = "items[].count",
                                                .unit = "points"}};
constexpr agon::TalkCard kTalkCard{.messages = kTalkMessages,
                                   .values = kTalkValues,
                                   .stated = kTalkStated,
                                   .offers = kTalkOffers,
                                   .agreements = kTalkAgreements};

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "deal-or-no-deal",
      {
          .title = "Deal or No Deal",
          .seats = {2, 2},
          .rules_for = agon::hook<&rules_text>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Lewis, Yarats, Dauphin, Parikh, Batra: Deal or No Deal? End-to-End Learning "
                    "for Negotiation Dialogues, EMNLP 2017; Lanctot et al.: OpenSpiel, 2019 (game "
                    "\"bargaining\"); Hua et al.: Game-theoretic LLM: Agent Workflow for "
                    "Negotiation Games, 2024",
          .score =
              "points: what the seat's items are worth to it, times the discount; 0 without a deal",
          .disagreement = "0: no deal",
          .ideal = "what all items together are worth to the seat: its best with the other at 0 or "
                   "above",
          // Worths are 0 or more, nobody gets more than all items, and a discount only takes away.
          .score_range = agon::range(0, 1),
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = presets(),
          .cluster = "instance",
          .version = 2,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .rates = kRates,
          .reference = "concede",
          .talk = &kTalkCard,
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<EnvyFreeBayes>(
      {.id = "envy-free-bayes",
       .game = "deal-or-no-deal",
       .doc = "Proposes the split that is best for itself among those that may be envy-free, and "
              "learns from rejections what the other side may value. Accepts an offer that it does "
              "not envy and that is worth no less to it than what it would propose next.",
       .source = "Hua et al. 2024, Algorithm 1"}));
  registry.add(agon::agent<Concede>(
      {.id = "concede",
       .game = "deal-or-no-deal",
       .doc = "Aspires to everything at first and concedes in equal steps down to its reserve at "
              "the last decision. Proposes what reaches its aspiration and leaves the other side "
              "most items, those it values least first; accepts what reaches its aspiration.",
       .source = "time-dependent tactics: Faratin, Sierra, Jennings 1998, section 4.1"}));
  registry.add(agon::agent<ByClaims>(
      {.id = "by-claims",
       .game = "deal-or-no-deal",
       .doc = "Proposes the Nash bargaining split of the values that both sides stated, and "
              "accepts what is worth no less to it than that; at the last chance, anything. It "
              "states the truth, the lie that would serve it best, or nothing, and believes the "
              "other side or not.",
       .source = "Nash 1950; misreporting: Sobel 1981"}));
  registry.add(agon::agent<Mislead>(
      {.id = "mislead",
       .game = "deal-or-no-deal",
       .doc =
           "Plays as envy-free-bayes would with other values than its own: it states, turns down "
           "and proposes what serves it best if an envy-free-bayes believes these values. At "
           "the last chance it takes anything.",
       .source = "misreporting to a side that learns: Sobel 1981"}));
  add_workflows(registry);
  add_tables(registry);
}

}  // namespace deal_or_no_deal
