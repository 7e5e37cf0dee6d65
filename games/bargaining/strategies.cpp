#include "bargaining/strategies.hpp"

#include <agon/error.hpp>
#include <agon/inline_list.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"

namespace bargaining {

std::optional<agon::Money> cents_of(double dollars) {
  if (!(dollars >= 0 && dollars < 0x1.0p53)) return std::nullopt;
  const auto bits = std::bit_cast<std::uint64_t>(dollars);
  const auto raw_exponent = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = bits & 0xFFFFFFFFFFFFFULL;
  // A number below 2^-60 has no share in a cent; this takes the subnormal ones away too.
  if (raw_exponent < 1023 - 60) return agon::Money{0};
  // dollars = mantissa / 2^shift, and mantissa * 100 stays below 2^60.
  const std::uint64_t hundredfold = (fraction | 1ULL << 52) * 100;
  const int shift = 1023 + 52 - raw_exponent;
  if (shift == 0) return agon::Money{static_cast<std::int64_t>(hundredfold)};
  if (shift >= 64) return agon::Money{0};
  const std::uint64_t floor = hundredfold >> shift;
  const std::uint64_t rest = hundredfold & ((1ULL << shift) - 1);
  const std::uint64_t half = 1ULL << (shift - 1);
  const bool up = rest > half || (rest == half && (floor & 1U) != 0);
  return agon::Money{static_cast<std::int64_t>(floor + (up ? 1 : 0))};
}

namespace {

using Shares = agon::InlineList<double, kMaxTurnsLimit + 1>;

double exponential(const Ladder& ladder, int t) {
  double power = 1;
  for (int i = 0; i < t; ++i) power *= ladder.growth;
  return std::min(ladder.end, ladder.start * power);
}

double swish(const Ladder& ladder, int t, int turns) {
  const int falling = turns / 2;
  const int steps = turns - falling - 1;
  if (t < falling) return std::max(0.0, ladder.start - ladder.dip * t);
  if (steps == 0) return ladder.end;
  const double bottom = std::max(0.0, ladder.start - ladder.dip * falling);
  return bottom + (ladder.end - bottom) / steps * (t - falling);
}

Shares shuffled(const Ladder& ladder, int turns, std::uint64_t key) {
  agon::Dice dice(key);
  Shares shares;
  for (int i = 1; i < turns; ++i) {
    const double u = dice.unit();
    shares.push_back(ladder.start + (ladder.end - ladder.start) * u);
  }
  shares.push_back(ladder.start);
  shares.push_back(ladder.end);
  dice.shuffle(std::span<double>(shares.data(), shares.size()));
  shares.resize(static_cast<std::size_t>(turns));
  return shares;
}

}  // namespace

Shares factors(const Ladder& ladder, int turns, std::uint64_t key) {
  if (turns == 1) return Shares{ladder.start};
  if (ladder.shape == Shape::random) return shuffled(ladder, turns, key);
  Shares shares;
  for (int t = 0; t < turns; ++t) {
    switch (ladder.shape) {
      case Shape::exp:
        shares.push_back(exponential(ladder, t));
        break;
      case Shape::swish:
        shares.push_back(swish(ladder, t, turns));
        break;
      default:
        shares.push_back(ladder.start +
                         static_cast<double>(t) / (turns - 1) * (ladder.end - ladder.start));
    }
  }
  return shares;
}

namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::array<std::string_view, 4> pitches{"Would this do?", "How about this?",
                                                  "A bit more now.", "My offer today."};
constexpr std::string_view kDealWords = "I take yours.";

}  // namespace

agon::Money offer_of(double share, agon::Money budget, std::int64_t budget_rest) {
  constexpr double micros_per_dollar = 100.0 * static_cast<double>(kMicrosPerCent);
  const double dollars =
      static_cast<double>(budget.cents * kMicrosPerCent + budget_rest) / micros_per_dollar;
  return cents_of(share * dollars).value_or(agon::Money{});
}

OfferGenerator::OfferGenerator(const Params& params)
    : ladder_{params.shape, params.start, params.end, params.growth, params.dip},
      seed_(static_cast<std::uint64_t>(params.seed)) {
  if (params.start > params.end)
    throw agon::Error(agon::ErrorKind::invalid, "start is above end", "start",
                      "offers rise: give a start that is at most the end");
}

Action OfferGenerator::decide(const BuyerView& view, std::uint64_t key) const {
  const auto shares = factors(ladder_, view.max_turns, key);
  const agon::Money offer =
      offer_of(shares[static_cast<std::size_t>(view.turn - 1)], view.budget, view.budget_rest);
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  const bool deals = ladder_.shape != Shape::random && best != view.seller_offers.end() &&
                     *best < offer && *best <= view.budget;
  if (deals) return Deal{*best};
  return Buy{offer};
}

void OfferGenerator::answer(agon::Question& question) const {
  const auto* view = question.view<BuyerView>();
  auto* message = question.answer<Message>();
  if (view == nullptr || message == nullptr) return question.decline();
  const std::uint64_t key = agon::combine(seed_, agon::hash_of(view->product.codename));
  message->action = decide(*view, key);
  const bool deals = std::holds_alternative<Deal>(message->action);
  message->talk = deals ? kDealWords : pitches[static_cast<std::size_t>(view->turn - 1) % 4];
  question.think(deals ? "below my next" : "on the ladder");
}

namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::array<std::string_view, 3> kBuyerTalk{"I can pay this.", "A little more.",
                                                     "I stretch here."};
constexpr std::array<std::string_view, 3> kSellerTalk{"A fair price.", "A little less.",
                                                      "I come down now"};
constexpr std::string_view thanks = "Agreed.";
constexpr std::string_view farewell = "We are apart.";

template <class Talk>
std::string_view talk_for(const Action& action, int turn, const Talk& talk) {
  if (std::holds_alternative<Deal>(action)) return thanks;
  if (std::holds_alternative<Quit>(action)) return farewell;
  return talk[static_cast<std::size_t>(turn - 1) % talk.size()];
}

std::string_view thought_for(const Action& action) {
  if (std::holds_alternative<Deal>(action)) return "beats my next";
  if (std::holds_alternative<Quit>(action)) return "none fits";
  return "on schedule";
}

}  // namespace

TimeDependent::TimeDependent(const Params& params)
    : exponent_(1 / params.concession),
      at_once_(in_millionths(params.at_once)),
      buyer_opening_(in_millionths(params.buyer_opening)),
      seller_opening_(in_millionths(params.seller_opening)) {}

std::int64_t TimeDependent::conceded(int t, int last) const {
  if (t >= last) return million;
  const double power = std::pow(static_cast<double>(t) / last, exponent_);
  return at_once_ + share_of(million - at_once_, in_millionths(power));
}

Action TimeDependent::decide(const BuyerView& view) const {
  const std::int64_t limit = view.budget.cents;
  const std::int64_t opening = share_of(limit, buyer_opening_);
  const agon::Money next{opening +
                         share_of(limit - opening, conceded(view.turn - 1, view.max_turns - 1))};
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  if (best != view.seller_offers.end() && *best <= next) return Deal{*best};
  return Buy{next};
}

Action TimeDependent::decide(const SellerView& view) const {
  const std::int64_t limit = view.cost.cents;
  const std::int64_t opening =
      std::max(limit, share_of(view.product.list_price.cents, seller_opening_));
  const agon::Money next{opening -
                         share_of(opening - limit, conceded(view.turn - 1, view.max_turns - 1))};
  const auto best = std::max_element(view.buyer_offers.begin(), view.buyer_offers.end());
  if (best != view.buyer_offers.end() && *best >= next) return Deal{*best};
  if (view.turn == view.max_turns) return Quit{};
  return Sell{next};
}

void TimeDependent::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  if (message == nullptr) return question.decline();
  if (const auto* view = question.view<BuyerView>()) {
    message->action = decide(*view);
    message->talk = talk_for(message->action, view->turn, kBuyerTalk);
  } else if (const auto* seller = question.view<SellerView>()) {
    message->action = decide(*seller);
    message->talk = talk_for(message->action, seller->turn, kSellerTalk);
  } else {
    return question.decline();
  }
  question.think(std::string(thought_for(message->action)));
}

namespace {

// At most 15 bytes each: such texts need no memory of their own.
constexpr std::string_view kOfferTalk = "You move, I do.";
constexpr std::string_view kDealTalk = "Fair enough.";
constexpr std::string_view kQuitTalk = "No fair price.";

/// How far the last offer of `side` came nearer than the one before it, a buyer's rising, a
/// seller's falling, in cents; 0 if it did not.
std::int64_t last_step(std::span<const agon::Money> offers, Side side) {
  if (offers.size() < 2) return 0;
  const std::int64_t rise = offers[offers.size() - 1].cents - offers[offers.size() - 2].cents;
  return std::max<std::int64_t>(0, side == Side::buyer ? rise : -rise);
}

template <class Offer>
std::optional<agon::Money> own_last(std::span<const Utterance> history, Side side) {
  for (std::size_t i = history.size(); i-- > 0;)
    if (const auto* offer = std::get_if<Offer>(&history[i].action);
        offer != nullptr && history[i].side == side)
      return offer->price;
  return std::nullopt;
}

}  // namespace

TitForTat::TitForTat(const Params& params)
    : buyer_opening_(in_millionths(params.buyer_opening)),
      seller_opening_(in_millionths(params.seller_opening)) {}

Action TitForTat::decide(const BuyerView& view) const {
  const std::int64_t limit = view.budget.cents;
  const auto last = own_last<Buy>(view.history, Side::buyer);
  const std::int64_t step = last_step(view.seller_offers, Side::seller);
  const agon::Money next{last ? std::min(limit, last->cents + step)
                              : share_of(limit, buyer_opening_)};
  const auto best = std::min_element(view.seller_offers.begin(), view.seller_offers.end());
  const agon::Money most = view.turn == view.max_turns ? view.budget : next;
  if (best != view.seller_offers.end() && *best <= most) return Deal{*best};
  return Buy{next};
}

Action TitForTat::decide(const SellerView& view) const {
  const std::int64_t limit = view.cost.cents;
  const auto last = own_last<Sell>(view.history, Side::seller);
  const std::int64_t step = last_step(view.buyer_offers, Side::buyer);
  const agon::Money next{std::max(
      limit, last ? last->cents - step : share_of(view.product.list_price.cents, seller_opening_))};
  const auto best = std::max_element(view.buyer_offers.begin(), view.buyer_offers.end());
  const bool ends = view.turn == view.max_turns;
  const agon::Money least = ends ? view.cost : next;
  if (best != view.buyer_offers.end() && *best >= least) return Deal{*best};
  if (ends) return Quit{};
  return Sell{next};
}

void TitForTat::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  const auto* buyer = question.view<BuyerView>();
  const auto* seller = question.view<SellerView>();
  if (message == nullptr || (buyer == nullptr && seller == nullptr)) return question.decline();
  message->action = buyer != nullptr ? decide(*buyer) : decide(*seller);
  const bool deals = std::holds_alternative<Deal>(message->action);
  const bool quits = std::holds_alternative<Quit>(message->action);
  message->talk = deals ? kDealTalk : quits ? kQuitTalk : kOfferTalk;
  question.think(deals ? "good enough" : quits ? "none fits" : "mirror the move");
}

namespace {

using Prices = agon::InlineList<std::int64_t, kMaxTurnsLimit>;

/// A bargain as if the side wanted prices to be low: a seller's prices have their sign changed.
struct Stand {
  std::int64_t opening = 0;
  std::int64_t limit = 0;
  Prices own{};
  Prices theirs{};
  bool is_last = false;  ///< of the own turns
};

std::int64_t next_price(Pressure style, std::int64_t nudge, const Stand& stand) {
  if (stand.own.empty() || style == Pressure::stubborn) return stand.opening;
  const std::int64_t last = stand.own.back();
  const Prices& theirs = stand.theirs;
  std::int64_t step = 0;
  if (style == Pressure::anchoring) {
    step = theirs.empty() ? 0 : (theirs.back() - last) / 2;
  } else if (const std::size_t n = theirs.size(); n < 2 || theirs[n - 1] >= theirs[n - 2]) {
    step = n < 2 ? 0 : share_of(stand.limit - last, nudge);
  }
  return std::min(stand.limit, last + std::max<std::int64_t>(0, step));
}

/// The price of theirs that is taken; nothing: none is.
std::optional<std::int64_t> taken(Pressure style, std::int64_t next, const Stand& stand) {
  const auto best = std::min_element(stand.theirs.begin(), stand.theirs.end());
  const bool takes_any = stand.is_last && style != Pressure::stubborn;
  if (best == stand.theirs.end() || *best > (takes_any ? stand.limit : next)) return {};
  return *best;
}

/// At most 15 bytes: such texts need no memory of their own.
std::string_view press_talk(const Action& action, std::span<const Utterance> history) {
  if (std::holds_alternative<Deal>(action)) return "I take that.";
  if (std::holds_alternative<Quit>(action)) return "Not for that.";
  if (history.size() < 2) return "It is worth it.";
  const bool repeats = std::any_of(history.begin(), history.end(),
                                   [&](const Utterance& said) { return said.action == action; });
  return repeats ? "As I said." : "One step. You?";
}

double opening_of(const std::optional<double>& given, Pressure style, double anchoring,
                  double stubborn, double exploiting) {
  if (given) return *given;
  return style == Pressure::anchoring  ? anchoring
         : style == Pressure::stubborn ? stubborn
                                       : exploiting;
}

}  // namespace

Adversary::Adversary(const Params& params)
    : style_(params.style),
      buyer_opening_(in_millionths(opening_of(params.buyer_opening, style_, 0.2, 0.6, 0.5))),
      seller_opening_(in_millionths(opening_of(params.seller_opening, style_, 1.5, 0.75, 1.0))),
      nudge_(in_millionths(params.nudge)) {}

Action Adversary::decide(const BuyerView& view) const {
  Stand stand{.opening = share_of(view.budget.cents, buyer_opening_),
              .limit = view.budget.cents,
              .is_last = view.turn == view.max_turns};
  for (const Utterance& said : view.history)
    if (const auto* offer = std::get_if<Buy>(&said.action); offer && said.side == Side::buyer)
      stand.own.push_back(offer->price.cents);
  for (const agon::Money price : view.seller_offers) stand.theirs.push_back(price.cents);
  const std::int64_t next = next_price(style_, nudge_, stand);
  if (const auto price = taken(style_, next, stand)) return Deal{{*price}};
  return Buy{{next}};
}

Action Adversary::decide(const SellerView& view, agon::Money highest) const {
  const std::int64_t wanted = share_of(view.product.list_price.cents, seller_opening_);
  const std::int64_t cost = view.cost.cents;
  Stand stand{.opening = -std::max(cost, std::min(wanted, highest.cents)),
              .limit = -cost,
              .is_last = view.turn == view.max_turns};
  for (const Utterance& said : view.history)
    if (const auto* offer = std::get_if<Sell>(&said.action); offer && said.side == Side::seller)
      stand.own.push_back(-offer->price.cents);
  for (const agon::Money price : view.buyer_offers) stand.theirs.push_back(-price.cents);
  const std::int64_t next = next_price(style_, nudge_, stand);
  if (const auto price = taken(style_, next, stand)) return Deal{{-*price}};
  if (stand.is_last) return Quit{};
  if (-next > highest.cents) return Reject{};  // even its cost is above what may be asked
  return Sell{{-next}};
}

void Adversary::answer(agon::Question& question) const {
  auto* message = question.answer<Message>();
  const auto* buyer = question.view<BuyerView>();
  const auto* seller = question.view<SellerView>();
  if (message == nullptr || (buyer == nullptr && seller == nullptr)) return question.decline();
  agon::Money highest{kMaxPriceCents};
  constexpr auto kAsked =
      agon::limit(&Message::action, &Sell::price, agon::Money{0}, agon::Money{0}).data.slot;
  for (const agon::LimitData& limit : question.limits())
    if (limit.kind == agon::LimitKind::range && limit.slot == kAsked) highest = {limit.hi};
  message->action = buyer != nullptr ? decide(*buyer) : decide(*seller, highest);
  message->talk = press_talk(message->action, buyer != nullptr ? buyer->history : seller->history);
  question.think(std::holds_alternative<Deal>(message->action)   ? "mine by now"
                 : std::holds_alternative<Quit>(message->action) ? "none fits"
                                                                 : "press on");
}

}  // namespace bargaining
