#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <utility>
#include <variant>
#include <vector>

#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"
#include "text/words.hpp"

namespace agon {

namespace bj = boost::json;

struct JsonDocument::Parsed {
  std::string text;
  std::string file;
  bj::value root;
};

namespace {

std::string_view view(bj::string_view text) {
  return {text.data(), text.size()};
}

const bj::value& value_at(const void* value) {
  return *static_cast<const bj::value*>(value);
}

using Step = std::variant<std::string_view, std::size_t>;

/// The way from `from` to the value at that address, which nodes do not carry, because it is wanted
/// only where something is wrong.
bool find_steps(const bj::value& from, const void* wanted, std::vector<Step>& steps) {
  if (&from == wanted) return true;
  if (const auto* list = from.if_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      steps.emplace_back(i);
      if (find_steps((*list)[i], wanted, steps)) return true;
      steps.pop_back();
    }
  } else if (const auto* object = from.if_object()) {
    for (const auto& member : *object) {
      steps.emplace_back(view(member.key()));
      if (find_steps(member.value(), wanted, steps)) return true;
      steps.pop_back();
    }
  }
  return false;
}

json::Path path_to(const bj::value& root, const void* value) {
  std::vector<Step> steps;
  find_steps(root, value, steps);
  json::Path path;
  for (const Step& step : steps) {
    const auto* index = std::get_if<std::size_t>(&step);
    path = index != nullptr ? path[*index] : path / std::get<std::string_view>(step);
  }
  return path;
}

}  // namespace

JsonDocument::JsonDocument(std::string text, std::string file) {
  auto root = json::parse(text, file);
  parsed_ =
      std::make_unique<const Parsed>(Parsed{std::move(text), std::move(file), std::move(root)});
}

JsonDocument::~JsonDocument() = default;

JsonNode JsonDocument::root() const {
  return {*this, &parsed_->root};
}

JsonNode::Kind JsonNode::kind() const {
  switch (value_at(value_).kind()) {
    case bj::kind::bool_:
      return Kind::truth;
    case bj::kind::int64:
    case bj::kind::uint64:
    case bj::kind::double_:
      return Kind::number;
    case bj::kind::string:
      return Kind::text;
    case bj::kind::array:
      return Kind::list;
    case bj::kind::object:
      return Kind::object;
    default:
      return Kind::null;
  }
}

std::string_view JsonNode::text() const {
  const auto* text = value_at(value_).if_string();
  if (text == nullptr) fail("expected a text", "write it in double quotes");
  return {text->data(), text->size()};
}

bool JsonNode::truth() const {
  const bool* truth = value_at(value_).if_bool();
  if (truth == nullptr) fail("expected true or false", "write true or false");
  return *truth;
}

double JsonNode::number() const {
  const bj::value& value = value_at(value_);
  if (const auto* exact = value.if_double()) return *exact;
  if (const auto* small = value.if_int64()) return static_cast<double>(*small);
  if (const auto* large = value.if_uint64()) return static_cast<double>(*large);
  fail("expected a number", "write a number without quotes");
}

std::string JsonNode::number_text() const {
  if (kind() != Kind::number) fail("expected a number", "write a number without quotes");
  return write();
}

std::int64_t JsonNode::whole(std::int64_t lowest, std::int64_t highest) const {
  using Limits = std::numeric_limits<std::int64_t>;
  const auto* number = value_at(value_).if_int64();
  if (number != nullptr && *number >= lowest && *number <= highest) return *number;
  const std::string from = lowest == Limits::min() ? "" : fmt::format(" from {}", lowest);
  const std::string to = highest == Limits::max() ? "" : fmt::format(" to {}", highest);
  fail(fmt::format("expected a whole number{}{}", from, to),
       fmt::format("write a whole number{}{}", from, to));
}

std::size_t JsonNode::size() const {
  const auto* list = value_at(value_).if_array();
  if (list == nullptr) fail("expected a list", "write [...]");
  return list->size();
}

JsonNode JsonNode::operator[](std::size_t index) const {
  const auto* list = value_at(value_).if_array();
  if (list == nullptr) fail("expected a list", "write [...]");
  if (index >= list->size()) {
    fail(fmt::format("this list has {} elements, too few", list->size()), "add the missing ones");
  }
  return {*document_, &(*list)[index]};
}

JsonNode JsonNode::operator[](std::string_view name) const {
  if (const auto found = find(name)) return *found;
  fail(fmt::format("missing key \"{}\"", name), fmt::format("add \"{}\"", name));
}

std::optional<JsonNode> JsonNode::find(std::string_view name) const {
  const auto* object = value_at(value_).if_object();
  if (object == nullptr) fail("expected an object", "write {...}");
  const bj::value* found = object->if_contains({name.data(), name.size()});
  if (found == nullptr) return std::nullopt;
  return JsonNode(*document_, found);
}

std::size_t JsonNode::member_count() const {
  const auto* object = value_at(value_).if_object();
  if (object == nullptr) fail("expected an object", "write {...}");
  return object->size();
}

std::string_view JsonNode::name(std::size_t index) const {
  const std::size_t count = member_count();
  if (index >= count) {
    fail(fmt::format("this object has {} members, too few", count), "add the missing ones");
  }
  const auto* object = value_at(value_).if_object();
  return view((object->begin() + static_cast<std::ptrdiff_t>(index))->key());
}

JsonNode JsonNode::member(std::size_t index) const {
  return (*this)[name(index)];
}

void JsonNode::allow_only(std::initializer_list<std::string_view> names) const {
  const auto* object = value_at(value_).if_object();
  if (object == nullptr) fail("expected an object", "write {...}");
  for (const auto& member : *object) {
    const std::string_view key = view(member.key());
    if (std::find(names.begin(), names.end(), key) != names.end()) continue;
    const std::string nearest = text::nearest(key, {names.begin(), names.end()});
    JsonNode(*document_, &member.value())
        .fail(fmt::format("unknown key \"{}\"", key),
              nearest.empty() ? fmt::format("use only {}", fmt::join(names, ", "))
                              : fmt::format("did you mean \"{}\"?", nearest));
  }
}

void JsonNode::fail(std::string problem, std::string hint) const {
  const JsonDocument::Parsed& parsed = *document_->parsed_;
  throw Error(ErrorKind::invalid, std::move(problem),
              json::place(parsed.file, parsed.text, path_to(parsed.root, value_)), std::move(hint));
}

std::string JsonNode::path() const {
  return path_to(document_->parsed_->root, value_).str();
}

std::size_t JsonNode::line() const {
  const JsonDocument::Parsed& parsed = *document_->parsed_;
  return json::position_of(parsed.text, path_to(parsed.root, value_)).line;
}

std::vector<std::size_t> JsonNode::element_lines() const {
  const std::size_t count = size();
  const JsonDocument::Parsed& parsed = *document_->parsed_;
  return json::lines_of_elements(parsed.text, path_to(parsed.root, value_), count);
}

std::string JsonNode::write() const {
  return json::write(value_at(value_));
}

void append_json_text(std::string& out, std::string_view text) {
  json::append_string(out, text);
}

void append_json_number(std::string& out, double number) {
  json::append_number(out, number);
}

}  // namespace agon
