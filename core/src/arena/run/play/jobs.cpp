#include "run/play/jobs.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <system_error>
#include <utility>

#include "process/children.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"

namespace agon {

Jobs::Jobs(int wanted, std::function<void(int number)> work, On on)
    : work_(std::move(work)), coroutines_(on == On::coroutine ? CoroutinePool::shared() : nullptr) {
  const std::lock_guard lock(mutex_);  // nobody is counted out before all are counted in
  try {
    for (; size_ < wanted; ++size_) {
      start(size_);
      ++working_;
    }
  } catch (const Error&) {
    if (size_ == 0) throw;
  }
}

Jobs::~Jobs() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
}

void Jobs::start(int number) {
  if (coroutines_ != nullptr) return coroutines_->start([this, number] { serve(number); });
  try {
    threads_.emplace_back([this, number] { serve(number); });
  } catch (const std::system_error&) {
    throw no_thread("no thread to work in");
  }
}

void Jobs::serve(int number) {
  const text::Listening listening(listener_);
  std::exception_ptr failure;
  try {
    work_(number);
  } catch (...) {
    failure = std::current_exception();
  }
  // Notified with the mutex held: what is destroyed once all are done has seen it free.
  const std::lock_guard lock(mutex_);
  if (failure && !failure_) failure_ = std::move(failure);
  --working_;
  done_.notify_all();
}

bool Jobs::is_done_within(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  return done_.wait_for(lock, time, [this] { return working_ == 0; });
}

void Jobs::finish() {
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return working_ == 0; });
  if (failure_) std::rethrow_exception(failure_);
}

namespace {

constexpr unsigned kPatienceS = 2;  // of who stops a command that plays nothing yet

// A signal handler reaches nothing but what has static storage.
StopFlags g_flags;
static_assert(std::atomic<bool>::is_always_lock_free);

// Not by _exit(), which would be taken for that of a game: any thread may get the signal.
[[noreturn]] void end_process() {
  for (;;) syscall(SYS_exit_group, kInterrupted);
}

void on_signal(int) {
  if (!g_flags.begun) alarm(kPatienceS);
  if (g_flags.asked.exchange(true) && g_flags.insisted.exchange(true)) end_process();
}

void on_alarm(int) {
  if (g_flags.begun) return;
  constexpr std::string_view kSaid = "stopped before anything was played\n";
  static_cast<void>(!write(STDERR_FILENO, kSaid.data(), kSaid.size()));
  end_process();
}

void handle(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  // Without SA_RESTART: a read from the terminal returns and sees the flag.
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  // A terminal that goes away ends a run as Ctrl-C does, but not one that was told not to mind.
  struct sigaction present {};
  if (sigaction(SIGHUP, nullptr, &present) == 0 && present.sa_handler != SIG_IGN)
    sigaction(SIGHUP, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(StopFlags* given) : given_(given) {
  if (given_ != nullptr) return;
  g_flags.asked = g_flags.insisted = g_flags.begun = false;
  std::signal(SIGALRM, on_alarm);
  handle(on_signal);
}
Interrupt::~Interrupt() {
  if (given_ != nullptr) return;
  handle(SIG_DFL);
  alarm(0);
  std::signal(SIGALRM, SIG_DFL);
}
void Interrupt::begin() const {
  (given_ != nullptr ? *given_ : g_flags).begun = true;
}
const StopFlags& Interrupt::flags() const {
  return given_ != nullptr ? *given_ : g_flags;
}

namespace {

bool is_terminal() {
  const char* term = std::getenv("TERM");
  return isatty(STDERR_FILENO) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width() {
  winsize size{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return 80;
  return size.ws_col;
}

std::string duration(double seconds) {
  const auto s = static_cast<std::uint64_t>(seconds);
  if (s < 100) return fmt::format("{} s", s);
  if (s < 6000) return fmt::format("{} min", s / 60);
  return fmt::format("{} h {:02} min", s / 3600, s / 60 % 60);
}

}  // namespace

Progress::Progress(std::uint64_t total, bool quiet)
    : total_(total), quiet_(quiet), terminal_(is_terminal()) {
  next_ = start_ + (terminal_ ? std::chrono::milliseconds(500) : std::chrono::milliseconds(10'000));
}

Progress::~Progress() {
  clear();
}

void Progress::clear() {
  if (drawn_) text::say("\r\x1b[K");
  drawn_ = false;
}

void Progress::show(std::uint64_t done, std::uint64_t before, std::uint64_t troubled) {
  const Clock::time_point now = Clock::now();
  if (text::Listener* listener = text::Listening::current(); listener != nullptr && total_ > 0)
    return listener->show(done, before, total_);
  if (quiet_ || now < next_) return;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  const double rate = static_cast<double>(done - before) / seconds;
  std::string line = fmt::format(
      "{} of {} matches ({:.0f}%), {:.0f} a second", done, total_,
      total_ == 0 ? 100.0 : 100.0 * static_cast<double>(done) / static_cast<double>(total_), rate);
  if (rate > 0) line += ", " + duration(static_cast<double>(total_ - done) / rate) + " left";
  if (troubled > 0) line += fmt::format(", {} with trouble", troubled);
  if (terminal_) {
    text::say("\r{}\x1b[K", text::shorten(line, terminal_width() - 1));
    drawn_ = true;
    next_ = now + std::chrono::milliseconds(100);
  } else {
    text::say("{}\n", line);
    next_ = now + std::chrono::seconds(10);
  }
  std::fflush(stderr);
}

}  // namespace agon
