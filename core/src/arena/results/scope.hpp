#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "allocation/stop_state.hpp"
#include "archive/archive.hpp"
#include "results/results.hpp"
#include "stats/score_table.hpp"
#include "suite/suite.hpp"

namespace agon::report {

/// Which matches of an archive somebody asks about. Nothing said: the suite that was run last.
struct ScopeChoice {
  std::string suite{};  ///< a number, a name, or the beginning of a digest
  std::string run{};    ///< a number: what this run played or found played
  bool all = false;
  std::string metrics{};  ///< file of metrics to add, see AddedMetrics; empty: none
};

/// A suite that an archive holds matches of.
struct SuiteHere {
  std::int64_t number = 0;   ///< 0: not known, stored by an older version of Agon
  std::string name;          ///< in words, with its seed
  std::int64_t matches = 0;  ///< finished
  std::int64_t shared = 0;   ///< of these, also in what is asked about
};
AGON_DESCRIBE(SuiteHere, (number, "0: not known, stored by an older version of Agon"),
              (name, "in words, with its seed"), (matches, "finished"),
              (shared, "of these, also among those asked about"))

/// What is asked about, and what else the archive holds.
struct AGON_API Scope {
  std::optional<SuiteHere> suite;    ///< none: several, or none is known
  std::int64_t run = 0;              ///< up to this run; 0: all of the suite's
  bool all = false;                  ///< everything, on demand
  bool pooled = false;               ///< everything, since older versions did not note the suites
  std::vector<SuiteHere> also_here;  ///< other suites that have matches of their own

  /// What there is to say of it in one line or two; empty where there is one suite.
  [[nodiscard]] std::string what() const;
  [[nodiscard]] std::string others() const;
};
AGON_DESCRIBE(Scope, (suite, "that asked for them; null: several, or none is known"),
              (run, "up to this run; 0: all of the suite's"), (all, "everything, on demand"),
              (pooled, "everything, since older versions did not note the suites"),
              (also_here, "other suites that have matches of their own"))

/// The runs that played what is asked about.
struct SourceRuns {
  std::string started{};                ///< day of the first, UTC: "2026-11-29"
  std::string ended{};                  ///< day on which the last one ended; empty: it is not known
  std::vector<std::string> versions{};  ///< of Agon, each once
  std::string command{};                ///< of the last run, as a shell takes it
};

/// What is asked about, with the warnings from how its matches came about.
struct Narrowed : Scope {
  std::vector<Warning> warnings;
  SourceRuns runs{};
};

/// Adds the metrics of a file to an archive. Throws Error.
AGON_API void add_metrics(archive::Archive& archive, const std::string& file);

/// Narrows the archive to what is asked about, with its metrics. Throws Error for a suite or run
/// that is not there, and for a name that several versions have.
AGON_API Narrowed narrow(archive::Archive& archive, const ScopeChoice& choice);

/// A run that did not come to its end.
struct OpenRun {
  std::string what;    ///< how it ended and how far it came; empty: it came to its end
  std::string resume;  ///< what to do, which ends with the command that takes it up again

  [[nodiscard]] bool open() const { return !what.empty(); }
  [[nodiscard]] std::string text() const { return what + ". " + resume; }
};

/// The last run on the archive at `path`, if it is open. `game`: only if it plays this game.
[[nodiscard]] AGON_API OpenRun open_run(const archive::Archive& archive, const std::string& path,
                                        std::string_view game = {});

/// What the stop rule of the last run came to; nothing if it had none.
[[nodiscard]] AGON_API std::optional<StopState> last_stop(const archive::Archive& archive);

/// What the last suite that wrote an archive says about reports.
struct SuiteWishes {
  std::string against{};
  std::string policy{};
  std::string aggregate{};
  double level = 0.95;
};
[[nodiscard]] AGON_API SuiteWishes suite_wishes(const archive::Archive& archive);

/// The fault policy: `asked` on the command line, else the suite's. Throws Error for an unknown
/// name.
[[nodiscard]] AGON_API FaultPolicy policy_of(const std::string& asked, const SuiteWishes& suite,
                                             const std::string& path);

/// What is averaged over games: `asked` on the command line, else the suite's. Throws likewise.
[[nodiscard]] AGON_API stats::Aggregate aggregate_of(const std::string& asked,
                                                     const SuiteWishes& suite,
                                                     const std::string& path);

}  // namespace agon::report
