#include "llm/lines.hpp"
#include "llm/parts/parts.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {

struct KLevelParams {
  int k = 2;
};
AGON_DESCRIBE(KLevelParams, (k,
                             "how deep: 1 answers to others who do not think about others, 2 to "
                             "others of level 1, and so on",
                             agon::range(1, 8), agon::unit("levels"),
                             agon::source("Zhang et al. 2024, K-Level Reasoning: k = 2")))

namespace {

constexpr std::string_view kLevelNames[] = {"expected", "alone"};

class KLevel final : public Reasoning {
 public:
  using Params = KLevelParams;
  explicit KLevel(const Params& params) : params_(params) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-k-level", kLevelNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    std::string expected;
    for (int level = 0; level < params_.k; ++level) {
      const PromptName names[] = {
          {"expected", expected},
          {"alone", expected.empty()
                        ? turn.question().language->say(ModelLine("its own position alone"))
                        : ""}};
      std::string said =
          write_aside(turn, "k-level", turn.task() + "\n\n" + turn.render("part-k-level", names));
      if (said.empty()) break;
      expected = std::move(said);
    }
    ModelAnswer answer = turn.ask_for_answer(
        turn.task() + under(turn, ModelLine("What you expect of the others:"), expected), "answer");
    if (answer.thought.empty()) answer.thought = expected;
    return answer;
  }

 private:
  Params params_;
};

}  // namespace

PartCard k_level_card() {
  return part<KLevel>(
      {.id = "k-level",
       .doc = "Imagines what the others will do, first as people who think of nobody, then as "
              "people who expect that of each other, k times over, and answers to the last. k "
              "calls more a move.",
       .source = "Zhang et al. 2024, K-Level Reasoning with Large Language Models"});
}

}  // namespace agon::llm
