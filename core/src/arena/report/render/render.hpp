#pragma once

#include <agon/export.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "report/document.hpp"

namespace agon {
class Catalogue;
namespace archive {
class Archive;
}
}  // namespace agon

namespace agon::report {

/// Keeps the sections of these ids only, and shows them to everybody. Throws Error (not_found) if
/// none is left.
AGON_API void choose(Document& document, const std::vector<std::string>& sections);

/// Keeps those columns of tables for people: by their head, metric, game or agent, and by
/// `interval`, `p`, `n` and `published` these parts of the figures in them; names of rows stay.
/// Leaves out tables without any. Throws Error (not_found) for a name that no table has.
AGON_API void choose_columns(Document& document, std::vector<std::string> names);

/// As aligned tables of about 100 columns; headings are bold with `colour`.
[[nodiscard]] AGON_API std::string render_text(const Document& document, bool colour);

/// A remark with its list, as one sentence.
[[nodiscard]] std::string in_a_line(const ListedRemark& point);

/// A table as words, for people: what all their renderers share.
struct Grid {
  struct Cell {
    std::string words;
    bool figure = false;  ///< numbers, intervals and notes; else a name or other words
  };
  struct Row {
    std::vector<Cell> cells;
    const ReportRow* from = nullptr;  ///< the table's, as long as it lives
    bool heading = false;
    bool below = false;  ///< belongs to the row above, and says more of its figures
  };
  std::vector<text::Column> columns;
  std::vector<const ReportColumn*> from;  ///< the table's, for each, as long as it lives
  std::size_t fixed = 0;  ///< columns repeated where the others do not fit on a page; 0: no breaks
  std::vector<Row> rows;
};

[[nodiscard]] Grid grid_of(const ReportTable& table);

/// One table, without indent.
[[nodiscard]] AGON_API std::string render_table(const ReportTable& table);

/// Everything that it has, in the form "agon.report" that Document describes, without a line break
/// at the end. Numbers are in full.
[[nodiscard]] AGON_API std::string render_json(const Document& document);

/// The JSON Schema of that form.
[[nodiscard]] AGON_API std::string report_schema();

/// One line for each figure, with a header (RFC 4180): the cells of the JSON that are no labels,
/// under the names of their members. What is missing is empty.
[[nodiscard]] AGON_API std::string render_csv(const Document& document);

/// A `table` environment for each table, with booktabs' rules, its caption and a note.
[[nodiscard]] AGON_API std::string render_latex(const Document& document);

/// The matches that a page takes along.
struct MatchesInPage {
  std::string json;   ///< {"matches": of replay/told_match.hpp, each with its luck, "texts": [...]}
  std::string words;  ///< which they are
  /// What figures can be narrowed to.
  std::set<std::string> agents{}, games{}, treatments{};
};
/// How many matches a page takes along.
struct PageBudget {
  std::size_t bytes = 3'000'000;          ///< of their JSON, where `matches` says nothing
  std::optional<std::int64_t> matches{};  ///< so many, whatever they weigh
  std::vector<std::string> without{};     ///< games that the page is not of
};
/// The matches of an archive that a page takes along: of every scenario and line-up the first
/// blocks, so that what was dealt alike stands beside each other. Agents are called as in a report
/// with these ends of names.
[[nodiscard]] AGON_API MatchesInPage matches_in_page(const archive::Archive& archive,
                                                     const Catalogue& catalogue,
                                                     const PageBudget& budget,
                                                     const AgentsApart& apart = {});

/// A page by itself: one file, which needs no other. Figures lead to the `matches` behind them;
/// null: there are none.
[[nodiscard]] AGON_API std::string render_html(const Document& document,
                                               const MatchesInPage* matches = nullptr);

/// Addresses of a server that shows matches beside a report.
struct BesideReport {
  std::string style;    ///< of report_style()
  std::string script;   ///< of report_script()
  std::string matches;  ///< the page whose part after # is read as that of a page by itself
};
/// The same as a page of a server, without style, script and matches in it.
[[nodiscard]] AGON_API std::string render_html(const Document& document,
                                               const BesideReport& beside);
/// How a page looks, plots included.
[[nodiscard]] AGON_API std::string report_style();

/// What a page takes along: page.css, report.js, conversation.js and matches.js, made part of the
/// library when it is built. Servers send report.js and conversation.js too.
[[nodiscard]] std::string_view page_style();
[[nodiscard]] AGON_API std::string_view report_script();
[[nodiscard]] std::string_view conversation_script();
[[nodiscard]] std::string_view matches_script();

/// A plot as SVG: an element of a page, or one a panel; or with `stands_alone` a file for a paper,
/// with its title. Empty where there is no figure to show. The first words of warnings stand below
/// it, and all of them in its description.
[[nodiscard]] AGON_API std::string render_svg(const ReportSection& section, const Plot& plot,
                                              bool stands_alone,
                                              const std::vector<ReportAlert>& alerts = {});

/// Tables as GitHub reads them.
[[nodiscard]] AGON_API std::string render_markdown(const Document& document);

/// Words in which nothing is read as HTML or SVG, in an attribute neither.
[[nodiscard]] AGON_API std::string markup(std::string_view words);

}  // namespace agon::report
