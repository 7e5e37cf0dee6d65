#include "report/page/markup.hpp"

#include "text/utf8.hpp"

namespace agon::report {

std::string markup(std::string_view words) {
  std::string out;
  for (const char c : text::printable(words)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace agon::report
