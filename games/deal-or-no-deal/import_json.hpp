#pragma once

#include <agon/data_file.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/import.hpp"

namespace deal_or_no_deal {

/// Agon's own file of instances: a data file (agon/data_file.hpp) of format
/// "agon.deal-or-no-deal.instances", version 1, with rows like
///
///     {"id": "a-1", "line": 1, "counts": [1, 4, 1], "values": [[4, 1, 2], [2, 2, 0]],
///      "human": {"ending": "agreed", "messages": 5, "split": [[1, 0, 1], [0, 4, 0]]}}
///
/// `line` (of the source), `human` and its `split` may be absent; `ending` is one of agreed,
/// disagreed, no-agreement and disconnected; an agreement has a split, anything else has none.
/// Nothing else may be in one.
struct InstanceFile {
  agon::DataSource source;
  std::vector<Row> rows;

  friend bool operator==(const InstanceFile&, const InstanceFile&) = default;
};

/// Writes the file, one row a line, with a line break at the end.
[[nodiscard]] std::string write_instances(const InstanceFile& file);

/// Reads what write_instances() writes. Throws agon::Error (invalid) with file, line and JSON path
/// when it is no such file, has another version, an instance is not valid, two have the same id, a
/// split does not give out exactly what there is, or a member is missing, unknown or of the wrong
/// kind.
[[nodiscard]] InstanceFile read_instances(std::string_view text, std::string_view file);

}  // namespace deal_or_no_deal
