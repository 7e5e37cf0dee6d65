#pragma once

#include <agon/agent.hpp>
#include <agon/waiting.hpp>
#include <chrono>
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
  Condition changed_;
  std::deque<Waiting> waiting_;
  std::vector<MatchEnding> endings_;
  std::optional<const void*> at_;        ///< the match that is played at the desk
  std::vector<std::string> seat_names_;  ///< of that match
  bool over_ = false;                    ///< it is, and nobody has been told
  bool left_ = false;                    ///< somebody left it, and was told so
  bool closing_ = false;
  std::thread thread_;
};

/// Parameters of `human`: who sits there, for the archive. Nothing of it is shown to other seats.
struct HumanParams {
  std::string pseudonym;
  std::string session;
  std::string consent;
  std::string told;
  bool probes = false;
};
AGON_DESCRIBE(HumanParams,
              (pseudonym, "what the person is called in the archive; never a real name",
               agon::length(0, 100)),
              (session, "the sitting that this match belongs to", agon::length(0, 100)),
              (consent, "SHA-256 of the text that the person agreed to", agon::length(0, 64)),
              (told, "what the person was told about the opponents", agon::length(0, 2000)),
              (probes,
               "also asks the person for plans and beliefs, which are no part of the game and may "
               "be passed over"))

/// A person at the terminal, or at the other end of a pipe. The dialogue is built from the
/// question's description alone, so people play any game of any plugin.
class Human final : public WaitingAgent {
 public:
  using Params = HumanParams;
  explicit Human(const Params& params);
  /// At another desk than the process's own.
  Human(const Params& params, std::shared_ptr<Desk> desk);
  ~Human() override;

  void ask(OwnedQuestion question, Completion done) const override;
  void match_ended(MatchEnding ending) const override;
  void match_over(const void* table) const noexcept override;
  [[nodiscard]] bool answers_probes() const override { return params_.probes; }
  [[nodiscard]] bool is_costly() const override { return true; }

 private:
  Params params_;
  std::shared_ptr<const Person> person_;
  std::shared_ptr<Desk> desk_;
};

}  // namespace agon::agents
