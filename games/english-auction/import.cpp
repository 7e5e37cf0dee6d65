#include "english-auction/import.hpp"

#include <fmt/format.h>

#include <agon/data_file.hpp>
#include <agon/error.hpp>
#include <agon/importer.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <algorithm>
#include <cmath>
#include <memory>
#include <set>

#include "english-auction/settings.hpp"

namespace english_auction {

namespace {

constexpr agon::DataFormat kFileFormat{"agon.english-auction.items", 1};

/// Why a line is bad. Never leaves this file.
struct Refusal {
  std::string reason;
};

agon::Money amount(const agon::JsonNode& row, std::string_view member) {
  const auto found = row.find(member);
  if (!found || found->kind() != agon::JsonNode::Kind::number)
    throw Refusal{fmt::format("it has no number \"{}\"", member)};
  const double cents = found->number() * 100;
  if (!(cents >= 0 && cents <= kMostCents))
    throw Refusal{fmt::format("\"{}\" is not between 0 and {} dollars", member, kMostCents / 100)};
  const double whole = std::round(cents);
  if (std::abs(cents - whole) > 1e-4)
    throw Refusal{fmt::format("\"{}\" has more than two decimals", member)};
  return {static_cast<std::int64_t>(whole)};
}

/// The line as JSON, or why it is none.
std::unique_ptr<agon::JsonDocument> read(std::string_view line) {
  try {
    return std::make_unique<agon::JsonDocument>(std::string(line), "");
  } catch (const agon::Error& error) {
    throw Refusal{fmt::format("it is not JSON: {}", error.problem())};
  }
}

Item item_of(std::string_view line) {
  const auto document = read(line);
  const agon::JsonNode row = document->root();
  if (row.kind() != agon::JsonNode::Kind::object) throw Refusal{"it is not a JSON object"};
  const auto name = row.find("name");
  if (!name || name->kind() != agon::JsonNode::Kind::text || name->text().empty())
    throw Refusal{"it has no text \"name\""};
  Item item;
  item.name = name->text();
  if (item.name.size() > 60) throw Refusal{"its name is longer than 60 bytes"};
  item.price = amount(row, "price");
  item.value = amount(row, "true_value");
  if (item.price.cents == 0) throw Refusal{"its price is 0"};
  return item;
}

std::string row_of(const Item& item) {
  const auto dollars = [](agon::Money m) {
    return m.cents % 100 == 0 ? fmt::format("{}", m.cents / 100)
                              : fmt::format("{}.{:02}", m.cents / 100, m.cents % 100);
  };
  std::string name;
  agon::append_json_text(name, item.name);
  return fmt::format(R"({{"name": {}, "price": {}, "value": {}}})", name, dollars(item.price),
                     dollars(item.value));
}

}  // namespace

agon::Imported import_items(std::span<const agon::InputFile> files) {
  agon::Imported result;
  std::vector<Item> items;
  std::set<std::string> names;
  for (const agon::InputFile& file : files) {
    std::size_t number = 0;
    for (std::size_t at = 0; at < file.bytes.size();) {
      const std::size_t end = std::min(file.bytes.find('\n', at), file.bytes.size());
      const std::string_view line = std::string_view(file.bytes).substr(at, end - at);
      at = end + 1;
      ++number;
      if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
      try {
        Item item = item_of(line);
        if (!names.insert(item.name).second)
          throw Refusal{fmt::format("\"{}\" is the name of an item before it", item.name)};
        items.push_back(std::move(item));
      } catch (const Refusal& refusal) {
        result.bad_rows.push_back({file.name, number, refusal.reason});
      }
    }
  }
  const std::string where = files.empty() ? std::string{} : files.front().name;
  if (items.empty())
    throw agon::Error(agon::ErrorKind::invalid, "there is no item in it", where,
                      "each line must be a JSON object with name, price and true_value");
  if (items.size() > kMaxItems)
    throw agon::Error(agon::ErrorKind::invalid,
                      fmt::format("{} items are more than one auction holds", items.size()), where,
                      fmt::format("leave at most {}", kMaxItems));
  agon::DataSource source;
  for (const agon::InputFile& file : files)
    source.name += (source.name.empty() ? "" : ", ") + file.name;
  source.format = "AucArena's item list";
  std::vector<std::string> rows;
  for (const Item& item : items) rows.push_back(row_of(item));
  result.json = agon::write_data_file(kFileFormat, source, rows);
  result.summary = fmt::format("{} items, {} bad rows", items.size(), result.bad_rows.size());
  return result;
}

agon::Importer items_importer() {
  return {.id = "auction-items",
          .doc =
              "AucArena's item list (JSON Lines: name, price, true_value) as an item list for "
              "the setting `items` of english-auction",
          .extension = ".jsonl",
          .read = &import_items};
}

}  // namespace english_auction
