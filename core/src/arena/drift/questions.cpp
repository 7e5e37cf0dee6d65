#include "drift/questions.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/parse.hpp>
#include <boost/json/value.hpp>

#include "json/parse.hpp"
#include "json/write.hpp"

namespace agon::drift {
namespace {

namespace bj = boost::json;

constexpr std::size_t kMostBytes = 4000;

bool is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

Error wrong(const std::string& problem, const std::string& file, const std::string& path) {
  return {ErrorKind::invalid, problem, file + ": " + path};
}

Question read_question(const bj::value& entry, const std::string& file, const std::string& path) {
  if (!entry.is_object()) throw wrong("a question is an object", file, path);
  Question q;
  for (const auto& member : entry.get_object()) {
    const std::string_view name = member.key();
    const bj::value& value = member.value();
    if (name == "name" && value.is_string())
      q.name = value.get_string();
    else if (name == "ask" && value.is_string())
      q.probe.text = value.get_string();
    else if (name == "schema" && value.is_object())
      q.probe.schema = json::write(value);
    else if (name == "answer")
      q.answer = value.is_string() ? std::string(value.get_string()) : json::write(value);
    else
      throw wrong("a question has name, ask, schema and answer", file,
                  path + "." + std::string(name));
  }
  if (q.name.empty() || q.probe.text.empty())
    throw wrong("a question needs a name and what to ask", file, path);
  return q;
}

}  // namespace

Questions Questions::read(const std::string& file) {
  return parse(json::read_file(file), file);
}

Questions Questions::parse(std::string text, const std::string& file) {
  Questions questions;
  const bj::value document = json::parse(text, file);
  const bj::value* list =
      document.is_object() ? document.get_object().if_contains("questions") : nullptr;
  if (list == nullptr || !list->is_array() || list->get_array().empty() ||
      !document.get_object().contains("format") || document.at("format") != "agon.drift" ||
      !document.get_object().contains("version") || document.at("version") != 1)
    throw Error(ErrorKind::invalid, "these are no questions of a drift check", file,
                "it is an object with format \"agon.drift\", version 1 and a list of questions");
  for (std::size_t i = 0; i < list->get_array().size(); ++i)
    questions.all.push_back(
        read_question(list->get_array()[i], file, "$.questions[" + std::to_string(i) + "]"));
  questions.digest = hash::sha256(text);
  questions.text = std::move(text);
  return questions;
}

std::string evened(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_space(c))
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  if (out.ends_with(' ')) out.pop_back();
  if (out.ends_with('.')) out.pop_back();
  return out;
}

bool is_right(std::string_view said, std::string_view answer) {
  if (evened(said) == evened(answer)) return true;
  boost::system::error_code no_answer;
  const bj::value right = bj::parse(answer, no_answer);
  boost::system::error_code no_json;
  const bj::value value = bj::parse(said, no_json);
  return !no_answer && !no_json && right == value;
}

double distance(std::string_view a, std::string_view b) {
  const std::string x = evened(a.substr(0, kMostBytes));
  const std::string y = evened(b.substr(0, kMostBytes));
  if (x == y) return 0;
  std::vector<std::size_t> row(y.size() + 1);
  for (std::size_t j = 0; j <= y.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const std::size_t change = diagonal + (x[i - 1] == y[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({change, row[j] + 1, row[j - 1] + 1});
    }
  }
  return static_cast<double>(row.back()) / static_cast<double>(std::max(x.size(), y.size()));
}

}  // namespace agon::drift
