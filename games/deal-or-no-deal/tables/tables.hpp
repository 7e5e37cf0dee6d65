#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/points.hpp"
#include "deal-or-no-deal/settings.hpp"
#include "shared/published.hpp"

namespace deal_or_no_deal {

/// A table of published.json: what Hua et al. (2024), "Game-theoretic LLM", print.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// How people fared, by how hard the instance is.
[[nodiscard]] agon::PaperTable table_9(const agon::PlayedMatches& matches);

/// What both sides got, beside the frontier, in any match.
[[nodiscard]] agon::PaperTable splits_and_frontier(const agon::PlayedMatches& matches);

/// Adds tables 10 to 13, 17 and 18: how negotiations went.
void add_score_tables(agon::Registry& registry);
/// Adds all tables.
void add_tables(agon::Registry& registry);

/// Mean scores of Alice and Bob in the four cases: both use the workflow, Alice alone, Bob alone,
/// neither.
using MetaScores = std::array<std::array<double, 2>, 4>;
/// What table 19 prints of a model, or what should stand there.
[[nodiscard]] MetaScores printed_scores(const shared::PublishedTable& table,
                                        std::string_view model);
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
                                                const std::vector<std::string>& published);

}  // namespace deal_or_no_deal
