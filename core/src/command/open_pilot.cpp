#include "command/open_pilot.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <set>
#include <utility>

#include "json/parse.hpp"
#include "results/differences.hpp"
#include "results/scope.hpp"
#include "run/match_identity.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;

/// Whatever is stored there; nothing if it is no JSON.
bj::object object_of(const std::optional<std::string>& text) {
  try {
    const bj::value value = text ? json::parse(*text, "") : bj::value();
    return value.is_object() ? value.get_object() : bj::object();
  } catch (const Error&) {
    return {};
  }
}

/// "days 5 there, days 6 here": the first members that tell the two apart.
std::string there_and_here(const bj::object& there, const bj::object& here,
                           std::initializer_list<std::string_view> members) {
  for (const std::string_view name : members) {
    const auto part = [&](const bj::object& whole) {
      const bj::value* member = whole.if_contains(name);
      return bj::value(bj::object{{name, member == nullptr ? bj::value() : *member}});
    };
    const std::vector<std::string> words = report::differences({part(there), part(here)});
    if (words[0] != words[1]) return fmt::format(": {} there, {} here", words[0], words[1]);
  }
  return {};
}

/// Compares the matches of an archive, as it is narrowed, with what a suite means by the same
/// names.
class Comparison {
 public:
  Comparison(const archive::Archive& archive, const Suite& suite)
      : archive_(archive),
        suite_(suite),
        scenarios_(archive.scenarios()),
        games_(archive.games()),
        agents_(archive.agents()) {
    archive::Wanted wanted;
    wanted.in_order = false;
    archive.matches(wanted, [&](std::int64_t, const archive::MatchRow& match) {
      add(match);
      return true;
    });
  }

  [[nodiscard]] bool fits() const { return any_ && differ_.empty(); }
  [[nodiscard]] std::vector<std::string> notes() const { return {differ_.begin(), differ_.end()}; }

 private:
  void add(const archive::MatchRow& match) {
    const archive::ScenarioRow& row = archive_.row(scenarios_, match.key.scenario);
    const auto s = std::find_if(suite_.scenarios.begin(), suite_.scenarios.end(),
                                [&](const Scenario& own) { return own.name == row.name; });
    if (s == suite_.scenarios.end()) return;
    any_ = true;
    if (seen_.insert({match.key.scenario, 0}).second) compare(*s, row);
    for (const archive::SeatRow& seat : match.seats)
      if (seen_.insert({match.key.scenario, seat.agent}).second)
        compare(*s, archive_.row(agents_, seat.agent));
  }

  void compare(const Scenario& s, const archive::ScenarioRow& row) {
    const archive::GameRow& game = archive_.row(games_, row.game);
    const auto differs = [&](const std::string& what) {
      differ_.insert(fmt::format("the pilot's scenario '{}' {}", s.name, what));
    };
    if (game.name != s.game->id)
      return differs(fmt::format("is of another game: {} there, {} here", game.name, s.game->id));
    if (game.version != s.game->card.version || game.plugin_version != s.plugin_version)
      differs(fmt::format("is of another version of its game: {} of plugin {} there, {} of {} here",
                          game.version, game.plugin_version, s.game->card.version,
                          s.plugin_version));
    const auto t = std::find_if(s.treatments.begin(), s.treatments.end(),
                                [&](const Treatment& own) { return own.values == row.treatment; });
    if (t == s.treatments.end())
      return differs("has a treatment that the suite has not: " + row.treatment);
    const std::string here = settings_document(s, *t);
    if (hash::sha256(here) != row.settings)
      differs("has other settings" + there_and_here(object_of(archive_.content(row.settings)),
                                                    object_of(here),
                                                    {"settings", "reasks", "preset"}));
  }

  void compare(const Scenario& s, const archive::AgentRow& row) {
    const auto agent = std::find_if(suite_.agents.begin(), suite_.agents.end(),
                                    [&](const AgentSpec& own) { return own.name() == row.name; });
    if (agent == suite_.agents.end()) return;
    const AgentInGame* in = agent->in(s.game->id);
    if (in == nullptr || agent_identity(*in, s) == row.hash) return;
    differ_.insert(
        fmt::format("the pilot's agent '{}' is another one{}", row.name,
                    there_and_here(object_of(row.spec), object_of(in->spec), {"agent", "params"})));
  }

  const archive::Archive& archive_;
  const Suite& suite_;
  const std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  const std::map<std::int64_t, archive::GameRow> games_;
  const std::map<std::int64_t, archive::AgentRow> agents_;
  std::set<std::pair<std::int64_t, std::int64_t>> seen_;  // scenario and agent, or 0
  bool any_ = false;                                      // has a scenario of the suite's
  std::set<std::string> differ_;
};

}  // namespace

Pilot open_pilot(const std::string& path, const Suite& suite) {
  Pilot last{archive::Archive::open(path), {}};
  report::narrow(last.archive, {});
  const Comparison of_last(last.archive, suite);
  if (of_last.fits()) return last;
  last.notes = of_last.notes();
  std::set<std::int64_t> tried;
  const auto runs = last.archive.runs();
  if (!runs.empty() && runs.back().asked) tried.insert(*runs.back().asked);
  Pilot other{archive::Archive::open(path), {}};
  const auto all = other.archive.runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    if (!run->asked || !tried.insert(*run->asked).second) continue;
    report::narrow(other.archive, {.suite = std::to_string(*run->asked)});
    if (Comparison(other.archive, suite).fits()) {
      other.notes.push_back(fmt::format(
          "the pilot is suite {} of {}, which has these agents and settings; another was run last",
          *run->asked, path));
      return other;
    }
  }
  return last;
}

}  // namespace agon::command
