#pragma once

#include <agon/agent.hpp>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "human/conversation.hpp"

namespace agon::agents {

/// Where people sit: one console that all human seats of a process share. It takes questions from
/// any thread and puts them to the people one at a time, in the order in which they came, on a
/// thread of its own. People play one match at a time: questions of others wait until it is over,
/// and their time limits run only from when they are put.
class Desk {
 public:
  Desk(int in, int out) : console_(in, out) {}
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;
  /// Ends the conversation that goes on, within 50 ms.
  ~Desk();

  /// The process's own: standard input, and standard error, as standard output is for results. It
  /// lives as long as somebody holds it.
  static std::shared_ptr<Desk> standard();

  /// Returns at once. Replies come with `person`.
  void put(OwnedQuestion question, std::shared_ptr<const Person> person, Completion done);
  /// How a match ended for a seat; told when it is over.
  void end(MatchEnding ending);
  /// Nothing more comes of this match. Returns when those who played it were told how it ended.
  void match_over(const void* table);

 private:
  struct Waiting {
    OwnedQuestion question;
    std::shared_ptr<const Person> person;
    Completion done;
    /// For the answer, once the question is put; nothing: as long as it takes.
    std::optional<std::chrono::steady_clock::duration> limit;
  };
  void serve();
  /// The question that is put next; nothing if the match at the desk has none. Called with the
  /// mutex held.
  std::optional<Waiting> next();
  void converse(Waiting& waiting);

  Console console_;
  Sittings sittings_;  ///< touched by the thread alone
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  std::vector<MatchEnding> endings_;
  std::optional<const void*> at_;        ///< the match that is played at the desk
  std::vector<std::string> seat_names_;  ///< of that match
  bool over_ = false;                    ///< it is, and nobody has been told
  bool left_ = false;                    ///< somebody left it, and was told so
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace agon::agents
