#include "support/text_checks.hpp"

#include "catch.hpp"

namespace agon::test {

void check_has(std::string_view text, const std::vector<std::string>& parts) {
  INFO(text);
  for (const std::string& part : parts) {
    INFO("has not: " << part);
    CHECK(text.find(part) != std::string_view::npos);
  }
}

void check_lacks(std::string_view text, const std::vector<std::string>& parts) {
  INFO(text);
  for (const std::string& part : parts) {
    INFO("has: " << part);
    CHECK(text.find(part) == std::string_view::npos);
  }
}

}  // namespace agon::test
