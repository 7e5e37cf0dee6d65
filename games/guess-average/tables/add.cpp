#include "guess-average/tables/tables.hpp"
#include "shared/tables.hpp"

namespace guess_average {

void add_tables(agon::Registry& registry) {
  constexpr std::string_view game = "guess-average";
  registry.add(agon::TableCard{.id = "k-level/table-1",
                               .title = "win rates in guessing 0.8 of the average",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 1",
                               .scenario = "papers/k-level/table-1.json",
                               .game = game,
                               .make = &win_rates});
  registry.add(agon::TableCard{.id = "k-level/table-6",
                               .title = "strategic depth in the first round",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 6",
                               .scenario = "papers/k-level/table-1.json",
                               .game = game,
                               .make = &first_choices});
  registry.add(agon::TableCard{.id = "k-level/table-8-guess",
                               .title = "win rates of k-level reasoning with k = 2 and 3",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 8, left",
                               .scenario = "papers/k-level/table-8-guess.json",
                               .game = game,
                               .make = &win_rates_by_depth});
  registry.add(agon::TableCard{.id = "k-level/table-9",
                               .title = "win rates against programs",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 9",
                               .scenario = "papers/k-level/table-9.json",
                               .game = game,
                               .make = &win_rates_against_programs});
  registry.add(agon::TableCard{.id = "k-level/table-10",
                               .title = "win rates of other models against programs",
                               .source = "Zhang et al., K-Level Reasoning (2024), table 10",
                               .scenario = "papers/k-level/table-10.json",
                               .game = game,
                               .make = &win_rates_of_models});
  registry.add(agon::TableCard{
      .id = "k-level/adaption-index",
      .title = "adaption index in guessing 0.8 of the average",
      .source = "Zhang et al., K-Level Reasoning (2024), table 13 and published code",
      .scenario = "papers/k-level/table-1.json",
      .game = game,
      .make = &adaption});
  registry.add(shared::own_table("guess-average/choices", "numbers chosen, round by round",
                                 "guess-average", &choices_by_round));
}

}  // namespace guess_average
