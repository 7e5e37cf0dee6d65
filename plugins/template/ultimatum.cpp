#include <agon/game.hpp>
namespace ultimatum {
struct Settings {
  int pie = 10;
};
AGON_DESCRIBE(Settings, (pie, "coins to split", agon::at_least(1), agon::unit("coins")))
struct Offer {
  int give = 0;
};
AGON_DESCRIBE(Offer, (give, "coins you hand over", agon::unit("coins")))
struct Reply {
  bool accept = false;
};
AGON_DESCRIBE(Reply, (accept, "true takes the offer, false leaves both with nothing"))

agon::Outcome play(agon::Table& table, const Settings& s) {
  const auto offer = table.ask<Offer>(0, "offer", agon::limit(&Offer::give, 0, s.pie));
  table.announce<Offer>("offer", offer);
  const auto reply = table.ask<Reply>(1, "reply");
  const int kept = reply.accept ? s.pie - offer.give : 0, given = reply.accept ? offer.give : 0;
  return agon::Outcome(2).seat(0, kept, 0, s.pie).seat(1, given, 0, s.pie);
}

constexpr agon::StageCard kStages[] = {
    {"offer", "how many coins you hand over", &agon::type_of<Offer>()},
    {"reply", "whether you take the offer", &agon::type_of<Reply>()}};
}  // namespace ultimatum
AGON_GAME("ultimatum", ultimatum::play, .title = "Ultimatum", .seats = {2, 2},
          .rules = "Seat 0 hands seat 1 some of {{pie}} coins; seat 1 agrees, or none gets any.",
          .zero = "nothing", .one = "the whole pie", .stages = ultimatum::kStages)
