#include "llm/wire/retry_after.hpp"

#include <curl/curl.h>

#include <charconv>
#include <cmath>
#include <cstdio>
#include <ctime>

namespace agon::llm {
namespace {

std::optional<double> number(std::string_view text, std::string_view* rest = nullptr) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc{} || !std::isfinite(value) || value < 0) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (rest != nullptr)
    *rest = text;
  else if (!text.empty())
    return {};
  return value;
}

/// Milliseconds since 1970 of 2026-11-21T03:04:05Z.
std::optional<double> iso_time(const std::string& text) {
  std::tm t{};
  double seconds = 0;
  char zone = 0;
  if (std::sscanf(text.c_str(), "%4d-%2d-%2dT%2d:%2d:%lf%c", &t.tm_year, &t.tm_mon, &t.tm_mday,
                  &t.tm_hour, &t.tm_min, &seconds, &zone) != 7 ||
      zone != 'Z')
    return {};
  t.tm_year -= 1900;
  t.tm_mon -= 1;
  return (static_cast<double>(timegm(&t)) + seconds) * 1000;
}

}  // namespace

std::optional<double> duration_ms(std::string_view text) {
  double total = 0;
  if (text.empty()) return {};
  while (!text.empty()) {
    const std::optional<double> n = number(text, &text);
    if (!n) return {};
    double scale = 0;
    std::size_t length = 1;
    if (text.starts_with("ms"))
      scale = 1, length = 2;
    else if (text.starts_with('s'))
      scale = 1000;
    else if (text.starts_with('m'))
      scale = 60e3;
    else if (text.starts_with('h'))
      scale = 3600e3;
    else if (text.starts_with('d'))
      scale = 86400e3;
    else if (text.empty())
      scale = 1000, length = 0;
    else
      return {};
    total += *n * scale;
    text.remove_prefix(length);
  }
  return total;
}

std::optional<double> retry_after_ms(const HttpReply& reply, std::int64_t now_ms,
                                     bool is_rate_limited) {
  const auto now = static_cast<double>(now_ms);
  const auto until = [&](double time) { return std::max(0.0, time - now); };
  if (const auto ms = number(reply.header("retry-after-ms"))) return *ms;
  if (const std::string_view after = reply.header("retry-after"); !after.empty()) {
    if (const auto s = number(after)) return *s * 1000;
    const time_t date = curl_getdate(std::string(after).c_str(), nullptr);
    if (date != -1) return until(static_cast<double>(date) * 1000);
  }
  // Many endpoints tell of their limits in every reply: of an error of another kind that says
  // nothing.
  if (!is_rate_limited) return {};
  std::optional<double> longest;
  for (const auto& [name, value] : reply.headers) {
    std::optional<double> wait;
    if (name.starts_with("x-ratelimit-reset-"))
      wait = duration_ms(value);
    else if (name.starts_with("anthropic-ratelimit-") && name.ends_with("-reset"))
      if (const auto time = iso_time(value)) wait = until(*time);
    if (wait && (!longest || *wait > *longest)) longest = wait;
  }
  return longest;
}

}  // namespace agon::llm
