#include "people/texts.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "http/assets.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;

/// The names in braces.
std::set<std::string> holes_of(std::string_view sentence) {
  std::set<std::string> holes;
  for (std::size_t from = sentence.find('{'); from != std::string_view::npos;
       from = sentence.find('{', from + 1))
    if (const std::size_t to = sentence.find('}', from); to != std::string_view::npos)
      holes.emplace(sentence.substr(from + 1, to - from - 1));
  return holes;
}

bj::object shipped_in(const std::string& language) {
  const Asset* file = asset("texts/" + language + ".json");
  if (file == nullptr) return {};
  return json::parse(file->bytes, language + ".json").as_object();
}

}  // namespace

std::vector<std::string> Texts::shipped() {
  std::vector<std::string> there;
  for (const char* language : {"en", "de", "zh"})
    if (asset("texts/" + std::string(language) + ".json") != nullptr) there.emplace_back(language);
  return there;
}

Texts::Texts(const std::string& language, const std::string& own, const std::string& where) {
  bj::object all = shipped_in("en");
  const auto shipped = Texts::shipped();
  if (own.empty() && std::find(shipped.begin(), shipped.end(), language) == shipped.end())
    throw Error(ErrorKind::invalid, "the pages do not speak '" + language + "'", where,
                "say \"language\": en, de or zh, or give their sentences in a file of \"texts\"");
  for (const auto& sentence : shipped_in(language)) all[sentence.key()] = sentence.value();
  if (!own.empty()) {
    const bj::value read = json::parse(own, where);
    if (!read.is_object()) throw Error(ErrorKind::invalid, "must be a JSON object", where);
    std::vector<std::string> known;
    for (const auto& sentence : all) known.emplace_back(sentence.key());
    for (const auto& sentence : read.as_object()) {
      const std::string key(sentence.key());
      const std::string place = where + ": \"" + key + "\"";
      const bj::value* before = all.if_contains(key);
      if (before == nullptr)
        throw Error(ErrorKind::invalid,
                    "no page says '" + key + "'" + text::did_you_mean(key, known), place);
      if (!sentence.value().is_string()) throw Error(ErrorKind::invalid, "must be a text", place);
      const std::set<std::string> holes = holes_of(before->as_string());
      for (const std::string& hole : holes_of(sentence.value().as_string()))
        if (!holes.contains(hole))
          throw Error(ErrorKind::invalid, "nothing stands for {" + hole + "} here", place);
      all[key] = sentence.value();
    }
  }
  for (const auto& sentence : all)
    sentences_.emplace(sentence.key(), std::string(sentence.value().as_string()));
  json_ = json::write(bj::value(std::move(all)));
}

std::string Texts::say(
    std::string_view key,
    std::initializer_list<std::pair<std::string_view, std::string_view>> holes) const {
  const auto at = sentences_.find(key);
  std::string text = at == sentences_.end() ? std::string(key) : at->second;
  for (const auto& [name, value] : holes) {
    const std::string hole = "{" + std::string(name) + "}";
    for (std::size_t from = text.find(hole); from != std::string::npos;
         from = text.find(hole, from + value.size()))
      text.replace(from, hole.size(), value);
  }
  return text;
}

}  // namespace agon::serve
