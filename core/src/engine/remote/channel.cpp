#include "remote/channel.hpp"

#include <unistd.h>

#include <agon/json_writer.hpp>
#include <algorithm>
#include <csignal>
#include <cstring>
#include <utility>

#include "describe/value.hpp"
#include "plugin/plugin_file.hpp"
#include "plugin/search_path.hpp"
#include "process/isolation.hpp"
#include "remote/message.hpp"
#include "table/contract.hpp"
#include "table/match_state.hpp"
#include "text/utf8.hpp"

namespace agon::remote {
namespace {

namespace fs = std::filesystem;

/// Serves the file that follows. The folder that Python looks into first is the game's own: what is
/// called agon.py there is not the module.
constexpr std::string_view kServe =
    "import sys; here = sys.path.pop(0); import agon; sys.path.insert(0, here); agon.main()";

/// The module that games in Python are written with.
std::string python_module() {
  return fs::weakly_canonical(plugin::shipped_file("python")).string();
}

}  // namespace

Launch launch_of(const fs::path& file, const Isolation& isolation) {
  Launch launch;
  launch.file = file.string();
  launch.folder = file.parent_path().string();
  launch.limits = isolation.limits;
  launch.environment = {"LANG=C.UTF-8"};
  launch.words = {launch.file};
  std::vector<std::string> readable{launch.folder};
  if (plugin::is_python_file(file)) {
    launch.words = {"python3", "-B", "-c", std::string(kServe), launch.file};
    readable.push_back(python_module());
    launch.environment.push_back("PYTHONPATH=" + readable.back());
    // The order of a set must be no hidden chance.
    launch.environment.emplace_back("PYTHONHASHSEED=0");
  }
  if (isolation.when == Isolate::never) {
    // What chooses a Python may be a script, which looks for its own in these.
    for (std::string& variable : kept_environment({"PATH", "HOME"}))
      launch.environment.push_back(std::move(variable));
  } else {
    launch.words = locked_program(std::move(launch.words), readable, launch.limits);
    launch.filters = filters_of_locked(false);
  }
  return launch;
}

Launch launch_library(const fs::path& file, const Isolation& isolation) {
  Launch launch;
  launch.file = file.string();
  launch.words = worker_words(isolation.limits);
  launch.words.push_back(launch.file);
  launch.limits = isolation.limits;
  launch.is_worker = true;
  launch.filters = filters_of_locked(true);
  return launch;
}

namespace {

using Got = Process::Got;
using std::chrono::milliseconds;

/// How long a process that closed a stream may take to end.
constexpr milliseconds kPatience{1000};
/// How long a game may take to unwind when its match is over.
constexpr milliseconds kUnwind{1000};
/// How long a process that is to be ended for a limit may take to say where it is.
constexpr milliseconds kLastWords{2000};
/// How much of a line that is refused is told.
constexpr std::size_t kToldBack = 120;
/// Threads of a process use up its time together.
constexpr int kThreads = 64;

std::string mebibytes(int n) {
  return std::to_string(n) + " MiB";
}

std::string excerpt(std::string_view line) {
  return text::shorten(text::printable(line.substr(0, 4 * kToldBack)), kToldBack);
}

/// "segmentation fault (signal 11)", or how else it ended.
std::string fate_of(const Process& process) {
  const int signal = process.ended_by();
  if (signal == 0) return process.fate();
  const char* name = sigdescr_np(signal);
  return (name == nullptr ? "" : std::string(name) + ", ") + "signal " + std::to_string(signal);
}

/// What others end a process with; a game's own faults end it otherwise.
bool is_from_outside(int signal) {
  return signal == SIGKILL || signal == SIGTERM || signal == SIGHUP;
}

}  // namespace

std::string lock_problem(const Launch& launch, const Process& process) {
  if (launch.filters == 0) return {};
  const std::optional<int> own = filters_in_force(getpid());
  const std::optional<int> there = filters_in_force(process.id());
  if (!own || !there || *there >= *own + launch.filters) return {};
  return "its process is not locked in: " + std::to_string(*there - *own) + " of " +
         std::to_string(launch.filters) + " filters of system calls are in force";
}

Channel::Channel(const Launch& launch, std::unique_ptr<WatchedProcess> process)
    : launch_(launch),
      process_(std::move(process)),
      // Not begin(), which forgets what was said before: it may have broken by now, and said why.
      what_("hello"),
      busy_(true),
      processor_left_(as_time(launch.limits.processor)) {
  send(kHello);
  const Message& message = expect("hello");
  try {
    if (const std::int64_t version = message.whole("protocol"); version != 1)
      refuse("it speaks version " + std::to_string(version) + " of the protocol, not 1");
  } catch (const BadMessage& bad) {
    refuse(bad.what());
  }
  if (std::string problem = lock_problem(launch_, *process_); !problem.empty())
    charge(std::move(problem));
  hello_ = line_;
  finish();
  proven_ = false;
}

void Channel::begin(std::string what, std::string who) {
  what_ = std::move(what);
  who_ = std::move(who);
  busy_ = true;
  asked_.clear();
  said_ = questions_ = 0;
  // What it said as it was started belongs to its hello, however soon it said it.
  if (!hello_.empty()) process_->forget_complaints();
  waited_ = {};
  processor_before_ = process_->processor_time();
  processor_left_ = as_time(launch_.limits.processor);
}

void Channel::finish() {
  busy_ = false;
  (void)is_idle();
  if (launch_.overhear) launch_.overhear(process_->complaints());
  proven_ = true;
}

void Channel::send(std::string_view line) {
  if (!broken_.empty()) throw RemoteFault(broken_, {}, end_);
  // While it is our turn it has nothing to say; what it says too early would pass for an answer.
  if (process_->peek() == Got::line) {
    read({});
    refuse("it was not its turn");
  }
  process_->send(line);
  process_->send("\n");
}

void Channel::teach(std::string_view game, const Language& language) {
  Language::Sentences& known = taught_[std::string(game) + "/" + language.id()];
  if (known == language.sentences()) return;
  JsonWriter out;
  out.open_object().name("type").text("language").name("game").text(game);
  out.name("language").text(language.id()).name("sentences").open_object();
  for (const auto& [english, said] : language.sentences()) out.name(english).text(said);
  send(out.close_object().close_object().take());
  known = language.sentences();
}

void Channel::asks(std::string_view stage, std::size_t questions) {
  asked_ = stage;
  questions_ += questions;
  if (questions_ > static_cast<std::uint64_t>(launch_.limits.questions))
    end_at_limit(who_ + " has asked more than " + std::to_string(launch_.limits.questions) +
                 " questions in one match" + when());
}

void Channel::count_as_said(std::size_t bytes) {
  said_ += bytes;
  check_output();
}

Channel::Clock::time_point Channel::next_look(Clock::time_point silent_until) const {
  const auto left = (processor_left_ - waited_) / kThreads;
  return std::min(silent_until, Clock::now() + std::max<Clock::duration>(left, milliseconds(20)));
}

void Channel::check_processor() {
  const std::chrono::nanoseconds used = process_->processor_time() - processor_before_;
  processor_left_ = as_time(launch_.limits.processor) - used;
  waited_ = {};
  if (processor_left_.count() < 0)
    end_at_limit(who_ + " used more than " + number_text(launch_.limits.processor) +
                     " s of the processor for one match" + when(),
                 ProcessEnd::busy);
}

void Channel::read(const Stop& stop) {
  if (!broken_.empty()) throw RemoteFault(broken_, {}, end_);
  stopped_ = false;
  const Clock::time_point begun = Clock::now();
  const Clock::time_point silent_until = begun + as_time(launch_.limits.silence);
  for (;;) {
    const Clock::time_point from = Clock::now();
    const Got got = process_->read(line_, next_look(silent_until), kPatience, stop);
    const Clock::time_point now = Clock::now();
    waited_ += now - from;
    if (got == Got::line) break;
    if (got == Got::stopped) {
      stopped_ = true;
      return;
    }
    if (got != Got::time_up || now >= silent_until) broke(got);
    check_processor();
    check_output();
  }
  if (waited_ * kThreads > processor_left_) check_processor();
  count_as_said(line_.size() + 1);
}

void Channel::check_output() {
  if (said_ + process_->complained() > static_cast<std::uint64_t>(launch_.limits.output) << 20U)
    end_at_limit(who_ + " said more than " + mebibytes(launch_.limits.output) + " in one match" +
                 when());
}

const Message* Channel::next(const Stop& stop) {
  read(stop);
  if (stopped_) return nullptr;
  try {
    message_ = Message::read(line_);
    if (message_.type() != "fault") return &message_;
    std::string problem = words("problem");
    // Of a plugin that does not load there is no game yet.
    if (!hello_.empty()) problem = who_ + " threw" + after_stage(asked_) + ": " + problem;
    if (const std::string where = words("where"); !where.empty()) problem += " (" + where + ")";
    if (const std::string printed = words("printed"); !printed.empty())
      problem += "; it printed: " + text::printable(printed, text::Breaks::escape);
    const std::string hint = words("hint");
    finish();
    throw RemoteFault(problem, hint);
  } catch (const BadMessage& bad) {
    refuse(bad.what());
  }
}

std::string Channel::words(std::string_view member) const {
  if (member != "problem" && message_.find(member) == nullptr) return {};
  return text::shorten(message_.text(member), kLongestProblem);
}

const Message& Channel::expect(std::string_view type, const Stop& stop) {
  const Message* message = next(stop);
  if (message == nullptr) throw RemoteFault("its " + what_ + " was not waited for");
  if (message->type() != type) refuse("'" + std::string(type) + "' is expected");
  return *message;
}

std::string Channel::when() const {
  if (!busy_) return " after its " + what_;
  return asked_.empty() ? " before its " + what_ : after_stage(asked_);
}

void Channel::refuse(std::string_view problem) {
  charge(who_ + "'s process said '" + excerpt(line_) + "'" + when() + ": " + std::string(problem));
}

void Channel::end_at_limit(std::string problem, ProcessEnd end) {
  ::kill(process_->id(), SIGXCPU);
  process_->wait(Clock::now() + kLastWords);
  charge(std::move(problem), end);
}

void Channel::charge(std::string problem, ProcessEnd end) {
  process_->kill();
  end_ = end;
  broken_ = std::move(problem) + process_->last_words();
  throw RemoteFault(broken_, {}, end_);
}

void Channel::broke(Got got) {
  std::string what;
  switch (got) {
    case Got::part:
      what = who_ + "'s process ended in the middle of a line (" + excerpt(line_) + ")";
      break;
    case Got::too_long:
      charge(who_ + "'s process wrote a line of more than " +
             mebibytes(static_cast<int>(process_->longest_line() >> 20U)) + when());
    case Got::time_up:
      end_at_limit(
          who_ + " said nothing for " + number_text(launch_.limits.silence) + " s" + when(),
          ProcessEnd::silent);
    case Got::deaf:
      charge(who_ + "'s process closed its standard input" + when());
    default:
      what = who_ + "'s process ended";
  }
  what += when();
  ProcessEnd end = ProcessEnd::other;
  // It is given the time to be gone by itself, so that its own end is told.
  if (process_->wait(Clock::now() + kPatience)) {
    const std::string why = process_->why_ended();
    what += ": " + (why.empty() ? fate_of(*process_) : why);
    if (proven_ && said_ == 0 && got != Got::part && is_from_outside(process_->ended_by())) {
      broken_ = std::move(what);
      throw EndedBefore(broken_);
    }
    if (process_->ended_by() == SIGKILL) end = ProcessEnd::killed;
  } else
    what += ": it closed its standard output";
  charge(std::move(what), end);
}

void Channel::stop() noexcept {
  try {
    if (!broken_.empty() || !busy_) return;
    process_->send("{\"type\":\"stop\"}\n");
    const Clock::time_point until = Clock::now() + kUnwind;
    while (process_->read(line_, until, kPatience) == Got::line)
      if (Message::read(line_).type() == "stopped") return finish();
    broken_ = who_ + " did not stop when it was told to";
  } catch (const std::exception& error) {
    broken_ = error.what();
  }
  process_->kill();
}

bool Channel::is_idle() {
  if (!is_done()) return false;
  const Got got = process_->peek();
  if (got == Got::line) {
    read({});
    refuse("nothing more is expected");
  }
  return got == Got::time_up;
}

Pool::Lease Pool::take() {
  for (;;) {
    std::unique_ptr<Channel> channel;
    {
      const std::lock_guard lock(mutex_);
      if (!broken_.empty()) throw RemoteFault(broken_);
      if (idle_.empty()) break;
      channel = std::move(idle_.back());
      idle_.pop_back();
    }
    try {
      // Somebody may have ended it meanwhile: that is no fault of the game.
      if (channel->is_idle()) return {*this, std::move(channel)};
    } catch (const RemoteFault& fault) {
      const std::lock_guard lock(mutex_);
      broken_ = fault.what();
    }
  }
  auto channel = std::make_unique<Channel>(launch_, start());
  const std::lock_guard lock(mutex_);
  if (hello_.empty()) hello_ = channel->hello();
  if (hello_ != channel->hello())
    throw RemoteFault(
        "the game's card has changed since it was loaded: another process of it says another "
        "hello; was the file edited meanwhile?");
  return {*this, std::move(channel)};
}

std::unique_ptr<WatchedProcess> Pool::start(const std::vector<std::string>& more) {
  std::vector<std::string> words = launch_.words;
  words.insert(words.end(), more.begin(), more.end());
  std::unique_ptr<WatchedProcess> process;
  try {
    starting_.run([&] {
      process = std::make_unique<WatchedProcess>(words, launch_.folder, launch_.environment,
                                                 launch_.memory);
      // A quarter of all that it may say.
      process->allow_lines_of(static_cast<std::size_t>(launch_.limits.output) << 18U);
    });
  } catch (const Error& error) {
    throw MachineFault(error);
  }
  return process;
}

void Pool::give_back(std::unique_ptr<Channel> channel) noexcept {
  if (!channel->is_done()) return;
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(channel));
}

}  // namespace agon::remote
