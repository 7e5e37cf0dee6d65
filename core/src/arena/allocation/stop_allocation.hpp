#pragma once

#include <agon/export.hpp>
#include <agon/waiting.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "allocation/allocation.hpp"
#include "allocation/stop_state.hpp"
#include "design/plan.hpp"
#include "results/tally.hpp"
#include "stats/sequential/confidence_sequence.hpp"
#include "stats/sequential/stop_test.hpp"
#include "suite/suite.hpp"

namespace agon {

/// The blocks of a suite in looks: the same share of every scenario's blocks. There are as many
/// looks as the scenario with the fewest has blocks, so that a look is one block of that and one or
/// more of each other. Blocks come in the order in which the whole plan would begin them.
class AGON_API LookPlan {
 public:
  explicit LookPlan(const Suite& suite);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  /// The tasks of a look in the order of play, scenarios interleaved.
  [[nodiscard]] std::vector<Allocation::Task> tasks(std::uint64_t look) const;
  /// The look that a task belongs to.
  [[nodiscard]] std::uint64_t look_of(const Allocation::Task& task) const;

 private:
  const Suite& suite_;
  std::uint64_t size_;
  std::vector<design::ExecutionOrder> orders_;
  std::vector<std::vector<std::uint32_t>> looks_;  // by scenario and block
};

/// The matches of looks as scores of agents, counted as the report counts them.
class LookScores {
 public:
  explicit LookScores(const Suite& suite);

  /// The matches of one task.
  struct TaskResult {
    Allocation::Task task;
    std::vector<archive::MatchRow> matches;
  };
  /// Adds a look; in what order its matches were played does not matter.
  void add(std::vector<TaskResult> look);

  [[nodiscard]] const stats::PairedLooks& looks() const { return looks_; }

 private:
  void add_block(std::size_t scenario, std::vector<TaskResult>::const_iterator begin,
                 std::vector<TaskResult>::const_iterator end, std::vector<stats::LookRow>& rows);

  const Suite& suite_;
  std::vector<std::size_t> game_of_;  // by scenario
  std::vector<bool> shares_draws_;    // by scenario: with another one of its game
  stats::PairedLooks looks_;
  struct GameRoles {
    std::size_t bins = 0;
    std::vector<std::string> roles;
    report::Clusters clusters;
    bool clustered = false;
  };
  std::vector<GameRoles> games_;
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t>
      cells_;  // scenario, treatment, role
};

/// Plays a suite look by look, until its stop rule is met. What it decides after a look depends on
/// the matches of the looks up to that one, never on when they came in: a run that was killed and
/// is taken up again, or has other jobs, decides the same.
///
/// An agent that is out has no more line-ups about it; it stays in the field of others, and where
/// line-ups are about nobody. The reference plays on, as everybody is compared with it.
///
/// Matches of later looks are handed out while those of a look are awaited, at most as many as
/// there are jobs. What is played ahead of the decision is kept, and takes no part in it.
class AGON_API StopAllocation : public Allocation {
 public:
  /// The suite has a stop rule, and outlives this.
  StopAllocation(const Suite& suite, std::size_t jobs);

  [[nodiscard]] std::vector<Task> next(std::size_t most,
                                       const std::function<bool()>& is_over) override;
  [[nodiscard]] bool watches() const override { return true; }
  void played(const Task& task, archive::MatchRow match) override;
  void ended(const Task& task, bool complete) override;

  /// Takes the looks that are known to the end, before anything is handed out: what was decided
  /// earlier is decided again without a match. `known`: the matches of a task that ended for good;
  /// nothing where one is missing.
  void take_known(
      const std::function<std::optional<std::vector<archive::MatchRow>>(const Task&)>& known);

  /// Whether nothing more is to be played: it is decided, or all looks were taken.
  [[nodiscard]] bool done() const;
  [[nodiscard]] StopState state() const;

 private:
  enum class TaskState : std::uint8_t { waiting, in_flight, failed, complete };
  struct TaskProgress {
    TaskState now = TaskState::waiting;
    std::vector<archive::MatchRow> matches;
  };
  struct Look {
    std::vector<Task> tasks;
    std::size_t handed_out = 0;  ///< of tasks, those passed over included
  };

  [[nodiscard]] bool is_done() const;
  [[nodiscard]] bool wanted(const Task& task) const;
  Look& look(std::uint64_t number);
  /// Counts what is still to come of the present look, and takes all looks that are complete.
  void count_remaining();
  void take_complete_looks();

  const Suite& suite_;
  const std::size_t jobs_;
  const LookPlan plan_;
  int reference_ = -1;

  mutable std::mutex mutex_;
  Condition changed_;
  LookScores scores_;
  stats::StopTest test_;
  std::uint64_t now_ = 0;                // the look that is awaited
  std::uint64_t at_ = 0;                 // the look that is handed out
  std::map<std::uint64_t, Look> looks_;  // from now_ to at_
  std::map<Task, TaskProgress> progress_;
  std::map<std::uint64_t, std::size_t> ahead_;  // handed out, by look
  std::size_t in_flight_ = 0;
  std::size_t remaining_ = 0;  // tasks of the present look that are not complete
};

}  // namespace agon
