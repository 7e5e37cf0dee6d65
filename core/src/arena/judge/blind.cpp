#include "judge/blind.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"

namespace agon::judge {
namespace {

/// What a model may call itself.
const std::vector<std::string>& widespread() {
  static const std::vector<std::string> kNames{
      "chatgpt", "gpt",  "claude", "gemini",  "llama",  "mistral", "mixtral",   "deepseek",
      "qwen",    "grok", "sonnet", "haiku",   "opus",   "openai",  "anthropic", "deepmind",
      "gemma",   "kimi", "cohere", "copilot", "vicuna", "nemotron"};
  return kNames;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::string lower_case(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), lower);
  return out;
}

bool of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Where a name ends that goes on as "-4o-mini" or ":2024" do.
std::size_t end_of_name(std::string_view low, std::size_t at) {
  while (at + 1 < low.size()) {
    const char next = low[at + 1];
    const bool digit = next >= '0' && next <= '9';
    const bool joined = low[at] == '-' || low[at] == ':' || low[at] == '/' || low[at] == '_';
    if (!(joined && of_word(next)) && !(low[at] == '.' && digit)) break;
    ++at;
    while (at < low.size() && of_word(low[at])) ++at;
  }
  return at;
}

/// Agents called by an ordinary word, such as "default", are left alone: the word says nothing, and
/// records would be spoilt.
bool ordinary_word(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return lower(c) >= 'a' && lower(c) <= 'z'; });
}

void add_model(const std::string& spec, std::vector<std::string>& names) {
  const boost::json::value value = json::parse(spec, "spec");
  const auto member = [](const boost::json::value* of, const char* name) {
    return of != nullptr && of->is_object() ? of->get_object().if_contains(name) : nullptr;
  };
  const boost::json::value* model = member(member(&value, "params"), "model");
  for (const char* name : {"model", "provider"}) {
    const boost::json::value* text = member(model, name);
    if (text != nullptr && text->is_string()) names.emplace_back(text->get_string());
  }
}

std::vector<std::string> names_of(const archive::Archive& archive) {
  std::vector<std::string> names = widespread();
  for (const auto& [number, row] : archive.agents()) {
    if (!ordinary_word(row.name)) names.push_back(row.name);
    if (!ordinary_word(row.base)) names.push_back(row.base);
    add_model(row.spec, names);
  }
  return names;
}

}  // namespace

Blindfold::Blindfold(const archive::Archive& archive) : Blindfold(names_of(archive)) {
  for (const auto& [number, row] : archive.agents())
    for (const std::string& name : {row.name, row.base})
      if (!name.empty() && ordinary_word(name)) words_.insert(name);
}

Blindfold::Blindfold(std::vector<std::string> names) {
  constexpr std::size_t shortest = 3;  // shorter ones are in too many words' company
  for (const std::string& name : names)
    if (name.size() >= shortest) names_.push_back(lower_case(name));
  std::sort(names_.begin(), names_.end(), [](const std::string& a, const std::string& b) {
    return a.size() != b.size() ? a.size() > b.size() : a < b;
  });
  names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

std::vector<std::string> Blindfold::left_in(std::string_view text) const {
  const std::string low = lower_case(text);
  std::vector<std::string> found;
  for (const std::string& word : words_) {
    const std::string name = lower_case(word);
    for (std::size_t at = low.find(name); at != std::string::npos; at = low.find(name, at + 1)) {
      const std::size_t end = at + name.size();
      if ((at > 0 && of_word(low[at - 1])) || (end < low.size() && of_word(low[end]))) continue;
      found.push_back(word);
      break;
    }
  }
  return found;
}

std::string Blindfold::over(std::string_view text) const {
  const std::string low = lower_case(text);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const bool begins = at == 0 || !of_word(low[at - 1]);
    std::size_t taken = 0;
    for (const std::string& name : names_) {
      if (!begins) break;
      const std::size_t end = at + name.size();
      if (low.compare(at, name.size(), name) != 0) continue;
      if (end < low.size() && of_word(low[end])) continue;
      taken = name.size();
      break;
    }
    if (taken == 0) {
      out += text[at++];
      continue;
    }
    out += "[name]";
    at = end_of_name(low, at + taken);
  }
  return out;
}

}  // namespace agon::judge
