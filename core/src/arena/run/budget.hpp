#pragma once

#include <agon/export.hpp>
#include <agon/model/call_ledger.hpp>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>

#include "archive/calls.hpp"
#include "run/prices.hpp"
#include "suite/caps.hpp"

namespace agon {

/// Keeps the caps: each call in flight holds a reservation of the most that it may take, and no
/// call is let through once what was spent and reserved reaches a cap. So a cap is passed by less
/// than the worst case of one call. Used from any thread.
class AGON_API Budget {
 public:
  Budget(Caps caps, const Prices& prices, const archive::CallTotals& before);

  /// What a call in flight holds.
  struct Reservation {
    std::int64_t cost = 0;
    std::int64_t tokens = 0;
  };

  /// Waits while calls in flight may still leave room under a cap. Not Halt::no: no more calls.
  Halt admit(const CallEstimate& estimate, Reservation& held);
  /// The call is over; it took this.
  void settle(const Reservation& held, const archive::CallTotals& took);
  /// No more calls: those that wait for room are refused too.
  void stop();
  /// Calls that were let through and are not over.
  [[nodiscard]] std::int64_t in_flight() const;

  [[nodiscard]] archive::CallTotals spent() const;
  /// Why calls are refused, in a sentence; empty while they are not.
  [[nodiscard]] std::string refusal() const;

 private:
  [[nodiscard]] std::string reached(bool with_reserved) const;

  const Caps caps_;
  const Prices& prices_;
  mutable std::mutex mutex_;
  std::condition_variable settled_;
  archive::CallTotals spent_;
  Reservation reserved_;
  std::int64_t in_flight_ = 0;
  std::int64_t longest_ = 4096;  ///< tokens of a call so far: for calls without a limit
  bool stopped_ = false;
  std::string refusal_;
};

}  // namespace agon
