#pragma once

#include <agon/conversion.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"

namespace agon {

/// A described object as a JSON value, to stand inside others.
template <class T>
[[nodiscard]] boost::json::value json_value(const T& object) {
  return json::parse(write_json(object), "");
}

}  // namespace agon
