#pragma once

#include <agon/error.hpp>
#include <string>

namespace agon {

/// The system gives no thread; `which` it does not give: "no thread to work in".
[[nodiscard]] inline Error no_thread(const std::string& which) {
  return {ErrorKind::failure, "the system gives " + which, "",
          "close other programs, or raise the limits (`ulimit -u`, `ulimit -v`)"};
}

}  // namespace agon
