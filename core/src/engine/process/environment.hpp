#pragma once

#include <agon/export.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace agon {

/// Moves the environment to where no other program finds it: what the system shows of it under
/// /proc, to root too, is the place that it came in, which is emptied. Before there is a second
/// thread.
AGON_API void hide_environment();

/// Those of the variables that are set here, as NAME=VALUE: what a program that is started keeps of
/// the environment.
[[nodiscard]] AGON_API std::vector<std::string> kept_environment(
    std::initializer_list<const char*> names);

}  // namespace agon
