#include <atomic>
#include <set>
#include <stdexcept>

#include "catch.hpp"
#include "run/play/jobs.hpp"

using agon::Jobs;

TEST_CASE("a pool does its work once a thread and numbers the threads from 0") {
  std::mutex mutex;
  std::multiset<int> numbers;
  Jobs pool(5, [&](int number) {
    const std::lock_guard lock(mutex);
    numbers.insert(number);
  });
  pool.finish();
  CHECK(pool.size() == 5);
  CHECK(numbers == std::multiset<int>{0, 1, 2, 3, 4});
  CHECK(pool.is_done_within(std::chrono::milliseconds(0)));
}

TEST_CASE("a pool is not done while one of its threads is at work") {
  std::mutex mutex;
  std::unique_lock held(mutex);
  Jobs pool(2, [&](int number) {
    if (number == 0) const std::lock_guard lock(mutex);
  });
  CHECK_FALSE(pool.is_done_within(std::chrono::milliseconds(1)));
  held.unlock();
  CHECK(pool.is_done_within(std::chrono::hours(1)));
}

TEST_CASE("what a thread of a pool throws is thrown once all have finished") {
  std::atomic<int> finished{0};
  Jobs pool(4, [&](int number) {
    if (number == 2) throw std::runtime_error("number 2");
    ++finished;
  });
  CHECK_THROWS_WITH(pool.finish(), "number 2");
  CHECK(finished == 3);
}

TEST_CASE("the work of a pool is over before what it uses is gone") {
  std::atomic<int> finished{0};
  {
    const Jobs pool(8, [&](int) { ++finished; });
  }
  CHECK(finished == 8);
}
