#pragma once

#include <string>
#include <utility>
#include <vector>

#include "report/report.hpp"
#include "report/tables.hpp"

namespace agon::report {

/// The widest name of an agent in a table; longer ones are cut in the text where they stay apart.
inline constexpr std::size_t kAgentWidth = 44;

/// An agent's name in tables for people: AgentFacts::shown.
[[nodiscard]] std::string shown_agent(const ReportEstimates& report, const std::string& agent);

/// The column that names the agent of a row.
[[nodiscard]] ReportColumn agent_column(const std::string& header = "agent");

/// A column of numbers.
[[nodiscard]] ReportColumn number_column(const std::string& header, const std::string& metric);

/// A column for programs.
[[nodiscard]] ReportColumn data_column(const std::string& metric);

/// Cells.
[[nodiscard]] ReportCell figure(const stats::Estimate& estimate, int decimals = 3,
                                bool sign = false);
[[nodiscard]] ReportCell number(const std::optional<double>& value, int decimals,
                                bool sign = false);
[[nodiscard]] ReportCell whole(const std::optional<std::size_t>& value);

/// The columns that give `metric` and people see, for plots; empty `metric`: all that do not name
/// their row.
[[nodiscard]] std::vector<std::size_t> plotted_columns(const ReportTable& table,
                                                       const std::string& metric = "");

/// Facts by name, a row each, for programs: people read them in sentences.
[[nodiscard]] ReportTable facts(const std::string& title, Subject about,
                                const std::vector<std::pair<std::string, ReportCell>>& list);

/// That so many intervals and p-values hold one by one, and what that means for all of them; for
/// figures that are no differences, from which 0 says nothing, without a number of `statements`.
[[nodiscard]] std::string each_by_itself(std::size_t statements = 0, double level = 0);

/// Which games decide how wide intervals over all games are, and what can be done; nothing where
/// none does. `rows`: names of agents or effects.
[[nodiscard]] std::vector<std::string> widest_words(
    const ReportEstimates& report, const std::vector<std::string>& games,
    const std::vector<std::pair<std::string, std::optional<stats::WidestGame>>>& rows);

/// For programs, the game that makes most of a row's variance, and its share: columns and cells.
void add_widest_columns(ReportTable& table);
void add_widest_cells(ReportRow& row, const std::vector<std::string>& games,
                      const std::optional<stats::WidestGame>& widest);

/// What the last run's stop rule came to; none without a rule.
[[nodiscard]] std::vector<ReportSection> stop_sections(const ReportEstimates& report);

/// Differences to the reference that hold whenever one looks.
[[nodiscard]] std::vector<ReportSection> anytime_sections(const ReportEstimates& report);

/// Leaderboard, scores and differences by game.
[[nodiscard]] std::vector<ReportSection> leaderboard_sections(const ReportEstimates& report);

/// Scores by scenario and treatment, where a game has several.
[[nodiscard]] std::vector<ReportSection> treatment_sections(const ReportEstimates& report);

/// Each treatment less the first of its scenario, agent by agent.
[[nodiscard]] std::vector<ReportSection> contrast_sections(const ReportEstimates& report);

/// Effects of factors, a section a family.
[[nodiscard]] std::vector<ReportSection> factor_sections(const ReportEstimates& report);

/// Ranks and scores along learning sequences, a section a scenario and treatment.
[[nodiscard]] std::vector<ReportSection> learning_sections(const ReportEstimates& report);

/// The papers' rates and the following of plans. Unless `all`, rates that are 0 for everybody are
/// not shown.
[[nodiscard]] std::vector<ReportSection> paper_sections(const ReportEstimates& report, bool all);

/// What was played of each game; then metrics, strengths, TrueSkill and pairs, game by game.
[[nodiscard]] std::vector<ReportSection> game_sections(const ReportEstimates& report);

/// Whether the strengths of a game say who beats whom; none where nothing could contradict them.
[[nodiscard]] std::vector<ReportSection> fit_sections(const ReportEstimates& report,
                                                      const GameReport& game);

/// Attempts at an answer by how they came out, and what the fault policy decides.
[[nodiscard]] std::vector<ReportSection> fault_sections(const ReportEstimates& report);

/// How far missing matches could matter, and why they are missing.
[[nodiscard]] std::vector<ReportSection> missing_sections(const ReportEstimates& report);

/// Calls, tokens and money by agent; none where no model was called.
[[nodiscard]] std::vector<ReportSection> use_sections(const ReportEstimates& report);

/// What models said to the questions of drift checks; none without a check.
[[nodiscard]] std::vector<ReportSection> drift_sections(const ReportEstimates& report);

}  // namespace agon::report
