// A game that throws in the middle of a match, in every other block.
#include <stdexcept>

#include "trivial.hpp"

namespace {

agon::Outcome play(trivial::Table table, const trivial::Settings& s) {
  const auto pick = table.ask(0, trivial::kPick, agon::limit(&trivial::Pick::number, 0, 1));
  if (table.chance("breaks").below(2) == 1) throw std::runtime_error("the game fell apart");
  return {{.score = pick.number, .disagreement = 0, .ideal = s.number}};
}

}  // namespace

AGON_PLUGIN(
    "breaks", "1", +[](agon::Registry& registry) {
      registry.add(agon::game<&play>("breaks", {.seats = {1, 1}, .rules = "Name 0 or 1."}));
    })
