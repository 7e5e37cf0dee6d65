#pragma once

#include <agon/export.hpp>
#include <boost/icl/interval_set.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "archive/archive.hpp"

namespace agon::report {

/// What tells JSON objects apart, in words, one for each: "rounds 5", "share 0.2, patient true";
/// as few members as tell all of them apart, in the order of their names. Members of members are
/// told by their own name where no other that is told has it. Empty for objects that are the same
/// as others.
[[nodiscard]] AGON_API std::vector<std::string> differences(
    const std::vector<boost::json::value>& objects);

/// What a scenario under one treatment is called.
struct ScenarioName {
  std::string
      chance;  ///< the same for scenarios that share their random numbers, and for no others
  std::string scenario;  ///< its own name, with the seed where several have it
  std::string apart;     ///< " (seed 7)"; empty where no other has the name
  std::string label;     ///< with the treatment; unique within the game
};

/// "seed 7", where `several` have seeds that differ; empty where all have the same one.
[[nodiscard]] std::string seed_words(const std::set<std::optional<std::uint64_t>>& several,
                                     const archive::ScenarioRow& row);

/// The name with such words behind it, if there are some: "deal (seed 7)".
[[nodiscard]] std::string with_seed(const std::string& name, const std::string& seed);

/// Names of scenarios, by number of their rows: `deal: pie 10`, and where several have the same
/// name, with what tells them apart: `deal (settings: rounds 5)`, `deal (seed 7)`.
[[nodiscard]] AGON_API std::map<std::int64_t, ScenarioName> scenario_names(
    const archive::Archive& archive, const std::map<std::int64_t, archive::ScenarioRow>& scenarios,
    const std::map<std::int64_t, archive::GameRow>& games);

/// What tells agents of one game apart whose name stands for several specs, by number of their
/// rows: ` (fixed)`, ` (model b)`, ` (prompts of bold)`; empty for the others. `scenarios`: by
/// number of the row, where it played. The same words mean the same in every game. Specs that
/// differ in the skins of their scenarios alone are one agent, and share a name.
[[nodiscard]] AGON_API std::map<std::int64_t, std::string> agents_apart(
    const archive::Archive& archive, const std::map<std::int64_t, archive::AgentRow>& rows,
    const std::map<std::int64_t, std::set<std::string>>& scenarios);

/// The row that stands for an agent, by number of each of its rows: it has several where it played
/// under several skins. May look at all matches.
[[nodiscard]] AGON_API std::map<std::int64_t, std::int64_t> rows_of_agents(
    const archive::Archive& archive);

/// The agents that a focal agent met, by number, in ascending order.
using Background = std::vector<std::int64_t>;

/// The background of a match about `focal`: all seats but one of its own.
[[nodiscard]] Background background_of(std::int64_t focal, std::vector<std::int64_t> seats);
[[nodiscard]] Background background_of(std::int64_t focal,
                                       const std::vector<archive::SeatRow>& seats);

/// "reference + tough": the names of a background's agents, each with its end in `ends`.
[[nodiscard]] std::string background_words(const Background& background,
                                           const std::map<std::int64_t, archive::AgentRow>& agents,
                                           const std::map<std::int64_t, std::string>& ends);

/// Keeps apart what an agent did against background agents that not all agents of its scenario met
/// on the same blocks, which happens where several suites are read together: a score depends on
/// whom an agent meets. Such matches count for a row of their own, under the agent's name and
/// ` (against tough)`.
class BackgroundsApart {
 public:
  /// Notes whom an agent met.
  void note(const archive::MatchKey& key, std::int64_t focal, Background background);

  /// After the last note(): gives numbers to the rows of their own, and adds them to `agents`.
  /// `ends`: of names that stand for several specs.
  void close(std::map<std::int64_t, archive::AgentRow>& agents,
             const std::map<std::int64_t, std::string>& ends);

  /// True if there are no rows of their own.
  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// The row for which a match about `focal` counts: `focal`, or one of its own.
  [[nodiscard]] std::int64_t row(const archive::MatchKey& key, std::int64_t focal,
                                 const Background& background) const;
  /// The agent that a row of its own was made of; `row` itself if it is none.
  [[nodiscard]] std::int64_t agent(std::int64_t row) const;
  /// What the name of a row of its own ends in: ` (against tough)`; empty if it is none.
  [[nodiscard]] std::string name_end(std::int64_t row) const;

 private:
  using Blocks = boost::icl::interval_set<std::int64_t>;
  /// By agent and background.
  using BackgroundBlocks = std::map<std::int64_t, std::map<Background, Blocks>>;
  struct Own {
    std::int64_t agent = 0;
    std::string name_end;
  };

  static std::map<Background, Blocks> unlike(const BackgroundBlocks& met);

  std::map<std::int64_t, BackgroundBlocks> met_;  // by scenario
  std::map<std::int64_t, Own> own_;               // by row
  /// By scenario, agent and background: the row, and the blocks that count for it.
  std::map<std::tuple<std::int64_t, std::int64_t, Background>, std::pair<std::int64_t, Blocks>>
      rows_;
};

}  // namespace agon::report
