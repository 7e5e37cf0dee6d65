// The price is drawn. The bug: with dice that the arena does not know.
#include <agon/plugin.hpp>
#include <random>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Event<"priced", Result> kPriced{"the price is drawn"};
using Table = agon::Table<kBid, kPriced>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const int bid = table.ask(0, kBid).bid;
  const int price = Bug ? static_cast<int>(std::random_device{}() % 1'000'000)
                        : static_cast<int>(table.chance("price").between(0, 999'999));
  table.announce(kPriced, Result{0, price});
  return {{.score = 10 - bid, .disagreement = 0, .ideal = 10},
          {.score = bid, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_own_dice(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat pays what it bids; the price is for show.");
  registry.add(agon::game<&play<true>>("own-dice", about));
  registry.add(agon::game<&play<false>>("own-dice-sound", about));
}

}  // namespace planted
