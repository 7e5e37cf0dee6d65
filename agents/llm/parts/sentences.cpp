#include "llm/parts/sentences.hpp"

#include <array>

namespace agon::llm {
namespace {

/// Longer runs without a blank are several words.
constexpr std::size_t kLongestWord = 24;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

bool is_inside_a_sign(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Where a sentence or line that ends at `at` ends; 0: none does.
std::size_t end_at(std::string_view text, std::size_t at) {
  if (text[at] == '\n') return at;
  static constexpr std::array<std::string_view, 3> kWide{"\u3002", "\uff01", "\uff1f"};
  for (const std::string_view mark : kWide)
    if (text.substr(at, mark.size()) == mark) return at + mark.size();
  const bool is_mark = text[at] == '.' || text[at] == '!' || text[at] == '?';
  return is_mark && (at + 1 == text.size() || is_blank(text[at + 1])) ? at + 1 : 0;
}

}  // namespace

std::string_view whole_sentences(std::string_view text) {
  for (std::size_t at = text.size(); at > 0; --at)
    if (const std::size_t end = end_at(text, at - 1); end > 0) return text.substr(0, end);
  return text;
}

std::string_view first_words(std::string_view text, std::size_t words) {
  std::size_t run = 0;  // bytes of the word so far
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at])) {
      run = 0;
      continue;
    }
    const bool begins = run == 0 || (run >= kLongestWord && !is_inside_a_sign(text[at]));
    if (begins && words-- == 0) return text.substr(0, at);
    run = begins ? 1 : run + 1;
  }
  return text;
}

}  // namespace agon::llm
