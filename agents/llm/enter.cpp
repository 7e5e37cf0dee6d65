#include "llm/enter.hpp"

#include "llm/llm_agent.hpp"
#include "llm/mock/command.hpp"
#include "llm/parts/parts.hpp"
#include "llm/providers/providers.hpp"

namespace agon::llm {

void enter(Registry& registry) {
  registry.add(agent<LlmAgent>(
      {.id = "llm",
       .doc = "A language model behind any endpoint, made of parts: persona, memory, planning, "
              "beliefs, reasoning, form of the answer. It plays every game, by prompt files where "
              "a game has them, and else by rules, views and schemas."}));
  add_parts(registry);
  add_providers(registry);
  registry.add(mock::server_command());
}

}  // namespace agon::llm
