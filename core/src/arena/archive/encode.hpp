#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "archive/rows.hpp"

namespace agon::archive {

/// Where a text stands, for saying what is damaged.
struct Column {
  const std::filesystem::path& file;
  std::string_view name;
};

/// The metrics of a game as the JSON text of its row, and back. `read_metric_cards` throws Error
/// for a text that `write_metric_cards` does not write.
std::string write_metric_cards(const std::vector<Metric>& metrics);
std::vector<Metric> read_metric_cards(std::string_view text, const Column& column);

/// Numbers of agents as a JSON array, and back, as above.
std::string write_numbers(const std::vector<std::int64_t>& numbers);
std::vector<std::int64_t> read_numbers(std::string_view text, const Column& column);

}  // namespace agon::archive
