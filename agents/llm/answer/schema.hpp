#pragma once

#include <agon/limits.hpp>
#include <agon/model/model_parts.hpp>
#include <span>
#include <vector>

namespace agon::llm {

/// The limits of an answer narrowed to where sensible answers lie (agon::usual); empty where
/// nothing is said of that. An optional with a usual range is given. A usual range with nothing in
/// it says that the optional which holds it is sensibly left out, and the alternative not taken;
/// that of a variant is one of the numbers of its alternatives.
[[nodiscard]] std::vector<LimitData> usual_limits(const Type& answer,
                                                  std::span<const LimitData> limits);

/// The JSON Schema of a question's answer under its limits, with a first member `thought` if one is
/// asked for and the answer has room for it.
[[nodiscard]] std::string answer_schema(const OwnedQuestion& question, Thinking thinking);
/// The same under other limits.
[[nodiscard]] std::string answer_schema(const OwnedQuestion& question, Thinking thinking,
                                        std::span<const LimitData> limits);

}  // namespace agon::llm
