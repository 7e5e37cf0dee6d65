#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

#include "report/estimates.hpp"
#include "results/results.hpp"
#include "results/tally.hpp"
#include "stats/confidence_sequence.hpp"

namespace agon::report {
namespace {

stats::IntervalOptions bootstrap_options(const ReportOptions& options) {
  stats::IntervalOptions bootstrap;
  bootstrap.level = options.level;
  bootstrap.resamples = options.resamples;
  bootstrap.seed = options.seed;
  return bootstrap;
}

bool has(const std::vector<std::string>& sorted, const std::string& name) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

stats::ScoreRow row_of(const GameResults& game, const Results& results, const ScoreUnit& unit,
                       Counting counting) {
  const auto c = static_cast<std::size_t>(counting);
  stats::ScoreRow row;
  row.game = game.name;
  row.block = game.bins[unit.bin].name;
  row.cluster = game.bins[unit.bin].cluster;
  row.role = fmt::format("{:04} {}", unit.treatment, game.roles[unit.role]);
  row.agent = results.agents[unit.agent];
  row.x = unit.gain[c];
  row.disagreement = 0;
  row.ideal = unit.pie[c];
  return row;
}

/// What a role of the table is: the treatment, the role, or both.
std::string role_words(const GameResults& game, const std::string& role) {
  const std::size_t space = role.find(' ');
  const std::size_t treatment = std::strtoul(role.c_str(), nullptr, 10);
  // Without a number in front it is a role of a table with one treatment.
  if (space != 4 || treatment >= game.treatments.size()) return role;
  const std::string own = role.substr(space + 1);
  const std::string& label = game.treatments[treatment].label;
  if (own.empty()) return label;
  return game.treatments.size() < 2 ? own : label + ", " + own;
}

/// Roles of treatments whose pies add up to nothing: they have no scale, and say nothing.
std::set<std::pair<std::size_t, std::size_t>> without_scale(const GameResults& game,
                                                            Counting counting) {
  const auto c = static_cast<std::size_t>(counting);
  std::map<std::pair<std::size_t, std::size_t>, double> pies;
  for (const ScoreUnit& unit : game.scores)
    if (unit.present[c]) pies[{unit.treatment, unit.role}] += unit.pie[c];
  std::set<std::pair<std::size_t, std::size_t>> without;
  for (const auto& [key, pie] : pies)
    if (!(pie > 0)) without.insert(key);
  return without;
}

/// Why a game has no score.
std::string why_without(const GameResults& game, FaultPolicy policy) {
  if (game.matches_beyond > 0) return "its scores are too large or too small to be reckoned with";
  if (game.seats_scored == 0) return "no counted seat has a scale";
  if (policy == FaultPolicy::exclude && every_block_forced(game))
    return "an answer was forced in every block, and such blocks are left out";
  return "its pies add up to nothing";
}

/// Whom differences are taken to: the reference, or the first agent if it has no score at all, for
/// the order of the others only.
std::string base_of(const stats::ScoreTable& table, const std::string& reference) {
  return has(table.agents(), reference) ? reference : table.agents().front();
}

LeaderRow leader_row(const stats::HeadlineRow& from, bool reference_scored) {
  LeaderRow row;
  row.agent = from.agent;
  row.score = from.score;
  row.ranks = from.ranks;
  for (const auto& game : from.games) {
    row.game_scores.push_back(game.score);
    row.game_differences.push_back(reference_scored ? game.difference : stats::Estimate{});
    row.game_simultaneous.push_back(reference_scored ? game.simultaneous : std::nullopt);
  }
  if (!reference_scored) return row;
  row.difference = from.difference;
  row.widest = from.widest;
  row.simultaneous = from.simultaneous;
  row.simultaneous_p = from.simultaneous_p;
  return row;
}

/// What an agent gets under one treatment less what it gets under another, on the same blocks and
/// in the same roles.
stats::Estimate contrast(const Results& results, const GameResults& game, std::size_t agent,
                         std::size_t treatment, std::size_t first, const ReportOptions& options) {
  const Counting chosen = counting(results.policy);
  const auto without = without_scale(game, chosen);
  std::vector<stats::ScoreRow> rows;
  for (const ScoreUnit& unit : game.scores) {
    if (unit.agent != agent || (unit.treatment != treatment && unit.treatment != first)) continue;
    if (!unit.present[static_cast<std::size_t>(chosen)] ||
        without.contains({unit.treatment, unit.role}))
      continue;
    stats::ScoreRow row = row_of(game, results, unit, chosen);
    row.role = game.roles[unit.role];
    // As two agents they are paired as agents are.
    row.agent = unit.treatment == first ? "first" : "other";
    rows.push_back(std::move(row));
  }
  stats::ScoreTable table(rows);
  if (table.agents().size() < 2) return {};
  describe_games(table, {&game, 1});
  stats::IntervalOptions bootstrap = bootstrap_options(options);
  bootstrap.resamples = options.metric_resamples;  // there may be many
  return stats::headline(table, "first", bootstrap).rows.front().difference;
}

}  // namespace

void describe_games(stats::ScoreTable& table, std::span<const GameResults> games) {
  for (const GameResults& game : games) {
    const auto range = score_range(game.score_min, game.score_max);
    if (!has(table.games(), game.name)) continue;
    const std::size_t at = table.game_index(game.name);
    if (range) table.set_range(at, *range);
    std::vector<std::string> names;
    for (const std::string& role : table.roles(at)) names.push_back(role_words(game, role));
    table.set_role_names(at, std::move(names));
  }
}

void append_rows(const GameResults& game, const Results& results, Counting counting,
                 std::vector<stats::ScoreRow>& rows) {
  const auto without = without_scale(game, counting);
  for (const ScoreUnit& unit : game.scores)
    if (unit.present[static_cast<std::size_t>(counting)] &&
        !without.contains({unit.treatment, unit.role}))
      rows.push_back(row_of(game, results, unit, counting));
}

stats::ScoreTable score_table(const Results& results, Counting counting, Whose whose) {
  std::vector<stats::ScoreRow> rows;
  for (const GameResults& game : results.games) append_rows(game, results, counting, rows);
  if (whose == Whose::compared)
    std::erase_if(rows,
                  [&](const auto& row) { return results.against_others.contains(row.agent); });
  stats::ScoreTable table(rows);
  describe_games(table, results.games);
  return table;
}

namespace {

/// Rows that are compared with no other: their scores alone.
void append_against_others(const Results& results, const stats::ScoreTable& whole,
                           const ReportOptions& options, Leaderboard& board) {
  if (whole.agents().empty()) return;
  const stats::Headline headline =
      stats::headline(whole, whole.agents().front(), bootstrap_options(options), options.aggregate);
  const auto append = [&](const std::string& agent, const stats::Estimate& score,
                          const auto& score_in) {
    if (!results.against_others.contains(agent)) return;
    LeaderRow& row = board.rows.emplace_back();
    row.agent = agent;
    row.against_others = true;
    // Ranks within a block would be among agents that met others.
    if (options.aggregate != stats::Aggregate::ranks) row.score = score;
    for (const std::string& game : board.games)
      row.game_scores.push_back(score_in(whole.game_index(game)));
    row.game_differences.resize(board.games.size());
    row.game_simultaneous.resize(board.games.size());
  };
  append(headline.reference, headline.reference_score,
         [&](std::size_t game) { return headline.reference_scores[game]; });
  for (const stats::HeadlineRow& from : headline.rows)
    append(from.agent, from.score, [&](std::size_t game) { return from.games[game].score; });
}

}  // namespace

Leaderboard make_leaderboard(const Results& results, const ReportOptions& options) {
  Leaderboard board;
  const stats::ScoreTable table = score_table(results, counting(results.policy), Whose::compared);
  const stats::ScoreTable whole =
      results.against_others.empty() ? table : score_table(results, counting(results.policy));
  board.games = table.agents().empty() ? whole.games() : table.games();
  for (const GameResults& game : results.games) {
    if (!has(board.games, game.name))
      board.without.push_back(
          {game.name, has(whole.games(), game.name)
                          ? "its agents met no background agent in common on the same blocks"
                          : why_without(game, results.policy)});
    else
      board.depends_on_field = board.depends_on_field || game.focal_matches < game.matches;
  }
  if (!results.against_others.empty()) append_against_others(results, whole, options, board);
  if (table.agents().empty()) return board;
  board.reference_scored = has(table.agents(), options.reference);
  const stats::Headline headline = stats::headline(table, base_of(table, options.reference),
                                                   bootstrap_options(options), options.aggregate);
  for (const stats::HeadlineRow& row : headline.rows)
    board.rows.push_back(leader_row(row, board.reference_scored));
  LeaderRow reference;
  reference.agent = headline.reference;
  reference.score = headline.reference_score;
  reference.ranks = headline.reference_ranks;
  reference.game_scores = headline.reference_scores;
  reference.game_differences.resize(board.games.size());
  reference.game_simultaneous.resize(board.games.size());
  board.rows.push_back(std::move(reference));
  stats::IntervalOptions pairwise = bootstrap_options(options);
  pairwise.resamples = options.metric_resamples;  // there are many pairs
  const auto intervals = stats::rank_intervals(table.made_alike(options.aggregate), pairwise);
  for (LeaderRow& row : board.rows) {
    if (row.against_others) continue;
    row.rank_interval = intervals[table.agent_index(row.agent)];
    if (!row.ranks || !row.rank_interval) {
      row.rank_interval.reset();
      continue;
    }
    // Pairs may share other blocks than each does with the reference.
    row.rank_interval->low = std::min(row.rank_interval->low, row.ranks->rank);
    row.rank_interval->high = std::max(row.rank_interval->high, row.ranks->rank);
  }
  std::sort(board.rows.begin(), board.rows.end(), [](const LeaderRow& a, const LeaderRow& b) {
    const std::size_t rank_a = a.ranks ? a.ranks->rank : static_cast<std::size_t>(-1);
    const std::size_t rank_b = b.ranks ? b.ranks->rank : static_cast<std::size_t>(-1);
    return rank_a != rank_b ? rank_a < rank_b : a.agent < b.agent;
  });
  return board;
}

TreatmentTable make_treatment(const Results& results, const GameResults& game,
                              std::size_t treatment, const ReportOptions& options) {
  TreatmentTable out;
  out.game = game.name;
  out.facts = game.treatments[treatment];
  const Counting chosen = counting(results.policy);
  std::vector<stats::ScoreRow> rows;
  append_rows(game, results, chosen, rows);
  const std::string prefix = fmt::format("{:04} ", treatment);
  std::erase_if(rows, [&](const auto& row) { return !row.role.starts_with(prefix); });
  stats::ScoreTable table(rows);
  if (table.agents().empty()) return out;
  describe_games(table, {&game, 1});
  const bool scored = has(table.agents(), options.reference);
  const stats::Headline headline =
      stats::headline(table, base_of(table, options.reference), bootstrap_options(options));
  out.rows.push_back({headline.reference, headline.reference_score, {}});
  for (const stats::HeadlineRow& row : headline.rows)
    out.rows.push_back({row.agent, row.score,
                        scored && !results.against_others.contains(row.agent) ? row.difference
                                                                              : stats::Estimate{}});
  std::sort(out.rows.begin(), out.rows.end(),
            [](const TreatmentRow& a, const TreatmentRow& b) { return a.agent < b.agent; });
  const auto first = static_cast<std::size_t>(
      std::find_if(game.treatments.begin(), game.treatments.end(),
                   [&](const TreatmentFacts& t) { return t.scenario == out.facts.scenario; }) -
      game.treatments.begin());
  if (first == treatment) return out;
  out.first = game.treatments[first].label;
  for (TreatmentRow& row : out.rows) {
    const auto agent = static_cast<std::size_t>(
        std::find(results.agents.begin(), results.agents.end(), row.agent) -
        results.agents.begin());
    row.contrast = contrast(results, game, agent, treatment, first, options);
  }
  return out;
}

std::vector<PolicyRow> make_policies(const Results& results, const ReportOptions& options) {
  std::map<std::string, PolicyRow> rows;
  // Only the means are used.
  stats::IntervalOptions once = bootstrap_options(options);
  once.resamples = 1;
  std::vector<std::string> games;
  for (std::size_t p = 0; p < 3; ++p) {
    const stats::ScoreTable table =
        score_table(results, counting(static_cast<FaultPolicy>(p)), Whose::compared);
    if (p == 0) games = table.games();
    // A ranking over other games would not be comparable.
    if (table.agents().empty() || table.games() != games) continue;
    const bool scored = has(table.agents(), options.reference);
    const stats::Headline headline =
        stats::headline(table, base_of(table, options.reference), once, options.aggregate);
    const auto place = [&](const std::string& agent, std::optional<double> difference,
                           const std::optional<stats::RankRange>& ranks) {
      rows[agent].agent = agent;
      PolicyRow::PolicyRank& at = rows[agent].places[p];
      at.value = difference;
      if (ranks) at.rank = ranks->rank;
    };
    for (const stats::HeadlineRow& row : headline.rows)
      place(row.agent, scored ? row.difference.value : row.score.value, row.ranks);
    place(headline.reference, scored ? std::optional<double>(0) : headline.reference_score.value,
          headline.reference_ranks);
  }
  std::vector<PolicyRow> list;
  for (auto& [agent, row] : rows) list.push_back(std::move(row));
  std::stable_sort(list.begin(), list.end(), [](const PolicyRow& a, const PolicyRow& b) {
    const auto rank = [](const PolicyRow& row) {
      return row.places[0].rank.value_or(static_cast<std::size_t>(-1));
    };
    return rank(a) < rank(b);
  });
  return list;
}

std::string policy_verdict(const Results& results, const std::vector<PolicyRow>& policies) {
  if (policies.empty()) return "No agent has a normalised score, so there is no ranking.";
  std::int64_t forced = 0;
  for (const AgentFacts& agent : results.facts) forced += agent.forced;
  if (forced == 0) return "No answer was forced: the fault policy does not decide the ranking.";
  std::string moved;
  std::string none;   // policies that rank nobody
  bool lost = false;  // somebody has no rank where others have
  for (const FaultPolicy policy : {FaultPolicy::forfeit, FaultPolicy::exclude}) {
    const auto p = static_cast<std::size_t>(policy);
    if (std::none_of(policies.begin(), policies.end(),
                     [&](const PolicyRow& row) { return row.places[p].rank.has_value(); }))
      none += (none.empty() ? "" : " and ") + std::string(name(policy));
  }
  for (const PolicyRow& row : policies) {
    const auto& played = row.places[0].rank;
    bool moves = false;
    for (const FaultPolicy policy : {FaultPolicy::forfeit, FaultPolicy::exclude}) {
      const auto& rank = row.places[static_cast<std::size_t>(policy)].rank;
      moves = moves || (played && rank && *played != *rank);
      lost = lost || (played && !rank && none.find(name(policy)) == std::string::npos);
    }
    if (moves) moved += (moved.empty() ? "" : ", ") + row.agent;
  }
  std::string verdict;
  if (!moved.empty())
    verdict = "The fault policy decides the ranking: it moves " + moved + ".";
  else if (none.empty() && !lost)
    verdict = "The ranking is the same under all three policies: they do not decide it.";
  else
    verdict = "No rank differs where there is one under several policies.";
  if (!none.empty())
    verdict += " Under " + none + " there is no ranking: a game is left without any block.";
  if (lost) verdict += " Where a rank is missing, too few blocks are left to have one.";
  return verdict;
}

std::vector<BoundsRow> make_bounds(const Results& results) {
  std::vector<BoundsRow> rows;
  std::int64_t missing = 0;
  for (const GameResults& game : results.games) missing += game.missing;
  if (missing == 0) return rows;
  const stats::ScoreTable worst = score_table(results, Counting::worst);
  const stats::ScoreTable best = score_table(results, Counting::best);
  const auto mean = [](const stats::ScoreTable& table,
                       const std::string& agent) -> std::optional<double> {
    if (!has(table.agents(), agent)) return std::nullopt;
    double sum = 0;
    for (std::size_t g = 0; g < table.games().size(); ++g) {
      const auto score = table.score(g, table.agent_index(agent));
      if (!score) return std::nullopt;
      sum += *score;
    }
    return sum / static_cast<double>(table.games().size());
  };
  for (const AgentFacts& facts : results.facts) {
    if (facts.unfinished == 0 && facts.game_faults == 0) continue;
    rows.push_back({facts.name, facts.unfinished, facts.game_faults, mean(worst, facts.name),
                    mean(best, facts.name)});
  }
  return rows;
}

namespace {

/// A game as the sequence sees it: its bins in looks, each scenario at the same rate.
struct Ordered {
  std::map<std::string, std::vector<std::size_t>> of_scenario;  // bins, by name

  explicit Ordered(const GameResults& game) {
    std::map<std::string, std::set<std::pair<std::string, std::size_t>>> met;
    for (const ScoreUnit& unit : game.scores)
      met[game.treatments[unit.treatment].scenario].insert({game.bins[unit.bin].name, unit.bin});
    for (const auto& [scenario, bins] : met)
      for (const auto& [name, bin] : bins) of_scenario[scenario].push_back(bin);
  }
};

/// No more places on a curve than people can tell apart.
constexpr std::size_t kMostPlaces = 50;

/// What comes in look by look. Without bounds: intervals by betting hold where every bet was made
/// before its block was played, and a report does not know in which order blocks were.
struct Looks {
  stats::PairedLooks seen;
  std::vector<std::vector<stats::LookRow>> to_come;
};

Looks looks_of(const Results& results) {
  std::vector<Ordered> games;
  std::size_t looks = 0;
  for (const GameResults& game : results.games) {
    for (const auto& [scenario, bins] : games.emplace_back(game).of_scenario)
      looks = looks == 0 ? bins.size() : std::min(looks, bins.size());
  }
  stats::PairedLooks all(results.agents.size(), {results.games.size(), std::nullopt});
  std::vector<std::vector<stats::LookRow>> rows(looks);
  std::size_t cells = 0;
  const auto counted = static_cast<std::size_t>(counting(results.policy));
  for (std::size_t g = 0; g < results.games.size(); ++g) {
    const GameResults& game = results.games[g];
    std::vector<std::size_t> look_of(game.bins.size());
    for (const auto& [scenario, bins] : games[g].of_scenario)
      for (std::size_t i = 0; i < bins.size(); ++i) look_of[bins[i]] = i * looks / bins.size();
    for (const ScoreUnit& unit : game.scores) {
      if (!unit.present[counted]) continue;
      rows[look_of[unit.bin]].push_back({g, cells + unit.treatment * game.roles.size() + unit.role,
                                         unit.bin, unit.agent, unit.gain[counted],
                                         unit.pie[counted]});
    }
    cells += game.treatments.size() * game.roles.size();
    auto units =
        shared_units(game.bins.size(), [&](std::size_t bin) { return game.bins[bin].cluster; });
    if (!units.empty()) all.share(g, std::move(units));
  }
  return {std::move(all), std::move(rows)};
}

}  // namespace

std::vector<AnytimeRow> make_anytime(const Results& results, const ReportOptions& options) {
  std::vector<AnytimeRow> list;
  const auto reference = std::find(results.agents.begin(), results.agents.end(), options.reference);
  if (reference == results.agents.end() || results.against_others.contains(*reference)) return list;
  const auto base = static_cast<std::size_t>(reference - results.agents.begin());
  for (const std::string& agent : results.agents) list.push_back({agent, {}});
  Looks looks = looks_of(results);
  const std::size_t most = looks.to_come.size();
  for (std::size_t look = 1; look <= most; ++look) {
    looks.seen.add(looks.to_come[look - 1]);
    // Evenly spread over the looks, the last among them.
    if (look * kMostPlaces / most == (look - 1) * kMostPlaces / most) continue;
    for (std::size_t a = 0; a < list.size(); ++a)
      if (a != base && !results.against_others.contains(list[a].agent))
        list[a].course.push_back({look, looks.seen.difference(a, base, options.level)});
  }
  for (AnytimeRow& row : list)
    if (!row.course.empty()) row.difference = row.course.back().difference;
  std::erase_if(list, [](const AnytimeRow& row) { return !row.difference.value; });
  return list;
}

std::vector<FactorReport> make_factors(const Results& results, const ReportOptions& options) {
  // Agents in the order of the suite, so that a factor's first level is the one written first.
  std::vector<const AgentFacts*> order;
  for (const AgentFacts& agent : results.facts)
    if (!agent.levels.levels.empty()) order.push_back(&agent);
  std::stable_sort(order.begin(), order.end(),
                   [](const AgentFacts* a, const AgentFacts* b) { return a->row < b->row; });
  std::map<std::string, std::vector<stats::FactorAgent>> families;
  for (const AgentFacts* agent : order)
    families[agent->levels.family + agent->apart].push_back({agent->name, agent->levels.levels});
  std::vector<FactorReport> reports;
  if (families.empty()) return reports;
  const stats::ScoreTable table = score_table(results, counting(results.policy));
  stats::IntervalOptions bootstrap;
  bootstrap.level = options.level;
  bootstrap.resamples = options.resamples;
  bootstrap.seed = options.seed;
  for (const auto& [family, agents] : families) {
    if (agents.size() < 2) continue;
    FactorReport& report = reports.emplace_back();
    report.family = family;
    report.agents = agents.size();
    report.games = table.games();
    report.effects = stats::factor_effects(table, agents, bootstrap, options.aggregate);
  }
  return reports;
}

}  // namespace agon::report
