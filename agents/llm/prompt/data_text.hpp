#pragma once

#include <agon/language.hpp>
#include <agon/type.hpp>
#include <span>
#include <string>
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

/// How values of a game are shown to a model. They are data: texts in them, which others may have
/// written, stand in quotes, on one line, without control characters, and end after `longest`
/// bytes. An agon::seat_number is shown as that seat's name.
struct DataStyle {
  std::span<const std::string> names{};             ///< shown without quotes: the seats' names
  std::size_t longest = 4000;                       ///< bytes of one text
  const Language* language = &Language::english();  ///< of what is said beside them
};

/// The type of what is there where something is; null for null.
[[nodiscard]] const Type* core_of(const Type* type);

/// A JSON value with its texts quoted and bounded; enumerations and kinds stay as they are. The
/// JSON must be valid and without spaces, as agon::write_json() makes it; `type` may be null.
[[nodiscard]] std::string quote_texts(const Type* type, std::string_view json,
                                      const DataStyle& style);

/// A value on one line.
[[nodiscard]] std::string data_line(const Type* type, std::string_view json,
                                    const DataStyle& style);

/// A value for a prompt: scalars and flat lists on a line, enumerations as what they mean, structs
/// and tables over several lines, texts of several lines behind "> ". Empty for null, an empty list
/// and an empty text.
[[nodiscard]] std::string data_text(const Type* type, std::string_view json,
                                    const DataStyle& style);

/// What a game told, with what stands in its quotes cut after `longest` bytes.
[[nodiscard]] std::string bounded_telling(std::string_view told, const DataStyle& style);

/// An answer, as JSON, in words made from its description; `unshown`: with members that players are
/// not shown. Descriptions are in English, and there are no words in other languages: there it
/// stays the JSON that it is.
[[nodiscard]] std::string answer_in_words(const Type* type, std::string_view json,
                                          const DataStyle& style, bool unshown);

/// The members that are no lists, maps or structs, on one line: what remains of a view in memory.
[[nodiscard]] std::string data_brief(const Type* type, std::string_view json,
                                     const DataStyle& style);

}  // namespace agon::llm
