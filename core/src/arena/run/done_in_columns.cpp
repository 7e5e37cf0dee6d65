#include "run/done_in_columns.hpp"

#include <algorithm>
#include <span>
#include <tuple>

namespace agon {
namespace {

bool is_before(const archive::DoneMatch& a, const archive::DoneMatch& b) {
  return std::tie(a.block, a.repeat) < std::tie(b.block, b.repeat);
}

}  // namespace

DoneInColumns::DoneInColumns(const archive::Archive& archive) {
  archive.done_in_columns(
      [this](const archive::MatchId& first, std::span<const archive::DoneMatch> some) {
        std::vector<archive::DoneMatch>& all = tables_[first].all_;
        all.insert(all.end(), some.begin(), some.end());
        size_ += some.size();
      });
  for (auto& [first, table] : tables_)
    if (!std::is_sorted(table.all_.begin(), table.all_.end(), is_before))
      std::sort(table.all_.begin(), table.all_.end(), is_before);
}

const DoneInColumns::Table* DoneInColumns::find(const archive::MatchIds& ids) const {
  if (tables_.empty()) return nullptr;
  const auto at = tables_.find(ids(0, 0, 0));
  return at == tables_.end() ? nullptr : &at->second;
}

std::optional<std::int64_t> DoneInColumns::Table::number(std::int64_t block,
                                                         std::int64_t repeat) const {
  const archive::DoneMatch wanted{block, repeat, 0};
  const auto at = std::lower_bound(all_.begin(), all_.end(), wanted, is_before);
  if (at == all_.end() || is_before(wanted, *at)) return std::nullopt;
  return at->number;
}

}  // namespace agon
