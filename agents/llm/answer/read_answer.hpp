#pragma once

#include <agon/model/model_parts.hpp>

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

}  // namespace agon::llm
