// error: asking<T>() is for another answer than the stage's
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

void ask(agon::Table<kOffer> table, std::span<const int> seats) {
  table.ask_all(seats, kOffer, [](int) { return agon::asking<Bid>(); });
}
