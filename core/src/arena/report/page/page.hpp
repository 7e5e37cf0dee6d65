#pragma once

#include <agon/export.hpp>
#include <string_view>

namespace agon::report {

/// What a page takes along: page.css, conversation.js and matches.js, made part of the library when
/// it is built. A server sends conversation.js as a module of its own pages.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] AGON_API std::string_view conversation_script();
[[nodiscard]] std::string_view matches_script();

}  // namespace agon::report
