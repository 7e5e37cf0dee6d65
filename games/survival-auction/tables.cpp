#include "shared/tables.hpp"

#include "shared/k_level_paper.hpp"
#include "survival-auction/game.hpp"
#include "survival-auction/play.hpp"

namespace survival_auction {

/// A table of published.json.
const shared::PublishedTable& published(std::string_view id);

namespace {

using namespace k_level_paper;

constexpr std::string_view kLacks = "games in which one resident meets others who are all alike";

constexpr std::string_view kLacksSecondHalf =
    "games in which one resident meets others who are all alike and lives to the second half";

agon::PaperTable rounds(const agon::PlayedMatches& matches, const Layout& layout) {
  return table_of(
      matches, "survival_round", layout, "days",
      {"Mean of the day of death, or of the last day for those who live: the day of death counts, "
       "as in the published program. A column a player, a row four opponents of a kind; against "
       "its "
       "own kind every seat counts, in the paper Alex alone."});
}

agon::PaperTable survival_rounds(const agon::PlayedMatches& matches) {
  return rounds(matches, layout_of(published("k-level/table-2"), kLacks));
}

agon::PaperTable survival_rounds_by_depth(const agon::PlayedMatches& matches) {
  return rounds(matches, layout_of(published("k-level/table-8-survival"), kLacks));
}

agon::PaperTable survival_adaption(const agon::PlayedMatches& matches) {
  const std::vector<std::string>& methods = published("k-level/table-2").columns();
  return table_of(matches, "adaption_index",
                  {.players = methods, .opponents = methods, .lacks = kLacksSecondHalf},
                  "ratio of distances",
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
