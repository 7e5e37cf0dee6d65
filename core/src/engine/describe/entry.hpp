#pragma once

#include <agon/export.hpp>
#include <agon/limits.hpp>
#include <optional>
#include <string>
#include <vector>

namespace agon::form {

/// A place of an answer, as a form meets it.
struct Place {
  const Type* type = nullptr;
  const Field* field = nullptr;  ///< whose bounds hold here; may be null
  std::uint16_t slot = 0;
  std::span<const LimitData> limits{};
};

/// The place of what an optional, a list or a map holds.
Place inside(const Place& place);

/// One of the things that can be chosen at a place.
struct Choice {
  std::string name;
  std::string doc;
};

/// True if one typed line can hold a value of the type: a bool, a number, a text, a name, or an
/// optional of these.
AGON_API bool fits_a_line(const Type& type);

/// What can be chosen at the place: the allowed enumerators, kinds or names; else nothing.
std::vector<Choice> choices_at(const Place& place);

/// What may be entered, in a few words: "0 to 10 coins". Empty if anything may.
std::string hint_at(const Place& place);

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
Typed read_entry(const Place& place, std::string_view line);

/// The value at a place as it would be typed: `yes`, `12.50`, `none`.
AGON_API std::string entry_text(const Type& type, const void* object);

/// Without blanks at both ends.
std::string_view trim(std::string_view line);

}  // namespace agon::form
