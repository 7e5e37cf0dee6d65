#include "classic/answers.hpp"

#include <algorithm>

namespace classic {

bool asks_to_halt(const Message& message) {
  if (message.halt) return true;
  constexpr std::string_view blanks = " \t\r\n";
  constexpr std::string_view words = "halt negotiation";
  std::string_view text = message.text;
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return false;
  text = text.substr(begin, text.find_last_not_of(" \t\r\n.") + 1 - begin);
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(text.begin(), text.end(), words.begin(), words.end(),
                    [&](char a, char b) { return lower(a) == b; });
}

}  // namespace classic
