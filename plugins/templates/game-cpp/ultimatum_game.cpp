#include <agon/game.hpp>
namespace ultimatum_game {
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
constexpr agon::Stage<"offer", Offer> kOffer{"how many coins you hand over"};
constexpr agon::Stage<"reply", Reply> kReply{"whether you take the offer"};
constexpr agon::Event<"offer", Offer> kOffered{"what seat 0 hands over"};
agon::Outcome play(agon::Table<kOffer, kReply, kOffered> table, const Settings& s) {
  const auto offer = table.ask(0, kOffer, agon::limit(&Offer::give, 0, s.pie));
  table.announce(kOffered, offer);
  const bool taken = table.ask(1, kReply).accept;
  return {{.score = taken ? s.pie - offer.give : 0, .disagreement = 0, .ideal = s.pie},
          {.score = taken ? offer.give : 0, .disagreement = 0, .ideal = s.pie}};
}
}  // namespace ultimatum_game
AGON_GAME("ultimatum", ultimatum_game::play, .title = "Ultimatum", .seats = {2, 2},
          .rules = "Seat 0 hands seat 1 some of {{pie}} coins; seat 1 agrees, or none gets any.",
          .score = "coins in the end", .disagreement = "nothing", .ideal = "the whole pie")
