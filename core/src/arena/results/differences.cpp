#include "results/differences.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <map>
#include <set>

#include "hash/sha256.hpp"
#include "json/write.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

using Members = std::map<std::string, std::string>;  // by path

std::string short_text(const bj::value& value) {
  const std::string text = value.is_string() ? std::string(value.get_string()) : json::write(value);
  constexpr std::size_t most = 40;
  constexpr std::size_t digits = 6;
  if (hash::read_hex(text)) return text.substr(0, digits);
  return text.size() <= most ? text : hash::hex(hash::sha256(text)).substr(0, digits);
}

void flatten(const bj::object& object, const std::string& front, Members& members) {
  for (const auto& member : object) {
    const std::string path = front + std::string(member.key());
    if (member.value().is_object() && !member.value().get_object().empty())
      flatten(member.value().get_object(), path + ".", members);
    else
      members[path] = short_text(member.value());
  }
}

std::string last_part(const std::string& path) {
  return path.substr(path.rfind('.') + 1);
}

/// How many of them are told apart by these members.
std::size_t told_apart(const std::vector<Members>& all, const std::vector<std::string>& paths) {
  std::set<std::vector<std::string>> found;
  for (const Members& members : all) {
    std::vector<std::string> values;
    for (const std::string& path : paths) {
      const auto at = members.find(path);
      // No value begins like this.
      values.push_back(at == members.end() ? std::string(1, '\0') : at->second);
    }
    found.insert(std::move(values));
  }
  return found.size();
}

/// Adds the member that tells most of them apart, until no further one helps.
std::vector<std::string> telling(const std::vector<Members>& all) {
  std::set<std::string> paths;
  for (const Members& members : all)
    for (const auto& [path, value] : members) paths.insert(path);
  std::vector<std::string> chosen;
  for (std::size_t best = 1;;) {
    std::string next;
    for (const std::string& path : paths) {
      chosen.push_back(path);
      if (const std::size_t found = told_apart(all, chosen); found > best)
        best = found, next = path;
      chosen.pop_back();
    }
    if (next.empty()) break;
    chosen.push_back(next);
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

}  // namespace

std::vector<std::string> differences(const std::vector<bj::value>& objects) {
  std::vector<Members> all;
  for (const bj::value& object : objects) {
    Members& members = all.emplace_back();
    if (object.is_object()) flatten(object.get_object(), "", members);
  }
  const std::vector<std::string> paths = telling(all);
  std::map<std::string, int> names;
  for (const std::string& path : paths) ++names[last_part(path)];
  std::vector<std::string> words;
  for (const Members& members : all) {
    std::string& text = words.emplace_back();
    for (const std::string& path : paths) {
      const std::string name = names[last_part(path)] > 1 ? path : last_part(path);
      const auto at = members.find(path);
      text += (text.empty() ? "" : ", ") +
              (at == members.end() ? "no " + name : name + " " + at->second);
    }
  }
  return words;
}

}  // namespace agon::report
