#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "settings/settings.hpp"
#include "suite/suite_file.hpp"
#include "text/hash.hpp"

namespace agon {

class Accesses;
class Catalogue;
class Models;

/// An agent as it plays one game.
struct AgentInGame {
  /// Canonical JSON: {"agent": "fraction", "params": {...}}, with "mock": true for a model agent
  /// whose model is made up.
  std::string spec;
  hash::Digest digest{};           ///< of agent and parameters, without operational ones
  hash::Digest identity{};         ///< of name and these: two agents may play alike
  std::vector<std::string> roles;  ///< that it can play; empty: all
  /// See AgentCard; null: it plays with any settings.
  Callback<std::string(const void* settings)> check{};
  std::shared_ptr<const Agent> agent;  ///< one object for all matches and threads

  [[nodiscard]] bool plays(const std::string& role) const {
    return roles.empty() || std::find(roles.begin(), roles.end(), role) != roles.end();
  }
};

/// What the reading of agents needs beside their specs.
struct SpecContext {
  const Catalogue& catalogue;
  std::vector<std::string> games{};   ///< ids of the games of the suite
  std::vector<std::string> probes{};  ///< names of what the suite asks beside them
  std::string folder{};               ///< relative paths start there
  const Models* models = nullptr;     ///< null: none are named
  bool dry_run = false;               ///< as in AgentServices, like what follows
  bool verbose = false;
  std::string ca_file{};
  const std::atomic<bool>* stop = nullptr;
  Accesses* accesses = nullptr;  ///< what agents reach for outside; null: nobody is asked
  bool typed = false;  ///< on the command line: commands and files are the user's own word
};

/// An agent of a suite: a name, and what plays under it in each game.
///
///     "floor":     "random"
///     "seller":    "time-dependent:exponent=0.5"
///     "cautious":  { "rule": "fraction", "params": { "share": 0.2 } }
///     "reference": { "rule": { "water-allocation": "survivor",
///                              "bargaining": { "time-dependent": { "exponent": 0.5 } } } }
///     "me":        { "human": { "name": "anna" } }
///     "fixed":     { "script": { "answers": [ { "give": 3 } ] } }
///     "llm":       { "llm": "m", "factors": { "memory": ["whole", "notebook"] }, "beliefs": "on" }
///
/// An object is { "rule": ..., "params": {...} } or { "<id of any agent>": {parameters} }. There,
/// parameters may also stand beside the id; a text is the value of the parameter `model`, or of the
/// first one. `"model.temperature"` is member temperature of the parameter model. "factors" makes
/// an agent of every combination: "llm/memory=whole", "llm/memory=notebook". "labels" are texts
/// that change nothing in play: {"workflow": "use"}.
class AGON_API AgentSpec {
 public:
  AgentSpec() = default;
  /// An agent that plays nothing yet; `factors`: JSON object.
  AgentSpec(std::string name, std::string base, std::string factors)
      : name_(std::move(name)), base_(std::move(base)), factors_(std::move(factors)) {}
  /// Reads one entry of a suite's "agents". Throws Error for unknown agents and parameters.
  static std::vector<AgentSpec> read(const SpecContext& context, const std::string& name,
                                     const suite_file::Entry& entry, const ErrorPlace& place);
  /// Reads an agent of the command line that plays `game`: `name`, `name:key=value,key=value`, or a
  /// JSON object.
  static AgentSpec parse(const SpecContext& context, std::string_view text, const std::string& game,
                         const ErrorPlace& place);

  /// An agent of the same name, entry and factors that plays as `entry` says, which has no factors.
  [[nodiscard]] AgentSpec replaced(const SpecContext& context, const suite_file::Entry& entry,
                                   const ErrorPlace& place) const;

  /// Says what plays a game under the name.
  void play(const std::string& game, AgentInGame in) { in_.insert_or_assign(game, std::move(in)); }

  [[nodiscard]] const std::string& name() const { return name_; }
  /// The name in the suite; with factors, that of all agents made of the entry.
  [[nodiscard]] const std::string& base() const { return base_; }
  /// JSON object: its levels of the factors, in their order, then its labels; {} without either.
  [[nodiscard]] const std::string& factors() const { return factors_; }
  /// What plays this game; null if the spec names none for it.
  [[nodiscard]] const AgentInGame* in(std::string_view game) const;
  /// Why nothing does, where there is more to say than that; else empty.
  [[nodiscard]] std::string why_not(std::string_view game) const;
  /// Throws Error at `where` if what plays `game` cannot play with these settings.
  void check(const Game& game, const Settings& settings, const std::string& where) const;
  /// Throws Error if what plays `game` has nothing for one of the blocks of that scenario.
  void check_blocks(const Game& game, const std::string& scenario, std::uint64_t blocks) const;

 private:
  void play(const SpecContext& context, const std::string& game, std::string_view id,
            boost::json::object params, const ErrorPlace& place, bool short_form);
  void play_all(const SpecContext& context, const std::string& id,
                const boost::json::object& params, const ErrorPlace& place, bool short_form);
  void play_each(const SpecContext& context, const InOrder<suite_file::Strategy>& strategies,
                 const ErrorPlace& place);

  std::string name_;
  std::string base_;
  std::string factors_ = "{}";
  std::map<std::string, AgentInGame, std::less<>> in_;
  std::map<std::string, std::string, std::less<>> why_not_;
};

/// The digest (AgentInGame::digest) of an agent that an archive holds.
[[nodiscard]] hash::Digest recorded_digest(const Catalogue& catalogue, const std::string& spec,
                                           std::string_view game);

/// An agent of the command line. Throws Error (usage) if it is a JSON object that is not valid, or
/// would be several agents.
[[nodiscard]] AGON_API suite_file::Entry typed_entry(std::string_view text,
                                                     const std::string& where);

/// Refuses an entry of "models" that no agent could take for its parameter `model`.
void check_model(const SpecContext& context, const suite_file::Entry& model,
                 const ErrorPlace& place);

}  // namespace agon
