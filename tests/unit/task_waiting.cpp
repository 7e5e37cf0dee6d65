// What waits on coroutines and threads.
#include <agon/waiting.hpp>
#include <algorithm>
#include <atomic>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "process/sanitized.hpp"
#include "run/play/jobs.hpp"
#include "task/coroutine_pool.hpp"
#include "text/say.hpp"

using namespace agon;
using namespace std::chrono_literals;

namespace {

using Clock = Condition::Clock;

/// Counts, and lets others wait for a number.
class Counter {
 public:
  void add(int n = 1) {
    const std::lock_guard lock(mutex_);
    count_ += n;
    changed_.notify_all();
  }
  void wait_for(int n) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ >= n; });
  }
  /// Waits until its turn comes, and gives it to the next.
  void take_turn(int turn) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return count_ == turn; });
    ++count_;
    changed_.notify_all();
  }
  int count() {
    const std::lock_guard lock(mutex_);
    return count_;
  }

 private:
  std::mutex mutex_;
  Condition changed_;
  int count_ = 0;
};

}  // namespace

TEST_CASE("thousands of coroutines that wait need no more threads than there are in the pool") {
  // The sanitizer of threads takes each for a thread, and has room for eight thousand.
  constexpr int kMany = kSanitized ? 1'000 : 10'000;
  Counter begun;
  Counter go;
  Counter ended;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  CoroutinePool pool(2);
  for (int i = 0; i < kMany; ++i)
    pool.start([&] {
      begun.add();
      go.wait_for(1);
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      ended.add();
    });
  begun.wait_for(kMany);  // all wait at the same time, or are about to
  CHECK(ended.count() == 0);
  go.add();
  ended.wait_for(kMany);
  CHECK(threads.size() == 2);
}

TEST_CASE("coroutines and threads wait for one another in turn") {
  constexpr int kTurns = 2'000;
  Counter turns;
  CoroutinePool pool(2);
  for (int job = 0; job < 3; ++job)
    pool.start([&, job] {
      for (int turn = job; turn < kTurns; turn += 4) turns.take_turn(turn);
    });
  for (int turn = 3; turn < kTurns; turn += 4) turns.take_turn(turn);
  turns.wait_for(kTurns);
  CHECK(turns.count() == kTurns);
}

TEST_CASE("notify_one ends one wait, the longest") {
  std::mutex mutex;
  Condition condition;
  std::vector<int> woken;
  int leave = 0;
  Counter waiting;
  Counter ended;
  CoroutinePool pool(1);
  for (int i = 0; i < 3; ++i)
    pool.start([&, i] {
      std::unique_lock lock(mutex);
      waiting.add();
      condition.wait(lock, [&] { return leave > 0; });
      --leave;
      woken.push_back(i);
      ended.add();
    });
  waiting.wait_for(3);
  for (int n = 1; n <= 3; ++n) {
    {
      const std::lock_guard lock(mutex);
      ++leave;
    }
    condition.notify_one();
    ended.wait_for(n);
    CHECK(ended.count() == n);
  }
  CHECK(woken == std::vector<int>{0, 1, 2});
}

TEST_CASE("a wait ends by its time, by its flag, or when it is notified") {
  const auto wait = [](Clock::duration time, const std::atomic<bool>* stop, int notify) {
    std::mutex mutex;
    Condition condition;
    std::unique_lock lock(mutex);
    std::thread other([&] {
      const std::lock_guard other_lock(mutex);
      if (notify != 0) condition.notify_all();
    });
    condition.wait_until(lock, time == 0s ? Condition::kNoEnd : Clock::now() + time, stop);
    lock.unlock();
    other.join();
  };
  const std::atomic<bool> set{true};
  const std::atomic<bool> unset{false};
  const auto all = [&] {
    wait(1ms, nullptr, 0);
    wait(1ms, &unset, 0);
    wait(0s, &set, 0);
    wait(1h, &set, 0);
    wait(0s, nullptr, 1);
    wait(1h, &unset, 1);
  };
  all();
  Counter done;
  CoroutinePool pool(1);
  pool.start([&] {
    all();
    done.add();
  });
  done.wait_for(1);

  const auto begun = Clock::now();
  wait(20ms, nullptr, 0);
  CHECK(Clock::now() - begun >= 20ms);
  pool.start([&] {
    std::mutex mutex;
    Condition condition;
    std::unique_lock lock(mutex);
    CHECK_FALSE(condition.wait_until(lock, {}, Clock::now() + 20ms, [] { return false; }));
    CHECK(condition.wait_until(lock, {}, Clock::now(), [] { return true; }));
    done.add();
  });
  done.wait_for(2);
  CHECK(Clock::now() - begun >= 40ms);
}

TEST_CASE("a wait ends when stop is requested, before it or in it") {
  const auto wait = [](bool before) {
    std::mutex mutex;
    Condition condition;
    std::stop_source stop;
    if (before) stop.request_stop();
    std::thread other;
    std::unique_lock lock(mutex);
    if (!before)
      other = std::thread([&] {
        const std::lock_guard other_lock(mutex);
        stop.request_stop();
      });
    const bool is_so =
        condition.wait_until(lock, stop.get_token(), Condition::kNoEnd, [] { return false; });
    lock.unlock();
    if (other.joinable()) other.join();
    return !is_so && stop.stop_requested();
  };
  CHECK(wait(true));
  CHECK(wait(false));
  Counter done;
  std::atomic<int> right{0};
  CoroutinePool pool(1);
  pool.start([&] {
    for (int i = 0; i < 20; ++i) right += wait(i % 2 == 0) ? 1 : 0;
    done.add();
  });
  done.wait_for(1);
  CHECK(right == 20);
}

TEST_CASE("a wake that comes with the end of the time is neither lost nor heeded twice") {
  constexpr int kRounds = 3'000;
  std::mutex mutex;
  Condition condition;
  int rounds = 0;
  bool is_over = false;
  Counter ended;
  CoroutinePool pool(2);
  for (int job = 0; job < 4; ++job)
    pool.start([&] {
      for (bool over = false; !over;) {
        std::unique_lock lock(mutex);
        condition.wait_until(lock, Clock::now() + std::chrono::microseconds(rounds % 50));
        over = is_over;
        ++rounds;
      }
      ended.add();
    });
  for (bool done = false; !done;) {
    condition.notify_one();
    const std::lock_guard lock(mutex);
    done = is_over = rounds >= kRounds;
  }
  ended.wait_for(4);
  CHECK(rounds >= kRounds);
}

TEST_CASE("a coroutine that waits while it handles an exception keeps it") {
  Counter turns;
  std::atomic<int> right{0};
  Counter ended;
  CoroutinePool pool(1);
  for (int i = 0; i < 20; ++i)
    pool.start([&, i] {
      try {
        throw std::runtime_error(std::to_string(i));
      } catch (const std::runtime_error&) {
        turns.take_turn(19 - i);
        try {
          throw;
        } catch (const std::exception& error) {
          right += error.what() == std::to_string(i) ? 1 : 0;
        }
      }
      ended.add();
    });
  ended.wait_for(20);
  CHECK(right == 20);
}

TEST_CASE("an errand runs on the stack of the thread, and throws where it was given") {
  const auto here = [] { return reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0)); };
  CoroutinePool pool(1);
  Counter done;
  bool is_elsewhere = false;
  bool is_thrown = false;
  bool is_same_thread = false;
  pool.start([&] {
    const std::uintptr_t own = here();
    const auto thread = std::this_thread::get_id();
    run_on_thread_stack([&] {
      constexpr std::uintptr_t kStack = std::uintptr_t{1} << 20U;
      is_elsewhere = std::max(own, here()) - std::min(own, here()) > kStack;
      is_same_thread = thread == std::this_thread::get_id();
    });
    try {
      run_on_thread_stack([] { throw std::runtime_error("it broke"); });
    } catch (const std::runtime_error& error) {
      is_thrown = error.what() == std::string("it broke");
    }
    done.add();
  });
  done.wait_for(1);
  CHECK(is_elsewhere);
  CHECK(is_same_thread);
  CHECK(is_thrown);
  int calls = 0;
  run_on_thread_stack([&] { ++calls; });
  CHECK(calls == 1);
}

TEST_CASE("who listens to the one that starts a coroutine hears what it tells, also after waits") {
  class Listens final : public text::Listener {
   public:
    void print(std::string_view) override {}
    void say(std::string_view text) override {
      const std::lock_guard lock(mutex);
      heard += text;
    }
    void show(std::uint64_t, std::uint64_t, std::uint64_t) override {}
    std::mutex mutex;
    std::string heard;
  };
  Listens one;
  Listens two;
  Counter turns;
  Counter ended;
  CoroutinePool pool(1);
  const auto tell = [&](Listens& listener, const char* words, int turn) {
    const text::Listening listening(&listener);
    pool.start([&turns, &ended, words, turn] {
      turns.take_turn(turn);
      text::say("{}", words);
      turns.take_turn(turn + 2);
      text::say("{}", words);
      ended.add();
    });
  };
  tell(two, "b", 1);
  tell(one, "a", 0);
  ended.wait_for(2);
  CHECK(one.heard == "aa");
  CHECK(two.heard == "bb");
  CHECK(text::Listening::current() == nullptr);
}

TEST_CASE("background work is over before the one who gave it goes") {
  std::atomic<int> done{0};
  {
    BackgroundWork work;
    for (int i = 0; i < 100; ++i)
      work.run([&] {
        std::mutex mutex;
        Condition condition;
        std::unique_lock lock(mutex);
        condition.wait_until(lock, Clock::now() + 2ms);
        ++done;
      });
  }
  CHECK(done == 100);
}

TEST_CASE("jobs on coroutines are done as jobs on threads are") {
  for (const Jobs::On on : {Jobs::On::thread, Jobs::On::coroutine}) {
    Counter turns;
    Jobs jobs(
        5,
        [&](int number) {
          turns.take_turn(4 - number);
          if (number == 2) throw std::runtime_error("number 2");
        },
        on);
    CHECK(jobs.size() == 5);
    CHECK_THROWS_WITH(jobs.finish(), "number 2");
    CHECK(turns.count() == 5);
    CHECK(jobs.is_done_within(0ms));
  }
}
