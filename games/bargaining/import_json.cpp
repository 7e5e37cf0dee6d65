#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <set>
#include <utility>

#include "bargaining/import.hpp"

namespace bargaining {
namespace {

using agon::JsonNode;

constexpr std::string_view format_name = "agon.bargaining.products";
constexpr int format_version = 1;

void append_text(std::string& out, std::string_view name, std::string_view text) {
  agon::append_json_text(out, name);
  out += ": ";
  agon::append_json_text(out, text);
}

void append_cents(std::string& out, std::string_view name, std::int64_t cents) {
  agon::append_json_text(out, name);
  out += ": ";
  agon::append_json_number(out, cents);
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

Product read_product(const JsonNode& row) {
  row.allow_only(
      {"codename", "category", "title", "description", "list_price_cents", "cost_cents"});
  Product product;
  product.codename = row["codename"].text();
  product.category = row["category"].text();
  product.title = row["title"].text();
  if (const auto description = row.find("description")) product.description = description->text();
  product.list_price_cents = row["list_price_cents"].whole();
  product.cost_cents = row["cost_cents"].whole();
  const auto found = problems(product);
  if (!found.empty()) row.fail(fmt::format("{}", fmt::join(found, ", ")), "correct the product");
  return product;
}

Source read_source(const JsonNode& from) {
  from.allow_only({"name", "format", "licence", "note"});
  const auto text = [&](std::string_view name) {
    const auto found = from.find(name);
    return std::string(found ? found->text() : "");
  };
  return {text("name"), text("format"), text("licence"), text("note")};
}

}  // namespace

std::string write_products(const ProductFile& file) {
  std::string out = "{\n  ";
  append_text(out, "format", format_name);
  out += ",\n  \"version\": ";
  agon::append_json_number(out, format_version);
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
  const agon::JsonDocument document{std::string(text), std::string(file)};
  const JsonNode root = document.root();
  root.allow_only({"format", "version", "source", "rows"});
  if (root["format"].text() != format_name) {
    root["format"].fail("this is not a file of bargaining products",
                        fmt::format("the format is \"{}\"", format_name));
  }
  if (root["version"].whole() != format_version) {
    root["version"].fail("this version of the format is not known",
                         fmt::format("use version {}", format_version));
  }
  ProductFile result;
  if (const auto source = root.find("source")) result.source = read_source(*source);
  const JsonNode rows = root["rows"];
  std::set<std::string> codenames;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    result.products.push_back(read_product(rows[i]));
    const std::string& codename = result.products.back().codename;
    if (!codenames.insert(codename).second) {
      rows[i]["codename"].fail(fmt::format("there is another product \"{}\"", codename),
                               "give it another codename");
    }
  }
  return result;
}

}  // namespace bargaining
