#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "http/exchange.hpp"
#include "people/payment/panel.hpp"
#include "people/store.hpp"
#include "people/study.hpp"
#include "suite/suite_file.hpp"

namespace agon::serve {

struct Sitting;

/// More are not kept in one session.
inline constexpr std::size_t kMostParticipants = 20'000;

/// Where somebody is in the study.
enum class Step : std::uint8_t {
  welcome,
  consent,
  instructions,  ///< the rules, before the first match
  reading,       ///< a text of the suite
  form,          ///< a questionnaire or a quiz
  waiting,
  playing,  ///< at a table, also where the table is not there again yet
  result,
  ended,
};

/// Somebody who takes part, as the session knows them.
struct Participant {
  ParticipantRow row;
  std::string key;  ///< of their link; empty where only its digest is known
  Step step = Step::welcome;
  std::int64_t step_since = 0;          ///< since 1970
  std::shared_ptr<Sitting> sitting;     ///< at the table, or whose result is shown
  std::vector<SeatedRow> seated;        ///< in order of time; trials are not in it
  std::vector<AssignmentRow> assigned;  ///< in order of time
  std::vector<FormAnswerRow> forms;     ///< in order of stages and attempts
  bool end_is_kept = true;              ///< false: that it ended for them is on its way to the disk
  bool form_is_kept = true;             ///< false: what they answered is on its way to the disk
  /// That they are at; null: before the first, or after the last.
  const PeopleStage* stage = nullptr;
  bool tried = false;  ///< a trial match
  std::jthread trial;
  std::set<std::string> read;  ///< rules that they have gone on from

  std::int64_t waiting_since = 0;  ///< session clock
  std::uint64_t arrived = 0;       ///< the order in which they came to wait

  std::shared_ptr<EventStream> stream;  ///< of the page that has it; null: nobody is here
  std::string tab;
  std::string told_key;                ///< the match of which the stream was told
  std::size_t told = 0;                ///< deliveries that it has
  std::string chat_key;                ///< the match whose messages it has
  std::size_t chat_told = 0;           ///< how many of them
  bool silent = false;                 ///< it has not answered for too long
  std::int64_t heard = 0;              ///< since 1970: when anything last came from the page
  std::int64_t heard_in_session = 0;   ///< the same by the session clock
  std::int64_t gone_since = 0;         ///< session clock, while nobody is here
  std::int64_t unanswered_since = -1;  ///< session clock; -1: nothing is open

  [[nodiscard]] bool is_here() const { return stream != nullptr && !silent; }
  [[nodiscard]] bool has_ended() const { return step == Step::ended; }
  /// Matches that ended for them, however they did.
  [[nodiscard]] std::size_t matches() const;
  /// The same in the stage that they are at.
  [[nodiscard]] std::size_t matches_of_stage() const;
  /// Attempts at the form of a stage that are kept.
  [[nodiscard]] std::int64_t attempts_at(std::int64_t number) const;
  /// An attempt at the form of a stage; null: that question was not asked then.
  [[nodiscard]] const FormAnswerRow* answer_at(std::int64_t number, std::int64_t attempt,
                                               const std::string& question) const;
  /// Where they sit or sat in that match; null: nowhere.
  [[nodiscard]] SeatedRow* seat_in(const archive::MatchId& match);
};

/// Who takes part, by which links, and what they are paid. Not to be used by two threads at once.
class AGON_API Roster {
 public:
  /// Both must outlive it.
  Roster(const Study& study, PeopleStore& store) : study_(study), store_(store) {}
  /// Takes over who is in the store. `session`: its name in the archive.
  void load(std::string session, std::vector<ParticipantRow> rows);
  /// Enters whom the suite wants to take part and who is not there yet: `links` of them by links of
  /// their own, or as they come where a panel sends them; the others by the rooms.
  void complete(std::uint64_t links);

  /// Enters somebody; without a label it is their number.
  Participant& enter(std::string label = {}, std::string room = {});
  /// A place for somebody whom the panel sends; null: all places are taken. Who left, was away for
  /// too long, was screened out or did not agree gives theirs up, and so does who has not begun and
  /// went away, once somebody else comes.
  Participant* enter(const PanelVisit& visit);
  /// Gives them a link's key, in place of any that they had.
  std::string give_key(Participant& who);
  /// Their link stops working.
  void take_key(Participant& who);
  /// Keeps what is to be known of them: of who did not agree, nothing.
  void save(const Participant& who, PeopleStore::Done done = {});

  /// In the order in which they were entered.
  [[nodiscard]] const std::vector<Participant*>& all() const { return in_order_; }
  /// By id; null: there is none.
  [[nodiscard]] Participant* find(const std::string& id) const;
  /// Whose link has the key; null: nobody's.
  [[nodiscard]] Participant* with_key(std::string_view key) const;
  /// Who came from the panel by that id; null: nobody.
  [[nodiscard]] Participant* with_panel_id(const std::string& id) const;
  /// How many may come from the panel.
  [[nodiscard]] std::uint64_t places() const { return places_; }
  /// Places that somebody has who came from the panel.
  [[nodiscard]] std::uint64_t taken() const;
  /// More may come from the panel.
  [[nodiscard]] bool has_places() const { return taken() < places_; }
  /// What the researcher calls them.
  [[nodiscard]] std::string label_of(const std::string& id) const;
  /// Paths of the links that are known.
  [[nodiscard]] std::vector<std::string> links() const;
  /// As the archive knows them.
  [[nodiscard]] std::shared_ptr<const Person> person(const Participant& who) const;
  [[nodiscard]] const std::string& session() const { return session_; }

  /// Takes over which seats went to somebody else.
  void load(std::vector<SeatChangeRow> changes) { changes_ = std::move(changes); }
  /// A seat goes to somebody else.
  void change_seat(SeatChangeRow change);
  /// Who said that, where `now` has the seat.
  [[nodiscard]] const Participant& who_said(const SaidRow& said, const Participant& now) const;
  /// Who has a seat of a sequence after its changes, where `first` had it.
  [[nodiscard]] Participant* after_changes(const archive::MatchId& sequence, int seat,
                                           Participant* first) const;

 private:
  const Study& study_;
  PeopleStore& store_;
  std::string session_;
  std::map<std::string, std::unique_ptr<Participant>> by_id_;
  std::map<std::string, Participant*> by_key_;  ///< by digest
  std::map<std::string, Participant*> by_panel_id_;
  std::vector<Participant*> in_order_;
  std::vector<SeatChangeRow> changes_;  ///< in order of time
  std::uint64_t places_ = 0;            ///< for who comes from a panel
};

}  // namespace agon::serve
