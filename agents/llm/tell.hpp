#pragma once

#include <cstdio>
#include <string_view>

namespace agon::llm {

/// Writes to standard error or a log. What cannot be written is lost: a full disk or a reader that
/// is gone is no reason to end a run with paid calls. (fmt::print would throw.)
inline void tell(std::FILE* file, std::string_view words) {
  (void)std::fwrite(words.data(), 1, words.size(), file);
}

}  // namespace agon::llm
