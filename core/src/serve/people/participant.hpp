#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "http/exchange.hpp"
#include "people/store.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

/// A question that waits for a person's answer.
struct AskedPerson {
  std::shared_ptr<const OwnedQuestion> question;
  Completion done;
  std::int64_t since = 0;     ///< session clock
  std::int64_t shown = 0;     ///< since 1970: when it was first sent to a page; 0: not yet
  std::int64_t deadline = 0;  ///< session clock; 0: none
  std::string typed{};        ///< JSON: what was typed in the attempt that was turned down
  bool given = false;         ///< the answer is on its way
};

/// A person at a seat of a match, from taking the seat to leaving the result.
struct Sitting {
  std::string key;                        ///< of the match in addresses: its id, or one of a trial
  std::optional<archive::MatchId> match;  ///< none: a trial
  int seat = 0;
  std::string participant;  ///< id
  std::string label;
  std::string title;
  std::string you;
  std::string role;
  std::vector<std::string> seats;  ///< names of all
  std::string persona;
  std::string rules;
  const Language* words = &Language::english();  ///< what the match is told in
  std::string announced;                         ///< the rules that come before the first question
  bool rules_read = false;                       ///< they have been; nothing is asked before
  std::int64_t read_by = 0;  ///< session clock: then they count as read; 0: no hurry

  std::vector<AskedPerson> asked;  ///< in order
  SeatHistory history;
  std::size_t unseen_from = 0;
  /// What was answered last, until the history has it: name of the stage, text, number.
  struct Answered {
    std::string name;
    std::string text;
    std::uint32_t number = 0;
  };
  std::optional<Answered> answered;
  std::string last_typed;  ///< JSON
  bool has_asked = false;  ///< a question was put; not yet where the match is taken up again
  /// What was accepted, by question and attempt: the same once more is accepted too.
  std::map<std::pair<std::uint32_t, int>, std::string> accepted;

  bool gone = false;  ///< nothing more is asked of the person: away for too long, or left
  bool over = false;
  bool counts = true;                      ///< false: it ended without a score
  const char* ended_by = "server.broken";  ///< why, where it does not count
  std::string score_told;
};

/// Where somebody is in the study.
enum class Step : std::uint8_t {
  welcome,
  consent,
  instructions,
  waiting,
  playing,  ///< at a table, also where the table is not there again yet
  result,
  ended,
};

struct Participant {
  ParticipantRow row;
  std::string key;  ///< of their link; empty where only its digest is known
  Step step = Step::welcome;
  std::shared_ptr<Sitting> sitting;  ///< at the table, or whose result is shown
  std::vector<SeatedRow> seated;     ///< in order of time; trials are not in it
  bool tried = false;                ///< a trial match
  std::set<std::string> read;        ///< rules that they have gone on from

  std::int64_t waiting_since = 0;  ///< session clock
  std::uint64_t arrived = 0;       ///< the order in which they came to wait

  std::shared_ptr<EventStream> stream;  ///< of the page that has it; null: nobody is here
  std::string tab;
  std::string told_key;                ///< the match of which the stream was told
  std::size_t told = 0;                ///< deliveries that it has
  bool silent = false;                 ///< it has not answered for too long
  std::int64_t heard = 0;              ///< since 1970: when anything last came from the page
  std::int64_t heard_in_session = 0;   ///< the same by the session clock
  std::int64_t gone_since = 0;         ///< session clock, while nobody is here
  std::int64_t unanswered_since = -1;  ///< session clock; -1: nothing is open
  std::int64_t step_since = 0;         ///< since 1970

  std::jthread trial;

  [[nodiscard]] bool is_here() const { return stream != nullptr && !silent; }
  [[nodiscard]] bool has_ended() const { return step == Step::ended; }
};

/// A match that waits for people.
struct WaitingTable {
  const TableToSeat* table = nullptr;
  std::uint64_t luck = 0;
  std::size_t needed = 0;
  std::vector<Participant*> who{};  ///< once it is seated, by seat
};

/// In the order of the plan.
using WaitingTables = std::vector<WaitingTable*>;

/// What somebody waits for: the scenario that they have played least often, the first listed of
/// these, of those that have a match left in which they have not sat. When they came decides
/// nothing of it. Null: no match is left. Given is the first match of that scenario.
[[nodiscard]] AGON_API const WaitingTable* waits_for(const Participant& who,
                                                     const WaitingTables& waiting);

/// Seats people who wait and are here, `all` being everybody: in the scenario that each waits for,
/// in the order of the plan and of their coming. Nobody is given a later match of the scenario
/// while an earlier one lacks people. What chance brings at a table is new to all who sit there;
/// only where no such table is left for those who are here, some meet the same again. True if
/// somebody was seated.
[[nodiscard]] AGON_API bool seat_people(const WaitingTables& waiting,
                                        const std::vector<Participant*>& all);

class Session;

/// The agent of one person at one seat of one match: what is asked of the seat goes to the person's
/// page.
class Chair final : public WaitingAgent {
 public:
  /// The session must outlive the match. `substitute`: kept as long as this.
  Chair(Session& session, std::shared_ptr<Sitting> sitting, bool probes,
        std::shared_ptr<const Agent> substitute);

  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool is_costly() const override { return true; }
  [[nodiscard]] bool answers_probes() const override { return probes_; }

 private:
  Session& session_;
  std::shared_ptr<Sitting> sitting_;
  bool probes_;
  std::shared_ptr<const Agent> substitute_;
};

}  // namespace agon::serve
