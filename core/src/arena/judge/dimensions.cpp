#include "judge/dimensions.hpp"

#include <fmt/format.h>

namespace agon::judge {

const std::array<Dimension, kDimensions>& dimensions() {
  static constexpr std::array<Dimension, kDimensions> kAll{{
      {kRatings[0].name,
       kRatings[0].doc,
       "Does the player notice what there is to know and use it?",
       {"ignores what it was told, or gets it wrong",
        "uses a little of it, and misses most of what matters",
        "uses the obvious facts, and overlooks some that matter",
        "uses nearly all that matters, with small gaps",
        "uses everything that matters, also what must be worked out from several facts"},
       {3.33, 1.04, {3, 3, 4}},
       3.60,
       0.52},
      {kRatings[1].name,
       kRatings[1].doc,
       "Do its conclusions follow from what it knows?",
       {"contradicts itself, or gives no reasons where the record shows reasons",
        "has reasons that rarely lead to what it does",
        "reasons soundly in simple places, with gaps in others",
        "reasons soundly almost everywhere, with small slips",
        "reasons without a fault, also over several steps"},
       {3.47, 1.00, {3, 4, 4}},
       3.50,
       0.71},
      {kRatings[2].name,
       kRatings[2].doc,
       "Does what it does bring it closer to the aim of the game?",
       {"works against its own aim", "helps its aim by accident at best",
        "helps its aim, at a cost that could be seen coming",
        "serves its aim well, with little waste",
        "serves its aim as well as one could from this seat"},
       {3.46, 1.10, {3, 4, 4}},
       3.30,
       0.82},
      {kRatings[3].name,
       kRatings[3].doc,
       "Does it change its ways when the others or the situation change?",
       {"goes on as before, whatever happens", "changes late, or for the worse",
        "changes after the fact, and partly in the right direction",
        "changes in time and in the right direction", "sees changes coming and is ready for them"},
       {3.42, 1.12, {3, 4, 4}},
       3.70,
       1.06},
      {kRatings[4].name,
       kRatings[4].doc,
       "Does it think ahead further than the present move?",
       {"lives from move to move", "looks ahead once or twice, and forgets it again",
        "has a rough plan, and keeps to part of it",
        "has a plan, keeps to it, and mends it where needed",
        "weighs present against later gains all the way to the end"},
       {3.88, 0.88, {3, 4, 4}},
       3.40,
       1.26},
      {kRatings[5].name,
       kRatings[5].doc,
       "Does it speak and act like the person it is said to be?",
       {"is somebody else altogether", "shows the identity in few words and in no deeds",
        "shows it in words, and in some deeds", "shows it in words and deeds almost throughout",
        "is that person in every word and deed, and still plays for the aim"},
       {3.51, 1.24, {3, 4, 5}},
       0,
       0},
  }};
  return kAll;
}

std::string_view published_source() {
  return "Alympics (Mao and others 2023), water game, 30 records of model agents, 5 judges each";
}

std::string instructions(std::size_t judges_a_record) {
  std::string text = fmt::format(
      "How to rate\n"
      "\n"
      "Each file in 'records' tells one match as one player lived through it: what it was told,\n"
      "what it thought in private where it said so, and what it did. Who or what played is not\n"
      "said; please do not try to find out, and do not talk with the other judges before all\n"
      "forms are in. {} of you rate{} each record.\n"
      "\n"
      "Read a record to its end before you rate it, in the order of your form. Rate the player\n"
      "named at the top of the record, not the others and not the outcome: chance decides too. "
      "Write\n"
      "a whole number from {} to {} into each column of your form. Leave a cell empty only if the\n"
      "record gives you nothing to go by; IA stays empty where the record says that the player "
      "was\n"
      "given no identity (no character, profession or way of life).\n"
      "\n"
      "The row '{}' of your form is for your own play, if you play the game yourself before you\n"
      "read the records: rate how you played, and leave it empty if you did not. IA stays empty.\n"
      "\n"
      "Marks in a record: [all] or [NAME, ...] says who was told; > is what the player did; what\n"
      "stands under \"thought\" or \"in private\" was seen by nobody else.\n",
      judges_a_record, judges_a_record == 1 ? "s" : "", kLowestRating, kHighestRating, kOwnPlay);
  for (const Dimension& d : dimensions()) {
    text += fmt::format("\n{}: {}. {}\n", d.id, d.name, d.question);
    for (std::size_t level = 0; level < d.levels.size(); ++level)
      text += fmt::format("  {}  {}\n", level + 1, d.levels[level]);
  }
  return text;
}

}  // namespace agon::judge
