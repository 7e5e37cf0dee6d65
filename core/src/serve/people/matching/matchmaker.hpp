#pragma once

#include <agon/export.hpp>
#include <agon/waiting.hpp>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "people/context.hpp"
#include "people/forms/questionnaire.hpp"
#include "people/matching/assignment.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

/// A match that waits for people.
struct WaitingTable {
  const TableToSeat* table = nullptr;
  MatchToFill open{};
  std::vector<Participant*> who{};        ///< once it is seated, by seat
  std::vector<AssignmentRow> assigned{};  ///< why it is they
};

/// In the order of the plan.
using WaitingTables = std::vector<WaitingTable*>;

/// A match that has or had people.
struct SeatedTable {
  std::string scenario;
  std::vector<std::string> seats{};     ///< names of all
  std::map<int, std::string> people{};  ///< ids, by seat
  std::int64_t since = 0;               ///< since 1970
  std::uint64_t treatment = 0;
  bool done = false;
  std::vector<std::shared_ptr<Sitting>> sittings{};  ///< until it is done
};

/// Brings people to tables: who waits for which match, who sits where, and what becomes of seats
/// that people leave. Used with the session's mutex held.
class Matchmaker {
 public:
  explicit Matchmaker(SessionContext& session) : session_(session) {}
  /// Takes over who sat where, what the archive has of it, and what was assigned, once all are in
  /// the roster. `archive`: of the run. Throws Error for a design that cannot come about.
  void load(KeptPeople& kept, const std::filesystem::path& archive);

  /// People for the seats of a match.
  struct Group {
    std::vector<Participant*> people;  ///< one for each seat; empty: nobody will come
    bool is_new = true;                ///< false: they sat there before
    std::vector<AssignmentRow> assigned{};
  };
  /// Waits for people for these seats, on the thread of the match. `lock`: holds the session's
  /// mutex.
  [[nodiscard]] Group people_for(const TableToSeat& table, const std::vector<int>& seats,
                                 std::uint64_t luck, std::unique_lock<std::mutex>& lock,
                                 const std::stop_token& stop);
  /// Somebody comes to a stage of play: gives them what is theirs from its beginning.
  void begin_stage(Participant& who);
  /// What they wait for; null: no match is left for them.
  [[nodiscard]] const WaitingTable* waits_for(const Participant& who) const;
  /// How many wait for the same and are here.
  [[nodiscard]] std::size_t present_for(const Participant& who, const WaitingTable& next) const;
  /// The most treatments that people or groups are assigned one of; 1 where they are not.
  [[nodiscard]] std::size_t assigned_treatments() const;
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
  /// Lets somebody wait for a match of this scenario before others that they are still to play.
  /// Returns why it cannot be; empty: done.
  std::string want(Participant& who, const std::string& scenario);
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
  /// Why somebody who waits cannot take somebody's seat by the suite's design; empty: they can.
  [[nodiscard]] std::string why_not_at(const Participant& after, const SeatedRow& seat) const;
  void load_seats(std::vector<SeatedRow> rows, const std::vector<SaidRow>& said,
                  const std::filesystem::path& archive);
  void load_assignments(std::vector<AssignmentRow> rows);
  /// Notes what was assigned, and what for.
  std::vector<AssignmentRow> note(const std::vector<Assigned>& given,
                                  const archive::MatchId& match);

  SessionContext& session_;
  Assigner assigner_{{}, 0};
  Condition changed_;
  std::set<archive::MatchId> given_up_;  ///< matches that are not resumed
  WaitingTables waiting_;
  std::int64_t table_came_ = 0;    ///< milliseconds: when the last table came to wait
  bool tables_are_there_ = false;  ///< all that the run begins with
  std::map<archive::MatchId, SeatedTable> tables_;
  std::size_t matches_done_ = 0;
  std::vector<std::int64_t> left_over_;  ///< as it was noted last
};

}  // namespace agon::serve
