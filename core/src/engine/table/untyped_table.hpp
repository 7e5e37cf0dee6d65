#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/table.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "describe/value.hpp"

namespace agon {

/// One seat's question whose types are known at run time only.
struct UntypedAsking {
  int seat = 0;
  OwnedLimits limits;
  Value fallback;  ///< of the stage's answer; what is played when no attempt is legal
  /// What the seat sees: of the stage's view; null without one.
  const Value* view = nullptr;
  /// Why an answer is not legal, empty if it is; none: limits say all.
  std::function<std::string(const void* answer)> check{};
  /// Lets an agent answer that lives in a plugin's process, if the game lives there too; `agent` is
  /// the JSON that it is made of. False if it does not. None: no agent lives where the game does.
  std::function<bool(Question& question, const void* process, std::string_view agent)> inside{};
};

/// How an UntypedAsking came out.
struct UntypedAnswer {
  Value value;            ///< of the stage's answer
  Given given;            ///< how it came
  bool declined = false;  ///< of a probe
};

/// A question to those who answer it by its description.
class AGON_API UntypedQuestion {
 public:
  /// What an agent where the game lives is given of it, beside what the game knows.
  struct Dealt {
    std::uint64_t dice_key = 0;
    std::uint32_t dice_place = 0;
    int attempt = 0;
    std::string_view memo;
    std::string_view complaint;
  };
  [[nodiscard]] static Dealt dealt(const Question& question);
  /// True if limits do not say all of what is legal.
  [[nodiscard]] static bool has_check(const Question& question);
  /// What the game's own check says of an answer; empty if it is legal, or there is none.
  [[nodiscard]] static std::string reason_against(const Question& question, const void* answer);
  /// Writes an answer as an agent of this process would: the place, to be filled by its type.
  [[nodiscard]] static void* place_of_answer(Question& question);
  /// What the agent has just asked to be handed back; null: nothing new.
  [[nodiscard]] static const std::string* remembered(const Question& question);
};

/// A game's table for a game that is no C++ function of this process: what agon::Table does with
/// types, done with descriptions. It asks, says and draws as that one does, so that the record of a
/// match cannot tell them apart.
class AGON_API UntypedTable {
 public:
  explicit UntypedTable(AnyTable& table) : table_(table) {}
  UntypedTable(const UntypedTable&) = delete;
  UntypedTable& operator=(const UntypedTable&) = delete;

  [[nodiscard]] int seats() const { return table_.seats(); }
  [[nodiscard]] std::string_view name(int seat) const { return table_.name(seat); }
  /// True if somebody hears or records events and draws: else none need be said.
  [[nodiscard]] bool is_listening() const { return table_.listening_; }
  /// True if the seat would not decline every probe unseen.
  [[nodiscard]] bool answers_probes(int seat) const { return table_.answers_probes(seat); }

  /// True once the match is to stop, whatever its game is at.
  [[nodiscard]] bool is_stopped() const;
  /// Stops it then, by an exception, as asking would.
  void heed_stop();

  /// Asks one seat, or several at once; of a probe too. The answers stand in the order of `asking`.
  /// A seat that declines probes unseen is not asked, as at a typed table. `single`: it is
  /// Table::ask() or probe() and not ask_all() of one seat.
  std::vector<UntypedAnswer> ask(const StageCard& stage, std::span<UntypedAsking> asking,
                                 bool single);

  /// Says what an event says: to everybody, to the seat, to the record, as its card has it.
  void say(const EventCard& card, const void* event, int seat = -1);

  /// The stream of chance at a place; a number of the game's own tells streams apart.
  RandomStream& stream(std::int64_t number, std::string_view name,
                       std::span<const std::int64_t> at);
  /// A stream that was begun; null if no stream has that number.
  RandomStream* stream(std::int64_t number);
  std::int64_t deal(std::string_view name, std::int64_t n, Dealing how) {
    return table_.deal(kept_name(name), n, how);
  }

  /// Records a draw that was made where the game is; `value` is given another where the record or a
  /// log has one. `first`: of its stream.
  void drawn(std::string_view name, std::span<const std::int64_t> at, bool first, const Type& type,
             void* value) {
    table_.drawn(kept_name(name), at, first, type, value);
  }
  /// The key of the match's chance, for the one who draws where the game is.
  [[nodiscard]] std::uint64_t luck_key() const { return table_.stream_key_; }
  /// What is dealt in turn among n things.
  std::int64_t next_in_turn(std::string_view name, std::int64_t n) {
    return table_.next_in_turn(kept_name(name), n);
  }

  /// Has an agent answer where the game lives. False if the question is of a game that lives
  /// elsewhere, see UntypedAsking::inside.
  static bool answer_inside(Question& question, const void* process, std::string_view agent);

  /// Question::draw() by the description.
  static void draw(Question& question);
  /// Whether an answer keeps to its description and the limits.
  static bool is_legal(const Type& type, const void* answer, std::span<const LimitData> limits);

  /// False if the seat carried nothing over.
  bool bring(int seat, const Type& type, void* value);
  void take_along(int seat, const Type& type, const void* value);

 private:
  struct CallbackData;
  static const void* view_of(void* asked);
  static std::string reason(void* asked, const void* answer);
  /// Streams refer to their names.
  std::string_view kept_name(std::string_view name);

  AnyTable& table_;
  std::map<std::string, int, std::less<>> names_;
  std::map<std::int64_t, RandomStream> streams_;
};

}  // namespace agon
