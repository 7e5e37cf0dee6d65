// A seat is told in words what its item is worth. The bug: the words are looked up in a list that
// is too short, which only seats find out that are told in words.
#include <agon/plugin.hpp>
#include <vector>

#include "planted.hpp"

namespace planted {
namespace {

struct Worth {
  int worth = 0;
};
AGON_DESCRIBE(Worth, (worth, "what the item is worth to you", agon::range(1, 3)))

std::string tell(const Worth& told, const agon::Scene&) {
  static const std::vector<std::string> words{"little", "something", "much"};
  return "The item is worth " + words.at(static_cast<std::size_t>(told.worth) - 1) + " to you.";
}

std::string tell_wrongly(const Worth& told, const agon::Scene& scene) {
  return tell({told.worth + 1}, scene);
}

constexpr agon::Stage<"bid", Bid> kBid{"a bid"};
template <bool Bug>
constexpr agon::PrivateEvent<"worth", Worth> kWorth{"what the item is worth to the seat",
                                                    Bug ? &tell_wrongly : &tell};
constexpr agon::Event<"sold", Result> kSold{"the item is sold"};

template <bool Bug>
agon::Outcome play(agon::Table<kBid, kWorth<Bug>, kSold> table, const Nothing&) {
  for (const int seat : kBoth)
    table.tell(seat, kWorth<Bug>,
               Worth{static_cast<int>(table.chance("worth", seat).between(1, 3))});
  const int one = table.ask(0, kBid).bid, other = table.ask(1, kBid).bid;
  table.announce(kSold, Result{one >= other ? 0 : 1, std::max(one, other)});
  return {{.score = one, .disagreement = 0, .ideal = 10},
          {.score = other, .disagreement = 0, .ideal = 10}};
}

}  // namespace

void add_broken_telling(agon::Registry& registry) {
  const agon::GameCard about = card("Both bid; the higher bid wins.");
  registry.add(agon::game<&play<true>>("broken-telling", about));
  registry.add(agon::game<&play<false>>("broken-telling-sound", about));
}

}  // namespace planted
