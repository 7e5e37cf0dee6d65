#pragma once

#include <agon/agent.hpp>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

#include "human/conversation.hpp"

namespace agon::agents {

/// Where people sit: one console that all human seats of a process share. It takes questions from
/// any thread and puts them to the people one at a time, in the order in which they came, on a
/// thread of its own.
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

 private:
  struct Waiting {
    OwnedQuestion question;
    std::shared_ptr<const Person> person;
    Completion done;
  };
  void serve();

  Console console_;
  Sittings sittings_;  ///< touched by the thread alone
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace agon::agents
