#pragma once

#include <agon/export.hpp>
#include <agon/model/preflight.hpp>
#include <atomic>
#include <string>
#include <vector>

#include "suite/suite.hpp"

namespace agon {

/// What the agents of a suite found when they looked at what they need.
struct AGON_API Preflight {
  /// A finding, and which agents met it.
  struct Row {
    Finding finding;
    std::vector<std::string> agents;
  };
  std::vector<Row> rows;  ///< in order of the suite, each finding once

  [[nodiscard]] bool fine() const;
};

/// Asks every agent that takes part, once a game and spec; `longest_prompt`: in tokens, 0: unknown.
/// Ends early once `stop` is true.
[[nodiscard]] AGON_API Preflight preflight(const Suite& suite, std::int64_t longest_prompt = 0,
                                           const std::atomic<bool>* stop = nullptr);

}  // namespace agon
