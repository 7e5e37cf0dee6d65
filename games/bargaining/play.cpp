#include "bargaining/play.hpp"

#include <fmt/format.h>

#include <agon/telling.hpp>
#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bargaining/messages.hpp"

namespace bargaining {
namespace {

double cents(Micros amount) {
  return static_cast<double>(amount) / static_cast<double>(kMicrosPerCent);
}

Micros micros(agon::Money amount) {
  return amount.cents * kMicrosPerCent;
}

}  // namespace

Terms terms_of(const Product& product, const Settings& settings, const BudgetFactor& factor) {
  Terms terms;
  terms.list_price = {product.list_price_cents};
  terms.cost = settings.cost.value_or(agon::Money{product.cost_cents});
  // The denominator divides a million, as a factor has at most six decimals.
  terms.budget = settings.budget ? micros(*settings.budget)
                                 : product.list_price_cents * factor.numerator() *
                                       (kMicrosPerCent / factor.denominator());
  return terms;
}

Profits profits(const Terms& terms, agon::Money price) {
  return {cents(terms.budget - micros(price)), cents(micros(price) - micros(terms.cost))};
}

Profits published_profits(const Terms& terms, agon::Money price) {
  return {cents(terms.guarded_budget() - micros(price)), cents(micros(price) - micros(terms.cost))};
}

Profits normalised_profits(const Terms& terms, agon::Money price) {
  const double gap = std::abs(cents(terms.guarded_budget() - micros(terms.cost)));
  const Profits raw = published_profits(terms, price);
  return {raw.buyer / gap, raw.seller / gap};
}

double split_distance(const Terms& terms, agon::Money price) {
  return std::abs(normalised_profits(terms, price).buyer - 0.5);
}

bool same_price(agon::Money a, agon::Money b, Tolerance tolerance) {
  if (tolerance == Tolerance::exact) return a == b;
  if (tolerance == Tolerance::cents) return std::abs(a.cents - b.cents) <= 1;
  // Division by 100 is correctly rounded, so these are the numbers that reading "100.00" gives.
  const double first = static_cast<double>(a.cents) / 100;
  const double second = static_cast<double>(b.cents) / 100;
  return std::abs(first - second) <= 0.01;
}

std::string prices_text(std::span<const agon::Money> prices) {
  std::vector<std::string> texts;
  for (const agon::Money price : prices)
    if (std::string text = agon::money_text(price);
        std::find(texts.begin(), texts.end(), text) == texts.end())
      texts.push_back(std::move(text));
  return agon::listed(texts);
}

void Session::add(int turn, Side side, const Message& message) {
  history_.push_back({turn, side, message.talk, message.action});
  if (const auto* buy = std::get_if<Buy>(&message.action); buy != nullptr && side == Side::buyer)
    buys_.push_back(buy->price);
  if (const auto* sell = std::get_if<Sell>(&message.action);
      sell != nullptr && side == Side::seller)
    sells_.push_back(sell->price);
}

bool Session::takes_offer(Side side, agon::Money price, Tolerance tolerance) const {
  const auto theirs = offers(other(side));
  return std::any_of(theirs.begin(), theirs.end(),
                     [&](agon::Money offer) { return same_price(offer, price, tolerance); });
}

std::string why_no_deal(const Session& session, Side side, const Message& message,
                        Tolerance tolerance) {
  const auto* deal = std::get_if<Deal>(&message.action);
  if (deal == nullptr || session.takes_offer(side, deal->price, tolerance)) return {};
  const auto theirs = session.offers(other(side));
  if (theirs.empty()) return "there is no deal to take: the other side has made no offer yet";
  return fmt::format("a deal takes an offer of the other side; none was at {}, these were: {}",
                     agon::money_text(deal->price), prices_text(theirs));
}

std::optional<End> end_after(const Session& session, Side side, const Action& action,
                             Tolerance tolerance) {
  const bool buyer = side == Side::buyer;
  if (const auto* deal = std::get_if<Deal>(&action)) {
    if (session.takes_offer(side, deal->price, tolerance))
      return buyer ? End::buyer_deal : End::seller_deal;
    return buyer ? End::buyer_invalid_deal : End::seller_invalid_deal;
  }
  if (std::holds_alternative<Quit>(action)) return buyer ? End::buyer_quit : End::seller_quit;
  return std::nullopt;
}

namespace {

double of(const Profits& profits, Side side) {
  return side == Side::buyer ? profits.buyer : profits.seller;
}

}  // namespace

SeatMetrics seat_metrics(const Terms& terms, const Session& session, const Result& result,
                         Side side) {
  SeatMetrics m;
  double score = 0;
  if (is_deal(result.end)) {
    score = of(profits(terms, result.price), side);
    m.profit = of(published_profits(terms, result.price), side);
    m.snp = of(normalised_profits(terms, result.price), side);
    m.share = m.snp;
    m.ahead = m.snp > (terms.mutual() ? 0.5 : -0.5);
    (terms.mutual() ? m.share_mutual : m.share_conflict) = m.snp;
  }
  (terms.mutual() ? m.snp_mutual : m.snp_conflict) = m.snp;
  if (terms.gap() > 0)
    m.surplus_share =
        score * static_cast<double>(kMicrosPerCent) / static_cast<double>(terms.gap());
  if (!terms.mutual()) m.loss_avoided = score >= 0;
  m.loss = std::max(0.0, -score);
  const auto offers = session.offers(side);
  m.offers = static_cast<int>(offers.size());
  if (!offers.empty()) {
    m.first_offer = offers.front();
    m.last_offer = offers.back();
  }
  m.wrong_action = is_wrong(result.end, side);
  m.turned_down = result.turned_down[static_cast<std::size_t>(side)];
  return m;
}

MatchMetrics match_metrics(const Terms& terms, const Session& session, const Result& result,
                           std::size_t product) {
  MatchMetrics m;
  m.product = static_cast<std::int64_t>(product);
  m.mutual = terms.mutual();
  m.conflict = !terms.mutual();
  m.wrong_action = is_wrong(result.end, Side::buyer) || is_wrong(result.end, Side::seller);
  m.valid = !m.wrong_action && !session.history().empty();
  m.deal = is_deal(result.end);
  if (m.valid) {
    m.deal_if_valid = m.deal;
    (m.mutual ? m.deal_mutual : m.deal_conflict) = m.deal;
  }
  if (m.mutual) m.efficiency = m.deal;
  if (m.deal) {
    m.price = result.price;
    if (m.mutual) {
      m.split_distance = split_distance(terms, result.price);
      m.in_zone = result.price >= terms.cost && result.price <= terms.affordable();
    }
  }
  m.quit = result.end == End::buyer_quit || result.end == End::seller_quit;
  m.turn_limit = result.end == End::turn_limit;
  m.turns = result.turns;
  m.messages = static_cast<int>(session.history().size());
  m.buy_offers = static_cast<int>(session.offers(Side::buyer).size());
  m.sell_offers = static_cast<int>(session.offers(Side::seller).size());
  m.list_price = terms.list_price;
  m.budget = static_cast<double>(terms.budget) / static_cast<double>(kMicrosPerCent);
  m.cost = terms.cost;
  return m;
}

namespace {

constexpr int seat_of(Side side) {
  return static_cast<int>(side);
}

/// One match as it goes: who may see what, and what is asked.
class Match {
 public:
  Match(Table table, const Settings& settings, const Product& product, const Terms& terms)
      : table_(table), settings_(settings), terms_(terms) {
    goods_.codename = product.codename;
    goods_.category = product.category;
    goods_.title = product.title;
    goods_.description = product.description;
    goods_.list_price = terms.list_price;
    highest_ = settings.price_ceiling == 0 ? agon::Money{kMaxPriceCents}
                                           : terms.list_price * settings.price_ceiling;
    const agon::Money budget = std::min(terms.affordable(), highest_);
    sensible_buy_ = {{budget.cents / 2}, budget};
    sensible_sell_ = {std::min(terms.cost, highest_), std::min(terms.list_price, highest_)};
  }

  void open(std::size_t product) {
    table_.announce(kListing, [&] { return Listing{goods_, settings_.max_turns}; });
    table_.tell(seat_of(Side::buyer), kBuyerFacts, [&] {
      return BuyerFacts{terms_.affordable(), terms_.rest()};
    });
    table_.tell(seat_of(Side::seller), kSellerFacts, [&] { return SellerFacts{terms_.cost}; });
    table_.note(kTruth, [&] {
      return Truth{static_cast<std::int64_t>(product),
                   terms_.list_price,
                   terms_.affordable(),
                   terms_.rest(),
                   terms_.cost,
                   terms_.mutual()};
    });
  }

  void run() {
    for (int turn = 1; turn <= settings_.max_turns; ++turn) {
      result_.turns = turn;
      for (const Side side : {Side::buyer, Side::seller})
        if (speaks(turn, side)) return close();
    }
    result_.end = End::turn_limit;
    close();
  }

  [[nodiscard]] const Session& session() const { return session_; }
  [[nodiscard]] const Result& result() const { return result_; }

 private:
  /// True if the match is over.
  bool speaks(int turn, Side side) {
    const agon::Answer<Message> answer = side == Side::buyer
                                             ? ask(side, kBuy, [&] { return buyer_view(turn); })
                                             : ask(side, kSell, [&] { return seller_view(turn); });
    result_.turned_down[static_cast<std::size_t>(side)] += answer.rejected();
    if (answer.forced()) {
      result_.end = side == Side::buyer ? End::buyer_action_error : End::seller_action_error;
      return true;
    }
    const auto end = end_after(session_, side, answer.action, settings_.tolerance);
    session_.add(turn, side, answer);
    table_.announce(kSaying, [&] {
      return Saying{turn, side, answer.talk, answer.action,
                    action_text(answer.action, goods_.codename, goods_.quantity)};
    });
    if (!end) return false;
    result_.end = *end;
    if (is_deal(*end)) result_.price = std::get<Deal>(answer.action).price;
    return true;
  }

  /// Prices as agon::one_of() has them.
  struct PriceList {
    std::vector<std::string> texts{};
    std::vector<std::string_view> names{};
  };

  /// The offers that a deal may take; none where it may lie beside them, or there is but one.
  [[nodiscard]] PriceList deal_prices(std::span<const agon::Money> offers) const {
    PriceList list;
    if (!settings_.check_deals || settings_.tolerance != Tolerance::exact) return list;
    std::vector<agon::Money> prices(offers.begin(), offers.end());
    std::sort(prices.begin(), prices.end());
    prices.erase(std::unique(prices.begin(), prices.end()), prices.end());
    if (prices.size() < 2) return list;
    for (const agon::Money price : prices)
      list.texts.push_back(fmt::format("{}.{:02}", price.cents / 100, price.cents % 100));
    list.names.assign(list.texts.begin(), list.texts.end());
    return list;
  }

  template <class Stage, class View>
  agon::Answer<Message> ask(Side side, const Stage& stage, View view) {
    const bool any = !settings_.role_actions;
    const bool buys = side == Side::buyer;
    const auto offers = session_.offers(other(side));
    agon::Money least{0}, most{highest_};
    Range sensible_deal = kNone;
    if (!offers.empty()) {
      const auto [lowest, highest] = std::minmax_element(offers.begin(), offers.end());
      if (settings_.check_deals) {
        const int off = settings_.tolerance == Tolerance::exact ? 0 : 1;
        least = {std::max<std::int64_t>(0, lowest->cents - off)};
        most = {highest->cents + off};
      }
      const agon::Money best = buys ? *lowest : *highest;
      if (buys ? best <= sensible_buy_.second : best >= terms_.cost) sensible_deal = {best, best};
    }
    const PriceList prices = deal_prices(offers);
    const agon::Money zero{0};
    const Range buy = buys ? sensible_buy_ : kNone, sell = buys ? kNone : sensible_sell_;
    // Nobody in their senses quits in the first third of the turns.
    const bool may_quit = result_.turns * 3 > settings_.max_turns;
    return table_.ask(
        seat_of(side), stage,
        agon::allow_if(&Message::action, {any || buys, any || !buys, true,
                                          !settings_.check_deals || !offers.empty(), true}),
        agon::limit(&Message::action, &Buy::price, zero, highest_),
        agon::limit(&Message::action, &Sell::price, zero, highest_),
        agon::limit(&Message::action, &Deal::price, least, most),
        agon::one_of(&Message::action, &Deal::price, prices.names),
        agon::usual(&Message::action, 0, may_quit ? kQuits : kQuits - 1),
        agon::usual(&Message::action, &Buy::price, buy.first, buy.second),
        agon::usual(&Message::action, &Sell::price, sell.first, sell.second),
        agon::usual(&Message::action, &Deal::price, sensible_deal.first, sensible_deal.second),
        agon::view(std::move(view)), agon::check([this, side](const Message& message) {
          return settings_.check_deals ? why_no_deal(session_, side, message, settings_.tolerance)
                                       : std::string();
        }),
        agon::fallback(Message{{}, Quit{}}));
  }

  [[nodiscard]] BuyerView buyer_view(int turn) const {
    return {goods_,
            terms_.affordable(),
            terms_.rest(),
            turn,
            settings_.max_turns - turn + 1,
            settings_.max_turns,
            session_.offers(Side::seller),
            session_.history()};
  }
  [[nodiscard]] SellerView seller_view(int turn) const {
    return {goods_,
            terms_.cost,
            turn,
            settings_.max_turns - turn + 1,
            settings_.max_turns,
            session_.offers(Side::buyer),
            session_.history()};
  }

  void close() {
    table_.announce(kEnding, [&] {
      Ending ending{result_.end, label(result_.end), {}};
      if (is_deal(result_.end)) ending.price = result_.price;
      return ending;
    });
  }

  /// From one price to another; with nothing between them: none.
  using Range = std::pair<agon::Money, agon::Money>;
  static constexpr Range kNone{{1}, {0}};
  static constexpr std::size_t kQuits = Action{Quit{}}.index();  ///< the last of the actions

  Table table_;
  const Settings& settings_;
  const Terms& terms_;
  Goods goods_{};
  agon::Money highest_{};
  Range sensible_buy_{}, sensible_sell_{};  ///< for who knows what it wants, see agon::usual
  Session session_{};
  Result result_{};
};

agon::Outcome score(const Terms& terms, const Match& match, std::size_t product) {
  agon::Outcome outcome(2);
  const Result& result = match.result();
  const Profits gained = is_deal(result.end) ? profits(terms, result.price) : Profits{};
  // Where interests conflict there is no pie, and so nothing to normalise by.
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const double zero = terms.mutual() ? 0 : none;
  const double one = terms.mutual()
                         ? static_cast<double>(terms.gap()) / static_cast<double>(kMicrosPerCent)
                         : none;
  outcome.seat(seat_of(Side::buyer), {.score = gained.buyer, .disagreement = zero, .ideal = one});
  outcome.seat(seat_of(Side::seller), {.score = gained.seller, .disagreement = zero, .ideal = one});
  for (const Side side : {Side::buyer, Side::seller})
    outcome.seat_metrics(seat_of(side), seat_metrics(terms, match.session(), result, side));
  outcome.match_metrics(match_metrics(terms, match.session(), result, product));
  return outcome;
}

}  // namespace

Prepared prepare(const Settings& settings) {
  Prepared prepared{BudgetFactor(settings.factor), {}};
  for (std::size_t i = 0; i < settings.products.size(); ++i) {
    const bool fits = settings.product ? static_cast<std::size_t>(*settings.product) == i
                                       : settings.category.empty() ||
                                             settings.products[i].category == settings.category;
    if (fits) prepared.candidates.push_back(i);
  }
  return prepared;
}

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  std::size_t drawn = 0;
  if (!settings.product) {
    const auto n = static_cast<std::int64_t>(prepared.candidates.size());
    drawn = static_cast<std::size_t>(table.deal("product", n, settings.order));
  }
  const std::size_t index = prepared.candidates[drawn];
  const Product& product = settings.products[index];
  const Terms terms = terms_of(product, settings, prepared.factor);
  Match match(table, settings, product, terms);
  match.open(index);
  match.run();
  return score(terms, match, index);
}

}  // namespace bargaining
