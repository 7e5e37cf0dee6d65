#pragma once

#include <agon/language.hpp>
#include <agon/model/model_call.hpp>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace agon::llm {

/// The bounds in a schema in words, as they stand after a message: "\n\nBounds: bid: 1 to 20."
/// Empty if it has none.
[[nodiscard]] std::string bounds_after(std::string_view schema,
                                       const Language& language = Language::english());

/// The message that words for the form of an answer are put after: the last one of the user's, also
/// where results of tools come after it. There must be a message.
[[nodiscard]] ChatMessage& last_of_user(std::vector<ChatMessage>& messages);

/// How much of the answer's form is asked of the endpoint; each level asks for less.
enum class Level : std::uint8_t {
  schema,  ///< the strict schema as it is
  lean,    ///< the same without bounds, which not all endpoints take
  object,  ///< any JSON object
  text,
};

/// What the endpoint takes, for one model of it.
struct Capabilities {
  bool completion_tokens = false;  ///< max_completion_tokens, not max_tokens
  Level level = Level::schema;
  std::set<std::string, std::less<>> without{};  ///< members that are not sent
};

/// The schema as endpoints take it: its root an object (`wrapped` says whether one was put around
/// it), without "$schema"; `lean` without bounds.
[[nodiscard]] std::string schema_for_wire(std::string_view schema, bool lean, bool& wrapped);

/// Takes what is inside {"answer": ...} out of it, byte by byte as it is; leaves any other text.
void unwrap(std::string& text);

/// True if a message speaks of JSON, which endpoints ask for before they promise a JSON object.
[[nodiscard]] bool speaks_of_json(const std::vector<ChatMessage>& messages);

}  // namespace agon::llm
