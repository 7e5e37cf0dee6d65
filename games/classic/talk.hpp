#pragma once

#include <agon/talk.hpp>

namespace classic {

/// What messages and actions are in records of this game, and what actions are called.
[[nodiscard]] const agon::TalkCard* talk();

}  // namespace classic
