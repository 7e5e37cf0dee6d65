#pragma once

#include <agon/agent.hpp>
#include <boost/json/fwd.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "hash/sha256.hpp"

namespace agon {

class Catalogue;

/// An agent as it plays one game.
struct AgentInGame {
  std::string spec;                    ///< canonical JSON: {"agent": "fraction", "params": {...}}
  hash::Digest digest{};               ///< of `spec`
  hash::Digest identity{};             ///< of name and `spec`: two agents may play alike
  std::vector<std::string> roles;      ///< that it can play; empty: all
  std::shared_ptr<const Agent> agent;  ///< one object for all matches and threads
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
///
/// An object is { "rule": ..., "params": {...} } or { "<id of any agent>": {parameters} }.
class AgentSpec {
 public:
  /// Reads one entry of a suite's "agents". `where` leads messages. Throws Error for unknown agents
  /// and parameters.
  static AgentSpec read(const Catalogue& catalogue, std::string name,
                        const boost::json::value& spec, const std::string& where,
                        const std::vector<std::string>& games, const std::string& folder = {});
  /// Reads the short form of the command line: `name` or `name:key=value,key=value`.
  static AgentSpec parse(const Catalogue& catalogue, std::string_view text, const std::string& game,
                         const std::string& where);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// What plays this game; null if the spec names none for it.
  [[nodiscard]] const AgentInGame* in(std::string_view game) const;

 private:
  std::string name_;
  std::map<std::string, AgentInGame, std::less<>> in_;
};

}  // namespace agon
