#pragma once

#include <agon/outcome.hpp>
#include <deque>

#include "english-auction/beliefs.hpp"
#include "english-auction/bidding_log.hpp"
#include "english-auction/metrics.hpp"
#include "english-auction/mind.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/stages.hpp"

namespace english_auction {

/// One auction at one table, from the order of sale to the outcome.
class Match {
 public:
  Match(Table table, const Settings& settings, const Prepared& prepared);

  /// Plays it: learn, plan, then for each item the bidding, beliefs and new plans.
  agon::Outcome play();

 private:
  /// What is true of one bidder, and what is counted.
  struct Account {
    agon::Money budget;
    agon::Money profit;
    agon::Money spent;
    agon::Money overpaid;
    agon::Money losses;
    int items_won = 0;
    int wanted_won = 0;
    int answers = 0;  ///< to the question for a bid, failed ones too
    int failed = 0;
    int forced = 0;
    int bids = 0;
    int messages = 0;
    int plans = 0;
    int plan_changes = 0;
    int belief_answers = 0;
    int self_errors = 0;
    int self_total = 0;
    int others_errors = 0;
    int others_total = 0;
  };
  /// How one item ended, as listed.
  struct Result {
    int winner = -1;
    int bidders = 0;      ///< who made a legal bid
    agon::Money price;    ///< paid
    agon::Money to_beat;  ///< the lowest bid that would have counted at the end
  };

  // match.cpp
  void draw_order();
  void draw_values();
  void lay_out_lots();
  void open();
  void sell(int place);
  void ask_for_bids(War& war, int place);
  void take_bid(War& war, int place, int seat, const agon::Answer<Bid>& answer);
  /// Asks all of them at once; `question(seat)` returns asking<Bid>(...).
  template <class Question>
  void hear(War& war, int place, std::span<const int> asked, const Question& question);
  /// Fills in what bidders see of an item in every round.
  void show_item(int place);
  /// Brings what a bidder sees up to date for the round that begins.
  const BidView& show_round(const War& war, int seat);
  [[nodiscard]] int draw_leader(const War& war, int item);
  void settle(const War& war, int place, bool sold);

  // match_lab.cpp
  /// Asks the seller, if there is one, at what price the item comes up, and above what it sells.
  void put_up(int place);
  /// As many messages as the settings have, before the next round of this item's bidding.
  void talk(const War& war, int place);
  [[nodiscard]] TalkView talk_view(const War& war, int place, int seat, int message) const;
  void hear_out(const Talked& talked);

  // match_probes.cpp
  void learn();
  void plan();
  /// Before the item at this place.
  void replan(int place);
  template <class Probe>
  void plan(const Probe& probe, std::span<const int> seats, int place);
  void take_plan(const Plan& plan, int seat, int place);
  void believe(int place);
  [[nodiscard]] BeliefView belief_view(int place, int seat);
  [[nodiscard]] std::vector<TrueStanding> true_standings() const;
  Mind& mind(int seat);
  /// Puts the seat's own last account of the auction into its view, if it has given one.
  template <class View>
  void show_account(View& view, int seat) const;
  [[nodiscard]] std::span<const std::string> tips(int seat) const;

  // match_outcome.cpp
  void hand_over_memos();
  [[nodiscard]] std::string note_reports();
  void note_engagement();
  [[nodiscard]] agon::Outcome outcome() const;
  [[nodiscard]] SeatMetrics seat_metrics(int seat) const;
  [[nodiscard]] MatchMetrics match_metrics() const;
  [[nodiscard]] double score(int seat) const;
  /// What buyers paid less what the items cost the seller.
  [[nodiscard]] agon::Money seller_gain() const;
  [[nodiscard]] agon::Money rivals_profit(int seat) const;
  /// How winners took turns, over the items that buyers won.
  void measure_rotation(MatchMetrics& m) const;

  /// An event for everybody that also goes into the history for people.
  template <class Event, class Make>
  void publish(const Event& said, const Make& make) {
    if (keeps_log_) {
      const auto event = make();
      log_.add(event);
      table_.announce(said, event);
    } else {
      table_.announce(said, [&] {
        const auto event = make();
        log_.add(event);
        return event;
      });
    }
  }

  [[nodiscard]] std::string_view name(int seat) const {
    return names_[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] const PreparedBidder& bidder(int seat) const {
    return prepared_.bidders[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] bool is_shill(int seat) const {
    return bidder(seat).settings.desire == Desire::shill;
  }
  /// What an item, as listed, is worth to a bidder.
  [[nodiscard]] agon::Money value(int seat, int as_listed) const {
    return (own_values_.empty() ? prepared_.values : own_values_)[cell(seat, as_listed)];
  }
  [[nodiscard]] agon::Money thought_value(int seat, int as_listed) const {
    return own_values_.empty()
               ? bidder(seat).estimates[static_cast<std::size_t>(as_listed)]
               : estimate(value(seat, as_listed), bidder(seat).settings.overestimate);
  }
  [[nodiscard]] const Yardsticks& yard() const {
    return own_values_.empty() ? prepared_.yardsticks : own_yardsticks_;
  }
  /// The weight of spite, where it is what the bidder is after.
  [[nodiscard]] std::optional<int> spite(int seat) const {
    const Bidder& b = bidder(seat).settings;
    return b.desire == Desire::spite ? std::optional(b.spite) : std::nullopt;
  }
  /// How a sale looks to a bidder: where values are private, its own purchases have a value.
  [[nodiscard]] Sale sale_to(int seat, int place) const {
    Sale sale = sales_[static_cast<std::size_t>(place)];
    if (result(item_at(place)).winner == seat) sale.value = value(seat, item_at(place));
    return sale;
  }
  [[nodiscard]] std::optional<agon::Money> told_reserve() const {
    return settings_.seller && settings_.reserve == Reserve::open ? std::optional(reserve_)
                                                                  : std::nullopt;
  }
  [[nodiscard]] int item_at(int place) const { return order_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] const Item& item(int as_listed) const {
    return prepared_.items[static_cast<std::size_t>(as_listed)];
  }
  [[nodiscard]] Account& account(int seat) { return accounts_[static_cast<std::size_t>(seat)]; }
  [[nodiscard]] const Account& account(int seat) const {
    return accounts_[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] Result& result(int as_listed) {
    return results_[static_cast<std::size_t>(as_listed)];
  }
  [[nodiscard]] const Result& result(int as_listed) const {
    return results_[static_cast<std::size_t>(as_listed)];
  }
  /// The lots of a seat from a place in the sale on.
  [[nodiscard]] std::span<const Lot> lots(int seat, int place) const {
    return {lots_.data() + cell(seat, place), static_cast<std::size_t>(items_ - place)};
  }
  [[nodiscard]] Lot& lot(int seat, int place) { return lots_[cell(seat, place)]; }
  [[nodiscard]] std::uint16_t& bids_for(int seat, int as_listed) {
    return bids_[cell(seat, as_listed)];
  }
  [[nodiscard]] int bids_for(int seat, int as_listed) const { return bids_[cell(seat, as_listed)]; }
  /// Where a seat's entry for an item lies in lots_ and bids_.
  [[nodiscard]] std::size_t cell(int seat, int item) const {
    return static_cast<std::size_t>(seat) * static_cast<std::size_t>(items_) +
           static_cast<std::size_t>(item);
  }

  Table table_;
  const Settings& settings_;
  const Prepared& prepared_;
  int seats_;  ///< of bidders; a seller has the next one
  int items_;
  bool keeps_log_;
  MatchMetrics totals_;
  std::array<std::string_view, agon::kMaxSeats> names_{};
  std::array<int, kMaxItems> order_;  ///< items as listed, by place in the sale
  agon::InlineList<Account, agon::kMaxSeats> accounts_;
  agon::InlineList<Result, kMaxItems> results_;
  agon::InlineList<Lot, agon::kMaxSeats * kMaxItems> lots_;
  agon::InlineList<std::string_view, kMaxItems>
      in_order_;  ///< names of the items, by place in the sale
  agon::InlineList<BidView, agon::kMaxSeats>
      views_;  ///< what each bidder sees when asked for a bid
  agon::InlineList<std::uint16_t, agon::kMaxSeats * kMaxItems> bids_;
  agon::InlineList<Sale, kMaxItems> sales_;
  agon::InlineList<Move, agon::kMaxSeats * kMaxRounds> moves_;  ///< for the item under the hammer
  std::size_t round_starts_ = 0;                                ///< in moves_
  std::size_t last_round_starts_ = 0;
  BiddingLog log_;
  std::vector<agon::Money> own_values_;  ///< as Prepared::values, where they are drawn
  Yardsticks own_yardsticks_;            ///< likewise
  agon::Money start_price_;              ///< of the item under the hammer
  agon::Money reserve_;                  ///< likewise
  std::vector<Remark> talk_;
  std::deque<std::string> texts_;  ///< of talk_; a deque, so that none moves
  std::vector<Mind> minds_;
};

}  // namespace english_auction
