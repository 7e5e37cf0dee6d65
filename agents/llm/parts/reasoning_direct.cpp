#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class Direct final : public Reasoning {
 public:
  using Params = NoParams;
  explicit Direct(const Params&) {}
  [[nodiscard]] ModelAnswer answer(ModelTurn& turn) const override {
    return turn.ask_for_answer(turn.task(), "answer");
  }
};

}  // namespace

PartCard direct_card() {
  return part<Direct>({.id = "direct", .doc = "Asks once and takes the answer."});
}

}  // namespace agon::llm
