#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::test {

/// Checks that a text has each of these parts.
void check_has(std::string_view text, const std::vector<std::string>& parts);
/// Checks that a text has not one of these parts.
void check_lacks(std::string_view text, const std::vector<std::string>& parts);

}  // namespace agon::test
