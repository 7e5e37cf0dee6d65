#pragma once

#include <agon/export.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "report/render/render.hpp"
#include "results/participant.hpp"
#include "results/scope.hpp"

namespace agon {

class Catalogue;

/// How many matches a page takes along.
struct PageBudget {
  std::size_t bytes = 3'000'000;          ///< of their JSON, where `matches` says nothing
  std::optional<std::int64_t> matches{};  ///< so many, whatever they weigh
  std::vector<std::string> without{};     ///< games that the page is not of
};

/// The matches of an archive that a page takes along: of every scenario and line-up the first
/// blocks, so that what was dealt alike stands beside each other. Agents are called as in a report
/// with these ends of names.
[[nodiscard]] AGON_API report::MatchesInPage matches_in_page(const archive::Archive& archive,
                                                             const Catalogue& catalogue,
                                                             const PageBudget& budget,
                                                             const report::AgentsApart& apart = {});

}  // namespace agon
