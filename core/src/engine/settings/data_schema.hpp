#pragma once

#include <agon/export.hpp>
#include <agon/type.hpp>
#include <string>

namespace agon {

/// The JSON Schema of the data files that a setting takes by name.
[[nodiscard]] AGON_API std::string data_schema(const Field& setting);

}  // namespace agon
