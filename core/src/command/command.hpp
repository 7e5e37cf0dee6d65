#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <atomic>
#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "plugin/catalogue.hpp"
#include "process/isolation.hpp"
#include "results/scope.hpp"
#include "run/play/jobs.hpp"

namespace agon::command {

/// A positional argument of a command.
struct Positional {
  std::string name;
  std::string doc;
  bool required = true;
  std::string values{};  ///< what it may be, as names of options' values say it; empty: `name`
  bool repeats = false;  ///< the last one alone: it may be said several times
};

/// What an option goes with. Names in capitals are positional arguments.
struct OptionRule {
  std::string option;
  std::vector<std::string> needs{};      ///< at least one of these; empty: nothing
  std::vector<std::string> conflicts{};  ///< none of these
};

/// What a command takes: for parsing, and for its --help.
struct Synopsis {
  std::string name;
  std::string summary;    ///< one line
  std::string details{};  ///< below the options: examples, exit codes beside the usual ones
  std::vector<Positional> positionals{};
  boost::program_options::options_description options{"Options"};
  std::vector<OptionRule> rules{};
};

/// The program that a command runs inside of, where that is not `agon`. What the command tells goes
/// to the thread's text::Listener.
struct Host {
  StopFlags* stop;      ///< which it sets in the place of signals
  std::string suite{};  ///< text of the suite, in the place of that in its file; empty: none
  std::vector<AgentCard> agents{};  ///< of its own, beside those of plugins
  const std::atomic<bool>* asking_takes_long =
      nullptr;  ///< that of RunOptions, once agents are made
};

/// One call of a command: what was said, and what every command needs.
class Invocation {
 public:
  /// Parses, and checks the rules; throws Error (usage) that names what is wrong and the nearest
  /// option. `host` must outlive it; null: there is none.
  Invocation(const Synopsis& synopsis, const std::vector<std::string>& arguments,
             const Host* host = nullptr);

  [[nodiscard]] bool json() const { return has("json"); }
  [[nodiscard]] bool quiet() const { return has("quiet"); }
  [[nodiscard]] bool has(const std::string& option) const;
  /// A text option; empty if it was not given.
  [[nodiscard]] std::string text(const std::string& option) const;
  [[nodiscard]] std::vector<std::string> texts(const std::string& option) const;
  /// A whole number within lo..hi; `fallback` if it was not given.
  [[nodiscard]] std::int64_t number(const std::string& option, std::int64_t fallback,
                                    std::int64_t lo, std::int64_t hi) const;
  /// The positional argument of this name; empty if it was left out.
  [[nodiscard]] std::string argument(const std::string& name) const;
  /// All of a positional argument that repeats.
  [[nodiscard]] std::vector<std::string> arguments(const std::string& name) const;
  /// The whole command line as a JSON array.
  [[nodiscard]] const std::string& command_line() const { return command_line_; }

  /// All plugins of the search order and of --plugin, loaded at the first call, and kept apart as
  /// --sandbox says, or else the suite that was heeded. Throws Error where that is not possible.
  const Catalogue& catalogue();
  /// Loads this plugin file too, before the others if they are not loaded yet.
  void load(const std::filesystem::path& plugin);
  /// The game of that name, or of the file that is named, which is loaded.
  const Game& game(const std::string& name);
  /// The importer of that name, or of the file that is named, which is loaded.
  const Importer& importer(const std::string& name);
  /// The same catalogue, with the importers that come with Agon.
  const Catalogue& catalogue_with_importers();
  /// Before the plugins are loaded: keeps them apart as this suite says. What --sandbox says comes
  /// first; a suite alone lets nobody's code into this process: throws Error (preflight) if it
  /// would.
  void heed_isolation(const std::string& suite_text, const std::string& suite_file);
  /// Takes these plugins for all that there are, for a program that calls one command after
  /// another.
  void use(std::shared_ptr<Catalogue> plugins) { catalogue_ = std::move(plugins); }
  /// The command line as a person would type it, with `--out out` for its own if one is meant;
  /// empty with a host, which knows what it called.
  [[nodiscard]] std::string to_resume(const std::string& out = {}) const;
  /// Null: the command runs in a program of its own.
  [[nodiscard]] const Host* host() const { return host_; }
  /// Agents are asked to stop by this.
  void stop_at(const std::atomic<bool>& stop) { stop_ = &stop; }
  /// Null: by nothing.
  [[nodiscard]] const std::atomic<bool>* stop() const { return stop_; }
  /// Before the plugins are loaded: `hear` is called, from any thread, with what games print that
  /// run in processes of their own; without white space at its end.
  void overhear(std::function<void(std::string_view)> hear) { overhear_ = std::move(hear); }

 private:
  /// Says once what this machine leaves open to plugins that are kept apart, if there are any.
  void tell_what_stays_open();

  const Synopsis& synopsis_;
  const Host* host_;
  boost::program_options::variables_map values_;
  std::string command_line_;
  std::vector<std::string> words_;
  std::vector<std::string> plugins_;  ///< to be loaded first
  std::shared_ptr<Catalogue> catalogue_;
  Isolation isolation_;  ///< as a suite says
  bool told_what_stays_open_ = false;
  const std::atomic<bool>* stop_ = nullptr;
  std::function<void(std::string_view)> overhear_;
};

/// A command of `agon`.
struct Command {
  Synopsis synopsis;
  int (*run)(Invocation&);  ///< returns the exit code
};

/// All of them, in the order in which they are listed.
[[nodiscard]] std::vector<Command> commands();

/// Does what a command line says, of which `agon` itself is left out. Returns the exit code, or
/// throws.
[[nodiscard]] AGON_API int execute(const std::vector<std::string>& words,
                                   const Host* host = nullptr);

/// Tells what went wrong on standard error and, with `json`, on standard output too. Returns the
/// exit code.
AGON_API int tell_failure(const std::exception_ptr& failure, bool json);

/// Does `work` while signals only ask it to stop; agents hear of that too. `work` calls begin() of
/// the interrupt once matches are played. What fails before because somebody wants to stop is no
/// failure: the exit code is kInterrupted then, and a line says how to begin again.
int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work);

Command list_command();
Command describe_command();
Command play_command();
Command run_command();
Command branch_command();
Command merge_command();
Command plan_command();
Command show_command();
Command serve_command();
Command judge_command();
Command replay_command();
Command report_command();
Command export_command();
Command import_command();
Command new_command();
Command doctor_command();
Command bench_command();
Command check_command();

/// Options of `agon branch --decisions`, and what it does.
void add_decision_options(Synopsis& synopsis);
int value_decisions(Invocation& call);

/// Where shipped data files lie: `<folder>/<game>/<name>.json`.
[[nodiscard]] std::vector<std::string> data_folders();

/// The words by which another command finds the game of that name or file again.
[[nodiscard]] std::vector<std::string> words_of_game(const Invocation& call,
                                                     const std::string& name);

/// The files that `agon describe` knows: names, and what they are.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> described_files(
    const Catalogue& catalogue);

/// Which of `words`, separated by bars, the option says, from 0; `otherwise` if it was not given.
/// Throws Error (usage) for another word.
[[nodiscard]] std::size_t chosen_word(const Invocation& call, const std::string& option,
                                      std::string_view words, std::size_t otherwise = 0);

/// What --fault-policy says; empty if it was not given. Throws Error (usage) for another word.
[[nodiscard]] std::string asked_policy(const Invocation& call);

/// Options of every command.
[[nodiscard]] boost::program_options::options_description common_options();

/// Options of commands that read the matches of an archive: --suite, --run, --all-suites.
/// `otherwise`: what is read without them.
void add_scope_options(Synopsis& synopsis, const std::string& otherwise);

/// What they say.
[[nodiscard]] report::ScopeChoice scope_of(const Invocation& call);

}  // namespace agon::command
