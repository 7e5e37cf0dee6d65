#include "shared/tables.hpp"

#include "shared/k_level_paper.hpp"
#include "survival-auction/game.hpp"
#include "survival-auction/play.hpp"

namespace survival_auction {
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
  return table_of(
      matches, "survival_round", layout,
      {"Mean of the day of death, or of the last day for those who live: the day of death counts, "
       "as in the published program. A column a player, a row four opponents of a kind; against "
       "its "
       "own kind every seat counts, in the paper Alex alone."});
}

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
  return table_of(matches, "adaption_index",
                  {.players = kMethods, .opponents = kMethods, .lacks = kLacksSecondHalf},
                  {
                      "Mean distance of the bid from the highest bid of the others on the second "
                      "half of the days "
                      "over that on the first half, a mean over matches as in the published "
                      "program; below 1 the "
                      "player came nearer. Who does not live to the second half is left out.",
                      "The paper tests these numbers (table 13) and does not print them.",
                  });
}

}  // namespace

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "survival-auction",
      {
          {"k-level/table-2", "survival rounds in the survival auction",
           "Zhang et al., K-Level Reasoning (2024), table 2", "papers/k-level/table-2.json",
           &survival_rounds},
          {"k-level/table-8-survival", "survival rounds of k-level reasoning with k = 2 and 3",
           "Zhang et al., K-Level Reasoning (2024), table 8, right",
           "papers/k-level/table-8-survival.json", &survival_rounds_by_depth},
          {"k-level/adaption-index-survival", "adaption index in the survival auction",
           "Zhang et al., K-Level Reasoning (2024), table 13 and published code",
           "papers/k-level/table-2.json", &survival_adaption},
      });
  shared::drought::add_day_tables<kDay, Settings>(
      registry, "survival-auction", "survival-auction/survival", "survival-auction/balances");
}

}  // namespace survival_auction
