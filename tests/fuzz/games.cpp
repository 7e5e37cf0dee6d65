#include "games.hpp"

#include "agents.hpp"
#include "bargaining/game.hpp"
#include "classic/game.hpp"
#include "clock-auction/game.hpp"
#include "deal-or-no-deal/game.hpp"
#include "ebay/game.hpp"
#include "english-auction/game.hpp"
#include "guess-average/game.hpp"
#include "llm/llm_agent.hpp"
#include "play-rating/game.hpp"
#include "sealed-bid/game.hpp"
#include "survival-auction/game.hpp"
#include "water-allocation/game.hpp"

namespace agon::fuzz {

std::shared_ptr<Catalogue> all_games() {
  auto all = std::make_shared<Catalogue>();
  for (void (*const enter)(Registry&) :
       {&::agon::agents::enter, &::bargaining::enter, &::classic::enter, &::clock_auction::enter,
        &::deal_or_no_deal::enter, &::ebay::enter, &::english_auction::enter,
        &::guess_average::enter, &::agon::llm::enter, &::play_rating::enter, &::sealed_bid::enter,
        &::survival_auction::enter, &::water_allocation::enter})
    enter(*all);
  return all;
}

}  // namespace agon::fuzz
