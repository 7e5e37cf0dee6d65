// error: a metric is a number, a bool, an enum, Money, or an optional of one
#include <agon/game.hpp>

struct Metrics {
  std::string winner;
};
AGON_DESCRIBE(Metrics, (winner, "who won"))

void give(agon::Outcome& outcome) {
  outcome.match_metrics(Metrics{});
}
