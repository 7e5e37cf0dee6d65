#include "survival-auction/tables/tables.hpp"

#include "shared/k_level_paper.hpp"
#include "shared/tables.hpp"
#include "survival-auction/play.hpp"

namespace survival_auction {

void add_tables(agon::Registry& registry) {
  constexpr std::string_view game = "survival-auction";
  registry.add(agon::TableCard{.id = "k-level/table-2",
                               .title = "survival rounds in the survival auction",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 2",
                               .scenario = "papers/k-level/table-2.json",
                               .game = game,
                               .make = &survival_rounds});
  registry.add(agon::TableCard{.id = "k-level/table-8-survival",
                               .title = "survival rounds of k-level reasoning with k = 2 and 3",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 8, right",
                               .scenario = "papers/k-level/table-8-survival.json",
                               .game = game,
                               .make = &survival_rounds_by_depth});
  registry.add(agon::TableCard{
      .id = "k-level/adaption-index-survival",
      .title = "adaption index in the survival auction",
      .source = "Zhang et al., K-Level Reasoning (2024), table 13 and published code",
      .scenario = "papers/k-level/table-2.json",
      .game = game,
      .make = &survival_adaption});
  shared::drought::add_day_tables<kDay, Settings>(registry, game, "survival-auction/survival",
                                                  "survival-auction/balances");
}

namespace {

using namespace k_level_paper;

constexpr std::string_view kLacks = "games in which one resident meets others who are all alike";

constexpr std::string_view kLacksSecondHalf =
    "games in which one resident meets others who are all alike and lives to the second half";

// Table 2, row by row.
constexpr double kTable2[] = {
    5.90, 7.00, 7.50, 4.70, 8.70, 6.60, 9.40,   //
    5.70, 6.50, 5.30, 4.00, 8.10, 5.30, 10.00,  //
    5.70, 7.70, 7.40, 5.20, 6.30, 7.20, 9.30,   //
    9.40, 9.40, 9.90, 5.20, 8.60, 8.20, 10.00,  //
    6.30, 6.40, 8.10, 4.30, 8.20, 5.30, 7.90,   //
    8.50, 9.60, 9.90, 6.30, 8.50, 6.20, 9.70,   //
    4.10, 5.50, 5.00, 4.04, 5.70, 4.40, 6.80,   //
};
constexpr double kTable2Averages[] = {6.51, 7.44, 7.59, 4.82, 7.73, 6.17, 9.01};

// Table 8, the half of the survival auction.
constexpr double kTable8[] = {
    5.90, 9.40, 9.40,  //
    4.10, 6.80, 8.30,  //
};

agon::PaperTable rounds(const agon::PlayedMatches& matches, const Layout& layout) {
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, "survival_round"); });
  agon::PaperTable table = meetings.table(layout, matches.level());
  table.notes = {
      "Mean of the day of death, or of the last day for those who live: the day of death counts, "
      "as in the published program. A column a player, a row four opponents of a kind; against its "
      "own kind every seat counts, in the paper Alex alone."};
  return table;
}

}  // namespace

agon::PaperTable survival_rounds(const agon::PlayedMatches& matches) {
  return rounds(matches, {.players = kMethods,
                          .opponents = kMethods,
                          .published = kTable2,
                          .averages = kTable2Averages,
                          .lacks = kLacks});
}

agon::PaperTable survival_rounds_by_depth(const agon::PlayedMatches& matches) {
  return rounds(matches, {.players = kDepthPlayers,
                          .opponents = kDepthOpponents,
                          .published = kTable8,
                          .lacks = kLacks});
}

agon::PaperTable survival_adaption(const agon::PlayedMatches& matches) {
  Meetings meetings;
  matches.each([&](const agon::PlayedMatch& match) { meetings.add(match, "adaption_index"); });
  agon::PaperTable table = meetings.table(
      {.players = kMethods, .opponents = kMethods, .lacks = kLacksSecondHalf}, matches.level());
  table.notes = {
      "Mean distance of the bid from the highest bid of the others on the second half of the days "
      "over that on the first half, a mean over matches as in the published program; below 1 the "
      "player came nearer. Who does not live to the second half is left out.",
      "The paper tests these numbers (table 13) and does not print them.",
  };
  return table;
}

}  // namespace survival_auction
