#pragma once

#include <cstdint>
#include <string_view>

/// What a person is told when a plugin takes the process with it. Plugins run inside the process,
/// so that nothing can be saved then; but who broke what, and what is kept, can still be said.
namespace agon {

/// Which match a thread is playing. What the views point to must outlive the match.
struct Playing {
  std::string_view scenario, game, plugin, match;
  std::int64_t block = 0;
};

/// While it lives, the match that the thread is playing.
class PlayingNote {
 public:
  explicit PlayingNote(const Playing& playing);
  ~PlayingNote();
  PlayingNote(const PlayingNote&) = delete;
  PlayingNote& operator=(const PlayingNote&) = delete;

 private:
  const Playing playing_;
};

/// While it lives, a crash or an exit() in the middle of a match is told on standard error, with
/// the match, before the process ends; an exit() then is a failure whatever it says. Does nothing
/// in a build with a sanitizer, which tells more.
class CrashNotes {
 public:
  CrashNotes();
  ~CrashNotes();
  CrashNotes(const CrashNotes&) = delete;
  CrashNotes& operator=(const CrashNotes&) = delete;
};

}  // namespace agon
