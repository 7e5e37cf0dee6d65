#include "llm/workers.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

namespace agon::llm {

struct Workers::State {
  std::mutex mutex;
  std::condition_variable work_came;
  std::condition_variable thread_left;
  std::deque<std::function<void()>> work;
  std::size_t idle = 0;
  std::size_t threads = 0;
  bool closing = false;

  /// A thread's life: it leaves after some seconds without work.
  static void serve(const std::shared_ptr<State>& self) {
    constexpr auto kPatience = std::chrono::seconds(5);
    std::unique_lock lock(self->mutex);
    for (;;) {
      ++self->idle;
      self->work_came.wait_for(lock, kPatience,
                               [&] { return !self->work.empty() || self->closing; });
      --self->idle;
      if (self->work.empty()) break;
      {
        const std::function<void()> work = std::move(self->work.front());
        self->work.pop_front();
        lock.unlock();
        work();
      }
      lock.lock();
    }
    --self->threads;
    self->thread_left.notify_all();
  }
};

Workers::Workers() : state_(std::make_shared<State>()) {}

Workers::~Workers() {
  std::unique_lock lock(state_->mutex);
  state_->closing = true;
  state_->work_came.notify_all();
  state_->thread_left.wait(lock, [&] { return state_->threads == 0; });
}

void Workers::run(std::function<void()> work) {
  const std::lock_guard lock(state_->mutex);
  state_->work.push_back(std::move(work));
  if (state_->idle >= state_->work.size()) {
    state_->work_came.notify_one();
    return;
  }
  // What cannot get a thread now waits for one that is at work.
  try {
    std::thread([state = state_] { State::serve(state); }).detach();
    ++state_->threads;
  } catch (const std::system_error&) {
    if (state_->threads == 0) {
      state_->work.pop_back();
      throw;
    }
  }
}

}  // namespace agon::llm
