#pragma once

#include <agon/error.hpp>
#include <agon/language.hpp>
#include <agon/process.hpp>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "process/children.hpp"
#include "remote/message.hpp"
#include "remote/remote_plugin.hpp"
#include "table/match.hpp"

namespace agon::remote {

/// Seconds as limits have them, for clocks.
inline Process::Clock::duration as_time(double seconds) {
  return std::chrono::duration_cast<Process::Clock::duration>(
      std::chrono::duration<double>(seconds));
}

/// How a plugin that is a program is started: locked in, unless no plugin is to be kept apart.
/// Throws Error (not_found) where it cannot be.
[[nodiscard]] Launch launch_of(const std::filesystem::path& file, const Isolation& isolation);

/// How a shared library is kept apart: Agon's own worker loads it, locked in.
[[nodiscard]] Launch launch_library(const std::filesystem::path& file, const Isolation& isolation);

/// Why a match cannot go on, charged to its game: a whole sentence.
class RemoteFault : public std::runtime_error {
 public:
  explicit RemoteFault(const std::string& problem, std::string hint = {},
                       ProcessEnd process_end = ProcessEnd::other)
      : std::runtime_error(problem), hint_(std::move(hint)), process_end_(process_end) {}
  /// How to fix it; mostly empty.
  [[nodiscard]] const std::string& hint() const { return hint_; }
  [[nodiscard]] ProcessEnd process_end() const { return process_end_; }

 private:
  std::string hint_;
  ProcessEnd process_end_;
};

/// The process was ended by a signal of others before it began with what it was to do, though it
/// had done other things before: another one can do it.
class EndedBefore : public RemoteFault {
 public:
  using RemoteFault::RemoteFault;
};

/// Why a process that was just started is not trusted to be locked in; empty: it is, as far as the
/// system tells. It must have spoken.
[[nodiscard]] std::string lock_problem(const Launch& launch, const Process& process);

/// The line to one process of a game: one message after another, and what the process may take
/// meanwhile. One thread at a time uses it. Where the process breaks a rule or ends, it is killed
/// and RemoteFault is thrown, now and at every later use.
class Channel {
 public:
  using Stop = std::function<bool()>;

  /// Hears the hello of a process that was just started. `launch` must outlive this.
  Channel(const Launch& launch, std::unique_ptr<WatchedProcess> process);

  /// The first line that it said.
  [[nodiscard]] const std::string& hello() const { return hello_; }

  /// Begins what it is to do: counts of what it takes start at zero. `what` it comes to, and `who`
  /// does it, for messages: "outcome", "the game".
  void begin(std::string what, std::string who = "the game");
  /// It has come to that: what it says from here on is refused.
  void finish();
  /// Sends one message, which is the process's turn. `line` without its break.
  void send(std::string_view line);
  /// Has the process know a game's sentences in that language, unless it does.
  void teach(std::string_view game, const Language& language);
  /// The next message. A fault that the game says is thrown. Null: `stop` has come true.
  const Message* next(const Stop& stop = {});
  /// The next message, of this type. Throws RemoteFault where `stop` has come true before.
  const Message& expect(std::string_view type, const Stop& stop = {});
  /// Notes a question, for messages and for the count of them.
  void asks(std::string_view stage, std::size_t questions);
  /// Counts bytes as if the process had said them: what a few words of it make the arena write.
  void count_as_said(std::size_t bytes);
  /// Charges the game for the line that was read last.
  [[noreturn]] void refuse(std::string_view problem);
  /// Tells the process that what it does is over, and waits for it to come to that. Never throws.
  void stop() noexcept;

  /// True if it came to what it was to do, without a fault.
  [[nodiscard]] bool is_done() const { return broken_.empty() && !busy_; }
  /// True if it can do more: it is done, and its process still there. Throws RemoteFault if that
  /// spoke though it had nothing to do.
  [[nodiscard]] bool is_idle();

 private:
  using Clock = Process::Clock;

  /// How long reading may take: what is left of the silence, or of the processor's time at most.
  [[nodiscard]] Clock::time_point next_look(Clock::time_point silent_until) const;
  void check_processor();
  void check_output();
  void read(const Stop& stop);
  /// What a fault says there, as much as is kept of it.
  [[nodiscard]] std::string words(std::string_view member) const;
  [[noreturn]] void broke(Process::Got got);
  [[noreturn]] void charge(std::string problem, ProcessEnd end = ProcessEnd::other);
  /// The same of a process that runs: it is sent SIGXCPU first, to say where it is.
  [[noreturn]] void end_at_limit(std::string problem, ProcessEnd end = ProcessEnd::other);
  /// " after a question of stage 'offer'".
  [[nodiscard]] std::string when() const;

  const Launch& launch_;
  std::unique_ptr<WatchedProcess> process_;
  std::string hello_;
  std::string line_;
  Message message_;
  std::map<std::string, Language::Sentences> taught_;  ///< by game and language
  std::string what_, who_ = "the game";                ///< see begin()
  bool busy_ = false;                                  ///< between begin() and finish()
  std::string asked_;                                  ///< stage of the last question
  std::string broken_;                                 ///< why it cannot be used any more
  ProcessEnd end_ = ProcessEnd::other;
  bool proven_ = false;  ///< it has done something else before
  bool stopped_ = false;
  std::uint64_t said_ = 0;       ///< bytes since begin()
  std::uint64_t questions_ = 0;  ///< likewise
  std::chrono::nanoseconds processor_before_{};
  Clock::duration waited_{};  ///< since the processor's time was looked at
  std::chrono::nanoseconds processor_left_{};
};

/// What is asked of a process that plays no match.
struct ProcessRequest {
  std::string_view what;                ///< of docs/game-protocol.md: "rules"
  std::string members;                  ///< the others of the message, see member()
  std::string where{};                  ///< of the Error if it comes to nothing
  ErrorKind kind = ErrorKind::failure;  ///< likewise
  Channel::Stop stop{};                 ///< true once nobody waits for the reply any more
  /// What is said in another language than English, and in the words of which game.
  const Language* language = nullptr;
  std::string_view game{};
  std::string who = "the game";  ///< answers, for messages
};

/// `,"name":json`: one more member of a request.
inline std::string member(std::string_view name, std::string_view json) {
  return ",\"" + std::string(name) + "\":" + std::string(json);
}

/// The processes of one plugin: started when they are wanted, used again and again, each by one
/// thread at a time.
class Pool {
 public:
  explicit Pool(Launch launch) : launch_(std::move(launch)) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A process for one thing to do. It goes back where it can do more, else it is ended.
  class Lease {
   public:
    Lease(Pool& pool, std::unique_ptr<Channel> channel)
        : pool_(pool), channel_(std::move(channel)) {}
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease() { pool_.give_back(std::move(channel_)); }
    Channel* operator->() const { return channel_.get(); }
    Channel& operator*() const { return *channel_; }

   private:
    Pool& pool_;
    std::unique_ptr<Channel> channel_;
  };

  /// Throws RemoteFault where a process says no hello or another one than the first did, or has
  /// spoken when it had nothing to do: that is known after the match that it belongs to, and so no
  /// further one is played. Throws MachineFault where no process can be started.
  [[nodiscard]] Lease take();
  /// Has a process do it; another one where somebody ended the first before it began. Throws as
  /// take() does, and RemoteFault where the process breaks.
  template <class Do>
  auto in_process(const Do& what) -> decltype(what(std::declval<Channel&>())) {
    // Processes that were ended while they waited are few, and new ones are not among them.
    for (;;) {
      try {
        const Lease channel = take();
        return what(*channel);
      } catch (const EndedBefore&) {
      }
    }
  }
  /// Asks a process; `read` makes of its reply what this returns. Throws FailedRequest where it
  /// breaks.
  template <class Read>
  auto ask(const ProcessRequest& request, const Read& read)
      -> decltype(read(std::declval<const Message&>())) {
    try {
      return in_process([&](Channel& channel) {
        channel.begin("reply to '" + std::string(request.what) + "'", request.who);
        if (request.language != nullptr) channel.teach(request.game, *request.language);
        channel.send(R"({"type":"request","what":")" + std::string(request.what) + '"' +
                     request.members + "}");
        try {
          auto value = read(channel.expect("reply", request.stop));
          channel.finish();
          return value;
        } catch (const BadMessage& bad) {
          channel.refuse(bad.what());
        }
      });
    } catch (const RemoteFault& fault) {
      throw FailedRequest({request.kind, fault.what(), request.where, fault.hint()},
                          fault.process_end());
    }
  }
  /// A process that is nobody's but the caller's; `more`: words after those of the launch.
  /// Throws MachineFault.
  [[nodiscard]] std::unique_ptr<WatchedProcess> start(const std::vector<std::string>& more = {});
  /// The hello of the first process. take() before this.
  [[nodiscard]] const std::string& hello() const { return hello_; }
  [[nodiscard]] const Launch& launch() const { return launch_; }

 private:
  void give_back(std::unique_ptr<Channel> channel) noexcept;

  Launch launch_;
  StartingThread starting_;
  std::mutex mutex_;
  std::string hello_;
  std::string broken_;  ///< why nothing more is played; empty: it is
  std::vector<std::unique_ptr<Channel>> idle_;
};

}  // namespace agon::remote
