// Games near the borders of checks: what is just wrong, and what is just not.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

// Of several private draws the first ones are kept, and both are asked at the same time. The bug:
// the other seat can tell the last draw by a half of it.
namespace together {

struct BidView {
  int mine = 0;
  int hint = 0;
};
AGON_DESCRIBE(BidView, (mine, "what the item is worth to you", agon::unit("coins")),
              (hint, "a number", agon::unit("coins")))
constexpr agon::Stage<"bid", Bid, BidView> kBid{"a sealed bid"};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};
using Table = agon::Table<kBid, kSold>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  std::array<int, 2> worth{};
  for (int part = 0; part < 2; ++part)
    worth[0] = static_cast<int>(table.chance("first", part).between(1, 9));
  worth[1] = static_cast<int>(table.chance("second").between(1, 9));
  const auto bids = table.ask_all(kBoth, kBid, [&](int seat) {
    return agon::asking<Bid>(agon::view([&, seat] {
      return BidView{worth[static_cast<std::size_t>(seat)], seat == 1 && Bug ? worth[0] / 2 : 0};
    }));
  });
  const int winner = bids[0].bid >= bids[1].bid ? 0 : 1;
  table.announce(kSold, Result{winner, std::max(bids[0].bid, bids[1].bid)});
  return {
      {.score = winner == 0 ? worth[0] - bids[0].bid : 0, .disagreement = 0, .ideal = worth[0]},
      {.score = winner == 1 ? worth[1] - bids[1].bid : 0, .disagreement = 0, .ideal = worth[1]}};
}

}  // namespace together

// Cards come from one deck as they are asked for. An event after every question does not mark when
// they are drawn, so that others may have drawn fewer by the same one.
namespace deck {

struct Hit {
  bool card = false;
};
AGON_DESCRIBE(Hit, (card, "true takes a card"))
constexpr agon::Stage<"hit", Hit> kHit{"whether you take a card"};
constexpr agon::Event<"answered", Hit> kAnswered{"whether a card is taken"};
using Table = agon::Table<kHit, kAnswered>;

agon::Outcome play(Table table, const Nothing&) {
  agon::RandomStream cards = table.chance("cards");
  std::array<int, 2> got{};
  for (int round = 0; round < 5; ++round)
    for (const int seat : kBoth) {
      const auto hit = table.ask(seat, kHit);
      if (hit.card) got[static_cast<std::size_t>(seat)] += static_cast<int>(cards.between(1, 9));
      table.announce(kAnswered, hit);
    }
  return {{.score = got[0]}, {.score = got[1]}};
}

}  // namespace deck

// The first seat takes up to ten coins of the second one's five, who has less than without the game
// where it takes more. The bug: the second has its five back, and nothing to fear.
namespace taken {

constexpr agon::Stage<"bid", Bid> kTake{"what you take"};
constexpr agon::Event<"taken", Bid> kTaken{"coins are taken"};
using Table = agon::Table<kTake, kTaken>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto take = table.ask(0, kTake);
  table.announce(kTaken, take);
  return {{.score = take.bid, .disagreement = 0, .ideal = 5},
          {.score = Bug ? 5 : 5 - take.bid, .disagreement = 0, .ideal = 5}};
}

}  // namespace taken

// One match in five asks how much to give, with a limit that the check turns down: too seldom to
// say that it never passes.
namespace seldom {

struct Gift {
  int give = 0;
};
AGON_DESCRIBE(Gift, (give, "coins that you give", agon::unit("coins")))
constexpr agon::Stage<"give", Gift> kGive{"how much you give"};
using Table = agon::Table<kGive>;

agon::Outcome play(Table table, const Nothing&) {
  int given = 0;
  if (table.chance("asked").between(1, 5) == 1)
    given = table
                .ask(0, kGive, agon::limit(&Gift::give, 0, 11), agon::check([](const Gift& g) {
                       return g.give > 10 ? std::string("there are ten coins only") : std::string();
                     }))
                .give;
  return {{.score = 10 - given, .disagreement = 0, .ideal = 10},
          {.score = given, .disagreement = 0, .ideal = 10}};
}

}  // namespace seldom

}  // namespace

void add_borders(agon::Registry& registry) {
  const agon::GameCard auction = card("Both bid at once; the higher bid wins and pays.");
  registry.add(agon::game<&together::play<true>>("leak-together", auction));
  registry.add(agon::game<&together::play<false>>("leak-together-sound", auction));
  registry.add(agon::game<&deck::play>("deck-sound", card("Five times you may take a card.")));
  const agon::GameCard taking = card("The first seat takes coins of the second one.");
  registry.add(agon::game<&taken::play<true>>("above-ideal", taking));
  registry.add(agon::game<&taken::play<false>>("above-ideal-sound", taking));
  registry.add(agon::game<&seldom::play>("seldom-sound", card("You may be asked for coins.")));
}

}  // namespace planted
