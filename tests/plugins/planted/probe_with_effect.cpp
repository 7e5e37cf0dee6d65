// Each seat is asked what it believes the other bids. The bug: who believes in a high bid pays
// more.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Belief {
  int bid = 0;
};
AGON_DESCRIBE(Belief,
              (bid, "what you think that the other bids", agon::unit("coins"), agon::range(0, 10)))

constexpr agon::Probe<"belief", Belief> kBelief{.doc = "what you think that the other bids",
                                                .purpose = agon::Purpose::belief};
constexpr agon::Stage<"bid", Bid> kBid{"a sealed bid"};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};
using Table = agon::Table<kBelief, kBid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto belief = table.probe(0, kBelief);
  const auto bid = table.ask(0, kBid);
  const int price = bid.bid / 2 + (Bug && belief && belief->bid > 5 ? 2 : 0);
  table.announce(kSold, Result{0, price});
  return {{.score = 10 - price, .disagreement = 0, .ideal = 10},
          {.score = price, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_probe_with_effect(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat buys at half of what it bids.");
  registry.add(agon::game<&play<true>>("probe-with-effect", about));
  registry.add(agon::game<&play<false>>("probe-with-effect-sound", about));
}

}  // namespace planted
