#include "remote/message.hpp"

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "describe/description.hpp"
#include "describe/read.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "table/untyped_table.hpp"
#include "text/utf8.hpp"

namespace agon::remote {

namespace bj = boost::json;

namespace {

std::string in_quotes(std::string_view name) {
  return "'" + std::string(name) + "'";
}

}  // namespace

Message Message::read(std::string_view line) {
  bj::value value;
  try {
    value = json::parse(line, "");
  } catch (const Error& error) {
    throw BadMessage("it is not valid JSON (" + error.problem() + ")");
  }
  if (!value.is_object()) throw BadMessage("a message is a JSON object");
  Message message;
  message.members_ = std::move(value.get_object());
  message.type_ = message.text("type");
  return message;
}

Message Message::part(const bj::value& object, std::string_view what) {
  if (!object.is_object()) throw BadMessage(std::string(what) + " must be an object");
  Message message;
  message.members_ = object.get_object();
  message.type_ = what;
  return message;
}

const bj::value* Message::find(std::string_view name) const {
  const bj::value* value = members_.if_contains(name);
  return value == nullptr || value->is_null() ? nullptr : value;
}

const bj::value& Message::need(std::string_view name) const {
  const bj::value* value = find(name);
  if (value == nullptr)
    throw BadMessage("its member " + in_quotes(name) + " is missing" +
                     (type_.empty() ? "" : " in " + in_quotes(type_)));
  return *value;
}

std::string_view Message::text(std::string_view name) const {
  const bj::value& value = need(name);
  if (!value.is_string()) throw BadMessage("its member " + in_quotes(name) + " must be a text");
  return std::string_view(value.get_string());
}

std::string Message::words(std::string_view name) const {
  const std::string_view words = text(name);
  if (words.size() > kLongestText)
    throw BadMessage("its member " + in_quotes(name) + " is longer than 1 MiB");
  return std::string(words);
}

std::string_view Message::name(std::string_view member) const {
  const std::string_view name = text(member);
  if (text::width(name) > kWidestName)
    throw BadMessage("its member " + in_quotes(member) + " has more than " +
                     std::to_string(kWidestName) + " characters");
  return name;
}

std::int64_t whole_of(const bj::value& value, std::string_view what) {
  if (value.is_int64()) return value.get_int64();
  // Some languages know no whole numbers.
  const double number = value.is_double() ? value.get_double() : std::nan("");
  if (number != std::round(number) || std::abs(number) > 9e15)
    throw BadMessage(std::string(what) + " must be a whole number");
  return static_cast<std::int64_t>(number);
}

std::int64_t Message::whole(std::string_view name) const {
  return whole_of(need(name), "its member " + in_quotes(name));
}

double Message::number(std::string_view name) const {
  const bj::value& value = need(name);
  if (!value.is_number()) throw BadMessage("its member " + in_quotes(name) + " must be a number");
  return value.to_number<double>();
}

const bj::array& Message::list(std::string_view name) const {
  const bj::value& value = need(name);
  if (!value.is_array()) throw BadMessage("its member " + in_quotes(name) + " must be a list");
  return value.get_array();
}

bool Message::truth(std::string_view name) const {
  const bj::value* value = find(name);
  if (value == nullptr) return false;
  if (!value->is_bool())
    throw BadMessage("its member " + in_quotes(name) + " must be true or false");
  return value->get_bool();
}

int Message::below(std::string_view name, std::size_t n) const {
  const std::int64_t number = whole(name);
  if (number < 0 || static_cast<std::size_t>(number) >= n)
    throw BadMessage("its member " + in_quotes(name) + " is " + std::to_string(number) +
                     ", and must be a whole number from 0 to " +
                     std::to_string(static_cast<std::int64_t>(n) - 1));
  return static_cast<int>(number);
}

void read_said(Value& value, const boost::json::value& said, const std::string& what) {
  if (const auto problem = read_value(value.type(), value.get(), said, Missing::is_wrong))
    throw BadMessage(what + " does not fit: " + problem->text());
}

void put_dealt(JsonWriter& out, const Question& question) {
  const UntypedQuestion::Dealt dealt = UntypedQuestion::dealt(question);
  out.name("number").number(question.number()).name("dice").open_list();
  out.text(std::to_string(dealt.dice_key)).number(dealt.dice_place).close_list();
  out.name("attempt").number(dealt.attempt).name("memo").text(dealt.memo);
  out.name("complaint").text(dealt.complaint);
}

void read_answer(Question& question, const Message& answered) {
  if (answered.find("thought") != nullptr) question.think(answered.words("thought"));
  if (answered.find("memo") != nullptr) question.remember(answered.words("memo"));
  if (answered.find("crash") != nullptr)
    throw std::runtime_error(std::string(answered.text("crash")));
  if (answered.find("said") != nullptr) {
    question.answer_json(answered.words("said"));
  } else {
    const Type& type = question.answer_type();
    void* place = UntypedQuestion::place_of_answer(question);
    Value value(type);
    read_said(value, answered.need("answer"), "the answer");
    reset_value(type, place, value.get());
  }
  if (answered.truth("declined")) question.decline();
}

}  // namespace agon::remote
