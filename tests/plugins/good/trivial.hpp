#pragma once

#include <agon/agent.hpp>
#include <agon/game.hpp>

/// A game with one question: seat 0 names a number.
namespace trivial {

struct Settings {
  int number = 3;
};
AGON_DESCRIBE(Settings, (number, "the highest number", agon::at_least(1)))

struct Pick {
  int number = 0;
};
AGON_DESCRIBE(Pick, (number, "any number up to the highest"))

inline constexpr agon::Stage<"pick", Pick> kPick{"name a number"};
using Table = agon::Table<kPick>;

inline agon::Outcome play(Table table, const Settings& s) {
  const auto pick = table.ask(0, kPick, agon::limit(&Pick::number, 0, s.number));
  return {{.score = pick.number}};
}

inline agon::Game game(std::string_view id) {
  return agon::game<&play>(id, {.seats = {1, 1}, .rules = "Name a number from 0 to {{number}}."});
}

struct AlwaysParams {
  int number = 0;
};
AGON_DESCRIBE(AlwaysParams, (number, "what it names"))

/// Names the same number every time.
class Always final : public agon::Agent {
 public:
  using Params = AlwaysParams;
  explicit Always(const Params& params) : params_(params) {}
  void answer(agon::Question& question) const override {
    if (Pick* pick = question.answer<Pick>()) pick->number = params_.number;
  }

 private:
  Params params_;
};

}  // namespace trivial
