#pragma once

#include <agon/export.hpp>
#include <agon/form.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "form/form.hpp"
#include "people/roster.hpp"

namespace agon::serve {

/// The questions of a stage as a form for the page, as form_description() makes those of games,
/// with two more kinds of nodes, in which a null is "no answer" where the node says so:
///
///     scale     "choices", "low_label", "high_label"
///     several   "choices": any of them
[[nodiscard]] AGON_API boost::json::object form_of(const PeopleStage& stage,
                                                   const PageTexts& texts);

/// What was typed into such a form.
struct ReadForm {
  std::vector<FormAnswerRow> answers{};  ///< to all questions, if nothing is wrong
  std::vector<TypedProblem> problems{};
};

/// Reads it: an object with a text for each question, a list for several, and null for what is left
/// out. It may be anything at all: what does not fit is a problem. What is wrong in a quiz is none.
[[nodiscard]] AGON_API ReadForm read_form(const PeopleStage& stage, const boost::json::value& typed,
                                          const PageTexts& texts);

/// What somebody typed in the attempt at a form that is kept, as the page has it.
[[nodiscard]] boost::json::object typed_before(const Participant& who, std::int64_t attempt);

/// The right answer of a quiz in words.
[[nodiscard]] std::string right_words(const suite_file::FormQuestion& question,
                                      const PageTexts& texts);

}  // namespace agon::serve
