// Twenty soldiers stand on three hills. The bug: the limit on what they add up to is one too many,
// which the game's own check turns down.
#include <agon/plugin.hpp>
#include <array>
#include <numeric>

#include "planted.hpp"

namespace planted {
namespace {

struct Plan {
  std::array<int, 3> troops{};
};
AGON_DESCRIBE(Plan, (troops, "soldiers on each hill", agon::range(0, 30)))

constexpr agon::Stage<"plan", Plan> kPlan{"where your soldiers stand"};
constexpr agon::Event<"stood", Plan> kStood{"soldiers stood"};
using Table = agon::Table<kPlan, kStood>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto plan = table.ask(0, kPlan, agon::limit_sum(&Plan::troops, 0, Bug ? 21 : 20),
                              agon::check([](const Plan& p) {
                                return std::accumulate(p.troops.begin(), p.troops.end(), 0) > 20
                                           ? std::string("there are twenty soldiers only")
                                           : std::string();
                              }));
  table.announce(kStood, plan);
  return {{.score = plan.troops[0], .disagreement = 0, .ideal = 20},
          {.score = plan.troops[1], .disagreement = 0, .ideal = 20}};
}

}  // namespace

void add_wrong_sum(agon::Registry& registry) {
  const agon::GameCard about = card("The first seat puts twenty soldiers on three hills.");
  registry.add(agon::game<&play<true>>("wrong-sum", about));
  registry.add(agon::game<&play<false>>("wrong-sum-sound", about));
}

}  // namespace planted
