#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoLearning final : public Learning {
 public:
  using Params = NoParams;
  explicit NoLearning(const Params&) {}
  [[nodiscard]] bool answers() const override { return false; }
  [[nodiscard]] std::string lessons(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_learning_card() {
  return part<NoLearning>(
      {.id = "none", .doc = "Declines to say what it has learnt, and takes nothing along."});
}

}  // namespace agon::llm
