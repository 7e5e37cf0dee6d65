// The price is drawn. The bug: with dice that the arena does not know.
#include <agon/plugin.hpp>
#include <random>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
constexpr agon::Event<"paid", Bid> kPaid{"the price is paid"};
using Table = agon::Table<kBid, kPaid>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const int bid = table.ask(0, kBid).bid;
  const int price = Bug ? static_cast<int>(std::random_device{}() % 11)
                        : static_cast<int>(table.chance("price").between(0, 10));
  table.announce(kPaid, Bid{price});
  const int paid = bid >= price ? price : 0;
  return {{.score = 10 - paid, .disagreement = 0, .ideal = 10},
          {.score = paid, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_own_dice(agon::Registry& registry) {
  const agon::GameCard about = card("Who bids the price or more pays it.");
  registry.add(agon::game<&play<true>>("own-dice", about));
  registry.add(agon::game<&play<false>>("own-dice-sound", about));
}

}  // namespace planted
