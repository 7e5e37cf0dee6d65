#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

/// Table 9: how people fared, by how hard the instance is.
[[nodiscard]] agon::TableCard people_card();
/// Tables 10 to 13, 17 and 18: how negotiations went.
[[nodiscard]] std::vector<agon::TableCard> score_cards();
/// Tables 14 to 16: how well the other side's values were guessed.
[[nodiscard]] std::vector<agon::TableCard> estimate_cards();
/// Table 19: the game of whether to use the workflow.
[[nodiscard]] agon::TableCard meta_card();
/// What sides state of their values, and what comes of it.
[[nodiscard]] agon::TableCard deception_card();

/// What both sides got, beside the frontier, in any match.
[[nodiscard]] agon::PaperTable splits_and_frontier(const agon::PlayedMatches& matches);

/// Registers them all.
void add_tables(agon::Registry& registry);

/// Mean scores of Alice and Bob in the four cases: both use the workflow, Alice alone, Bob alone,
/// neither.
using MetaScores = std::array<std::array<double, 2>, 4>;
/// The pure equilibria of the game in which each side decides whether to use the workflow, as
/// positions in MetaScores, ascending. All scores are finite.
[[nodiscard]] std::vector<std::size_t> meta_equilibria(const MetaScores& scores);

/// A played negotiation between two agents of one model, over an instance that has an envy-free
/// split.
struct Negotiation {
  const agon::PlayedMatch& match;
  std::string model;             ///< what both seats' agents are called, without " workflow"
  std::array<bool, 2> workflow;  ///< who uses the workflow: Alice, Bob
  std::string point;             ///< what matches over the same instance share
};

/// Calls `each` with all of them, in order. An agent uses the workflow if its label `workflow` says
/// "use"; without that label, if its factor `reasoning` or its name names a workflow or the
/// strategy envy-free-bayes.
void each_negotiation(const agon::PlayedMatches& matches,
                      const std::function<void(const Negotiation&)>& each);

/// An instance as settings list it, with what people made of it.
[[nodiscard]] Row row_of(const ListedInstance& listed);

/// The instances of a match's settings, with what people made of them. Those of a file that keeps
/// no lines count as lines of their own.
[[nodiscard]] std::vector<Row> listed_rows(const agon::PlayedMatch& match);

/// `names` in the order of the paper, `published` first, then the others by name.
[[nodiscard]] std::vector<std::string> in_order(std::vector<std::string> names,
                                                const std::vector<std::string_view>& published);

/// A number that comes with its interval or, where `printed` is one, beside what the paper prints.
[[nodiscard]] agon::TableCell cell(const agon::Figure& ours, double printed, int decimals);

}  // namespace deal_or_no_deal

/// What Hua et al. (2024), "Game-theoretic LLM", print in their tables on Deal or No Deal.
namespace deal_or_no_deal::published {

/// A row of tables 10 to 13, 17 and 18; NaN where nothing is printed.
struct ScoreRow {
  std::string_view row;
  double rounds, agreement, alice, bob, pareto_optimal, envy_free, total;
};

inline constexpr double none = agon::kNothing;

inline constexpr std::array<ScoreRow, 6> kTable10{{
    {"best", none, 1, 5.82, 6.66, 1, 1, 12.48},
    {"human", 2.86, .6817, 3.32, 3.39, .4317, .4545, 6.64},
    {"claude-3.5-sonnet", 7.07, .9545, 5.55, 5.57, .7045, .7045, 11.11},
    {"o1", 3.86, .7500, 4.39, 4.43, .4545, .4772, 8.82},
    {"gpt-4o", 18.45, .6363, 2.80, 4.38, .4091, .3864, 7.14},
    {"claude-3-opus", 4.37, .4772, 2.68, 3.02, .3636, .2727, 5.70},
}};
inline constexpr std::array<ScoreRow, 2> kTable11{{
    {"gpt-4o, temperature 0", 19.36, .5681, 2.98, 3.47, .4091, .3260, 6.44},
    {"gpt-4o", 18.45, .6363, 2.80, 4.38, .4091, .3864, 7.14},
}};
inline constexpr std::array<ScoreRow, 3> kTable12{{
    {"claude-3-opus", 4.05, 1, 5.82, 6.50, .9091, .9318, 12.31},
    {"gpt-4o", 4.91, 1, 5.93, 6.25, .8636, 1, 12.18},
    {"claude-3.5-sonnet", 4.45, 1, 5.93, 6.16, .7953, .9772, 12.11},
}};
inline constexpr std::array<ScoreRow, 2> kTable13{{
    {"gpt-4o, temperature 0", 4.80, 1, 5.53, 6.67, .8695, 1, 12.20},
    {"gpt-4o", 4.91, 1, 5.93, 6.16, .8636, 1, 12.18},
}};
inline constexpr std::array<ScoreRow, 3> kTable17{{
    {"claude-3.5-sonnet", 6.91, .9773, 4.88, 6.57, .6136, .5909, 11.45},
    {"gpt-4o", 11.84, .8182, 3.66, 6.18, .5909, .3636, 9.84},
    {"claude-3-opus", 3.86, .9091, 5.09, 5.53, .6136, .5909, 10.52},
}};
inline constexpr std::array<ScoreRow, 3> kTable18{{
    {"claude-3.5-sonnet", 6.45, 1, 6.39, 5.70, .7727, .5909, 12.09},
    {"gpt-4o", 11.36, .8181, 5.75, 4.14, .6136, .5227, 9.89},
    {"claude-3-opus", 3.89, .7955, 4.86, 4.57, .4318, .5455, 9.43},
}};

/// A row of tables 14 and 16.
struct Estimate {
  std::string_view row;
  double precision, recall, reduction;
};
inline constexpr std::array<Estimate, 3> kTable14{{
    {"claude-3.5-sonnet", .9545, .3766, .7033},
    {"gpt-4o", .9545, .3515, .6980},
    {"claude-3-opus", .7954, .2737, .6947},
}};
inline constexpr std::array<Estimate, 3> kTable16{{
    {"claude-3.5-sonnet", 1, .6022, none},
    {"gpt-4o", 1, .5633, none},
    {"claude-3-opus", 1, .5399, none},
}};

/// Table 15: after each of this many rounds, for one model.
inline constexpr int kTable15Rounds = 7;
inline constexpr std::string_view kTable15Model = "claude-3.5-sonnet";
inline constexpr std::array<std::array<double, kTable15Rounds>, 3> kTable15{{
    {.9545, .9318, .7500, .8636, .9318, .9432, .9545},
    {.2381, .3099, .2958, .3079, .3655, .3652, .3766},
    {.5997, .6825, .7397, .7011, .7025, .7033, .7033},
}};

/// A matrix of table 19: Alice's and Bob's mean scores by who uses the workflow.
struct Meta {
  std::string_view model;
  std::array<double, 2> both, alice_only, bob_only, neither;
};
/// As printed.
inline constexpr std::array<Meta, 3> kTable19{{
    {"claude-3.5-sonnet", {5.82, 6.16}, {4.88, 6.57}, {6.39, 5.07}, {5.55, 5.57}},
    {"gpt-4o", {5.93, 6.25}, {3.66, 6.18}, {5.75, 4.14}, {2.80, 4.38}},
    {"claude-3-opus", {5.82, 6.50}, {5.09, 5.53}, {4.86, 4.57}, {2.80, 4.38}},
}};
/// As the tables say from which it was put together: 12, 17, 18 and 10.
inline constexpr std::array<Meta, 3> kTable19Corrected{{
    {"claude-3.5-sonnet", {5.93, 6.16}, {4.88, 6.57}, {6.39, 5.70}, {5.55, 5.57}},
    {"gpt-4o", {5.93, 6.25}, {3.66, 6.18}, {5.75, 4.14}, {2.80, 4.38}},
    {"claude-3-opus", {5.82, 6.50}, {5.09, 5.53}, {4.86, 4.57}, {2.68, 3.02}},
}};

/// Table 9: shares by the largest distance of the sides' values, 2 to 11.
inline constexpr int kTable9First = 2;
inline constexpr std::array<double, 10> kTable9Points{13, 27, 57, 85, 108, 133, 177, 189, 210, 217};
inline constexpr std::array<double, 10> kTable9Agreed{.5385, .5556, .5614, .6235, .6574,
                                                      .6917, .7119, .7249, .7381, .7373};
inline constexpr std::array<double, 10> kTable9EnvyFree{.3077, .4074, .4035, .4824, .5463,
                                                        .6015, .6441, .6614, .6810, .6820};
inline constexpr std::array<double, 10> kTable9Pareto{.5384, .4444, .4385, .4823, .5277,
                                                      .5413, .5310, .5396, .5523, .5529};
inline constexpr std::array<double, 10> kTable9Fair{.3077, .3333, .3333, .3882, .4537,
                                                    .4812, .4858, .4973, .5142, .5161};

}  // namespace deal_or_no_deal::published
