#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class Learnings final : public Memory {
 public:
  using Params = NoParams;
  explicit Learnings(const Params&) {}
  [[nodiscard]] std::size_t from(const ModelTurn&) const override { return 0; }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.dialogue(0, turn.news_from());
  }
  [[nodiscard]] std::string notes(ModelTurn& turn) const override {
    return turn.headed("What you have learnt", turn.last_answer(Purpose::learn));
  }
  [[nodiscard]] bool learns() const override { return true; }
};

}  // namespace

PartCard learnings_card() {
  return part<Learnings>(
      {.id = "learnings",
       .doc =
           "Everything of this match, and of the ones before what it took from them: it answers "
           "the "
           "games' questions for advice to itself, and is reminded of the advice ever after, not "
           "of what it was taken from.",
       .source = "Chen et al. 2023, AucArena, the learning module"});
}

}  // namespace agon::llm
