#pragma once

#include <agon/analysis/paper_table.hpp>
#include <string>

namespace auction_values {

/// The one agent that played all seats of a match, by the name of its entry in the suite: its
/// factors, such as how it reasons, do not count. With several, all their names.
[[nodiscard]] std::string bidders_of(const agon::PlayedMatch& match);

/// What matches share their luck by.
[[nodiscard]] std::string block_of(const agon::PlayedMatch& match);

}  // namespace auction_values
