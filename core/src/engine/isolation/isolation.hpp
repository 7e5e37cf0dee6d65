#pragma once

#include <agon/describe.hpp>
#include <cstdint>
#include <optional>

namespace agon {

/// Which plugins are played in processes of their own.
enum class Isolate : std::uint8_t { automatic, always, never };
AGON_DESCRIBE_ENUM(Isolate, (automatic, "all but those that come with Agon", "auto"),
                   (always, "those that come with Agon too"),
                   (never, "none: their code is trusted"))

/// What game code in a process of its own may take before its match is a fault of the game.
struct ProcessLimits {
  double silence = 10;
  double processor = 60;
  int memory = 1024;
  std::optional<int> total_memory;
  int questions = 1'000'000;
  int output = 64;
};
AGON_DESCRIBE(ProcessLimits,
              (silence, "longest time without a message while it is the game's turn",
               agon::unit("seconds"), agon::range(0.01, 86400)),
              (processor, "processor time for one match", agon::unit("seconds"),
               agon::range(0.01, 86400)),
              (memory, "memory of the process", agon::unit("MiB"), agon::range(64, 1048576)),
              (total_memory, "memory of all these processes together; half of the machine's",
               agon::unit("MiB"), agon::range(64, 1048576)),
              (questions, "questions of one match", agon::range(1, 1000000)),
              (output, "what it may say of one match, answers, events and standard error together",
               agon::unit("MiB"), agon::range(1, 1024)))

/// How the code of plugins is kept apart from the arena.
struct Isolation {
  Isolate when = Isolate::automatic;
  ProcessLimits limits;
};
AGON_DESCRIBE(Isolation, (when, "whose games are played in processes of their own"),
              (limits, "of each of these processes"))

}  // namespace agon
