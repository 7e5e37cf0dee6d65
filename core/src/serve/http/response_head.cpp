#include "http/response_head.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/status.hpp>
#include <ctime>
#include <string_view>
#include <utility>

namespace agon::serve {
namespace {

namespace http = boost::beast::http;

constexpr std::pair<std::string_view, std::string_view> kUsualHeaders[] = {
    {"Cache-Control", "no-store"},
    {"Content-Security-Policy",
     "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Referrer-Policy", "no-referrer"},
    {"X-Content-Type-Options", "nosniff"},
};

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) >= 0x20 && c != 0x7f; });
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  std::array<char, 40> text{};
  return {text.data(),
          std::strftime(text.data(), text.size(), "%a, %d %b %Y %H:%M:%S GMT", &parts)};
}

}  // namespace

std::optional<std::string> head_of(const Response& response) {
  if (response.status < 200 || response.status > 599) return std::nullopt;
  std::string head = fmt::format(
      "HTTP/1.1 {} {}\r\nDate: {}\r\n", response.status,
      std::string_view(http::obsolete_reason(static_cast<http::status>(response.status))), date());
  for (const auto& usual : kUsualHeaders)
    if (std::none_of(response.headers.begin(), response.headers.end(), [&](const auto& own) {
          return boost::beast::iequals(own.first, usual.first);
        }))
      head += fmt::format("{}: {}\r\n", usual.first, usual.second);
  for (const auto& [name, value] : response.headers) {
    if (!is_printable(name) || !is_printable(value)) return std::nullopt;
    head += fmt::format("{}: {}\r\n", name, value);
  }
  if (response.status != 204 && response.status != 304) {
    if (!is_printable(response.content_type)) return std::nullopt;
    head += fmt::format("Content-Type: {}\r\n", response.content_type);
  }
  return head;
}

}  // namespace agon::serve
