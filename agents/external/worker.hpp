#pragma once

#include <agon/agent.hpp>
#include <agon/process.hpp>
#include <agon/waiting.hpp>
#include <atomic>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "external/protocol.hpp"

namespace agon::external {

/// The environment of a program that plays, as NAME=VALUE: what programs and interpreters need to
/// start and to speak the user's language, and `variables`, as far as they are set. Nothing else,
/// since a key may be in any other. docs/external-agents.md has the list. PYTHONPATH ends with the
/// folder of agon_arena.
[[nodiscard]] std::vector<std::string> child_environment(const std::vector<std::string>& variables);

/// The command with the samples where Agon was installed: a word agents/external/samples/X that is
/// not in the folder, which the program runs in, becomes the path of the sample that ships.
[[nodiscard]] std::vector<std::string> found_command(std::vector<std::string> command,
                                                     const std::filesystem::path& folder);

/// What is run, and how long things may take.
struct Program {
  std::vector<std::string> command;
  std::string folder;                    ///< that it runs in; empty: here
  std::vector<std::string> variables{};  ///< that it gets beside the usual ones
  std::string options = "{}";            ///< values of its options, a JSON object
  bool per_match = false;
  std::chrono::milliseconds start{30000};
  std::chrono::milliseconds answer{60000};
  std::chrono::milliseconds ping{10000};
  std::chrono::milliseconds quit{5000};
  const std::atomic<bool>* stop = nullptr;  ///< see AgentServices
  RenderQuestion render{};                  ///< null: it gets no messages

  [[nodiscard]] bool is_stopped() const { return stop != nullptr && *stop; }
};

/// One process of the program and the coroutine that talks to it. It plays one seat of one match at
/// a time. A process that broke is replaced when the next question comes, and told all that the
/// seat knows first, so nothing is lost with it.
class Worker {
 public:
  explicit Worker(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  /// Ends the process, by force if it does not end in time.
  ~Worker();

  /// Starts the process and returns its hello. Throws Error. Before the first put() only.
  Message greet();
  /// Returns at once.
  void put(OwnedQuestion question, Completion done);
  /// How the match ended for the seat, for the program to learn from. Before leave().
  void put_ending(MatchEnding ending);
  /// The match is over: a question that is open is given up.
  void leave();
  /// Begins to end, so that several can do so at the same time.
  void close();

 private:
  struct Job {
    OwnedQuestion question;
    Completion done;
    std::uint64_t sitting;
  };
  struct Ending {
    MatchEnding ending;
    std::uint64_t sitting;
  };

  void serve();
  Reply play(const OwnedQuestion& question, const std::function<bool()>& stop);
  /// Starts the process. What goes wrong is a reply, but for stopping: then there is none.
  std::optional<Reply> start(Message& hello, const std::function<bool()>& stop);
  bool answers_ping(const std::function<bool()>& stop);
  void tell(const OwnedQuestion& question);
  Reply await(const OwnedQuestion& question, const std::function<bool()>& stop);
  /// What an ending, a silence or an endless line makes of a question; ends the process.
  Reply broke(Process::Got got, const std::string& line, const std::string& while_what);
  void quit();
  [[nodiscard]] std::string name() const;

  std::shared_ptr<const Program> program_;

  // of the coroutine alone, once it runs
  std::unique_ptr<Process> process_;
  bool seated_ = false;  ///< the process was told of the match of this sitting
  std::uint64_t seated_in_ = 0;
  bool fresh_ = true;            ///< it has not played a match yet
  Told told_;                    ///< of the match of this sitting
  std::set<std::string> asked_;  ///< ids that it was asked in this match
  std::uint64_t pings_ = 0;

  std::mutex mutex_;
  Condition changed_;
  std::deque<Job> jobs_;
  std::optional<Ending> ending_;  ///< of a match that its process is to hear of
  bool closing_ = false;
  std::atomic<std::uint64_t> sitting_{1};  ///< raised when a match is over
  std::uint64_t cleaned_ = 1;              ///< sitting up to which it has cleaned up
  bool is_serving_ = false;
  std::optional<BackgroundWork> work_{std::in_place};
};

/// The processes of one agent. Each seat of each match that is played has one to itself, so no
/// match ever waits for another, and nothing passes from seat to seat; processes that are free go
/// to the next match.
class Pool {
 public:
  /// Starts a first process to learn which options there are. Throws Error.
  Pool(Program program, const std::map<std::string, std::string>& options);
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool();

  void ask(OwnedQuestion question, Completion done);
  void match_ended(MatchEnding ending);
  void match_over(const void* table) noexcept;

 private:
  using Place = std::pair<const void*, int>;  ///< table and seat

  std::shared_ptr<Program> program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
  std::map<Place, Worker*> seated_;
  std::vector<Worker*> free_;
};

}  // namespace agon::external
