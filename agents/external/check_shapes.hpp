#pragma once

#include <agon/agent.hpp>
#include <string>
#include <vector>

namespace agon::external {

/// An answer of one shape, for trying an agent.
struct Shape {
  std::string what;  ///< "numbers"
  std::string stage;
  const Type* type = nullptr;
  std::vector<LimitData> limits{};
};

/// One of each shape that an answer can have. What the limits point to lives as long as the
/// process.
[[nodiscard]] std::vector<Shape> shapes();

/// A question of that shape in a made-up match.
[[nodiscard]] OwnedQuestion question_of(const Shape& shape, std::uint32_t number);

}  // namespace agon::external
