#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "deal-or-no-deal/import.hpp"
#include "deal-or-no-deal/settings.hpp"

namespace deal_or_no_deal {

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
