// Bids begin at 1. The bug: so does not the fallback.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Event<"paid", Bid> kPaid{"the bid is paid"};
using Table = agon::Table<kBid, kPaid>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto bid =
      table.ask(0, kBid, agon::limit(&Bid::bid, 1, 10), agon::fallback(Bid{Bug ? 0 : 1}));
  table.announce(kPaid, bid);
  return {{.score = 10 - bid.bid, .disagreement = 0, .ideal = 10},
          {.score = bid.bid, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_illegal_fallback(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat pays the second at least one coin.");
  registry.add(agon::game<&play<true>>("illegal-fallback", about));
  registry.add(agon::game<&play<false>>("illegal-fallback-sound", about));
}

}  // namespace planted
