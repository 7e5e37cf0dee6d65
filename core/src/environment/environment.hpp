#pragma once

#include <agon/agent.hpp>
#include <agon/describe.hpp>
#include <agon/outcome.hpp>
#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "open_game.hpp"
#include "suite/agents/agent_spec.hpp"
#include "table/match.hpp"
#include "table/match_table.hpp"

namespace agon {

/// How an environment is made: agon_env_make() in agon.h says what each means.
struct EnvironmentOptions {
  InOrder<std::string> agents;
  int entries = 0;
  int reasks = 0;
  bool events = true;
  bool record = false;
  bool probes = false;
  std::string scenario;
  bool float32 = false;
};
AGON_DESCRIBE(EnvironmentOptions,
              (agents, "who plays a seat, by its number, name or role; the others are outside"),
              (entries, "how many of the last entries of a list a flat view shows; 0: as seats",
               agon::range(0, OpenGame::kMostEntries)),
              (reasks, "how often an answer that is not legal is asked again", agon::range(0, 100)),
              (events, "keep what seats are told"), (record, "keep the record of each match"),
              (probes, "ask questions that have no effect on play"),
              (scenario, "name of the scenario whose chance is drawn; empty: the game's id"),
              (float32, "the buffers of numbers of a vector are floats"))

/// The agents of an environment's seats; null: played from outside.
class SeatedAgents {
 public:
  SeatedAgents(const OpenGame& game, const InOrder<std::string>& agents);
  [[nodiscard]] const std::vector<const AgentInGame*>& by_seat() const { return by_seat_; }

 private:
  std::vector<AgentSpec> specs_;
  std::vector<const AgentInGame*> by_seat_;
};

/// An answer from outside. It is read by Environment::step().
struct OutsideAnswer {
  enum class ReplyForm : std::uint8_t {
    none,      ///< not yet
    drawn,     ///< a uniform draw over what is legal
    declined,  ///< the fallback
    places,
    action,
    json,
  };
  ReplyForm form = ReplyForm::none;
  const double* places = nullptr;  ///< of FlatType
  std::int64_t action = 0;         ///< of FlatType
  std::string json{};
};

/// Matches of a game in which somebody outside answers for some of the seats: a match runs on a
/// coroutine, which is left at each question to an outside seat and gone on with once it is
/// answered. Checking, re-asking, fallbacks, chance and records are those of any match.
class Environment {
 public:
  /// How seats that do not see one another's answers are asked.
  enum class Asks : std::uint8_t { together, one_by_one };
  /// What is given must outlive it, but for the options.
  Environment(const OpenGame& game, const FlatStages& stages, const SeatedAgents& agents,
              const EnvironmentOptions& options, Asks asks);
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  ~Environment();

  /// Begins a match, in the middle of one too, and plays to its first open question.
  void reset(std::uint64_t seed, std::uint64_t block);

  /// A question that waits for its answer.
  struct Open {
    Question* question;
    int stage;
    OutsideAnswer answer{};
  };
  [[nodiscard]] std::span<Open> open() { return open_; }
  /// Plays on. Every open question must have an answer, and what its `places` points to be there.
  void step();

  [[nodiscard]] bool is_over() const { return is_over_; }
  /// Of a match that is over. Throws Error (failure) where its game broke.
  [[nodiscard]] const Outcome& outcome() const;
  /// How often the fallback was played for the seat in the current match.
  [[nodiscard]] std::uint32_t fallbacks(int seat) const;
  /// What was heard by the seat so far, and from where on it has not answered since.
  struct Heard {
    const SeatHistory* all;
    std::size_t unseen_from;
  };
  [[nodiscard]] Heard heard(int seat) const;
  /// The record of a match that is over, as JSON; "[]" where none is kept.
  [[nodiscard]] std::string record_json() const;
  [[nodiscard]] const OpenGame& game() const { return game_; }
  [[nodiscard]] const FlatStages& stages() const { return stages_; }
  [[nodiscard]] const EnvironmentOptions& options() const { return options_; }
  /// The names of the seats.
  [[nodiscard]] std::span<const std::string_view> names() const { return names_; }
  [[nodiscard]] bool is_outside(int seat) const {
    return agents_.by_seat()[static_cast<std::size_t>(seat)] == nullptr;
  }

 private:
  /// Sits at the outside seats.
  class OutsideAgent final : public Agent, public AskedTogether {
   public:
    explicit OutsideAgent(Environment& environment) : environment_(environment) {}
    void answer(Question& question) const override { environment_.ask(question); }
    [[nodiscard]] bool answers_probes() const override { return environment_.options_.probes; }
    void asked(std::span<Question> questions) override { environment_.ask_together(questions); }

   private:
    Environment& environment_;
  };

  // On the coroutine.
  void play();
  void ask(Question& question);
  void ask_together(std::span<Question> questions);
  void apply(const Open& open);

  void end_match();

  const OpenGame& game_;
  const FlatStages& stages_;
  const SeatedAgents& agents_;
  EnvironmentOptions options_;
  OutsideAgent seat_{*this};
  MatchSetup setup_;
  std::vector<std::string_view> names_;
  std::vector<std::uint64_t> dice_keys_;
  std::optional<MatchTable> table_;
  MatchResult result_;  ///< of the match that is over
  std::vector<Open> open_;
  std::vector<Open> answered_;  ///< of those asked together, until their turn comes
  std::vector<std::size_t> unseen_from_;
  std::stop_source stop_;
  bool plays_again_ = false;  ///< one table serves all matches
  bool is_over_ = true;
  bool gives_up_ = false;  ///< nothing more is asked in this match
  bool quits_ = false;
  std::optional<Coroutine> coroutine_;
};

}  // namespace agon
