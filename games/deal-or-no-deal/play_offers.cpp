// Alternating offers with binding offers (OpenSpiel's game "bargaining").

#include <boost/container/static_vector.hpp>
#include <concepts>

#include "deal-or-no-deal/events.hpp"
#include "deal-or-no-deal/match.hpp"

namespace deal_or_no_deal {
namespace {

using Offers = boost::container::static_vector<OfferMade, kMaxTurnsAllowed>;
using Texts = boost::container::static_vector<std::string, kMaxTurnsAllowed>;

/// What is asked at one point of the talks: the two forms of the question share all but a few
/// limits.
template <class M>
constexpr const auto& stage() {
  if constexpr (std::same_as<M, SpokenMove>)
    return kSpokenMove;
  else
    return kMove;
}

class Exchange {
 public:
  explicit Exchange(const Match& match)
      : match_(match),
        beliefs_(match.game, match.swapped, match.settings.total_value),
        everything_{Offer{listed(match.game.counts)}} {}

  template <class M>
  agon::Outcome play(Table table) {
    finish_.claims = hear_claims(table, match_);
    const std::span<const int> counts(match_.game.counts.begin(), match_.game.counts.size());
    const auto view = agon::view([this] { return offer_view(); });
    const auto keep = agon::limit_each(&M::action, &Offer::keep, counts);
    // Who gives no legal answer holds on to everything: no deal by this move, and none refused.
    const auto fallback = agon::fallback(fallback_move<M>());
    if constexpr (std::same_as<M, SpokenMove>) {
      const auto words = agon::limit_length(&M::text, 0, match_.settings.message_bytes);
      auto opening =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, false}), words, fallback);
      auto later =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, true}), words, fallback);
      talk<M>(table, opening, later);
    } else {
      auto opening =
          agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, false}), fallback);
      auto later = agon::asking<M>(view, keep, agon::allow_if(&M::action, {true, true}), fallback);
      talk<M>(table, opening, later);
    }
    return settle(match_, finish_, beliefs_);
  }

 private:
  template <class M>
  M fallback_move() const {
    if constexpr (std::same_as<M, SpokenMove>)
      return {{}, everything_};
    else
      return {everything_};
  }

  template <class M, class Asking>
  void talk(Table table, Asking& opening, Asking& later) {
    const Settings& settings = match_.settings;
    while (true) {
      seat_ = finish_.turns % 2;
      ++finish_.turns;
      if (finish_.turns >= 3) finish_.factor *= settings.discount;
      auto move = table.ask_as(seat_, stage<M>(), offers_.empty() ? opening : later);
      std::string_view text;
      if constexpr (std::same_as<M, SpokenMove>) text = texts_.emplace_back(std::move(move.text));
      const Offer* offer = std::get_if<Offer>(&move.action);
      if (offer == nullptr) return agree(table, text);
      ++finish_.proposals[static_cast<std::size_t>(seat_)];
      offers_.push_back({finish_.turns, seat_, offer->keep, text});
      table.announce(kOffer, offers_.back());
      const int made = finish_.turns;  // every decision so far was an offer
      finish_.out_of_time = made >= settings.max_turns;
      finish_.broken_down = !finish_.out_of_time && settings.prob_end > 0 && may_break_down(made) &&
                            table.chance("breakdown", made).happens(settings.prob_end);
      if (finish_.out_of_time) table.announce(kOutOfTurns, OutOfTurns{made});
      if (finish_.broken_down) table.announce(kBrokenDown, BrokenDown{made});
      const bool over = finish_.out_of_time || finish_.broken_down;
      if (over || made % 2 == 0) ask_beliefs(table);
      if (over) return;
    }
  }

  void agree(Table table, std::string_view text) {
    const OfferMade& taken = offers_.back();
    const auto proposer = static_cast<std::size_t>(taken.seat);
    Deal& deal = finish_.deal.emplace();
    deal[proposer] = taken.keep;
    deal[1 - proposer] = rest_of(match_.game.counts, taken.keep);
    table.announce(kAgreed, [&] {
      return Agreed{finish_.turns, seat_, deal, finish_.factor, text};
    });
    ask_beliefs(table);
  }

  OfferView offer_view() const {
    OfferView view;
    view.items = match_.piles(seat_);
    view.total_value = match_.settings.total_value;
    view.offers = offers_;
    if (!offers_.empty()) {
      view.you_would_get = rest_of(match_.game.counts, offers_.back().keep);
    }
    view.turn = finish_.turns;
    view.offers_left = match_.settings.max_turns - static_cast<int>(offers_.size());
    view.factor = finish_.factor;
    view.your_claim = finish_.claims[static_cast<std::size_t>(seat_)];
    view.their_claim = finish_.claims[static_cast<std::size_t>(1 - seat_)];
    return view;
  }

  void ask_beliefs(Table table) {
    const int round = (finish_.turns + 1) / 2;
    beliefs_.ask(table, round, [&](int seat) {
      return BeliefView{match_.piles(seat), match_.settings.total_value, offers_, {}, round};
    });
  }

  const Match& match_;
  BeliefBook beliefs_;
  std::variant<Offer, Agree> everything_;
  Finish finish_;
  int seat_ = 0;
  Offers offers_;
  Texts texts_;
};

}  // namespace

agon::Outcome play_offers(Table table, const Match& match) {
  Exchange exchange(match);
  return match.settings.messages ? exchange.play<SpokenMove>(table) : exchange.play<Move>(table);
}

}  // namespace deal_or_no_deal
