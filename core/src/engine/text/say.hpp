#pragma once

#include <fmt/format.h>

#include <agon/export.hpp>
#include <agon/secrets.hpp>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace agon::text {

/// Takes what a command tells in the place of the standard streams, where the command runs inside
/// another program. Called from the command's threads, one at a time from each.
class AGON_API Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener();
  /// What would go to standard output.
  virtual void print(std::string_view text) = 0;
  /// What would go to standard error.
  virtual void say(std::string_view text) = 0;
  /// How far a run is, in matches; of `done`, `before` were finished by earlier runs.
  virtual void show(std::uint64_t done, std::uint64_t before, std::uint64_t total) = 0;
};

/// While it lives, what this thread tells goes to the listener (null: to the standard streams), and
/// so does what the jobs tell that this thread starts.
class AGON_API Listening {
 public:
  explicit Listening(Listener* listener);
  ~Listening();
  Listening(const Listening&) = delete;
  Listening& operator=(const Listening&) = delete;

  /// Of this thread; null: nobody listens.
  [[nodiscard]] static Listener* current();

 private:
  Listener* before_;
};

/// Writes words to standard error, or to who listens. What cannot be written is lost: that a log is
/// full or its reader gone is no reason to end a run.
AGON_API void say_words(std::string_view words);

/// Formats, and tells without keys. (fmt::print would throw.)
template <typename... Args>
void say(fmt::format_string<Args...> form, Args&&... args) {
  say_words(secrets::cut(fmt::format(form, std::forward<Args>(args)...)));
}

}  // namespace agon::text
