// error: a question takes limits that name members of its answer
#include <agon/game.hpp>

struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over"))
struct Bid {
  int price = 0;
};
AGON_DESCRIBE(Bid, (price, "what you pay at most"))

int ask(agon::Table& table) {
  return table.ask<Offer>(0, "offer", agon::limit(&Bid::price, 0, 10)).give;
}
