// Ten coins can be given. The bug: the limit of the moment is one too many, which the game's own
// check turns down.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Gift {
  int give = 0;
};
AGON_DESCRIBE(Gift, (give, "coins that you give", agon::unit("coins")))

constexpr agon::Stage<"give", Gift> kGive{"how much you give"};
constexpr agon::Event<"given", Gift> kGiven{"coins were given"};
using Table = agon::Table<kGive, kGiven>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto gift = table.ask(
      0, kGive, agon::limit(&Gift::give, 0, Bug ? 11 : 10), agon::check([](const Gift& g) {
        return g.give > 10 ? std::string("there are ten coins only") : std::string();
      }));
  table.announce(kGiven, gift);
  return {{.score = 10 - gift.give, .disagreement = 0, .ideal = 10},
          {.score = gift.give, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_wrong_bound(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat gives some of its ten coins.");
  registry.add(agon::game<&play<true>>("wrong-bound", about));
  registry.add(agon::game<&play<false>>("wrong-bound-sound", about));
}

}  // namespace planted
