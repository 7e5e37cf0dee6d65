#pragma once

#include <agon/describe.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "deal-or-no-deal/answers.hpp"
#include "deal-or-no-deal/views.hpp"

namespace deal_or_no_deal {

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

}  // namespace deal_or_no_deal
