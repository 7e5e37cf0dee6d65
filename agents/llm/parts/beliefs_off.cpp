#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoBeliefs final : public Beliefs {
 public:
  using Params = NoParams;
  explicit NoBeliefs(const Params&) {}
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string text(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_beliefs_card() {
  return part<NoBeliefs>(
      {.id = "off", .doc = "Keeps no account of how things stand and declines questions for it."});
}

}  // namespace agon::llm
