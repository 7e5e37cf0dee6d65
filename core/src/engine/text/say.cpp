#include "text/say.hpp"

#include <cstdio>

namespace agon::text {
namespace {

thread_local Listener* t_listener = nullptr;

}  // namespace

Listener::~Listener() = default;

Listening::Listening(Listener* listener) : before_(std::exchange(t_listener, listener)) {}

Listening::~Listening() {
  t_listener = before_;
}

Listener* Listening::current() {
  return t_listener;
}

void say_words(std::string_view words) {
  if (t_listener != nullptr) return t_listener->say(words);
  (void)std::fwrite(words.data(), 1, words.size(), stderr);
}

}  // namespace agon::text
