// Questions of forms that the suite asks people, checked.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "describe/value.hpp"
#include "suite/people/people_stages.hpp"

namespace agon {
namespace {

using suite_file::AskedAs;
using suite_file::FormQuestion;

/// The most that are shown as a row of buttons.
constexpr double kLongestScale = 21;
constexpr double kFarthestEnd = 999'999;

/// Checks one question.
class QuestionChecker {
 public:
  QuestionChecker(const FileText& text, json::Path path, const FormQuestion& question, bool is_quiz)
      : text_(text), path_(std::move(path)), said_(question), is_quiz_(is_quiz) {}

  void check() const {
    if (said_.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") != std::string::npos)
      text_.fail("a question's name has small letters, digits, - and _", path_ / "name",
                 "write \"age\"");
    if (said_.ask.find_first_not_of(" \t\r\n") == std::string::npos)
      text_.fail("the question has no words", path_ / "ask", "write what people are asked");
    check_choices();
    check_bounds();
    check_place();
    if (is_quiz_) check_right();
  }

 private:
  [[nodiscard]] bool has_choices() const {
    return said_.kind == AskedAs::choice || said_.kind == AskedAs::several;
  }

  void check_choices() const {
    const json::Path path = path_ / "choices";
    if (!has_choices()) {
      if (!said_.choices.empty())
        text_.fail(fmt::format("a {} has no choices", agon::name_of(said_.kind)), path,
                   "leave them out, or write \"kind\": \"choice\"");
      return;
    }
    if (said_.choices.size() < 2)
      text_.fail("there is nothing to choose from", path, "name at least two choices");
    std::set<std::string> taken;
    for (std::size_t i = 0; i < said_.choices.size(); ++i) {
      if (said_.choices[i].empty() || said_.choices[i].size() > 1000)
        text_.fail("a choice has 1 to 1000 bytes", path[i]);
      if (!taken.insert(said_.choices[i]).second)
        text_.fail("duplicate choice '" + said_.choices[i] + "'", path[i]);
    }
  }

  void check_bounds() const {
    const bool is_scale = said_.kind == AskedAs::scale;
    if (!is_scale && (!said_.low_label.empty() || !said_.high_label.empty()))
      text_.fail("only a scale has labels at its ends",
                 path_ / (said_.low_label.empty() ? "high_label" : "low_label"));
    if (!is_scale && said_.kind != AskedAs::number) {
      if (said_.low || said_.high)
        text_.fail("only a number and a scale have low and high",
                   path_ / (said_.low ? "low" : "high"));
      return;
    }
    if (said_.low && said_.high && *said_.low >= *said_.high)
      text_.fail("low is not below high", path_ / "low");
    if (!is_scale) return;
    if (!said_.low || !said_.high)
      text_.fail("a scale has a low and a high end", path_ / (said_.low ? "high" : "low"),
                 "write \"low\": 1, \"high\": 7");
    for (const auto& [name, end] : {std::pair("low", *said_.low), std::pair("high", *said_.high)})
      if (end != std::floor(end) || std::abs(end) > kFarthestEnd)
        text_.fail("the ends of a scale are whole numbers below a million", path_ / name);
    if (*said_.high - *said_.low + 1 > kLongestScale)
      text_.fail(fmt::format("a scale has at most {} points", kLongestScale), path_ / "high",
                 "ask for a number instead");
  }

  void check_place() const {
    if (is_quiz_ && said_.required == false)
      text_.fail("a quiz lets nobody on who leaves a question out", path_ / "required",
                 "leave it out, or make it a questionnaire");
    if (is_quiz_) return;
    if (said_.right) text_.fail("only a quiz has right answers", path_ / "right", "write \"quiz\"");
    if (!said_.explain.empty())
      text_.fail("only a quiz explains its answers", path_ / "explain", "write \"quiz\"");
  }

  [[nodiscard]] bool is_choice(const std::string& text) const {
    return std::find(said_.choices.begin(), said_.choices.end(), text) != said_.choices.end();
  }

  void check_right() const {
    const json::Path path = path_ / "right";
    if (!said_.right)
      text_.fail("the question '" + said_.name + "' has no right answer", path_,
                 "write \"right\", or ask it in a questionnaire");
    const auto* number = std::get_if<double>(&*said_.right);
    const auto* words = std::get_if<std::string>(&*said_.right);
    const auto* list = std::get_if<std::vector<std::string>>(&*said_.right);
    switch (said_.kind) {
      case AskedAs::choice:
        if (words == nullptr || !is_choice(*words))
          text_.fail("the right answer is not one of the choices", path, "write it as it is there");
        return;
      case AskedAs::several:
        if (list == nullptr) text_.fail("of several, the right answer is a list", path);
        for (std::size_t i = 0; i < list->size(); ++i) {
          if (!is_choice((*list)[i]))
            text_.fail("the right answer is not one of the choices", path[i],
                       "write it as it is there");
          if (std::find(list->begin(), list->begin() + static_cast<std::ptrdiff_t>(i),
                        (*list)[i]) != list->begin() + static_cast<std::ptrdiff_t>(i))
            text_.fail("duplicate choice '" + (*list)[i] + "'", path[i]);
        }
        return;
      case AskedAs::number:
      case AskedAs::scale:
        if (number == nullptr) text_.fail("the right answer is a number", path);
        if ((said_.low && *number < *said_.low) || (said_.high && *number > *said_.high))
          text_.fail("the right answer is out of bounds", path, "between low and high");
        if (said_.kind == AskedAs::scale && *number != std::floor(*number))
          text_.fail("the right answer is no point of the scale", path);
        return;
      case AskedAs::text:
        if (words == nullptr || words->find_first_not_of(" \t\r\n") == std::string::npos)
          text_.fail("the right answer is a text", path);
        if (words->size() > kLongestFormText)
          text_.fail("the right answer is longer than anything that can be answered", path);
        return;
    }
  }

  const FileText& text_;
  json::Path path_;
  const FormQuestion& said_;
  bool is_quiz_;
};

}  // namespace

void check_questions(const FileText& text, const json::Path& path,
                     const std::vector<FormQuestion>& questions, bool is_quiz) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < questions.size(); ++i) {
    QuestionChecker(text, path[i], questions[i], is_quiz).check();
    if (!taken.insert(questions[i].name).second)
      text.fail("duplicate question name '" + questions[i].name + "'", path[i] / "name",
                "give each its own name");
  }
}

}  // namespace agon
