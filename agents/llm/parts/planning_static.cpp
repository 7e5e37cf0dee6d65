#include "llm/parts/parts.hpp"
#include "llm/parts/upkeep.hpp"

namespace agon::llm {
namespace {

class StaticPlanning final : public Planning {
 public:
  using Params = NoParams;
  explicit StaticPlanning(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override { return {{kPlan.first}}; }
  [[nodiscard]] bool answers(bool again) const override { return !again; }
  [[nodiscard]] std::string plan(ModelTurn& turn) const override {
    OwnText own = turn.last_answer(Purpose::plan);
    if (!own.was_given) own = kept_text(turn, kPlan, Upkeep::once);
    return turn.headed(kPlan.title, own);
  }
};

}  // namespace

PartCard static_planning_card() {
  static constexpr PartOverlap kOverlaps[] = {
      {PartKind::reasoning, "plan-bid-reflect", "both write down what the agent means to do"},
  };
  return part<StaticPlanning>(
      {.id = "static",
       .doc = "Makes one plan and keeps to it: where the game asks for one, in answer to that, and "
              "declines to make it anew; else by a call of its own before the first move.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kOverlaps});
}

}  // namespace agon::llm
