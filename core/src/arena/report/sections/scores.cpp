#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "describe/value.hpp"
#include "report/document.hpp"
#include "report/sections/sections.hpp"
#include "stats/contrasts.hpp"
#include "text/words.hpp"

namespace agon::report {
namespace {

using text::Align;

void note_games_without(const Leaderboard& board, ReportSection& section) {
  if (board.without.empty()) return;
  ReportTable table{.title = "games without a score"};
  table.columns = {{.header = "game", .key = true},
                   {.header = "reason", .about = {.metric = "not_counted"}}};
  for (const auto& [game, reason] : board.without) {
    section.remarks.push_back(fmt::format("Not counted: {}, as {}.", game, reason));
    table.rows.push_back({.about = {.game = game}, .cells = {game, reason}, .where = Where::data});
  }
  section.tables.push_back(std::move(table));
}

/// The models behind an agent; empty where none plays.
std::string models_of(const ReportEstimates& report, const std::string& agent) {
  for (const AgentFacts& facts : report.results.facts)
    if (facts.name == agent) return text::joined(facts.models, " or ");
  return {};
}

/// One model behind all agents that call one is said below the table, several in a column.
void add_models(const ReportEstimates& report, ReportSection& section) {
  std::set<std::string> all;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (std::string model = models_of(report, row.agent); !model.empty())
      all.insert(std::move(model));
  if (all.size() == 1)
    section.remarks.push_back("The model behind the agents that call one: " + *all.begin() + ".");
  if (!all.empty()) {
    ReportTable& table = section.tables.front();
    table.columns.insert(table.columns.begin() + 3,
                         {.header = "model",
                          .limit = kAgentWidth,
                          .about = {.metric = "model"},
                          .where = all.size() == 1 ? Where::data : Where::everywhere});
    for (ReportRow& row : table.rows)
      if (const std::string model = models_of(report, row.about.agent); model.empty())
        row.cells.insert(row.cells.begin() + 3, NoFigure{});
      else
        row.cells.insert(row.cells.begin() + 3, model);
  }
  std::string others;
  for (const AgentFacts& facts : report.results.facts)
    if (!facts.misnamed.empty())
      others +=
          fmt::format("{}'{}' was {}", others.empty() ? "" : "; ", facts.name, facts.misnamed);
  if (!others.empty())
    section.remarks.push_back("NAMED AFTER A MODEL THAT DID NOT PLAY: " + others + ".");
}

/// "2", or "1-3" where the blocks do not tell.
ReportCell rank_words(const LeaderRow& row) {
  if (!row.rank_interval) return NoFigure{};
  const auto [low, high] = *row.rank_interval;
  return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
}

/// The rank by the estimates, and the ranks that they leave open.
ReportCell rank_figure(const LeaderRow& row) {
  if (!row.ranks) return NoFigure{};
  Estimated rank{.decimals = 0};
  rank.estimate.value = static_cast<double>(row.ranks->rank);
  rank.estimate.note = stats::Note::none;
  if (row.rank_interval)
    rank.estimate.interval = {static_cast<double>(row.rank_interval->low),
                              static_cast<double>(row.rank_interval->high)};
  return rank;
}

/// What differences would take to be none, and who won how many blocks.
void add_beside_differences(const ReportEstimates& report, ReportSection& section) {
  std::string unseen;
  std::string won;
  double share = 0;
  for (const LeaderRow& row : report.leaderboard.rows) {
    const stats::Estimate& e = row.difference;
    const std::string agent = shown_agent(report, row.agent);
    if (e.unseen_effect) {
      unseen +=
          fmt::format("{}{} {}", unseen.empty() ? "" : ", ", agent, fixed(*e.unseen_effect, 3));
      share = std::max(share, e.unseen.value_or(0));
    }
    if (e.units_won)
      won += fmt::format("{}{} {}-{}-{} (p {})", won.empty() ? "" : ", ", agent, e.units_won->won,
                         e.units_won->tied, e.units_won->lost, p_words(e.units_won->p_value));
  }
  if (!unseen.empty())
    section.remarks.push_back(fmt::format(
        "A difference would be none after all if blocks of a kind not seen, under {:.0f}% of all, "
        "came out the other way by more than this on average: {}.",
        100 * share, unseen));
  if (!won.empty())
    section.remarks.push_back(
        "Who wins more blocks is another question than whose mean is higher. Blocks won, tied and "
        "lost against the reference, with the p of a sign test: " +
        won + ".");
}

/// A metric of what is over all games: figures that are no normalised scores are not called so.
std::string over_games(const ReportEstimates& report, const std::string& metric) {
  if (report.options.aggregate == stats::Aggregate::mean) return metric;
  return metric + "_" + std::string(name_of(report.options.aggregate));
}

void add_leaderboard_plots(const ReportEstimates& report, ReportSection& section) {
  const ReportTable& table = section.tables.front();
  const std::string level = text::percent(report.options.level);
  const auto add = [&](Plot plot, std::string found) {
    say_found(plot, std::move(found));
    section.plots.push_back(std::move(plot));
  };
  if (report.leaderboard.reference_scored && report.leaderboard.rows.size() > 1)
    add({.name = "differences",
         .title = fmt::format(
             "Score minus that of {} (0: no difference), with {} CI of each alone (thick) and of "
             "all simultaneously (thin).",
             shown_agent(report, report.options.reference), level),
         .columns = plotted_columns(table, over_games(report, "difference")),
         .unit = "difference of normalised scores",
         .line = 0},
        compared(report).words(versus_reference(report)));
  add({.name = "scores",
       .title = fmt::format("Score of each agent with its {} CI.", level),
       .columns = plotted_columns(table, over_games(report, "normalized_score")),
       .unit = "normalised score",
       .line = 0},
      order_words(report));
  Sides ranks;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (row.rank_interval)
      (row.rank_interval->low == row.rank_interval->high ? ranks.above : ranks.open)
          .push_back(quoted(report, row.agent));
  if (!ranks.above.empty() || !ranks.open.empty())
    add({.name = "ranks",
         .title = "The ranks that these matches do not exclude, simultaneously for all agents.",
         .columns = plotted_columns(table, "rank"),
         .unit = "rank"},
        ranks.words({"ranked without overlap", "", "at several possible ranks"}));
}

void add_leaderboard_columns(const ReportEstimates& report, ReportTable& table) {
  const Leaderboard& board = report.leaderboard;
  const std::string level = text::percent(report.options.level);
  const std::string& reference = report.options.reference;
  const std::string versus = "vs. " + shown_agent(report, reference);
  table.columns = {{.header = "rank", .align = Align::right, .where = Where::shown},
                   data_column("rank"),
                   agent_column(),
                   {.header = "score",
                    .about = {.metric = over_games(report, "normalized_score")},
                    .apart = {{FigurePart::Item::value, "score"},
                              {FigurePart::Item::interval, level + " CI", Align::left},
                              {FigurePart::Item::units, "n"}}}};
  if (board.reference_scored)
    table.columns.push_back(
        {.header = versus,
         .limit = kAgentWidth,
         .about = {.other = reference, .metric = over_games(report, "difference")},
         .apart = {{FigurePart::Item::value, versus},
                   {FigurePart::Item::together, level + " CI, simultaneous", Align::left},
                   {FigurePart::Item::p_adjusted, "adj. p"}}});
  if (board.games.size() > 1) {
    table.columns.push_back({.header = "leave-one-out rank", .where = Where::shown});
    for (const char* end : {"rank_best", "rank_worst"}) table.columns.push_back(data_column(end));
    add_widest_columns(table);
  }
}

ReportRow leaderboard_row(const ReportEstimates& report, const LeaderRow& row) {
  const Leaderboard& board = report.leaderboard;
  ReportRow out;
  out.about.agent = row.agent;
  out.cells = {rank_words(row), rank_figure(row), shown_agent(report, row.agent),
               figure(row.score)};
  if (board.reference_scored) {
    out.cells.push_back(row.against_others ? ReportCell(NoFigure{})
                        : row.agent == report.options.reference
                            ? ReportCell(NoFigure{"reference"})
                            : Estimated{.estimate = row.difference,
                                        .sign = true,
                                        .together = row.simultaneous,
                                        .p_adjusted = row.simultaneous_p});
  }
  if (!row.ranks) {
    out.cells.push_back(row.against_others ? ReportCell(NoFigure{})
                                           : ReportCell(std::string("lacks a game")));
    return out;
  }

  out.cells.emplace_back(row.ranks->best == row.ranks->worst
                             ? std::to_string(row.ranks->best)
                             : fmt::format("{}-{}", row.ranks->best, row.ranks->worst));
  out.cells.push_back(whole(row.ranks->best));
  out.cells.push_back(whole(row.ranks->worst));
  add_widest_cells(out, board.games, row.widest);
  return out;
}

ReportSection leaderboard_section(const ReportEstimates& report) {
  const Leaderboard& board = report.leaderboard;
  ReportSection section{.id = "leaderboard", .title = "Leaderboard"};
  section.explanation = fmt::format(
      "{}. {} {} Scores are means over {}. {}Rank: all ranks that an agent may have by these "
      "matches, simultaneously for all agents. {}, of which those about one item count as one.{}",
      text::counted(report.results.matches, "finished match", "finished matches"),
      fault_words(report.results.policy), score_words(report.options.aggregate),
      text::counted(board.games.size(), "game"),
      board.reference_scored ? difference_words(report) + " " : "", kCountsBlocks,
      board.depends_on_field ? " DEPENDS ON THE FIELD: some games were played all against all."
                             : "");
  section.method = stats::interval_method;
  if (board.rows.empty()) {
    section.remarks.emplace_back("No agent has a normalised score.");
    note_games_without(board, section);
    return section;
  }
  if (board.games.size() > 1)
    section.explanation += " Leave-one-out rank: by the means, when each game in turn is left out.";
  ReportTable& table = section.tables.emplace_back();
  add_leaderboard_columns(report, table);
  std::vector<std::pair<std::string, std::optional<stats::WidestGame>>> wide;
  for (const LeaderRow& row : board.rows) {
    table.rows.push_back(leaderboard_row(report, row));
    if (row.ranks) wide.emplace_back(shown_agent(report, row.agent), row.widest);
  }
  if (board.games.size() < 2)
    for (ReportRow& row : table.rows) row.cells.resize(table.columns.size());
  if (board.reference_scored) add_beside_differences(report, section);
  add_models(report, section);
  for (std::string& words : widest_words(report, board.games, wide))
    section.remarks.push_back(std::move(words));
  add_leaderboard_plots(report, section);
  note_games_without(board, section);
  return section;
}

/// Scores by game, or what they are less those of the reference.
ReportTable game_table(const ReportEstimates& report, bool differences) {
  const Leaderboard& board = report.leaderboard;
  ReportTable table{.fixed = 1};
  table.about.metric = differences ? "difference" : "normalized_score";
  if (differences) table.about.other = report.options.reference;
  table.columns = {agent_column()};
  for (const std::string& game : board.games)
    table.columns.push_back({.header = game, .about = {.game = game}, .units_in_head = true});
  for (const LeaderRow& row : board.rows) {
    if (differences && (row.against_others || row.agent == report.options.reference)) continue;
    ReportRow& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells.emplace_back(shown_agent(report, row.agent));
    for (std::size_t g = 0; g < board.games.size(); ++g)
      out.cells.emplace_back(differences ? Estimated{.estimate = row.games[g].difference,
                                                     .sign = true,
                                                     .together = row.games[g].simultaneous}
                                         : Estimated{.estimate = row.games[g].score});
  }
  return table;
}

/// The treatments of one game: rows `from` up to `end` of the report's.
ReportTable treatment_table(const ReportEstimates& report, std::size_t from, std::size_t end) {
  std::set<std::string> agents;
  for (std::size_t i = from; i < end; ++i)
    for (const TreatmentRow& row : report.treatments[i].rows) agents.insert(row.agent);
  const std::string& game = report.treatments[from].game;
  ReportTable table{.title = game};
  table.about.game = game;
  table.fixed = 2;
  table.columns = {{.header = game, .limit = kAgentWidth, .key = true},
                   number_column("blocks", "blocks"),
                   data_column("matches"),
                   data_column("scenario"),
                   data_column("varied")};
  for (const std::string& agent : agents) {
    table.columns.push_back({.header = shown_agent(report, agent),
                             .limit = kAgentWidth,
                             .about = {.agent = agent, .metric = "normalized_score"}});
    table.columns.push_back(
        {.header = "difference",
         .about = {.agent = agent, .other = report.options.reference, .metric = "difference"},
         .where = Where::data});
  }
  for (; from < end; ++from) {
    const TreatmentTable& t = report.treatments[from];
    ReportRow& out = table.rows.emplace_back();
    out.about.treatment = t.facts.label;
    out.units = static_cast<std::size_t>(t.facts.blocks);
    out.cells = {t.facts.label, t.facts.blocks, t.facts.matches, t.facts.scenario,
                 t.facts.treatment};
    for (const std::string& agent : agents) {
      const auto row =
          std::ranges::find_if(t.rows, [&](const auto& r) { return r.agent == agent; });
      const bool there = row != t.rows.end();
      out.cells.push_back(there ? figure(row->score) : ReportCell(NoFigure{}));
      out.cells.push_back(there && agent != report.options.reference
                              ? figure(row->difference, 3, true)
                              : ReportCell(NoFigure{}));
    }
  }
  return table;
}

/// Who has the highest mean in which games; empty of many.
std::string highest_by_game(const ReportEstimates& report) {
  const Leaderboard& board = report.leaderboard;
  constexpr std::size_t kMostNamed = 6;
  if (board.games.size() > kMostNamed) return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> games;  // of who leads in them
  for (std::size_t g = 0; g < board.games.size(); ++g) {
    std::optional<double> most;
    std::vector<std::string> leading;
    for (const LeaderRow& row : board.rows) {
      if (row.against_others || g >= row.games.size()) continue;
      const auto& score = row.games[g].score.value;
      if (!score || (most && *score < *most)) continue;
      if (!most || *score > *most) leading.clear();
      most = score;
      leading.push_back(quoted(report, row.agent));
    }
    const std::string names = text::joined(leading, " and ");
    auto found = std::ranges::find(games, names, [](const auto& one) { return one.first; });
    if (found == games.end()) found = games.insert(games.end(), {names, {}});
    found->second.push_back(board.games[g]);
  }
  return "Highest mean: " +
         text::joined(games, "; ",
                      [](const auto& one) {
                        return one.first + " in " + text::joined(one.second, " and ");
                      }) +
         ".";
}

}  // namespace

std::vector<std::string> widest_words(
    const ReportEstimates& report, const std::vector<std::string>& games,
    const std::vector<std::pair<std::string, std::optional<stats::WidestGame>>>& rows) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> words;
  for (std::size_t g = 0; g < games.size(); ++g) {
    std::vector<std::string> named;
    double least = 1, most = 0;
    for (const auto& [name, widest] : rows) {
      if (!widest || widest->game != g || !widest->decides(games.size())) continue;
      named.push_back(fmt::format("'{}' ({:.0f}%)", name, 100 * widest->share));
      least = std::min(least, widest->share);
      most = std::max(most, widest->share);
    }
    if (named.empty()) continue;
    words.push_back(
        named.size() <= kMostNamed
            ? fmt::format("{} makes most of the variance over all games of {}.", games[g],
                          fmt::join(named, ", "))
            : fmt::format("{} makes most of the variance over all games of {} of {} rows ({:.0f} "
                          "to {:.0f}%).",
                          games[g], named.size(), rows.size(), 100 * least, 100 * most));
    words.back() += fmt::format(" --without {} shows the others alone.", games[g]);
  }
  if (!words.empty() && report.options.aggregate == stats::Aggregate::mean)
    words.emplace_back(
        "Where one game may do so, a suite can declare in advance what one game cannot decide: "
        "\"report\": {\"aggregate\": \"ranks\"}, or \"winsorised\".");
  return words;
}

void add_widest_columns(ReportTable& table) {
  for (const char* metric : {"widest_game", "widest_share"})
    table.columns.push_back(data_column(metric));
}

void add_widest_cells(ReportRow& row, const std::vector<std::string>& games,
                      const std::optional<stats::WidestGame>& widest) {
  row.cells.push_back(widest ? ReportCell(games[widest->game]) : ReportCell(NoFigure{}));
  row.cells.push_back(widest ? ReportCell(Number{widest->share, 3, false})
                             : ReportCell(NoFigure{}));
}

std::string score_words(stats::Aggregate aggregate) {
  if (aggregate == stats::Aggregate::ranks)
    return "Score: the share of the other agents that an agent is above in a block, ties half, in "
           "place of the normalised score; 0 is below all of them, 1 above all.";
  return std::string(
             "Score: 0 is what a player has without an agreement or by doing nothing, 1 "
             "the best possible") +
         (aggregate == stats::Aggregate::winsorised
              ? "; winsorised: what a seat gets in a block counts as -1 to 1 times what it could "
                "get."
              : ".");
}

std::string difference_words(const ReportEstimates& report) {
  return "Difference: the score minus that of " + quoted(report, report.options.reference) +
         "; 0 is no difference.";
}

std::string fault_words(FaultPolicy policy) {
  switch (policy) {
    case FaultPolicy::forfeit:
      return "Where an agent gave no legal answer, its seat gains nothing (fault policy forfeit).";
    case FaultPolicy::exclude:
      return "Blocks in which an agent gave no legal answer are left out (fault policy exclude).";
    case FaultPolicy::as_played:
      break;
  }
  return "Where an agent gave no legal answer, the game's fallback answer counts as its own (fault "
         "policy as-played).";
}

std::string each_by_itself(std::size_t statements, double level) {
  std::string words = "Intervals and p-values are each for one statement alone, unadjusted";
  if (statements < 2) return words + ".";
  return words +
         fmt::format(
             ": of {} such statements {:.2g} leave out 0 by chance where nothing differs, and if "
             "they were independent at least one would in {:.0f}% of suites.",
             statements, (1 - level) * static_cast<double>(statements),
             100 * (1 - std::pow(level, static_cast<double>(statements))));
}

std::vector<ReportSection> leaderboard_sections(const ReportEstimates& report) {
  std::vector<ReportSection> sections = {leaderboard_section(report)};
  const Leaderboard& board = report.leaderboard;
  if (board.rows.empty()) return sections;
  ReportSection scores{.id = "scores", .title = "Scores by game"};
  scores.explanation = fmt::format("{} Each interval is for one agent and game by itself. {}.",
                                   score_words(stats::Aggregate::mean), kCountsBlocks);
  scores.method = sections.front().method;
  scores.tables = {game_table(report, false)};
  const auto add_panels = [&](ReportSection& section, std::string title, std::string unit,
                              std::string found) {
    if (board.games.size() < 2) return;
    Plot plot{.name = "by-game",
              .title = std::move(title),
              .columns = plotted_columns(section.tables.front()),
              .unit = std::move(unit),
              .line = 0,
              .panels = true};
    say_found(plot, std::move(found));
    section.plots.push_back(std::move(plot));
  };
  const std::string level = text::percent(report.options.level);
  add_panels(scores, fmt::format("Score of each agent in each game with its {} CI.", level),
             "normalised score", highest_by_game(report));
  sections.push_back(std::move(scores));
  const auto compared = static_cast<std::size_t>(
      std::ranges::count_if(board.rows, [](const LeaderRow& row) { return !row.against_others; }));
  if (!board.reference_scored || compared < 2) return sections;
  ReportSection differences{.id = "differences", .title = "Differences by game"};
  differences.explanation =
      fmt::format("{} Paired by block and role. {}", difference_words(report),
                  each_by_itself((compared - 1) * board.games.size(), report.options.level));
  differences.method = sections.front().method;
  differences.tables = {game_table(report, true)};
  add_panels(differences,
             fmt::format("Score minus that of {} in each game (0: no difference), with {} CI of "
                         "each alone (thick) and of all agents simultaneously (thin).",
                         shown_agent(report, report.options.reference), level),
             "difference of normalised scores", compared_by_game(report));
  sections.push_back(std::move(differences));
  return sections;
}

std::vector<ReportSection> treatment_sections(const ReportEstimates& report) {
  if (report.treatments.empty()) return {};
  ReportSection section{.id = "treatments", .title = "Scenarios and treatments"};
  section.explanation = "Normalised score of each by itself, with its own interval.";
  section.method = stats::interval_method;
  for (std::size_t i = 0; i < report.treatments.size();) {
    std::size_t end = i;
    while (end < report.treatments.size() &&
           report.treatments[end].game == report.treatments[i].game)
      ++end;
    section.tables.push_back(treatment_table(report, i, end));
    i = end;
  }
  return {std::move(section)};
}

std::vector<ReportSection> contrast_sections(const ReportEstimates& report) {
  ReportSection section{.id = "contrasts", .title = "Treatment effects"};
  section.explanation =
      "Normalised score minus the agent's own under the first treatment of the scenario, paired by "
      "block and role.";
  std::size_t statements = 0;
  section.method = stats::interval_method;
  for (const TreatmentTable& t : report.treatments) {
    if (t.first.empty()) continue;
    ReportTable& table = section.tables.emplace_back();
    table.title = fmt::format("{} \u2212 {}", t.facts.label, t.first);
    table.about = {
        .game = t.game, .treatment = t.facts.label, .other = t.first, .metric = "contrast"};
    table.columns = {{.header = table.title, .key = true},
                     {.header = "difference",
                      .apart = {{FigurePart::Item::value, "difference"},
                                {FigurePart::Item::interval,
                                 text::percent(report.options.level) + " CI", Align::left},
                                {FigurePart::Item::p, "unadjusted p"},
                                {FigurePart::Item::units, "n"}}}};
    for (const TreatmentRow& row : t.rows)
      if (row.contrast.value)
        table.rows.push_back(
            {.about = {.agent = row.agent},
             .cells = {shown_agent(report, row.agent), figure(row.contrast, 3, true)}});
    statements += table.rows.size();
    if (table.rows.empty()) section.tables.pop_back();
  }
  if (section.tables.empty()) return {};
  section.explanation += " " + each_by_itself(statements, report.options.level);
  return {std::move(section)};
}

}  // namespace agon::report
