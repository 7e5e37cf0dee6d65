#pragma once

#include <agon/export.hpp>
#include <agon/game.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "design/lineups.hpp"
#include "json/path.hpp"
#include "settings/settings.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/suite_file.hpp"

namespace agon {

struct Game;
class FileText;

/// Who is compared with whom in a scenario.
struct LineUpDesign {
  enum class DesignKind : std::uint8_t { focal, round_robin, gauntlet, fixed };
  DesignKind kind = DesignKind::round_robin;
  std::vector<int> focal;               ///< focal agents or challengers
  std::vector<int> field;               ///< focal: the field
  std::vector<int> agents;              ///< round robin, gauntlet: who takes part
  std::vector<std::vector<int>> lists;  ///< fixed
};

/// Reads the designs of a suite. Agents are meant by name or by a pattern with `*`. Throws Error
/// with its place for what makes no sense. What it is given must outlive it.
class DesignReader {
 public:
  DesignReader(const FileText& suite, const std::vector<std::string>& agents)
      : suite_(suite), names_(agents) {}

  /// Refuses a design that is not well formed. `whole`: it stands by itself, as that of the suite
  /// does, and has to say of which kind it is.
  void check(const suite_file::Design& design, const json::Path& path, bool whole) const;
  /// The design of the suite with what a scenario's own says over it; `path`: of the suite's, and
  /// where the scenario's own is of another kind, afterwards of that.
  [[nodiscard]] suite_file::Design merged(const suite_file::Design& design,
                                          const suite_file::Design& own, const json::Path& own_path,
                                          json::Path& path) const;
  [[nodiscard]] LineUpDesign read(const suite_file::Design& design, const json::Path& path) const;

 private:
  [[nodiscard]] std::vector<int> agents(const suite_file::Names& names,
                                        const json::Path& path) const;

  const FileText& suite_;
  const std::vector<std::string>& names_;
};

/// The line-ups of a design, over the indices of `agents`. `in_order`: as in design::fixed. Throws
/// Error without a place for an agent that does not play the game.
[[nodiscard]] AGON_API std::vector<design::LineUp> line_ups(const LineUpDesign& design,
                                                            const std::vector<AgentSpec>& agents,
                                                            int seats, const Game& game,
                                                            bool in_order);

/// Whether seats are asked what they have learnt in a match that stands alone: one match is played
/// at random to see it. True if that cannot be seen.
[[nodiscard]] bool asks_learnings(const Game& game, const Settings& settings);

struct Suite;

/// Leaves only the scenarios of these names in the suite; all, if there are none. Their matches are
/// the whole suite's. Throws Error (usage) for a name that no scenario has.
AGON_API void choose_scenarios(Suite& suite, const std::vector<std::string>& names);

}  // namespace agon
