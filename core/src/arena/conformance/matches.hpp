#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "conformance/checks.hpp"
#include "conformance/subject.hpp"
#include "table/match.hpp"

namespace agon::conformance {

/// Stops a match that asks more than any needs to show whether a game is sound. Such a match is
/// passed over: it may be long, or never end.
class LongMatch {
 public:
  static constexpr std::uint64_t kMostQuestions = 5000;

  /// Counts a question.
  void asks() {
    if (++questions_ > kMostQuestions) stop();
  }
  /// Stops it for another reason.
  void stop() { stop_.request_stop(); }
  /// What stops the match.
  [[nodiscard]] std::stop_token token() const { return stop_.get_token(); }

 private:
  std::uint64_t questions_ = 0;
  std::stop_source stop_;
};

/// Plays a match of agents that answer at once, up to that many questions.
[[nodiscard]] MatchResult play_some(MatchSetup match);

/// A question as its seat was shown it.
struct ObservedQuestion {
  OwnedQuestion question;
  std::size_t round = 0;  ///< questions that were asked together have the same
};

/// A match in which all seats wait, as people and models do, so that all that reaches them is seen.
/// Not to be moved: `history` points into `result`.
struct ObservedMatch {
  MatchResult result;
  record::History history;
  std::vector<ObservedQuestion> shown;  ///< attempts included, in the order in which they were put
  std::vector<std::string> tellings;    ///< of all events, as somebody reads them who was not there
  std::vector<std::size_t> cuts;        ///< how long the record was before each answer was used
  std::string broken;                   ///< how the game broke the match; empty: it did not
};

/// The limits of a question as bytes: equal for equal limits.
[[nodiscard]] std::string bytes_of(std::span<const LimitData> limits);

/// Answers by the number of their question, as JSON. What it lacks is declined, or left to the
/// fallback.
using Script = std::map<std::uint32_t, std::string>;

/// What was answered in a match.
[[nodiscard]] Script script_of(const Game& game, const record::History& history);

/// How a match is watched.
struct Watching {
  Script script;
  const GivenDraws* given = nullptr;  ///< draws in the place of chance
  int reasks = 0;                     ///< how often a turned-down attempt is asked again
  std::string_view past{};            ///< the beginning of a record, to be taken up again
  /// Answers in the place of the script; nothing: the script does. Null: it always does.
  std::function<std::optional<std::string>(const OwnedQuestion&)> instead{};
  /// Also tells what no seat hears, as readers of the record are told it.
  bool every_telling = false;
  const Probes* probes = nullptr;  ///< what a suite asks beside the game; null: nothing
};

/// Goes before what a game threw where seats waited.
inline constexpr std::string_view kWhenSeatsWait = "with people or models on its seats";

/// Plays a match of a casting's settings and chance, in which all seats answer by the script;
/// one that grows too long is stopped.
[[nodiscard]] std::unique_ptr<ObservedMatch> watch(const GameUnderTest& subject,
                                                   const Casting& casting, const Watching& how);

/// Where the game broke as seats waited, what was to be found in the match was not: unless
/// something was found already, the check is skipped for that reason.
void note_broken(const ObservedMatch& watched, CheckResult& finding);

/// The first entry in which a match differs when it is played again, in words, or what broke it
/// then; empty if nothing did and their records are the same.
[[nodiscard]] std::string first_difference(const MatchResult& a, const MatchResult& again);

}  // namespace agon::conformance
