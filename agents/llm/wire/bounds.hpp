#pragma once

#include <agon/language.hpp>
#include <boost/json/value.hpp>
#include <string>
#include <string_view>

namespace agon::llm {

/// The bounds in a schema in words, as they stand after a message: "\n\nBounds: bid: 1 to 20."
/// Amounts of money are said with their unit, numbers that are to be one of a few are listed, and
/// bounds that differ by element are said by element. Empty if it has none.
[[nodiscard]] std::string bounds_after(std::string_view schema,
                                       const Language& language = Language::english());

/// Takes the bounds out of a schema, and the lists of what numbers may be: all that changes from
/// question to question.
void remove_bounds(boost::json::value& schema);

}  // namespace agon::llm
