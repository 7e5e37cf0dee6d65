#include "llm/prompt/members.hpp"

#include <algorithm>
#include <array>
#include <boost/json/parse.hpp>

namespace agon::llm {
namespace {

/// The offset after the string that begins at `at`.
std::size_t skip_string(std::string_view json, std::size_t at) {
  for (std::size_t quote = json.find('"', at + 1); quote != std::string_view::npos;
       quote = json.find('"', quote + 1)) {
    std::size_t slashes = 0;
    while (json[quote - 1 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 0) return quote + 1;
  }
  return json.size();
}

/// True for the characters that open and close values.
constexpr std::array<bool, 256> kStructural = [] {
  std::array<bool, 256> table{};
  for (const char c : {'"', '{', '}', '[', ']'}) table[static_cast<unsigned char>(c)] = true;
  return table;
}();

std::size_t skip_space(std::string_view json, std::size_t at) {
  while (at < json.size() &&
         (json[at] == ' ' || json[at] == '\n' || json[at] == '\t' || json[at] == '\r'))
    ++at;
  return at;
}

}  // namespace

std::size_t skip_value(std::string_view json, std::size_t at) {
  if (at >= json.size()) return json.size();
  if (json[at] == '"') return skip_string(json, at);
  if (json[at] != '{' && json[at] != '[') {
    const std::size_t end = json.find_first_of(",]} \t\r\n", at);
    return end == std::string_view::npos ? json.size() : end;
  }
  int depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (!kStructural[static_cast<unsigned char>(c)]) {
      ++at;
      continue;
    }
    if (c == '"') {
      at = skip_string(json, at);
      continue;
    }
    depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
    ++at;
    if (depth == 0) break;
  }
  return at;
}

std::vector<RawMember> members_of(std::string_view json) {
  std::vector<RawMember> members;
  if (json.empty() || json[0] != '{') return members;
  std::size_t at = skip_space(json, 1);
  while (at < json.size() && json[at] == '"') {
    const std::size_t name_end = skip_string(json, at);
    const std::size_t colon = skip_space(json, name_end);
    const std::size_t value = skip_space(json, colon + 1);
    if (value >= json.size()) break;
    const std::size_t end = skip_value(json, value);
    if (end == value) break;
    members.push_back({json.substr(at + 1, name_end - at - 2), json.substr(value, end - value)});
    const std::size_t comma = skip_space(json, end);
    if (comma >= json.size() || json[comma] != ',') break;
    at = skip_space(json, comma + 1);
  }
  return members;
}

std::string_view member(std::string_view json, std::string_view name) {
  for (const RawMember& m : members_of(json))
    if (m.name == name) return m.json;
  return {};
}

std::string text_of(std::string_view json) {
  if (json.empty() || json[0] != '"') return {};
  boost::json::error_code error;
  const auto value = boost::json::parse({json.data(), json.size()}, error);
  return error || !value.is_string() ? std::string() : std::string(value.get_string());
}

}  // namespace agon::llm
