#pragma once

#include <agon/describe.hpp>
#include <agon/inline_list.hpp>
#include <optional>
#include <string>
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

}  // namespace deal_or_no_deal
