#include "human/human.hpp"

#include <unistd.h>

#include <utility>

namespace agon::agents {
namespace {

using Clock = std::chrono::steady_clock;

}  // namespace

Desk::~Desk() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<Desk> Desk::standard() {
  // A process has one standard input, shared by all who ask for it.
  static std::mutex mutex;
  static std::weak_ptr<Desk> only;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Desk> desk = only.lock();
  if (desk == nullptr) only = desk = std::make_shared<Desk>(STDIN_FILENO, STDERR_FILENO);
  return desk;
}

void Desk::put(OwnedQuestion question, std::shared_ptr<const Person> person, Completion done) {
  done.hold();
  std::optional<Clock::duration> limit;
  if (question.deadline != Clock::time_point::max()) limit = question.deadline - Clock::now();
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(question), std::move(person), std::move(done), limit});
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  }
  changed_.notify_all();
}

void Desk::end(MatchEnding ending) {
  const std::lock_guard lock(mutex_);
  if (at_ == ending.table) endings_.push_back(std::move(ending));
}

void Desk::match_over(const void* table) {
  std::unique_lock lock(mutex_);
  std::erase_if(waiting_, [table](const Waiting& w) { return w.question.table == table; });
  if (at_ != table) return;
  over_ = true;
  changed_.notify_all();
  // Longer only if nobody reads what is written.
  changed_.wait_until(lock, {}, Clock::now() + std::chrono::seconds(2),
                      [&] { return closing_ || !over_; });
}

std::optional<Desk::Waiting> Desk::next() {
  if (!at_ && !waiting_.empty()) {
    at_ = waiting_.front().question.table;
    seat_names_ = waiting_.front().question.seat_names;
    left_ = false;
  }
  for (auto w = waiting_.begin(); w != waiting_.end(); ++w) {
    if (at_ != w->question.table) continue;
    std::optional<Waiting> found(std::move(*w));
    waiting_.erase(w);
    return found;
  }
  return std::nullopt;
}

void Desk::serve() {
  std::unique_lock lock(mutex_);
  while (!closing_) {
    if (over_) {
      const std::vector<MatchEnding> endings = std::exchange(endings_, {});
      const bool told = left_;
      lock.unlock();
      if (!endings.empty() && !told) show_endings(console_, endings, seat_names_);
      lock.lock();
      at_.reset();
      over_ = false;
      changed_.notify_all();
    } else if (std::optional<Waiting> waiting = next()) {
      lock.unlock();
      if (!waiting->done.abandoned()) converse(*waiting);
      lock.lock();
      if (at_ == nullptr) at_.reset();  // a question of no match
    } else {
      changed_.wait_until(lock, Condition::kNoEnd);
    }
  }
}

void Desk::converse(Waiting& waiting) {
  waiting.done.begin();
  if (waiting.limit) waiting.question.deadline = Clock::now() + *waiting.limit;
  const auto stop = [this, &waiting] {
    const std::lock_guard look(mutex_);
    return closing_ || waiting.done.abandoned();
  };
  try {
    Conversation conversation(console_, waiting.question, waiting.person, sittings_, stop);
    if (auto reply = conversation.run()) {
      reply->person = waiting.person;
      if (reply->quit) {
        const std::lock_guard lock(mutex_);
        left_ = true;
      }
      waiting.done(std::move(*reply));
    }
  } catch (const std::exception& error) {
    waiting.done({.status = Fault::crashed, .problem = error.what()});
  }
}

Human::Human(const Params& params) : Human(params, Desk::standard()) {}

Human::Human(const Params& params, std::shared_ptr<Desk> desk)
    : params_(params),
      person_(std::make_shared<const Person>(
          Person{params.pseudonym, params.session, params.consent, params.told})),
      desk_(std::move(desk)) {}

Human::~Human() = default;

void Human::ask(OwnedQuestion question, Completion done) const {
  desk_->put(std::move(question), person_, std::move(done));
}

void Human::match_ended(MatchEnding ending) const {
  desk_->end(std::move(ending));
}

void Human::match_over(const void* table) const noexcept {
  desk_->match_over(table);
}

}  // namespace agon::agents
