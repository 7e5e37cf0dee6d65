// A move is said in a word. The bug: what is not "defect" counts as cooperation, whatever it is.
#include <agon/plugin.hpp>

#include "planted.hpp"

namespace planted {
namespace {

struct Move {
  std::string word;
};
AGON_DESCRIBE(Move, (word, "cooperate, or defect", agon::length(0, 20)))

struct Played {
  bool both = false;
};
AGON_DESCRIBE(Played, (both, "whether both cooperate"))

constexpr agon::Stage<"move", Move> kMove{"what you do"};
constexpr agon::Event<"played", Played> kPlayed{"both have moved"};
using Table = agon::Table<kMove, kPlayed>;

template <bool Bug>
agon::Outcome play(Table table, const Nothing&) {
  const auto ask = [](int) {
    const auto reason = [](const Move& move) {
      return Bug || move.word == "cooperate" || move.word == "defect"
                 ? std::string()
                 : std::string("say cooperate or defect");
    };
    return agon::asking<Move>(agon::check(reason), agon::fallback(Move{"cooperate"}));
  };
  const auto moves = table.ask_all(kBoth, kMove, ask);
  const bool one = moves[0].word == "defect", other = moves[1].word == "defect";
  table.announce(kPlayed, Played{!one && !other});
  const auto payoff = [](bool mine, bool theirs) { return (theirs ? 0 : 6) + (mine ? 2 : 0); };
  return {{.score = payoff(one, other), .disagreement = 2, .ideal = 8},
          {.score = payoff(other, one), .disagreement = 2, .ideal = 8}};
}

}  // namespace

void add_coerced_answer(agon::Registry& registry) {
  const agon::GameCard about = card("Both say cooperate or defect at once.");
  registry.add(agon::game<&play<true>>("coerced-answer", about));
  registry.add(agon::game<&play<false>>("coerced-answer-sound", about));
}

}  // namespace planted
