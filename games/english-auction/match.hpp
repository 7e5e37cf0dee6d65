#pragma once

#include <agon/outcome.hpp>
#include <array>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "english-auction/messages.hpp"
#include "english-auction/play.hpp"
#include "english-auction/prepared.hpp"
#include "english-auction/settings.hpp"

/// An auction as it goes on: its state, what bidders think, the bidding, and how it ends.
namespace english_auction {

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
  std::array<std::uint16_t, kMaxItems> bids_for{};  ///< by item as listed
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
  bool closed = false;  ///< the seller ended the bidding: no bid would have counted
};

/// The state of an auction: who bids for what in which order, what it is worth to whom, what each
/// bidder has and did, and what is sold. What bidders see points into it.
class Auction {
 public:
  /// Draws the order of sale, and values where they are drawn.
  Auction(const Table& at, const Settings& by, const Prepared& from);

  Table table;
  const Settings& settings;
  const Prepared& prepared;
  const int seats;  ///< of bidders; a seller has the next one
  const int items;
  MatchMetrics totals;  ///< counted as it goes on
  agon::InlineList<Sale, kMaxItems> sales;

  [[nodiscard]] std::span<const std::string_view> names() const {
    return {names_.data(), static_cast<std::size_t>(seats)};
  }
  [[nodiscard]] std::string_view name(int seat) const {
    return names_[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] const PreparedBidder& bidder(int seat) const {
    return prepared.bidders[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] bool is_shill(int seat) const {
    return bidder(seat).settings.desire == Desire::shill;
  }
  /// The weight of spite, where it is what the bidder is after.
  [[nodiscard]] std::optional<int> spite(int seat) const {
    const Bidder& b = bidder(seat).settings;
    return b.desire == Desire::spite ? std::optional(b.spite) : std::nullopt;
  }

  /// Which item, as listed, comes up at a place in the sale.
  [[nodiscard]] int item_at(int place) const { return order_[static_cast<std::size_t>(place)]; }
  [[nodiscard]] const Item& item(int as_listed) const {
    return prepared.items[static_cast<std::size_t>(as_listed)];
  }
  /// The names of the items from a place in the sale on.
  [[nodiscard]] std::span<const std::string_view> items_from(int place) const {
    return std::span(in_order_).subspan(static_cast<std::size_t>(place));
  }
  /// The lots of a seat from a place in the sale on.
  [[nodiscard]] std::span<const Lot> lots(int seat, int place) const {
    return {lots_.data() + cell(seat, place), static_cast<std::size_t>(items - place)};
  }
  [[nodiscard]] Lot& lot(int seat, int place) { return lots_[cell(seat, place)]; }

  /// What an item, as listed, is worth to a bidder.
  [[nodiscard]] agon::Money value(int seat, int as_listed) const {
    return (own_values_.empty() ? prepared.values : own_values_)[cell(seat, as_listed)];
  }
  [[nodiscard]] agon::Money thought_value(int seat, int as_listed) const {
    return own_values_.empty()
               ? bidder(seat).estimates[static_cast<std::size_t>(as_listed)]
               : estimate(value(seat, as_listed), bidder(seat).settings.overestimate);
  }
  [[nodiscard]] const Yardsticks& yard() const {
    return own_values_.empty() ? prepared.yardsticks : own_yardsticks_;
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
  /// How a sale looks to a bidder: where values are private, its own purchases have a value.
  [[nodiscard]] Sale sale_to(int seat, int place) const {
    Sale sale = sales[static_cast<std::size_t>(place)];
    if (result(item_at(place)).winner == seat) sale.value = value(seat, item_at(place));
    return sale;
  }

 private:
  void draw_order();
  void draw_values();
  void lay_out_lots();
  /// Where a seat's entry for an item lies in lots_ and in values.
  [[nodiscard]] std::size_t cell(int seat, int item) const {
    return static_cast<std::size_t>(seat) * static_cast<std::size_t>(items) +
           static_cast<std::size_t>(item);
  }

  std::array<std::string_view, agon::kMaxSeats> names_{};
  std::array<int, kMaxItems> order_;  ///< items as listed, by place in the sale
  agon::InlineList<std::string_view, kMaxItems> in_order_;  ///< their names
  agon::InlineList<Lot, agon::kMaxSeats * kMaxItems> lots_;
  agon::InlineList<Account, agon::kMaxSeats> accounts_;
  agon::InlineList<Result, kMaxItems> results_;
  std::vector<agon::Money> own_values_;  ///< as Prepared::values, where they are drawn
  Yardsticks own_yardsticks_;            ///< likewise
};

/// What a bidder has said in answer to probes. Matches of bidders that answer none never make one.
struct Mind {
  std::string past_log;
  std::vector<std::string> past_tips;
  std::vector<std::string> tips;

  Belief belief;                      ///< before the last item
  std::optional<Belief> next_belief;  ///< after it, until all have answered
  std::vector<Standing> standings;    ///< of all bidders by `belief`; points into it
  std::string rivals;                 ///< noted with `belief`
  std::string next_rivals;            ///< noted with `next_belief`
  std::vector<std::string> corrections;

  std::array<std::int8_t, kMaxItems> first_plan{};  ///< by item as listed; 0: not planned
  std::array<std::int8_t, kMaxItems> held_plan{};   ///< when the item came up
};

/// Brings `mind.standings` up to date with `mind.belief`.
void restate(Mind& mind, std::span<const std::string_view> bidders);

/// What bidders are asked besides bids: tips, plans and beliefs. None of it changes the auction.
class Minds {
 public:
  explicit Minds(Auction& auction) : auction_(auction) {}

  void learn();
  /// Before the first item.
  void plan();
  /// Before the item at this place.
  void replan(int place);
  /// Keeps which plan each bidder has as the item at this place comes up.
  void hold_plans(int place);
  /// After the item at this place, for which these were the bids.
  void believe(int place, std::span<const Move> moves);

  /// What a bidder has said; nothing where no bidder was asked.
  [[nodiscard]] const Mind* said_by(int seat) const {
    return minds_.empty() ? nullptr : &minds_[static_cast<std::size_t>(seat)];
  }
  [[nodiscard]] std::span<const std::string> tips(int seat) const {
    const Mind* const said = said_by(seat);
    return said == nullptr ? std::span<const std::string>() : said->tips;
  }
  /// Puts the seat's own last account of the auction into its view, if it has given one.
  template <class View>
  void show_account(View& view, int seat) const {
    if (auction_.account(seat).belief_answers == 0) return;
    const Mind& mine = *said_by(seat);
    view.account_budget = mine.belief.remaining_budget;
    view.account = mine.standings;
    view.rivals = mine.rivals;
  }

 private:
  Mind& mind(int seat);
  template <class Probe>
  void ask_for_plans(const Probe& probe, std::span<const int> seats, int place);
  void take_plan(const Plan& plan, int seat, int place);
  /// Takes the accounts of these seats; who gave one.
  template <class Probe>
  War::SeatList ask_for_beliefs(const Probe& probe, const War::SeatList& seats, int place,
                                std::span<const Move> moves);
  [[nodiscard]] BeliefView belief_view(int place, std::span<const Move> moves, int seat);
  /// Compares the belief that the bidder has just given with the truth, and counts its errors. Is
  /// it without any? `check`: how many were taken of it after this item before.
  [[nodiscard]] bool holds(int seat, int place, int check, std::span<const TrueStanding> truth);

  Auction& auction_;
  std::vector<Mind> minds_;
};

/// The bidding for the items, one after the other: what is asked, said and told while one of them
/// is under the hammer.
class Bidding {
 public:
  Bidding(Auction& auction, Minds& minds)
      : auction_(auction), minds_(minds), keeps_log_(!auction.prepared.learners.empty()) {}

  /// Sells the item at this place, unless nobody buys it.
  void sell(int place);
  /// The bids for the item that came up last.
  [[nodiscard]] std::span<const Move> moves() const { return moves_; }
  /// All that was told of the bidding, as a text for people.
  [[nodiscard]] const std::string& log() const { return log_.text(); }

 private:
  /// Asks the seller, if there is one, at what price the item comes up, and above what it sells.
  void put_up(int place);
  [[nodiscard]] std::optional<agon::Money> told_reserve() const {
    const Settings& settings = auction_.settings;
    return settings.seller && settings.reserve == Reserve::open ? std::optional(reserve_)
                                                                : std::nullopt;
  }
  /// As many messages as the settings have, before the next round of this item's bidding.
  void talk(const War& war, int place);
  [[nodiscard]] TalkView talk_view(const War& war, int place, int seat, int message) const;
  void hear_out(const Talked& talked);

  void ask_for_bids(War& war, int place);
  /// Asks all of them at once; `question(seat)` returns asking<Bid>(...).
  template <class Question>
  void hear(War& war, int place, std::span<const int> asked, const Question& question);
  void take_bid(War& war, int place, int seat, const agon::Answer<Bid>& answer);
  /// Fills in what bidders see of an item in every round.
  void show_item(int place);
  /// Brings what a bidder sees up to date for the round that begins.
  const BidView& show_round(const War& war, int seat);
  [[nodiscard]] int draw_leader(const War& war, int item);
  /// Asks the seller, where it acts in the middle of the bidding, what happens after this round.
  /// Does it end the bidding?
  bool conduct(War& war, int place);
  /// What a seller sees in either view; `later` holds what the view points to.
  template <class View>
  void show_seller(View& view, int place, agon::InlineList<Lot, kMaxItems>& later) const;
  [[nodiscard]] ConductView conduct_view(const War& war, int place,
                                         agon::InlineList<Lot, kMaxItems>& later) const;
  /// The bidding is over.
  void finish(const War& war, int place);
  void settle(const War& war, int place, bool sold);

  /// An event for everybody that also goes into the history for people.
  template <class Event, class Make>
  void publish(const Event& said, const Make& make) {
    if (keeps_log_) {
      const auto event = make();
      log_.add(event);
      auction_.table.announce(said, event);
    } else {
      auction_.table.announce(said, [&] {
        const auto event = make();
        log_.add(event);
        return event;
      });
    }
  }

  Auction& auction_;
  Minds& minds_;
  bool keeps_log_;
  agon::InlineList<BidView, agon::kMaxSeats>
      views_;  ///< what each bidder sees when asked for a bid
  agon::InlineList<Move, agon::kMaxSeats * kMaxRounds> moves_;  ///< for the item under the hammer
  std::size_t round_starts_ = 0;                                ///< in moves_
  std::size_t last_round_starts_ = 0;
  BiddingLog log_;
  agon::Money start_price_;  ///< of the item under the hammer
  agon::Money reserve_;      ///< likewise
  std::vector<Remark> talk_;
  std::deque<std::string> texts_;  ///< of talk_; a deque, so that none moves
};

/// After the last item: what bidders planned and did, their reports and memos, and the outcome.
/// `log` is the bidding as a text.
[[nodiscard]] agon::Outcome conclude(Auction& auction, const Minds& minds, const std::string& log);

}  // namespace english_auction
