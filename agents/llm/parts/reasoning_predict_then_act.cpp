#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class PredictThenAct final : public Reasoning {
 public:
  using Params = NoParams;
  explicit PredictThenAct(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{"part-predict"}}; }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-predict"), "answer",
                               Thinking::first);
  }
};

}  // namespace

PartCard predict_then_act_card() {
  return part<PredictThenAct>(
      {.id = "predict-then-act",
       .doc = "Has the model say first what each of the others will do next, then what follows for "
              "its own move, in the same call.",
       .source = "Zhang et al. 2024, K-Level Reasoning, section 3.2: prediction chain of thought"});
}

}  // namespace agon::llm
