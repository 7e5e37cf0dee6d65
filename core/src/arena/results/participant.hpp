#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "archive/rows.hpp"
#include "costs/costs.hpp"

namespace agon::report {

/// The ends of agents' names that tell specs apart, by name of the game and number of the agent's
/// row: ` (model b)`. Only of those that have one.
using AgentsApart = std::map<std::pair<std::string, std::int64_t>, std::string>;

/// What sets an agent apart from the others of its family.
struct AgentLevels {
  std::string family;                                       ///< the agent's name in the suite
  std::vector<std::pair<std::string, std::string>> levels;  ///< (factor, level); may be empty
};

/// Every factor and label of a stored agent, with its level.
[[nodiscard]] AGON_API std::vector<std::pair<std::string, std::string>> all_levels_of(
    const archive::AgentRow& row);

/// Family and levels of a stored agent; no levels where it was not expanded from factors. Labels,
/// which are not in its name, are no levels: nothing sets them apart but what somebody wrote.
[[nodiscard]] AGON_API AgentLevels levels_of(const archive::AgentRow& row);

/// The same from a name alone, for archives that do not say more: "llm/memory=whole,planning=none"
/// is of the family "llm". Where a level has several parameters, the name alone cannot tell them
/// from factors.
[[nodiscard]] AGON_API AgentLevels levels_of_name(std::string_view name);

}  // namespace agon::report

namespace agon {
class Catalogue;
}

namespace agon::report {

/// An agent that took part in matches, and what it is.
struct AgentProfile {
  std::string agent;        ///< its name in the suite, by which tables call it
  std::string plays;        ///< what it is: "mock/x", "fraction"
  std::string with{};       ///< its parameters or parts, where they are not as by default
  std::int64_t seats = 0;   ///< that it had
  bool is_mock = false;     ///< a mock stood in for a model
  bool is_model = false;    ///< it calls a model, or a mock in its place
  bool has_others = false;  ///< other models answer its calls of some purposes
};

/// What the spec of an agent says of it. `catalogue`: tells the defaults of agents for `game`;
/// without it, or where it does not know the agent, all parameters are told.
[[nodiscard]] AGON_API AgentProfile participant(const archive::AgentRow& row,
                                                std::int64_t seats = 0,
                                                const Catalogue* catalogue = nullptr,
                                                std::string_view game = {});

/// What the spec of an agent says of the model that it calls, under this name: "model", "provider";
/// empty: nothing, or it calls none.
[[nodiscard]] AGON_API std::string model_word(const archive::AgentRow& row, std::string_view word);

/// For which of the archive's agents a mock played, in a sentence; empty if for none. Agents that
/// factors made of one entry are named once. `rows`: only agents with these numbers; null: all.
[[nodiscard]] AGON_API std::string mock_words(const archive::Archive& archive,
                                              const std::set<std::int64_t>* rows = nullptr);

/// Which settings the endpoints of the archive's agents did not take, by agent, and whose requests
/// were alike for it, in sentences; empty if all were applied. `rows` as above.
[[nodiscard]] AGON_API std::string not_applied_words(const archive::Archive& archive,
                                                     const std::set<std::int64_t>* rows = nullptr);

/// What the agents that call several models took of each, in a sentence; empty if there are none.
/// `rows` as above.
[[nodiscard]] std::string models_of_agents_words(const archive::Archive& archive,
                                                 const std::set<std::int64_t>* rows = nullptr);

/// What the calls took that the last run had caps on by model or purpose, runs before it included.
[[nodiscard]] std::vector<CappedPart> capped_parts(const archive::Archive& archive);

/// The models behind the agents of an archive: as its runs asked for them, as they were served, and
/// as its suites name them.
class PlayedModels {
 public:
  explicit PlayedModels(const archive::Archive& archive);

  /// "openai/gpt-4 (served as gpt-4-0613)", of an agent that calls a model; what providers called
  /// it is known once a run has ended.
  [[nodiscard]] std::optional<std::string> behind(const archive::AgentRow& agent) const;

  /// Where the agent's name has in it the name of a model of its suite, by entry or as the provider
  /// knows it, and something else played, as after --model: "mock/b, not openai/gpt-4".
  [[nodiscard]] std::optional<std::string> misnamed(const archive::AgentRow& agent) const;

 private:
  std::map<std::string, std::set<std::string>> served_;  // by "provider/model"
  std::map<std::string, std::set<std::string>> named_;   // by name in lower case: "provider/model"
};

}  // namespace agon::report
