#pragma once

#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "support/data_rows.hpp"

/// What tests of the data of Deal or No Deal share.
namespace deal_or_no_deal::test {

/// The rows of a file of instances.
inline std::vector<Row> rows_of(std::string text) {
  std::vector<Row> rows;
  for (const auto& listed :
       agon::test::data_rows<ListedInstance>("agon.deal-or-no-deal.instances", std::move(text)))
    rows.push_back(row_of(listed));
  return rows;
}

/// What `agon import deal-or-no-deal` makes of a published file.
struct ImportedRows {
  std::string format;  ///< "tagged-dialogues"
  std::vector<Row> rows;
  std::vector<agon::BadRow> bad;
};
inline ImportedRows import_text(const std::string& bytes, const std::string& file) {
  const agon::Imported made = agon::test::import("deal-or-no-deal", {{file, bytes}});
  return {agon::test::data_frame("agon.deal-or-no-deal.instances", made.data).source.format,
          rows_of(made.data), made.bad_rows};
}

/// Equal counts and values, whatever the id and the line.
inline bool same_game(const Instance& a, const Instance& b) {
  return a.counts == b.counts && a.values == b.values;
}

}  // namespace deal_or_no_deal::test
