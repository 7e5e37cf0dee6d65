#include "survival-auction/strategies/adaptive.hpp"

#include "survival-auction/answers.hpp"
#include "survival-auction/auction.hpp"

namespace survival_auction {

namespace {

bool is_critical(int hp, int no_drink) {
  return hp <= no_drink;
}

/// On how many of the days, today the first, it has to drink if it drinks as late as it can.
int least_drinks(const Morning& m) {
  Health health{m.hp, m.no_drink};
  int drinks = 0;
  for (int day = 0; day <= m.days_left; ++day) {
    if (is_critical(health.hp, health.no_drink)) {
      ++drinks;
      health = drunk(health, m.drink_hp, m.max_hp);
    } else {
      health = dry(health);
    }
  }
  return drinks;
}

/// The share of its money that a rival bid yesterday, or `guess` if that was never seen.
double last_share(const Morning& m, std::string_view rival, double guess) {
  if (m.history.empty()) return guess;
  for (const ResidentDay& line : m.history.back().residents) {
    if (line.name != rival) continue;
    const agon::Money had = line.won ? line.balance + line.bid : line.balance;
    if (had.cents <= 0) return 0;
    return std::min(1.0, static_cast<double>(line.bid.cents) / static_cast<double>(had.cents));
  }
  return guess;
}

agon::Money part(agon::Money whole, double share) {
  return {static_cast<std::int64_t>(static_cast<double>(whole.cents) * share)};
}

}  // namespace

agon::Money Adaptive::draw_near(agon::Money bid, agon::Money balance, agon::Dice dice) const {
  const agon::Money drawn{
      static_cast<std::int64_t>(dice.below(static_cast<std::uint64_t>(params_.spread.cents) + 1))};
  // A bid that takes all it has can only go down, but not below 0.
  if (bid + drawn <= balance) return bid + drawn;
  return std::max(agon::Money{}, std::min(bid, balance) - drawn);
}

void Adaptive::answer(agon::Question& question) const {
  const auto* view = question.view<Morning>();
  auto* answer = question.answer<Bid>();
  if (view == nullptr || answer == nullptr) return question.decline();
  const Morning& m = *view;
  answer->bid = {};
  const int drinks = least_drinks(m);
  if (drinks == 0) return;
  const bool critical = is_critical(m.hp, m.no_drink);
  agon::Money expected{};
  bool anybody = false;
  for (const Neighbour& n : m.town) {
    if (!n.alive || n.name == m.name) continue;
    anybody = true;
    const bool all_in = critical || is_critical(n.hp, n.no_drink);
    expected = std::max(
        expected, all_in ? n.balance : part(n.balance, last_share(m, n.name, params_.first_guess)));
  }
  if (!anybody) return;
  const agon::Money wanted = expected + (critical ? agon::Money{1} : params_.margin);
  if (critical) {
    answer->bid = draw_near(wanted, m.balance, question.dice());
    return;
  }
  const agon::Money wealth = m.balance + m.salary * m.days_left;
  const agon::Money even = part({wealth.cents / drinks}, params_.thrift);
  answer->bid = draw_near(std::min(wanted, even), m.balance, question.dice());
}

}  // namespace survival_auction
