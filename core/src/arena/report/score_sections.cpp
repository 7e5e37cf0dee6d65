#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "report/sections.hpp"
#include "stats/contrast_estimates.hpp"
#include "text/counted.hpp"
#include "text/percent.hpp"

namespace agon::report {
namespace {

using text::Align;

void note_games_without(const Leaderboard& board, Section& section) {
  if (board.without.empty()) return;
  Table table;
  table.title = "games without a score";
  table.columns = {{.header = "game", .key = true},
                   {.header = "reason", .about = {.metric = "not_counted"}}};
  for (const auto& [game, reason] : board.without) {
    section.remarks.push_back(fmt::format("Not counted: {}, as {}.", game, reason));
    table.rows.push_back({.about = {.game = game}, .cells = {game, reason}, .where = Where::data});
  }
  section.tables.push_back(std::move(table));
}

/// The models behind an agent; empty where none plays.
std::string models_of(const Report& report, const std::string& agent) {
  for (const AgentFacts& facts : report.results.facts)
    if (facts.name == agent) return fmt::format("{}", fmt::join(facts.models, " or "));
  return {};
}

/// One model behind all agents that call one is said below the table, several in a column.
void add_models(const Report& report, Section& section) {
  std::set<std::string> all;
  for (const LeaderRow& row : report.leaderboard.rows)
    if (std::string model = models_of(report, row.agent); !model.empty())
      all.insert(std::move(model));
  if (all.size() == 1)
    section.remarks.push_back("The model behind the agents that call one: " + *all.begin() + ".");
  if (!all.empty()) {
    Table& table = section.tables.front();
    table.columns.insert(table.columns.begin() + 3,
                         {.header = "model",
                          .limit = kAgentWidth,
                          .about = {.metric = "model"},
                          .where = all.size() == 1 ? Where::data : Where::everywhere});
    for (Row& row : table.rows)
      if (const std::string model = models_of(report, row.about.agent); model.empty())
        row.cells.insert(row.cells.begin() + 3, Missing{});
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
Cell rank_words(const LeaderRow& row) {
  if (!row.rank_interval) return Missing{};
  const auto [low, high] = *row.rank_interval;
  return low == high ? std::to_string(low) : fmt::format("{}-{}", low, high);
}

/// The rank by the estimates, and the ranks that they leave open.
Cell rank_figure(const LeaderRow& row) {
  if (!row.ranks) return Missing{};
  Estimated rank{.decimals = 0};
  rank.estimate.value = static_cast<double>(row.ranks->rank);
  rank.estimate.note = stats::Note::none;
  if (row.rank_interval)
    rank.estimate.interval = {static_cast<double>(row.rank_interval->low),
                              static_cast<double>(row.rank_interval->high)};
  return rank;
}

void add_leaderboard_plots(const Report& report, Section& section) {
  const Table& table = section.tables.front();
  const std::string level = text::percent(report.options.level);
  if (report.leaderboard.reference_scored && report.leaderboard.rows.size() > 1)
    section.plots.push_back(
        {.name = "differences",
         .title = fmt::format("Score less that of {}: {} interval of each, and for all together",
                              shown_agent(report, report.options.reference), level),
         .columns = plotted_columns(table, "difference"),
         .unit = "difference of normalised scores",
         .line = 0});
  section.plots.push_back({.name = "scores",
                           .title = fmt::format("Score with its {} interval", level),
                           .columns = plotted_columns(table, "score"),
                           .unit = "normalised score",
                           .line = 0});
  if (std::any_of(report.leaderboard.rows.begin(), report.leaderboard.rows.end(),
                  [](const LeaderRow& row) { return row.rank_interval.has_value(); }))
    section.plots.push_back({.name = "ranks",
                             .title = "Ranks that the blocks leave open, for all agents at once",
                             .columns = plotted_columns(table, "rank"),
                             .unit = "rank"});
}

Section leaderboard_section(const Report& report) {
  const Leaderboard& board = report.leaderboard;
  Section section;
  section.id = "leaderboard";
  section.title = "Leaderboard";
  section.explanation = fmt::format(
      "{}; faults counted {}. Score: 0 is the outside option, 1 the best that leaves nobody worse "
      "off; mean over {}. Rank: a range where these blocks do not tell who is better, for all "
      "agents "
      "at once. n: independent blocks.{}",
      text::counted(report.results.matches, "finished match", "finished matches"),
      name(report.results.policy), text::counted(board.games.size(), "game"),
      board.depends_on_field ? " DEPENDS ON THE FIELD: some games were played all against all."
                             : "");
  section.method = stats::interval_method;
  if (board.rows.empty()) {
    section.remarks.emplace_back("No agent has a normalised score.");
    note_games_without(board, section);
    return section;
  }
  const std::string level = text::percent(report.options.level);
  const std::string& reference = report.options.reference;
  const std::string less = "less " + shown_agent(report, reference);
  Table& table = section.tables.emplace_back();
  table.columns = {{.header = "rank", .align = Align::right, .where = Where::shown},
                   data_column("rank"),
                   agent_column(),
                   {.header = "score",
                    .about = {.metric = "score"},
                    .apart = {{Part::What::value, "score"},
                              {Part::What::interval, level + " interval", Align::left},
                              {Part::What::units, "n"}}}};
  if (board.reference_scored)
    table.columns.push_back({.header = less,
                             .limit = kAgentWidth,
                             .about = {.other = reference, .metric = "difference"},
                             .apart = {{Part::What::value, less},
                                       {Part::What::together, level + " together", Align::left},
                                       {Part::What::p_adjusted, "p"}}});
  if (board.games.size() > 1) {
    section.explanation += " Rank without a game: by the means alone, whichever game is left out.";
    table.columns.push_back({.header = "rank without a game", .where = Where::shown});
    for (const char* end : {"rank_best", "rank_worst"}) table.columns.push_back(data_column(end));
  }
  for (const LeaderRow& row : board.rows) {
    Row& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells = {rank_words(row), rank_figure(row), shown_agent(report, row.agent),
                 figure(row.score)};
    if (board.reference_scored) {
      out.cells.push_back(row.agent == reference ? Cell(Missing{"reference"})
                                                 : Estimated{.estimate = row.difference,
                                                             .sign = true,
                                                             .together = row.simultaneous,
                                                             .p_adjusted = row.simultaneous_p});
    }
    if (!row.ranks) {
      out.cells.emplace_back("lacks a game");
      continue;
    }
    out.cells.emplace_back(row.ranks->best == row.ranks->worst
                               ? std::to_string(row.ranks->best)
                               : fmt::format("{} to {}", row.ranks->best, row.ranks->worst));
    out.cells.push_back(whole(row.ranks->best));
    out.cells.push_back(whole(row.ranks->worst));
  }
  if (board.games.size() < 2)
    for (Row& row : table.rows) row.cells.resize(table.columns.size());
  add_models(report, section);
  add_leaderboard_plots(report, section);
  note_games_without(board, section);
  return section;
}

/// Scores by game, or what they are less those of the reference.
Table game_table(const Report& report, bool differences) {
  const Leaderboard& board = report.leaderboard;
  Table table;
  table.fixed = 1;
  table.about.metric = differences ? "difference" : "score";
  if (differences) table.about.other = report.options.reference;
  table.columns = {agent_column()};
  for (const std::string& game : board.games)
    table.columns.push_back({.header = game, .about = {.game = game}, .units_in_head = true});
  for (const LeaderRow& row : board.rows) {
    if (differences && row.agent == report.options.reference) continue;
    Row& out = table.rows.emplace_back();
    out.about.agent = row.agent;
    out.cells.emplace_back(shown_agent(report, row.agent));
    for (std::size_t g = 0; g < board.games.size(); ++g)
      out.cells.emplace_back(differences ? Estimated{.estimate = row.game_differences[g],
                                                     .sign = true,
                                                     .together = row.game_simultaneous[g]}
                                         : Estimated{.estimate = row.game_scores[g]});
  }
  return table;
}

/// The treatments of one game: rows `from` up to `end` of the report's.
Table treatment_table(const Report& report, std::size_t from, std::size_t end) {
  std::vector<std::string> agents;
  for (std::size_t i = from; i < end; ++i)
    for (const TreatmentRow& row : report.treatments[i].rows)
      if (std::find(agents.begin(), agents.end(), row.agent) == agents.end())
        agents.push_back(row.agent);
  std::sort(agents.begin(), agents.end());
  const std::string& game = report.treatments[from].game;
  Table table;
  table.title = game;
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
                             .about = {.agent = agent, .metric = "score"}});
    table.columns.push_back(
        {.header = "difference",
         .about = {.agent = agent, .other = report.options.reference, .metric = "difference"},
         .where = Where::data});
  }
  for (; from < end; ++from) {
    const TreatmentTable& t = report.treatments[from];
    Row& out = table.rows.emplace_back();
    out.about.treatment = t.facts.label;
    out.units = static_cast<std::size_t>(t.facts.blocks);
    out.cells = {t.facts.label, t.facts.blocks, t.facts.matches, t.facts.scenario,
                 t.facts.treatment};
    for (const std::string& agent : agents) {
      const auto row = std::find_if(t.rows.begin(), t.rows.end(),
                                    [&](const auto& r) { return r.agent == agent; });
      const bool there = row != t.rows.end();
      out.cells.push_back(there ? figure(row->score) : Cell(Missing{}));
      out.cells.push_back(there && agent != report.options.reference
                              ? figure(row->difference, 3, true)
                              : Cell(Missing{}));
    }
  }
  return table;
}

}  // namespace

std::vector<Section> leaderboard_sections(const Report& report) {
  std::vector<Section> sections = {leaderboard_section(report)};
  const Leaderboard& board = report.leaderboard;
  if (board.rows.empty()) return sections;
  Section scores;
  scores.id = "scores";
  scores.title = "Scores by game";
  scores.explanation = "Normalised score and interval; n: independent blocks.";
  scores.method = sections.front().method;
  scores.tables = {game_table(report, false)};
  if (board.games.size() > 1)
    scores.plots.push_back({.name = "by-game",
                            .title = "Normalised score by agent and game",
                            .drawing = Drawing::heat_map,
                            .columns = plotted_columns(scores.tables.front())});
  sections.push_back(std::move(scores));
  if (!board.reference_scored || board.rows.size() < 2) return sections;
  Section differences;
  differences.id = "differences";
  differences.title = "Differences by game";
  differences.explanation =
      fmt::format("Score less that of '{}', paired by block and role.", report.options.reference);
  differences.method = sections.front().method;
  differences.tables = {game_table(report, true)};
  if (board.games.size() > 1)
    differences.plots.push_back(
        {.name = "by-game",
         .title = "Score less that of " + shown_agent(report, report.options.reference),
         .columns = plotted_columns(differences.tables.front()),
         .unit = "difference of normalised scores",
         .line = 0});
  sections.push_back(std::move(differences));
  return sections;
}

std::vector<Section> treatment_sections(const Report& report) {
  if (report.treatments.empty()) return {};
  Section section;
  section.id = "treatments";
  section.title = "Scenarios and treatments";
  section.explanation = "Normalised score of each by itself.";
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

std::vector<Section> contrast_sections(const Report& report) {
  Section section;
  section.id = "contrasts";
  section.title = "What treatments change";
  section.explanation =
      "Normalised score less the agent's own under the first treatment of the scenario, paired by "
      "block and role.";
  section.method = stats::interval_method;
  for (const TreatmentTable& t : report.treatments) {
    if (t.first.empty()) continue;
    Table& table = section.tables.emplace_back();
    table.title = fmt::format("{} less {}", t.facts.label, t.first);
    table.about = {
        .game = t.game, .treatment = t.facts.label, .other = t.first, .metric = "contrast"};
    table.columns = {{.header = table.title, .key = true},
                     {.header = "difference",
                      .apart = {{Part::What::value, "difference"},
                                {Part::What::interval,
                                 text::percent(report.options.level) + " interval", Align::left},
                                {Part::What::p, "p"},
                                {Part::What::units, "n"}}}};
    for (const TreatmentRow& row : t.rows)
      if (row.contrast.value)
        table.rows.push_back(
            {.about = {.agent = row.agent},
             .cells = {shown_agent(report, row.agent), figure(row.contrast, 3, true)}});
    if (table.rows.empty()) section.tables.pop_back();
  }
  if (section.tables.empty()) return {};
  return {std::move(section)};
}

}  // namespace agon::report
