#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace agon::serve {

/// A sentence in plain text.
AGON_API Response text_response(int status, std::string_view sentence);

/// The answer to what failed, as `--json` tells it: {"error": {"problem", "where", "mend"}}, with a
/// status by its kind.
AGON_API Response error_response(const Error& error);

/// A cookie that scripts cannot read and other sites' requests do not carry, until the browser is
/// closed. `path`: below which it is sent. A header of a Response.
AGON_API std::pair<std::string, std::string> set_cookie(const Request& asked, std::string_view name,
                                                        std::string_view value,
                                                        std::string_view path);

/// Sends a browser on to another page of ours, by a page and not by a redirection: behind a link
/// that was followed from another site a redirection would leave out cookies that were just set.
AGON_API Response go_on(std::string_view path);

}  // namespace agon::serve
