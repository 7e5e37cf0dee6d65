#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "llm/http/message.hpp"

namespace agon::llm {

/// How long the endpoint wishes to be left alone, in milliseconds from `now_ms` (since 1970): by
/// retry-after-ms, else Retry-After (seconds or an HTTP date), else, if `is_rate_limited`, the
/// latest of x-ratelimit-reset-* ("1m30s", "500ms", seconds) and anthropic-ratelimit-*-reset (ISO
/// 8601). Nothing if it does not say. Never negative.
[[nodiscard]] std::optional<double> retry_after_ms(const HttpReply& reply, std::int64_t now_ms,
                                                   bool is_rate_limited);

/// "1m30s", "500ms", "6h0m12.5s" or plain seconds, in milliseconds; nothing if it is none of these.
[[nodiscard]] std::optional<double> duration_ms(std::string_view text);

}  // namespace agon::llm
