#pragma once

#include <string_view>
#include <vector>

namespace agon::llm {

/// A member of a JSON object: its name, and its value as it stands in the text.
struct RawMember {
  std::string_view name;  ///< as written, escapes not resolved
  std::string_view json;
};

/// The offset after the JSON value that begins at `at`; the text must be valid JSON.
[[nodiscard]] std::size_t skip_value(std::string_view json, std::size_t at);

/// The members of an object, as slices of the text; empty for what is no object. Of a text that is
/// not valid JSON it returns some beginning.
[[nodiscard]] std::vector<RawMember> members_of(std::string_view json);

/// The value of one member, as it stands in the text; empty if there is none.
[[nodiscard]] std::string_view member(std::string_view json, std::string_view name);

/// A JSON string's text, escapes resolved; empty for what is no string.
[[nodiscard]] std::string text_of(std::string_view json);

}  // namespace agon::llm
