#pragma once

#include <agon/error.hpp>
#include <string>
#include <system_error>

namespace agon::worker {

/// The machine can lock, and does not. `error`: of the system; `what` it was asked for.
[[noreturn]] inline void fail_to_lock(const std::string& what, int error,
                                      const std::string& where = {}) {
  throw Error(ErrorKind::failure,
              "cannot lock the process in: " + what + ": " + std::generic_category().message(error),
              where);
}

}  // namespace agon::worker
