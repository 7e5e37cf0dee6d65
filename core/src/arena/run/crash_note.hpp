#pragma once

#include <cstdint>
#include <string_view>

#include "archive/writer.hpp"
#include "run/playing_file.hpp"

/// What is done when a plugin takes the process with it. Plugins run inside the process: all that
/// can be done is to say who broke what, to note it for the next run, and to let what is finished
/// reach the archive.
namespace agon {

/// Which match a thread is playing. What the views point to must outlive the match.
struct Playing {
  std::string_view scenario, game, plugin, match;
  std::int64_t block = 0;
  PlayingSlot* slot = nullptr;  ///< where it is noted; null: nowhere
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

/// While it lives, a crash or an exit() (quick_exit(), _exit()) in the middle of a match is told on
/// standard error, with the match, before the process ends; an exit then is a failure whatever it
/// says. Before that, what was handed to the archive by then has some seconds to be committed. Does
/// nothing in a build with a sanitizer, which tells more.
class CrashNotes {
 public:
  /// `writing`: of the archive, must outlive this; null: there is none.
  explicit CrashNotes(const archive::WriterProgress* writing);
  ~CrashNotes();
  CrashNotes(const CrashNotes&) = delete;
  CrashNotes& operator=(const CrashNotes&) = delete;
};

}  // namespace agon
