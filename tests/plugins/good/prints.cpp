// A game that uses the standard streams, as whoever writes one does to see what it does.
#include <cstdio>
#include <iostream>
#include <string>

#include "trivial.hpp"

namespace prints {

agon::Outcome play(trivial::Table table, const trivial::Settings& s) {
  std::cout << "a match begins\n";
  std::string line;
  if (std::getline(std::cin, line)) throw std::runtime_error("there is something to read");
  const agon::Outcome outcome = trivial::play(table, s);
  std::puts("{\"type\":\"note\"}");
  return outcome;
}

}  // namespace prints

AGON_PLUGIN(
    "prints", "1", +[](agon::Registry& registry) {
      std::cout << "it is loaded" << std::endl;
      registry.add(
          agon::game<&prints::play>("prints", {.seats = {1, 1}, .rules = "Name a number."}));
    })
