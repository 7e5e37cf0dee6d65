// One of each: a game, an agent and an importer. The importer throws a type of its own, which only
// this library knows.
#include <agon/importer.hpp>
#include <stdexcept>

#include "trivial.hpp"

namespace {

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] const char* what() const noexcept override { return "thrown by the plugin"; }
};

agon::Imported read(std::span<const agon::InputFile>) {
  throw OwnError("");
}

}  // namespace

AGON_PLUGIN(
    "full", "2.1", +[](agon::Registry& registry) {
      registry.add(trivial::game("echo"));
      registry.add(agon::agent<trivial::Always>(
          {.id = "always", .game = "echo", .doc = "Names the same number every time."}));
      registry.add(agon::Importer{"lines", "Reads lines.", "", &read});
    })
