#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "report/participant.hpp"
#include "report/scope.hpp"
#include "report/tables.hpp"

namespace agon::report {

/// A table of a paper, with what a reader must know beside it.
struct MadeTable {
  std::string id, title, source, game;
  double level = 0.95;       ///< of intervals
  std::int64_t matches = 0;  ///< finished ones of the game in the archive
  PaperTable table;
  std::vector<Participant> agents;  ///< by name
};

/// Makes the table from the archive at `path`. `scenario_folder`: where the shipped scenarios lie,
/// for the command that makes what is missing. `scope`: which matches it is of. Throws Error
/// (failure) with that command if the archive has nothing fitting.
[[nodiscard]] AGON_API MadeTable make_table(const TableCard& card, const std::string& path,
                                            const std::string& scenario_folder,
                                            const ScopeChoice& scope = {});

/// Spaces before a row's label: it stands under the last row above with fewer.
[[nodiscard]] std::size_t label_indent(const std::string& label);

/// The table for people: under each value its interval, what it is out of, and what the paper has.
/// `colour`: with bold headings.
[[nodiscard]] AGON_API std::string text(const MadeTable& made, bool colour);
/// The same as data, for LaTeX and Markdown.
[[nodiscard]] AGON_API Document document(const MadeTable& made);
/// A line for each cell, with a header (RFC 4180): row, column, text, value, low, high, n,
/// published.
[[nodiscard]] AGON_API std::string csv(const MadeTable& made);
/// Format "agon.table", version 1, without a line break at the end.
[[nodiscard]] AGON_API std::string json(const MadeTable& made);

}  // namespace agon::report
