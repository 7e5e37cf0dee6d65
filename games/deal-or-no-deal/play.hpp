#pragma once

#include <agon/describe.hpp>
#include <agon/game.hpp>
#include <agon/table.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/rules.hpp"
#include "deal-or-no-deal/settings.hpp"

/// What the game asks and says.
namespace deal_or_no_deal {

inline constexpr agon::Stage<"claim", Claim, ClaimView> kClaim{
    "state what the items are worth to you, or nothing",
    "both, before anything else, if the settings have claims", &tell};
inline constexpr agon::Stage<"message", Message, TalkView> kMessage{
    "send a message, with or without a concrete proposal, or ask to stop talking",
    "both, Alice first, in a negotiation", &tell};
inline constexpr agon::Stage<"take", Decision, TalkView> kTake{
    "present privately what you take; only takes that fit together are a deal",
    "both at once, after a negotiation", &tell, &ends_match};
inline constexpr agon::Stage<"move", Move, OfferView> kMove{
    "make a binding offer, or agree to the other side's last one",
    "in turn, with alternating offers and no messages", &tell, &ends_match};
inline constexpr agon::Stage<"spoken-move", SpokenMove, OfferView> kSpokenMove{
    "make a binding offer or agree to the other side's last one, with a message",
    "in turn, with alternating offers and messages", &tell, &ends_match};
inline constexpr agon::Probe<"belief", BeliefReport, BeliefView> kBelief{
    "say which values of the other side you hold possible; the other side never sees it",
    "both, after every round", agon::Purpose::belief, &tell};

inline constexpr agon::Note<"instance", InstanceDealt> kInstance{"the whole truth of the instance"};
inline constexpr agon::PrivateEvent<"private", PrivateValues> kPrivate{
    "what is on the table, and its value to the seat", &tell};
inline constexpr agon::Event<"claimed", Claimed> kClaimed{
    "a side has stated what the items are worth to it", &tell};
inline constexpr agon::Event<"offer", OfferMade> kOffer{"an offer is made", &tell};
inline constexpr agon::Event<"agreed", Agreed> kAgreed{"an offer is accepted", &tell};
inline constexpr agon::Event<"broken-down", BrokenDown> kBrokenDown{"talks break down by chance",
                                                                    &tell};
inline constexpr agon::Event<"out-of-turns", OutOfTurns> kOutOfTurns{
    "the last offer is made: no deal", &tell};
inline constexpr agon::Event<"message", MessageSent> kMessageSent{"a side has spoken", &tell};
inline constexpr agon::Event<"talk-ended", TalkEnded> kTalkEnded{"talking is over", &tell};
inline constexpr agon::Event<"presented", Presented> kPresented{
    "what both sides take, and what comes of it", &tell};
inline constexpr agon::Note<"belief-judged", BeliefJudged> kBeliefJudged{
    "how good a reported belief is", &tell};

using Table = agon::Table<kClaim, kMessage, kTake, kMove, kSpokenMove, kBelief, kInstance, kPrivate,
                          kClaimed, kOffer, kAgreed, kBrokenDown, kOutOfTurns, kMessageSent,
                          kTalkEnded, kPresented, kBeliefJudged>;

/// Why a reported belief is no legal answer; empty if it is one: every candidate values everything
/// at `total_value`, none comes twice, and one at least is possible.
[[nodiscard]] std::string problem_of(const BeliefReport& report, const Amounts& counts,
                                     int total_value);

/// Scores a report of somebody with values `own` about the `truth` (Hua et al. 2024, section 5.5).
/// Only round and seat are left to fill in.
[[nodiscard]] BeliefJudged judge_belief(const BeliefReport& report, const Amounts& counts,
                                        const Amounts& own, const Amounts& truth, int total_value);

/// Asks both seats after each round what the other's values may be, and keeps the last score of
/// each.
class BeliefBook {
 public:
  BeliefBook(const Case& game, bool swapped, int total_value)
      : game_(game), swapped_(swapped), total_value_(total_value) {}

  /// `view(seat)` makes the BeliefView of a seat.
  template <class View>
  void ask(Table table, int round, const View& view) {
    if (game_.prior == 0) return;
    for (const int seat : {0, 1}) {
      const std::span<const int> caps(game_.value_caps.data(), game_.counts.size());
      auto report = table.probe(
          seat, kBelief, agon::view([&view, seat] { return view(seat); }),
          agon::limit_length(&BeliefReport::candidates, 1, static_cast<std::int64_t>(game_.prior)),
          agon::limit_each(&BeliefReport::candidates, &Candidate::values, caps),
          agon::check(
              [this](const BeliefReport& r) { return problem_of(r, game_.counts, total_value_); }));
      if (report) enter(table, round, seat, *report);
    }
  }

  /// How many reports a seat gave.
  [[nodiscard]] int reports(int seat) const { return reports_[static_cast<std::size_t>(seat)]; }
  /// How likely its last one holds these values of the other side to be; nothing without one.
  [[nodiscard]] std::optional<double> held(int seat, const ItemCounts& values) const;
  /// The score of its last one; meaningless if there is none.
  [[nodiscard]] const BeliefJudged& last(int seat) const {
    return *last_[static_cast<std::size_t>(seat)];
  }

 private:
  void enter(Table table, int round, int seat, const BeliefReport& report);

  const Case& game_;
  bool swapped_;
  int total_value_;
  std::array<int, 2> reports_{};
  std::array<std::optional<BeliefJudged>, 2> last_;
  std::array<BeliefReport, 2> last_reports_;
};

/// What is measured for each seat. Values are undiscounted; without a deal they are 0.
struct SeatMetrics {
  std::int64_t value = 0;
  std::int64_t maximum = 0;
  std::optional<double> surplus_share;
  std::optional<bool> envies;
  int items = 0;
  std::optional<std::int64_t> fair_value;
  std::int64_t nash_value = 0;
  int proposals = 0;
  int belief_reports = 0;
  std::optional<int> belief_size;
  std::optional<int> belief_prior;
  std::optional<int> belief_hits_alike;
  std::optional<double> belief_precision;
  std::optional<double> belief_recall;
  std::optional<double> belief_reduction;
  std::optional<double> belief_precision_alike;
  std::optional<double> belief_recall_alike;
  bool claimed = false;
  std::optional<bool> misstated;
  std::optional<std::int64_t> misstatement;
  std::optional<double> belief_in_claim;
};
AGON_DESCRIBE(
    SeatMetrics,
    (value, "what its part is worth to it, before any discount", agon::unit("points"),
     agon::at_least(0), agon::Better::higher),
    (maximum, "what everything would be worth to it", agon::unit("points"), agon::at_least(0)),
    (surplus_share, "its share of the joint value; without joint value not defined",
     agon::range(0, 1), agon::Better::higher),
    (envies, "would it rather have the other's part? Only with a deal", agon::range(0, 1),
     agon::Better::lower),
    (items, "items it got", agon::unit("items"), agon::at_least(0)),
    (fair_value, "its value in the best envy-free and Pareto-optimal split, if there is one",
     agon::unit("points"), agon::at_least(0)),
    (nash_value, "its value in the Nash bargaining split", agon::unit("points"), agon::at_least(0)),
    (proposals, "offers or concrete proposals it made", agon::at_least(0)),
    (belief_reports, "beliefs about the other's values it reported", agon::at_least(0)),
    (belief_size, "valuations it held possible in its last report", agon::at_least(1)),
    (belief_prior, "valuations possible at the start", agon::at_least(1)),
    (belief_hits_alike, "those in its last report that lead to the same best splits as the truth",
     agon::at_least(0)),
    (belief_precision, "1 if its last report holds the true valuation (the paper's word)",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_recall, "1 / size of the last report if it holds the truth, else 0 (the paper's word)",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_reduction, "share of the prior that its last report rules out", agon::range(0, 1),
     agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_precision_alike, "belief_precision up to valuations with the same best splits",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (belief_recall_alike, "belief_recall up to valuations with the same best splits",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.5"), agon::Better::higher),
    (claimed, "did it state what the items are worth to it?", agon::range(0, 1)),
    (misstated, "were the values that it stated others than its own? Only where it stated some",
     agon::range(0, 1)),
    (misstatement,
     "how far the stated values of one item of each type are from its own, all types together; "
     "only where it stated some",
     agon::unit("points"), agon::at_least(0)),
    (belief_in_claim,
     "how likely its last report holds the values that the other side stated, true or not, to be",
     agon::range(0, 1)))

/// What is measured for the match. Without a deal it counts as neither envy-free nor
/// Pareto-optimal, and as worth 0 to both.
struct MatchMetrics {
  std::optional<int> instance;
  bool agreement = false;
  int rounds = 0;
  int turns = 0;
  bool out_of_time = false;
  bool broken_down = false;
  bool misfit = false;
  bool walked_away = false;
  std::int64_t joint_value = 0;
  std::int64_t best_joint = 0;
  std::optional<double> joint_share;
  bool envy_free = false;
  bool pareto_optimal = false;
  bool fair = false;
  bool fair_possible = false;
  std::optional<std::int64_t> fair_distance;
  std::int64_t nash_distance = 0;
  std::optional<double> nash_product_share;
  std::optional<int> left_over;
  std::int64_t value_distance = 0;
  double factor = 1;
};
AGON_DESCRIBE(
    MatchMetrics,
    (instance, "0-based position of the instance: matches over the same one cluster",
     agon::at_least(0)),
    (agreement, "was there a deal?", agon::range(0, 1), agon::Better::higher),
    (rounds, "rounds played: both sides' messages or decisions; a started one counts",
     agon::unit("rounds"), agon::at_least(0), agon::Better::lower),
    (turns, "messages, or offers and agreements, in all", agon::at_least(0), agon::Better::lower),
    (out_of_time, "did talks go on to the last round or offer?", agon::range(0, 1),
     agon::Better::lower),
    (broken_down, "did chance end the talks?", agon::range(0, 1)),
    (misfit, "did both present a take, but takes that do not fit?", agon::range(0, 1),
     agon::Better::lower),
    (walked_away, "did a side leave instead of presenting a take?", agon::range(0, 1),
     agon::Better::lower),
    (joint_value, "what both parts are worth to their owners", agon::unit("points"),
     agon::at_least(0), agon::Better::higher),
    (best_joint, "the highest joint value of any split", agon::unit("points"), agon::at_least(0)),
    (joint_share, "joint_value / best_joint", agon::range(0, 1), agon::Better::higher),
    (envy_free, "does nobody want the other's part? Needs a deal without left-overs",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.1"), agon::Better::higher),
    (pareto_optimal, "is there no full split as good for both and better for one?",
     agon::range(0, 1), agon::source("Hua et al. 2024, section 5.1"), agon::Better::higher),
    (fair, "both envy-free and Pareto-optimal", agon::range(0, 1), agon::Better::higher),
    (fair_possible, "is there a split that is both?", agon::range(0, 1)),
    (fair_distance,
     "sum of both sides' differences in value to the best split that is both, if there is one",
     agon::unit("points"), agon::at_least(0), agon::Better::lower),
    (nash_distance, "sum of both sides' differences in value to the Nash bargaining split",
     agon::unit("points"), agon::at_least(0), agon::Better::lower),
    (nash_product_share, "product of both values over the highest such product", agon::range(0, 1),
     agon::Better::higher),
    (left_over, "items that nobody took; only with a deal", agon::unit("items"), agon::at_least(0),
     agon::Better::lower),
    (value_distance, "how far the sides want different things: the lower, the harder",
     agon::unit("points"), agon::at_least(0), agon::source("Hua et al. 2024, section 5.1")),
    (factor, "what scores were multiplied by", agon::range(0, 1)))

/// One match: what is on the table, and who has which side of it.
struct Match {
  const Settings& settings;
  const Prepared& prepared;
  const Case& game;
  bool swapped = false;
  std::optional<int> position;  ///< of the instance in the list

  [[nodiscard]] std::size_t side(int seat) const {
    return static_cast<std::size_t>(swapped ? 1 - seat : seat);
  }
  [[nodiscard]] const Amounts& values(int seat) const { return game.values[side(seat)]; }
  /// What is on the table, with this seat's own values.
  [[nodiscard]] Piles piles(int seat) const;
};

/// What both seats stated of their values; nothing where a seat stated nothing.
using Claims = std::array<std::optional<ItemCounts>, 2>;

/// Has both seats state their values, if the settings have claims.
[[nodiscard]] Claims hear_claims(Table table, const Match& match);

/// How talks ended.
struct Finish {
  Claims claims;
  std::optional<Deal> deal;
  double factor = 1;
  int turns = 0;
  bool out_of_time = false;
  bool broken_down = false;
  bool misfit = false;
  bool walked_away = false;
  std::array<int, 2> proposals{};
};

/// Plays alternating offers over a match.
[[nodiscard]] agon::Outcome play_offers(Table table, const Match& match);

/// Plays a negotiation over a match.
[[nodiscard]] agon::Outcome play_talks(Table table, const Match& match);

/// Scores, anchors and metrics.
[[nodiscard]] agon::Outcome settle(const Match& match, const Finish& finish,
                                   const BeliefBook& beliefs);

/// The whole game.
[[nodiscard]] agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared);

}  // namespace deal_or_no_deal
