#pragma once

#include <agon/agent.hpp>
#include <agon/table.hpp>
#include <boost/json/fwd.hpp>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "wire.hpp"

namespace agon {

/// What a match is played with, beside its game and settings.
struct RelayOrder {
  std::vector<std::string> names;     ///< of the seats
  bool listening = true;              ///< somebody hears or records events and draws
  std::uint64_t luck = 0;             ///< key of chance
  std::span<const EventCard> events;  ///< that the game's table lists
  /// The agent of a spec, for questions that are answered here.
  std::function<std::shared_ptr<const Agent>(const boost::json::value& spec)> agent;
};

/// A table whose questions, events and draws are messages to the arena, where the match's one
/// MatchTable numbers, checks and records them. Chance is drawn here, from the match's key; the
/// arena answers each draw with the number that counts, as a record or a log may have another.
class RelayTable final : public AnyTable {
 public:
  /// Both must outlive it.
  RelayTable(worker::Wire& wire, const RelayOrder& order);

  /// True once the arena has ended the match.
  [[nodiscard]] bool is_stopped() const { return stopped_; }

  /// Has an agent answer a question that is described as a whole: of a game that is elsewhere. What
  /// it said, as JSON.
  static std::string answer_described(worker::Wire& wire, const Agent& agent,
                                      const boost::json::object& message);

 private:
  /// What a described question's callbacks are given.
  struct Described;
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
  /// What the game's own check says of an answer.
  void check(Question& question, const boost::json::value& answer);
  /// Has an agent that lives here answer, with what the message deals it. What it said, as JSON.
  static std::string answer(const Agent& agent, Question& question,
                            const boost::json::object& message);
  void take(std::span<Question> questions, std::span<Given> given,
            const boost::json::object& message);
  /// The arena's next message; throws Stop if it ends the match.
  boost::json::object hear();
  /// Likewise; it must be of that type.
  boost::json::object hear(std::string_view type);
  void heed_stop() const {
    if (stopped_) throw Stop{};
  }

  worker::Wire& wire_;
  const RelayOrder& order_;
  bool stopped_ = false;
};

}  // namespace agon
