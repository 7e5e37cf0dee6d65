#pragma once

#include <agon/describe.hpp>
#include <span>
#include <string_view>

#include "deal-or-no-deal/answers.hpp"

namespace deal_or_no_deal {

/// The items of one type, as one side sees them.
struct Pile {
  std::string_view item;
  int count = 0;
  int value = 0;
};
AGON_DESCRIBE(Pile, (item, "what it is"), (count, "how many there are", agon::unit("items")),
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

}  // namespace deal_or_no_deal
