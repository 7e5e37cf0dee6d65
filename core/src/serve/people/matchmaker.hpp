#pragma once

#include <agon/export.hpp>
#include <agon/waiting.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "people/context.hpp"
#include "people/questionnaire.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

/// A match that waits for people.
struct WaitingTable {
  const TableToSeat* table = nullptr;
  std::uint64_t luck = 0;
  std::size_t needed = 0;
  std::vector<Participant*> who{};  ///< once it is seated, by seat
};

/// In the order of the plan.
using WaitingTables = std::vector<WaitingTable*>;

/// What somebody waits for: the scenario of their stage that they have played least often in it,
/// the first listed of these, of those that have a match left in which they have not sat. When they
/// came decides nothing of it. Null: no match is left. Given is the first match of that scenario.
[[nodiscard]] AGON_API const WaitingTable* waits_for(const Participant& who,
                                                     const WaitingTables& waiting);

/// Seats people who wait and are here, `all` being everybody: in the scenario that each waits for,
/// in the order of the plan and of their coming. Nobody is given a later match of the scenario
/// while an earlier one lacks people. What chance brings at a table is new to all who sit there;
/// only where no such table is left for those who are here, some meet the same again. True if
/// somebody was seated.
[[nodiscard]] AGON_API bool seat_people(const WaitingTables& waiting,
                                        const std::vector<Participant*>& all);

/// A match that has or had people.
struct SeatedTable {
  std::string scenario;
  std::vector<std::string> seats{};     ///< names of all
  std::map<int, std::string> people{};  ///< ids, by seat
  std::int64_t since = 0;               ///< since 1970
  bool done = false;
  std::vector<std::shared_ptr<Sitting>> sittings{};  ///< until it is done
};

/// Brings people to tables: who waits for which match, who sits where, and what becomes of seats
/// that people leave. Used with the session's mutex held.
class Matchmaker {
 public:
  explicit Matchmaker(SessionContext& session) : session_(session) {}
  /// Takes over who sat where, and what the archive has of it. `archive`: of the run.
  void load(std::vector<SeatedRow> rows, const std::vector<SaidRow>& said,
            const std::filesystem::path& archive);

  /// People for the seats of a match.
  struct Group {
    std::vector<Participant*> people;  ///< one for each seat; empty: nobody will come
    bool is_new = true;                ///< false: they sat there before
  };
  /// Waits for people for these seats, on the thread of the match. `lock`: holds the session's
  /// mutex.
  [[nodiscard]] Group people_for(const TableToSeat& table, const std::vector<int>& seats,
                                 std::uint64_t luck, std::unique_lock<std::mutex>& lock,
                                 const std::stop_token& stop);
  /// Brings those who wait to tables.
  void match_up();
  /// Looks whether all tables are there that the run begins with.
  void tick();
  /// The session has ended: nobody comes any more.
  void close() { changed_.notify_all(); }

  SeatedTable& open_table(const TableToSeat& table, const MatchSetup& setup);
  /// Puts somebody at a seat of an open table. `row`: how that is kept if it is new.
  std::shared_ptr<Sitting> take_seat(Participant& who, SeatedTable& table, const MatchSetup& setup,
                                     const SeatedRow& row, bool is_new);
  /// Puts somebody at a seat, of a trial or of a match.
  std::shared_ptr<Sitting> sit_down(Participant& who, const std::string& scenario,
                                    const MatchSetup& setup, int seat);
  /// A match is over, or stopped to be resumed. Returns who sat there, for whom it is over.
  std::vector<std::shared_ptr<Sitting>> close_table(const archive::MatchId& match,
                                                    const MatchResult& result);
  /// Gives the seat of somebody to somebody else, who waits. Returns why it cannot be; empty: done.
  std::string replace(Participant& before, Participant& after);
  /// Ends what somebody has not played to its end. Where they left it ends for all who sit there.
  void settle(Participant& who, SeatEnding outcome);

  [[nodiscard]] bool is_given_up(const archive::MatchId& match) const {
    return given_up_.contains(match);
  }
  [[nodiscard]] const std::map<archive::MatchId, SeatedTable>& tables() const { return tables_; }
  [[nodiscard]] const WaitingTables& waiting() const { return waiting_; }
  [[nodiscard]] std::size_t matches_done() const { return matches_done_; }

 private:
  /// Who sat at these seats of a match already; nothing if nobody did.
  [[nodiscard]] std::vector<Participant*> known_at(const archive::MatchId& match,
                                                   const std::vector<int>& seats) const;

  SessionContext& session_;
  Condition changed_;
  std::set<archive::MatchId> given_up_;  ///< matches that are not resumed
  WaitingTables waiting_;
  std::int64_t table_came_ = 0;    ///< milliseconds: when the last table came to wait
  bool tables_are_there_ = false;  ///< all that the run begins with
  std::map<archive::MatchId, SeatedTable> tables_;
  std::size_t matches_done_ = 0;
};

}  // namespace agon::serve
