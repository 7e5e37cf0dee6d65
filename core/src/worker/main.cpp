#include <cstdio>
#include <string>
#include <vector>

#include "worker.hpp"

/// `agon-worker plugin ...` plays games of a C++ plugin for the arena; `agon-worker program ...`
/// locks itself in and becomes a program that does. Nobody starts it by hand.
int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (!words.empty() && words[0] == "plugin") return agon::worker::serve_plugin(words);
  if (!words.empty() && words[0] == "program") return agon::worker::run_program(words);
  std::fputs("agon-worker: started by agon, not by people; see docs/security.md\n", stderr);
  return 2;
}
