#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "settings/settings.hpp"
#include "suite/agents/agent_spec.hpp"
#include "table/match_table.hpp"

namespace agon::branch {

/// Agents that answer at once on the seats of a scenario, ready to play it without a record on any
/// chance.
class FreeLineUp {
 public:
  /// All must outlive it.
  FreeLineUp(const Game& game, const Settings& settings, std::vector<const AgentInGame*> agents);

  /// What came of the match of that chance; valid until the next one. Throws Error if the game
  /// breaks.
  const Outcome& play(std::uint64_t stream_key, std::uint64_t block, std::uint64_t repeat);

 private:
  std::vector<const AgentInGame*> agents_;
  std::vector<std::uint64_t> dice_;
  MatchSetup setup_;
  std::unique_ptr<MatchTable> table_;
};

/// Whether the agent can be played any number of times, for nothing: it answers at once, and the
/// same one in every block.
[[nodiscard]] bool is_free(const AgentInGame& agent);

/// Agents that stand in for others, as the command line names them: an agent of the archive, or one
/// as `agon play` takes it. Each is made once for a game.
class ReferenceAgents {
 public:
  /// The catalogue must outlive it.
  explicit ReferenceAgents(const Catalogue& catalogue) : catalogue_(catalogue) {}

  /// Throws Error (usage) for an agent that has to be waited for.
  const AgentInGame& made(const std::string& typed, const Game& game, const std::string& option);

 private:
  const Catalogue& catalogue_;
  std::map<std::pair<std::string, std::string>, AgentSpec> made_;
};

}  // namespace agon::branch
