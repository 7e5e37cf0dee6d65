#pragma once

#include <agon/export.hpp>
#include <array>
#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "allocation/stop_allocation.hpp"
#include "archive/calls.hpp"
#include "drift/result.hpp"
#include "run/play/jobs.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

class AnswerCache;
class Catalogue;
class PeopleAtTables;

/// Answers that an agent was given for a stage of a game, and that no match asked it for: mostly
/// the preset has no such stage.
struct UnaskedStage {
  std::string agent;
  std::string game;
  std::string stage;
};

/// Why a run was stopped as a whole, as manifests and JSON have it; empty: it was not.
[[nodiscard]] inline std::string_view halt_name(Halt halt) {
  constexpr std::array<std::string_view, 4> kNames{"", "budget", "out-of-money", "configuration"};
  return kNames.at(static_cast<std::size_t>(halt));
}

/// What a run came to.
struct RunSummary {
  std::int64_t run = 0;           ///< its number in the archive; 0: nothing is kept
  std::uint64_t total = 0;        ///< matches of the suite
  std::uint64_t before = 0;       ///< finished by an earlier run
  std::uint64_t played = 0;       ///< finished by this one, game faults included
  std::uint64_t unfinished = 0;   ///< stopped by a provider, a person or a fault beside the game
  std::uint64_t game_faults = 0;  ///< the game broke, in this run or an earlier one
  std::uint64_t set_aside = 0;    ///< by this run, of game_faults: they took earlier ones down
  bool interrupted = false;
  Halt halt = Halt::no;       ///< why the run was stopped as a whole
  std::string halt_reason;    ///< in a sentence
  archive::CallTotals calls;  ///< of models, earlier runs on the archive included
  double seconds = 0;
  std::string first_trouble;  ///< of the first match that did not go well
  /// Fallback answers that this run played in the place of an agent's own.
  struct Fallbacks {
    std::string agent;
    std::string game;
    std::uint64_t answers = 0;
    std::uint64_t matches = 0;
    std::string first;  ///< where and why the first was; empty: no record tells
  };
  std::vector<Fallbacks> fallbacks;
  /// Of a run that took up nothing from before.
  std::vector<UnaskedStage> unasked;
  std::string
      rescued;  ///< where everything was saved, as the archive was not in its place any more
  std::optional<StopState> stop;         ///< of a suite with a stop rule
  std::vector<drift::ModelDrift> drift;  ///< of this run, by model; empty without a check

  /// True if every match that was asked for is in the archive with its result.
  [[nodiscard]] bool is_complete() const {
    return !interrupted && halt == Halt::no && unfinished == 0 && game_faults == 0 &&
           rescued.empty();
  }
};

/// How to run a suite.
struct RunOptions {
  std::string archive;  ///< path of the archive; empty: nothing is kept
  int jobs = 0;         ///< at once; 0: the suite's limit, else as many as processors
  /// An agent may take long in asking (Agent::ask), as functions of a program around do: each job
  /// has a thread then, also where agents are waited for.
  bool asking_takes_long = false;
  bool quiet = false;            ///< no progress
  std::string command = "[]";    ///< JSON array of the command line, for the archive
  bool retry_set_aside = false;  ///< play matches again that were set aside
  /// False: of matches whose agents all answer at once only results and metrics go into the
  /// archive. What people and models said, and what goes on into a next match, is kept all the
  /// same.
  bool keep_records = true;
  const StopFlags* stop = nullptr;  ///< who may stop it, such as Interrupt; null: nobody
  /// True once the archive is another run's: this one fails, and writes nothing more. Null: never.
  std::shared_ptr<std::atomic<bool>> lost{};
  /// File of questions that are put to every model before and after the matches; empty: none are.
  /// Needs an archive.
  std::string drift_questions;
  /// Answers that runs of several archives share; null: none.
  std::shared_ptr<AnswerCache> cache{};
  /// Who brings people to the seats that are people's; null: those agents ask by themselves. Needs
  /// an archive.
  PeopleAtTables* people = nullptr;
  /// Called with each match as it is finished, one call at a time, in no fixed order.
  std::function<void(const Scenario&, const Treatment&, const std::vector<int>& agents,
                     const MatchResult&)>
      on_match;
  /// Called when somebody insists on stopping (see Interrupt), or matches are still in flight a
  /// while after they asked for it, when all that is finished was committed, or, with `failure`,
  /// could not be. Must end the process: games may hang and cannot be ended.
  std::function<void(const RunSummary&, const std::exception_ptr& failure)> abandon;
};

/// Plays what the archive does not have yet, in parallel, and stores it. Throws Error if the
/// archive cannot be written; what was finished until then is safe in it.
AGON_API RunSummary run_suite(const Suite& suite, const Catalogue& catalogue,
                              const RunOptions& options);

}  // namespace agon
