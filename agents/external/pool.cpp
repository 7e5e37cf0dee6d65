#include "external/pool.hpp"

namespace agon::external {

Pool::Pool(Program program, const std::map<std::string, std::string>& options)
    : program_(std::make_shared<Program>(std::move(program))) {
  auto first = std::make_unique<Worker>(program_);
  const Message hello = first->greet();
  // Nobody else knows of the program yet.
  program_->options = option_values(hello.options, options,
                                    hello.name.empty() ? program_->command.front() : hello.name);
  free_.push_back(first.get());
  workers_.push_back(std::move(first));
}

Pool::~Pool() {
  // All at once, so that ending takes as long as the slowest of them.
  for (const auto& worker : workers_) worker->close();
}

void Pool::ask(OwnedQuestion question, Completion done) {
  const Place place{question.table, question.seat};
  Worker* worker = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = seated_.find(place);
    if (found != seated_.end()) {
      worker = found->second;
    } else {
      if (free_.empty()) {
        workers_.push_back(std::make_unique<Worker>(program_));
        free_.push_back(workers_.back().get());
      }
      // The one that has been free for longest is the likeliest to be done with its last match.
      worker = free_.front();
      free_.erase(free_.begin());
      seated_.emplace(place, worker);
    }
  }
  worker->put(std::move(question), std::move(done));
}

void Pool::match_ended(MatchEnding ending) {
  const std::lock_guard lock(mutex_);
  const auto found = seated_.find({ending.table, ending.seat});
  if (found != seated_.end()) found->second->put_ending(std::move(ending));
}

void Pool::match_over(const void* table) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto at = seated_.lower_bound({table, -1});
       at != seated_.end() && at->first.first == table;) {
    at->second->leave();
    free_.push_back(at->second);
    at = seated_.erase(at);
  }
}

}  // namespace agon::external
