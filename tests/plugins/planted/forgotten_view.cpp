// The second seat sees the first one's bid as it is asked. The bug: its card says so, and the
// question has no view.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Standing {
  int highest = 0;
};
AGON_DESCRIBE(Standing, (highest, "the highest bid so far", agon::unit("coins")))

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Stage<"outbid", Bid, Standing> kOutbid{"a bid against the first"};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};
using Table = agon::Table<kBid, kOutbid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const int one = table.ask(0, kBid).bid;
  int other = 0;
  if constexpr (Bug)
    other = table.ask(1, kOutbid).bid;
  else
    other = table.ask(1, kOutbid, agon::view([&] { return Standing{one}; })).bid;
  table.announce(kSold, Result{one >= other ? 0 : 1, std::max(one, other)});
  return {{.score = one, .disagreement = 0, .ideal = 10},
          {.score = other, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_forgotten_view(agon::Registry& registry) {
  const agon::GameCard about = card("One bids, then the other; the higher bid wins.");
  registry.add(agon::game<&play<true>>("forgotten-view", about));
  registry.add(agon::game<&play<false>>("forgotten-view-sound", about));
}

}  // namespace planted
