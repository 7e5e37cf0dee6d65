#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>
#include <agon/sdk_version.hpp>
#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <new>
#include <span>
#include <system_error>

#include "command/analysis/analysis.hpp"
#include "command/command.hpp"
#include "command/help.hpp"
#include "command/output.hpp"
#include "command/run/suite.hpp"
#include "conformance/checks.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "process/children.hpp"
#include "suite/suite.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace fs = std::filesystem;

bool is_suite(const std::string& file) {
  std::error_code none;
  if (!fs::is_regular_file(file, none)) return false;
  const boost::json::value document = json::parse_file(file);
  return document.is_object() && document.get_object().contains("scenarios");
}

/// The settings live as long as what they are part of.
GameSettings shared(std::string name, std::string treatment,
                    const std::shared_ptr<const Settings>& settings) {
  return {std::move(name), std::move(treatment),
          std::shared_ptr<const void>(settings, settings->get())};
}

/// What commands of plugins may ask for, from the plugins and files at hand.
class Services final : public CommandServices {
 public:
  /// The catalogue must outlive it. `command`: the one that asks.
  Services(const Catalogue& catalogue, SuiteOptions options, std::string command)
      : catalogue_(catalogue), options_(std::move(options)), command_(std::move(command)) {}

  [[nodiscard]] std::vector<GameSettings> settings_of(std::string_view game,
                                                      const std::string& what) const override;
  [[nodiscard]] AgentTrial try_agent(std::span<const std::string> game,
                                     const WaitingAgent& agent) const override;

 private:
  const Catalogue& catalogue_;
  SuiteOptions options_;
  std::string command_;
};

std::vector<GameSettings> Services::settings_of(std::string_view game,
                                                const std::string& what) const {
  const Game& card = catalogue_.game(std::string(game));
  std::vector<GameSettings> found;
  if (!is_suite(what)) {
    for (const Field& f : card.settings->fields) {
      if (f.data.empty()) continue;
      const boost::json::object set{{f.name, boost::json::string(what)}};
      found.push_back(shared(fs::path(what).stem().string(), "{}",
                             std::make_shared<const Settings>(Settings::read(
                                 card, "", set, what, {"", options_.data_folders}))));
      return found;
    }
    throw Error(ErrorKind::not_found, "suite file not found", what);
  }
  // Settings alone are wanted: nothing is started or sent for them.
  SuiteOptions dry = options_;
  dry.dry_run = true;
  const Suite suite = Suite::read(catalogue_, what, dry);
  for (const Scenario& s : suite.scenarios)
    if (s.game == &card)
      for (const Treatment& t : s.treatments) found.push_back(shared(s.name, t.values, t.settings));
  if (found.empty())
    throw Error(ErrorKind::not_found, "no scenario plays '" + std::string(game) + "'", what);
  return found;
}

AgentTrial Services::try_agent(std::span<const std::string> game, const WaitingAgent& agent) const {
  // Read as by any other command, with plugins of its own: --plugin may change what is there.
  struct Read {
    Synopsis synopsis;
    Invocation call;
    Read(Synopsis made, const std::vector<std::string>& words)
        : synopsis(std::move(made)), call(synopsis, words) {}
  };
  const auto read = std::make_shared<Read>(
      Synopsis{.name = command_, .summary = "", .positionals = {{"GAME", ""}}},
      std::vector<std::string>(game.begin(), game.end()));
  const Game& named = read->call.game(read->call.argument("GAME"));
  constexpr int kMatches = 5;  // of each preset: stages that not every match reaches
  const conformance::GameUnderTest subject(read->call.catalogue(), {&named, {}}, data_folders(),
                                           {.matches = kMatches, .changes_settings = false});
  AgentTrial trial = conformance::try_agent(subject, agent);
  trial.game = read;
  return trial;
}

// The others need a terminal, serve pages or make files.
constexpr std::array<std::string_view, 11> kInsideOthers{"branch", "check", "describe", "export",
                                                         "list",   "merge", "plan",     "replay",
                                                         "report", "run",   "show"};

std::string version() {
  return fmt::format("agon {}\nsdk {}\n", AGON_SDK_VERSION_TEXT, plugin::own_tag());
}

int tell(const Error& error, bool json) {
  const Error bare(error.kind(), error.problem(), error.where());
  text::say("agon: error: {}\n", as_one_message(bare.what()));
  if (!error.hint().empty()) text::say("hint: {}\n", as_one_message(error.hint()));
  const int code = static_cast<int>(error.kind());
  if (!json) return code;
  try {
    print_json(boost::json::object{
        {"error", boost::json::object{{"problem", text::printable(error.problem())},
                                      {"where", text::printable(error.where())},
                                      {"hint", text::printable(error.hint())},
                                      {"exit_code", code}}}});
    flush();
  } catch (const Error&) {
    return code;  // standard output takes nothing; the words above are told
  }
  return code;
}

int tell_unforeseen(const std::exception& error, bool json) {
  return tell(Error(ErrorKind::failure, fmt::format("internal error: {}", error.what()), "",
                    "please report it"),
              json);
}

}  // namespace

int execute(const std::vector<std::string>& arguments, const Host* host) {
  const std::vector<Command> all = commands();
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (host != nullptr && std::ranges::find(kInsideOthers, first) == kInsideOthers.end())
    throw Error(ErrorKind::usage, "'agon " + first + "' does not run inside another program", "",
                "start the program agon for it");
  const std::span<const std::string> rest = std::span(arguments).subspan(first.empty() ? 0 : 1);
  if (first == "--version" || first == "version") return print(version()), 0;
  if (first == "complete") return print(completions(all, rest)), 0;
  std::vector<std::string> names;
  for (const Command& c : all) {
    names.push_back(c.synopsis.name);
    if (c.synopsis.name != first) continue;
    Invocation invocation(c.synopsis, {rest.begin(), rest.end()}, host);
    if (invocation.has("help")) return print(help(c)), 0;
    return c.run(invocation);
  }
  // Plugins may bring more commands; they are loaded only when none of ours is meant.
  Catalogue catalogue;
  catalogue.load_all();
  const std::vector<const PluginCommand*> of_plugins = catalogue.all<PluginCommand>();
  if (arguments.empty()) {
    text::say("{}", usage(all, of_plugins));
    return static_cast<int>(ErrorKind::usage);
  }
  if (first == "help" && !rest.empty() && rest[0] == "--man")
    return print(manual(all, of_plugins)), 0;
  if (first == "--help" || first == "-h" || first == "help")
    return print(usage(all, of_plugins)), 0;
  for (const PluginCommand* c : of_plugins) {
    names.emplace_back(c->id);
    if (c->id != first) continue;
    if (rest.size() == 1 && (rest[0] == "--help" || rest[0] == "-h")) return print(help(*c)), 0;
    if (c->run != nullptr) return c->run(rest);
    return c->run_with(rest, Services(catalogue, shipped_suite_options(), first));
  }
  refuse_left_out(first);
  throw Error(ErrorKind::usage, "unknown command '" + first + "'", "",
              text::suggestion(first, names, "see 'agon --help'"));
}

int tell_failure(const std::exception_ptr& failure, bool json) {
  try {
    std::rethrow_exception(failure);
  } catch (const Error& error) {
    return tell(error, json);
  } catch (const std::bad_alloc&) {
    return tell(Error(ErrorKind::failure, "out of memory"), json);
  } catch (const std::system_error& error) {
    if (error.code() != std::errc::resource_unavailable_try_again)
      return tell_unforeseen(error, json);
    return tell(no_thread("no further thread"), json);
  } catch (const std::exception& error) {
    return tell_unforeseen(error, json);
  }
}

int interruptible(Invocation& call, const std::function<int(const Interrupt& interrupt)>& work) {
  const Interrupt interrupt(call.host() != nullptr ? call.host()->stop : nullptr);
  call.stop_at(interrupt.asked());
  try {
    return work(interrupt);
  } catch (const Error&) {
    if (interrupt.flags().begun || !interrupt.asked()) throw;
  }
  if (const std::string resume = call.to_resume(); !resume.empty())
    text::say("stopped before anything was played; begin again with: {}\n", resume);
  if (call.json()) print_json(boost::json::object{{"interrupted", true}});
  return kInterrupted;
}

}  // namespace agon::command
