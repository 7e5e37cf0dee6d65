#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "archive/database/sqlite.hpp"
#include "archive/matches/match_id.hpp"
#include "archive/matches/matches.hpp"
#include "archive/matches/result_columns.hpp"

namespace agon::archive {

/// Reads the matches of the table `result_columns`. Ids and luck are not stored: they are worked
/// out of the scenario and the agents.
class ResultReader {
 public:
  explicit ResultReader(Connection& db);

  /// Of matches in columns: the highest running number (0: none), how many there are, and the
  /// highest `block` (-1: none).
  [[nodiscard]] std::int64_t last_number();
  [[nodiscard]] std::int64_t finished();
  [[nodiscard]] std::int64_t last_block();

  /// Where a block of columns stands.
  struct PiecePosition {
    std::int64_t first = 0;  ///< running number of its first match
    std::int64_t matches = 0;
    std::int64_t scenario = 0;
    std::int64_t last_block = 0;  ///< the highest `block` of its matches
  };
  /// Calls `each` with every place, in order.
  void places(const std::function<void(const PiecePosition&)>& each);
  /// Calls `each` with the columns of every place from that number on, in order, until it returns
  /// false; `scenario`: of that one alone (0: all).
  void columns(std::int64_t from, std::int64_t scenario,
               const std::function<bool(const PiecePosition&, const ResultColumns&)>& each);
  /// The columns of this place.
  [[nodiscard]] ResultColumns columns_at(const PiecePosition& place);
  /// The lowest and the highest block there.
  [[nodiscard]] BlockRange blocks_at(const PiecePosition& place);
  /// Fills `row` with what is wanted of a match of the columns.
  void read(const ResultColumns& columns, std::size_t match, MatchRow& row,
            const ReadOptions& wanted = {});
  [[nodiscard]] MatchId id_of(const ResultColumns& columns, std::size_t match);
  /// The ids of matches of the agents of this match on their seats.
  const MatchIds& ids(const ResultColumns& columns, std::size_t match);

  /// The match with this running number; false if none stands in columns.
  bool match(std::int64_t number, MatchRow& row, const ReadOptions& wanted = {});
  /// The running numbers of matches whose ids are from `low` to `high`, at most so many.
  std::vector<std::pair<MatchId, std::int64_t>> find(const MatchId& low, const MatchId& high,
                                                     std::size_t most);

 private:
  /// What ids and luck follow from.
  struct ResultIdentity {
    std::string game, plugin_version, name, draws;
    std::int64_t game_version = 0;
    hash::Digest settings{};
    std::uint64_t seed = 0;
  };
  [[nodiscard]] Error unreadable(const PiecePosition& place) const;
  const ResultIdentity& scene(std::int64_t scenario);
  [[nodiscard]] ResultColumns decode(const PiecePosition& place, Statement& row);

  Connection& db_;
  Statement get_;
  Statement get_bytes_;
  Statement last_place_;
  std::map<std::int64_t, BlockRange> blocks_;  // by first number, of places that were read
  std::map<std::int64_t, ResultIdentity> scenes_;
  std::map<std::int64_t, hash::Digest> agents_;
  std::map<std::pair<std::int64_t, std::vector<std::int64_t>>, MatchIds> ids_;
  // Of the one that was read last, as matches are mostly looked at one after the other.
  std::int64_t last_first_ = 0;
  std::optional<ResultColumns> last_;
  // Ids with their running numbers, of all places up to the one that begins with `indexed_`.
  std::vector<std::pair<MatchId, std::int64_t>> index_;
  std::int64_t indexed_ = 0;
};

/// Goes through matches in columns in the order of Matches::each. In memory are some tens of
/// thousands at a time: matches are played in any order of their blocks.
class OrderedResults {
 public:
  /// `scenarios`: which, in their order; `wants`: by running number and block.
  OrderedResults(ResultReader& reader, std::vector<std::int64_t> scenarios,
                 std::function<bool(std::int64_t number, std::int64_t block)> wants);

  /// The next match, as far as it is wanted; false after the last one.
  bool next(std::int64_t& number, MatchRow& row, const ReadOptions& wanted);

 private:
  struct MatchPosition {
    std::int64_t number;
    std::uint32_t piece;
    std::uint32_t match;
  };
  /// Reads the next matches of the scenario, or of the next one; false after the last.
  bool fill();
  void take(const ResultReader::PiecePosition& place, std::int64_t end);
  [[nodiscard]] bool comes_before(const MatchPosition& a, const MatchPosition& b);

  ResultReader& reader_;
  std::vector<std::int64_t> scenarios_;
  std::function<bool(std::int64_t, std::int64_t)> wants_;
  struct Places {
    std::int64_t matches = 0;
    std::int64_t blocks = 0;
    std::vector<std::pair<ResultReader::PiecePosition, BlockRange>> all;
  };
  std::map<std::int64_t, Places> places_;  ///< by scenario
  std::size_t scenario_at_ = 0;
  std::int64_t begin_ = 0;             ///< of the blocks of the scenario that come next
  std::vector<ResultColumns> pieces_;  ///< what of the columns is wanted now
  std::vector<MatchPosition> order_;
  std::size_t at_ = 0;
};

}  // namespace agon::archive
