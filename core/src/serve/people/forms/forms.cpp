#include "people/forms/forms.hpp"

#include <agon/conversion.hpp>
#include <agon/number_text.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>
#include <utility>

#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;
using suite_file::AskedAs;
using suite_file::FormQuestion;

bj::object choice(const std::string& name, const std::string& label) {
  return {{"name", name}, {"label", label}, {"doc", ""}};
}

bj::value bound(const std::optional<double>& value) {
  return value ? bj::value(*value) : bj::value(nullptr);
}

bj::object node_of(const FormQuestion& q, bool required, const PageTexts& texts) {
  bj::object node{{"kind", name_of(q.kind)}};
  switch (q.kind) {
    case AskedAs::number:
      node["unit"] = "";
      node["min"] = bound(q.low);
      node["max"] = bound(q.high);
      node["step"] = nullptr;
      return node;
    case AskedAs::text:
      node["min"] = required ? 1 : 0;
      node["max"] = nullptr;
      node["lines"] = true;
      return node;
    default:
      break;
  }
  bj::array choices;
  for (const std::string& one : q.choices) choices.push_back(choice(one, printable(one)));
  if (q.kind == AskedAs::scale) {
    for (double point = *q.low; point <= *q.high; ++point)
      choices.push_back(choice(number_text(point), number_text(point)));
    node["low_label"] = q.low_label;
    node["high_label"] = q.high_label;
  }
  if (!required && q.kind != AskedAs::several) {
    bj::object none = choice("", texts.say("server.no_answer"));
    none["name"] = nullptr;
    choices.push_back(std::move(none));
  }
  node["choices"] = std::move(choices);
  return node;
}

/// Without blanks around it.
std::string_view bare(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  const std::size_t from = text.find_first_not_of(kBlanks);
  return from == std::string_view::npos
             ? std::string_view{}
             : text.substr(from, text.find_last_not_of(kBlanks) - from + 1);
}

/// Reads what was typed for one question.
class EntryReader {
 public:
  EntryReader(const FormQuestion& question, bool is_quiz, const PageTexts& texts)
      : asked_(question), is_quiz_(is_quiz), texts_(texts) {}

  /// The answer; null: left out. Else why it is none.
  std::optional<bj::value> read(const bj::value* typed) {
    const bool several = asked_.kind == AskedAs::several;
    if (typed == nullptr || typed->is_null()) return left_out();
    if (several) return read_several(*typed);
    if (!typed->is_string()) return refuse("server.form_wrong");
    const std::string text(bare(typed->as_string()));
    if (text.empty()) return left_out();
    switch (asked_.kind) {
      case AskedAs::choice:
        // As the suite writes it, blanks included.
        if (!is_choice(std::string(typed->as_string()))) return refuse("server.form_wrong");
        return *typed;
      case AskedAs::text:
        return read_text(*typed);
      default:
        return read_number(text);
    }
  }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  [[nodiscard]] QuizMark mark(const bj::value& answer) const {
    const auto& right = *asked_.right;
    bool is_right = false;
    if (const auto* number = std::get_if<double>(&right))
      is_right = answer.is_number() && std::abs(answer.to_number<double>() - *number) <=
                                           1e-9 * std::max(1.0, std::abs(*number));
    else if (const auto* words = std::get_if<std::string>(&right))
      is_right = answer.is_string() &&
                 (asked_.kind == AskedAs::text
                      ? text::lower(bare(answer.as_string())) == text::lower(bare(*words))
                      : answer.as_string() == *words);
    else if (const auto* list = std::get_if<std::vector<std::string>>(&right))
      is_right = answer.is_array() && answer.as_array().size() == list->size() &&
                 std::all_of(list->begin(), list->end(), [&](const std::string& one) {
                   const bj::array& given = answer.as_array();
                   return std::find(given.begin(), given.end(), bj::value(one)) != given.end();
                 });
    return is_right ? QuizMark::right : QuizMark::wrong;
  }

 private:
  std::optional<bj::value> refuse(
      std::string_view key,
      std::initializer_list<std::pair<std::string_view, std::string_view>> holes = {}) {
    problem_ = texts_.say(key, holes);
    return {};
  }

  std::optional<bj::value> left_out() {
    if (asked_.required.value_or(true)) return refuse("server.form_required");
    return bj::value(nullptr);
  }

  [[nodiscard]] bool is_choice(const std::string& text) const {
    return std::find(asked_.choices.begin(), asked_.choices.end(), text) != asked_.choices.end();
  }

  std::optional<bj::value> read_several(const bj::value& typed) {
    if (!typed.is_array()) return refuse("server.form_wrong");
    const bj::array& given = typed.as_array();
    for (const bj::value& one : given)
      if (!one.is_string() || !is_choice(std::string(one.as_string())))
        return refuse("server.form_wrong");
    // That none is right may be what a quiz asks for.
    if (given.empty() && !is_quiz_ && asked_.required.value_or(true))
      return refuse("server.form_several");
    bj::array chosen;  // each once, in the order of the question
    for (const std::string& one : asked_.choices)
      if (std::find(given.begin(), given.end(), bj::value(one)) != given.end())
        chosen.emplace_back(one);
    return bj::value(std::move(chosen));
  }

  std::optional<bj::value> read_text(const bj::value& typed) {
    const bj::string& text = typed.as_string();
    // A character has at most four bytes: what is far too long is not looked at.
    if (text.size() > 4 * kLongestFormText ||
        static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
          return (static_cast<unsigned char>(c) & 0xc0) != 0x80;
        })) > kLongestFormText)
      return refuse("server.form_long", {{"max", std::to_string(kLongestFormText)}});
    return typed;
  }

  std::optional<bj::value> read_number(const std::string& text) {
    if (text.size() > 100) return refuse("server.form_number");
    const NumberText read = read_number_text(text, "");
    if (read.json.empty() && !read.meant.empty())
      return refuse("server.form_meant", {{"number", read.meant}});
    if (read.json.empty()) return refuse("server.form_number");
    const double number = json::parse(read.json, "a number").to_number<double>();
    if (!std::isfinite(number)) return refuse("server.form_number");
    const std::string low = asked_.low ? number_text(*asked_.low) : "";
    const std::string high = asked_.high ? number_text(*asked_.high) : "";
    if ((asked_.low && number < *asked_.low) || (asked_.high && number > *asked_.high))
      return refuse(low.empty()    ? "form.up-to"
                    : high.empty() ? "form.from"
                                   : "form.range",
                    {{"min", low}, {"max", high}});
    if (asked_.kind == AskedAs::scale && number != std::floor(number))
      return refuse("server.form_wrong");
    return json::parse(read.json, "a number");
  }

  const FormQuestion& asked_;
  bool is_quiz_;
  const PageTexts& texts_;
  std::string problem_;
};

}  // namespace

bj::object form_of(const PeopleStage& stage, const PageTexts& texts) {
  bj::array fields;
  for (const FormQuestion& q : stage.questions) {
    const bool required = q.required.value_or(true);
    fields.push_back(bj::object{{"name", q.name},
                                {"label", printable(q.ask, true)},
                                {"doc", required ? "" : texts.say("server.optional")},
                                {"node", node_of(q, required, texts)}});
  }
  return {{"kind", "struct"}, {"fields", std::move(fields)}};
}

ReadForm read_form(const PeopleStage& stage, const bj::value& typed, const PageTexts& texts) {
  ReadForm read;
  if (!typed.is_object()) {
    read.problems.push_back({"", texts.say("server.form_wrong")});
    return read;
  }
  const bj::object& members = typed.get_object();
  const bool is_quiz = stage.kind == StageKind::quiz;
  std::size_t known = 0;
  for (const FormQuestion& q : stage.questions) {
    const bj::value* entry = members.if_contains(q.name);
    known += entry != nullptr;
    EntryReader reader(q, is_quiz, texts);
    const std::optional<bj::value> answer = reader.read(entry);
    if (!answer) {
      read.problems.push_back({"/" + q.name, reader.problem()});
      continue;
    }
    FormAnswerRow row{.question = q.name, .json = json::write(*answer)};
    if (is_quiz) row.mark = reader.mark(*answer);
    read.answers.push_back(std::move(row));
  }
  if (known != members.size()) read.problems.push_back({"", texts.say("server.form_unknown")});
  if (!read.problems.empty()) read.answers.clear();
  return read;
}

bj::object typed_before(const Participant& who, std::int64_t attempt) {
  bj::object typed;
  for (const FormAnswerRow& row : who.forms) {
    if (row.stage != who.row.stage || row.attempt != attempt) continue;
    bj::value answer = json::parse(row.json, "an answer");
    if (answer.is_number()) answer = row.json;
    typed[row.question] = std::move(answer);
  }
  return typed;
}

std::string right_words(const FormQuestion& question, const PageTexts& texts) {
  if (const auto* number = std::get_if<double>(&*question.right)) return number_text(*number);
  if (const auto* text = std::get_if<std::string>(&*question.right)) return printable(*text);
  std::string words;
  for (const std::string& one : std::get<std::vector<std::string>>(*question.right))
    words += (words.empty() ? "" : texts.say("comma")) + printable(one);
  return words.empty() ? texts.say("form.none") : words;
}

}  // namespace agon::serve
