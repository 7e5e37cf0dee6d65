#include "llm/lines.hpp"
#include "llm/parts/look_back.hpp"
#include "llm/parts/parts.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kExperience = "experience";
constexpr std::string_view kLookBackNames[] = {"experience"};

class Reflect final : public Reasoning {
 public:
  using Params = NoParams;
  explicit Reflect(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-look-back", kLookBackNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    // There is something to look back at once a move was made; a move that was turned down is
    // mended without.
    if (turn.question().attempt == 0 && has_moved(turn)) {
      const PromptName names[] = {{"experience", turn.note(kExperience)}};
      const std::string text = write_aside(turn, "reflect", turn.render("part-look-back", names));
      if (!text.empty()) turn.write_note(kExperience, text);
    }
    mark_move(turn);
    const std::string experience = turn.note(kExperience);
    ModelAnswer answer = turn.ask_for_answer(
        turn.task() + under(turn, ModelLine("Your experience so far:"), experience), "answer");
    if (answer.thought.empty()) answer.thought = experience;
    return answer;
  }
};

}  // namespace

PartCard reflect_card() {
  return part<Reflect>(
      {.id = "reflect",
       .doc = "Looks back at the game before each move but the first, writes down what it has "
              "learnt, and answers with that in view. One call more a move.",
       .source = "Shinn et al. 2023, Reflexion; Zhang et al. 2024, K-Level Reasoning, section 3.2",
       .overlaps = kLessonOverlaps});
}

}  // namespace agon::llm
