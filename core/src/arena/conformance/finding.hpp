#pragma once

#include <agon/describe.hpp>
#include <string>

namespace agon::conformance {

/// How a check of a game came out.
enum class Verdict : std::uint8_t { pass, warning, fail, skipped };
AGON_DESCRIBE_ENUM(Verdict, (pass, "what was tried is as it should be"),
                   (warning, "nothing is wrong for certain, but somebody should look"),
                   (fail, "the game is not sound"), (skipped, "it has no meaning for this game"))

/// What one check found.
struct Finding {
  std::string check;                ///< its name: "replay"
  Verdict verdict = Verdict::pass;  ///< how it came out
  std::string tried;                ///< what was tried how often: "12 matches, 340 questions"
  std::string problem{};            ///< what is wrong, or why it was skipped
  std::string command{};            ///< plays the shortest case that shows it; empty: there is none
  std::string mend{};               ///< how to mend it
};
AGON_DESCRIBE(Finding, (check, "name of the check"), (verdict, "how it came out"),
              (tried, "what was tried how often"),
              (problem, "what is wrong, or why it was skipped"),
              (command, "plays the shortest case that shows it"), (mend, "how to mend it"))

}  // namespace agon::conformance
