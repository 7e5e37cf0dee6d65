#pragma once

#include <agon/export.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace agon {

/// Keeps the memory of this process from core files, which would hold its keys, and from what other
/// programs of the same user read under /proc.
AGON_API void keep_memory_to_itself();

/// Moves the environment to where no other program finds it: what the system shows of it under
/// /proc, to root too, is the place that it came in, which is emptied. The memory is kept to this
/// process. Before there is a second thread.
AGON_API void hide_environment();

/// Those of the variables that are set here, as NAME=VALUE: what a program that is started keeps of
/// the environment.
[[nodiscard]] AGON_API std::vector<std::string> kept_environment(
    std::initializer_list<const char*> names);

}  // namespace agon
