#pragma once

#include <agon/error.hpp>
#include <boost/program_options/options_description.hpp>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "command/command.hpp"
#include "security/trust.hpp"
#include "suite/suite.hpp"

namespace agon::command {

/// Options of commands that read a suite and may change it: --agent, --blocks.
void add_suite_options(boost::program_options::options_description& options);

/// Options of commands that make model agents: --model.
void add_model_options(boost::program_options::options_description& options);

/// Options of commands that call models: --ca-file, --verbose.
void add_wire_options(boost::program_options::options_description& options);

/// Options of commands that pay: --prices, --max-cost, --max-tokens, --max-calls, --no-preflight.
void add_limit_options(boost::program_options::options_description& options);

/// What --max-cost, --max-tokens and --max-calls say.
[[nodiscard]] Caps asked_caps(const Invocation& call);

/// The file of prices: --prices, else AGON_PRICES; empty: none.
[[nodiscard]] std::string asked_prices(const Invocation& call);

/// The text of the suite of this file, or the one that a host gives in its place.
[[nodiscard]] std::string text_of_suite(const Invocation& call, const std::string& file);

/// What every suite is read with: the folders of shipped files.
[[nodiscard]] SuiteOptions shipped_suite_options();

/// The same with the options of add_model_options and add_wire_options.
[[nodiscard]] SuiteOptions suite_options(const Invocation& call);

/// The same with what --agent, --blocks, --until and the options of those who pay change in a
/// suite.
[[nodiscard]] SuiteOptions changed_suite_options(const Invocation& call);

/// Sees to it that `read_dry`, which fills the accesses and starts and sends nothing, meets nothing
/// but what is trusted: because it was trusted before, by --trust, or by an answer at a terminal.
/// Reads again where a file was left out before. Returns false where something is not trusted.
[[nodiscard]] bool ask_for_trust(const Invocation& call, Accesses& accesses,
                                 const std::function<void()>& read_dry);

/// The refusal that names all that is asked for. `file`: the suite; empty: the command line.
[[nodiscard]] Error not_trusted(const Accesses& accesses, const std::string& file);

/// Loads the plugins that a suite names in the place of games, where the accesses let them be
/// started; what may not is noted. `text`: of the suite.
void load_games(Invocation& call, const std::string& text, const std::string& file,
                Accesses& accesses);

/// A suite that is gone through twice: dry at first, so that nothing is started or sent before what
/// it asks for is trusted; then as it is played. Its file is read once.
class AskedSuite {
 public:
  /// Reads it dry, and asks. `text`: what it says, where no file has it. Throws Error for a suite
  /// that is wrong. Of the scenarios those remain that --scenario names.
  AskedSuite(Invocation& call, std::string file, SuiteOptions options,
             std::optional<std::string> text = {});

  [[nodiscard]] bool is_trusted() const { return is_trusted_; }
  [[nodiscard]] const Accesses& accesses() const { return accesses_; }
  /// Read with dry_run.
  [[nodiscard]] const Suite& dry() const { return *dry_; }
  /// Reads it to be played. Throws Error (preflight) where something is not trusted.
  [[nodiscard]] Suite read();

 private:
  std::string file_;
  std::string text_;
  const Catalogue& catalogue_;
  SuiteOptions options_;
  std::vector<std::string> scenarios_;
  Accesses accesses_;
  std::optional<Suite> dry_;
  bool is_trusted_ = false;
};

}  // namespace agon::command
