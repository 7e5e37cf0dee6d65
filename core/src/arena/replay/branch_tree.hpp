#pragma once

#include <agon/describe.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon {

struct ToldMatch;

/// What a branch is, "at question 5 (Bob, reply): answer 3"; of a parent, which match it is.
[[nodiscard]] AGON_API std::string branch_words(const archive::BranchRow& row,
                                                const std::vector<archive::SeatRow>& seats);

/// Which matches of an archive branch from which.
class AGON_API BranchTree {
 public:
  /// The archive must outlive it.
  explicit BranchTree(const archive::Archive& archive);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Null: the match is no branch, and none branches from it.
  [[nodiscard]] const archive::BranchRow* row(const archive::MatchId& match) const;
  /// The running numbers of the finished matches of a tree: the parent first, then its branches by
  /// cut and number; of a match that is in none, its own.
  [[nodiscard]] std::vector<std::int64_t> of(const archive::MatchId& match) const;

 private:
  const archive::Archive& archive_;
  std::map<archive::MatchId, archive::BranchRow> rows_;
  std::map<archive::MatchId, std::vector<archive::MatchId>> trees_;  ///< by the parent
};

/// Steps of two matches that belong together; one alone where the other has none like it.
struct StepPair {
  std::optional<std::int64_t> left{};
  std::optional<std::int64_t> right{};
  bool differs = true;
};
AGON_DESCRIBE(StepPair, (left, "place of the step in the first match, from 0", left_out),
              (right, "likewise in the second", left_out), (differs, "they are not the same"))

/// Two matches side by side from where they part on.
struct SideBySide {
  std::int64_t same = 0;
  std::vector<StepPair> steps{};
};
AGON_DESCRIBE(SideBySide, (same, "how many steps are the same in both, from the start"),
              (steps, "those after them, in order: answers to one question stand side by side"))

[[nodiscard]] AGON_API SideBySide side_by_side(const ToldMatch& left, const ToldMatch& right);

}  // namespace agon
