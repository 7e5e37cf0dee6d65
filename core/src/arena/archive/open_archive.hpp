#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "archive/added_metrics.hpp"
#include "archive/compression.hpp"
#include "archive/database/sqlite.hpp"
#include "archive/matches/match_reader.hpp"
#include "archive/matches/result_reader.hpp"
#include "archive/message_lists.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

/// What an Archive has open, for it and for its Matches and Calls.
struct OpenArchive {
  explicit OpenArchive(Connection connection);

  [[nodiscard]] bool wants(std::int64_t number) const {
    return !selection || selection->matches.has(number);
  }
  [[nodiscard]] bool wants_open(const MatchId& id) const {
    return !selection || selection->partials.contains(id);
  }

  Connection db;
  std::optional<Selection> selection{};         ///< none: everything
  std::shared_ptr<const AddedMetrics> added{};  ///< null: none
  Decompressor decompressor;
  MessageListReader lists;
  MatchReader parts;
  ResultReader results;
  Statement has_id;
  Statement get_content;
  Statement calls_of_match;
};

/// A read transaction: what is read in it fits together, whatever is committed meanwhile.
class Snapshot {
 public:
  explicit Snapshot(Connection& db) : db_(db), outer_(!db.in_transaction()) {
    if (outer_) db_.run("begin");
  }
  ~Snapshot() {
    if (outer_) db_.roll_back();
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  Connection& db_;
  bool outer_;
};

}  // namespace agon::archive
