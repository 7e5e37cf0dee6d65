// A game that takes the process with it, in the way that its settings say.
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include "../good/trivial.hpp"

namespace crashes {

enum class How { segfault, abort, exit, quick_exit, leave, kill, thread, deep };
AGON_DESCRIBE_ENUM(How, (segfault, "a signal"), (abort, "std::abort()"), (exit, "std::exit(0)"),
                   (quick_exit, "std::quick_exit(0)"), (leave, "_exit(0)"),
                   (kill, "as the system does for want of memory"),
                   (thread, "an exception in a thread of its own"),
                   (deep, "a recursion without end"))
struct Settings {
  How how = How::segfault;
  int one_in = 1;
};
AGON_DESCRIBE(Settings, (how, "how it ends"),
              (one_in, "of so many matches one ends so, by chance", agon::at_least(1)))

// Through a pointer that may change, so that no compiler makes a loop of it.
int sink(int depth);
int (*volatile g_next)(int) = &sink;
int sink(int depth) {
  volatile char room[4096] = {};
  room[0] = static_cast<char>(depth);
  return g_next(depth + 1) + room[0];
}

agon::Outcome play(trivial::Table table, const Settings& s) {
  (void)table.ask(0, trivial::kPick);
  if (table.chance("bad").below(s.one_in) != 0) return {{.score = 1}};
  switch (s.how) {
    case How::segfault:
      std::raise(SIGSEGV);
      break;
    case How::abort:
      std::abort();
    case How::exit:
      std::exit(0);
    case How::quick_exit:
      std::quick_exit(0);
    case How::leave:
      _exit(0);
    case How::kill:
      std::raise(SIGKILL);
      break;
    case How::thread:
      std::thread([] { throw std::runtime_error("nobody catches this"); }).join();
      break;
    case How::deep:
      return {{.score = g_next(0)}};
  }
  return {{.score = 0}};
}

}  // namespace crashes

AGON_PLUGIN(
    "crashes", "1", +[](agon::Registry& registry) {
      registry.add(
          agon::game<&crashes::play>("crashes", {.seats = {1, 1}, .rules = "Name a number."}));
    })
