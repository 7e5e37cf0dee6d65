#include "ebay/tables/tables.hpp"
#include "shared/tables.hpp"

namespace ebay {

void add_tables(agon::Registry& registry) {
  constexpr std::string_view scenario = "papers/llm-auctions/ebay.json";
  registry.add(agon::TableCard{
      .id = "llm-auctions/ebay-final-bid",
      .title = "day of the final winning bid, share of the auctions",
      .source = "Shah et al., arXiv:2507.09083, eBay: histogram of the final winning bid",
      .scenario = scenario,
      .game = "ebay",
      .make = &final_bid_histogram});
  registry.add(agon::TableCard{
      .id = "llm-auctions/ebay-final-bid-cdf",
      .title = "the same, added up over the days",
      .source = "Shah et al., arXiv:2507.09083, eBay: distribution of the final winning bid",
      .scenario = scenario,
      .game = "ebay",
      .make = &final_bid_distribution});
  registry.add(agon::TableCard{.id = "llm-auctions/ebay-revenue",
                               .title = "price, revenue and efficiency by treatment",
                               .source = "Shah et al., arXiv:2507.09083, eBay: revenue",
                               .scenario = scenario,
                               .game = "ebay",
                               .make = &revenue});
  registry.add(agon::TableCard{.id = "llm-auctions/ebay-tests",
                               .title = "t-tests of every two treatments",
                               .source = "Shah et al., arXiv:2507.09083, eBay: pairwise tests",
                               .scenario = scenario,
                               .game = "ebay",
                               .make = &treatment_tests});
  registry.add(shared::own_table("ebay/maxima", "what bidders tell their proxy, by value", "ebay",
                                 &maxima_by_value, false));
}

}  // namespace ebay
