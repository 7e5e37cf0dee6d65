#include "report/participant.hpp"

#include <fmt/format.h>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <set>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::report {
namespace {

namespace bj = boost::json;

/// "memory whole, reasoning direct": parameters that are numbers or short words.
std::string words_of(const bj::object& params) {
  std::string words;
  const auto add = [&](std::string_view name, const bj::value& value) {
    if (value.is_object()) return;
    const std::string text = value.is_string()            ? std::string(value.get_string())
                             : bj::value(value).is_null() ? std::string()
                                                          : json::write(value);
    if (text.empty() || text == "none" || text == "off" || text == "[]" || text == "false") return;
    words += fmt::format("{}{} {}", words.empty() ? "" : ", ", name, text);
  };
  for (const auto& member : params) add(member.key(), member.value());
  return words;
}

}  // namespace

Participant participant(const archive::AgentRow& row, std::int64_t seats) {
  Participant who{row.name, "?", {}, seats};
  const bj::value spec = json::parse(row.spec, "agent");
  const bj::object* members = spec.if_object();
  if (members == nullptr) return who;
  if (const bj::value* id = members->if_contains("agent"); id != nullptr && id->is_string())
    who.plays = std::string(id->get_string());
  who.is_mock = members->contains("mock");
  const bj::value* given = members->if_contains("params");
  if (given == nullptr || !given->is_object()) return who;
  bj::object params = given->get_object();
  if (const bj::value* model = params.if_contains("model");
      model != nullptr && model->is_object()) {
    const auto part = [&](const char* name) {
      const bj::value* text = model->get_object().if_contains(name);
      return text != nullptr && text->is_string() ? std::string(text->get_string()) : std::string();
    };
    if (!part("provider").empty()) {
      who.plays = part("provider") + (part("model").empty() ? "" : "/" + part("model"));
      // How a model is asked says nothing of who it is.
      for (const char* name : {"answer_seconds", "longest_text", "form"}) params.erase(name);
    }
  }
  who.with = words_of(params);
  return who;
}

std::string mock_words(const archive::Archive& archive, const std::set<std::int64_t>* rows) {
  std::set<std::string> names;
  for (const auto& [number, row] : archive.agents())
    if ((rows == nullptr || rows->contains(number)) && participant(row).is_mock)
      names.insert(row.base.empty() ? row.name : row.base);
  if (names.empty()) return {};
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "'" : ", '") + name + "'";
  return "A mock that makes up answers, and no model, played for " + list +
         ": its scores say nothing of any model.";
}

}  // namespace agon::report
