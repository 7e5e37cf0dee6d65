#include "llm/parts/parts.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {

struct RefineParams {
  int times = 1;
};
AGON_DESCRIBE(RefineParams,
              (times, "how often the draft is criticised and written anew", agon::range(1, 8),
               agon::source("Zhang et al. 2024, K-Level Reasoning, published code: 1")))

namespace {

constexpr std::string_view kCriticiseNames[] = {"draft"};
constexpr std::string_view kReviseNames[] = {"draft", "criticism"};

class Refine final : public Reasoning {
 public:
  using Params = RefineParams;
  explicit Refine(const Params& params) : params_(params) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-draft"}, {"part-criticise", kCriticiseNames}, {"part-revise", kReviseNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    std::string draft =
        write_aside(turn, "draft", turn.task() + "\n\n" + turn.render("part-draft"));
    std::string revise;
    for (int time = 0; time < params_.times && !draft.empty(); ++time) {
      if (time > 0) draft = write_aside(turn, "revise", turn.task() + "\n\n" + revise);
      const PromptName drafted[] = {{"draft", draft}};
      const std::string criticism = write_aside(
          turn, "criticise", turn.task() + "\n\n" + turn.render("part-criticise", drafted));
      const PromptName names[] = {{"draft", draft}, {"criticism", criticism}};
      revise = turn.render("part-revise", names);
    }
    ModelAnswer answer =
        turn.ask_for_answer(turn.task() + (revise.empty() ? "" : "\n\n" + revise), "answer");
    if (answer.thought.empty()) answer.thought = draft;
    return answer;
  }

 private:
  Params params_;
};

}  // namespace

PartCard refine_card() {
  return part<Refine>(
      {.id = "refine",
       .doc = "Writes a draft of its move with the reasons, has a critic look for what is wrong in "
              "it, and answers after that. 2 x times calls more a move.",
       .source = "Madaan et al. 2023, Self-Refine; Zhang et al. 2024, K-Level Reasoning, section "
                 "3.2"});
}

}  // namespace agon::llm
