#include "allocation/stop_allocation.hpp"

#include <fmt/format.h>

#include <agon/random.hpp>
#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include "design/plan.hpp"
#include "results/tally.hpp"
#include "table/contract.hpp"

namespace agon {
namespace {

/// The first of a scenario's blocks that belongs to a look.
std::uint64_t first_place(std::uint64_t look, std::uint64_t blocks, std::uint64_t looks) {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Wide>(look) * blocks / looks);
}

}  // namespace

LookPlan::LookPlan(const Suite& suite) : suite_(suite), size_(most_looks(suite)) {
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    const design::ExecutionOrder& order =
        orders_.emplace_back(*s.plan, combine(mix(suite.seed), i));
    std::vector<std::uint32_t>& look_of = looks_.emplace_back(s.blocks);
    for (std::uint64_t look = 0; look < size_; ++look)
      for (std::uint64_t place = first_place(look, s.blocks, size_);
           place < first_place(look + 1, s.blocks, size_); ++place)
        look_of[order.block_at(place)] = static_cast<std::uint32_t>(look);
  }
}

std::vector<Allocation::Task> LookPlan::tasks(std::uint64_t look) const {
  std::vector<std::vector<std::uint64_t>> lists;
  std::vector<std::uint64_t> sizes;
  for (std::size_t i = 0; i < orders_.size(); ++i) {
    const std::uint64_t blocks = suite_.scenarios[i].blocks;
    std::vector<std::uint64_t>& list = lists.emplace_back();
    for (std::uint64_t place = first_place(look, blocks, size_);
         place < first_place(look + 1, blocks, size_); ++place) {
      const std::vector<std::uint64_t> part = orders_[i].block(place);
      list.insert(list.end(), part.begin(), part.end());
    }
    sizes.push_back(list.size());
  }
  std::vector<Allocation::Task> tasks;
  for (const design::OrderItem& turn : design::riffled(sizes, combine(mix(suite_.seed), look)))
    tasks.push_back({turn.list, lists[turn.list][turn.item]});
  return tasks;
}

std::uint64_t LookPlan::look_of(const Allocation::Task& task) const {
  const design::MatchPlan& plan = *suite_.scenarios[task.scenario].plan;
  return looks_[task.scenario][task.match / plan.block_size()];
}

namespace {

std::vector<std::string_view> games_of(const Suite& suite) {
  std::vector<std::string_view> games;
  for (const Scenario& s : suite.scenarios)
    if (std::ranges::find(games, s.game->id) == games.end()) games.push_back(s.game->id);
  return games;
}

std::vector<std::optional<stats::Interval>> bounds_of(const Suite& suite) {
  std::vector<std::optional<stats::Interval>> bounds;
  for (const std::string_view game : games_of(suite)) bounds.push_back(score_bounds(suite, game));
  return bounds;
}

}  // namespace

LookScores::LookScores(const Suite& suite)
    : suite_(suite), looks_(suite.agents.size(), bounds_of(suite)) {
  const auto games = games_of(suite);
  games_.resize(games.size());
  for (const Scenario& s : suite.scenarios)
    game_of_.push_back(
        static_cast<std::size_t>(std::ranges::find(games, s.game->id) - games.begin()));
  for (const Scenario& s : suite.scenarios)
    shares_draws_.push_back(std::ranges::count_if(suite.scenarios, [&](const Scenario& other) {
                              return other.game == s.game && other.draws() == s.draws();
                            }) > 1);
}

void LookScores::add(std::vector<TaskResult> look) {
  std::ranges::sort(look, [](const TaskResult& a, const TaskResult& b) { return a.task < b.task; });
  std::vector<stats::LookRow> rows;
  const auto block_of = [&](const TaskResult& played) {
    const design::MatchPlan& plan = *suite_.scenarios[played.task.scenario].plan;
    return std::pair(played.task.scenario, played.task.match / plan.block_size());
  };
  for (auto at = look.cbegin(); at != look.cend();) {
    const auto end = std::find_if(
        at, look.cend(), [&](const TaskResult& other) { return block_of(other) != block_of(*at); });
    add_block(at->task.scenario, at, end, rows);
    at = end;
  }
  for (std::size_t g = 0; g < games_.size(); ++g) {
    GameRoles& game = games_[g];
    if (!game.clustered) continue;
    auto units = report::shared_units(
        game.bins, [&](std::size_t bin) { return std::string(game.clusters.name(bin)); });
    if (!units.empty()) looks_.share(g, std::move(units));
  }
  looks_.add(rows);
}

void LookScores::add_block(std::size_t scenario, std::vector<TaskResult>::const_iterator begin,
                           std::vector<TaskResult>::const_iterator end,
                           std::vector<stats::LookRow>& rows) {
  const Scenario& s = suite_.scenarios[scenario];
  GameRoles& game = games_[game_of_[scenario]];
  const std::size_t bin = game.bins++;
  const std::uint64_t block = begin->task.match / s.plan->block_size();
  static const std::vector<std::size_t> none;
  for (std::size_t t = 0; t < s.treatments.size(); ++t) {
    report::BlockTally tally(suite_.policy, 0);
    std::set<std::string> items;
    for (auto at = begin; at != end; ++at) {
      const design::PlannedMatch planned = s.plan->match(at->task.match);
      if (planned.treatment != t) continue;
      for (const archive::MatchRow& match : at->matches) {
        if (!match.cluster.empty()) items.insert(match.cluster);
        if (match.status != archive::MatchStatus::finished) continue;
        report::NumberedMatch numbered;
        numbered.row = &match;
        numbered.stake = stake_of(s.game->card, match.metrics);
        numbered.seat_metrics = &none;
        numbered.match_metrics = &none;
        for (std::size_t seat = 0; seat < match.seats.size(); ++seat) {
          const std::string& role = match.seats[seat].role;
          const auto known = std::ranges::find(game.roles, role);
          const auto place = static_cast<std::size_t>(known - game.roles.begin());
          if (known == game.roles.end()) game.roles.push_back(role);
          numbered.seats.push_back({static_cast<std::size_t>(planned.agents[seat]), place,
                                    planned.focal < 0 || planned.agents[seat] == planned.focal});
        }
        tally.add(numbered);
      }
    }
    // A sequence over several items is a unit by itself.
    if (items.size() == 1) {
      game.clusters.link(bin, *items.begin());
      game.clustered = true;
    }
    if (shares_draws_[scenario]) {
      game.clusters.link(bin, fmt::format("draws of {} #{}", s.draws(), block));
      game.clustered = true;
    }
    const auto counting = static_cast<std::size_t>(report::counting(suite_.policy));
    for (const report::ScoreUnit& unit : tally.scores()) {
      if (!unit.present[counting]) continue;
      const std::size_t cell =
          cells_.try_emplace({scenario, t, unit.role}, cells_.size()).first->second;
      rows.push_back(
          {game_of_[scenario], cell, bin, unit.agent, unit.gain[counting], unit.pie[counting]});
    }
  }
}

StopAllocation::StopAllocation(const Suite& suite, std::size_t jobs)
    : suite_(suite),
      jobs_(jobs),
      plan_(suite),
      scores_(suite),
      test_(question(*suite.stop, suite)) {
  for (std::size_t a = 0; a < suite.agents.size(); ++a)
    if (suite.agents[a].name() == suite.against) reference_ = static_cast<int>(a);
  count_remaining();
}

bool StopAllocation::is_done() const {
  return test_.decided() || now_ == plan_.size();
}

bool StopAllocation::done() const {
  const std::lock_guard lock(mutex_);
  return is_done();
}

StopState StopAllocation::state() const {
  const std::lock_guard lock(mutex_);
  return stop_state(suite_, test_, scores_.looks());
}

bool StopAllocation::wanted(const Task& task) const {
  const int focal = suite_.scenarios[task.scenario].plan->match(task.match).focal;
  return focal < 0 || focal == reference_ || test_.is_in(static_cast<std::size_t>(focal));
}

StopAllocation::Look& StopAllocation::look(std::uint64_t number) {
  Look& look = looks_[number];
  if (look.tasks.empty()) look.tasks = plan_.tasks(number);
  return look;
}

std::vector<Allocation::Task> StopAllocation::next(std::size_t most,
                                                   const std::function<bool()>& is_over) {
  std::unique_lock lock(mutex_);
  while (!is_done() && !is_over()) {
    std::vector<Task> tasks;
    at_ = std::max(at_, now_);
    while (tasks.size() < most && at_ < plan_.size()) {
      std::size_t ahead = 0;
      for (const auto& [number, count] : ahead_) ahead += number > now_ ? count : 0;
      if (at_ > now_ && ahead >= jobs_) break;
      Look& from = look(at_);
      if (from.handed_out == from.tasks.size()) {
        ++at_;
        continue;
      }
      const Task& task = from.tasks[from.handed_out++];
      TaskProgress& progress = progress_[task];
      if (progress.now != TaskState::waiting || !wanted(task)) continue;
      progress.now = TaskState::in_flight;
      ++in_flight_;
      ++ahead_[at_];
      tasks.push_back(task);
    }
    if (!tasks.empty()) return tasks;
    if (in_flight_ == 0) break;  // others failed: they are to be taken up again first
    changed_.wait_until(lock, Condition::Clock::now() + Condition::kLook);
  }
  return {};
}

void StopAllocation::played(const Task& task, archive::MatchRow match) {
  const std::lock_guard lock(mutex_);
  if (plan_.look_of(task) < now_) return;
  match.record.clear();
  progress_[task].matches.push_back(std::move(match));
}

void StopAllocation::ended(const Task& task, bool complete) {
  const std::lock_guard lock(mutex_);
  const std::uint64_t number = plan_.look_of(task);
  TaskProgress& progress = progress_[task];
  if (progress.now == TaskState::in_flight) --in_flight_;
  const bool counts = number == now_ && progress.now != TaskState::complete && wanted(task);
  progress.now = complete ? TaskState::complete : TaskState::failed;
  if (number < now_)
    progress_.erase(task);  // it was played ahead, of an agent that went out
  else if (complete && counts && --remaining_ == 0)
    take_complete_looks();
  changed_.notify_all();
}

void StopAllocation::take_known(
    const std::function<std::optional<std::vector<archive::MatchRow>>(const Task&)>& known) {
  const std::lock_guard lock(mutex_);
  while (!is_done()) {
    for (const Task& task : look(now_).tasks) {
      if (!wanted(task)) continue;
      auto matches = known(task);
      if (!matches) return count_remaining();
      for (archive::MatchRow& match : *matches) match.record.clear();
      progress_[task] = {TaskState::complete, std::move(*matches)};
    }
    remaining_ = 0;
    take_complete_looks();
  }
}

void StopAllocation::count_remaining() {
  remaining_ = 0;
  if (now_ == plan_.size()) return;
  for (const Task& task : look(now_).tasks) {
    const auto known = progress_.find(task);
    const bool complete = known != progress_.end() && known->second.now == TaskState::complete;
    if (!complete && wanted(task)) ++remaining_;
  }
}

void StopAllocation::take_complete_looks() {
  while (remaining_ == 0 && !is_done()) {
    std::vector<LookScores::TaskResult> matches;
    for (const Task& task : look(now_).tasks) {
      TaskProgress& progress = progress_[task];
      if (wanted(task)) matches.push_back({task, std::move(progress.matches)});
      if (progress.now != TaskState::in_flight) progress_.erase(task);
    }
    scores_.add(std::move(matches));
    test_.look(scores_.looks());
    looks_.erase(now_);
    ahead_.erase(now_);
    ++now_;
    count_remaining();
  }
}

}  // namespace agon
