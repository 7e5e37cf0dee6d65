#include "ebay/tables/tables.hpp"

namespace ebay {

void add_tables(agon::Registry& registry) {
  constexpr std::string_view scenario = "papers/llm-auctions/ebay.json";
  registry.add(agon::TableCard{.id = "llm-auctions/ebay-final-bid",
                               .title = "day of the final winning bid, share of the auctions",
                               .source = "LLM auctions, eBay: histogram of the final winning bid",
                               .scenario = scenario,
                               .game = "ebay",
                               .make = &final_bid_histogram});
  registry.add(
      agon::TableCard{.id = "llm-auctions/ebay-final-bid-cdf",
                      .title = "the same, added up over the days",
                      .source = "LLM auctions, eBay: distribution of the final winning bid",
                      .scenario = scenario,
                      .game = "ebay",
                      .make = &final_bid_distribution});
  registry.add(agon::TableCard{.id = "llm-auctions/ebay-revenue",
                               .title = "price, revenue and efficiency by treatment",
                               .source = "LLM auctions, eBay: revenue",
                               .scenario = scenario,
                               .game = "ebay",
                               .make = &revenue});
  registry.add(agon::TableCard{.id = "llm-auctions/ebay-tests",
                               .title = "t-tests of every two treatments",
                               .source = "LLM auctions, eBay: pairwise tests",
                               .scenario = scenario,
                               .game = "ebay",
                               .make = &treatment_tests});
}

}  // namespace ebay
