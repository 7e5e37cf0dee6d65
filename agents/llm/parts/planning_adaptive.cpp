#include "llm/parts/parts.hpp"
#include "llm/parts/upkeep.hpp"

namespace agon::llm {
namespace {

class AdaptivePlanning final : public Planning {
 public:
  using Params = NoParams;
  explicit AdaptivePlanning(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{"part-plan"}}; }
  [[nodiscard]] bool answers(bool) const override { return true; }
  [[nodiscard]] std::string plan(ModelTurn& turn) const override {
    const std::string asked_for = turn.last_answer(Purpose::plan);
    return asked_for.empty() ? kept_text(turn, "plan", "part-plan", Upkeep::every_phase)
                             : asked_for;
  }
};

}  // namespace

PartCard adaptive_planning_card() {
  static constexpr PartOverlap kOverlaps[] = {
      {PartKind::reasoning, "plan-bid-reflect", "both write down what the agent means to do"},
  };
  return part<AdaptivePlanning>(
      {.id = "adaptive",
       .doc = "Makes a plan and makes it anew after each phase: where the game asks for plans, in "
              "answer to that; else by calls of its own.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kOverlaps});
}

}  // namespace agon::llm
