#include "bargaining/importer.hpp"

#include <fmt/format.h>

#include <agon/importer.hpp>
#include <filesystem>
#include <utility>

#include "bargaining/import.hpp"

namespace bargaining {
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
