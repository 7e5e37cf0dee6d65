#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class WholeMemory final : public Memory {
 public:
  using Params = NoParams;
  explicit WholeMemory(const Params&) {}
  [[nodiscard]] std::size_t from(const ModelTurn&) const override { return 0; }
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn& turn) const override {
    return turn.dialogue(0, turn.news_from());
  }
};

}  // namespace

PartCard whole_memory_card() {
  return part<WholeMemory>(
      {.id = "whole",
       .doc = "Everything that was told, asked and answered in this match, as a dialogue."});
}

}  // namespace agon::llm
