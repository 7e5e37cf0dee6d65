#pragma once

#include <agon/type.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace agon::llm {

/// Without the blanks and line breaks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// JSON with what was changed in it.
struct Mended {
  std::string json;
  std::string changes;  ///< "the member \"x\" is left out; 5,000 is read as 5000"; empty: none
};

/// Repairs the writing of an object, whatever it says: single and curly quotes around names and
/// texts, line breaks within them, a comma before a closing bracket, `True` and `None`.
[[nodiscard]] Mended mend_writing(std::string_view object);

/// Repairs what an object says, where its meaning under `type` is certain: members that the type
/// does not know, choices in another case or with blanks, numbers as texts, with a dollar sign,
/// with commas between thousands or with a bare point at their end. Nothing if it has no member of
/// the type. `object` is JSON but for such numbers; what cannot be repaired stays.
[[nodiscard]] std::optional<Mended> mend_meaning(const Type& type, std::string_view object);

/// True for words that say no more than that the model will not answer.
[[nodiscard]] bool is_refusal(std::string_view text);

}  // namespace agon::llm
