#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <agon/plugin_command.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/subject.hpp"
#include "table/match.hpp"

namespace agon::conformance {

/// How a check of a game came out.
enum class Verdict : std::uint8_t { pass, warning, fail, skipped };
AGON_DESCRIBE_ENUM(Verdict, (pass, "what was tried is as it should be"),
                   (warning, "nothing is wrong for certain, but somebody should look"),
                   (fail, "the game is not sound"), (skipped, "it has no meaning for this game"))

/// What one check found.
struct CheckResult {
  std::string check{};              ///< its name: "replay"
  Verdict verdict = Verdict::pass;  ///< how it came out
  std::string tried{};              ///< what was tried how often: "12 matches, 340 questions"
  std::string problem{};            ///< what is wrong, or why it was skipped
  std::string command{};            ///< plays the shortest case that shows it; empty: there is none
  std::string hint{};               ///< how to fix it

  void fail(std::string what, std::string how_to_see, std::string_view how_to_fix) {
    verdict = Verdict::fail;
    problem = std::move(what);
    command = std::move(how_to_see);
    hint = how_to_fix;
  }
  /// It has no meaning for the game, or could not be made.
  void skip(std::string why) {
    verdict = Verdict::skipped;
    problem = std::move(why);
  }
};
AGON_DESCRIBE(CheckResult, (check, "name of the check"), (verdict, "how it came out"),
              (tried, "what was tried how often"),
              (problem, "what is wrong, or why it was skipped"),
              (command, "plays the shortest case that shows it"), (hint, "how to fix it"))

/// What a game broke, as far as one check has that for its business.
enum class Breach : std::uint8_t {
  nothing,   ///< the match did not end by a fault of the game
  fallback,  ///< the game's own fallback is illegal
  score,     ///< scores, anchors or ranks are not as the card says
  books,     ///< a metric that is bounded by one number has another
  play,      ///< anything else
};

/// The metrics of a match whose bounds are one number: what the game says is conserved.
[[nodiscard]] std::vector<std::string_view> conserved_metrics(const Game& game);

/// What it was, by what the table says of it (table/contract.cpp).
[[nodiscard]] Breach broken_by(const Game& game, const MatchResult& result);

/// True if a match or what comes before it ended because the game was silent, or at work, for too
/// long. Where it plays in this process, nobody can tell.
[[nodiscard]] bool has_no_end(ProcessEnd end);

/// Thrown out of a check where another match would take as long as the arena waits for a game.
struct Endless {
  std::string problem;  ///< of the match that was one too many
  std::string command;  ///< plays it
};

/// Without what a check has nothing to say.
enum class Needs : std::uint8_t {
  nothing,   ///< it speaks of the card, or of how the game breaks
  matches,   ///< a match that the game does not break, be it cut short
  finished,  ///< one that came to its end
};

/// A check of a game: something that every sound game keeps to.
struct Check {
  std::string_view name;  ///< "replay"
  std::string_view doc;   ///< what a sound game keeps to, in a sentence
  /// find() says whose result it is.
  CheckResult (*run)(const GameUnderTest& subject);
  Needs needs = Needs::finished;
};

/// Makes a check. Where there are no matches to look at, it is skipped for that reason; where a
/// game has no end, the first check that meets this fails and all others are skipped.
[[nodiscard]] AGON_API CheckResult find(const Check& check, const GameUnderTest& subject);

/// All of them, in the order in which they are made: what others build on comes first.
[[nodiscard]] AGON_API std::span<const Check> checks();

// Each finds what its entry in checks() says, in the order of docs/conformance.md.
CheckResult check_card(const GameUnderTest& subject);
CheckResult check_plays(const GameUnderTest& subject);
CheckResult check_scores(const GameUnderTest& subject);
CheckResult check_conservation(const GameUnderTest& subject);
CheckResult check_fallbacks(const GameUnderTest& subject);
CheckResult check_limits(const GameUnderTest& subject);
CheckResult check_reading(const GameUnderTest& subject);
CheckResult check_order(const GameUnderTest& subject);
CheckResult check_replay(const GameUnderTest& subject);
CheckResult check_resume(const GameUnderTest& subject);
CheckResult check_jobs(const GameUnderTest& subject);
CheckResult check_process(const GameUnderTest& subject);
CheckResult check_probes(const GameUnderTest& subject);
CheckResult check_privacy(const GameUnderTest& subject);
CheckResult check_luck(const GameUnderTest& subject);
CheckResult check_symmetry(const GameUnderTest& subject);
CheckResult check_reached(const GameUnderTest& subject);
CheckResult check_texts(const GameUnderTest& subject);
CheckResult check_history(const GameUnderTest& subject);
CheckResult check_skins(const GameUnderTest& subject);

/// Plays the subject's matches of each preset with the agent on every seat, each with a second one
/// where seats take something along to it. A preset has no more matches after one in which the
/// agent or the game broke, or the agent was silent. Always the same, as far as the agent is.
[[nodiscard]] AGON_API AgentTrial try_agent(const GameUnderTest& subject,
                                            const WaitingAgent& agent);

}  // namespace agon::conformance
