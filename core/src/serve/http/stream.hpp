#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/exchange.hpp"

namespace agon::serve {

/// What is to be sent to a browser, and how much of it waits. It knows no connection: the
/// writer takes from it on the server's thread, and is woken when there is something.
class Stream final : public EventStream {
 public:
  /// `wake` has the writer take what waits, or look again, soon; false if there is no server any
  /// more. `most`: bytes that may wait.
  Stream(std::function<bool()> wake, std::size_t most) : wake_(std::move(wake)), most_(most) {}
  ~Stream() override { end(); }

  void send(std::string_view event, std::string_view data, std::string_view id) override;
  void close() override;
  [[nodiscard]] bool is_open() const override {
    const std::lock_guard lock(mutex_);
    return open_;
  }
  void on_gone(std::function<void()> gone) override;

  // On the server's thread:

  /// What waits to be written; empty: nothing does.
  std::string take();
  /// True once it is closed and all was taken.
  [[nodiscard]] bool is_over() const {
    const std::lock_guard lock(mutex_);
    return !open_ && waiting_.empty();
  }
  [[nodiscard]] bool is_cut() const {
    const std::lock_guard lock(mutex_);
    return cut_;
  }
  /// The connection is no more.
  void end();

 private:
  void wake();
  const std::function<bool()> wake_;
  const std::size_t most_;
  mutable std::mutex mutex_;
  std::string waiting_;
  std::size_t on_its_way_ = 0;  ///< bytes that were taken last
  bool woken_ = true;           ///< the connection will take what waits; so when it begins
  bool open_ = true;
  bool cut_ = false;  ///< it lags too far behind
  bool ended_ = false;
  std::vector<std::function<void()>> gone_;
};

}  // namespace agon::serve
