#include "process/starting_thread.hpp"

#include <condition_variable>
#include <exception>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <utility>

#include "process/no_thread.hpp"

namespace agon {

struct StartingThread::State {
  std::mutex callers;  ///< one at a time
  std::mutex mutex;
  std::condition_variable_any changed;
  const std::function<void()>* task = nullptr;  ///< to be done
  std::exception_ptr problem;
  std::jthread thread{[this](const std::stop_token& stop) { work(stop); }};

  void work(const std::stop_token& stop) {
    std::unique_lock lock(mutex);
    while (changed.wait(lock, stop, [this] { return task != nullptr; })) {
      try {
        (*task)();
      } catch (...) {
        problem = std::current_exception();
      }
      task = nullptr;
      changed.notify_all();
    }
  }
};

StartingThread::StartingThread() try : state_(std::make_unique<State>()) {
} catch (const std::system_error&) {
  throw no_thread("no thread to start programs from");
}

StartingThread::~StartingThread() = default;

void StartingThread::run(const std::function<void()>& start) {
  const std::scoped_lock alone(state_->callers);
  std::unique_lock lock(state_->mutex);
  state_->task = &start;
  state_->changed.notify_all();
  state_->changed.wait(lock, [this] { return state_->task == nullptr; });
  if (const std::exception_ptr problem = std::exchange(state_->problem, nullptr))
    std::rethrow_exception(problem);
}

}  // namespace agon
