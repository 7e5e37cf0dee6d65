#pragma once

#include <agon/export.hpp>
#include <boost/json/fwd.hpp>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "http/door.hpp"
#include "http/exchange.hpp"
#include "people/participant.hpp"
#include "people/payment.hpp"
#include "people/store.hpp"
#include "people/texts.hpp"
#include "run/planned_match.hpp"

namespace agon::serve {

/// Milliseconds that a session has gone on: it stands still in a pause. No clock of a browser has a
/// say in it.
class SessionClock {
 public:
  [[nodiscard]] std::int64_t now() const { return stopped_ ? *stopped_ : since(start_); }
  [[nodiscard]] bool is_paused() const { return stopped_.has_value(); }
  void pause() {
    if (!stopped_) stopped_ = now();
  }
  void go_on() {
    if (!stopped_) return;
    start_ = Steady::now() - std::chrono::milliseconds(*stopped_);
    stopped_.reset();
  }

 private:
  using Steady = std::chrono::steady_clock;
  static std::int64_t since(Steady::time_point start) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(Steady::now() - start).count();
  }
  Steady::time_point start_ = Steady::now();
  std::optional<std::int64_t> stopped_;
};

/// A session: people in browsers, at the tables of a run. It knows who is where, brings people
/// together as they arrive, puts the questions of their seats to them, and keeps what they say
/// before it says so. Its functions are called from the server's thread, from the threads of the
/// matches, from the one that writes, and from a thread of its own for all that has its time.
class AGON_API Session final : public PeopleAtTables {
 public:
  /// `archive`: of the run; what must not be lost stands beside it, in NAME.people.
  /// `participants`: links, 0: as the suite says. Throws Error for a suite that says nothing of
  /// people, and for files that cannot be had.
  Session(const Suite& suite, const std::filesystem::path& archive, std::uint64_t participants);
  ~Session() override;

  /// The pages of participants, and behind the door those of whoever leads the session. Both must
  /// outlive the router's use.
  void add_routes(Router& router, Door& door);
  /// What addresses begin with, for links as pictures: "http://127.0.0.1:8123".
  void found_at(std::string url);

  [[nodiscard]] bool seat(const TableToSeat& table, MatchSetup& setup,
                          const std::stop_token& stop) override;
  void stand_up(const archive::MatchId& match, const MatchResult& result) override;
  [[nodiscard]] std::size_t most_tables() const override;

  /// The run came to its end: no match will be played any more. Not called where it was interrupted
  /// and is to be taken up again.
  void run_over();

  /// Paths of the links that are known, in order of participants.
  [[nodiscard]] std::vector<std::string> links() const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// For the agents at the tables.
  ///@{
  void ask(const std::shared_ptr<Sitting>& sitting, OwnedQuestion question, Completion done);
  void match_ended(const std::shared_ptr<Sitting>& sitting, MatchEnding ending);
  void match_over(const std::shared_ptr<Sitting>& sitting);
  ///@}

 private:
  using Lock = std::unique_lock<std::mutex>;
  enum class State : std::uint8_t { open, ended };

  struct TablePlace {
    archive::MatchId match;
    std::string scenario;
    std::vector<std::string> seats;       ///< names of all
    std::map<int, std::string> people{};  ///< ids, by seat
    std::int64_t since = 0;
    bool done = false;
  };

  // People and tables; all with the mutex held.
  void load(const PeopleStore::Kept& kept, const std::filesystem::path& archive);
  Participant& enter(std::string label, std::string room);
  std::string give_key(Participant& who);
  void step_to(Participant& who, Step step);
  /// Where somebody goes who has nothing at hand: to the next match, or to the end.
  void go_on(Participant& who);
  void wait_for_match(Participant& who);
  void end(Participant& who, const std::string& why);
  /// They take no further part; where they sit, the substitute or the end of the match comes.
  void leave(Participant& who, const std::string& why);
  void skip_instructions(Participant& who);
  /// The rules of their match were read, or the time for it is over: the first question comes.
  void rules_read(Participant& who);
  void start_trial(Participant& who);
  void play_trial(Participant& who, const std::stop_token& stop);
  /// Brings those who wait to tables.
  void match_up();
  void end_if_all_have();
  /// `why`: what whoever has not played all is told: "closed", or "none" for no match is left.
  void end_session(const char* why);
  std::shared_ptr<Sitting> sit_down(Participant& who, const MatchSetup& setup, int seat,
                                    const std::string& label);
  /// Keeps what was said, and then gives it to the match; `told`: how that went, without the mutex.
  void hand_on(const std::shared_ptr<Sitting>& sitting, AskedPerson& asked, SaidRow said,
               PeopleStore::Done told = {});
  [[nodiscard]] Reply reply_of(const Participant& who, const SaidRow& said) const;
  [[nodiscard]] SaidRow row_for(const Sitting& sitting, const AskedPerson& asked,
                                const char* kind) const;
  /// What becomes of a question to somebody who is gone.
  [[nodiscard]] const char* kind_of_going(const Sitting& sitting) const;
  [[nodiscard]] bool is_away_for_good(const Participant& who) const;
  /// Something came from their page.
  void hear(Participant& who);
  /// Asks the pages whether they are there, and finds those that have not said so for too long.
  void ask_who_is_here();
  /// Keeps what is to be known of them: of who did not agree, nothing.
  void save(const Participant& who, PeopleStore::Done done = {});
  [[nodiscard]] Earned earned(const Participant& who) const;
  [[nodiscard]] std::size_t matches_of(const Participant& who) const;
  [[nodiscard]] std::string amount(Money money) const;
  [[nodiscard]] std::string label_of(const std::string& id) const;
  [[nodiscard]] const Person& person_of(const Participant& who) const;
  void log(std::string text);
  void keep_time(const std::stop_token& stop);
  void tick();

  // Pages of participants.
  void join(const Exchange& exchange);
  void page(const Exchange& exchange);
  void room(const Exchange& exchange);
  void enter_room(const Exchange& exchange);
  void open_stream(const Exchange& exchange);
  void step(const Exchange& exchange);
  void answer(const Exchange& exchange);
  void answer_again(const Exchange& exchange, const Participant& who, std::int64_t number,
                    std::int64_t attempt, const std::string& typed);
  void forget_gone();
  [[nodiscard]] std::string title() const;
  void texts(const Exchange& exchange) const;
  [[nodiscard]] Participant* who_asks(const Request& request, std::string_view page);
  /// Sends what the page is to show now, if one is open.
  void show(Participant& who);
  /// Says on the pages of an old link that it is one, and closes them.
  void close_pages(Participant& who);
  void show_all();
  [[nodiscard]] std::string state(Participant& who);
  void add_match(boost::json::object& state, Participant& who);
  void add_waiting(boost::json::object& state, const Participant& who) const;

  // Of whoever leads the session.
  void open_researcher(const Exchange& exchange);
  void act(const Exchange& exchange, Door& door);
  void show_code(const Exchange& exchange);
  [[nodiscard]] std::string researcher_state() const;
  [[nodiscard]] std::string payments() const;
  [[nodiscard]] std::string answers() const;

  const Suite& suite_;
  const Participation& people_;
  std::filesystem::path path_;
  Texts texts_;
  std::string told_;            ///< about the opponents
  std::string instructions_;    ///< rules, if all matches have the same
  std::string consent_digest_;  ///< empty: nobody is asked
  std::size_t people_matches_ = 0, people_scenarios_ = 0;
  std::optional<std::pair<std::size_t, std::uint64_t>> trial_;  ///< scenario, planned match
  std::string url_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  SessionClock clock_;
  State state_ = State::open;
  std::string session_;                                               ///< its name in the archive
  const char* ended_why_ = "closed";                                  ///< see end_session()
  std::map<std::string, std::unique_ptr<Participant>> participants_;  ///< by id
  std::vector<Participant*> in_order_;
  std::map<std::string, Participant*> by_key_;  ///< by digest
  std::set<archive::MatchId> given_up_;         ///< matches that are not taken up again
  WaitingTables waiting_;
  std::int64_t here_asked_ = 0;    ///< milliseconds: when the pages were last asked
  std::int64_t table_came_ = 0;    ///< milliseconds: when the last table came to wait
  bool tables_are_there_ = false;  ///< all that the run begins with
  std::map<archive::MatchId, TablePlace> tables_;
  std::map<archive::MatchId, std::vector<std::shared_ptr<Sitting>>> sittings_;
  std::vector<SaidRow> said_;
  std::map<std::tuple<archive::MatchId, int, std::uint32_t, int>, std::size_t> said_at_;
  mutable std::map<std::string, std::shared_ptr<const Person>> persons_;
  std::uint64_t arrivals_ = 0;
  std::uint64_t matches_done_ = 0;
  std::deque<std::pair<std::int64_t, std::string>> log_;
  std::vector<std::shared_ptr<EventStream>> researchers_;
  bool waiting_changed_ = false;  ///< who waits is to be told how many are here
  bool researchers_changed_ = true;
  std::int64_t researchers_shown_ = 0;  ///< since 1970

  // Streams end on the server's thread, whatever goes on here: they are looked at later.
  std::mutex gone_mutex_;
  std::vector<const EventStream*> gone_;

  // Last: they use all of the above until they are gone.
  std::unique_ptr<PeopleStore> store_;
  std::jthread time_;
};

}  // namespace agon::serve
