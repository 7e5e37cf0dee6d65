#include "human/desk.hpp"

#include <unistd.h>

namespace agon::agents {

Desk::~Desk() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

std::shared_ptr<Desk> Desk::standard() {
  // A process has one standard input, whoever asks for it.
  static std::mutex mutex;
  static std::weak_ptr<Desk> only;
  const std::lock_guard lock(mutex);
  std::shared_ptr<Desk> desk = only.lock();
  if (desk == nullptr) only = desk = std::make_shared<Desk>(STDIN_FILENO, STDERR_FILENO);
  return desk;
}

void Desk::put(OwnedQuestion question, std::shared_ptr<const Person> person, Completion done) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back({std::move(question), std::move(person), std::move(done)});
    if (!thread_.joinable()) thread_ = std::thread([this] { serve(); });
  }
  changed_.notify_all();
}

void Desk::serve() {
  for (;;) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closing_ || !waiting_.empty(); });
    if (closing_) return;
    const Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    if (next.done.abandoned()) continue;
    const auto stop = [this, &next] {
      const std::lock_guard look(mutex_);
      return closing_ || next.done.abandoned();
    };
    try {
      Conversation conversation(console_, next.question, sittings_, stop);
      if (auto reply = conversation.run()) {
        reply->person = next.person;
        next.done(std::move(*reply));
      }
    } catch (const std::exception& error) {
      next.done({.status = Fault::crashed, .problem = error.what()});
    }
  }
}

}  // namespace agon::agents
