#include "llm/lines.hpp"
#include "llm/parts/look_back.hpp"
#include "llm/parts/parts.hpp"
#include "llm/parts/write_aside.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kIntention = "intention";
constexpr std::string_view kLesson = "lesson";
constexpr std::string_view kReflectNames[] = {"intention", "lesson"};
constexpr std::string_view kIntendNames[] = {"lesson"};

class PlanBidReflect final : public Reasoning {
 public:
  using Params = NoParams;
  explicit PlanBidReflect(const Params&) {}
  [[nodiscard]] std::vector<PromptUse> prompts() const override {
    return {{"part-reflect", kReflectNames}, {"part-intend", kIntendNames}};
  }
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    if (turn.question().probe) return turn.ask_for_answer(turn.task(), "answer");
    // An attempt that was turned down is mended, not planned anew.
    if (turn.question().attempt == 0) {
      reflect(turn);
      mark_move(turn);
      const PromptName names[] = {{"lesson", turn.note(kLesson)}};
      write(turn, kIntention, "intend", turn.task() + "\n\n" + turn.render("part-intend", names));
    }
    const std::string intention = turn.note(kIntention);
    ModelAnswer answer = turn.ask_for_answer(
        turn.task() + under(turn, ModelLine("What you mean to do:"), intention), "answer");
    if (answer.thought.empty()) answer.thought = intention;
    return answer;
  }

 private:
  /// Once there is something to look back at: what was meant, and what came of it.
  static void reflect(ModelTurn& turn) {
    const std::string meant = turn.note(kIntention);
    if (meant.empty()) return;
    const PromptName names[] = {{"intention", meant}, {"lesson", turn.note(kLesson)}};
    write(turn, kLesson, "reflect", turn.render("part-reflect", names));
  }

  static void write(ModelTurn& turn, std::string_view note, std::string_view purpose,
                    std::string asked) {
    const std::string text = write_aside(turn, purpose, std::move(asked));
    if (!text.empty()) turn.write_note(note, text);
  }
};

}  // namespace

PartCard plan_bid_reflect_card() {
  return part<PlanBidReflect>(
      {.id = "plan-bid-reflect",
       .doc = "Three steps a move: it looks back at what came of its last move, writes down what "
              "it means to do, and then answers. Two or three calls a move.",
       .source = "Mao et al. 2023, Alympics, the reasoning plug-in; Shinn et al. 2023",
       .overlaps = kLessonOverlaps});
}

}  // namespace agon::llm
