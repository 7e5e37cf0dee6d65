// error: announce() is for an Event, tell() for a PrivateEvent, note() for a Note
#include <agon/game.hpp>

struct Worth {
  int coins = 0;
};
AGON_DESCRIBE(Worth, (coins, "what it is worth to you alone"))
constexpr agon::PrivateEvent<"worth", Worth> kWorth{"what it is worth to the seat"};

void say(agon::Table<kWorth> table) {
  table.announce(kWorth, Worth{10});
}
