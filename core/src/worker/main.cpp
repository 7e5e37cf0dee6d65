#include <agon/export.hpp>
#include <cstdio>
#include <string>
#include <vector>

#include "process/sanitized.hpp"
#include "worker.hpp"

#ifdef AGON_SANITIZED
namespace {
/// A worker has no environment to tell a sanitizer anything. A report of a crash opens files, and a
/// search for leaks starts a process, which no worker may; the arena tells of crashes.
constexpr const char* kOptions = "detect_leaks=0:handle_segv=0:intercept_tls_get_addr=0";
}  // namespace

extern "C" AGON_API const char* __asan_default_options() {
  return kOptions;
}
extern "C" AGON_API const char* __tsan_default_options() {
  return kOptions;
}
#endif

/// `agon-worker plugin ...` plays games of a C++ plugin for the arena; `agon-worker program ...`
/// locks itself in and becomes a program that does; `try` shows whether locking works; `watch` ends
/// programs that an arena left behind. Nobody starts it by hand.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "plugin") return agon::worker::serve_plugin(words);
  if (!words.empty() && words[0] == "program") return agon::worker::run_program(words);
  if (!words.empty() && words[0] == "try") return agon::worker::try_lock();
  if (!words.empty() && words[0] == "watch") return agon::worker::watch_groups();
  std::fputs("agon-worker: started by agon, not by people; see docs/security.md\n", stderr);
  return 2;
}
