#pragma once

#include <agon/error.hpp>
#include <agon/export.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <string>
#include <string_view>

#include "http/exchange.hpp"

namespace agon::serve {

/// A sentence in plain text.
AGON_API Response text_response(int status, std::string_view sentence);

AGON_API Response json_response(int status, boost::json::object body);

/// The answer to what failed, as `--json` tells it: {"error": {"problem", "where", "mend"}}, with a
/// status by its kind.
AGON_API Response error_response(const Error& error);

/// How far a cookie goes.
struct CookieReach {
  std::string path = "/";         ///< below which it is sent
  bool behind_links = false;      ///< also where a link on another site was followed
  std::chrono::seconds lasts{0};  ///< 0: until the browser is closed
};

/// A cookie that scripts cannot read and requests made by other sites do not carry. A header of a
/// Response.
AGON_API std::pair<std::string, std::string> set_cookie(const Request& asked, std::string_view name,
                                                        std::string_view value,
                                                        const CookieReach& reach);

/// Sends a browser on within what it was sent for: cookies that go behind links go along.
AGON_API Response redirect(std::string to);

/// Sends a browser on to another page of ours, by a page and not by a redirection: behind a link
/// that was followed from another site a redirection would leave out cookies that were just set.
AGON_API Response go_on(std::string_view path);

}  // namespace agon::serve
