// What one pays the other receives. The bug: of odd amounts a coin is lost.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Books {
  int lost = 0;
};
AGON_DESCRIBE(Books,
              (lost, "coins paid that nobody received", agon::unit("coins"), agon::range(0, 0)))

constexpr agon::Stage<"bid", Bid> kBid{"what you pay"};
constexpr agon::Event<"paid", Bid> kPaid{"coins change hands"};
using Table = agon::Table<kBid, kPaid>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const int paid = table.ask(0, kBid).bid;
  const int received = Bug ? paid / 2 * 2 : paid;
  table.announce(kPaid, Bid{paid});
  agon::Outcome outcome{{.score = 10 - paid, .disagreement = 0, .ideal = 10},
                        {.score = received, .disagreement = 0, .ideal = 10}};
  return outcome.match_metrics(Books{paid - received});
}

}  // namespace

void add_broken_books(agon::Registry& registry) {
  agon::GameCard about = card("The first seat pays the second.");
  about.match_metrics = &agon::type_of<Books>();
  registry.add(agon::game<&play<true>>("broken-books", about));
  registry.add(agon::game<&play<false>>("broken-books-sound", about));
}

}  // namespace planted
