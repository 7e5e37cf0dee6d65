#pragma once

#include <agon/agent.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "record/record.hpp"

namespace agon {

class Probes;
class Settings;

/// How the process of a game came to its end, as far as what is done next depends on it.
enum class ProcessEnd : std::uint8_t {
  other,   ///< in any other way, or not at all
  silent,  ///< ended by the arena, as it said nothing for too long
  busy,    ///< ended by the arena, as it used too much of the processor
  killed,  ///< by somebody, or for want of memory: the match is worth another try
};

/// How far a match has come, in plain bytes that may lie in a mapped file: to be read by who
/// comes when the process has gone down in the middle of it. Written by the thread that plays.
class MatchTrace {
 public:
  /// Whose code runs.
  enum class Doing : std::uint32_t {
    nothing,  ///< no match is played
    playing,  ///< the game, or an agent that answers at once
    waiting,  ///< nobody's: an answer is waited for
  };

  void begin() {
    stage_.fill('\0');
    ++turns_;
    doing_ = Doing::playing;
  }
  void end() { doing_ = Doing::nothing; }
  void waits(bool is_waiting) {
    if (!is_waiting) ++turns_;
    doing_ = is_waiting ? Doing::waiting : Doing::playing;
  }
  /// A question of this stage is put.
  void asks(std::string_view stage) {
    const std::size_t n = std::min(stage.size(), stage_.size() - 1);
    std::copy_n(stage.data(), n, stage_.data());
    stage_[n] = '\0';
  }

  [[nodiscard]] Doing doing() const { return doing_; }
  /// How often code of a game or an agent began to run.
  [[nodiscard]] std::uint32_t turns() const { return turns_; }
  /// Of the last question, perhaps cut short; empty: none was put.
  [[nodiscard]] std::string_view stage() const {
    return {stage_.data(), static_cast<std::size_t>(std::find(stage_.begin(), stage_.end(), '\0') -
                                                    stage_.begin())};
  }

 private:
  static_assert(std::atomic<Doing>::is_always_lock_free);
  std::atomic<Doing> doing_{Doing::nothing};
  std::atomic<std::uint32_t> turns_{0};
  std::array<char, 60> stage_{};
};

/// Who plays a seat of one match.
struct SeatSetup {
  const Agent* agent = nullptr;        ///< null where every answer comes from the record
  std::uint64_t dice_key = 0;          ///< of block, repeat, agent spec and seat
  std::string carried;                 ///< JSON from the match before in a sequence; empty: none
  std::shared_ptr<const Agent> own{};  ///< keeps `agent` where it is of this match alone
  /// Plays in the place of an `agent` that waits: that one is asked all the same, and its own
  /// answer counts only where this one has none. Null: nobody. So it is found what a model's calls
  /// would take without any, along a match as somebody sensible plays it.
  const Agent* stand_in = nullptr;
  /// Takes the seat over when `agent` hands it over: a person who is gone. Null: nobody does.
  const Agent* substitute = nullptr;
  /// Texts for the agent if it reads them, and the language in which the seat is told everything;
  /// null: those of the match, in English.
  std::shared_ptr<const PromptSet> prompts{};
  bool listens = false;  ///< what it is told is kept, though its agent answers at once
};

/// Looks at questions that several seats are asked at once, before any of them is answered.
class AskedTogether {
 public:
  virtual void asked(std::span<Question> questions) = 0;

 protected:
  ~AskedTogether() = default;
};

/// Whole numbers that are drawn in the place of chance, by the place's name and indices: as a log
/// of others has them.
using GivenDraws =
    std::map<std::pair<std::string, std::vector<std::int64_t>>, std::vector<std::int64_t>>;

/// Where a match parts from its past. Those asked at the same time do not see the change, so that
/// their answers stay.
struct MatchCut {
  std::uint32_t question = 0;  ///< the first that is not answered from the record
  std::uint32_t last = 0;      ///< of those that were asked at the same time; the same if none was
  std::string answer{};  ///< JSON that its seat says in the place of its own; empty: it is asked
};

/// When a person was shown a question and answered it.
struct HumanTiming {
  int seat = 0;
  std::uint32_t number = 0;
  int attempt = 0;
  Timing timing;
  std::shared_ptr<const Person> person;  ///< null: nothing is known of who it was
};

/// All that one match needs. What it points to must outlive the match.
struct MatchSetup {
  const Game* game = nullptr;
  const void* settings = nullptr;
  const void* prepared = nullptr;
  std::vector<SeatSetup> seats;
  std::vector<SeatCard> cards;   ///< names and roles, as many as seats
  std::uint64_t stream_key = 0;  ///< of suite seed, scenario and block
  std::uint64_t turn = 0;        ///< block plus position in a sequence: for what is dealt in turn
  std::uint64_t position = 0;    ///< of the match in its sequence, from 0
  bool another_follows = false;  ///< in its sequence: seats are asked what they take to it
  int reasks = 3;                ///< how often a turned-down attempt is asked again
  bool record = true;
  std::string label;                          ///< for people: which match this is
  std::string rules;                          ///< what players are told
  std::chrono::milliseconds answer_limit{0};  ///< for waiting agents; 0: none
  std::stop_token cancel{};  ///< asked to stop, the match does at its next question
  /// A record to take answers from first: whole to replay, a beginning to resume.
  std::string_view past;
  std::shared_ptr<const std::string> own_past{};  ///< keeps `past` where it is of this match alone
  std::optional<MatchCut> cut{};                  ///< none: all of `past` counts
  bool strict_replay = false;  ///< no agent is asked; the record must answer everything
  /// Called with the record so far before an answer that cost money or time reaches the game.
  std::function<void(const std::string& record)> make_durable;
  /// Called when a person has answered, before that is made durable: a match that is taken up does
  /// not ask again.
  std::function<void(const HumanTiming&)> keep_timing;
  std::string facts = "null";                ///< JSON by GameCard::facts
  std::shared_ptr<const PromptSet> prompts;  ///< for agents that read them, where seats say none
  /// Makes the ledger of one attempt's model calls; none: calls are kept nowhere.
  std::function<std::shared_ptr<CallLedger>(int seat, std::uint32_t number, int attempt)> ledger;
  /// Chance has no say in these draws; null: it has in all. Kept in the record, from which a replay
  /// takes them.
  const GivenDraws* given = nullptr;
  /// Shared by the matches of a run; null: the match makes its own.
  std::shared_ptr<record::Shapes> shapes;
  /// What the suite asks beside the game, where the match is recorded; null: nothing.
  const Probes* probes = nullptr;
  MatchTrace* trace = nullptr;  ///< told how far the match has come; null: nobody is
  /// Gets each event in its game's words, in the order of the record; empty where it has none, and
  /// after as many bytes as a record has at most.
  std::vector<std::string>* tellings = nullptr;
  /// Told of each question to several seats, where all agents answer at once before it is numbered,
  /// and in a replay after that; null: nobody is.
  AskedTogether* together = nullptr;
};

/// Sets up a match without its agents: game, settings, seats' cards and chance.
[[nodiscard]] AGON_API MatchSetup set_up_match(const Game& game, const void* settings,
                                               const void* prepared, std::vector<SeatCard> cards,
                                               std::uint64_t stream_key);
/// The same by settings, with the texts that players read and the re-asks that they say.
[[nodiscard]] AGON_API MatchSetup set_up_match(const Game& game, const Settings& settings,
                                               std::uint64_t stream_key);

/// How a match ended.
enum class End : std::uint8_t {
  finished,
  stopped,     ///< cancelled from outside; can be taken up again
  unfinished,  ///< a provider failed or a person left; can be taken up again
  game_fault,  ///< the game broke; charged to the game, never to a player
};

/// True if nothing more comes of a match.
[[nodiscard]] constexpr bool has_ended(End end) {
  return end == End::finished || end == End::game_fault;
}

struct MatchResult {
  End end = End::finished;
  std::string problem;                         ///< unless finished
  ProcessEnd process_end = ProcessEnd::other;  ///< of a game fault
  Outcome outcome;
  std::string record;
  std::shared_ptr<record::Shapes> shapes;                  ///< that the record refers to
  std::vector<std::string> carried;                        ///< JSON by seat, empty: nothing
  std::vector<std::array<std::uint32_t, kFaults>> faults;  ///< attempts by seat and class
  /// Answers by seat that its own agent did not give: the fallback's and the substitute's.
  std::vector<std::uint32_t> forced;
  /// Unfinished because nobody answered it any more: that question, and what was said to it before.
  std::optional<std::uint32_t> left_at;
  std::vector<record::Attempt> left;
  Halt halt = Halt::no;            ///< unfinished: why the whole run has to stop
  bool outage = false;             ///< unfinished: a service failed that may come back
  bool is_too_long = false;        ///< unfinished: a record has no room for it, nor ever will
  std::vector<double> waiting_ms;  ///< by seat: for its answers
  std::uint64_t questions = 0;
};

/// Plays one match: live, replayed (a whole record and strict_replay), resumed (the beginning of a
/// record) or scripted (agents that say given answers). Never throws for what games and agents do.
AGON_API MatchResult play_match(const MatchSetup& setup);

/// Ranks by score where the game gave none: 1 is best, equal scores share the better rank.
AGON_API void rank_by_score(Outcome& outcome);

}  // namespace agon
