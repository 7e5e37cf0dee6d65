#pragma once

#include <agon/agent.hpp>
#include <agon/analysis/game_theory.hpp>
#include <agon/plugin.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "classic/messages.hpp"
#include "classic/prepared.hpp"
#include "shared/strategy.hpp"

namespace classic {

/// What a strategy does in a negotiation: words change nothing for it.
enum class Talk : std::uint8_t { halt, silent, announce };
AGON_DESCRIBE_ENUM(Talk, (halt, "halts it at once"), (silent, "sends empty messages"),
                   (announce, "says what it will choose, where it knows"))

/// Answers a question for a message; `action` is what the player means to choose, empty if it does
/// not know or will draw it.
void say(agon::Question& question, Talk talk, std::string_view action);

/// Says that action in a negotiation, and else takes it.
void say_or_take(agon::Question& question, Talk talk, std::string_view action);

/// What cooperation is by the view; none: it is not said.
[[nodiscard]] std::optional<Cooperation> cooperation_in(const View& view,
                                                        const agon::theory::MatrixGame& game);

/// The action of each player in a period of a game with a payoff table, by its place from 0.
[[nodiscard]] std::vector<std::size_t> actions_in(const View& view, const PeriodPlayed& played);

/// What each action of `player` would have brought in the periods `seen`.
[[nodiscard]] std::vector<double> sums_over_seen(const View& view,
                                                 const agon::theory::MatrixGame& game,
                                                 std::size_t player,
                                                 std::span<const PeriodPlayed> seen);

/// What each action of `player` brings against all that the others can do, each once.
[[nodiscard]] std::vector<double> sums_over_all(const agon::theory::MatrixGame& game,
                                                std::size_t player);

/// Parameters of `nash` and `backward-induction`.
struct NashParams {
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(NashParams, (talk, "what it does in a negotiation"))

/// Plays its part of an equilibrium. Payoff table: of the pure equilibria the Pareto-best ones go
/// first, then the lowest cell; where there is none, of two players, the mixed equilibrium that
/// uses fewest actions; else its safest action. Tree: backward induction, ties to the lowest move.
void answer_nash(const NashParams& params, agon::Question& question);
using Nash = shared::Strategy<&answer_nash>;

/// What somebody does who thinks of nobody.
enum class LevelZero : std::uint8_t { uniform, first };
AGON_DESCRIBE_ENUM(LevelZero, (uniform, "any action, all alike"), (first, "the first action"))

/// Parameters of `k-level`.
struct LevelKParams {
  int k = 2;
  LevelZero level_0 = LevelZero::uniform;
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(LevelKParams,
              (k, "its level: it replies best to others of the level below", agon::range(0, 64),
               agon::unit("levels")),
              (level_0, "what a player of level 0 does"), (talk, "what it does in a negotiation"))

/// Replies best to others of level k - 1, who reply best to others of level k - 2, and so on. Ties
/// go to the first action. In a tree it counts on its own later moves to be of its own level.
void answer_level_k(const LevelKParams& params, agon::Question& question);
using LevelK = shared::Strategy<&answer_level_k>;

/// Parameters of `fictitious-play`.
struct FictitiousPlayParams {
  int memory = 0;
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(FictitiousPlayParams,
              (memory,
               "how many of the last periods it looks at; 0: all; 1: the best reply to what the "
               "others did last",
               agon::range(0, 1000), agon::unit("periods")),
              (talk, "what it does in a negotiation"))

/// Replies best to what the others did together, as often as they did it. Before it has seen
/// anything, and on ties, as a player who thinks that the others take each action equally often.
void answer_fictitious(const FictitiousPlayParams& params, agon::Question& question);
using FictitiousPlay = shared::Strategy<&answer_fictitious>;

/// Whom `foresight` takes the other to be.
enum class Rival : std::uint8_t { seen, grim, tit_for_tat, win_stay_lose_shift };
AGON_DESCRIBE_ENUM(Rival, (seen, "rational, until what was seen says something else"),
                   (grim, "one who plays grim, until it is seen not to"),
                   (tit_for_tat, "one who plays tit-for-tat, until it is seen not to"),
                   (win_stay_lose_shift,
                    "one who plays win-stay-lose-shift, until it is seen not to"))

/// Parameters of `foresight`.
struct ForesightParams {
  Rival expects = Rival::seen;
  int look_ahead = 12;
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(ForesightParams,
              (expects, "whom it takes the other to be; seen where cooperation is not defined"),
              (look_ahead,
               "most periods that it plans over, this one included; all of them where it is not "
               "told how many are left",
               agon::range(1, 60), agon::unit("periods")),
              (talk, "what it does in a negotiation"))

/// Repeated play of two with a payoff table, by dynamic programming over the periods that are left.
/// As long as the other plays its part of the equilibrium, so does it: with the same equilibrium in
/// every period nobody gains by anything else, by backward induction. Else it takes the strategies
/// that would have done all that was seen (grim, tit-for-tat, win-stay-lose-shift, and each action
/// for ever) as equally likely and plays the best plan against them, in which it also counts on
/// what it will learn. If none would have, it replies best to how often the other took each action.
void answer_foresight(const ForesightParams& params, agon::Question& question);
using Foresight = shared::Strategy<&answer_foresight>;
[[nodiscard]] agon::AgentCard foresight_card();

/// How what was played before is answered.
enum class Reciprocity : std::uint8_t { grim, tit_for_tat, win_stay_lose_shift };

/// All that a player's next action may depend on.
struct Situation {
  std::optional<std::size_t> last;  ///< cell of the last period; none: there was none
  bool provoked = false;            ///< somebody else has not cooperated at least once
};

/// The same for `player` after another period.
[[nodiscard]] Situation situation_after(const Situation& before, std::size_t cell,
                                        const agon::theory::MatrixGame& game,
                                        const Cooperation& cooperation, std::size_t player);

/// What `player` does next by the rule.
[[nodiscard]] std::size_t reciprocal_action(Reciprocity rule, const Situation& now,
                                            const agon::theory::MatrixGame& game,
                                            const Cooperation& cooperation, std::size_t player);

/// Parameters of `grim`, `tit-for-tat` and `win-stay-lose-shift`.
struct ReciprocityParams {
  Talk talk = Talk::halt;
};
AGON_DESCRIBE(ReciprocityParams, (talk, "what it does in a negotiation"))

/// Strategies of repeated games with a payoff table. All cooperate first; what cooperation and
/// punishment are follows from the payoffs, or from the action that the game's data names
/// (classic/prepared.hpp).
void answer_reciprocal(Reciprocity rule, const ReciprocityParams& params, agon::Question& question);
template <Reciprocity rule>
void reciprocate(const ReciprocityParams& params, agon::Question& question) {
  answer_reciprocal(rule, params, question);
}
template <Reciprocity rule>
using Reciprocal = shared::Strategy<&reciprocate<rule>>;

/// Adds them all.
void add_strategies(agon::Registry& registry);

}  // namespace classic
