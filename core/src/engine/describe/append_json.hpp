#pragma once

#include <agon/type.hpp>
#include <string>

namespace agon {

/// Appends the object as compact JSON.
void append_json(std::string& out, const Type& type, const void* object);

}  // namespace agon
