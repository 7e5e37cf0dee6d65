// agon::usual: where sensible answers lie. What stands in for a model answers within; it is no
// rule, and nobody else is told.
#include <agon/conversion.hpp>
#include <agon/detail/typed_answer.hpp>
#include <agon/limits.hpp>
#include <variant>

#include "catch.hpp"
#include "llm/answer/schema.hpp"
#include "model_table.hpp"

namespace llm_usual_test {
namespace {

using namespace agon;
using namespace agon::test;

struct Raise {
  int by = 0;
};
AGON_DESCRIBE(Raise, (by, "how much", agon::range(0, 1000)))
struct Pass {};
AGON_DESCRIBE(Pass)
struct Stop {};
AGON_DESCRIBE(Stop)
struct Turn {
  std::optional<int> bid;
  std::variant<Raise, Pass, Stop> move;
};
AGON_DESCRIBE(Turn, (bid, "a bid, or none", agon::range(0, 1000)), (move, "what is done"))

/// Draws of the mock under these limits.
template <class Look>
void each_answer(std::initializer_list<LimitData> limits, const Look& look) {
  const auto narrowed = llm::usual_limits(type_of<Turn>(), limits);
  REQUIRE_FALSE(narrowed.empty());
  ScriptedModel mock;
  ModelRequest request{.purpose = "answer", .messages = {{"user", "Your move."}}};
  request.schema = schema_json(type_of<Turn>(), limits);
  request.usual = schema_json(type_of<Turn>(), narrowed);
  for (std::uint32_t i = 0; i < 200; ++i) {
    Turn turn;
    const std::string said = mock.call(request, llm::Provider::Time::max(), Dice(5, i)).call.text;
    INFO(said);
    REQUIRE_FALSE(read_json(turn, said, Missing::is_wrong));
    look(turn);
  }
}

}  // namespace

TEST_CASE("the mock answers within usual ranges") {
  bool has_raised = false, has_stopped = false;
  each_answer({limit(&Turn::bid, 10, 900).data, usual(&Turn::bid, 20, 30).data,
               usual(&Turn::move, &Raise::by, 5, 6).data},
              [&](const Turn& turn) {
                REQUIRE(turn.bid);  // what is usual is given
                CHECK(*turn.bid >= 20);
                CHECK(*turn.bid <= 30);
                if (const auto* raise = std::get_if<Raise>(&turn.move)) {
                  has_raised = true;
                  CHECK(raise->by >= 5);
                  CHECK(raise->by <= 6);
                }
                has_stopped = has_stopped || std::holds_alternative<Stop>(turn.move);
              });
  CHECK(has_raised);
  CHECK(has_stopped);
}

TEST_CASE("where nothing is usual the optional is left out and the alternative not taken") {
  bool has_passed = false;
  each_answer({usual(&Turn::bid, 1, 0).data, usual(&Turn::move, &Raise::by, 1, 0).data,
               usual(&Turn::move, 0, 1).data},
              [&](const Turn& turn) {
                CHECK_FALSE(turn.bid);
                CHECK(std::holds_alternative<Pass>(turn.move));
                has_passed = true;
              });
  CHECK(has_passed);
}

TEST_CASE("a usual range is no rule and stands in no schema") {
  const LimitData rule = limit(&Turn::bid, 10, 900).data;
  const LimitData with[] = {rule, usual(&Turn::bid, 20, 30).data,
                            usual(&Turn::move, &Raise::by, 5, 6).data};
  const std::span<const LimitData> without(with, 1);
  CHECK(schema_json(type_of<Turn>(), with) == schema_json(type_of<Turn>(), without));
  CHECK(llm::usual_limits(type_of<Turn>(), without).empty());
  Turn turn{.bid = 500, .move = Raise{7}};
  CHECK_FALSE(find_problem(type_of<Turn>(), &turn, with));
  turn.bid = 5;
  CHECK(find_problem(type_of<Turn>(), &turn, with));
  // Random draws do not heed it.
  bool is_outside = false;
  for (std::uint32_t i = 0; i < 100; ++i) {
    Dice one(3, i), two(3, i);
    Turn a, b;
    detail::draw_value(type_of<Turn>(), nullptr, &a, 0, with, one);
    detail::draw_value(type_of<Turn>(), nullptr, &b, 0, without, two);
    CHECK(write_json(a) == write_json(b));
    is_outside = is_outside || (a.bid && *a.bid > 30);
  }
  CHECK(is_outside);
}

TEST_CASE("what the mock takes for sensible is legal in every game and preset") {
  for (const std::string_view game : game_ids())
    for (const Preset& preset : catalogue().game(game).card.presets)
      for (const std::string_view parts : {"", "reasoning=free-text", "form=tags"}) {
        INFO(game << " " << preset.name << " " << parts);
        const auto model = std::make_shared<ScriptedModel>();
        const MatchResult result =
            ModelTable(game, R"({"preset": ")" + std::string(preset.name) + R"("})")
                .everybody(std::string(parts), model)
                .play_to_end();
        // Deals without an offer are what a check of the game refuses, and no limit.
        if (game == "deal-or-no-deal" || game == "classic") continue;
        for (const auto& faults : result.faults)
          CHECK(faults[static_cast<std::size_t>(Fault::illegal)] == 0);
      }
}

}  // namespace llm_usual_test
