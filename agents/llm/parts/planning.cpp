#include "llm/parts/kept_text.hpp"
#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoPlanning final : public Planning {
 public:
  using Params = NoParams;
  explicit NoPlanning(const Params&) {}
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string plan(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_planning_card() {
  return part<NoPlanning>({.id = "none",
                           .doc = "Makes no plans and declines questions for them.",
                           .source = "Chen et al. 2023, AucArena, section 3.2"});
}

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
              "declines to make it again; else by a call of its own before the first move.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kOverlaps});
}

namespace {

class AdaptivePlanning final : public Planning {
 public:
  using Params = NoParams;
  explicit AdaptivePlanning(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{kPlan.first}, {kPlan.again}};
  }
  [[nodiscard]] bool answers(bool) const override { return true; }
  [[nodiscard]] std::string plan(ModelTurn& turn) const override {
    OwnText own = turn.last_answer(Purpose::plan);
    if (!own.was_given) own = kept_text(turn, kPlan, Upkeep::every_phase);
    return turn.headed(kPlan.title, own);
  }
};

}  // namespace

PartCard adaptive_planning_card() {
  static constexpr PartOverlap kOverlaps[] = {
      {PartKind::reasoning, "plan-bid-reflect", "both write down what the agent means to do"},
  };
  return part<AdaptivePlanning>(
      {.id = "adaptive",
       .doc = "Makes a plan and makes it again after each phase: where the game asks for plans, in "
              "answer to that; else by calls of its own.",
       .source = "Chen et al. 2023, AucArena, section 3.2",
       .overlaps = kOverlaps});
}

}  // namespace agon::llm
