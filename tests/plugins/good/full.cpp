// One of each: a game, an agent and a command. The command throws a type of its own, which only
// this library knows.
#include <agon/plugin_command.hpp>
#include <stdexcept>

#include "trivial.hpp"

namespace {

struct OwnError : std::runtime_error {
  using std::runtime_error::runtime_error;
  [[nodiscard]] const char* what() const noexcept override { return "thrown by the plugin"; }
};

int run(std::span<const std::string>) {
  throw OwnError("");
}

}  // namespace

AGON_PLUGIN(
    "full", "2.1", +[](agon::Registry& registry) {
      registry.add(trivial::game("echo"));
      registry.add(agon::agent<trivial::Always>(
          {.id = "always", .game = "echo", .doc = "Names the same number every time."}));
      registry.add(agon::PluginCommand{"lines", "Reads lines.", "", &run});
    })
