#pragma once

#include <agon/conversion.hpp>
#include <agon/export.hpp>
#include <boost/json/fwd.hpp>

namespace agon {

/// Reads a JSON value into an object, form only: types, members, tags. Bounds and limits are
/// find_problem's business.
AGON_API std::optional<Problem> read_value(const Type& type, void* object,
                                           const boost::json::value& value, Missing missing);

}  // namespace agon
