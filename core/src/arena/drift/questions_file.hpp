#pragma once

#include <agon/describe.hpp>
#include <optional>
#include <string>
#include <vector>

#include "describe/in_order.hpp"

/// The questions of a drift check as their file says them.
namespace agon::drift::questions_file {

inline constexpr std::string_view kFormat = "agon.drift";
inline constexpr int kVersion = 1;

struct Question {
  std::string name;
  std::string ask;
  std::optional<InOrder<JsonText>> schema;
  std::optional<JsonText> answer;
};
AGON_DESCRIBE(Question, (name, "for people", length(1, 1000)),
              (ask, "what the model is asked", length(1, 100'000)),
              (schema, "JSON Schema of the answer; without one it is a text", left_out),
              (answer, "what is right, a text or JSON; without one nothing is right or wrong",
               left_out))

struct Questions {
  std::string format;
  int version = 0;
  std::vector<Question> questions;
};
AGON_DESCRIBE(Questions, (format, "agon.drift", length(1, 100)),
              (version, "of the format", range(1, 1)),
              (questions, "asked before and after the matches", length(1, 10'000)))

}  // namespace agon::drift::questions_file
