#pragma once

#include <agon/outcome.hpp>
#include <deque>
#include <map>
#include <optional>
#include <string>

#include "remote/card_json.hpp"
#include "remote/channel.hpp"
#include "table/untyped_table.hpp"

namespace agon::remote {

/// One match of a game in another process: what the game says is done at the table, and what comes
/// of it is said to the game.
class RemoteMatch {
 public:
  /// `process`: what agents know that live where the game does; null: none do, and the game draws
  /// nothing by itself.
  RemoteMatch(const RemoteCard& card, Channel& channel, AnyTable& table, const void* process)
      : card_(card), channel_(channel), table_(table), process_(process) {}

  /// Plays it. Throws RemoteFault where the game's side breaks, and whatever the table throws; the
  /// process has come to an end with the match by then.
  Outcome play(std::string_view settings);

 private:
  void begin(std::string_view settings);
  /// False for a message that a game does not say in a match.
  bool heed(const Message& message);
  void ask(const Message& message);
  void say(const Message& message, Audience audience);
  void draw(const Message& message);
  void deal(const Message& message);
  /// Notes what a worker of ours drew.
  void drawn(const Message& message);
  void deal_in_turn(const Message& message);
  void bring(const Message& message);
  void take_along(const Message& message);
  [[nodiscard]] Outcome outcome(const Message& message) const;

  /// The card of the stage that the message names.
  [[nodiscard]] const StageCard& stage(const Message& message) const;
  [[nodiscard]] UntypedAsking asking(const StageCard& stage, const Message& question,
                                     std::size_t number, std::deque<Value>& views);
  /// Has the game look at an answer.
  [[nodiscard]] std::string check(const StageCard& stage, std::size_t question, const void* answer);
  /// Has the agent answer that lives where the game does.
  void answer_inside(Question& question, std::size_t number, std::string_view agent);
  /// Does what a process may be needed for while the table asks; a fault is kept, and comes again.
  template <class Work>
  auto while_asked(Work work);
  void send_answers(const StageCard& stage, const std::vector<UntypedAnswer>& answers);
  RandomStream& stream(const Message& message);
  [[nodiscard]] const Type& described(const Message& message);

  const RemoteCard& card_;
  Channel& channel_;
  UntypedTable table_;
  const void* process_;
  std::map<std::string, OwnedType, std::less<>> types_;  ///< of what is carried
  std::optional<RemoteFault> fault_;                     ///< that came while the table asked
};

}  // namespace agon::remote
