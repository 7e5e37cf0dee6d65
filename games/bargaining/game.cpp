#include "bargaining/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <set>

#include "bargaining/messages.hpp"
#include "bargaining/play.hpp"
#include "bargaining/strategies.hpp"
#include "bargaining/tables/tables.hpp"

namespace bargaining {

Facts facts(const Settings& s) {
  return {.max_turns = s.max_turns};
}

namespace {

/// A codename stands in the text form of an action, where these marks have a meaning.
constexpr std::string_view kReservedMarks = ",()[]";

std::string check_product(const Product& product, std::size_t index) {
  if (const auto found = problems(product); !found.empty())
    return fmt::format("products[{}]: {}", index, found.front());
  if (product.codename.find_first_of(kReservedMarks) != std::string::npos)
    return fmt::format("products[{}]: the codename \"{}\" has one of {} in it", index,
                       product.codename, kReservedMarks);
  return {};
}

std::string check_choice(const Settings& s) {
  if (s.products.empty())
    return "there are no products; give a list or the name of a product file as \"products\"";
  if (s.product && static_cast<std::size_t>(*s.product) >= s.products.size())
    return fmt::format("product {} does not exist; the list has {}, counted from 0", *s.product,
                       s.products.size());
  if (s.product && s.order == agon::Dealing::in_turn)
    return "every block has the same product: leave out product or order";
  if (s.product && !s.category.empty()) return "give either a product or a category, not both";
  const auto fits = [&](const Product& p) { return p.category == s.category; };
  if (!s.category.empty() && std::none_of(s.products.begin(), s.products.end(), fits))
    return fmt::format("no product is of the category \"{}\"", s.category);
  return {};
}

std::string check_ceiling(const Settings& s, const BudgetFactor& factor) {
  if (s.price_ceiling == 0) return {};
  if (!s.budget && factor.numerator() > s.price_ceiling * factor.denominator())
    return fmt::format(
        "the factor lets the buyer spend more than the price ceiling of {} times "
        "the list price; raise price_ceiling, or set it to 0",
        s.price_ceiling);
  const auto lowest = std::min_element(
      s.products.begin(), s.products.end(),
      [](const Product& a, const Product& b) { return a.list_price_cents < b.list_price_cents; });
  const agon::Money ceiling{
      (s.product ? s.products[static_cast<std::size_t>(*s.product)] : *lowest).list_price_cents *
      s.price_ceiling};
  if ((s.budget && *s.budget > ceiling) || (s.cost && *s.cost > ceiling))
    return fmt::format(
        "budget or cost is above the price ceiling of {} times the list price; "
        "raise price_ceiling, or set it to 0",
        s.price_ceiling);
  return {};
}

}  // namespace

std::string check(const Settings& settings) {
  if (std::string reason = check_choice(settings); !reason.empty()) return reason;
  std::set<std::string_view> codenames;
  for (std::size_t i = 0; i < settings.products.size(); ++i) {
    const Product& product = settings.products[i];
    if (std::string reason = check_product(product, i); !reason.empty()) return reason;
    if (!codenames.insert(product.codename).second)
      return fmt::format("products[{}]: another product before it has the codename \"{}\"", i,
                         product.codename);
  }
  try {
    return check_ceiling(settings, BudgetFactor(settings.factor));
  } catch (const agon::Error& error) {
    return fmt::format("factor: {}; {}", error.problem(), error.hint());
  }
}

namespace {

/// Both sides read this, so that no figure in it may follow from budget or cost.
std::string rules(const Settings& s) {
  std::string text = fmt::format(
      "A buyer and a seller bargain over one piece of a product. Both know the product and its "
      "list price. The buyer alone knows the budget, the seller alone knows the cost.\n\n"
      "There {} at most {} turn{}. In each turn first the buyer and then the seller sends a "
      "message: some talk, which may be empty, and one action. Both go to the other side. Reasons "
      "that you give apart from the message stay private.\n\n"
      "A message does one of these:\n"
      "- offer: it names a price to buy or to sell at.\n"
      "- reject: it makes no offer now. Earlier offers of both sides stand.\n"
      "- deal: it takes an offer that the other side has made, any earlier one, not only the "
      "latest. The match ends with a deal.\n"
      "- quit: it walks away. The match ends without a deal.\n\n",
      s.max_turns == 1 ? "is" : "are", s.max_turns, s.max_turns == 1 ? "" : "s");
  // That a cent more or less is let pass is a matter of the evaluation: nobody need know it.
  text += "A deal must name the price of the offer that it takes; ";
  text += s.check_deals ? "anything else is turned down.\n"
                        : "if it names another price, the match ends at once as an invalid deal, "
                          "which counts as no deal.\n";
  if (!s.role_actions)
    text += "Who offers as only the other side can is heard, but that is no offer.\n";
  if (s.price_ceiling != 0)
    text += fmt::format("No price can be above {} times the list price, or below 0.\n",
                        s.price_ceiling);
  text +=
      "If no deal is made by the end of the last turn, there is none; so the buyer cannot take an "
      "offer that the seller makes in the last turn.";
  if (s.tell_score)
    text +=
        "\n\nA deal gives the buyer the budget less the price, and the seller the price less the "
        "cost. Without a deal both get 0. The budget may lie below the cost: then no price serves "
        "both.";
  return text;
}

std::vector<agon::SeatCard> seating(const Settings&) {
  return {{.name = "buyer", .role = "buyer"}, {.name = "seller", .role = "seller"}};
}

constexpr agon::Preset presets[] = {
    {.name = "agon",
     .doc = "Wrong actions and deals that take up no offer are turned down and asked for again.",
     .settings = R"({"products": "catalogue"})",
     .reasks = 3},
    {.name = "paper",
     .doc = "No second try: a wrong action or a deal that takes up no offer ends the match. Any "
            "price.",
     .settings =
         R"({"check_deals": false, "price_ceiling": 0, "tolerance": "cents", "tell_score": false})",
     .reasks = 0},
    {.name = "published-code",
     .doc = "As the paper, but a side that makes an offer of the other kind is not stopped, and "
            "prices "
            "are compared as binary dollars.",
     .settings =
         R"({"check_deals": false, "price_ceiling": 0, "role_actions": false, "tolerance": "binary", "tell_score": false})",
     .reasks = 0},
};

constexpr std::array<std::string_view, 1> kBuyerOnly{"buyer"};

}  // namespace

namespace {

constexpr agon::TalkMember kTalkMessages[] = {{"buy", "talk"}, {"sell", "talk"}};
constexpr agon::TalkMember kTalkOffers[] = {{"buy", "action.buy.price"},
                                            {"sell", "action.sell.price"}};
constexpr agon::TalkMember kTalkDeals[] = {{"buy", "action.deal"}, {"sell", "action.deal"}};
constexpr agon::PrivateMember kTalkValues[] = {
    {.event = "private",
     .member = "budget",
     .words = "reservation price,walk-away price,maximum price,max price,highest price,spending "
              "limit,price limit,upper limit,limit,budget,maximum,max,ceiling",
     .unit = "dollars",
     .understating = agon::Understating::serves},
    {.event = "private",
     .member = "cost",
     .words = "reservation price,walk-away price,minimum price,lowest price,price limit,lower "
              "limit,production cost,limit,cost,minimum,floor,bottom line",
     .unit = "dollars",
     .understating = agon::Understating::harms}};
constexpr agon::TalkCard kTalkCard{.messages = kTalkMessages,
                                   .values = kTalkValues,
                                   .offers = kTalkOffers,
                                   .agreements = kTalkDeals};

}  // namespace

agon::Game game() {
  return agon::game<&play, &prepare>(
      "bargaining",
      {
          .title = "Price bargaining",
          .seats = {2, 2},
          .rules_for = agon::hook<&rules>,
          .seating = agon::hook<&seating>,
          .check = agon::hook<&check>,
          .source = "Xia et al. 2024, Measuring Bargaining Abilities of LLMs: A Benchmark and A "
                    "Buyer-Enhancement "
                    "Method, Findings of ACL",
          .score = "profit in dollars: budget minus price for the buyer, price minus cost for the "
                   "seller; 0 "
                   "without a deal",
          .disagreement = "no deal: 0; undefined where the cost is above the budget",
          .ideal = "the whole of budget minus cost, in dollars; undefined where the cost is above "
                   "the budget",
          // No score_range: a price may be far above the budget or below the cost, and the pie
          // tiny.
          .seat_metrics = &agon::type_of<SeatMetrics>(),
          .match_metrics = &agon::type_of<MatchMetrics>(),
          .presets = presets,
          .cluster = "product",
          .stake = "list_price",
          .score_decimals = 2,
          .version = 2,
          .facts = &agon::type_of<Facts>(),
          .facts_for = agon::facts<&facts>,
          .reference = "time-dependent",
          .talk = &kTalkCard,
      });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<OfferGenerator>(
      {.id = "offer-generator",
       .game = "bargaining",
       .doc = "A buyer whose offers follow a ladder of shares of the budget, whatever the seller "
              "says; it takes an offer of the seller that is below its own next one.",
       .source = "Xia et al. 2024, section 5 (the offer generator of OG-Narrator)",
       .roles = kBuyerOnly}));
  registry.add(agon::agent<TimeDependent>(
      {.id = "time-dependent",
       .game = "bargaining",
       .doc = "Moves from an opening price to its own limit as time runs out: late (boulware), "
              "evenly or early (conceder). Takes what is at least as good as its next price.",
       .source = "Faratin, Sierra, Jennings 1998, section 4.2"}));
  registry.add(agon::agent<TitForTat>(
      {.id = "tit-for-tat",
       .game = "bargaining",
       .doc = "Opens with a price of its own and then comes as far towards the other side as the "
              "other side last came. Takes what is at least as good as its next price, and in its "
              "last turn anything within its limit.",
       .source = "Faratin, Sierra, Jennings 1998, section 4.2"}));
  registry.add(agon::agent<Adversary>(
      {.id = "adversary",
       .game = "bargaining",
       .doc = "Is after the other side's habits: anchors far out, does not move at all, or gives "
              "nothing while the other side gives. The persona 'adversary' has a model do the "
              "same.",
       .source = "Xia et al. 2024 (adversarial bargaining; no detail is published)"}));
  add_workflows(registry);
  add_tables(registry);
}

}  // namespace bargaining
