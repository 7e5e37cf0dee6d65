#pragma once

#include <agon/random.hpp>
#include <functional>

#include "llm/provider/provider.hpp"
#include "llm/provider/traffic.hpp"

namespace agon::llm {

/// One call with all its tries: waits for the limiter, tries, waits as the endpoint wishes or ever
/// longer, and gives up at the number of tries, at the deadline, when it is hopeless or when
/// somebody wants to stop.
struct CallLoop {
  /// One try, until `deadline` at the latest. Fills the call.
  using Try = std::function<CallOutcome(ModelCall& call, Clock::Time deadline)>;

  const ModelSpec& spec;
  Traffic& traffic;
  Clock& clock;
  StopFlag stop{};
  std::function<void(const std::string&)> tell{};  ///< told when an outage begins or ends

  /// `call` holds what was asked for. Returns it with what came of it.
  [[nodiscard]] ModelResult run(ModelCall call, Clock::Time deadline, Dice dice,
                                const Try& try_once) const;
};

}  // namespace agon::llm
