#include "agents.hpp"

#include <agon/agent.hpp>

#include "human/human.hpp"
#include "rule_agents.hpp"

namespace agon::agents {

void enter(Registry& registry) {
  registry.add(agent<Random>(
      {.id = "random",
       .doc = "Plays uniformly over the distinct legal answers where they are finite, the "
              "alternatives of an action weighted by how many answers each has; else uniformly "
              "over the limits. The floor of every comparison."}));
  registry.add(agent<Default>(
      {.id = "default",
       .doc = "Says nothing, so that the game's own fallback is played: no bid, no deal."}));
  registry.add(agent<Edge>(
      {.id = "edge",
       .doc = "Answers at the edges of what is legal: the lowest or the highest of each number, "
              "the shortest or a long text, drawn; where the game turns that down, at random. For "
              "trying games."}));
  registry.add(agent<Script>(
      {.id = "script",
       .doc = "Plays given answers, in order or by stage: regressions, lessons and replays of "
              "published games. An answer that is turned down is followed by the next one."}));
  registry.add(agent<Human>(
      {.id = "human",
       .doc = "A person at the terminal, or in a pipe, line by line: asks entry by entry or takes "
              "one line of JSON. The dialogue is on standard error."}));
}

}  // namespace agon::agents
