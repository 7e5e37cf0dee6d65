#include "command/services.hpp"

#include <agon/error.hpp>
#include <agon/plugin_command.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>

#include "command/command.hpp"
#include "conformance/agent_trial.hpp"
#include "json/parse.hpp"
#include "plugin/catalogue.hpp"

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

}  // namespace

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

}  // namespace agon::command
