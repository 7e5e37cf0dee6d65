#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "table/match.hpp"

namespace agon {

/// The archive whose matches others go on from.
class ParentArchive {
 public:
  explicit ParentArchive(const std::filesystem::path& path);

  /// For one thread, before anything is played.
  [[nodiscard]] const archive::Archive& archive() const { return archive_; }
  /// The record of a match. From any thread, as what follows.
  [[nodiscard]] std::shared_ptr<const std::string> record(std::int64_t match);
  void each_call(const archive::MatchId& match,
                 const std::function<void(const archive::CallRow&)>& each);

 private:
  std::mutex mutex_;  ///< of reading
  archive::Archive archive_;
  std::deque<std::pair<std::int64_t, std::shared_ptr<const std::string>>> last_;  ///< read last
};

/// A match that goes on from another one; without a cut, that one itself.
struct Branch {
  archive::BranchRow row;   ///< without what only the archive that it is played in knows
  archive::MatchId parent;  ///< in its own archive
  std::optional<MatchCut> cut{};
  std::uint64_t rng_key = 0;
  std::int64_t parent_repeat = 0;  ///< BranchRow::repeat of a parent that is a branch itself
  bool another_follows = false;    ///< see MatchSetup
  std::uint64_t unchanged = 0;     ///< the parent's place in the plan
  std::string line_up{};
  std::string identity{};  ///< for the id of the match
};

/// What the matches of a scenario go on from, by PlannedMatch::branch. Its functions may be called
/// from any number of threads.
class AGON_API Branches {
 public:
  Branches(std::shared_ptr<ParentArchive> parents, std::vector<Branch> all);

  [[nodiscard]] std::string_view identity(std::uint64_t branch) const {
    return all_.at(branch).identity;
  }
  [[nodiscard]] const std::string& line_up(std::uint64_t branch) const {
    return all_.at(branch).line_up;
  }
  [[nodiscard]] std::uint64_t rng_key(std::uint64_t branch) const {
    return all_.at(branch).rng_key;
  }
  [[nodiscard]] std::uint64_t unchanged(std::uint64_t branch) const {
    return all_.at(branch).unchanged;
  }
  [[nodiscard]] const archive::BranchRow& row(std::uint64_t branch) const {
    return all_.at(branch).row;
  }
  /// Has the match go on from its parent's record; without a cut, have all of its answers.
  void set_up(std::uint64_t branch, MatchSetup& setup) const;
  /// The model calls of the parent that led to answers which the branch keeps.
  void each_call(std::uint64_t branch,
                 const std::function<void(const archive::CallRow&)>& each) const;

 private:
  std::shared_ptr<ParentArchive> parents_;
  std::vector<Branch> all_;
};

}  // namespace agon
