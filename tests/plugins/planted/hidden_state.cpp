// The price is what was bid. The bug: it is a coin more in every match that is played.
#include <agon/plugin.hpp>
#include <atomic>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Event<"paid", Bid> kPaid{"the price is paid"};
using Table = agon::Table<kBid, kPaid>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  static std::atomic<int> matches{0};
  const int bid = table.ask(0, kBid).bid;
  const int price = Bug ? (bid + matches++) % 7 : bid;
  table.announce(kPaid, Bid{price});
  return {{.score = 10 - price, .disagreement = 0, .ideal = 10},
          {.score = price, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_hidden_state(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat pays what it bids.");
  registry.add(agon::game<&play<true>>("hidden-state", about));
  registry.add(agon::game<&play<false>>("hidden-state-sound", about));
}

}  // namespace planted
