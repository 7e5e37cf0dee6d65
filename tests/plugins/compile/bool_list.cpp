// error: std::vector<bool> has no elements of its own: use agon::InlineList<bool, N>
#include <agon/game.hpp>

struct Votes {
  std::vector<bool> yes;
};
AGON_DESCRIBE(Votes, (yes, "who agrees"))

constexpr agon::Stage<"vote", Votes> kVote{"who agrees"};
