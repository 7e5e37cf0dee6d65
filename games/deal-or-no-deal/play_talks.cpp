// The negotiation of Hua et al. 2024, section 5.2: messages in turn, then private takes.

#include <boost/container/static_vector.hpp>

#include "deal-or-no-deal/events.hpp"
#include "deal-or-no-deal/match.hpp"

namespace deal_or_no_deal {
namespace {

constexpr std::array<int, 2> kBothSeats{0, 1};

class Talks {
 public:
  explicit Talks(const Match& match)
      : match_(match), beliefs_(match.game, match.swapped, match.settings.total_value) {}

  agon::Outcome play(Table table) {
    finish_.claims = hear_claims(table, match_);
    TalkStop stop = TalkStop::none;
    while (stop == TalkStop::none) {
      ++round_;
      std::array<bool, 2> halts{};
      for (const int seat : kBothSeats) halts[static_cast<std::size_t>(seat)] = speak(table, seat);
      stop = stops(round_, match_.settings.max_rounds, halts, match_.game.counts, latest_);
      if (stop != TalkStop::none) table.announce(kTalkEnded, TalkEnded{round_, stop});
      ask_beliefs(table);
    }
    finish_.turns = 2 * round_;
    finish_.out_of_time = stop == TalkStop::out_of_rounds;
    present(table);
    return settle(match_, finish_, beliefs_);
  }

 private:
  [[nodiscard]] std::span<const int> counts() const {
    return {match_.game.counts.begin(), match_.game.counts.size()};
  }

  /// One message; true if it asks to stop. A seat without a legal one says nothing.
  bool speak(Table table, int seat) {
    const int longest = match_.settings.messages ? match_.settings.message_bytes : 0;
    const int rounds_left = match_.settings.max_rounds - round_ + 1;
    auto message =
        table.ask(seat, kMessage, agon::view([&] { return talk_view(seat, rounds_left); }),
                  agon::limit_each(&Message::proposal, &Proposal::take, counts()),
                  agon::limit_length(&Message::text, 0, longest));
    const auto s = static_cast<std::size_t>(seat);
    if (message.proposal) {
      latest_[s] = message.proposal->take;
      ++finish_.proposals[s];
    }
    log_.push_back({round_, seat, std::move(message.text), message.proposal, message.halt});
    table.announce(kMessageSent, log_.back());
    return message.halt;
  }

  void present(Table table) {
    const auto decisions = table.ask_all(kBothSeats, kTake, [this](int seat) {
      return agon::asking<Decision>(agon::view([this, seat] { return talk_view(seat, 0); }),
                                    agon::limit_each(&Decision::choice, &Take::items, counts()),
                                    agon::fallback(Decision{NoDeal{}}));
    });
    std::array<std::optional<ItemCounts>, 2> takes;
    for (std::size_t s = 0; s < 2; ++s) {
      if (const Take* take = std::get_if<Take>(&decisions[s].choice)) takes[s] = take->items;
    }
    finish_.walked_away = !takes[0] || !takes[1];
    const bool deal = is_deal(match_.game.counts, takes, match_.settings.deal_match);
    finish_.misfit = !deal && !finish_.walked_away;
    if (deal) finish_.deal = Deal{*takes[0], *takes[1]};
    table.announce(kPresented, Presented{takes, deal});
  }

  [[nodiscard]] TalkView talk_view(int seat, int rounds_left) const {
    const auto s = static_cast<std::size_t>(seat);
    TalkView view;
    view.items = match_.piles(seat);
    view.total_value = match_.settings.total_value;
    view.messages = log_;
    view.your_proposal = latest_[s];
    view.their_proposal = latest_[1 - s];
    view.round = round_;
    view.rounds_left = rounds_left;
    view.your_claim = finish_.claims[s];
    view.their_claim = finish_.claims[1 - s];
    return view;
  }

  void ask_beliefs(Table table) {
    beliefs_.ask(table, round_, [this](int seat) {
      return BeliefView{match_.piles(seat), match_.settings.total_value, {}, log_, round_};
    });
  }

  const Match& match_;
  BeliefBook beliefs_;
  Finish finish_;
  int round_ = 0;
  std::array<std::optional<ItemCounts>, 2> latest_;
  boost::container::static_vector<MessageSent, 2 * kMaxRoundsAllowed> log_;
};

}  // namespace

agon::Outcome play_talks(Table table, const Match& match) {
  return Talks(match).play(table);
}

}  // namespace deal_or_no_deal
