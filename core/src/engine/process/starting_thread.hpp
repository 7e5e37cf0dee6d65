#pragma once

#include <agon/export.hpp>
#include <functional>
#include <memory>

namespace agon {

/// A thread that starts programs, and lives as long as they may: the system ends a program that is
/// locked in when the thread that started it ends, so that none is left when the arena is killed.
class AGON_API StartingThread {
 public:
  StartingThread();
  ~StartingThread();
  StartingThread(const StartingThread&) = delete;
  StartingThread& operator=(const StartingThread&) = delete;

  /// Runs `start` there and waits for it. What it throws is thrown here. From any thread.
  void run(const std::function<void()>& start);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace agon
