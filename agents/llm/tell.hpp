#pragma once

#include <agon/secrets.hpp>
#include <cstdio>
#include <string>
#include <string_view>

namespace agon::llm {

/// Writes to standard error or a log, without keys. What cannot be written is lost: a full disk or
/// a reader that is gone is no reason to end a run with paid calls. (fmt::print would throw.)
inline void tell(std::FILE* file, std::string_view text) {
  const std::string words = secrets::cut(std::string(text));
  (void)std::fwrite(words.data(), 1, words.size(), file);
}

}  // namespace agon::llm
