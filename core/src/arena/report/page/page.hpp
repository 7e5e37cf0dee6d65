#pragma once

#include <string_view>

namespace agon::report {

/// What a page takes along: page.css, conversation.js and matches.js, made part of the library when
/// it is built. Servers send conversation.js too.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view conversation_script();
[[nodiscard]] std::string_view matches_script();

}  // namespace agon::report
