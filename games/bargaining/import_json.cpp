#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <set>
#include <utility>

#include "bargaining/import.hpp"

namespace bargaining {
namespace {

using agon::JsonNode;

constexpr agon::DataFormat file_format{"agon.bargaining.products", 1, "bargaining products"};

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

std::string row_of(const Product& product) {
  std::string out = "{";
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
  return out;
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

}  // namespace

std::string write_products(const ProductFile& file) {
  std::vector<std::string> rows;
  for (const Product& product : file.products) rows.push_back(row_of(product));
  return agon::write_data_file(file_format, file.source, rows);
}

ProductFile read_products(std::string_view text, std::string_view file) {
  const agon::JsonDocument document{std::string(text), std::string(file)};
  auto [source, rows] = agon::read_data_file(file_format, document);
  ProductFile result;
  result.source = std::move(source);
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
