#pragma once

#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace agon::llm {

/// JSON with what was changed in it.
struct Mended {
  std::string json;
  std::string changes;    ///< "the member \"x\" is left out; 5,000 is read as 5000"; empty: none
  std::string doubt{};    ///< what is not certain in it, and what to write instead; empty: nothing
  std::string remarks{};  ///< members that are no part of the answer, but for thoughts
};

/// Whether a member of this name holds what led to an answer.
[[nodiscard]] bool is_thinking(std::string_view name);

/// Repairs the writing of an object, whatever it says: single and curly quotes around names and
/// texts, line breaks within them, a comma before a closing bracket, `True` and `None`. What begins
/// like a number and is none of JSON becomes a text, of which mend_meaning() knows what it says.
/// What was changed is said in the language.
[[nodiscard]] Mended mend_writing(std::string_view object, const Language& language);

/// An object without its comments, which are added to `comments`.
[[nodiscard]] std::string without_comments(std::string_view object, std::string& comments);

/// Repairs what an object says, where its meaning under `type` and `limits` is certain: members
/// that the type does not know; names and choices in another case, with blanks or hyphens; numbers,
/// objects and lists that stand as texts, `"yes"`, `"ja"` and `"是"` for true. Nothing if it has
/// no member of the type. `object` is JSON; what cannot be repaired stays. Amounts without a unit
/// of their own are in `currency`, if the game has one.
[[nodiscard]] std::optional<Mended> mend_meaning(const Type& type,
                                                 std::span<const LimitData> limits,
                                                 std::string_view object, const Language& language,
                                                 std::string_view currency = {});

}  // namespace agon::llm
