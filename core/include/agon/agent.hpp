#pragma once

#include <agon/access.hpp>
#include <agon/purpose.hpp>
#include <agon/question.hpp>
#include <agon/seat_history.hpp>
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace agon {

class CallLedger;
class ModelAgent;
class PartSource;
struct PromptSet;

/// Limits that own what they point to, for agents that answer later.
class AGON_API OwnedLimits {
 public:
  OwnedLimits() = default;
  /// Copies the limits and all that they point to.
  explicit OwnedLimits(std::span<const LimitData> limits);
  /// The limits; valid as long as a copy of this object is there.
  [[nodiscard]] std::span<const LimitData> get() const;

 private:
  struct Storage;
  std::shared_ptr<const Storage> storage_;
};

/// A question for an agent that may take its time: it owns everything, so that an answer that comes
/// late touches nothing that is gone. Descriptions live as long as the process.
struct OwnedQuestion {
  std::string game;   ///< id
  std::string title;  ///< of the game
  std::string rules;  ///< what players are told, with the figures of this match
  std::string match;  ///< label of the match, for people
  /// Stands for this playing of the match: the same for all its questions, as match_over() has it.
  const void* table = nullptr;
  int seat = 0;                         ///< who is asked, from 0
  std::string seat_name;                ///< as other seats see it
  std::string role;                     ///< "buyer"; empty if all seats are alike
  std::vector<std::string> seat_names;  ///< of all seats, in order
  std::string persona;                  ///< who the seat is to be, if its game says so
  std::string stage;                    ///< name of the stage
  std::string stage_doc;                ///< what the stage asks for
  std::uint32_t number = 0;             ///< count of the questions of this match, from 0
  int asked_at_once = 1;                ///< how many seats are asked now, this one counted
  int asked_index = 0;                  ///< which of them this seat is, from 0
  int attempt = 0;                      ///< 0 the first time, 1 when asked again, ...
  bool probe = false;                   ///< the answer has no effect on play
  Purpose purpose = Purpose::act;       ///< what the stage is for
  std::string complaint;                ///< why the last attempt was turned down
  int tries = 0;                        ///< how many attempts there are from this one on at most
  std::string fallback;  ///< asked again: what is played as JSON if none is legal; of probes empty
  std::shared_ptr<const void> kept;   ///< Reply::kept of the last attempt; else null
  const Type* view_type = nullptr;    ///< description of `view_json`; null without a view
  std::string view_json;              ///< "null" without a view
  std::string view_told;              ///< the view in words, if its game tells it so
  const Type* answer_type = nullptr;  ///< description of the answer
  OwnedLimits limits;                 ///< of the moment, on the answer
  /// True for an answer after which the seat has no more to decide, see Stage::ends; null: none is.
  Callback<bool(const void* answer)> ends{};
  /// All that this seat has been told, asked and has answered before, also before a resume.
  SeatHistory history;
  std::size_t unseen_from = 0;   ///< deliveries from here on came after the seat's last question
  std::string memo;              ///< what the agent last asked to be handed back
  std::uint64_t dice_key = 0;    ///< Dice(dice_key, dice_place, attempt) are this question's dice
  std::uint32_t dice_place = 0;  ///< see `dice_key`
  /// A reply after this moment is no answer any more.
  std::chrono::steady_clock::time_point deadline = std::chrono::steady_clock::time_point::max();
  const Type* facts_type = nullptr;  ///< see GameCard::facts
  std::string facts_json;            ///< what everybody may know of the settings; "null" without
  std::shared_ptr<const PromptSet> prompts;  ///< of agents that read them; else null
  /// What all of it is written in; of prompts, which outlive it, or English.
  const Language* language = &Language::english();
  std::shared_ptr<CallLedger> ledger;  ///< of model agents; null: nobody keeps their calls
};

/// True if `json`, an answer to the question, ends the match for its seat, see Stage::ends.
[[nodiscard]] AGON_API bool ends_match(const OwnedQuestion& question, std::string_view json);

/// How a match ended for a seat whose agent waits, with all that the seat was told.
struct MatchEnding {
  const void* table = nullptr;    ///< see OwnedQuestion
  int seat = 0;                   ///< whose ending it is, from 0
  bool finished = false;          ///< false: it was stopped, somebody left, or the game broke
  std::optional<double> score{};  ///< the seat's own, if the match has scores for it
  std::optional<double>
      normalised{};             ///< 0 at the disagreement point, 1 at the ideal; see SeatScore
  int rank = 0;                 ///< 1 is best; 0: the match has none
  std::string metrics_json{};   ///< the seat's own, an object; empty: its game has none
  std::string score_told{};     ///< the same in the game's words; empty without
  int score_decimals = 0;       ///< 2: `score` is in cents; see GameCard
  SeatHistory history;          ///< see OwnedQuestion
  std::size_t unseen_from = 0;  ///< likewise
  /// What all of it is written in; it outlives the call only as long as the seat's prompts do.
  const Language* language = &Language::english();
};

/// When a person was shown a question and answered it: milliseconds since 1970, 0 if unknown.
struct Timing {
  std::int64_t shown = 0;        ///< when the question was on the screen
  std::int64_t first_input = 0;  ///< when the person began to answer
  std::int64_t answered = 0;     ///< when the answer was complete
};

/// Who a person is that answers, for the archive. Nothing of it is shown to other seats.
struct Person {
  std::string pseudonym;  ///< never a real name; empty: the agent's name
  std::string session;    ///< the sitting; empty: one for the pseudonym and the run
  std::string consent;    ///< SHA-256, in hexadecimal, of the text agreed to; empty: of none
  std::string told;       ///< about the opponents; empty: the names of the seats
  /// When it was agreed to, milliseconds since 1970; 0: with the first question.
  std::int64_t consented = 0;
};

/// What a waiting agent says. `status` is Fault::ok if `json` is its answer; anything else says
/// what went wrong, and `json` keeps what there is of it. Fault::provider_failed leaves the match
/// unfinished; it never becomes a move.
struct Reply {
  Fault status = Fault::ok;  ///< how the attempt came out
  bool declined = false;     ///< of a probe
  bool quit = false;      ///< a person leaves: the match stays unfinished and can be taken up again
  std::string json{};     ///< the answer, or what there is of it
  std::string thought{};  ///< a private reason: recorded, shown to no other seat
  std::string memo{};     ///< what is to be handed back, if `remembers`
  bool remembers = false;  ///< `memo` replaces what was remembered
  std::string problem{};   ///< what went wrong, or what was repaired, for the record
  std::string said{};      ///< the whole answer in a model's own words; empty: as `json`
  bool by_rules = false;   ///< `json` is the only legal answer, and nobody was asked for it
  /// What the agent wants to have at the next attempt at the same question. It is not recorded: who
  /// is asked again from the first attempt on must come to the same.
  std::shared_ptr<const void> kept{};
  /// The person is gone for good: the seat's substitute answers this question and all that follow;
  /// without a substitute the match stays unfinished.
  bool hands_over = false;
  bool hopeless = false;  ///< no answer would come of asking again: the fallback is played at once
  Halt halt = Halt::no;   ///< with Fault::provider_failed: why the whole run has to stop
  Timing timing{};        ///< of a person's answer
  std::shared_ptr<const Person> person{};  ///< who answered, where it was a person
};

class Mailbox;

/// Where a waiting agent's reply goes: call it once, from any thread, at any time. A second call
/// and a call after the deadline or after the match ended do nothing.
class AGON_API Completion {
 public:
  /// For the table: a way to answer this attempt at this question.
  Completion(std::shared_ptr<Mailbox> box, std::uint32_t number, int attempt);
  /// Hands in the reply.
  void operator()(Reply reply) const;
  /// The question waits for its turn, as one person answers one question at a time: called within
  /// Agent::ask(), so that the time limit runs from begin() on.
  void hold() const;
  /// The question is put now.
  void begin() const;
  /// True if nobody waits for this reply any more.
  [[nodiscard]] bool abandoned() const;

 private:
  std::shared_ptr<Mailbox> box_;
  std::uint32_t number_;
  int attempt_;
};

/// Anything that answers questions. Agents have no hidden state: what an agent knows is the
/// question, what its seat was told and the memo it handed back. So one object serves all matches
/// and threads.
class AGON_API Agent {
 public:
  Agent() = default;
  Agent(const Agent&) = delete;
  Agent& operator=(const Agent&) = delete;
  virtual ~Agent();

  /// Answers now: writes question.answer<T>(), or calls draw() or decline().
  virtual void answer(Question& question) const = 0;
  /// False if every probe would be declined; the table then does not even ask.
  [[nodiscard]] virtual bool answers_probes() const { return false; }
  /// True if the agent answers through ask() instead.
  [[nodiscard]] virtual bool waits() const { return false; }
  /// Waiting agents: takes the question and returns soon; `done` may be called before it returns.
  virtual void ask(OwnedQuestion question, Completion done) const;
  /// Waiting agents: how a match ended for a seat. Called before match_over(), once for each seat,
  /// whether or not the seat was ever asked.
  virtual void match_ended(MatchEnding ending) const;
  /// Waiting agents: no more questions will come from this table, and no reply to it is wanted; it
  /// may be that none was ever asked. Called once a match and agent, from the match's thread.
  virtual void match_over(const void* table) const noexcept;
  /// True if an answer costs a person's time, and must be durable before it is used. What models
  /// say is durable by the ledger of their calls.
  [[nodiscard]] virtual bool is_costly() const { return false; }
  /// The agent as one whose answers come from a model; null for all others.
  [[nodiscard]] virtual const ModelAgent* model_agent() const { return nullptr; }
  /// Which language the prompt files are in that it reads, which are then part of what a match is:
  /// "en", "de", or "published" for the words of the game's paper. Empty: it reads none.
  [[nodiscard]] virtual std::string language() const { return {}; }
  /// For an agent that holds different answers for different blocks: what plays in this one. Null:
  /// the agent itself. Throws Error (not_found) if it has nothing for that scenario or block; it is
  /// asked for all blocks before a run.
  [[nodiscard]] virtual std::shared_ptr<const Agent> in_block(std::string_view scenario,
                                                              std::uint64_t block) const;
};

/// An agent that answers through ask().
class AGON_API WaitingAgent : public Agent {
 public:
  ~WaitingAgent() override;
  void answer(Question& question) const final;
  [[nodiscard]] bool waits() const final { return true; }
  [[nodiscard]] bool answers_probes() const override { return true; }
  void ask(OwnedQuestion question, Completion done) const override = 0;
};

/// What a model agent whose components are the default ones would be sent at a question: JSON, a
/// list of {"role": ..., "content": ...}; empty where it would decline. From any thread. Throws
/// Error for prompts that are wrong.
using RenderQuestion = std::function<std::string(const OwnedQuestion& question)>;

/// What an agent may use beside its parameters.
struct AgentServices {
  const PartSource* parts = nullptr;  ///< null: there are none
  std::string_view game{};            ///< the game that the agent is made for
  std::string_view folder{};          ///< of the suite file; relative paths start there
  bool dry_run = false;               ///< plan: answer without any outside service
  std::string_view ca_file{};         ///< certificates to trust beside the system's; empty: none
  bool verbose = false;               ///< tell on standard error what goes over the wire, no keys
  /// True once somebody wants the process to end: then nothing is begun or waited for any more. It
  /// outlives the agent. Null: nobody ever does.
  const std::atomic<bool>* stop = nullptr;
  /// Makes one for `game`, while the agent is made, whose language() is then "en". Throws Error
  /// where no model agent is installed. Null: there is none here.
  std::function<RenderQuestion()> renderer{};
};

/// What `agon describe AGENT` prints, and how to make one.
struct AgentCard {
  std::string_view id;                        ///< unique within the game: "value-cap"
  std::string_view game{};                    ///< the one game it plays; empty: any
  std::string_view doc{};                     ///< what it does, in a sentence or two
  std::string_view source{};                  ///< paper and section, if it is from one
  std::span<const std::string_view> roles{};  ///< that it can play; empty: all
  /// For an agent of one game: why it cannot play with these settings of the game, empty if it can;
  /// it is then refused before anything is played. agon::hook<&why_not>.
  Callback<std::string(const void* settings)> check{};
  /// What an agent of these parameters would reach for outside, as far as its user must be
  /// asked first; null: nothing. It starts and sends nothing itself, and throws Error for
  /// parameters that make no sense together.
  Callback<std::vector<Access>(const void* params, const AgentServices& services)> accesses{};
  const Type* params = nullptr;  ///< described struct of its parameters
  /// Makes one of these parameters; agon::agent() fills it in.
  Callback<std::unique_ptr<Agent>(const void* params, const AgentServices& services)> make{};
};

/// agon::agent<ValueCap>({.id = "value-cap", .game = "english-auction", .doc = "..."}): A has a
/// described struct A::Params and a constructor from it, or from it and the services, which throws
/// agon::Error for parameters that make no sense together. An A that reaches outside has a static
/// function `std::vector<Access> accesses(const Params&, const AgentServices&)`.
template <class A>
constexpr AgentCard agent(AgentCard card) {
  card.params = &type_of<typename A::Params>();
  card.make = [](const void* params, const AgentServices& services) -> std::unique_ptr<Agent> {
    const auto& mine = *static_cast<const typename A::Params*>(params);
    if constexpr (std::is_constructible_v<A, const typename A::Params&, const AgentServices&>)
      return std::make_unique<A>(mine, services);
    else
      return (void)services, std::make_unique<A>(mine);
  };
  if constexpr (requires(const typename A::Params& params, const AgentServices& services) {
                  A::accesses(params, services);
                })
    card.accesses = [](const void* params, const AgentServices& services) {
      return A::accesses(*static_cast<const typename A::Params*>(params), services);
    };
  return card;
}

}  // namespace agon
