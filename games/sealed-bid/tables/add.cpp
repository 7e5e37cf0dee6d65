#include "sealed-bid/tables/tables.hpp"
#include "shared/tables.hpp"

namespace sealed_bid {

void add_tables(agon::Registry& registry) {
  registry.add(agon::TableCard{.id = "llm-auctions/formats",
                               .title = "bids and revenue by payment, independent values",
                               .source = "Shah et al., arXiv:2507.09083, figures of section 3",
                               .scenario = "papers/llm-auctions/formats.json",
                               .game = "sealed-bid",
                               .make = &formats});
  registry.add(agon::TableCard{.id = "llm-auctions/robustness",
                               .title = "the same with other bidders, rounds, money or no plans",
                               .source = "Shah et al., arXiv:2507.09083, appendix",
                               .scenario = "papers/llm-auctions/robustness.json",
                               .game = "sealed-bid",
                               .make = &robustness});
  registry.add(agon::TableCard{.id = "llm-auctions/interventions",
                               .title = "the second price under seven ways to tell it",
                               .source = "Shah et al., arXiv:2507.09083, table of interventions",
                               .scenario = "papers/llm-auctions/interventions.json",
                               .game = "sealed-bid",
                               .make = &interventions});
  registry.add(agon::TableCard{.id = "llm-auctions/common-values",
                               .title = "the winner's curse with 2 to 6 bidders",
                               .source = "Shah et al., arXiv:2507.09083 v1, common values",
                               .scenario = "papers/llm-auctions/common-values.json",
                               .game = "sealed-bid",
                               .make = &common_values});
  registry.add(agon::TableCard{.id = "experiments/plan-bid-reflect-by-field",
                               .title = "planning and reflecting against weak and strong fields",
                               .source = "of no figure: an experiment after arXiv:2507.09083",
                               .scenario = "experiments/plan-bid-reflect-by-field.json",
                               .game = "sealed-bid",
                               .make = &by_field});
  registry.add(agon::TableCard{.id = "llm-auctions/revenue",
                               .title = "revenue and efficiency of clocks and sealed bids",
                               .source = "worked out from the logs of arXiv:2507.09083",
                               .scenario = "papers/llm-auctions/table-1.json",
                               .game = "sealed-bid",
                               .make = &revenues,
                               .also = "clock-auction"});
  registry.add(shared::own_table("sealed-bid/bids", "bids by value, and the equilibrium",
                                 "sealed-bid", &bids_by_value));
}

}  // namespace sealed_bid
