#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "archive/archive.hpp"

namespace agon::report {

/// Keeps apart what an agent did against background agents that not all agents of its scenario met,
/// which happens where several suites are read together: a score depends on whom an agent meets.
/// Such matches count for a row of their own, under the agent's name and ` (against tough)`.
class BackgroundsApart {
 public:
  /// Notes a match about an agent of this name.
  void note(const archive::MatchKey& key, std::int64_t focal, const std::string& name);

  /// After the last note(): gives numbers to the rows of their own, and adds them to `agents`.
  void close(std::map<std::int64_t, archive::AgentRow>& agents);

  /// The row for which a match about `focal` counts: `focal`, or one of its own.
  [[nodiscard]] std::int64_t row(const archive::MatchKey& key, std::int64_t focal) const;
  /// The agent that a row of its own was made of; `row` itself if it is none.
  [[nodiscard]] std::int64_t agent(std::int64_t row) const;
  /// What the name of a row of its own ends in: ` (against tough)`; empty if it is none.
  [[nodiscard]] std::string name_end(std::int64_t row) const;

 private:
  struct Own {
    std::int64_t agent = 0;
    std::string name_end;
  };
  using Met = std::set<std::string>;  // backgrounds

  std::map<std::int64_t, std::map<std::int64_t, Met>> met_;  // by scenario and agent
  std::map<std::int64_t, std::string> names_;                // of agents
  std::map<std::int64_t, Own> own_;                          // by row
  std::map<std::tuple<std::int64_t, std::int64_t, std::string>, std::int64_t>
      rows_;  // by scenario, agent and background
};

}  // namespace agon::report
