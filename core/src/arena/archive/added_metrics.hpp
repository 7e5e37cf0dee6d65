#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "archive/matches/match_id.hpp"
#include "archive/rows.hpp"

namespace agon::archive {

/// Metrics of seats that somebody computed from matches of an archive, beside those of its games.
class AGON_API AddedMetrics {
 public:
  /// Reads a file of them (docs/report.md, your own metrics). Throws Error.
  static AddedMetrics read(const std::string& file);

  /// Adds them to the seat metrics of the games that they are of. Throws Error (invalid) for one
  /// that a game has itself, and for a game that is not there.
  void add_to(std::map<std::int64_t, GameRow>& games) const;
  /// Adds their values to the seats of a match. `game`: with what add_to() added.
  void add_to(MatchRow& match, const GameRow& game) const;

 private:
  std::string file_;
  std::map<std::string, std::vector<Metric>, std::less<>> metrics_;         ///< by game
  std::map<MatchId, std::map<int, std::map<std::string, double>>> values_;  ///< by match and seat
};

}  // namespace agon::archive
