#include "command/play_again.hpp"

#include <fmt/ranges.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <csignal>
#include <optional>

#include "command/file_watch.hpp"
#include "json/parse.hpp"
#include "plugin/game_file.hpp"
#include "run/interrupt.hpp"
#include "text/say.hpp"

namespace agon::command {
namespace {

/// Where the game comes from: its own file, or all that --plugin names.
std::vector<std::filesystem::path> files_of(const Invocation& call) {
  if (const std::optional<GameFile> named = game_file(call.argument("GAME"), ""))
    return {named->file};
  std::vector<std::filesystem::path> files;
  for (const std::string& plugin : call.texts("plugin")) files.emplace_back(plugin);
  if (files.empty())
    throw Error(ErrorKind::usage,
                "--watch plays again when the file of a game changes, and none is named", "",
                "write: agon play ./my-game.py --watch, or name its plugin with --plugin");
  return files;
}

/// This command without --watch, as `execv` takes it.
std::vector<std::string> words_without_watch(const Invocation& call) {
  const boost::json::value line = json::parse(call.command_line(), "the command line");
  std::vector<std::string> words;
  for (const boost::json::value& word : line.as_array())
    if (word.as_string() != "--watch") words.emplace_back(word.as_string());
  return words;
}

/// Plays once, to the end. Whoever interrupts at a terminal interrupts the player too; who insists
/// ends it: there is nothing to be kept.
void play_once(const std::vector<std::string>& words, const StopFlags& stop) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  const pid_t parent = ::getpid();
  const pid_t player = ::fork();
  if (player < 0)
    throw Error(ErrorKind::failure, "no process can be started to play", "",
                "see whether the system has room for one more process");
  if (player == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() == parent) ::execv("/proc/self/exe", arguments.data());
    ::_exit(127);
  }
  while (::waitpid(player, nullptr, WNOHANG) == 0) {
    if (stop.insisted) ::kill(player, SIGKILL);
    constexpr int kMilliseconds = 20;
    (void)::poll(nullptr, 0, kMilliseconds);
  }
}

}  // namespace

int play_again(Invocation& call) {
  constexpr int kInterrupted = 130;
  if (call.has("out"))
    throw Error(ErrorKind::usage, "--watch plays many matches, and --out keeps one", "",
                "leave one of them out");
  const Interrupt interrupt;
  interrupt.begin();
  FileWatch files(files_of(call));
  const std::vector<std::string> words = words_without_watch(call);
  for (;;) {
    flush();
    play_once(words, interrupt.flags());
    if (interrupt.asked()) return kInterrupted;
    if (!call.quiet()) text::say("waiting for a change; Ctrl-C ends\n");
    const std::set<std::string> changed = files.wait(interrupt.asked());
    if (interrupt.asked()) return kInterrupted;
    if (!call.quiet()) text::say("changed: {}\n", fmt::join(changed, ", "));
  }
}

}  // namespace agon::command
