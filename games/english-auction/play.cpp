#include "english-auction/game.hpp"
#include "english-auction/match.hpp"

namespace english_auction {

agon::Outcome play(Table table, const Settings& settings, const Prepared& prepared) {
  return Match(table, settings, prepared).play();
}

}  // namespace english_auction
