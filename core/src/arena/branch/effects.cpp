#include "branch/effects.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "archive/export/turns.hpp"
#include "stats/statistics.hpp"

namespace agon::branch {
namespace {

using archive::BranchChange;
using archive::BranchRow;
using archive::MatchId;
using archive::MatchRow;
using stats::ClusteredValue;

/// A seat's score, on the game's scale where it has one.
double score_of(const MatchRow& match, const archive::SeatRow& seat) {
  const double score = archive::normalised_score(match, seat);
  return std::isfinite(score) ? score : seat.payoff;
}

/// What effects need of a match of an archive of branches.
struct BranchedMatch {
  std::int64_t number = 0;
  std::int64_t scenario = 0;
  std::string block;  ///< or what blocks share
  std::vector<double> scores;
  std::vector<std::int64_t> agents;
  std::vector<std::string> roles;
};

/// What a match shares its chance with.
std::string block_of(const std::map<std::int64_t, archive::ScenarioRow>& scenarios,
                     const MatchRow& match) {
  if (!match.cluster.empty()) return match.cluster;
  return scenarios.at(match.key.scenario).draws() + '\n' + std::to_string(match.key.block);
}

std::string names_of_others(const std::map<std::int64_t, archive::AgentRow>& agents,
                            const BranchedMatch& match, std::size_t seat) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < match.agents.size(); ++i)
    if (i != seat) names.insert(agents.at(match.agents[i]).name);
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

/// Sums of effects that are one cut.
struct CutSum {
  BranchEffect effect;
  double count = 0;
};

using CutKey = std::tuple<MatchId, std::int64_t, std::int64_t, BranchChange, std::string>;

void add_branch(std::map<CutKey, CutSum>& cuts, const CutKey& key, BranchEffect effect) {
  CutSum& sum = cuts.try_emplace(key, CutSum{effect, 0}).first->second;
  if (sum.count > 0) {
    sum.effect.change_of_score += effect.change_of_score;
    sum.effect.change_of_others += effect.change_of_others;
  }
  ++sum.count;
}

std::map<MatchId, BranchedMatch> branched_matches(const archive::Archive& archive,
                                                  const std::map<MatchId, BranchRow>& rows) {
  std::map<MatchId, BranchedMatch> matches;
  const auto scenarios = archive.scenarios();
  archive.matches().each({}, [&](std::int64_t number, const MatchRow& match) {
    if (match.status != archive::MatchStatus::finished || !rows.contains(match.key.id)) return true;
    BranchedMatch& out = matches[match.key.id];
    out.number = number;
    out.scenario = match.key.scenario;
    out.block = block_of(scenarios, match);
    for (const archive::SeatRow& seat : match.seats) {
      out.scores.push_back(score_of(match, seat));
      out.agents.push_back(seat.agent);
      out.roles.push_back(seat.role);
    }
    return true;
  });
  return matches;
}

/// Groups of effects under one name, each with its estimate.
struct SwapGroup {
  std::vector<ClusteredValue> values;
  std::set<std::string> parts;  ///< agents or stages
};

using SwapKey = std::tuple<std::string, BranchChange, std::string, std::string, std::string>;

/// What a change of several parents did, by what was changed.
struct ReplyTable {
  std::map<std::string, std::map<std::size_t, std::pair<double, double>>> tried;  ///< sum, count
};

BestReply best_of(const ReplyTable& table, const stats::IntervalOptions& options) {
  std::map<std::size_t, std::size_t> seen;
  for (const auto& [text, parents] : table.tried)
    for (const auto& [parent, sum] : parents) ++seen[parent];
  std::erase_if(seen, [&](const auto& one) { return one.second < table.tried.size(); });
  std::vector<std::vector<double>> values{std::vector<double>(seen.size())};
  std::vector<std::string> texts{""};
  for (const auto& [text, parents] : table.tried) {
    std::vector<double>& gains = values.emplace_back();
    texts.push_back(text);
    for (const auto& [parent, count] : seen) {
      const auto& [sum, n] = parents.at(parent);
      gains.push_back(sum / n);
    }
  }
  const stats::BestOfHalves best = stats::best_of_halves(values, 0, options);
  BestReply out;
  out.text = texts[best.best];
  out.tried = table.tried.size();
  out.gain = best.gain;
  return out;
}

std::vector<std::vector<double>> scores_by_answer(
    const std::vector<const archive::DecisionRow*>& answers) {
  std::vector<std::vector<double>> values;
  std::size_t repeats = answers.front()->scores.size();
  for (const archive::DecisionRow* row : answers) repeats = std::min(repeats, row->scores.size());
  for (const archive::DecisionRow* row : answers)
    values.emplace_back(row->scores.begin(),
                        row->scores.begin() + static_cast<std::ptrdiff_t>(repeats));
  return values;
}

/// The rows of each question, which stand together.
std::vector<std::vector<const archive::DecisionRow*>> by_question(
    const std::vector<archive::DecisionRow>& rows) {
  std::vector<std::vector<const archive::DecisionRow*>> questions;
  const archive::DecisionRow* last = nullptr;
  for (const archive::DecisionRow& row : rows) {
    if (last == nullptr || last->match != row.match || last->question != row.question ||
        last->reference != row.reference || last->others != row.others)
      questions.emplace_back();
    questions.back().push_back(&row);
    last = &row;
  }
  return questions;
}

double mean_of(const std::vector<double>& values) {
  return stats::mean(values).value_or(0);
}

}  // namespace

std::vector<BranchEffect> branch_effects(const archive::Archive& archive) {
  const std::map<MatchId, BranchRow> rows = archive::branches_of(archive);
  if (rows.empty()) return {};
  const std::map<MatchId, BranchedMatch> matches = branched_matches(archive, rows);
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto agents = archive.agents();
  std::map<std::pair<std::string, std::string>, std::size_t> clusters;  // game, block
  std::map<CutKey, CutSum> cuts;
  for (const auto& [id, row] : rows) {
    const auto branch = matches.find(id), parent = matches.find(row.unchanged);
    const auto seat = static_cast<std::size_t>(row.seat.value_or(0));
    if (row.change == BranchChange::none || !row.seat || branch == matches.end() ||
        parent == matches.end() || seat >= parent->second.scores.size() ||
        branch->second.scores.size() != parent->second.scores.size())
      continue;
    const BranchedMatch& before = parent->second;
    BranchEffect effect{
        .game = archive.row(games, archive.row(scenarios, before.scenario).game).name,
        .agent = archive.row(agents, before.agents[seat]).name,
        .others = names_of_others(agents, before, seat),
        .role = before.roles[seat],
        .stage = row.stage,
        .question = row.question.value_or(0),
        .change = row.change,
        .text = row.text,
        .number = branch->second.number};
    effect.cluster =
        clusters.try_emplace({effect.game, before.block}, clusters.size()).first->second;
    double others = 0;
    for (std::size_t i = 0; i < before.scores.size(); ++i)
      (i == seat ? effect.change_of_score : others) += branch->second.scores[i] - before.scores[i];
    if (before.scores.size() > 1)
      effect.change_of_others = others / static_cast<double>(before.scores.size() - 1);
    if (!std::isfinite(effect.change_of_score)) continue;
    add_branch(cuts, {row.unchanged, row.question.value_or(0), *row.seat, row.change, row.text},
               std::move(effect));
  }
  std::vector<BranchEffect> out;
  for (auto& [key, sum] : cuts) {
    sum.effect.change_of_score /= sum.count;
    sum.effect.change_of_others /= sum.count;
    out.push_back(std::move(sum.effect));
  }
  return out;
}

std::vector<BranchEffect> tried_answers(const archive::Archive& archive) {
  std::vector<archive::DecisionRow> rows = archive::decisions_of(archive);
  std::erase_if(rows, [](const archive::DecisionRow& row) { return !row.others; });
  std::map<MatchId, MatchRow> matches;
  for (const archive::DecisionRow& row : rows) matches.try_emplace(row.match);
  if (matches.empty()) return {};
  archive.matches().each({}, [&](std::int64_t, const MatchRow& match) {
    if (const auto at = matches.find(match.key.id); at != matches.end()) at->second = match;
    return true;
  });
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto agents = archive.agents();
  std::map<std::pair<std::string, std::string>, std::size_t> clusters;  // game, block
  std::vector<BranchEffect> out;
  for (const auto& answers : by_question(rows)) {
    const auto values = scores_by_answer(answers);
    const auto chosen = std::ranges::find_if(answers, [](const auto* a) { return a->chosen; });
    const archive::DecisionRow& row = *answers.front();
    const MatchRow& match = matches.at(row.match);
    const auto seat = static_cast<std::size_t>(row.seat);
    if (chosen == answers.end() || seat >= match.seats.size()) continue;
    BranchedMatch seats;
    for (const archive::SeatRow& one : match.seats) seats.agents.push_back(one.agent);
    const auto base = static_cast<std::size_t>(chosen - answers.begin());
    const std::string& game =
        archive.row(games, archive.row(scenarios, match.key.scenario).game).name;
    const std::size_t cluster =
        clusters.try_emplace({game, block_of(scenarios, match)}, clusters.size()).first->second;
    for (std::size_t a = 0; a < answers.size(); ++a)
      out.push_back({.game = game,
                     .agent = archive.row(agents, match.seats[seat].agent).name,
                     .others = names_of_others(agents, seats, seat),
                     .role = match.seats[seat].role,
                     .stage = row.stage + ", question " + std::to_string(row.question),
                     .question = row.question,
                     .change = BranchChange::answer,
                     .text = answers[a]->answer,
                     .cluster = cluster,
                     .change_of_score = mean_of(values[a]) - mean_of(values[base])});
  }
  return out;
}

std::vector<SwapEffect> swap_effects(const std::vector<BranchEffect>& branches,
                                     const stats::IntervalOptions& options) {
  std::map<SwapKey, SwapGroup> groups;  // empty agent or stage: all of them, which come first
  for (const BranchEffect& b : branches) {
    if (b.change == BranchChange::answer) continue;
    const ClusteredValue value{b.cluster, b.change_of_score};
    const auto add = [&](const std::string& agent, const std::string& stage,
                         const std::string& part) {
      SwapGroup& group = groups[{b.game, b.change, b.text, agent, stage}];
      group.values.push_back(value);
      group.parts.insert(part);
    };
    add("", "", b.agent);
    add(b.agent, "", b.stage);
    add(b.agent, b.stage, "");
  }
  std::vector<SwapEffect> out;
  for (const auto& [key, group] : groups) {
    const auto& [game, change, text, agent, stage] = key;
    // A total of one part says what the part says.
    if (agent.empty() && group.parts.size() < 2) continue;
    if (!stage.empty() && groups.at({game, change, text, agent, ""}).parts.size() < 2) continue;
    out.push_back({game, agent, stage, change, text, group.values.size(),
                   stats::clustered_mean(group.values, options)});
  }
  return out;
}

std::vector<BestReply> best_replies(const std::vector<BranchEffect>& branches,
                                    const stats::IntervalOptions& options) {
  using Key = std::tuple<std::string, std::string, std::string, BranchChange, std::string>;
  std::map<Key, ReplyTable> tables;
  for (const BranchEffect& b : branches) {
    const bool is_answer = b.change == BranchChange::answer;
    if (!is_answer && b.change != BranchChange::agent) continue;
    ReplyTable& table = tables[{b.game, b.others, b.role, b.change, is_answer ? b.stage : ""}];
    auto& [sum, count] = table.tried[b.text][b.cluster];
    sum += b.change_of_score;
    ++count;
  }
  std::vector<BestReply> out;
  for (const auto& [key, table] : tables) {
    BestReply& reply = out.emplace_back(best_of(table, options));
    std::tie(reply.game, reply.others, reply.role, reply.change, reply.stage) = key;
  }
  return out;
}

std::vector<DecisionLoss> decision_losses(const archive::Archive& archive,
                                          const stats::IntervalOptions& options) {
  const std::vector<archive::DecisionRow> rows = archive::decisions_of(archive);
  std::vector<DecisionLoss> out;
  const auto scenarios = archive.scenarios();
  const auto games = archive.games();
  const auto agents = archive.agents();
  std::map<MatchId, std::pair<std::int64_t, MatchRow>> matches;
  for (const archive::DecisionRow& row : rows) matches[row.match].first = 0;
  if (!matches.empty())
    archive.matches().each({}, [&](std::int64_t number, const MatchRow& match) {
      if (const auto at = matches.find(match.key.id); at != matches.end())
        at->second = {number, match};
      return true;
    });
  for (const auto& answers : by_question(rows)) {
    const archive::DecisionRow& row = *answers.front();
    const auto& [number, match] = matches.at(row.match);
    const auto chosen =
        std::ranges::find_if(answers, [](const auto* answer) { return answer->chosen; });
    const auto seat = static_cast<std::size_t>(row.seat);
    if (number == 0 || chosen == answers.end() || seat >= match.seats.size()) continue;
    const auto base = static_cast<std::size_t>(chosen - answers.begin());
    const stats::BestOfHalves best =
        stats::best_of_halves(scores_by_answer(answers), base, options);
    out.push_back({.match = row.match,
                   .number = number,
                   .game = archive.row(games, archive.row(scenarios, match.key.scenario).game).name,
                   .agent = archive.row(agents, match.seats[seat].agent).name,
                   .stage = row.stage,
                   .reference = row.reference,
                   .question = row.question,
                   .seat = row.seat,
                   .answers = answers.size(),
                   .complete = row.complete,
                   .chosen = (*chosen)->answer,
                   .best = answers[best.best]->answer,
                   .loss = best.gain});
  }
  std::ranges::stable_sort(out, [](const DecisionLoss& a, const DecisionLoss& b) {
    if (a.is_blunder() != b.is_blunder()) return a.is_blunder();
    return a.loss.value.value_or(0) > b.loss.value.value_or(0);
  });
  return out;
}

std::vector<PreferredAnswer> preferred_answers(const std::vector<archive::DecisionRow>& rows,
                                               const stats::IntervalOptions& options) {
  std::vector<PreferredAnswer> out;
  for (const auto& answers : by_question(rows)) {
    const auto values = scores_by_answer(answers);
    std::size_t worst = 0;
    double least = 0;
    for (std::size_t a = 0; a < values.size(); ++a) {
      double sum = 0;
      for (std::size_t u = 0; u < values[a].size(); u += 2) sum += values[a][u];
      if (a == 0 || sum < least) {
        least = sum;
        worst = a;
      }
    }
    const stats::BestOfHalves best = stats::best_of_halves(values, worst, options);
    if (best.is_base || !best.gain.interval || !(best.gain.interval->low > 0)) continue;
    out.push_back({answers[best.best], answers[worst], mean_of(values[best.best]),
                   mean_of(values[worst]), best.gain});
  }
  return out;
}

}  // namespace agon::branch
