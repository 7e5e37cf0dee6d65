#include "bargaining/importer.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace bargaining {
namespace {

using agon::JsonNode;

/// A description with fewer characters than this says nothing ("NA", "TBD").
constexpr std::size_t kShortestDescription = 5;

/// Why an entry is bad. Never leaves this file.
struct Refusal {
  std::string reason;
};

/// Characters, not bytes, of UTF-8 text.
std::size_t length(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

/// A text that may be absent or null.
std::string text_or_nothing(const JsonNode& entry, std::string_view name) {
  const auto found = entry.find(name);
  if (!found || found->kind() == JsonNode::Kind::null) return {};
  if (found->kind() != JsonNode::Kind::text) {
    throw Refusal{fmt::format("\"{}\" is not a text", name)};
  }
  return std::string(found->text());
}

std::string required_text(const JsonNode& entry, std::string_view name) {
  std::string found = text_or_nothing(entry, name);
  if (found.empty()) throw Refusal{fmt::format("\"{}\" is missing or empty", name)};
  return found;
}

std::int64_t price(const JsonNode& entry, std::string_view name) {
  const std::string found = required_text(entry, name);
  const auto cents = parse_price(found);
  if (!cents) throw Refusal{fmt::format("\"{}\" is \"{}\", which is no price", name, found)};
  return *cents;
}

Product product_of(const JsonNode& entry, std::size_t index) {
  if (entry.kind() != JsonNode::Kind::object) throw Refusal{"the entry is not an object"};
  Product product;
  product.category = required_text(entry, "category");
  product.codename = fmt::format("{}_{}", product.category, index);
  product.title = required_text(entry, "title");
  product.description = text_or_nothing(entry, "description");
  if (length(product.description) < kShortestDescription) {
    std::string features = text_or_nothing(entry, "features");
    if (length(features) > length(product.description)) product.description = std::move(features);
  }
  const std::int64_t list = price(entry, "list_price");
  const std::int64_t highest = price(entry, "highest_price");
  product.list_price_cents = std::max(list, highest);
  product.cost_cents = price(entry, "lowest_price");
  const auto found = problems(product);
  if (!found.empty()) throw Refusal{fmt::format("{}", fmt::join(found, ", "))};
  return product;
}

void import_file(const SourceFile& file, Imported& result) {
  const agon::JsonDocument document(file.bytes, file.name);
  const JsonNode entries = document.root();
  if (entries.kind() != JsonNode::Kind::list) {
    entries.fail("this is not a list of products", "give a file of the collection: [{...}, ...]");
  }
  std::vector<std::size_t> lines;  // of all entries, once one is bad
  for (std::size_t i = 0; i < entries.size(); ++i) {
    try {
      result.products.push_back(product_of(entries[i], i + 1));
    } catch (const Refusal& refusal) {
      if (lines.empty()) lines = entries.element_lines();
      result.bad.push_back({file.name, i + 1, lines[i], refusal.reason});
    }
  }
}

std::string json_text(std::string_view text) {
  std::string out;
  agon::append_json_text(out, text);
  return out;
}

}  // namespace

Imported import_amazon_history(std::vector<SourceFile> files) {
  std::sort(files.begin(), files.end(),
            [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  const auto twice =
      std::adjacent_find(files.begin(), files.end(),
                         [](const SourceFile& a, const SourceFile& b) { return a.name == b.name; });
  if (twice != files.end()) {
    throw agon::Error(agon::ErrorKind::invalid, "there are two files with this name", twice->name,
                      "give each file once");
  }
  Imported result;
  for (const SourceFile& file : files) import_file(file, result);
  return result;
}

std::string write_products(const agon::DataSource& source, std::span<const Product> products) {
  std::vector<std::string> rows;
  for (const Product& p : products)
    rows.push_back(
        fmt::format(R"({{"codename": {}, "category": {}, "title": {}, "description": {}, )"
                    R"("list_price_cents": {}, "cost_cents": {}}})",
                    json_text(p.codename), json_text(p.category), json_text(p.title),
                    json_text(p.description), p.list_price_cents, p.cost_cents));
  return agon::write_data_file({"agon.bargaining.products", 1}, source, rows);
}

namespace {

agon::Imported read(std::span<const agon::InputFile> files) {
  std::vector<SourceFile> sources;
  for (const agon::InputFile& file : files)
    sources.push_back({std::filesystem::path(file.name).filename().string(), file.bytes});
  Imported found = import_amazon_history(std::move(sources));

  agon::Imported result;
  for (BadRow& row : found.bad)
    result.bad_rows.push_back({std::move(row.file), row.line, std::move(row.reason)});
  const InterestCounts counts = count_interests(found.products);
  result.summary = fmt::format(
      "{} products from {} files; at a budget of 0.8 of the list price {} have mutual and {} "
      "conflicting interest",
      found.products.size(), files.size(), counts.mutual, counts.conflicting);
  result.json =
      write_products({"AmazonHistoryPrice", "JSON files as published", {}, {}}, found.products);
  return result;
}

}  // namespace

agon::Importer amazon_history_importer() {
  return {.id = "amazon-history-price",
          .doc =
              "Reads the JSON files of the AmazonHistoryPrice collection, one a category, and "
              "makes a product file for the game bargaining",
          .extension = ".json",
          .read = &read};
}

}  // namespace bargaining
