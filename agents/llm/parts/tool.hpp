#pragma once

#include <agon/model/model_parts.hpp>
#include <string>
#include <string_view>

namespace agon::llm {

/// A tool of the agent's own process.
struct Tool {
  ModelTool told;  ///< as the model is told of it
  /// What a call gives, from its arguments. Throws Error for a call that makes no sense.
  std::string (*run)(const ModelTurn& turn, std::string_view arguments) = nullptr;
};

/// Works out an expression (parts/arithmetic.hpp).
[[nodiscard]] const Tool& calculator_tool();
/// Shows the seat's own last moves, and what followed each.
[[nodiscard]] const Tool& own_moves_tool();

}  // namespace agon::llm
