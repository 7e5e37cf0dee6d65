#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <string>

namespace agon {

/// Takes "labels" out of an agent's entry: {"workflow": "use"}, names to texts. They are no
/// parameters and change nothing in play; the archive keeps them beside the levels of factors, so
/// that reports can sort agents by them. Empty where there are none. Throws Error for what is no
/// such object, led by `where`.
[[nodiscard]] boost::json::object take_labels(boost::json::object& entry, const std::string& where);

/// Adds labels to the levels of factors. Throws Error if one has the name of a factor.
void add_labels(boost::json::object& levels, const boost::json::object& labels,
                const std::string& where);

}  // namespace agon
