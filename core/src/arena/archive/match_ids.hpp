#pragma once

#include <cstdint>

#include "archive/match_id.hpp"

namespace agon::archive {

/// Ids of matches that differ in block, position and repeat alone, for much less time each.
class AGON_API MatchIds {
 public:
  /// Of the parts as they are but for these three.
  explicit MatchIds(const MatchParts& parts);
  [[nodiscard]] MatchId operator()(std::int64_t block, std::int64_t position,
                                   std::int64_t repeat) const;

 private:
  hash::Sha256 common_;
  std::int64_t assignment_;
};

}  // namespace agon::archive
