// Every day brings so much water. The bug: it is drawn from one stream, from which ties are broken
// too, so that a tie today changes the weather of tomorrow.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Day {
  int supply = 0;
};
AGON_DESCRIBE(Day, (supply, "water of the day", agon::unit("litres")))

constexpr agon::Event<"day", Day> kDay{"a day begins"};
constexpr agon::Stage<"bid", Bid> kBid{"a sealed bid for the water of the day"};
constexpr agon::Event<"sold", Result> kSold{"the water is sold"};
using Table = agon::Table<kDay, kBid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  agon::RandomStream all = table.chance("all");
  std::array<int, 2> got{};
  for (int day = 0; day < 6; ++day) {
    const auto draw = [&](const char* name, int low, int high) {
      return static_cast<int>(Bug ? all.between(low, high)
                                  : table.chance(name, day).between(low, high));
    };
    const int supply = draw("supply", 1, 9);
    table.announce(kDay, Day{supply});
    const auto bids = table.ask_all(kBoth, kBid, [](int) { return agon::asking<Bid>(); });
    int winner = bids[0].bid > bids[1].bid ? 0 : 1;
    if (bids[0].bid == bids[1].bid) winner = draw("tie", 0, 1);
    table.announce(kSold, Result{winner, bids[static_cast<std::size_t>(winner)].bid});
    got[static_cast<std::size_t>(winner)] += supply;
  }
  return {{.score = got[0]}, {.score = got[1]}};
}

}  // namespace

void add_luck_by_position(agon::Registry& registry) {
  const agon::GameCard about = card("Every day the higher bid gets the water of the day.");
  registry.add(agon::game<&play<true>>("luck-by-position", about));
  registry.add(agon::game<&play<false>>("luck-by-position-sound", about));
}

}  // namespace planted
