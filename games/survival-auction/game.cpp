#include "survival-auction/game.hpp"

#include <fmt/format.h>

#include <agon/agent.hpp>

#include "shared/roster.hpp"
#include "survival-auction/play.hpp"
#include "survival-auction/strategies.hpp"

namespace survival_auction {

using agon::money_text;

Facts facts(const Settings& s) {
  Facts f;
  f.days = s.days;
  f.residents = static_cast<int>(s.residents.size());
  f.salary = money_text(s.salary);
  f.max_hp = s.max_hp;
  f.drink_hp = s.drink_hp;
  return f;
}

std::string rules_text(const Settings& s) {
  std::string text = fmt::format(
      "A drought has come over your town. Each day there is water for one of its {} residents, and "
      "it is sold by auction. Your aim is to be alive after day {}.\n\n"
      "Everybody starts with {} health point{} and no money. Health never rises above {}; who "
      "falls "
      "to 0 or less is dead and out of the game, and the money is lost.\n\n"
      "Each day:\n"
      "1. Every living resident is paid {}.\n"
      "2. All living residents bid at the same time, in secret and once. Cents are allowed. ",
      s.residents.size(), s.days, s.start_hp, s.start_hp == 1 ? "" : "s", s.max_hp,
      money_text(s.salary));
  text += s.over_balance == OverBalance::refused
              ? "You cannot bid more than you have.\n"
              : "A bid above what you have cannot win; if it is the highest, nobody gets water.\n";
  text += fmt::format(
      "3. The highest bid gets the water. If it was made by {}, nobody gets "
      "water: no lower bid is looked at.\n"
      "4. Who gets the water pays the own bid and gains {} health point{}. All others pay nothing "
      "and lose health: 1 point on the first day without water, 2 on the second in a row, 3 on the "
      "third and so on. A day with water sets this count back.\n"
      "5. All are told all bids, who got the water, and everybody's money and health.\n\n"
      "Who does not want the water bids 0. Even so the last one alive gets it.",
      s.over_balance == OverBalance::refused ? "several" : "several who can pay it", s.drink_hp,
      s.drink_hp == 1 ? "" : "s");
  return text;
}

std::vector<std::string> five_residents() {
  return {"Alex", "Bob", "Cindy", "David", "Eric"};
}

std::string check(const Settings& s) {
  if (std::string why = shared::check_names("residents", s.residents); !why.empty()) return why;
  if (s.start_hp > s.max_hp)
    return fmt::format("start_hp is {}, above max_hp, {}", s.start_hp, s.max_hp);
  return {};
}

namespace {

constexpr agon::Preset kPresets[] = {
    {.name = "agon",
     .doc = "Five equal residents, ten days. A bid above the balance is against the rules and "
            "asked for again."},
    {.name = "paper",
     .doc =
         "As the published program runs: a bid above the balance (up to all that can be earned) "
         "is taken as said and, as the highest, leaves the water to nobody; an answer that cannot "
         "be read is asked for three times in all, then it is 0.",
     .settings = R"({"over_balance": "wasted"})",
     .reasks = 2},
};

std::vector<agon::SeatCard> seating(const Settings& settings) {
  return shared::seats_named(settings.residents);
}

}  // namespace

agon::Game game() {
  return agon::game<&play>("survival-auction",
                           {
                               .title = "Survival Auction Game",
                               .seats = {2, kMaxResidents},
                               .rules_for = agon::hook<&rules_text>,
                               .seating = agon::hook<&seating>,
                               .check = agon::hook<&check>,
                               .source = "Zhang et al., K-Level Reasoning, arXiv 2402.01521, the "
                                         "survival auction game",
                               .score = "days survived: days at whose end the resident is alive",
                               .disagreement = "0 days",
                               .ideal = "all days of the match (10)",
                               // Days out of all days.
                               .score_range = agon::range(0, 1),
                               .seat_metrics = &agon::type_of<SeatMetrics>(),
                               .match_metrics = &agon::type_of<MatchMetrics>(),
                               .presets = kPresets,
                               .facts = &agon::type_of<Facts>(),
                               .facts_for = agon::facts<&facts>,
                               .reference = "adaptive",
                           });
}

void enter(agon::Registry& registry) {
  registry.add(game());
  registry.add(agon::agent<Fraction>({.id = "fraction",
                                      .game = "survival-auction",
                                      .doc = "Bids a fixed share of its money every day."}));
  registry.add(agon::agent<Last>({.id = "last",
                                  .game = "survival-auction",
                                  .doc = "Bids a little more than the highest bid of the others on "
                                         "the day before."}));
  registry.add(agon::agent<Adaptive>(
      {.id = "adaptive",
       .game = "survival-auction",
       .doc = "Bids nothing while it can live to the end without water, enough to beat all that "
              "its rivals own when its life hangs on it, and otherwise what should beat rivals who "
              "bid the share of their money that they bid the day before."}));
  add_tables(registry);
}

}  // namespace survival_auction
