#include "llm/parts/parts.hpp"

namespace agon::llm {
namespace {

class NoPlanning final : public Planning {
 public:
  using Params = NoParams;
  explicit NoPlanning(const Params&) {}
  [[nodiscard]] bool answers(bool) const override { return false; }
  [[nodiscard]] std::string plan(ModelTurn&) const override { return {}; }
};

}  // namespace

PartCard no_planning_card() {
  return part<NoPlanning>({.id = "none",
                           .doc = "Makes no plans and declines questions for them.",
                           .source = "Chen et al. 2023, AucArena, section 3.2"});
}

}  // namespace agon::llm
