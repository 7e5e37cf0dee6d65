#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "results/warnings.hpp"

namespace agon::report {

/// Which matches of an archive somebody asks about. Nothing said: the suite that was run last.
struct ScopeChoice {
  std::string suite{};  ///< a number, a name, or the beginning of a digest
  std::string run{};    ///< a number: what this run played or found played
  bool all = false;
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

/// What is asked about, with the warnings from how its matches came about.
struct Narrowed : Scope {
  std::vector<Warning> warnings;
};

/// Narrows the archive to what is asked about. Throws Error for a suite or run that is not there,
/// and for a name that several versions have.
AGON_API Narrowed narrow(archive::Archive& archive, const ScopeChoice& choice);

}  // namespace agon::report
