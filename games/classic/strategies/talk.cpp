#include "classic/strategies/talk.hpp"

#include <fmt/format.h>

#include "classic/answers.hpp"

namespace classic {

void say(agon::Question& question, Talk talk, std::string_view action) {
  auto* message = question.answer<Message>();
  if (message == nullptr) return question.decline();
  *message = {};
  message->halt = talk == Talk::halt;
  if (talk == Talk::announce && !action.empty())
    message->text = fmt::format("I will choose {}.", action);
}

}  // namespace classic
