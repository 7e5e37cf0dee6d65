#pragma once

#include <string>

#include "classic/game.hpp"
#include "classic/prepared.hpp"
#include "classic/settings.hpp"
#include "classic/strategies.hpp"
#include "support/folders.hpp"
#include "support/scripted_match.hpp"

namespace classic_test {

/// The path of a shipped game.
inline std::string shipped(const std::string& name) {
  return (agon::test::source_folder() / "games/classic/data" / (name + ".json")).string();
}

/// Settings with a shipped game, and what `more` adds: `"rounds": 2`.
inline std::string with_game(const std::string& name, const std::string& more = {},
                             const std::string& preset = "agon") {
  return R"({"preset": ")" + preset + R"(", "game": ")" + shipped(name) + "\"" +
         (more.empty() ? "" : ", " + more) + "}";
}

inline std::string choice(int n) {
  return R"({"action": "choice_)" + std::to_string(n) + "\"}";
}
inline std::string message(const std::string& text, bool halt = false) {
  return R"({"text": ")" + text + R"(", "halt": )" + (halt ? "true" : "false") + "}";
}

}  // namespace classic_test
