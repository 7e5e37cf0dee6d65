#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/export.hpp>
#include <string>
#include <utility>
#include <vector>

#include "branch/controls.hpp"
#include "report/document.hpp"
#include "report/report.hpp"

namespace agon::report {

/// The widest name of an agent in a table; longer ones are cut in the text where they stay apart.
inline constexpr std::size_t kAgentWidth = 44;

/// An agent's name in tables for people: AgentFacts::shown.
[[nodiscard]] std::string shown_agent(const ReportEstimates& report, const std::string& agent);

/// The same as sentences have it: names are often ordinary words.
[[nodiscard]] std::string quoted(const ReportEstimates& report, const std::string& agent);

/// The column that names the agent of a row.
[[nodiscard]] ReportColumn agent_column(const std::string& header = "agent");

/// A column of numbers.
[[nodiscard]] AGON_API ReportColumn number_column(const std::string& header,
                                                  const std::string& metric);

/// The column that says to people how many units are behind a row.
[[nodiscard]] ReportColumn units_column();

/// A column for programs.
[[nodiscard]] AGON_API ReportColumn data_column(const std::string& metric);

/// Cells.
[[nodiscard]] AGON_API ReportCell figure(const stats::Estimate& estimate, int decimals = 3,
                                         bool sign = false);
[[nodiscard]] AGON_API ReportCell number(const std::optional<double>& value, int decimals,
                                         bool sign = false);
[[nodiscard]] AGON_API ReportCell whole(const std::optional<std::size_t>& value);

/// The columns that give `metric` and people see, for plots; empty `metric`: all that do not name
/// their row.
[[nodiscard]] std::vector<std::size_t> plotted_columns(const ReportTable& table,
                                                       const std::string& metric = "");

/// Facts by name, a row each, for programs: people read them in sentences.
[[nodiscard]] AGON_API ReportTable
facts(const std::string& title, Subject about,
      const std::vector<std::pair<std::string, ReportCell>>& list);

/// That so many intervals and p-values hold one by one, and what that means for all of them; for
/// figures that are no differences, from which 0 says nothing, without a number of `statements`.
[[nodiscard]] AGON_API std::string each_by_itself(std::size_t statements = 0, double level = 0);

/// Which games decide how wide intervals over all games are, and what can be done; nothing where
/// none does. `rows`: names of agents or effects.
[[nodiscard]] std::vector<std::string> widest_words(
    const ReportEstimates& report, const std::vector<std::string>& games,
    const std::vector<std::pair<std::string, std::optional<stats::WidestGame>>>& rows);

/// For programs, the game that makes most of a row's variance, and its share: columns and cells.
void add_widest_columns(ReportTable& table);
void add_widest_cells(ReportRow& row, const std::vector<std::string>& games,
                      const std::optional<stats::WidestGame>& widest);

/// The table of a paper from the archive at `path`, and who played for it; `catalogue` knows them.
/// `scope`: which matches it is of. Throws Error (failure) with that command if the archive has
/// nothing fitting.
[[nodiscard]] AGON_API Document table_document(const TableCard& card, const std::string& path,
                                               const Catalogue& catalogue,
                                               const ScopeChoice& scope = {});

/// Adds the table of every paper that the archive at `path` has the matches for, and who played.
/// Throws Error (not_found) if there is none.
AGON_API void add_papers(Document& document, const std::string& path, const Catalogue& catalogue,
                         const ScopeChoice& scope = {});

/// What a maker gave as a section for any renderer. `introduction`: where it is from.
[[nodiscard]] AGON_API ReportSection paper_section(const TableCard& card, const PaperTable& table,
                                                   const std::string& introduction, double level);

/// Draws the section's table as the maker says: adds its series and plots.
void add_paper_plots(ReportSection& section, const PaperTable& table);

/// So many matches of a game are about the most that is read for a table of its own: records are.
inline constexpr std::int64_t kMostRead = 500;

/// How games were played: a section for each of the cards that finds something in the archive.
/// Where a game has more than kMostRead matches, it is made from every n-th block of each of
/// its scenarios, and says so. Matches that were played without a record are passed over. On so
/// many threads, which changes no figure.
[[nodiscard]] std::vector<ReportSection> play_sections(const archive::Archive& archive,
                                                       const Results& results,
                                                       const std::vector<const TableCard*>& cards,
                                                       double level, std::size_t threads);

/// What branches, values of decisions and control agents tell, as far as the archive has them.
[[nodiscard]] std::vector<ReportSection> branch_sections(
    const archive::Archive& archive, const std::vector<branch::ControlledScore>& controls,
    const stats::IntervalOptions& options);
/// Answers to probes of suites, a section a scenario that has some; none without.
[[nodiscard]] std::vector<ReportSection> probe_sections(const archive::Archive& archive,
                                                        const Results& results,
                                                        const stats::IntervalOptions& options);
/// What agents said, against what the record knows: a section for each of these games in which
/// somebody talked, from as many matches as play_sections() reads.
[[nodiscard]] std::vector<ReportSection> talk_sections(const archive::Archive& archive,
                                                       const Results& results,
                                                       const std::vector<const Game*>& games,
                                                       double level);

// What makes sections of a report. Those that estimate (SectionMaker::estimates) read its options
// and its results alone; the others what is in it besides.

/// What the report found, in sentences made from its intervals, and what limits it; none where
/// nobody was scored, or where more than one look is taken: its intervals hold for one.
[[nodiscard]] std::vector<ReportSection> summary_sections(const ReportEstimates& report);

/// What is said of those on each side in one sentence: "'a' is better than 'b'; 'c' is worse".
struct SideWords {
  std::string above, below, open;
  std::string than{};  ///< behind `above` or `below`, where the sentence begins with one of them
  std::string from{};  ///< likewise behind `open`
  std::string many = "agents";
};
/// Names by the side of 0 on which their intervals are.
struct AGON_API Sides {
  std::vector<std::string> above{}, below{}, open{}, unknown{};

  void add(std::string name, const std::optional<stats::Interval>& interval);
  /// A title, with the number where there are many names; empty where no interval is known.
  [[nodiscard]] std::string words(const SideWords& words) const;
};
/// How titles compare agents with the reference.
[[nodiscard]] SideWords versus_reference(const ReportEstimates& report);
/// Agents by how they compare with it, as the summary says it.
[[nodiscard]] Sides compared(const ReportEstimates& report);
/// The same, game by game, as a title.
[[nodiscard]] std::string compared_by_game(const ReportEstimates& report);
/// The order that all pairwise differences at once leave: agents whose ranks overlap stand
/// together. Empty where there is none to tell.
[[nodiscard]] std::string order_words(const ReportEstimates& report);
/// What 0 and 1 are of scores over games, and 0 of differences from the reference: the summary and
/// the leaderboard say it in the same words.
[[nodiscard]] AGON_API std::string score_words(stats::Aggregate aggregate);
[[nodiscard]] std::string difference_words(const ReportEstimates& report);
/// How answers that were not legal count, in a sentence.
[[nodiscard]] AGON_API std::string fault_words(FaultPolicy policy);
/// What the number behind a figure counts.
inline constexpr std::string_view kCountsBlocks = "n: blocks (matches on the same random numbers)";
/// Titles a plot with what was found, where something was; what it shows stands below then.
/// document() takes that back where more than one look is taken: intervals hold for one.
void say_found(Plot& plot, std::string found);

/// Says of what a page is: its title, and by what, when and how the matches came about.
void add_source(Document& document, const ReportEstimates& report);

/// What the last run's stop rule came to; none without a rule.
[[nodiscard]] std::vector<ReportSection> stop_sections(const ReportEstimates& report);

/// Estimates every agent's difference to the reference, with an interval of a confidence sequence:
/// it holds however often, and whenever, one looks. In alphabetical order; none without a scored
/// reference.
[[nodiscard]] std::vector<ReportSection> anytime_sections(const ReportEstimates& report);

/// Leaderboard, scores and differences by game.
[[nodiscard]] std::vector<ReportSection> leaderboard_sections(const ReportEstimates& report);

/// Scores by scenario and treatment, where a game has several.
[[nodiscard]] std::vector<ReportSection> treatment_sections(const ReportEstimates& report);

/// Each treatment minus the first of its scenario, agent by agent.
[[nodiscard]] std::vector<ReportSection> contrast_sections(const ReportEstimates& report);

/// Estimates each agent's score in the original's words minus that in its skins, game by game; none
/// without skins.
[[nodiscard]] std::vector<ReportSection> recall_sections(const ReportEstimates& report);

/// Estimates main effects and interactions of factors, a section a family of agents.
[[nodiscard]] std::vector<ReportSection> factor_sections(const ReportEstimates& report);

/// Estimates ranks and scores along learning sequences, with slopes, a section a scenario and
/// treatment: the sequence is the unit.
[[nodiscard]] std::vector<ReportSection> learning_sections(const ReportEstimates& report);

/// Estimates the rates that the options name, where their metrics are there: a section with all of
/// them, and one in which people do not see those that are 0 for everybody.
[[nodiscard]] std::vector<ReportSection> rate_sections(const ReportEstimates& report);

/// What was played of each game; then metrics, strengths, TrueSkill and pairs, game by game.
[[nodiscard]] std::vector<ReportSection> game_sections(const ReportEstimates& report);

/// Attempts at an answer by how they came out; estimates what the fault policy decides.
[[nodiscard]] std::vector<ReportSection> fault_sections(const ReportEstimates& report);

/// Estimates how far missing matches could matter, and says why they are missing.
[[nodiscard]] std::vector<ReportSection> missing_sections(const ReportEstimates& report);

/// Calls, tokens and money by agent; none where no model was called.
[[nodiscard]] std::vector<ReportSection> use_sections(const ReportEstimates& report);

/// What models said to the questions of drift checks; none without a check.
[[nodiscard]] std::vector<ReportSection> drift_sections(const ReportEstimates& report);

/// A line of the report's contents.
struct SectionMaker {
  enum class When : std::uint8_t {
    always,
    detailed,  ///< a brief report leaves them out
    anytime,   ///< where differences that hold whenever one looks are asked for
    course,    ///< the same on pages, where there are blocks enough to see them settle
  };
  std::vector<std::string_view> ids;  ///< of the sections that it may make
  MakeSections make;
  bool estimates = false;  ///< report::make() calls it, beside others on other threads
  When when = When::always;
  bool open = false;  ///< a page shows them at once
};
/// In the order of the report. A new section is a function and a line here.
[[nodiscard]] const std::vector<SectionMaker>& section_makers();

}  // namespace agon::report
