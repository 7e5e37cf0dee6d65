#include "text/say.hpp"

#include <cstdio>

#include "task/coroutine_pool.hpp"

namespace agon::text {
Listener::~Listener() = default;

Listening::Listening(Listener* listener)
    : before_(std::exchange(surroundings().listener, listener)) {}

Listening::~Listening() {
  surroundings().listener = before_;
}

Listener* Listening::current() {
  return surroundings().listener;
}

void say_words(std::string_view words) {
  if (Listener* const listener = Listening::current()) return listener->say(words);
  (void)std::fwrite(words.data(), 1, words.size(), stderr);
}

}  // namespace agon::text
