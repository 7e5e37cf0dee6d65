#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class Lessons final : public Memory {
 public:
  using Params = NoParams;
  explicit Lessons(const Params&) {}
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn&) const override { return {}; }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    return turn.headed("What you have learnt", turn.last_answer(Purpose::learn));
  }
  [[nodiscard]] bool learns() const override { return true; }
};

}  // namespace

PartCard lessons_card() {
  return part<Lessons>(
      {.id = "lessons",
       .doc = "What it last took from what was over, and nothing else of the past but what the "
              "question itself shows: it answers the games' questions for lessons.",
       .source = "arXiv:2507.09083: the loop of plan, bid and reflection"});
}

}  // namespace agon::llm
