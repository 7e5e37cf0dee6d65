#include "english-auction/tables/tables.hpp"

#include "shared/tables.hpp"

namespace english_auction {

void add_tables(agon::Registry& registry) {
  struct Row {
    const char *id, *title, *source, *scenario;
    bool reads_records;
    agon::PaperTable (*make)(const agon::PlayedMatches&);
  };
  static constexpr Row kRows[] = {
      {"aucarena/table-1", "whether bids follow plans: rank correlations of priorities",
       "Chen et al. 2023, table 1", "papers/aucarena/figure-2.json", true, &plan_following},
      {"aucarena/plans", "whether bids follow plans, in auctions of any bidders",
       "after Chen et al. 2023, section 4", "papers/aucarena/figure-2.json", true, &plans_of_all},
      {"aucarena/figure-2", "corrected failure rates of bids and beliefs",
       "Chen et al. 2023, figure 2", "papers/aucarena/figure-2.json", false, &failure_rates},
      {"aucarena/figure-3", "profit by planning strategy", "Chen et al. 2023, figure 3",
       "papers/aucarena/figure-3.json", false, &planning_profits},
      {"aucarena/figure-4", "priorities over the auction, budget 10,000",
       "Chen et al. 2023, figure 4", "papers/aucarena/figure-4.json", true, &priorities_10k},
      {"aucarena/figure-5", "TrueSkill of models and a rule bidder", "Chen et al. 2023, figure 5",
       "papers/aucarena/figure-5.json", false, &skills},
      {"aucarena/figure-6", "rank by profit, match by match", "Chen et al. 2023, figure 6",
       "papers/aucarena/figure-6.json", false, &ranks},
      {"aucarena/figure-7", "winning bids by desire: histogram and density",
       "Chen et al. 2023, figure 7", "papers/aucarena/figure-7.json", true, &desire_prices},
      {"aucarena/figure-8", "priorities over the auction, budget 20,000",
       "Chen et al. 2023, figure 8", "papers/aucarena/figure-8.json", true, &priorities_20k},
      {"aucarena/figure-9", "money left after each item, by order of items and planning strategy",
       "Chen et al. 2023, figure 9", "papers/aucarena/figure-4.json", true, &budgets_left},
      {"experiments/shill-and-collusion",
       "what shilling, spite and talk cost buyers and bring the seller",
       "of no figure: experiments that Chen et al. 2023 name as the next ones",
       "experiments/shill-and-collusion.json", false, &laboratory},
      {"aucarena/figure-10", "rank by profit, match by match, of bidders that learn",
       "Chen et al. 2023, figure 10", "papers/aucarena/figure-10.json", false, &learner_ranks},
  };
  for (const Row& row : kRows)
    registry.add(agon::TableCard{.id = row.id,
                                 .title = row.title,
                                 .source = row.source,
                                 .scenario = row.scenario,
                                 .game = "english-auction",
                                 .reads_records = row.reads_records,
                                 .make = row.make});
  registry.add(shared::own_table("english-auction/price-paths", "how prices rise, round by round",
                                 "english-auction", &price_paths));
  registry.add(shared::own_table("english-auction/hammer-prices",
                                 "what winners pay of what items are worth, item by item",
                                 "english-auction", &hammer_prices));
}

}  // namespace english_auction
