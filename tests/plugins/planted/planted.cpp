#include "planted.hpp"

#include <agon/plugin.hpp>

AGON_PLUGIN(
    "planted", "1", +[](agon::Registry& registry) {
      planted::add_leak(registry);
      planted::add_leaking_view(registry);
      planted::add_favoured_seat(registry);
      planted::add_probe_with_effect(registry);
      planted::add_coerced_answer(registry);
      planted::add_wrong_bound(registry);
      planted::add_wrong_sum(registry);
      planted::add_luck_by_position(registry);
      planted::add_score_beyond_one(registry);
      planted::add_illegal_fallback(registry);
      planted::add_missing_stage(registry);
      planted::add_hidden_state(registry);
      planted::add_own_dice(registry);
      planted::add_broken_books(registry);
      planted::add_long_match(registry);
      planted::add_broken_telling(registry);
      planted::add_forgotten_view(registry);
      planted::add_borders(registry);
    })
