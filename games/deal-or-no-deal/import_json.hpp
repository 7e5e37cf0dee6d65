#pragma once

#include <agon/data_file.hpp>
#include <string>
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
};

/// Writes the file, one row a line, with a line break at the end.
[[nodiscard]] std::string write_instances(const InstanceFile& file);

}  // namespace deal_or_no_deal
