// By chance a match asks many more questions than a check plays. What comes of it then is not seen:
// the match breaks, or ends as others do.
#include <agon/plugin.hpp>
#include <stdexcept>

#include "planted.hpp"

namespace planted {
namespace {

constexpr agon::Stage<"bid", Bid> kBid{"your bid"};
constexpr agon::Event<"length", Result> kLength{"how long it was"};
using Table = agon::Table<kBid, kLength>;

template <bool Breaks>
agon::Outcome play(Table table, const Nothing&) {
  const bool is_long = table.chance("length").below(2) == 1;
  for (int i = 0; i < (is_long ? 6000 : 1); ++i) (void)table.ask(0, kBid);
  if (Breaks && is_long) throw std::runtime_error("this was long");
  table.announce(kLength, Result{.winner = is_long ? 1 : 0});
  return {{.score = 1, .disagreement = 0, .ideal = 10},
          {.score = 1, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_long_match(agon::Registry& registry) {
  const agon::GameCard about = card("Bid until it is over.");
  registry.add(agon::game<&play<true>>("long-match", about));
  registry.add(agon::game<&play<false>>("long-match-sound", about));
}

}  // namespace planted
