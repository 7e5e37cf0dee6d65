#include "llm/llm_agent.hpp"
#include "llm/mock/server.hpp"
#include "llm/parts/parts.hpp"
#include "llm/provider/provider.hpp"

namespace agon::llm {

void enter(Registry& registry) {
  registry.add(agent<LlmAgent>(
      {.id = "llm",
       .doc = "A language model behind any endpoint, made of parts: persona, memory, planning, "
              "beliefs, reasoning, form of the answer. It plays every game, by prompt files where "
              "a game has them, and else by rules, views and schemas."}));
  add_personas(registry);
  add_memories(registry);
  add_kept_texts(registry);
  add_reasonings(registry);
  add_forms(registry);
  add_tools(registry);
  add_providers(registry);
  registry.add(mock::server_command());
}

}  // namespace agon::llm
