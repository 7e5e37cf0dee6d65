// What matches on stacks of their own need of coroutines.
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "task/coroutine.hpp"

using agon::Coroutine;
using agon::StackPool;

TEST_CASE("a coroutine goes on where it left, with what it had") {
  StackPool pool;
  std::vector<int> seen;
  std::unique_ptr<Coroutine> one;
  one = std::make_unique<Coroutine>(pool, [&] {
    for (int i = 0; i < 3; ++i) {
      seen.push_back(i);
      one->suspend();
    }
  });
  CHECK(seen.empty());
  for (int i = 0; i < 3; ++i) {
    one->resume();
    CHECK(seen.size() == static_cast<std::size_t>(i) + 1);
    CHECK_FALSE(one->has_ended());
  }
  one->resume();
  CHECK(one->has_ended());
}

TEST_CASE("a coroutine may be left while it handles an exception, and go on in another thread") {
  StackPool pool;
  constexpr int kMany = 50;
  std::vector<std::unique_ptr<Coroutine>> all;
  int right = 0;
  for (int i = 0; i < kMany; ++i)
    all.push_back(std::make_unique<Coroutine>(pool, [&, i] {
      for (int round = 0; round < 4; ++round) {
        try {
          throw std::runtime_error(std::to_string(i * 10 + round));
        } catch (const std::runtime_error&) {
          all[static_cast<std::size_t>(i)]->suspend();
          try {
            throw;
          } catch (const std::exception& error) {
            right += error.what() == std::to_string(i * 10 + round) ? 1 : 0;
          }
        }
      }
    }));
  for (int round = 0; round < 5; ++round) {
    const auto resume_all = [&] {
      for (const auto& one : all) one->resume();
    };
    if (round % 2 == 0)
      resume_all();
    else
      std::thread(resume_all).join();
  }
  CHECK(right == kMany * 4);
  for (const auto& one : all) CHECK(one->has_ended());
}

TEST_CASE("stacks are kept for the next coroutines") {
  StackPool pool;
  char* const first = pool.take();
  pool.give_back(first);
  CHECK(pool.take() == first);
  pool.give_back(first);
}
