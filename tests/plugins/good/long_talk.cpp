// A game that goes on for as many rounds as it is told to, and shows each time all that was picked
// before, and new text on request: for what grows with the length of a match.
#include <agon/plugin.hpp>
#include <string>
#include <vector>

#include "trivial.hpp"

namespace {

struct TalkSettings {
  int rounds = 3;
  int fresh = 0;
};
AGON_DESCRIBE(TalkSettings, (rounds, "rounds", agon::range(1, 100000)),
              (fresh, "bytes of new text in each view", agon::range(0, 7000000)))

struct Seen {
  int round = 0;
  std::vector<int> past;
  std::string fresh;
};
AGON_DESCRIBE(Seen, (round, "from 0"), (past, "what was picked in earlier rounds"),
              (fresh, "new text"))

struct Picked {
  int round = 0;
  int number = 0;
};
AGON_DESCRIBE(Picked, (round, "from 0"), (number, "what was picked"))

constexpr agon::Stage<"pick", trivial::Pick, Seen> kPick{"name a number"};
constexpr agon::Event<"picked", Picked> kPicked{"a number was picked"};
using TalkTable = agon::Table<kPick, kPicked>;

/// Letters that no other round has in this order.
std::string fresh_text(int round, int bytes) {
  std::string text;
  std::uint64_t state = static_cast<std::uint64_t>(round) + 1;
  for (int i = 0; i < bytes; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    text += static_cast<char>('a' + (state >> 40U) % 26);
  }
  return text;
}

agon::Outcome play(TalkTable table, const TalkSettings& s) {
  std::vector<int> past;
  for (int round = 0; round < s.rounds; ++round) {
    const auto pick = table.ask(0, kPick, agon::view([&] {
                                  return Seen{round, past, fresh_text(round, s.fresh)};
                                }),
                                agon::limit(&trivial::Pick::number, 0, 1'000'000));
    past.push_back(pick.number);
    table.announce(kPicked, Picked{round, pick.number});
  }
  return {{.score = static_cast<double>(past.back()), .disagreement = 0, .ideal = 1'000'000}};
}

}  // namespace

AGON_PLUGIN(
    "long_talk", "1", +[](agon::Registry& registry) {
      registry.add(agon::game<&play>(
          "long-talk", {.seats = {1, 1}, .rules = "Name a number in each of {{rounds}} rounds."}));
    })
