#pragma once

#include <agon/limits.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon::llm {

/// What the words around a JSON object make of it.
enum class Standing : std::uint8_t {
  alone,    ///< there are none: fences, tags and tokens are no words
  answer,   ///< it is what the words lead to, or what they go on to explain
  aside,    ///< it may be an example, a quotation, somebody else's answer or taken back
  refused,  ///< the words refuse to answer
};

/// What decides what words around an object may mean.
struct Asked {
  const Type& type;
  std::span<const LimitData> limits{};
  std::vector<std::string> others{};  ///< names of the other seats
};

/// How the part of `text` that begins at `at` and is `size` long stands in it, an object that was
/// read as `value`. Among words it is an answer if it comes first or last, the sentence before it
/// says nothing but that an answer of one's own comes, or stands above it and gives no other one,
/// and no other value of its members, doubt or request follows. `is_marked`: it stands between tags
/// that were asked for, so that whole sentences may stand beside it.
[[nodiscard]] Standing standing_of(std::string_view text, std::size_t at, std::size_t size,
                                   std::string_view value, const Asked& asked,
                                   bool is_marked = false);

/// Whether something said beside an answer that was read as `value` holds another value of its
/// members, or calls it an example.
[[nodiscard]] bool contradicts(std::string_view remark, std::string_view value, const Asked& asked);

/// Whether a place in a text is in a line that quotes somebody: "> ...".
[[nodiscard]] bool is_quoted(std::string_view text, std::size_t at);

/// Whether words take something back or put it in doubt, as a comment in JSON may.
[[nodiscard]] bool takes_back(std::string_view words);

}  // namespace agon::llm
