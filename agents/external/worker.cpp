#include "external/worker.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <utility>

namespace agon::external {
namespace {

namespace fs = std::filesystem;

// clang-format off
constexpr std::array<std::string_view, 36> kUsual{
    // who and where
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TMP", "TEMP",
    // language and time
    "LANG", "LANGUAGE", "TZ",
    // where libraries and interpreters find what is theirs
    "LD_LIBRARY_PATH", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONPATH", "PYTHONHOME", "NODE_PATH",
    "JAVA_HOME", "CLASSPATH", "RUBYLIB", "GEM_HOME", "GEM_PATH", "PERL5LIB", "R_HOME", "R_LIBS",
    "R_LIBS_USER", "JULIA_DEPOT_PATH", "JULIA_LOAD_PATH", "DOTNET_ROOT", "GOROOT", "GOPATH",
    "CARGO_HOME", "RUSTUP_HOME", "LUA_PATH", "LUA_CPATH"};
// clang-format on

/// What ships with Agon under this name; empty if it did not ship. Found from where libagon is, as
/// another program may have it inside.
std::string shipped(std::string_view name) {
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&schema_json), &library) == 0) return {};
  std::error_code none;
  const auto file = fs::path(library.dli_fname).parent_path() / ".." / "share" / "agon" / name;
  return fs::exists(file, none) ? file.lexically_normal().string() : std::string();
}

bool is_usual(std::string_view name) {
  return name.starts_with("LC_") || std::find(kUsual.begin(), kUsual.end(), name) != kUsual.end();
}

}  // namespace

std::vector<std::string> child_environment(const std::vector<std::string>& variables) {
  std::vector<std::string> environment;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    if (is_usual(name) || std::find(variables.begin(), variables.end(), name) != variables.end())
      environment.emplace_back(text);
  }
  // Where agon_arena is, so that any program can import it.
  if (const std::string folder = shipped("python"); !folder.empty()) {
    // Behind what is there: somebody else's module of that name is theirs.
    const auto own = std::find_if(environment.begin(), environment.end(), [](const auto& entry) {
      return entry.starts_with("PYTHONPATH=");
    });
    if (own == environment.end())
      environment.push_back("PYTHONPATH=" + folder);
    else
      *own += ":" + folder;
  }
  return environment;
}

std::vector<std::string> found_command(std::vector<std::string> command, const fs::path& folder) {
  for (std::string& word : command) {
    std::error_code none;
    if (!word.starts_with("agents/external/samples/") || fs::exists(folder / word, none)) continue;
    if (std::string file = shipped(word); !file.empty()) word = std::move(file);
  }
  return command;
}

namespace {

using Clock = Process::Clock;
using Got = Process::Got;

Reply stopped() {
  return {.status = Fault::provider_failed, .problem = "the run is being stopped"};
}

std::string seconds(std::chrono::milliseconds time) {
  std::string text = std::to_string(static_cast<double>(time.count()) / 1000);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text + " s";
}

}  // namespace

Worker::~Worker() {
  close();
  work_.reset();                                 // waits
  if (program_->is_stopped()) process_.reset();  // it plays nowhere
  quit();                                        // where nothing was served
}

void Worker::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    ++sitting_;
  }
  changed_.notify_all();
}

void Worker::leave() {
  {
    const std::lock_guard lock(mutex_);
    ++sitting_;
  }
  changed_.notify_all();
}

void Worker::put(OwnedQuestion question, Completion done) {
  if (program_->is_stopped()) return done(stopped());
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back({std::move(question), std::move(done), sitting_});
    if (!std::exchange(is_serving_, true)) work_->run([this] { serve(); });
  }
  changed_.notify_all();
}

void Worker::put_ending(MatchEnding ending) {
  {
    const std::lock_guard lock(mutex_);
    ending_ = {std::move(ending), sitting_};
  }
  changed_.notify_all();
}

Message Worker::greet() {
  Message hello;
  if (const auto trouble = start(hello, [this] { return program_->is_stopped(); }))
    throw Error(ErrorKind::invalid, trouble->problem, "", "try it with: agon check-agent");
  return hello;
}

void Worker::serve() {
  for (;;) {
    std::unique_lock lock(mutex_);
    const auto is_wanted = [this] {
      return closing_ || ending_ || !jobs_.empty() || cleaned_ != sitting_;
    };
    // All programs end at the same time.
    while (!is_wanted() && !program_->is_stopped())
      changed_.wait_until(lock, Condition::kNoEnd, program_->stop);
    // Before anything of the next match. A process that is not the one that played, or was left in
    // the middle of a question, has nothing to learn from.
    if (ending_ && !program_->is_stopped()) {
      const Ending over = std::move(*ending_);
      ending_.reset();
      lock.unlock();
      if (process_ != nullptr && seated_ && seated_in_ == over.sitting) {
        process_->send(told_.news(over.ending.history) + over_line(over.ending));
        (void)process_->peek();  // writes what fits; the rest goes with what is said next
      }
      continue;
    }
    if (closing_ || program_->is_stopped()) {
      const std::deque<Job> left = std::move(jobs_);
      jobs_.clear();
      lock.unlock();
      for (const Job& job : left) job.done(stopped());
      return quit();
    }
    if (jobs_.empty()) {
      cleaned_ = sitting_;
      lock.unlock();
      if (program_->per_match && !fresh_) quit();
      continue;
    }
    const Job job = std::move(jobs_.front());
    jobs_.pop_front();
    const bool changed = job.sitting != seated_in_;
    cleaned_ = job.sitting;
    lock.unlock();
    if (job.done.abandoned()) continue;
    if (changed) {
      seated_ = false;
      seated_in_ = job.sitting;
      if (program_->per_match && !fresh_) quit();
    }
    try {
      job.done(
          play(job.question, [&] { return sitting_ != job.sitting || program_->is_stopped(); }));
    } catch (const std::exception& error) {
      process_.reset();
      job.done({.status = Fault::crashed, .problem = error.what()});
    }
  }
}

std::string Worker::name() const {
  return "the agent '" + excerpt(program_->command.front(), 200) + "'";
}

void Worker::quit() {
  if (process_ != nullptr) process_->quit(end_line(), Clock::now() + program_->quit);
  process_.reset();
}

Reply Worker::broke(Got got, const std::string& line, const std::string& while_what) {
  Reply reply;
  reply.status = Fault::crashed;
  std::string what;
  switch (got) {
    case Got::part:
      reply.status = Fault::truncated;
      reply.json = line.substr(0, 4096);
      what = " ended in the middle of a line (" + excerpt(line) + ") ";
      break;
    case Got::too_long:
      reply.status = Fault::unparsable;
      what = " wrote a line of more than " + std::to_string(Process::kLongestLine >> 20U) + " MiB ";
      break;
    case Got::time_up:
      reply.status = Fault::timed_out;
      what = " let the time run out ";
      break;
    case Got::deaf:
      what = " closed its standard input ";
      break;
    case Got::stopped:
      // Nothing is held against it, and its match stays unfinished.
      reply.status = Fault::provider_failed;
      what = " was stopped ";
      break;
    default:
      what = " ended ";
  }
  // One that ended is given the time to be gone by itself, so that its own status is told.
  std::string fate;
  if (got == Got::part || got == Got::end) {
    if (process_->wait(Clock::now() + program_->quit))
      fate = ": " + process_->fate();
    else if (got == Got::end)
      what = " closed its standard output ";
  }
  process_->kill();
  reply.problem = name() + what + while_what + fate + process_->last_words();
  process_.reset();
  return reply;
}

std::optional<Reply> Worker::start(Message& hello, const std::function<bool()>& stop) {
  seated_ = false;
  fresh_ = true;
  try {
    process_ = std::make_unique<Process>(found_command(program_->command, program_->folder),
                                         program_->folder, child_environment(program_->variables),
                                         program_->stop);
  } catch (const Error& error) {
    return Reply{.status = Fault::crashed, .problem = error.what()};
  }
  process_->send(hello_line());
  const std::string when = "before it said hello (it may take " + seconds(program_->start) + ")";
  const Clock::time_point until = Clock::now() + program_->start;
  std::string line;
  Got got = process_->read(line, until, program_->quit, stop);
  if (got == Got::part && read_line(line).message) got = Got::line;
  if (got != Got::line) return broke(got, line, when);
  Reading reading = read_line(line);
  std::string problem = reading.problem;
  if (reading.message && reading.message->what != Message::What::hello)
    problem = "the first message must be a hello: " + excerpt(line);
  else if (reading.message && reading.message->protocol != kProtocol)
    problem = "it speaks version " + std::to_string(reading.message->protocol) +
              " of the protocol, not " + std::to_string(kProtocol);
  if (!problem.empty()) {
    process_->kill();
    problem = name() + ": " + problem + process_->last_words();
    process_.reset();
    return Reply{.status = Fault::unparsable, .problem = problem};
  }
  hello = std::move(*reading.message);
  return std::nullopt;
}

bool Worker::answers_ping(const std::function<bool()>& stop) {
  const std::string id = "ping" + std::to_string(++pings_);
  process_->send(ping_line(id));
  const Clock::time_point until = Clock::now() + program_->ping;
  std::string line;
  for (;;) {
    // What it still says of the last match is nobody's business any more.
    if (process_->read(line, until, program_->quit, stop) != Got::line) return false;
    const Reading reading = read_line(line);
    if (reading.message && reading.message->what == Message::What::pong &&
        reading.message->id == id)
      return true;
  }
}

void Worker::tell(const OwnedQuestion& q) {
  if (!seated_) {
    process_->send(match_line(q, program_->options));
    seated_ = true;
    fresh_ = false;
    told_ = {};
    asked_.clear();
  }
  process_->send(told_.news(q.history));
}

Reply Worker::play(const OwnedQuestion& q, const std::function<bool()>& stop) {
  if (process_ != nullptr && !seated_ && !fresh_ && !answers_ping(stop)) process_.reset();
  if (process_ == nullptr) {
    Message hello;
    if (auto trouble = start(hello, stop)) return std::move(*trouble);
  }
  tell(q);
  return await(q, stop);
}

Reply Worker::await(const OwnedQuestion& q, const std::function<bool()>& stop) {
  const std::string id = id_of(q);
  std::string rendered;
  if (auto failed = put_rendered(rendered, program_->render, q)) return std::move(*failed);
  const Clock::time_point now = Clock::now();
  const Clock::time_point until = std::min(now + program_->answer, q.deadline);
  process_->send(question_line(
      q, std::chrono::duration_cast<std::chrono::milliseconds>(until - now), rendered));
  asked_.insert(id);
  told_.asked(q);
  std::string line;
  for (;;) {
    const Got got = process_->read(line, until, program_->quit, stop);
    if (got == Got::part ? !read_line(line).message : got != Got::line)
      return broke(got, line,
                   got == Got::time_up ? "for the answer to '" + q.stage + "'"
                                       : "before it answered '" + q.stage + "'");
    // Carriage returns and empty lines are how some languages end lines.
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    Reading reading = read_line(line);
    if (!reading.message) return {.status = Fault::unparsable, .problem = reading.problem};
    Message& m = *reading.message;
    if (m.what == Message::What::pong) continue;
    const auto wrong = [&](const std::string& what) {
      return Reply{.status = Fault::unparsable, .problem = what + ": " + excerpt(line)};
    };
    if (m.what == Message::What::hello) return wrong("a hello is said once");
    if (m.id != id) {
      // It may still be at an attempt that was turned down.
      if (asked_.contains(m.id)) continue;
      return wrong("there is no question '" + excerpt(m.id) + "'; the open one is '" + id + "'");
    }
    return reply_of(std::move(m), q.probe, name());
  }
}

Pool::Pool(Program program, const std::map<std::string, std::string>& options)
    : program_(std::make_shared<Program>(std::move(program))) {
  auto first = std::make_unique<Worker>(program_);
  const Message hello = first->greet();
  // Nobody else knows of the program yet.
  program_->options = option_values(hello.options, options,
                                    hello.name.empty() ? program_->command.front() : hello.name);
  free_.push_back(first.get());
  workers_.push_back(std::move(first));
}

Pool::~Pool() {
  // All at once, so that ending takes as long as the slowest of them.
  for (const auto& worker : workers_) worker->close();
}

void Pool::ask(OwnedQuestion question, Completion done) {
  const Place place{question.table, question.seat};
  Worker* worker = nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto found = seated_.find(place);
    if (found != seated_.end()) {
      worker = found->second;
    } else {
      if (free_.empty()) {
        workers_.push_back(std::make_unique<Worker>(program_));
        free_.push_back(workers_.back().get());
      }
      // The one that has been free for longest is the likeliest to be done with its last match.
      worker = free_.front();
      free_.erase(free_.begin());
      seated_.emplace(place, worker);
    }
  }
  worker->put(std::move(question), std::move(done));
}

void Pool::match_ended(MatchEnding ending) {
  const std::lock_guard lock(mutex_);
  const auto found = seated_.find({ending.table, ending.seat});
  if (found != seated_.end()) found->second->put_ending(std::move(ending));
}

void Pool::match_over(const void* table) noexcept {
  const std::lock_guard lock(mutex_);
  for (auto at = seated_.lower_bound({table, -1});
       at != seated_.end() && at->first.first == table;) {
    at->second->leave();
    free_.push_back(at->second);
    at = seated_.erase(at);
  }
}

}  // namespace agon::external
