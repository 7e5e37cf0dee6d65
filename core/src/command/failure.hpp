#pragma once

#include <exception>

namespace agon::command {

/// Tells what went wrong on standard error and, with `json`, on standard output too. Returns the
/// exit code.
int tell_failure(const std::exception_ptr& failure, bool json);

}  // namespace agon::command
