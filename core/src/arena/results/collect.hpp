#pragma once

#include <agon/export.hpp>
#include <string>

#include "archive/archive.hpp"
#include "results/results.hpp"

namespace agon::report {

/// How an archive is read.
struct CollectOptions {
  FaultPolicy policy = FaultPolicy::as_played;
  /// A scenario with more blocks than this has neighbouring blocks counted together (or, if it is
  /// clustered, blocks of the same cluster), so that memory does not grow with the run.
  std::size_t most_bins = 1024;
  /// Matches of a game of which the finishing order is kept for the strength models.
  std::size_t most_rankings = 20'000;
  /// Several suites are read together: BackgroundsApart.
  bool backgrounds_apart = false;
  /// From so many matches on, the archive is read by several threads.
  std::int64_t many = 20'000;
};

/// Reads every finished match once, in the order of the archive, and keeps sums by treatment,
/// block, role and agent; memory is bounded by the options, not by the number of matches.
///
/// In a match with a focal agent only that agent's seats count for scores and metrics; elsewhere
/// every seat does. Within a block, an agent's matches (repeats, positions of a learning sequence)
/// are averaged per seat and its seats per role. Throws Error for a damaged archive.
[[nodiscard]] AGON_API Results collect(const archive::Archive& archive,
                                       const CollectOptions& options = {});

/// A scenario under one treatment, in words: "pie: discount 0.9, rounds 3".
[[nodiscard]] std::string treatment_words(const std::string& scenario,
                                          const std::string& treatment);

}  // namespace agon::report
