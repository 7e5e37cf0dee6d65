#include "task/coroutine_pool.hpp"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/waiting.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <system_error>
#include <thread>
#include <unordered_set>
#include <utility>

#include "process/children.hpp"
#include "task/coroutine.hpp"

namespace agon {

// Not inlined: what a compiler remembers of the address would be of another thread after a switch.
__attribute__((noinline)) Surroundings& surroundings() {
  thread_local Surroundings of_thread;
  return of_thread;
}

struct CoroutinePool::Stacks {
  StackPool pool;
  std::atomic<std::size_t> next_thread{0};
  std::atomic<std::size_t> busy{0};  ///< CoroutinePool::busy()
};

/// A coroutine and what its thread knows of it. Only its thread touches it.
struct CoroutinePool::CoroutineTask {
  using Clock = Condition::Clock;

  CoroutineTask(StackPool& stacks, Thread& of, std::function<void()> work)
      : thread(of), coroutine(stacks, std::move(work)) {}

  Thread& thread;
  Coroutine coroutine;
  Surroundings surroundings{agon::surroundings().listener, nullptr};
  Clock::time_point until = Condition::kNoEnd;  ///< while it waits, if it ends by itself
  const std::atomic<bool>* stop = nullptr;      ///< the flag that ends its wait
  bool was_woken = false;                       ///< by a Condition, and not by time or flag
  bool polls = false;                           ///< waits for descriptors
  std::optional<std::list<CoroutineTask*>::iterator> asleep{};  ///< its place among those that are
  Clock::time_point asleep_since{};
  const std::function<void()>* errand = nullptr;  ///< to be run on the thread's own stack
  std::exception_ptr errand_failure{};

  /// From within: waits to be woken, true, or for the time or the flag.
  bool sleep(Clock::time_point time, const std::atomic<bool>* flag);
  /// From within: waits for something to happen to one of the descriptors, or for the time.
  void poll(std::span<const pollfd> all, Clock::time_point time);
  /// From within.
  void run_outside(const std::function<void()>& work);
};

class CoroutinePool::Thread {
 public:
  using Clock = Condition::Clock;

  explicit Thread(std::atomic<std::size_t>& busy) : busy_(busy), thread_([this] { serve(); }) {}
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() {
    int called = -1;
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
      called = called_;
    }
    call(called);
    thread_.join();
    for (const int fd : {epoll_, called_})
      if (fd >= 0) close(fd);
  }

  void start(std::unique_ptr<CoroutineTask> task) {
    ++busy_;
    int called = -1;
    {
      const std::lock_guard lock(mutex_);
      inbox_.push_back({task.get(), true});
      static_cast<void>(task.release());
      ++tasks_;
      called = called_;
    }
    call(called);
  }

  /// From any thread: the task's wait is over.
  void wake(CoroutineTask& task) noexcept {
    bool is_first = false;
    int called = -1;
    ++busy_;
    {
      const std::lock_guard lock(mutex_);
      is_first = inbox_.empty();
      inbox_.push_back({&task, false});
      called = called_;
    }
    if (is_first) call(called);
  }

  void note_wait(CoroutineTask& task) {
    task.asleep_since = Clock::now();
    task.asleep = asleep_.insert(asleep_.end(), &task);
    if (task.until != Condition::kNoEnd) ends_.emplace(task.until, &task);
    if (task.stop != nullptr) watched_[task.stop].insert(&task);
  }

  /// From a task of this thread: the descriptors wake it until forget_descriptors().
  void note_descriptors(std::span<const pollfd> all, CoroutineTask& task) {
    task.polls = true;
    ++polling_;
    wait_by_descriptors();
    for (const pollfd& one : all) {
      epoll_event event{};
      if ((one.events & POLLIN) != 0) event.events |= EPOLLIN;
      if ((one.events & POLLOUT) != 0) event.events |= EPOLLOUT;
      event.data.ptr = &task;
      if (epoll_ctl(epoll_, EPOLL_CTL_ADD, one.fd, &event) != 0)
        throw Error(ErrorKind::failure, "cannot wait for a program", "", kMoreFiles);
    }
  }
  void forget_descriptors(std::span<const pollfd> all) {
    --polling_;
    epoll_event event{};
    for (const pollfd& one : all) epoll_ctl(epoll_, EPOLL_CTL_DEL, one.fd, &event);
  }

 private:
  static constexpr const char* kMoreFiles =
      "too many files may be open; see 'ulimit -n', or play fewer matches at a time";

  /// What sleeps for so long needs less memory: giving it back and taking it again costs little
  /// against that.
  static constexpr std::chrono::milliseconds kLong{100};

  struct QueuedTask {
    CoroutineTask* task;
    bool is_new;
  };

  void serve() {
    std::vector<QueuedTask> entries;
    std::vector<CoroutineTask*> due;
    while (take(entries, due)) {
      for (const QueuedTask& entry : entries) {
        if (!entry.is_new) {
          forget_wait(*entry.task);
          entry.task->was_woken = true;
        }
        resume(entry.task);
      }
      entries.clear();
      find_due(due);
      busy_ += due.size();
      for (CoroutineTask* task : due) {
        task->was_woken = false;
        resume(task);
      }
      due.clear();
    }
  }

  /// From any thread: there is something to do. `called`: called_, as it was when that came.
  void call(int called) noexcept {
    if (called < 0) return came_.notify_one();
    const std::uint64_t one = 1;
    // It fails only when the counter is full, and then the thread is called already.
    [[maybe_unused]] const auto n = write(called, &one, sizeof one);
  }

  /// From now on the thread waits for descriptors too, and not by came_ alone.
  void wait_by_descriptors() {
    if (called_ >= 0) return;
    if (epoll_ < 0) epoll_ = epoll_create1(EPOLL_CLOEXEC);
    const int called = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    epoll_event event{};
    event.events = EPOLLIN | EPOLLET;  // it is never read
    event.data.ptr = nullptr;
    if (epoll_ < 0 || called < 0 || epoll_ctl(epoll_, EPOLL_CTL_ADD, called, &event) != 0) {
      if (called >= 0) close(called);
      throw Error(ErrorKind::failure, "cannot wait for programs", "", kMoreFiles);
    }
    const std::lock_guard lock(mutex_);
    called_ = called;
  }

  /// Waits until there is something to do. False when there never will be. `due`: tasks whose wait
  /// for descriptors is over.
  bool take(std::vector<QueuedTask>& entries, std::vector<CoroutineTask*>& due) {
    std::unique_lock lock(mutex_);
    const auto is_there = [this] { return !inbox_.empty() || (closing_ && tasks_ == 0); };
    const Clock::time_point until = is_there() ? Clock::time_point::min() : next_time();
    if (called_ >= 0) {
      lock.unlock();
      look_at_descriptors(until, due);
      lock.lock();
    } else if (until == Condition::kNoEnd) {
      came_.wait(lock, is_there);
    } else if (until != Clock::time_point::min()) {
      came_.wait_until(lock, until, is_there);
    }
    if (inbox_.empty() && closing_ && tasks_ == 0) return false;
    entries.swap(inbox_);
    return true;
  }

  /// When it has to look at what waits, if nobody calls before.
  [[nodiscard]] Clock::time_point next_time() const {
    Clock::time_point until = ends_.empty() ? Condition::kNoEnd : ends_.begin()->first;
    if (!watched_.empty()) until = std::min(until, next_look_);
    if (!asleep_.empty()) until = std::min(until, asleep_.front()->asleep_since + kLong);
    return until;
  }

  /// Waits until then to be called, or for what tasks wait for, which then wait no more.
  void look_at_descriptors(Clock::time_point until, std::vector<CoroutineTask*>& due) {
    const bool is_now = until == Clock::time_point::min();
    if (is_now && polling_ == 0) return;
    int wait = is_now ? 0 : -1;
    if (!is_now && until != Condition::kNoEnd)
      wait = static_cast<int>(std::clamp<std::int64_t>(
          std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count(), 0, 60'000));
    std::array<epoll_event, 128> events{};
    const int n = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()), wait);
    for (int i = 0; i < n; ++i) {
      auto* const task = static_cast<CoroutineTask*>(events[static_cast<std::size_t>(i)].data.ptr);
      if (task != nullptr && std::exchange(task->polls, false)) {
        forget_wait(*task);
        due.push_back(task);
      }
    }
  }

  /// Tasks whose wait ends by time or flag; they wait no more.
  void find_due(std::vector<CoroutineTask*>& due) {
    if (ends_.empty() && watched_.empty() && asleep_.empty()) return;
    const Clock::time_point now = Clock::now();
    for (; !asleep_.empty() && asleep_.front()->asleep_since + kLong <= now; asleep_.pop_front()) {
      asleep_.front()->coroutine.trim();
      asleep_.front()->asleep.reset();
    }
    while (!ends_.empty() && ends_.begin()->first <= now) {
      due.push_back(ends_.begin()->second);
      forget_wait(*due.back());
    }
    if (now < next_look_) return;
    next_look_ = now + Condition::kLook;
    std::vector<CoroutineTask*> stopped;
    for (const auto& [flag, tasks] : watched_)
      if (*flag) stopped.insert(stopped.end(), tasks.begin(), tasks.end());
    for (CoroutineTask* task : stopped) forget_wait(*task);
    due.insert(due.end(), stopped.begin(), stopped.end());
  }

  void forget_wait(CoroutineTask& task) {
    if (task.asleep) asleep_.erase(*task.asleep);
    task.asleep.reset();
    if (task.until != Condition::kNoEnd) ends_.erase({task.until, &task});
    task.until = Condition::kNoEnd;
    if (task.stop == nullptr) return;
    const auto watched = watched_.find(task.stop);
    watched->second.erase(&task);
    if (watched->second.empty()) watched_.erase(watched);
    task.stop = nullptr;
  }

  void resume(CoroutineTask* task) {
    for (;;) {
      current() = task;
      std::swap(surroundings(), task->surroundings);
      task->coroutine.resume();
      std::swap(surroundings(), task->surroundings);
      current() = nullptr;
      if (task->errand == nullptr) break;
      std::swap(surroundings(), task->surroundings);
      try {
        (*task->errand)();
      } catch (...) {
        task->errand_failure = std::current_exception();
      }
      std::swap(surroundings(), task->surroundings);
      task->errand = nullptr;
    }
    --busy_;
    if (!task->coroutine.has_ended()) return;
    delete task;
    const std::lock_guard lock(mutex_);
    --tasks_;
  }

  std::atomic<std::size_t>& busy_;

  std::mutex mutex_;  ///< of what follows
  std::condition_variable came_;
  int called_ = -1;  ///< takes the place of came_ once tasks wait for descriptors
  std::vector<QueuedTask> inbox_;
  std::size_t tasks_ = 0;  ///< that have not ended
  bool closing_ = false;

  // Of the thread itself.
  int epoll_ = -1;                    ///< of what tasks wait for, and of called_
  std::size_t polling_ = 0;           ///< tasks that wait for descriptors
  std::list<CoroutineTask*> asleep_;  ///< by how long, and not for kLong yet
  std::set<std::pair<Clock::time_point, CoroutineTask*>> ends_;
  std::map<const std::atomic<bool>*, std::unordered_set<CoroutineTask*>> watched_;
  Clock::time_point next_look_{};

  std::thread thread_;  ///< last: it uses all of the above
};

bool CoroutinePool::CoroutineTask::sleep(Clock::time_point time, const std::atomic<bool>* flag) {
  until = time;
  stop = flag;
  thread.note_wait(*this);
  coroutine.suspend();
  return was_woken;
}

void CoroutinePool::CoroutineTask::poll(std::span<const pollfd> all, Clock::time_point time) {
  struct Noted {
    CoroutineTask& task;
    std::span<const pollfd> all;
    ~Noted() {
      task.polls = false;
      task.thread.forget_descriptors(all);
    }
  };
  const Noted noted{*this, all};
  thread.note_descriptors(all, *this);
  sleep(time, nullptr);
}

void CoroutinePool::CoroutineTask::run_outside(const std::function<void()>& work) {
  errand = &work;
  coroutine.suspend();
  if (errand_failure) std::rethrow_exception(std::exchange(errand_failure, nullptr));
}

__attribute__((noinline)) CoroutinePool::CoroutineTask*& CoroutinePool::current() {
  thread_local CoroutineTask* task = nullptr;
  return task;
}

CoroutinePool::CoroutinePool(std::size_t threads) : stacks_(std::make_unique<Stacks>()) {
  for (std::size_t i = 0; i < std::max<std::size_t>(1, threads); ++i) {
    try {
      threads_.push_back(std::make_unique<Thread>(stacks_->busy));
    } catch (const std::system_error&) {
      if (i > 0) break;
      throw no_thread("no thread to wait in");
    }
  }
}

CoroutinePool::~CoroutinePool() = default;

void CoroutinePool::start(std::function<void()> work) {
  const CoroutineTask* caller = current();
  Thread* thread = nullptr;
  for (const auto& own : threads_)
    if (caller != nullptr && own.get() == &caller->thread) thread = own.get();
  if (thread == nullptr) thread = threads_[stacks_->next_thread++ % threads_.size()].get();
  thread->start(std::make_unique<CoroutineTask>(stacks_->pool, *thread, std::move(work)));
}

std::size_t CoroutinePool::busy() const {
  return stacks_->busy;
}

std::shared_ptr<CoroutinePool> CoroutinePool::shared() {
  static std::mutex mutex;
  static std::weak_ptr<CoroutinePool> present;
  const std::lock_guard lock(mutex);
  std::shared_ptr<CoroutinePool> pool = present.lock();
  if (pool == nullptr)
    present = pool = std::make_shared<CoroutinePool>(std::thread::hardware_concurrency());
  return pool;
}

void run_on_thread_stack(const std::function<void()>& work) {
  CoroutinePool::CoroutineTask* const task = CoroutinePool::current();
  if (task == nullptr) return work();
  task->run_outside(work);
}

bool is_on_coroutine() {
  return CoroutinePool::current() != nullptr;
}

bool poll_descriptors(std::span<pollfd> all, std::chrono::milliseconds time) {
  CoroutinePool::CoroutineTask* const task = CoroutinePool::current();
  const auto look = [&](std::chrono::milliseconds most) {
    return ::poll(all.data(), all.size(), static_cast<int>(most.count())) > 0;
  };
  if (task == nullptr || time.count() <= 0) return look(time);
  if (look(std::chrono::milliseconds(0))) return true;
  task->poll(all, Condition::Clock::now() + time);
  return look(std::chrono::milliseconds(0));
}

/// Who waits: a coroutine, or a thread by `woken`. It lies on the stack of who waits.
struct Condition::Waiter {
  CoroutinePool::CoroutineTask* task = nullptr;
  std::condition_variable woken{};
  Waiter* before = nullptr;
  Waiter* after = nullptr;
  bool is_listed = false;
};

void Condition::append(Waiter& waiter) {
  waiter.before = std::exchange(last_, &waiter);
  (waiter.before == nullptr ? first_ : waiter.before->after) = &waiter;
  waiter.is_listed = true;
}

void Condition::remove(Waiter& waiter) {
  (waiter.before == nullptr ? first_ : waiter.before->after) = waiter.after;
  (waiter.after == nullptr ? last_ : waiter.after->before) = waiter.before;
  waiter.is_listed = false;
}

/// With the mutex held: the waiter is gone as soon as it has seen this.
void Condition::wake(Waiter& waiter) {
  remove(waiter);
  if (waiter.task != nullptr)
    waiter.task->thread.wake(*waiter.task);
  else
    waiter.woken.notify_one();
}

void Condition::notify_one() noexcept {
  const std::lock_guard lock(mutex_);
  if (first_ != nullptr) wake(*first_);
}

void Condition::notify_all() noexcept {
  const std::lock_guard lock(mutex_);
  while (first_ != nullptr) wake(*first_);
}

void Condition::sleep(std::unique_lock<std::mutex>& lock, Clock::time_point until,
                      const std::atomic<bool>* flag, const std::stop_token& stop) {
  Waiter waiter{.task = CoroutinePool::current()};
  {
    const std::lock_guard own(mutex_);
    append(waiter);
  }
  lock.unlock();
  {
    // The waiter is listed by now: a stop that was requested before wakes it too.
    const std::stop_callback wake_up(stop, [&] {
      const std::lock_guard own(mutex_);
      if (waiter.is_listed) wake(waiter);
    });
    if (waiter.task != nullptr) {
      if (!waiter.task->sleep(until, flag) && !take_off(waiter))
        waiter.task->sleep(kNoEnd, nullptr);  // for the wake that is on its way
    } else {
      std::unique_lock own(mutex_);
      const Clock::time_point now = Clock::now();
      // The end of time overflows in the library's conversions.
      until = std::min(until, now + std::chrono::hours(1));
      if (flag != nullptr) until = std::min(until, now + kLook);
      waiter.woken.wait_until(own, until, [&] { return !waiter.is_listed; });
      if (waiter.is_listed) remove(waiter);
    }
  }
  lock.lock();
}

/// False if it was woken meanwhile.
bool Condition::take_off(Waiter& waiter) {
  const std::lock_guard lock(mutex_);
  const bool was_listed = waiter.is_listed;
  if (was_listed) remove(waiter);
  return was_listed;
}

struct BackgroundWork::State {
  std::mutex mutex;
  std::condition_variable done;
  std::size_t in_flight = 0;
  std::shared_ptr<CoroutinePool> pool{};  ///< made on first use
};

BackgroundWork::BackgroundWork() : state_(std::make_unique<State>()) {}

BackgroundWork::~BackgroundWork() {
  std::unique_lock lock(state_->mutex);
  state_->done.wait(lock, [this] { return state_->in_flight == 0; });
}

void BackgroundWork::run(std::function<void()> work) {
  State& state = *state_;
  const std::lock_guard lock(state.mutex);
  if (state.pool == nullptr) state.pool = CoroutinePool::shared();
  state.pool->start([&state, work = std::move(work)]() mutable {
    work();
    work = nullptr;
    // Notified with the mutex held: the state is gone as soon as the destructor has seen this.
    const std::lock_guard ended(state.mutex);
    --state.in_flight;
    state.done.notify_all();
  });
  ++state.in_flight;
}

}  // namespace agon
