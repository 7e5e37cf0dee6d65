#pragma once

#include <agon/data_file.hpp>
#include <agon/importer.hpp>
#include <agon/plugin.hpp>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bargaining/products.hpp"

namespace bargaining {

/// A file of the AmazonHistoryPrice collection: its name without folders, and its bytes.
struct SourceFile {
  std::string name;
  std::string bytes;
};

/// An entry that could not be read, and why.
struct BadRow {
  std::string file;
  /// Position in its file, from 1.
  std::size_t index = 0;
  /// Line where the entry begins, from 1.
  std::size_t line = 0;
  std::string reason;
};

/// Every entry of every file is in one of the two.
struct Imported {
  std::vector<Product> products;
  std::vector<BadRow> bad;
};

/// Reads the files of the collection, in ascending order of their names whatever order they come
/// in (Xia et al. 2024, section 4, and the authors' code). The list price is the higher of
/// `list_price` and `highest_price`, the cost is `lowest_price`; a `description` of fewer than five
/// characters gives way to longer `features`; the codename is the category and the position in the
/// file, from 1. Other members are not looked at. Throws agon::Error (invalid) when a file is not a
/// JSON list, or two files have the same name.
[[nodiscard]] Imported import_amazon_history(std::vector<SourceFile> files);

/// Agon's own file of products: a data file (agon/data_file.hpp) of format
/// "agon.bargaining.products", version 1, one product a line like
///
///     {"codename": "books_1", "category": "books", "title": "...", "description": "...",
///      "list_price_cents": 2499, "cost_cents": 1150}
[[nodiscard]] std::string write_products(const agon::DataSource& source,
                                         std::span<const Product> products);

/// The AmazonHistoryPrice files as published -> a product file.
[[nodiscard]] agon::Importer amazon_history_importer();

}  // namespace bargaining
