#include "allocation/stop_allocation.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace agon {

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
      Progress& progress = progress_[task];
      if (progress.now != Now::waiting || !wanted(task)) continue;
      progress.now = Now::in_flight;
      ++in_flight_;
      ++ahead_[at_];
      tasks.push_back(task);
    }
    if (!tasks.empty()) return tasks;
    if (in_flight_ == 0) break;  // others failed: they are to be taken up again first
    changed_.wait_for(lock, std::chrono::milliseconds(50));
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
  Progress& progress = progress_[task];
  if (progress.now == Now::in_flight) --in_flight_;
  const bool counts = number == now_ && progress.now != Now::complete && wanted(task);
  progress.now = complete ? Now::complete : Now::failed;
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
      progress_[task] = {Now::complete, std::move(*matches)};
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
    const bool complete = known != progress_.end() && known->second.now == Now::complete;
    if (!complete && wanted(task)) ++remaining_;
  }
}

void StopAllocation::take_complete_looks() {
  while (remaining_ == 0 && !is_done()) {
    std::vector<LookScores::Played> matches;
    for (const Task& task : look(now_).tasks) {
      Progress& progress = progress_[task];
      if (wanted(task)) matches.push_back({task, std::move(progress.matches)});
      if (progress.now != Now::in_flight) progress_.erase(task);
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
