#pragma once

#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <agon/model/model_parts.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace agon::llm {

/// The balanced JSON objects in a text, in order, outermost ones only. Braces in prose are passed
/// over. Takes time linear in the text but for a bounded number of false starts.
[[nodiscard]] std::vector<std::string_view> objects_in(std::string_view text);

/// The offset after the object or list that begins at `at`; npos if it does not end.
[[nodiscard]] std::size_t end_of_object(std::string_view text, std::size_t at);

/// Whether nothing but blanks can have been cut off what was said: one whole object, or one between
/// tags.
[[nodiscard]] bool is_complete(std::string_view said);

/// The answer in what a model said: the one JSON object that has the form of an answer, repaired
/// where its meaning is certain (docs/faults.md has the table); `problem` then says what was. Among
/// words it has to be certain that it is meant, and its fault is in_words. Two that say different
/// things are no answer. A member `thought` that the answer's own type does not have is taken out
/// and kept as the thought. What limits of the moment forbid is still the answer: the table says so
/// to the model.
[[nodiscard]] ModelAnswer read_answer(const OwnedQuestion& question, std::string_view text);

/// The same of an answer that stands in a place of its own, tags and all, among these words.
[[nodiscard]] ModelAnswer read_marked(const OwnedQuestion& question, std::string_view marked,
                                      std::string_view text, std::size_t at, std::size_t size);

/// The value of another described type in what a model said, found and repaired likewise. Nothing
/// but a legal value under the limits is one. What was wrong is said in the language.
[[nodiscard]] ModelAnswer read_value(const Type& type, std::span<const LimitData> limits,
                                     std::string_view text,
                                     const Language& language = Language::english());

/// True if a private thought can be asked for as a member of the answer.
[[nodiscard]] bool has_room_for_thought(const Type& answer);

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
/// like a number and is not one in JSON becomes a text, of which mend_meaning() knows what it says.
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
