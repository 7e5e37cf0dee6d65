#pragma once

#include <string>
#include <vector>

/// How often `words` come up.
inline std::size_t occurrences(const std::string& text, const std::string& words) {
  std::size_t count = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++count;
  return count;
}

/// Whether every element of a page is closed where it should be, and no text opens one.
inline bool is_well_formed(const std::string& html) {
  std::vector<std::string> open;
  for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos;) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return false;
    std::string name = html.substr(at + 1, html.find_first_of(" >", at) - at - 1);
    at = end;
    // What stands in a script is no markup.
    if (name == "script" && (at = html.find("</script>", end)) == std::string::npos) return false;
    if (html[end - 1] == '/') continue;
    if (name == "!DOCTYPE" || name == "meta") continue;
    if (!name.starts_with('/'))
      open.push_back(std::move(name));
    else if (open.empty() || open.back() != name.substr(1))
      return false;
    else
      open.pop_back();
  }
  return open.empty();
}
