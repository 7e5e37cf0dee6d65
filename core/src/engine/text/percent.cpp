#include "text/percent.hpp"

#include <fmt/format.h>

namespace agon::text {

std::string percent_encoded(std::string_view text, std::string_view plain) {
  std::string out;
  for (const char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       plain.find(c) != std::string_view::npos;
    out += stays ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace agon::text
