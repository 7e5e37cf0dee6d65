#pragma once

#include <agon/agent.hpp>
#include <agon/table.hpp>
#include <boost/json/fwd.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "wire.hpp"

namespace agon {

/// What a match is played with, beside its game and settings.
struct RelayOrder {
  std::vector<std::string> names;    ///< of the seats
  bool listening = true;             ///< somebody hears or records events and draws
  std::uint64_t key = 0;             ///< of chance
  bool draws_are_given = false;      ///< the arena answers each draw with the number that counts
  std::vector<const Agent*> inside;  ///< by seat: who answers here; null: somebody elsewhere
};

/// A table whose questions, events and draws are messages to the arena, where the match's one
/// MatchTable numbers, checks and records them. Chance is drawn here, from the match's key, and
/// said.
class RelayTable final : public AnyTable {
 public:
  /// Both must outlive it.
  RelayTable(worker::Wire& wire, const RelayOrder& order);

  /// True once the arena has ended the match.
  [[nodiscard]] bool is_stopped() const { return stopped_; }

 private:
  Given put(Question& question) override;
  void put_all(std::span<Question> questions, std::span<Given> given) override;
  void say(std::uint32_t audience, const EventCard& card, const void* event) override;
  void drawn(std::string_view name, std::span<const std::int64_t> at, bool first, const Type& type,
             void* value) override;
  std::int64_t next_in_turn(std::string_view name, std::int64_t n) override;
  bool bring(int seat, const Type& type, void* value) override;
  void take_along(int seat, const Type& type, const void* value) override;

  void ask(std::span<Question> questions, std::span<Given> given, bool single);
  [[nodiscard]] std::string question_json(Question& question) const;
  [[nodiscard]] bool is_inside(int seat) const;
  /// What the game's own check says of an answer.
  void check(Question& question, const boost::json::value& answer);
  /// Lets the agent that lives here answer.
  void answer(Question& question, const boost::json::object& message);
  void take(std::span<Question> questions, std::span<Given> given,
            const boost::json::object& message);
  /// The arena's next message, which must be of that type; throws Stop if it ends the match.
  boost::json::object hear(std::string_view type);
  void heed_stop() const {
    if (stopped_) throw Stop{};
  }

  worker::Wire& wire_;
  const RelayOrder& order_;
  bool stopped_ = false;
};

}  // namespace agon
