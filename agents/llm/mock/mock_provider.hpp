#pragma once

#include <atomic>

#include "llm/mock/speech.hpp"
#include "llm/provider/call_loop.hpp"
#include "llm/provider/provider.hpp"

namespace agon::llm::mock {

/// The mock in process: no network, and no time spent waiting unless the spec says so. What it does
/// is a pure function of the spec, the request and the dice; a script goes by the order of calls.
class MockProvider final : public Provider {
 public:
  explicit MockProvider(const ModelSpec& spec, StopFlag stop = {});
  ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected& expected) override;

 private:
  CallOutcome try_once(const ModelRequest& request, ModelCall& call, Clock& clock, Time deadline,
                       std::uint64_t key, std::uint64_t number) const;

  ModelSpec spec_;
  Endpoint endpoint_;
  StopFlag stop_;
  std::atomic<std::uint64_t> calls_{0};
};

}  // namespace agon::llm::mock
