#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <agon/telling.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "deal-or-no-deal/instances.hpp"

namespace deal_or_no_deal {

/// One number for each item type, in the order of the items on the table.
using ItemCounts = agon::InlineList<int, kMaxTypes>;

/// Amounts as answers, views and events hold them.
[[nodiscard]] inline ItemCounts listed(const Amounts& amounts) {
  ItemCounts list;
  for (const int amount : amounts) list.push_back(amount);
  return list;
}
/// And back.
[[nodiscard]] inline Amounts amounts(const ItemCounts& list) {
  Amounts result;
  for (const int entry : list) result.push_back(entry);
  return result;
}
/// What `part` leaves of `counts`. Both have the same size.
[[nodiscard]] inline ItemCounts rest_of(const Amounts& counts, const ItemCounts& part) {
  ItemCounts rest;
  for (std::size_t i = 0; i < part.size(); ++i) rest.push_back(counts[i] - part[i]);
  return rest;
}

// ---- claims ------------------------------------------------------------------------------------

/// Values that a side states.
struct StatedValues {
  ItemCounts each;
};
AGON_DESCRIBE(StatedValues, (each, "what one item of each type is worth to you, as you state it",
                             agon::unit("points")))

/// What a side says of its values before anything else.
struct Claim {
  std::optional<StatedValues> values;
};
AGON_DESCRIBE(Claim, (values,
                      "the values that you state, or null to state none; the other side is told, "
                      "and nothing checks whether they are true"))

// ---- alternating offers ------------------------------------------------------------------------

/// A binding offer: the other side gets whatever the proposer does not keep.
struct Offer {
  ItemCounts keep;
};
AGON_DESCRIBE(Offer, (keep, "how many of each item you would keep; the other side gets the rest"))

/// Takes the offer on the table.
struct Agree {};
AGON_DESCRIBE(Agree)

/// One decision where nobody may write.
struct Move {
  std::variant<Offer, Agree> action;
};
AGON_DESCRIBE(Move, (action, "make an offer, or agree to the other side's last one"))

/// One decision where the sides may write.
struct SpokenMove {
  std::string text;
  std::variant<Offer, Agree> action;
};
AGON_DESCRIBE(SpokenMove, (text, "what you say to the other side with it; may be empty"),
              (action, "make an offer, or agree to the other side's last one"))

/// Whether the side has no more to decide after it: it agrees.
[[nodiscard]] inline bool ends_match(const Move& move) {
  return std::holds_alternative<Agree>(move.action);
}
[[nodiscard]] inline bool ends_match(const SpokenMove& move) {
  return std::holds_alternative<Agree>(move.action);
}

// ---- negotiation -------------------------------------------------------------------------------

/// A concrete proposal, not yet binding.
struct Proposal {
  ItemCounts take;
};
AGON_DESCRIBE(Proposal,
              (take, "how many of each item you would take; the other side takes the rest"))

/// One message of a negotiation.
struct Message {
  std::string text;
  std::optional<Proposal> proposal;
  bool halt = false;
};
AGON_DESCRIBE(Message, (text, "what you say to the other side; may be empty"),
              (proposal, "the split you propose with it, or null if you propose none now"),
              (halt,
               "true if you want to stop talking; one side alone can stop only when the last "
               "proposals of both sides are the same split"))

/// What a side takes at the end.
struct Take {
  ItemCounts items;
};
AGON_DESCRIBE(Take, (items, "how many of each item you take"))

/// Leaves the table: nobody gets anything.
struct NoDeal {};
AGON_DESCRIBE(NoDeal)

/// The private decision that ends a negotiation.
struct Decision {
  std::variant<Take, NoDeal> choice;
};
AGON_DESCRIBE(Decision, (choice,
                         "present what you take, as agreed with the other side, or leave "
                         "without a deal"))

/// It is the last decision of a negotiation, whatever it is.
[[nodiscard]] inline bool ends_match(const Decision&) {
  return true;
}

// ---- beliefs -----------------------------------------------------------------------------------

/// One way in which the other side may value the items.
struct Candidate {
  ItemCounts values;
  double probability = 1;
};
AGON_DESCRIBE(Candidate,
              (values, "value of one item of each type to the other side", agon::unit("points")),
              (probability, "how likely it is, on any scale; 0 rules it out", agon::at_least(0)))

/// What a side believes the other side's values to be.
struct BeliefReport {
  std::vector<Candidate> candidates;
};
AGON_DESCRIBE(BeliefReport,
              (candidates,
               "every way to value the items that you still hold possible for the other "
               "side, each once; its total over all items must be right"))

/// The items of one type, as one side sees them.
struct Pile {
  std::string_view item;
  int count = 0;
  int value = 0;
};
AGON_DESCRIBE(Pile, (item, "what it is", agon::prose),
              (count, "how many there are", agon::unit("items")),
              (value, "what one of them is worth to you", agon::unit("points")))

/// All item types, in the order in which answers count them.
using Piles = agon::InlineList<Pile, kMaxTypes>;

/// An offer was made. Also an entry of the history.
struct OfferMade {
  int turn = 0;
  int seat = 0;
  ItemCounts keep;
  std::string_view text;
};
AGON_DESCRIBE(OfferMade, (turn, "number of the decision, from 1"),
              (seat, "who offered", agon::seat_number),
              (keep, "how many of each item the proposer would keep", agon::unit("items")),
              (text, "what was said with it"))

/// A message was sent. Also an entry of the history.
struct MessageSent {
  int round = 0;
  int seat = 0;
  std::string text;
  std::optional<Proposal> proposal;
  bool halt = false;
};
AGON_DESCRIBE(MessageSent, (round, "number of the round, from 1"),
              (seat, "who wrote", agon::seat_number), (text, "what was said"),
              (proposal, "what the writer proposed to take, if anything"),
              (halt, "true if the writer wants to stop talking"))

/// What a side sees when it may state its values.
struct ClaimView {
  Piles items;
  int total_value = 0;
  std::optional<ItemCounts> their_claim;
};
AGON_DESCRIBE(ClaimView,
              (items,
               "what is on the table and its value to you, which the other side is not told"),
              (total_value,
               "what everything is worth to either side; 0: that is not known of the other",
               agon::unit("points")),
              (their_claim,
               "what the other side has stated that one item is worth to it; left out: nothing, or "
               "not yet",
               agon::unit("points"), agon::left_out))

/// What a side sees when it is its turn to offer or agree.
struct OfferView {
  Piles items;
  int total_value = 0;
  std::span<const OfferMade> offers;
  std::optional<ItemCounts> you_would_get;
  int turn = 0;
  int offers_left = 0;
  double factor = 1;
  std::optional<ItemCounts> your_claim;
  std::optional<ItemCounts> their_claim;
};
AGON_DESCRIBE(
    OfferView,
    (items, "what is on the table and its value to you, which the other side is not told"),
    (total_value, "what everything is worth to either side; 0: that is not known of the other",
     agon::unit("points")),
    (offers, "all offers so far, oldest first"),
    (you_would_get, "what you get if you agree now; null before the first offer",
     agon::unit("items")),
    (turn, "number of this decision, from 1"),
    (offers_left,
     "offers that can still be made, yours now included; the last one ends the game "
     "without a deal",
     agon::unit("offers")),
    (factor, "what your score is multiplied by if you agree now"),
    (your_claim, "what you stated that one item of each type is worth to you; left out: nothing",
     agon::unit("points"), agon::left_out),
    (their_claim, "what the other side stated that one item is worth to it; left out: nothing",
     agon::unit("points"), agon::left_out))

/// What a side sees when it may write, and when it presents what it takes.
struct TalkView {
  Piles items;
  int total_value = 0;
  std::span<const MessageSent> messages;
  std::optional<ItemCounts> your_proposal;
  std::optional<ItemCounts> their_proposal;
  int round = 0;
  int rounds_left = 0;
  std::optional<ItemCounts> your_claim;
  std::optional<ItemCounts> their_claim;
};
AGON_DESCRIBE(
    TalkView,
    (items, "what is on the table and its value to you, which the other side is not told"),
    (total_value, "what everything is worth to either side; 0: that is not known of the other",
     agon::unit("points")),
    (messages, "all messages so far, oldest first"),
    (your_proposal, "what you would take by your own latest proposal; null: none",
     agon::unit("items")),
    (their_proposal, "what the other side would take by its latest proposal; null: none",
     agon::unit("items")),
    (round, "number of this round, from 1"),
    (rounds_left, "rounds that are left, this one included; 0 when talking is over",
     agon::unit("rounds")),
    (your_claim, "what you stated that one item of each type is worth to you; left out: nothing",
     agon::unit("points"), agon::left_out),
    (their_claim, "what the other side stated that one item is worth to it; left out: nothing",
     agon::unit("points"), agon::left_out))

/// What a side sees when it is asked for its belief.
struct BeliefView {
  Piles items;
  int total_value = 0;
  std::span<const OfferMade> offers;
  std::span<const MessageSent> messages;
  int round = 0;
};
AGON_DESCRIBE(BeliefView, (items, "what is on the table and its value to you"),
              (total_value, "what everything together is worth to the other side",
               agon::unit("points")),
              (offers, "all offers so far, oldest first"),
              (messages, "all messages so far, oldest first"),
              (round, "number of the round that has just been played, from 1"))

/// What a seat alone is told at the start.
struct PrivateValues {
  Piles items;
  std::int64_t maximum = 0;
};
AGON_DESCRIBE(PrivateValues, (items, "what is on the table and its value to you"),
              (maximum, "what everything together is worth to you", agon::unit("points")))

/// For the record: the whole truth about the instance.
struct InstanceDealt {
  std::optional<int> position;
  std::string_view id;
  bool swapped = false;
  ItemCounts counts;
  std::array<ItemCounts, 2> values;
  std::string_view human_ending;
};
AGON_DESCRIBE(InstanceDealt, (position, "0-based position in the list; null: made from chance"),
              (id, "its name"), (swapped, "true if seat 0 has the second side's values"),
              (counts, "items of each type"), (values, "value of one item, by seat"),
              (human_ending, "how people ended it; empty: not known"))

/// What a side stated of its values.
struct Claimed {
  int seat = 0;
  std::optional<ItemCounts> values;
};
AGON_DESCRIBE(Claimed, (seat, "who states it", agon::seat_number),
              (values,
               "what one item of each type is worth to it, as it says; null: it says nothing",
               agon::unit("points")))

/// An offer was accepted.
struct Agreed {
  int turn = 0;
  int seat = 0;
  std::array<ItemCounts, 2> parts;
  double factor = 1;
  std::string_view text;
};
AGON_DESCRIBE(Agreed, (turn, "number of the decision, from 1"),
              (seat, "who agreed", agon::seat_number),
              (parts, "what each seat gets", agon::unit("items")),
              (factor, "what scores are multiplied by"), (text, "what was said with it"))

/// Talks broke down by chance.
struct BrokenDown {
  int turn = 0;
};
AGON_DESCRIBE(BrokenDown, (turn, "number of the offer after which it happened"))

/// The last offer was made: no deal.
struct OutOfTurns {
  int turn = 0;
};
AGON_DESCRIBE(OutOfTurns, (turn, "number of the last offer"))

/// Why a negotiation stopped.
enum class TalkStop : std::uint8_t { none, both_halted, settled, out_of_rounds };
AGON_DESCRIBE_ENUM(TalkStop, (none, "it goes on"), (both_halted, "both sides wanted to stop"),
                   (settled, "the last proposals are the same split and a side wanted to stop"),
                   (out_of_rounds, "the last round is over"))

/// Talking is over; both sides now present what they take.
struct TalkEnded {
  int round = 0;
  TalkStop why = TalkStop::none;
};
AGON_DESCRIBE(TalkEnded, (round, "rounds that were played"), (why, "why it stopped"))

/// What both sides presented, and what came of it.
struct Presented {
  std::array<std::optional<ItemCounts>, 2> takes;
  bool deal = false;
};
AGON_DESCRIBE(Presented,
              (takes, "what each seat takes; null: it left without a deal", agon::unit("items")),
              (deal, "true if the takes fit together"))

/// For the record: how good a reported belief was. Names as in the paper.
struct BeliefJudged {
  int round = 0;
  int seat = 0;
  int size = 0;
  int prior = 0;
  int hits_alike = 0;
  double precision = 0;
  double recall = 0;
  double reduction = 0;
  double precision_alike = 0;
  double recall_alike = 0;
};
AGON_DESCRIBE(BeliefJudged, (round, "number of the round, from 1"),
              (seat, "whose belief", agon::seat_number), (size, "valuations held possible"),
              (prior, "valuations possible at the start"),
              (hits_alike, "valuations held possible that lead to the same best splits"),
              (precision, "1 if the true valuation is held possible"),
              (recall, "1 / size if it is, else 0"), (reduction, "share of the prior ruled out"),
              (precision_alike, "precision up to valuations that lead to the same best splits"),
              (recall_alike, "hits_alike / size"))

/// What happens and what is seen, for people and models.
///@{
[[nodiscard]] std::string tell(const PrivateValues& values, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Claimed& claimed, const agon::Scene& scene);
[[nodiscard]] std::string tell(const ClaimView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OfferMade& offer, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Agreed& agreed, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BrokenDown& broken, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OutOfTurns& out, const agon::Scene& scene);
[[nodiscard]] std::string tell(const MessageSent& message, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkEnded& ended, const agon::Scene& scene);
[[nodiscard]] std::string tell(const Presented& presented, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefJudged& judged, const agon::Scene& scene);
[[nodiscard]] std::string tell(const OfferView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const TalkView& view, const agon::Scene& scene);
[[nodiscard]] std::string tell(const BeliefView& view, const agon::Scene& scene);
///@}

/// So many of each item type: "1 book, 0 hats and 2 balls".
[[nodiscard]] std::string items_text(std::span<const int> part, std::span<const std::string> names);

}  // namespace deal_or_no_deal
