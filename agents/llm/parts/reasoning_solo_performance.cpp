#include "llm/parts/parts.hpp"

namespace agon::llm {

struct SoloPerformanceParams {
  int people = 3;
};
AGON_DESCRIBE(SoloPerformanceParams,
              (people, "how many people it imagines at most, itself not counted",
               agon::range(1, 8)))

namespace {

constexpr std::string_view kPanelNames[] = {"people"};

class SoloPerformance final : public Reasoning {
 public:
  using Params = SoloPerformanceParams;
  explicit SoloPerformance(const Params& params) : params_(params) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-panel", kPanelNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    const PromptName names[] = {{"people", std::to_string(params_.people)}};
    return turn.ask_for_answer(turn.task() + "\n\n" + turn.render("part-panel", names), "answer",
                               Thinking::first);
  }

 private:
  Params params_;
};

}  // namespace

PartCard solo_performance_card() {
  return part<SoloPerformance>(
      {.id = "solo-performance",
       .doc = "Has the model imagine people who know about the matter, let them talk it over and "
              "criticise each other until they agree, and answer so, in one call.",
       .source = "Wang et al. 2023, solo performance prompting, arXiv 2307.05300"});
}

}  // namespace agon::llm
