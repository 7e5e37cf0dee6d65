#pragma once

#include <agon/export.hpp>
#include <cstddef>
#include <functional>

#include "archive/archive.hpp"

namespace agon::archive {

/// Calls `each` with the matches that `archive.matches(wanted, each)` would, in the same order,
/// read by so many threads: each has the archive open for itself and reads every so-manieth block.
/// What waits to be told is a few hundred matches a thread, however many there are. Call it inside
/// `archive.together`: matches that are committed later are not told.
AGON_API void matches_by_threads(
    const Archive& archive, const Wanted& wanted, std::size_t threads,
    const std::function<bool(std::int64_t number, const MatchRow&)>& each);

}  // namespace agon::archive
