#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoMemory final : public Memory {
 public:
  using Params = NoParams;
  explicit NoMemory(const Params&) {}
  [[nodiscard]] std::vector<ChatMessage> messages(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_memory_card() {
  return part<NoMemory>(
      {.id = "none", .doc = "Nothing but the question and what has happened since the last one."});
}

}  // namespace agon::llm
