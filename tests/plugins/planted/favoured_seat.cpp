// The higher choice wins. The bug: of equal ones, the first seat's does.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Choice {
  bool high = false;
};
AGON_DESCRIBE(Choice, (high, "whether you choose the higher card"))

constexpr agon::Stage<"choice", Choice> kChoice{"a card"};
constexpr agon::Event<"won", Result> kWon{"somebody has won"};
using Table = agon::Table<kChoice, kWon>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto cards = table.ask_all(kBoth, kChoice, [](int) { return agon::asking<Choice>(); });
  int winner = cards[0].high ? 0 : 1;
  if (cards[0].high == cards[1].high)
    winner = Bug ? 0 : static_cast<int>(table.chance("tie").below(2));
  table.announce(kWon, Result{winner, 0});
  return {{.score = winner == 0 ? 10 : 0, .disagreement = 0, .ideal = 10},
          {.score = winner == 1 ? 10 : 0, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_favoured_seat(agon::Registry& registry) {
  const agon::GameCard about = card("Both choose a card at once; the higher card wins 10 coins.");
  registry.add(agon::game<&play<true>>("favoured-seat", about));
  registry.add(agon::game<&play<false>>("favoured-seat-sound", about));
}

}  // namespace planted
