#pragma once

#include <agon/error.hpp>
#include <string>
#include <utility>

namespace agon::design {

/// Throws Error (invalid): what cannot be planned, and what to ask for instead.
[[noreturn]] inline void refuse(std::string problem, std::string mend) {
  throw Error(ErrorKind::invalid, std::move(problem), {}, std::move(mend));
}

}  // namespace agon::design
