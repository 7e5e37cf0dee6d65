// A game that attacks whoever plays it, in the way that its settings say, in some of its matches.
#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "../good/trivial.hpp"

extern char** environ;

namespace hostile {

enum class Act {
  segfault,
  abort,
  exit,
  loop,
  questions,
  memory,
  hold,
  events,
  chatter,
  garbage,
  close,
  file,
  write,
  connect,
  fork,
  parent,
  environment,
  trace,
  handler,
  random,
  code,
};
AGON_DESCRIBE_ENUM(Act, (segfault, "a signal"), (abort, "std::abort()"), (exit, "std::exit(0)"),
                   (loop, "goes on for ever"), (questions, "asks for ever"),
                   (memory, "takes all memory"), (hold, "takes 200 MiB and keeps it"),
                   (events, "announces for ever"),
                   (chatter, "announces for ever, a letter at a time"),
                   (garbage, "writes into what the arena hears"), (close, "closes its descriptors"),
                   (file, "reads a file"), (write, "writes a file"),
                   (connect, "opens a connection"), (fork, "makes a child"),
                   (parent, "kills who started it"), (environment, "reads the environment"),
                   (trace, "debugs who started it"),
                   (handler, "takes over the signal of forbidden calls"),
                   (random, "draws from the system"), (code, "brings in code"))

struct Settings {
  Act act = Act::segfault;
  int one_in = 1;
};
AGON_DESCRIBE(Settings, (act, "what it does"),
              (one_in, "it does so in one of so many matches, by chance", agon::at_least(1)))

struct Said {
  std::string text;
};
AGON_DESCRIBE(Said, (text, "words"))
inline constexpr agon::Event<"said", Said> kSaid{"what was said"};

using Table = agon::Table<trivial::kPick, kSaid>;

void ask(Table table) {
  (void)table.ask(0, trivial::kPick);
}

void ignore(int) {}

/// Whatever comes of it, the game did not get what it wanted if it is still here.
void attack(Table table, Act act) {
  switch (act) {
    case Act::segfault:
      std::raise(SIGSEGV);
      return;
    case Act::abort:
      std::abort();
    case Act::exit:
      std::exit(0);
    case Act::loop: {
      volatile bool more = true;
      while (more) {
      }
      return;
    }
    case Act::questions:
      for (;;) ask(table);
    case Act::memory: {
      std::vector<std::string> hoard;
      for (;;) hoard.emplace_back(std::size_t{16} << 20, 'x');
    }
    case Act::hold: {
      const std::string hoard(std::size_t{200} << 20, 'x');
      for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(hoard.empty() ? 1 : 10));
    }
    case Act::events:
      for (;;) table.announce(kSaid, Said{std::string(1000, 'x')});
    case Act::chatter:
      for (;;) table.announce(kSaid, Said{"x"});
    case Act::garbage: {
      const std::string text = "this is no message\n";
      // Wherever the arena listens.
      for (int fd = 3; fd < 64; ++fd) (void)!::write(fd, text.data(), text.size());
      return;
    }
    case Act::close:
      for (int fd = 0; fd < 64; ++fd) ::close(fd);
      return;
    case Act::file:
      if (open("/etc/passwd", O_RDONLY) >= 0) std::abort();
      return;
    case Act::write:
      if (open("/tmp/agon-hostile", O_WRONLY | O_CREAT, 0600) >= 0) std::abort();
      return;
    case Act::connect: {
      const int fd = socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in there{};
      there.sin_family = AF_INET;
      there.sin_port = htons(80);
      there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      (void)::connect(fd, reinterpret_cast<sockaddr*>(&there), sizeof there);
      return;
    }
    case Act::fork:
      // Not fork(): newer C libraries block all signals in it, and the call is then not named.
      if (syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr) == 0) _exit(0);
      return;
    case Act::parent:
      ::kill(getppid(), SIGKILL);
      return;
    case Act::environment:
      if (environ != nullptr && *environ != nullptr)
        throw std::runtime_error(std::string("there is an environment: ") + *environ);
      throw std::runtime_error("there is no environment");
    case Act::trace:
      (void)ptrace(PTRACE_ATTACH, getppid(), nullptr, nullptr);
      return;
    case Act::handler: {
      std::signal(SIGSYS, &ignore);
      (void)socket(AF_INET, SOCK_STREAM, 0);
      return;
    }
    case Act::random: {
      char byte = 0;
      static_cast<void>(!getrandom(&byte, 1, 0));
      return;
    }
    case Act::code:
      (void)mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      return;
  }
}

agon::Outcome play(Table table, const Settings& s) {
  const auto pick = table.ask(0, trivial::kPick, agon::limit(&trivial::Pick::number, 0, 9));
  if (table.chance("bad").below(s.one_in) == 0) attack(table, s.act);
  return {{.score = pick.number}};
}

}  // namespace hostile

AGON_PLUGIN(
    "hostile", "1", +[](agon::Registry& registry) {
      registry.add(
          agon::game<&hostile::play>("hostile", {.seats = {1, 1}, .rules = "Name a number."}));
    })
