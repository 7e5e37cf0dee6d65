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

constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};

int ask(agon::Table<kOffer> table) {
  return table.ask(0, kOffer, agon::limit(&Bid::price, 0, 10)).give;
}
