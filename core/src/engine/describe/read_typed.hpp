#pragma once

#include <agon/export.hpp>
#include <agon/language.hpp>
#include <agon/limits.hpp>
#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

namespace agon {

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
