// What an item is worth is told to each bidder alone. The bug: the view shows the rival's value.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Dealt {
  int value = 0;
};
AGON_DESCRIBE(Dealt, (value, "what the item is worth to you", agon::unit("coins")))

struct BidView {
  int highest = 0;
};
AGON_DESCRIBE(BidView, (highest, "a value", agon::unit("coins")))

constexpr agon::PrivateEvent<"dealt", Dealt> kDealt{"you learn what the item is worth to you"};
constexpr agon::Stage<"bid", Bid, BidView> kBid{"a sealed bid"};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};
using Table = agon::Table<kDealt, kBid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  std::array<int, 2> value{};
  for (int seat = 0; seat < 2; ++seat) {
    value[static_cast<std::size_t>(seat)] =
        static_cast<int>(table.chance("value", seat).between(1, 9));
    table.tell(seat, kDealt, Dealt{value[static_cast<std::size_t>(seat)]});
  }
  const auto bids = table.ask_all(kBoth, kBid, [&](int seat) {
    return agon::asking<Bid>(agon::view([&, seat] {
      return BidView{Bug ? value[static_cast<std::size_t>(1 - seat)]
                         : value[static_cast<std::size_t>(seat)]};
    }));
  });
  const int winner = bids[0].bid > bids[1].bid   ? 0
                     : bids[1].bid > bids[0].bid ? 1
                                                 : static_cast<int>(table.chance("tie").below(2));
  const int price = bids[static_cast<std::size_t>(winner)].bid;
  table.announce(kSold, Result{winner, price});
  agon::Outcome outcome(2);
  for (int seat = 0; seat < 2; ++seat) {
    const int worth = value[static_cast<std::size_t>(seat)];
    outcome.seat(seat,
                 {.score = seat == winner ? worth - price : 0, .disagreement = 0, .ideal = worth});
  }
  return outcome;
}

}  // namespace

void add_leak(agon::Registry& registry) {
  const agon::GameCard about = card("Both bid at once; the higher bid wins and pays.");
  registry.add(agon::game<&play<true>>("leak", about));
  registry.add(agon::game<&play<false>>("leak-sound", about));
}

}  // namespace planted
