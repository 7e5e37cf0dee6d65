// agon.h: commands inside another program, and its functions as agents.
#include <agon/agon.h>
#include <unistd.h>

#include <atomic>
#include <boost/json/array.hpp>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "c_interface/error.hpp"
#include "c_interface/function_agent.hpp"
#include "command/command.hpp"
#include "json/parse.hpp"
#include "task/coroutine_pool.hpp"
#include "text/say.hpp"

using namespace agon;
using namespace agon::c_interface;

namespace {

std::vector<std::string> words_of(const char* text) {
  const boost::json::value given_words = json::parse(&given(text, "the command line"), "words");
  std::vector<std::string> words;
  if (const auto* list = given_words.if_array())
    for (const boost::json::value& word : *list)
      if (word.is_string()) words.emplace_back(word.get_string());
  if (!given_words.is_array() || words.size() != given_words.get_array().size() || words.empty())
    throw misuse("a command line is a list of texts", R"(write ["report", "run.agon"], say)");
  return words;
}

/// What a command tells, for the program around it.
class HostListener final : public text::Listener {
 public:
  explicit HostListener(const agon_host& host) : host_(host) {}

  void print(std::string_view text) override {
    if (host_.print == nullptr) return;
    int failed = 0;
    run_on_thread_stack([&] { failed = host_.print(host_.user, text.data(), text.size()); });
    if (failed != 0) throw Error(ErrorKind::failure, "nobody reads what the command prints");
  }
  void say(std::string_view text) override {
    if (host_.say == nullptr) return;
    run_on_thread_stack([&] { host_.say(host_.user, std::string(text).c_str()); });
  }
  void show(std::uint64_t done, std::uint64_t before, std::uint64_t total) override {
    if (host_.show != nullptr) host_.show(host_.user, done, before, total);
  }

 private:
  const agon_host& host_;
};

/// Sets flags once a number of the program around says so.
class StopWatch {
 public:
  StopWatch(const volatile int32_t* asked, StopFlags& flags) {
    if (asked == nullptr) return;
    thread_.emplace([asked, &flags](const std::stop_token& done) {
      std::mutex mutex;
      std::condition_variable_any changed;
      std::unique_lock lock(mutex);
      while (!done.stop_requested()) {
        const int32_t how = __atomic_load_n(asked, __ATOMIC_RELAXED);
        if (how >= 1) flags.asked = true;
        if (how >= 2) flags.insisted = true;
        changed.wait_for(lock, done, std::chrono::milliseconds(20), [] { return false; });
      }
    });
  }

 private:
  std::optional<std::jthread> thread_;
};

/// Runs play one at a time: what is noted of crashes is the process's.
class OneRun {
 public:
  explicit OneRun(const std::vector<std::string>& words) : is_run_(words.front() == "run") {
    if (is_run_ && is_on_.exchange(true))
      throw misuse("another run is going on in this process",
                   "wait for its end, or give it more jobs");
  }
  ~OneRun() {
    if (is_run_) is_on_ = false;
  }
  OneRun(const OneRun&) = delete;
  OneRun& operator=(const OneRun&) = delete;

 private:
  static inline std::atomic<bool> is_on_{false};
  const bool is_run_;
};

}  // namespace

extern "C" {

int agon_command(const char* words, const agon_host* host, int* exit_code) {
  return guarded([&] {
    const std::vector<std::string> line = words_of(words);
    const agon_host& around = given(host, "the host");
    int& code = given(exit_code, "the place of the exit code");
    const OneRun one(line);
    StopFlags flags;
    const StopWatch watch(around.stop, flags);
    AgentHost agents;
    agents.tell = [&around](const std::string& agent, std::uint64_t seat, const std::string& lines,
                            agon_reply* reply) {
      run_on_thread_stack(
          [&] { around.tell(around.user, agent.c_str(), seat, lines.c_str(), reply); });
    };
    command::Host inside{.stop = &flags, .suite = around.suite == nullptr ? "" : around.suite};
    inside.asking_takes_long = &agents.asking_takes_long;
    if (around.tell != nullptr) inside.agents.push_back(function_agent(agents));
    HostListener listener(around);
    const text::Listening listening(&listener);
    code = command::execute(line, &inside);
  });
}

int agon_answer(agon_reply* reply, const char* message) {
  return guarded([&] {
    const std::unique_ptr<agon_reply> owned(&given(reply, "the reply"));
    const std::string who = "the agent '" + owned->agent + "'";
    // One that answers at once keeps its match, which cannot look at the time meanwhile.
    if (std::chrono::steady_clock::now() > owned->deadline)
      return owned->done({.status = Fault::timed_out, .problem = who + " let the time run out"});
    external::Reading reading = external::read_line(message == nullptr ? "" : message);
    // What fails may not have read which question it is.
    if (!reading.message || (reading.message->id != owned->id &&
                             reading.message->what != external::Message::What::failed)) {
      const std::string problem = reading.message
                                      ? "it answers another question than '" + owned->id + "'"
                                      : reading.problem;
      return owned->done({.status = Fault::unparsable, .problem = problem});
    }
    Reply said = external::reply_of(std::move(*reading.message), owned->probe, who);
    // What failed is a defect: no other match would fare better.
    if (said.status == Fault::provider_failed) said.halt = Halt::configuration;
    owned->done(std::move(said));
  });
}

}  // extern "C"
