#pragma once

#include <agon/model/model_call.hpp>
#include <agon/random.hpp>
#include <span>
#include <string>
#include <string_view>

/// What stands in for a model where there is none.
namespace agon::llm::mock {

/// Which values an answer has.
enum class Taste : std::uint8_t {
  random,   ///< any that the schema allows
  first,    ///< everywhere the first that the schema allows
  illegal,  ///< random, but one value lies outside its bounds
};

/// JSON text that fits the JSON Schema (of the kind that agon::schema_json writes, and what
/// endpoints take beside it: $ref into $defs, type lists). Throws Error (invalid) for a schema that
/// is no JSON. `words`: see MockSpec.
[[nodiscard]] std::string answer_to(std::string_view schema, Taste taste, Dice& dice,
                                    std::int64_t words = 10);

/// The JSON Schema that the messages hold in their texts, looked for from the last message on;
/// empty: none.
[[nodiscard]] std::string schema_in(std::span<const ChatMessage> messages);

/// A few sentences that say nothing.
[[nodiscard]] std::string small_talk(std::size_t words, Dice& dice);

}  // namespace agon::llm::mock
