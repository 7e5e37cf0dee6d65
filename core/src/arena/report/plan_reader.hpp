#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "archive/archive.hpp"
#include "report/results.hpp"

namespace agon::report {

/// Name of the seat metric that counts plans: matches in which it is over 0 have notes on items.
inline constexpr std::string_view plans_metric = "plans";

/// Reads, from the records of matches, what became of the items that an agent planned for: the
/// notes "engagement" of the English auction, one a bidder and item, with the members bidder,
/// initial_priority, current_priority, bids and won.
class PlanReader {
 public:
  PlanReader(const archive::Archive& archive, std::size_t most_items)
      : archive_(archive), most_(most_items) {}

  /// Adds the counted seats of a finished match that was read with its record. Items without a
  /// priority are left out. Notes of another form are skipped.
  void add(const archive::MatchRow& match, std::map<std::size_t, PlanPairs>& agents);

 private:
  const archive::Archive& archive_;
  std::size_t most_;
  record::RecordedTypes recorded_{
      [this](const hash::Digest& shape) { return archive_.content(shape); }};
};

}  // namespace agon::report
