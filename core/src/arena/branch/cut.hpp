#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "table/match.hpp"

namespace agon::branch {

/// A question of a match that was played.
struct CutQuestion {
  std::uint32_t number = 0;  ///< as `agon show --json` has it, from 0
  std::uint32_t last = 0;    ///< of those that were asked at the same time; the same if none was
  int seat = 0;
  std::string stage;
  std::string no_cut;  ///< why no other answer to it can change the match; empty: one can
};

/// The questions of a recorded match, by number; `replay`: the match as it is replayed. Throws
/// Error (invalid) where it does not come out byte for byte as it is recorded.
[[nodiscard]] AGON_API std::vector<CutQuestion> questions_of(const MatchSetup& replay);

/// Why an answer, as JSON, is not accepted at a question, in the words that its seat would read;
/// empty: it is.
[[nodiscard]] AGON_API std::string why_not_accepted(const MatchSetup& replay,
                                                    const CutQuestion& question,
                                                    const std::string& answer);

}  // namespace agon::branch
