#pragma once

#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace agon::form {

/// A place of an answer, as a form meets it.
struct AnswerPart {
  const Type* type = nullptr;
  const Field* field = nullptr;  ///< whose bounds hold here; may be null
  std::uint16_t slot = 0;
  std::span<const LimitData> limits{};
};

/// The place of what an optional, a list or a map holds.
AnswerPart inside(const AnswerPart& place);

/// The place of element `i` of a list. Under limit_each its own bounds are put before the limits:
/// `narrowed` holds these, and must outlive the place.
AnswerPart element_at(const AnswerPart& list, std::size_t i, std::vector<LimitData>& narrowed);

/// One of the things that can be chosen at a place.
struct Choice {
  std::string name;
  std::string doc;
};

/// True if one typed line can hold a value of the type: a bool, a number, a text, a name, or an
/// optional of these.
AGON_API bool fits_a_line(const Type& type);

/// What can be chosen at the place: the allowed enumerators, kinds or names; else nothing.
std::vector<Choice> choices_at(const AnswerPart& place);

/// What a member means, for people: where it is yes or no, `true` and `false` are these words, and
/// where it may be left out `null` is a word for none.
std::string doc_for_people(const Field& field, const Language& language = Language::english());

/// The name of a member or a kind, for people: `walk_away` as "walk away".
std::string name_for_people(std::string_view name);

/// What may be entered, in a few words: "0 to 10 coins". Empty if anything may.
std::string hint_at(const AnswerPart& place);

/// The position of what was meant among the choices: a name, in upper or lower case, the beginning
/// of just one name, or its number from 1. Nothing if it is none.
std::optional<std::size_t> pick(const std::vector<Choice>& choices, std::string_view line);

/// True for yes and its like, false for no and its like.
std::optional<bool> yes_or_no(std::string_view line);

/// What was typed at a place.
struct Typed {
  std::string json;  ///< the value, if `problem` is empty
  std::string problem;
};

/// Reads and checks a line typed at a place that fits a line.
Typed read_entry(const AnswerPart& place, std::string_view line,
                 const Language& language = Language::english());

/// Reads the choice of a kind, see pick(); `json` is its name as JSON.
Typed read_choice(const std::vector<Choice>& choices, std::string_view line,
                  const Language& language = Language::english());

/// The value at a place as it would be typed: `yes`, `12.50`, `none`.
AGON_API std::string entry_text(const Type& type, const void* object);

/// Without blanks at both ends.
std::string_view trim(std::string_view line);

}  // namespace agon::form

namespace agon {

/// The form of an answer for a page: what can be entered, place by place, under the limits of the
/// moment, with names, meanings and units in the language. What is typed into it is read by
/// read_typed(). A node is an object whose "kind" says what else is in it:
///
///     struct    "fields": [{"name", "label", "doc", "node"}]
///     integer, money, number
///               "unit", "min", "max" (null: none), "step" (null: any)
///     text      "min", "max" (characters; null: any number), "lines": may have several
///     boolean   "choices": of "yes" and "no", what is possible now
///     choice    "choices": [{"name", "label", "doc"}]
///     variant   "choices": [{"name", "label", "doc", "node"}]
///     optional  "may_be_absent", "may_be_present", "node"
///     list      "min", "max" (elements; null: any number), "node",
///               "each": [highest of each] or null
///     map       "min", "max", "node",
///               "keys": [names] or null where they are the person's
[[nodiscard]] AGON_API boost::json::object form_description(
    const Type& type, std::span<const LimitData> limits,
    const Language& language = Language::english());

/// What is wrong with one entry of a form.
struct TypedProblem {
  std::string path;     ///< JSON Pointer (RFC 6901) of the entry: "/action/price"; empty: all of it
  std::string problem;  ///< a sentence without a final stop
};

/// What was typed into a form.
struct TypedAnswer {
  std::string json;                    ///< the answer, legal under the limits, if nothing is wrong
  std::vector<TypedProblem> problems;  ///< in the order of the form; the first fifty of many
};

/// Reads what was typed into the form that form_description() describes, entry by entry as the
/// form at a terminal does, and with the same sentences. `typed` has a text for each entry, true or
/// false where there are only these (the texts "yes" and "no" will do), an object for a struct or a
/// map, one with the member "kind" for a variant, an array for a list, and null for what is left
/// out. It may be anything at all: what does not fit is a problem. What only the game can check is
/// not checked.
[[nodiscard]] AGON_API TypedAnswer read_typed(const Type& type, std::span<const LimitData> limits,
                                              const boost::json::value& typed,
                                              const Language& language = Language::english());

}  // namespace agon
