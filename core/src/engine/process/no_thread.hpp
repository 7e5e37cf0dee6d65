#pragma once

#include <agon/error.hpp>
#include <string>

namespace agon {

/// The system gives no thread; `purpose` it is for: "to work in".
[[nodiscard]] inline Error no_thread(const std::string& purpose) {
  return {ErrorKind::failure, "the system gives no thread " + purpose, "",
          "close other programs, or raise the limits (`ulimit -u`, `ulimit -v`)"};
}

}  // namespace agon
