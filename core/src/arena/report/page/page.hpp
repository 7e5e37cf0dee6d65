#pragma once

#include <string_view>

namespace agon::report {

/// What a page takes along: page.css and matches.js, made part of the library when it is built.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] std::string_view matches_script();

}  // namespace agon::report
