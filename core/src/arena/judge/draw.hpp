#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "archive/archive.hpp"

namespace agon::judge {

/// Whether a seat of a match was given an identity.
using HasIdentity = std::function<bool(const archive::MatchRow& match, int seat)>;

/// What is to be judged.
struct DrawOptions {
  std::size_t records = 30;
  std::size_t judges = 10;
  std::size_t per_record = 5;  ///< judges that rate each record
  std::uint64_t seed = 1;
  std::vector<std::string> agents{};  ///< names; empty: all
  std::string game{};                 ///< empty: all
  HasIdentity identity{};             ///< empty: nobody has one
};

/// One record: a seat of a finished match.
struct Drawn {
  std::string label;  ///< "R01": all that judges know it by
  archive::MatchId match;
  int seat = 0;
  std::vector<std::size_t> judges;  ///< from 0
};

/// Draws records, half of them of seats that were given an identity where there are enough of both
/// kinds, as the Alympics study did, and of each kind as evenly over agents as there are seats of
/// each, and gives them to judges so that all have the same number but for one. Labels tell
/// nothing: records are numbered in random order. The same archive and options give the same draw.
/// Throws Error (not_found) for an unknown agent or game or if there are fewer seats than records,
/// (usage) if a record is to have more judges than there are.
[[nodiscard]] AGON_API std::vector<Drawn> draw(const archive::Archive& archive,
                                               const DrawOptions& options);

/// The order in which a judge reads its records: indices into `drawn`.
[[nodiscard]] std::vector<std::size_t> order_of(const std::vector<Drawn>& drawn, std::size_t judge,
                                                std::uint64_t seed);

}  // namespace agon::judge
