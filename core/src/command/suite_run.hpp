#pragma once

#include <atomic>
#include <boost/program_options/options_description.hpp>
#include <string>

#include "command/command.hpp"
#include "run/runner.hpp"

namespace agon::command {

/// A suite that is about to be played, as a command line says it.
struct SuiteRun {
  Suite suite;
  RunOptions options;  ///< without who may stop it, and what it is told
  /// Where the archive appears once it is complete, if it grows elsewhere (--work); else empty.
  std::string place;
};

/// Reads the suite that is asked for, once it is trusted, and looks at what its agents need; says
/// on standard error what is to be known of it. Throws Error if it cannot be played, or once `stop`
/// is true.
[[nodiscard]] SuiteRun prepare_run(Invocation& call, const std::string& file,
                                   const std::atomic<bool>& stop);

/// Options of commands that play a suite into an archive: --out, --jobs, --keep, --drift-check,
/// --until, --retry-set-aside, and those that change suites, models and limits.
void add_run_options(boost::program_options::options_description& options);

}  // namespace agon::command
