#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/plugin.hpp>
#include <string_view>

namespace shared::drought {

/// Adds the own tables of a game of a town without water, whose event `day` lists `residents` by
/// name with `hp` and `balance` in the evening, and whose settings have `days`: who is alive, and
/// how much money they have, day by day.
void add_day_tables(agon::Registry& registry, std::string_view game, std::string_view survival,
                    std::string_view balances);

}  // namespace shared::drought
