#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <initializer_list>
#include <set>
#include <utility>

#include "bargaining/import.hpp"
#include "json/parse.hpp"
#include "json/path.hpp"
#include "json/write.hpp"

namespace bargaining {
namespace {

namespace json = agon::json;
using boost::json::object;
using boost::json::value;

constexpr std::string_view format_name = "agon.bargaining.products";
constexpr int format_version = 1;

void append_text(std::string& out, std::string_view name, std::string_view text) {
  json::append_string(out, name);
  out += ": ";
  json::append_string(out, text);
}

void append_cents(std::string& out, std::string_view name, std::int64_t cents) {
  json::append_string(out, name);
  out += ": ";
  json::append_number(out, cents);
}

void append_product(std::string& out, const Product& product) {
  out += '{';
  append_text(out, "codename", product.codename);
  out += ", ";
  append_text(out, "category", product.category);
  out += ", ";
  append_text(out, "title", product.title);
  out += ", ";
  append_text(out, "description", product.description);
  out += ", ";
  append_cents(out, "list_price_cents", product.list_price_cents);
  out += ", ";
  append_cents(out, "cost_cents", product.cost_cents);
  out += '}';
}

/// Reads members and says where one is wrong.
class Reader {
 public:
  Reader(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  [[noreturn]] void fail(const json::Path& path, std::string problem, std::string mend) const {
    throw agon::Error(agon::ErrorKind::invalid, std::move(problem), json::place(file_, text_, path),
                      std::move(mend));
  }

  /// The value as an object that has no members but these.
  const object& members(const value& from, const json::Path& path,
                        std::initializer_list<std::string_view> names) const {
    if (!from.is_object()) fail(path, "this is not an object", "write {...}");
    for (const auto& member : from.get_object()) {
      const std::string_view key(member.key().data(), member.key().size());
      if (std::find(names.begin(), names.end(), key) == names.end()) {
        fail(path / key, fmt::format("\"{}\" is not known here", key),
             fmt::format("use only {}", fmt::join(names, ", ")));
      }
    }
    return from.get_object();
  }

  const value& member(const object& from, const json::Path& path, std::string_view name) const {
    const value* found = from.if_contains({name.data(), name.size()});
    if (found == nullptr) {
      fail(path, fmt::format("\"{}\" is missing", name), fmt::format("add \"{}\"", name));
    }
    return *found;
  }

  std::string text(const object& from, const json::Path& path, std::string_view name) const {
    const value& found = member(from, path, name);
    if (!found.is_string()) fail(path / name, "this is not a text", "write it in quotes");
    return {found.get_string().data(), found.get_string().size()};
  }

  std::string optional_text(const object& from, const json::Path& path,
                            std::string_view name) const {
    const bool there = from.if_contains({name.data(), name.size()}) != nullptr;
    return there ? text(from, path, name) : std::string();
  }

  std::int64_t whole(const object& from, const json::Path& path, std::string_view name) const {
    const value& found = member(from, path, name);
    if (!found.is_int64()) fail(path / name, "this is not a whole number", "write whole cents");
    return found.get_int64();
  }

 private:
  std::string_view text_;
  std::string_view file_;
};

Product read_product(const Reader& reader, const value& from, const json::Path& path) {
  const auto& row = reader.members(
      from, path,
      {"codename", "category", "title", "description", "list_price_cents", "cost_cents"});
  Product product;
  product.codename = reader.text(row, path, "codename");
  product.category = reader.text(row, path, "category");
  product.title = reader.text(row, path, "title");
  product.description = reader.optional_text(row, path, "description");
  product.list_price_cents = reader.whole(row, path, "list_price_cents");
  product.cost_cents = reader.whole(row, path, "cost_cents");
  const auto found = problems(product);
  if (!found.empty()) {
    reader.fail(path, fmt::format("{}", fmt::join(found, ", ")), "correct the product");
  }
  return product;
}

}  // namespace

std::string write_products(const ProductFile& file) {
  std::string out = "{\n  ";
  append_text(out, "format", format_name);
  out += ",\n  \"version\": ";
  json::append_number(out, format_version);
  out += ",\n  \"source\": {";
  append_text(out, "name", file.source.name);
  out += ", ";
  append_text(out, "format", file.source.format);
  out += ", ";
  append_text(out, "licence", file.source.licence);
  out += ", ";
  append_text(out, "note", file.source.note);
  out += "},\n  \"rows\": [";
  for (std::size_t i = 0; i < file.products.size(); ++i) {
    out += i == 0 ? "\n" : ",\n";
    append_product(out, file.products[i]);
  }
  out += "\n  ]\n}\n";
  return out;
}

ProductFile read_products(std::string_view text, std::string_view file) {
  const value root = json::parse(text, file);
  const Reader reader(text, file);
  const json::Path top;
  const auto& whole = reader.members(root, top, {"format", "version", "source", "rows"});
  if (reader.text(whole, top, "format") != format_name) {
    reader.fail(top / "format", "this is not a file of bargaining products",
                fmt::format("the format is \"{}\"", format_name));
  }
  const value& version = reader.member(whole, top, "version");
  if (!version.is_int64() || version.get_int64() != format_version) {
    reader.fail(top / "version", "this version of the format is not known",
                fmt::format("use version {}", format_version));
  }
  ProductFile result;
  if (const value* source = whole.if_contains("source")) {
    const auto path = top / "source";
    const auto& members = reader.members(*source, path, {"name", "format", "licence", "note"});
    result.source.name = reader.optional_text(members, path, "name");
    result.source.format = reader.optional_text(members, path, "format");
    result.source.licence = reader.optional_text(members, path, "licence");
    result.source.note = reader.optional_text(members, path, "note");
  }
  const value& rows = reader.member(whole, top, "rows");
  const auto rows_path = top / "rows";
  if (!rows.is_array()) reader.fail(rows_path, "this is not a list", "write [...]");
  std::set<std::string> codenames;
  for (std::size_t i = 0; i < rows.get_array().size(); ++i) {
    result.products.push_back(read_product(reader, rows.get_array()[i], rows_path[i]));
    const std::string& codename = result.products.back().codename;
    if (!codenames.insert(codename).second) {
      reader.fail(rows_path[i] / "codename",
                  fmt::format("there is another product \"{}\"", codename),
                  "give it another codename");
    }
  }
  return result;
}

}  // namespace bargaining
