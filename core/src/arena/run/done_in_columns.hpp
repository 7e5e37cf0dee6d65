#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "archive/archive.hpp"
#include "archive/match_ids.hpp"

namespace agon {

/// The matches of an archive that stand in columns: which blocks and repeats are there, by agents
/// and seats. Their ids are not worked out.
class AGON_API DoneInColumns {
 public:
  /// Of the same agents on the same seats of a scenario, in order.
  class Table {
   public:
    /// The running number; nothing if the match is not there.
    [[nodiscard]] std::optional<std::int64_t> number(std::int64_t block, std::int64_t repeat) const;
    [[nodiscard]] const std::vector<archive::DoneMatch>& all() const { return all_; }

   private:
    friend class DoneInColumns;
    std::vector<archive::DoneMatch> all_;
  };

  /// Reads what is there now.
  explicit DoneInColumns(const archive::Archive& archive);

  /// Those with these ids; null if there are none.
  [[nodiscard]] const Table* find(const archive::MatchIds& ids) const;
  /// By the id of block 0 and repeat 0.
  [[nodiscard]] const std::map<archive::MatchId, Table>& tables() const { return tables_; }
  /// How many matches there are.
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::map<archive::MatchId, Table> tables_;
  std::size_t size_ = 0;
};

}  // namespace agon
