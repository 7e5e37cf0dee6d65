#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoPersona final : public Persona {
 public:
  using Params = NoParams;
  explicit NoPersona(const Params&) {}
  [[nodiscard]] std::string text(const OwnedQuestion&) const override { return {}; }
};

}  // namespace

PartCard no_persona_card() {
  return part<NoPersona>({.id = "none", .doc = "Nobody in particular."});
}

}  // namespace agon::llm
