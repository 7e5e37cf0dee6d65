#pragma once

#include <agon/model/model_parts.hpp>

namespace agon::llm {

/// The balanced JSON objects in a text, in order, outermost ones only. Braces in prose are passed
/// over. Takes time linear in the text but for a bounded number of false starts.
[[nodiscard]] std::vector<std::string_view> objects_in(std::string_view text);

/// The answer in what a model said: the one JSON object that has the form of an answer, repaired
/// where its meaning is certain (docs/faults.md has the table); `problem` then says what was, if it
/// was more than words around the object. Two that say different things are no answer. A member
/// `thought` that the answer's own type does not have is taken out and kept as the thought. What
/// limits of the moment forbid is still the answer: the table says so to the model.
[[nodiscard]] ModelAnswer read_answer(const OwnedQuestion& question, std::string_view text);

/// The value of another described type in what a model said, found and repaired likewise. Nothing
/// but a legal value under the limits is one. What was wrong is said in the language.
[[nodiscard]] ModelAnswer read_value(const Type& type, std::span<const LimitData> limits,
                                     std::string_view text,
                                     const Language& language = Language::english());

/// True if a private thought can be asked for as a member of the answer.
[[nodiscard]] bool has_room_for_thought(const Type& answer);

}  // namespace agon::llm
