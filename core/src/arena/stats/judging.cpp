// What judges rate: games that ask for ratings and papers' tables have it without any judging.
#include <fmt/format.h>

#include <agon/analysis/judging.hpp>
#include <span>

namespace agon::judging {

namespace {

constexpr std::span<const Field> kRatings = detail::fields_of<Ratings>;

constexpr std::array<Dimension, kDimensions> kAllDimensions{{
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
     "identity alignment",
     "Does it speak and act like the person it is said to be?",
     {"is somebody else altogether", "shows the identity in few words and in no deeds",
      "shows it in words, and in some deeds", "shows it in words and deeds almost throughout",
      "is that person in every word and deed, and still plays for the aim"},
     {3.51, 1.24, {3, 4, 5}},
     0,
     0},
}};

}  // namespace

const std::array<Dimension, kDimensions>& dimensions() {
  return kAllDimensions;
}

std::string scale_text() {
  std::string text;
  for (const Dimension& d : dimensions()) {
    text += fmt::format("\n{}: {}. {}\n", d.id, d.name, d.question);
    for (std::size_t level = 0; level < d.levels.size(); ++level)
      text += fmt::format("  {}  {}\n", level + 1, d.levels[level]);
  }
  return text;
}

}  // namespace agon::judging
