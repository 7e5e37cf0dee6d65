#pragma once

#include <optional>
#include <string>

#include "archive/rows.hpp"

namespace agon::report {

/// How an agent stands in the game over one label or factor.
struct MetaAgent {
  std::string level;
  std::string base;  ///< what it shares with those it is compared with
};

/// Nothing if the agent has no such label or factor.
[[nodiscard]] std::optional<MetaAgent> meta_agent(const archive::AgentRow& row,
                                                  const std::string& factor);

}  // namespace agon::report
