// Every type that a shipped game shows, asks for or tells can be made again at run time.

#include <agon/conversion.hpp>
#include <agon/form.hpp>

#include "catch.hpp"
#include "describe/description.hpp"
#include "describe/limits.hpp"
#include "describe/value.hpp"
#include "record/shape.hpp"
#include "support.hpp"

namespace run_time_types_test {

using namespace agon;

/// `drawn`: values can be drawn; lists of views have no length of their own.
void compare(const Type* type, bool drawn) {
  if (type == nullptr) return;
  const std::string written = write_description(*type);
  const OwnedType owned = read_description(written, "a game's");
  CHECK(write_description(owned.get()) == written);
  CHECK(record::shape_of(owned.get()) == record::shape_of(*type));
  CHECK(schema_json(owned.get()) == schema_json(*type));
  if (!drawn) return;
  CHECK(Form(owned.get()).outline() == Form(*type).outline());
  for (std::uint32_t n = 0; n < 20; ++n) {
    Value ours(owned.get()), theirs(*type);
    Dice one(7, n), other(7, n);
    draw_value(owned.get(), nullptr, ours.get(), 0, {}, one);
    draw_value(*type, nullptr, theirs.get(), 0, {}, other);
    CHECK(write_json(owned.get(), ours.get()) == write_json(*type, theirs.get()));
  }
}

TEST_CASE("all types of shipped games can be made at run time") {
  for (const Game* game : seam::catalogue().all<Game>()) {
    INFO(game->id);
    compare(game->settings, true);
    compare(game->card.seat_metrics, false);
    compare(game->card.match_metrics, false);
    for (const StageCard& stage : game->stages) {
      INFO(stage.name);
      compare(stage.answer, true);
      compare(stage.view, false);
    }
    for (const EventCard& event : game->events) {
      INFO(event.name);
      compare(event.type, false);
    }
  }
}

}  // namespace run_time_types_test
