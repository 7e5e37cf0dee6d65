#pragma once

#include <agon/export.hpp>
#include <string>
#include <string_view>

namespace agon::serve {

/// A stage's own page as a browser gets it.
struct GuardedPage {
  std::string html;
  std::string policy;  ///< the header Content-Security-Policy
};

/// A page that reaches no network, no page around it, and nothing that is stored. Its scripts run,
/// but none that it makes of text: each begins with what takes calls between browsers away, which
/// no policy covers, and only these are allowed. So a frame within it, which has all that a browser
/// offers, can only run scripts that take it away there too.
[[nodiscard]] AGON_API GuardedPage guarded_page(std::string_view page);

}  // namespace agon::serve
