#pragma once

#include <agon/export.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace agon {

/// Those of the variables that are set here, as NAME=VALUE: what a program that is started keeps of
/// the environment.
[[nodiscard]] AGON_API std::vector<std::string> kept_environment(
    std::initializer_list<const char*> names);

}  // namespace agon
