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
  add_parts(registry);
  add_providers(registry);
  registry.add(mock::server_command());
}

void add_parts(Registry& registry) {
  registry.add(no_persona_card());
  registry.add(text_persona_card());
  registry.add(personality_card());
  registry.add(stance_card());
  registry.add(whole_memory_card());
  registry.add(window_memory_card());
  registry.add(notebook_card());
  registry.add(no_memory_card());
  registry.add(retrieval_card());
  registry.add(no_learning_card());
  registry.add(learning_card());
  registry.add(no_planning_card());
  registry.add(static_planning_card());
  registry.add(adaptive_planning_card());
  registry.add(no_beliefs_card());
  registry.add(beliefs_card());
  registry.add(corrected_beliefs_card());
  registry.add(direct_card());
  registry.add(chain_of_thought_card());
  registry.add(free_text_card());
  registry.add(plan_bid_reflect_card());
  registry.add(reflect_card());
  registry.add(refine_card());
  registry.add(predict_then_act_card());
  registry.add(k_level_card());
  registry.add(solo_performance_card());
  registry.add(schema_form_card());
  registry.add(tags_form_card());
  registry.add(no_tools_card());
  registry.add(calculator_card());
  registry.add(own_moves_card());
  registry.add(calculator_and_own_moves_card());
}

void add_providers(Registry& registry) {
  registry.add(anthropic_card());
  registry.add(completions_card());
  registry.add(gemini_card());
  registry.add(llamacpp_card());
  registry.add(lmstudio_card());
  registry.add(mock_card());
  registry.add(ollama_card());
  registry.add(openai_card());
  registry.add(openai_responses_card());
  registry.add(openrouter_card());
  registry.add(vllm_card());
}

}  // namespace agon::llm
