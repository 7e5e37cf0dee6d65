#pragma once

#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "allocation/allocation.hpp"
#include "results/clusters.hpp"
#include "stats/paired_looks.hpp"
#include "suite/suite.hpp"

namespace agon {

/// The matches of looks as scores of agents, counted as the report counts them.
class LookScores {
 public:
  explicit LookScores(const Suite& suite);

  /// The matches of one task.
  struct Played {
    Allocation::Task task;
    std::vector<archive::MatchRow> matches;
  };
  /// Adds a look; in what order its matches were played does not matter.
  void add(std::vector<Played> look);

  [[nodiscard]] const stats::PairedLooks& looks() const { return looks_; }

 private:
  void add_block(std::size_t scenario, std::vector<Played>::const_iterator begin,
                 std::vector<Played>::const_iterator end, std::vector<stats::LookRow>& rows);

  const Suite& suite_;
  std::vector<std::size_t> game_of_;  // by scenario
  stats::PairedLooks looks_;
  struct Game {
    std::size_t bins = 0;
    std::vector<std::string> roles;
    report::Clusters clusters;
    bool clustered = false;
  };
  std::vector<Game> games_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t>
      cells_;  // scenario, treatment, role
};

}  // namespace agon
