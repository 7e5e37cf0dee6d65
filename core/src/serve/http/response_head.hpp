#pragma once

#include <optional>
#include <string>

#include "http/exchange.hpp"

namespace agon::serve {

/// The lines before the body, with what keeps a browser from running or loading what is not from
/// here, but without those on the length and the connection. Nothing if the status or a header is
/// none that may be sent.
[[nodiscard]] std::optional<std::string> head_of(const Response& response);

}  // namespace agon::serve
