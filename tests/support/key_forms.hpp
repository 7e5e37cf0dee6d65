#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace agon::test {

/// How an endpoint may write down the key that it was sent: texts, each with the key in it.
[[nodiscard]] std::vector<std::string> key_forms(const std::string& key);

/// The first of the forms, or the key's own letters in a row, that is in `text`, in either case;
/// empty if none is.
[[nodiscard]] std::string key_in(std::string_view text, const std::string& key);

/// `text` inside a JSON string.
[[nodiscard]] std::string in_json(std::string_view text);

}  // namespace agon::test
