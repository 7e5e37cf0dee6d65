#pragma once

#include <agon/plugin.hpp>

namespace sealed_bid {

/// Add the tables of arXiv:2507.09083 about sealed bids: by payment and other variants; the
/// interventions; common values; revenue and efficiency of clocks and sealed bids.
void add_format_tables(agon::Registry& registry);
void add_intervention_table(agon::Registry& registry);
void add_common_value_table(agon::Registry& registry);
void add_revenue_table(agon::Registry& registry);

}  // namespace sealed_bid
