#include "heard.hpp"

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <charconv>

#include "describe/read.hpp"

namespace agon::worker {
namespace {

const boost::json::value& member(const boost::json::object& message, std::string_view name) {
  if (const boost::json::value* value = message.if_contains(name)) return *value;
  throw Error(ErrorKind::invalid, "the arena's message has no '" + std::string(name) + "'");
}

}  // namespace

std::string_view text_of(const boost::json::object& message, std::string_view name) {
  if (const auto* text = member(message, name).if_string()) return *text;
  throw Error(ErrorKind::invalid, "'" + std::string(name) + "' of the arena's message is no text");
}

std::int64_t number_of(const boost::json::object& message, std::string_view name) {
  const boost::json::value& value = member(message, name);
  if (value.is_int64()) return value.get_int64();
  throw Error(ErrorKind::invalid,
              "'" + std::string(name) + "' of the arena's message is no whole number");
}

bool truth_of(const boost::json::object& message, std::string_view name) {
  const boost::json::value* value = message.if_contains(name);
  return value != nullptr && value->is_bool() && value->get_bool();
}

std::vector<std::string> names_of(const boost::json::object& message) {
  std::vector<std::string> names;
  for (const boost::json::value& name : member(message, "names").as_array())
    names.emplace_back(name.as_string());
  return names;
}

std::uint64_t key_of(const boost::json::value& text) {
  std::uint64_t key = 0;
  const std::string_view digits = text.as_string();
  std::from_chars(digits.data(), digits.data() + digits.size(), key);
  return key;
}

void read_into(const Type& type, void* object, const boost::json::value& json) {
  if (const auto problem = read_value(type, object, json, Missing::is_wrong))
    throw Error(ErrorKind::failure, "the arena's value does not fit: " + problem->text());
}

Value value_of(const Type& type, const boost::json::value& json) {
  Value value(type);
  read_into(type, value.get(), json);
  return value;
}

}  // namespace agon::worker
