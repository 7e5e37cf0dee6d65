#pragma once

#include <atomic>

#include "llm/mock/speech.hpp"
#include "llm/provider.hpp"

namespace agon::llm::mock {

/// The mock in process: no network, and no time spent waiting unless the spec says so. What it does
/// is a pure function of the spec, the request and the dice.
class MockProvider final : public Provider {
 public:
  explicit MockProvider(const ModelSpec& spec);
  ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected& expected) override;

 private:
  ModelSpec spec_;
  Endpoint endpoint_;
  std::string parameters_;
  std::atomic<std::uint64_t> calls_{0};
};

}  // namespace agon::llm::mock
