#pragma once

#include "../good/trivial.hpp"

/// A harmless game, in a plugin whose code attacks before it is asked for anything.
#define AGON_TEST_LOAD(name, attack)           \
  namespace {                                  \
  [[maybe_unused]] const int kDone = attack(); \
  }                                            \
  AGON_PLUGIN(                                 \
      name, "1", +[](agon::Registry& registry) { registry.add(trivial::game(name)); })
