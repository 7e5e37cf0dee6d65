#pragma once

#include <fmt/format.h>

#include <agon/secrets.hpp>
#include <cstdio>
#include <string>
#include <utility>

namespace agon::text {

/// Writes to standard error, without keys. What cannot be written is lost: that a log is full or
/// its reader gone is no reason to end a run. (fmt::print would throw.)
template <typename... Args>
void say(fmt::format_string<Args...> form, Args&&... args) {
  const std::string words = secrets::cut(fmt::format(form, std::forward<Args>(args)...));
  (void)std::fwrite(words.data(), 1, words.size(), stderr);
}

}  // namespace agon::text
