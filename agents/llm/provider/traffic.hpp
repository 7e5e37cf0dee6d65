#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "llm/provider/limiter.hpp"
#include "llm/provider/outage.hpp"
#include "llm/wire/call_outcome.hpp"

namespace agon::llm {

/// What all agents of the process share that call one model of one endpoint with one key, however
/// differently they ask: an endpoint counts its calls by these, not by what is in them.
class Traffic {
 public:
  explicit Traffic(int most_in_flight) : limiter(most_in_flight) {}

  Limiter limiter;
  Outage outage;
  std::atomic<std::int64_t> retries{0};
  /// It has answered a call, so the configuration is right: whatever it says later may pass.
  std::atomic<bool> has_answered{false};

  /// Nothing more can be sent: out of money, or the configuration is wrong.
  void stop(CallOutcome outcome);
  [[nodiscard]] std::optional<CallOutcome> stopped() const;

  /// The one of this process; made on first use, and never with more calls in flight than any of
  /// those who asked for it allows. Of the key it knows a hash only.
  static std::shared_ptr<Traffic> shared(const std::string& base_url, std::uint64_t key_hash,
                                         const std::string& model, int most_in_flight);

 private:
  mutable std::mutex mutex_;
  std::optional<CallOutcome> stopped_;
};

}  // namespace agon::llm
