#pragma once

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>

#include "archive/database/file.hpp"
#include "external/external.hpp"
#include "seam/parley.hpp"
#include "seam/support.hpp"

/// Agents in the shell, good and bad, for the game of parley.
namespace bots {

/// A folder of its own, removed in the end.
class Folder : public agon::archive::ScratchFolder {
 public:
  Folder() : ScratchFolder("agon-external") {}
  [[nodiscard]] std::string str() const { return path().string(); }
  [[nodiscard]] std::string read(const std::string& name) const {
    std::ifstream file(path() / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  [[nodiscard]] std::size_t lines(const std::string& name) const {
    const std::string text = read(name);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  }
};

/// What every agent starts with: next() waits for the next question and sets $id and $stage, and
/// obeys everything else; good() answers it well. Each process writes a line to `started` and its
/// number to `pids`; what it reads goes to `heard`.
inline constexpr std::string_view kPrelude = R"sh(
echo x >> started; echo $$ >> pids
echo '{"type":"hello","protocol":1}'
next() {
  while IFS= read -r line; do
    printf '%s\n' "$line" >> heard
    id=$(printf '%s\n' "$line" | sed -n 's/^{"type":"[a-z]*","id":"\([^"]*\)".*/\1/p')
    case $line in
      '{"type":"question"'*)
        case $line in *'"stage":"bid"'*) stage=bid;; *) stage=word;; esac
        return 0;;
      '{"type":"ping"'*) echo '{"type":"pong","id":"'$id'"}';;
      '{"type":"end"'*) echo end >> ended; exit 0;;
    esac
  done
  echo eof >> ended
  exit 0
}
say() { echo '{"type":"answer","id":"'$id'","answer":'"$1"'}'; }
good() { case $stage in bid) say '{"amount":2}';; *) say '{"text":"aye"}';; esac; }
)sh";

/// Parameters for a shell script after the prelude.
inline agon::external::ExternalParams shell(const std::string& script) {
  agon::external::ExternalParams p;
  p.command = {"/bin/sh", "-c", std::string(kPrelude) + script};
  p.probes = false;
  return p;
}

/// The agent, in this folder.
inline std::unique_ptr<agon::external::External> make(const agon::external::ExternalParams& params,
                                                      const Folder& folder) {
  const std::string path = folder.str();
  agon::AgentServices services;
  services.folder = path;
  return std::make_unique<agon::external::External>(params, services);
}

inline const seam::Scene& scene() {
  static const seam::Scene held(parley::game(), R"({"rounds": 2})");
  return held;
}

inline std::uint32_t faults(const agon::MatchResult& r, int seat, agon::Fault fault) {
  return r.faults[static_cast<std::size_t>(seat)][static_cast<std::size_t>(fault)];
}

/// True if a process of that number runs. One that was killed counts no more, even if whoever
/// inherited it has not yet asked how it ended.
inline bool runs(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && text[name_end + 2] != 'Z' && text[name_end + 2] != 'X';
}

/// How many of the processes named in `pids` run.
inline int running(const Folder& folder) {
  std::ifstream file(std::filesystem::path(folder.str()) / "pids");
  int n = 0;
  for (pid_t pid = 0; file >> pid;) n += runs(pid) ? 1 : 0;
  return n;
}

/// The same in the end: a process that was killed takes a moment to be gone.
inline int left_running(const Folder& folder) {
  int n = running(folder);
  for (int i = 0; n > 0 && i < 5000; ++i, n = running(folder)) usleep(1000);
  return n;
}

}  // namespace bots
