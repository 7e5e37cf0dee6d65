#include "describe/file_text.hpp"

#include <agon/conversion.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "describe/read.hpp"
#include "json/parse.hpp"

namespace agon {
namespace {

namespace bj = boost::json;

bool has(const bj::value& document, const json::Path& path) {
  const bj::value* at = &document;
  for (const json::Path::Step& step : path.steps()) {
    if (const auto* index = std::get_if<std::size_t>(&step))
      at = at->is_array() ? at->get_array().if_contains(*index) : nullptr;
    else
      at = at->is_object() ? at->get_object().if_contains(std::get<std::string>(step)) : nullptr;
    if (at == nullptr) return false;
  }
  return true;
}

/// Without the top member "$schema".
bj::value without_schema(const bj::value& document) {
  bj::object rest;
  for (const auto& member : document.get_object())
    if (member.key() != "$schema") rest.emplace(member.key(), member.value());
  return rest;
}

}  // namespace

FileText::FileText(std::string text, std::string file, std::string help)
    : text_(std::move(text)),
      file_(std::move(file)),
      help_(std::move(help)),
      document_(json::parse(text_, file_)),
      positions_(text_) {}

std::string FileText::where(const json::Path& path) const {
  return json::place(file_, position(path)) + " (" + path.str() + ")";
}

void FileText::fail(const std::string& what, const json::Path& path,
                    const std::string& mend) const {
  throw Error(ErrorKind::invalid, what, where(path), mend.empty() ? help_ : mend);
}

bool FileText::is_of(std::string_view format) const {
  const bj::object* top = document_.if_object();
  const bj::value* its = top == nullptr ? nullptr : top->if_contains("format");
  return its != nullptr && *its == bj::value(format);
}

void FileText::require_format(std::string_view format, int version, const std::string& what) const {
  if (!is_of(format))
    throw Error(ErrorKind::invalid, "this is not " + what, file_,
                "write \"format\": \"" + std::string(format) + "\"; " + help_);
  const bj::value* given = document_.get_object().if_contains("version");
  if (given != nullptr && *given != version)
    fail("this version of the format is not known", json::Path() / "version",
         "use version " + std::to_string(version));
}

void FileText::read(const Type& type, void* object) const {
  const bj::object* top = document_.if_object();
  const auto problem = top != nullptr && top->contains("$schema")
                           ? read_value(type, object, without_schema(document_), Missing::keeps)
                           : read_value(type, object, document_, Missing::keeps);
  if (problem) fail(problem->what, *json::Path::read(problem->path));
}

void FileText::check(const Type& type, const void* object) const {
  const auto problem = find_problem(type, object);
  if (!problem) return;
  const json::Path path = *json::Path::read(problem->path);
  fail(has(document_, path) ? problem->what : "is missing", path);
}

}  // namespace agon
