#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "describe/file_text.hpp"
#include "json/path.hpp"
#include "suite/agents/agent_spec.hpp"
#include "suite/suite.hpp"

namespace agon {

/// A change of the suite, read.
struct BranchChangeRead {
  archive::BranchChange kind = archive::BranchChange::none;
  std::string text;
  int agent = -1;  ///< of the suite
  json::Path path;
  bool was_accepted = false;  ///< an answer, somewhere
  std::string problem{};      ///< why it was not, where that was first

  /// As a treatment says it.
  [[nodiscard]] std::string words() const { return std::string(name_of(kind)) + " " + text; }
};

/// An agent of the parents' archive, or a variant of one, as a suite has it.
struct ParentAgent {
  int number = 0;  ///< in the suite
  archive::AgentRow row;
  std::int64_t of = 0;                      ///< number of the row in the parents' archive
  std::set<const Game*> games{};            ///< that it plays, from records or live
  std::map<const Game*, std::string> live;  ///< where it is asked first
  bool is_own = false;                      ///< the suite names the same agent
};

/// The agents of the parents' archive that a suite of branches takes over. What it is given must
/// outlive it.
class ParentAgents {
 public:
  /// `path`: of what the suite says of branches.
  ParentAgents(const archive::Archive& archive,
               const std::map<std::int64_t, archive::AgentRow>& rows, const FileText& text,
               json::Path path, Suite& suite, const SpecContext& context)
      : archive_(archive),
        rows_(rows),
        text_(text),
        path_(std::move(path)),
        suite_(suite),
        context_(context) {}

  /// A recorded agent of this number, or the variant of it that `change` makes; null: itself. It is
  /// added to the suite when it is new.
  ParentAgent& find(std::int64_t number, const BranchChangeRead* change, const Game& game);
  /// Whether a recorded agent has what a change takes away or sets.
  [[nodiscard]] bool takes(std::int64_t number, const BranchChangeRead& change,
                           const Game& game) const;
  /// Refuses the name of a component that no model agent has.
  void check_component(const std::string& name, const json::Path& path) const;
  /// Makes agents where they are asked; the others' answers are on record.
  void make();
  /// The one that the suite has under this number; null: it is none.
  [[nodiscard]] const ParentAgent* numbered(int number) const;

 private:
  [[nodiscard]] AgentInGame live_agent(const ParentAgent& agent, const Game& game,
                                       const std::string& who) const;

  const archive::Archive& archive_;
  const std::map<std::int64_t, archive::AgentRow>& rows_;
  const FileText& text_;
  const json::Path path_;
  Suite& suite_;
  const SpecContext& context_;
  std::map<std::pair<std::int64_t, std::string>, ParentAgent> all_;
};

/// What stands between the separators.
[[nodiscard]] std::vector<std::string> parts_of(std::string_view text, std::string_view between);

}  // namespace agon
