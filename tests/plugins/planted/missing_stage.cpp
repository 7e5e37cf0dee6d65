// Who bid may revise it. The bug: nobody is ever asked.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Stage<"revise", Bid> kRevise{"another bid, once you have slept on it"};
constexpr agon::Event<"paid", Bid> kPaid{"the bid is paid"};
using Table = agon::Table<kBid, kRevise, kPaid>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  int bid = table.ask(0, kBid).bid;
  if (!Bug) bid = table.ask(0, kRevise).bid;
  table.announce(kPaid, Bid{bid});
  return {{.score = 10 - bid, .disagreement = 0, .ideal = 10},
          {.score = bid, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_missing_stage(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat pays what it bids, and may revise it once.");
  registry.add(agon::game<&play<true>>("missing-stage", about));
  registry.add(agon::game<&play<false>>("missing-stage-sound", about));
}

}  // namespace planted
