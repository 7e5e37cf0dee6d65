#include "text/percent.hpp"

#include <fmt/format.h>

namespace agon::text {

std::string percent(double share) {
  constexpr int usual = 6;
  constexpr int all = 17;
  std::string text;
  for (int digits = usual; digits <= all; ++digits) {
    text = fmt::format("{:.{}g}", 100 * share, digits);
    if (share >= 1 || text != "100") break;
  }
  return text + "%";
}

}  // namespace agon::text
