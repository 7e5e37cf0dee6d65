// The same where nothing is told by events: each sees its own value in its view. The bug: the
// second to move sees the first one's as well.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct BidView {
  int mine = 0;
  int known = 0;
};
AGON_DESCRIBE(BidView, (mine, "what the item is worth to you", agon::unit("coins")),
              (known, "the highest bid so far", agon::unit("coins")))

constexpr agon::Stage<"bid", Bid, BidView> kBid{"an open bid"};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};
using Table = agon::Table<kBid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const int first = static_cast<int>(table.chance("value", 0).between(1, 9));
  const int second = static_cast<int>(table.chance("value", 1).between(1, 9));
  const auto one = table.ask(0, kBid, agon::view([&] { return BidView{first, 0}; }));
  const auto other = table.ask(1, kBid, agon::view([&] {
                                 return BidView{second, Bug ? first : one.bid};
                               }));
  const int winner = one.bid >= other.bid ? 0 : 1;
  table.announce(kSold, Result{winner, std::max(one.bid, other.bid)});
  return {{.score = winner == 0 ? first - one.bid : 0, .disagreement = 0, .ideal = first},
          {.score = winner == 1 ? second - other.bid : 0, .disagreement = 0, .ideal = second}};
}

}  // namespace

void add_leaking_view(agon::Registry& registry) {
  const agon::GameCard about = card("One bids, then the other; the higher bid wins and pays.");
  registry.add(agon::game<&play<true>>("leaking-view", about));
  registry.add(agon::game<&play<false>>("leaking-view-sound", about));
}

}  // namespace planted
