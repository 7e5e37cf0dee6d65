#pragma once

#include <string>
#include <string_view>

namespace agon::text {

/// ASCII letters as small ones, whatever the locale.
[[nodiscard]] inline std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

}  // namespace agon::text
