#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class ChainOfThought final : public Reasoning {
 public:
  using Params = NoParams;
  explicit ChainOfThought(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{"part-think"}}; }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-think"), "answer",
                               Thinking::first);
  }
};

}  // namespace

PartCard chain_of_thought_card() {
  return part<ChainOfThought>(
      {.id = "chain-of-thought",
       .doc = "Has the model write its reasons down before the answer, in the same call. In the "
              "bargaining game this is the agent with Thought, Talk and Action.",
       .source = "Wei et al. 2022; Xia et al. 2024, section 3"});
}

}  // namespace agon::llm
