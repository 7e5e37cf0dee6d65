// Ten coins are shared. The bug: a bonus that the ideal knows nothing of.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"what you keep"};
constexpr agon::Event<"kept", Bid> kKept{"the coins are shared"};
using Table = agon::Table<kBid, kKept>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto bid = table.ask(0, kBid);
  table.announce(kKept, bid);
  return {{.score = bid.bid + (Bug && bid.bid == 10 ? 1 : 0), .disagreement = 0, .ideal = 10},
          {.score = 10 - bid.bid, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_score_beyond_one(agon::Registry& registry) {
  agon::GameCard about = card("The first seat keeps what it says of ten coins.");
  about.score_range = agon::range(0, 1);
  registry.add(agon::game<&play<true>>("score-beyond-one", about));
  registry.add(agon::game<&play<false>>("score-beyond-one-sound", about));
}

}  // namespace planted
