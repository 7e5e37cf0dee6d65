#pragma once

#include <atomic>
#include <boost/json/array.hpp>
#include <boost/program_options/options_description.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "archive/database/owner.hpp"
#include "command/command.hpp"
#include "costs/forecast.hpp"
#include "design/shard.hpp"
#include "run/runner.hpp"
#include "suite/suite.hpp"

namespace agon::command {

/// A suite that is about to be played, as a command line says it.
struct SuiteRun {
  Suite suite;
  RunOptions options;  ///< without who may stop it, and what it is told
  /// Where the archive appears once it is complete, if it grows elsewhere (--work); else empty.
  std::string place;
  /// Of the archive, where other machines may write it; else null.
  std::unique_ptr<archive::OwnerToken> owner;
};

/// Reads the suite that is asked for, once it is trusted, and looks at what its agents need; says
/// on standard error what is to be known of it. Throws Error if it cannot be played, or once `stop`
/// is true. `text`: of the suite, where no file has it.
[[nodiscard]] SuiteRun prepare_run(Invocation& call, const std::string& file,
                                   const std::atomic<bool>& stop,
                                   std::optional<std::string> text = {});

/// What --shard says, or has the environment of a job say; none: the whole suite. Throws Error
/// (usage), also where the environment says something else than the option.
[[nodiscard]] std::optional<design::Shard> asked_shard(const Invocation& call);
/// What --cap-share says: so many of so many parts.
[[nodiscard]] std::optional<design::Shard> asked_cap_share(const Invocation& call);

/// What one shard of a suite is expected to take.
struct ShardForecast {
  design::Shard shard;
  std::uint64_t matches = 0;
  ExpectedRange calls;
  std::optional<ExpectedRange> cost;  ///< US dollars; none: some model has no price
  std::optional<double> seconds;      ///< as fast as the pilot was; none: no pilot tells
};

/// Forecasts of all shards of a plan: as many as --shards says, or fewer, so that each takes
/// --at-least. `pilot`: null if there is none. Throws Error (usage).
[[nodiscard]] std::vector<ShardForecast> forecast_shards(const Invocation& call, Suite suite,
                                                         const Forecast& whole,
                                                         const archive::Archive* pilot);
void print_shards(const std::vector<ShardForecast>& shards);
/// Seconds of "30min", "2h" or "90s". Throws Error (usage) that names the option.
[[nodiscard]] double read_duration(const std::string& text, const std::string& option);
/// "90 s", "30 min" or "2.5 h"; of nothing: "unknown".
[[nodiscard]] std::string time_text(const std::optional<double>& seconds);
/// Adds a part of one range to another.
void add_part(ExpectedRange& sum, const ExpectedRange& whole, double share = 1);
[[nodiscard]] boost::json::value range_json(const std::optional<ExpectedRange>& range);
[[nodiscard]] boost::json::array shards_json(const std::vector<ShardForecast>& shards);

/// Plays the suite of a file, or of `text` where no file has it, as the options of add_run_options
/// and add_part_options say. Returns the exit code.
[[nodiscard]] int play_suite(Invocation& call, const std::string& file,
                             const std::optional<std::string>& text, const Interrupt& interrupt);

/// Options of commands that play a part of a suite: --shard, --cap-share, --work, --report.
void add_part_options(Synopsis& synopsis);

/// Options of commands that play a suite into an archive: --out, --jobs, --keep, --drift-check,
/// --until, --retry-quarantined, and those that change suites, models and limits.
void add_run_options(boost::program_options::options_description& options);

/// What a run came to, for people, over one or two lines.
[[nodiscard]] std::string describe_run(const RunSummary& summary, const std::string& archive);

/// Why the first fallback of an agent was played. What a program printed keeps its lines, indented.
[[nodiscard]] std::string first_fallback(const RunSummary::Fallbacks& one);

/// That an agent was not asked for what it was given, in a line for people.
[[nodiscard]] std::string describe_unasked(const UnaskedStage& one);

/// The exit code of a run; says on standard error what to do next: how to take it up again with
/// `resume` (empty: nothing of that), or what `next` to look at.
[[nodiscard]] int exit_code(const RunSummary& summary, const std::string& resume,
                            const std::string& next);

/// Looks at what the agents of a suite need, and tells on standard error what is wrong. Throws
/// Error (preflight) if something is, or once `stop` is true.
/// `ahead`: what a dry run meets. Throws Error (invalid) if that says that matches are too long.
void check_before_run(const Suite& suite, const std::atomic<bool>& stop,
                      const Forecast& ahead = {});

/// The agents that met a finding, for people: "floor and 7 more".
[[nodiscard]] std::string who_met(const std::vector<std::string>& agents);

/// What a dry run of a few matches meets. `dry`: the suite, read with dry_run.
[[nodiscard]] Forecast look_ahead(const Suite& dry, const Catalogue& catalogue);
/// The longest prompts of that.
[[nodiscard]] LongestPrompts longest_prompts(const Forecast& ahead);

}  // namespace agon::command
