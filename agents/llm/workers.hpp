#pragma once

#include <functional>
#include <memory>

namespace agon::llm {

/// Threads for questions in flight: as many as there are questions, kept for the next ones. They
/// mostly sleep.
class Workers {
 public:
  Workers();
  Workers(const Workers&) = delete;
  Workers& operator=(const Workers&) = delete;
  /// Waits until all work is done.
  ~Workers();

  /// Runs `work` on a thread of its own. It must not throw.
  void run(std::function<void()> work);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace agon::llm
