// A game that hangs while there is a file named "hold", and leaves one named "held".
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "../good/trivial.hpp"

namespace {

agon::Outcome play(trivial::Table table, const trivial::Settings& s) {
  while (std::filesystem::exists("hold")) {
    if (!std::filesystem::exists("held")) std::ofstream("held");
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return trivial::play(table, s);
}

}  // namespace

AGON_PLUGIN(
    "holds", "1", +[](agon::Registry& registry) {
      registry.add(agon::game<&play>("holds", {.seats = {1, 1}, .rules = "Name a number."}));
    })
