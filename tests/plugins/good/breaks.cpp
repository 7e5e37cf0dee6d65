// A game that throws in the middle of a match, in every other block.
#include <stdexcept>

#include "trivial.hpp"

namespace {

agon::Outcome play(agon::Table& table, const trivial::Settings& s) {
  const auto pick = table.ask<trivial::Pick>(0, "pick", agon::limit(&trivial::Pick::number, 0, 1));
  if (table.chance("breaks").below(2) == 1) throw std::runtime_error("the game fell apart");
  return agon::Outcome(1).seat(0, pick.number, 0, s.number);
}

}  // namespace

AGON_PLUGIN(
    "breaks", "1", +[](agon::Registry& registry) {
      registry.add(agon::game<&play>("breaks", {.seats = {1, 1}, .rules = "Name 0 or 1."}));
    })
