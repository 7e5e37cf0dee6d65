#include "shared/day_curves.hpp"
#include "survival-auction/tables/tables.hpp"

namespace survival_auction {

void add_tables(agon::Registry& registry) {
  constexpr std::string_view game = "survival-auction";
  registry.add(agon::TableCard{.id = "k-level/table-2",
                               .title = "survival rounds in the survival auction",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 2",
                               .scenario = "papers/k-level/table-2.json",
                               .game = game,
                               .make = &survival_rounds});
  registry.add(agon::TableCard{.id = "k-level/table-8-survival",
                               .title = "survival rounds of k-level reasoning with k = 2 and 3",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 8, right",
                               .scenario = "papers/k-level/table-8-survival.json",
                               .game = game,
                               .make = &survival_rounds_by_depth});
  registry.add(agon::TableCard{
      .id = "k-level/adaption-index-survival",
      .title = "adaption index in the survival auction",
      .source = "Zhang et al., K-Level Reasoning (2024), table 13 and published code",
      .scenario = "papers/k-level/table-2.json",
      .game = game,
      .make = &survival_adaption});
  shared::drought::add_day_tables(registry, game, "survival-auction/survival",
                                  "survival-auction/balances");
}

}  // namespace survival_auction
