#include "llm/answer/thought.hpp"

#include <algorithm>

#include "llm/answer/words.hpp"

namespace agon::llm {
namespace {

constexpr std::string_view kOpen[] = {"<think>", "<thinking>"};
constexpr std::string_view kClose = "</think";

/// The tag that opens a thought at the beginning of a text; empty: none does.
std::string_view opening(std::string_view text) {
  for (const std::string_view tag : kOpen)
    if (text.starts_with(tag)) return tag;
  return {};
}

/// Where a thought ends, with the size of its closing tag; npos: it does not.
std::size_t end_of_thought(std::string_view text, std::size_t& tag) {
  for (std::size_t at = text.find(kClose); at != std::string_view::npos;
       at = text.find(kClose, at + 1))
    for (const std::string_view rest : {">", "ing>"})
      if (text.substr(at + kClose.size()).starts_with(rest)) {
        tag = kClose.size() + rest.size();
        return at;
      }
  return std::string_view::npos;
}

/// Whether this is an answer, in which a closing tag is data.
bool is_answer(std::string_view text) {
  constexpr std::string_view kTag = "<answer>";
  return text.starts_with('{') || text.starts_with('[') || text.starts_with("```") ||
         lower_case(text.substr(0, kTag.size())) == kTag;
}

}  // namespace

void split_thought(std::string& text, std::string& reasoning) {
  std::string_view rest = text;
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  bool is_split = false;
  // A closing tag alone: the template had written the opening one. A thought without an end stays:
  // whoever reads it decides where the answer begins.
  while (!is_answer(rest)) {
    const std::size_t begin = opening(rest).size();
    std::size_t tag = 0;
    const std::size_t end = end_of_thought(rest, tag);
    if (end == std::string_view::npos) break;
    const std::string_view thought = rest.substr(begin, end - begin);
    if (!reasoning.empty() && !thought.empty()) reasoning += '\n';
    reasoning += thought;
    rest.remove_prefix(end + tag);
    rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
    is_split = true;
  }
  if (is_split) text.erase(0, text.size() - rest.size());
}

bool is_open_thought(std::string_view text) {
  text = trimmed(text);
  std::size_t tag = 0;
  return !opening(text).empty() && end_of_thought(text, tag) == std::string_view::npos;
}

}  // namespace agon::llm
