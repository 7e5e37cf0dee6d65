#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "archive/rows.hpp"

namespace agon::archive {

/// Most matches of one block of columns.
inline constexpr std::size_t kMostInColumns = 4096;

struct BlockRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Finished matches of one scenario, played by agents that answer at once and without records, as
/// columns: a row for each of them costs more than playing it. What a MatchRow has and this has not
/// follows from the scenario (id, luck) or is nothing of such a match (tokens, calls, faults of the
/// game, waiting).
struct AGON_API ResultColumns {
  /// Which agents sat where, shared by many matches.
  struct SeatAssignment {
    std::string line_up{};
    std::int64_t assignment = 0;
    std::optional<std::int64_t> focal{};
    std::vector<std::int64_t> agents{};  ///< by seat: numbers of agents

    friend bool operator==(const SeatAssignment&, const SeatAssignment&) = default;
  };
  /// The columns of whole numbers: those of a match, then for each seat its rank, its forced
  /// answers and its attempts by Fault.
  enum IntegerColumn : std::size_t { block, repeat, seated_as, questions, microseconds, of_match };
  static constexpr std::size_t kOfSeat = 2 + kFaults;
  /// The columns of numbers: the metrics of a match, then for each seat score, zero, one and its
  /// metrics.
  static constexpr std::size_t kScores = 3;

  std::int64_t scenario = 0;
  Time created = 0;
  std::vector<std::pair<std::string, std::string>> seats{};  ///< name and role
  std::vector<SeatAssignment> seated{};
  std::optional<std::size_t> cluster{};  ///< the match metric that says what blocks share
  std::size_t match_metrics = 0;
  std::size_t seat_metrics = 0;
  std::size_t matches = 0;
  std::vector<std::vector<std::int64_t>> integers{};
  std::vector<std::vector<double>> numbers{};

  /// Makes as many empty columns as seats and metrics ask for.
  void make_columns();
  [[nodiscard]] const SeatAssignment& seated_of(std::size_t match) const {
    return seated[static_cast<std::size_t>(integers[seated_as][match])];
  }
  /// These matches alone.
  [[nodiscard]] ResultColumns some(const std::vector<std::size_t>& wanted) const;
  /// Everything of a match but its id and luck.
  void read(std::size_t match, MatchRow& row, bool with_seats = true) const;

  /// The bytes of the columns, without the scenario.
  [[nodiscard]] std::string encode() const;
  /// Reads them back; nothing if no Agon has written them. What they say is within the bounds of
  /// rows.hpp; agents and scenario are not looked up.
  static std::optional<ResultColumns> decode(std::string_view bytes);
  /// The lowest and highest block among the matches of such bytes, which takes a fraction of
  /// decode().
  static std::optional<BlockRange> blocks(std::string_view bytes);
};

/// The text of a metric that says what blocks may share; empty where it has no value.
[[nodiscard]] std::string cluster_text(double metric);

}  // namespace agon::archive
