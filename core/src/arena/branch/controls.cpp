#include "branch/controls.hpp"

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>

#include "archive/archive.hpp"
#include "archive/matches/result_columns.hpp"
#include "branch/line_up.hpp"
#include "design/plan.hpp"
#include "plugin/catalogue.hpp"
#include "replay/replay.hpp"

namespace agon::branch {
namespace {

using stats::GainAndPie;

/// What the seats of a match got, and what its block is a part of.
struct ControlPlay {
  std::vector<GainAndPie> seats;
  std::string cluster;
};

/// A line-up and the seat that counts, which matches of a block have as often.
using CountedSeat = std::tuple<std::int64_t, std::vector<const AgentInGame*>, std::size_t>;

/// An agent in one role of a scenario.
struct ControlCell {
  std::map<std::string, GainAndPie> study;                  ///< by unit
  std::vector<std::map<std::string, GainAndPie>> controls;  ///< by control and unit
  std::vector<std::map<CountedSeat, std::map<std::int64_t, double>>>
      seats;  ///< how often, by block
};

/// An agent in a game.
struct ControlSubject {
  std::vector<std::string> controls;
  std::map<std::pair<std::int64_t, std::string>, ControlCell> cells;  ///< by scenario and role
};

void add_times(GainAndPie& to, const GainAndPie& more, double times) {
  to.gain += times * more.gain;
  to.pie += times * more.pie;
}

/// Plays controls, and sums up what they get.
class ControlPlays {
 public:
  ControlPlays(const archive::Archive& archive, const Catalogue& catalogue,
               const ControlRequest& request)
      : archive_(archive),
        request_(request),
        replayer_(archive, catalogue),
        references_(catalogue),
        scenarios_(archive.scenarios()),
        games_(archive.games()),
        agents_(archive.agents()) {}

  [[nodiscard]] std::vector<ControlledScore> scores(const stats::IntervalOptions& options);

 private:
  void note(const archive::MatchRow& match);
  void add_seat(const archive::MatchRow& match, std::size_t seat, double share);
  const AgentInGame& control(const std::string& name, std::int64_t scenario);
  const AgentInGame& agent(std::int64_t row, std::int64_t scenario) {
    return replayer_.agent_of(row, *replayer_.stage_of(scenario).game);
  }
  FreeLineUp& line_up(std::int64_t scenario, const std::vector<const AgentInGame*>& agents);
  ControlPlay play(std::int64_t scenario, const std::vector<const AgentInGame*>& agents,
                   std::uint64_t stream, std::int64_t block, std::int64_t repeat);
  [[nodiscard]] static std::vector<std::size_t> counted(const archive::MatchRow& match);
  [[nodiscard]] std::string unit_of(std::int64_t scenario, std::int64_t block,
                                    const std::string& cluster) const {
    return cluster.empty()
               ? archive_.row(scenarios_, scenario).draws() + '\n' + std::to_string(block)
               : cluster;
  }
  /// What a control gets in further blocks, by unit.
  std::map<std::string, GainAndPie> beyond(
      std::int64_t scenario, const std::map<CountedSeat, std::map<std::int64_t, double>>& seats);
  stats::ControlledTerm term_of(const ControlCell& cell, std::int64_t scenario,
                                const std::map<std::string, std::size_t>& units,
                                std::map<std::string, std::size_t>& further);
  ControlledScore score_of(const std::pair<std::string, std::string>& whose,
                           const ControlSubject& subject, const stats::IntervalOptions& options);

  const archive::Archive& archive_;
  const ControlRequest& request_;
  Replayer replayer_;
  ReferenceAgents references_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::pair<std::string, std::int64_t>, std::int64_t> named_;  ///< row by name, scenario
  std::map<std::int64_t, std::int64_t> blocks_;                         ///< first one beyond
  std::map<std::pair<std::int64_t, std::vector<const AgentInGame*>>, std::unique_ptr<FreeLineUp>>
      line_ups_;
  std::map<std::tuple<std::int64_t, std::vector<const AgentInGame*>, std::int64_t, std::int64_t>,
           ControlPlay>
      played_;
  std::map<std::pair<std::string, std::string>, ControlSubject> subjects_;  ///< game, agent
};

/// The seats that count for scores.
std::vector<std::size_t> ControlPlays::counted(const archive::MatchRow& match) {
  std::vector<std::size_t> seats;
  for (std::size_t i = 0; i < match.seats.size(); ++i)
    if (!match.focal || match.seats[i].agent == *match.focal) seats.push_back(i);
  return seats;
}

void ControlPlays::note(const archive::MatchRow& match) {
  std::int64_t& first = blocks_[match.key.scenario];
  first = std::max(first, match.key.block + 1);
  for (const archive::SeatRow& seat : match.seats)
    named_.try_emplace({archive_.row(agents_, seat.agent).name, match.key.scenario}, seat.agent);
}

const AgentInGame& ControlPlays::control(const std::string& name, std::int64_t scenario) {
  const Game& game = *replayer_.stage_of(scenario).game;
  const auto known = named_.find({name, scenario});
  if (known == named_.end()) return references_.made(name, game, "--control");
  const AgentInGame& in = agent(known->second, scenario);
  if (!is_free(in))
    throw Error(ErrorKind::usage, "'" + name + "' is not an agent that answers at once",
                "--control", "name a rule agent: it is played many times");
  return in;
}

FreeLineUp& ControlPlays::line_up(std::int64_t scenario,
                                  const std::vector<const AgentInGame*>& agents) {
  auto& known = line_ups_[{scenario, agents}];
  if (known == nullptr) {
    const Replayer::StoredScenario& stage = replayer_.stage_of(scenario);
    known = std::make_unique<FreeLineUp>(*stage.game, stage.stored.settings, agents);
  }
  return *known;
}

ControlPlay ControlPlays::play(std::int64_t scenario, const std::vector<const AgentInGame*>& agents,
                               std::uint64_t stream, std::int64_t block, std::int64_t repeat) {
  const Outcome& outcome =
      line_up(scenario, agents)
          .play(stream, static_cast<std::uint64_t>(block), static_cast<std::uint64_t>(repeat));
  const archive::GameRow& game = archive_.row(games_, archive_.row(scenarios_, scenario).game);
  const std::vector<double> metrics(outcome.match_metrics().begin(), outcome.match_metrics().end());
  const double stake = archive::stake_of(game.match_metrics, metrics);
  ControlPlay out;
  for (int i = 0; i < outcome.seats(); ++i) {
    const SeatOutcome& seat = outcome[i];
    const double pie = (seat.ideal - seat.disagreement) / stake;
    const double gain = (seat.score - seat.disagreement) / stake;
    const bool counts = std::isfinite(gain) && std::isfinite(pie);
    out.seats.push_back(counts ? GainAndPie{gain, pie} : GainAndPie{});
  }
  const std::string_view by = replayer_.stage_of(scenario).game->card.cluster;
  for (std::size_t i = 0; i < game.match_metrics.size() && i < metrics.size(); ++i)
    if (!by.empty() && game.match_metrics[i].name == by)
      out.cluster = archive::cluster_text(metrics[i]);
  return out;
}

void ControlPlays::add_seat(const archive::MatchRow& match, std::size_t seat, double share) {
  const archive::SeatRow& row = match.seats[seat];
  const archive::ScenarioRow& scenario = archive_.row(scenarios_, match.key.scenario);
  const archive::GameRow& game = archive_.row(games_, scenario.game);
  const double stake = archive::stake_of(game.match_metrics, match.metrics);
  const GainAndPie own{(row.payoff - row.disagreement) / stake,
                       (row.ideal - row.disagreement) / stake};
  if (!std::isfinite(own.gain) || !std::isfinite(own.pie)) return;
  const std::string unit = unit_of(match.key.scenario, match.key.block, match.cluster);
  ControlSubject& subject = subjects_[{game.name, archive_.row(agents_, row.agent).name}];
  ControlCell& cell = subject.cells[{match.key.scenario, row.role}];
  add_times(cell.study[unit], own, share);
  std::size_t k = 0;
  for (const std::string& name : request_.agents) {
    const AgentInGame& in = control(name, match.key.scenario);
    if (in.digest == agent(row.agent, match.key.scenario).digest || !in.plays(row.role)) continue;
    if (subject.controls.size() == k) subject.controls.push_back(name);
    if (cell.controls.size() == k) {
      cell.controls.emplace_back();
      cell.seats.emplace_back();
    }
    std::vector<const AgentInGame*> agents;
    for (const archive::SeatRow& other : match.seats) {
      const AgentInGame& stays = agent(other.agent, match.key.scenario);
      agents.push_back(other.agent == row.agent || !is_free(stays) ? &in : &stays);
    }
    const auto [at, is_new] = played_.try_emplace(
        {match.key.scenario, agents, match.key.block, match.key.repeat}, ControlPlay{});
    if (is_new)
      at->second =
          play(match.key.scenario, agents, match.rng_key, match.key.block, match.key.repeat);
    add_times(cell.controls[k][unit], at->second.seats[seat], share);
    cell.seats[k][{match.key.scenario, agents, seat}][match.key.block] += share;
    ++k;
  }
}

std::map<std::string, GainAndPie> ControlPlays::beyond(
    std::int64_t scenario, const std::map<CountedSeat, std::map<std::int64_t, double>>& seats) {
  std::map<std::string, GainAndPie> units;
  const archive::ScenarioRow& row = archive_.row(scenarios_, scenario);
  const std::int64_t first = blocks_.at(scenario);
  double whole = 0;  // of the shares of a block, on average
  std::set<std::int64_t> blocks;
  for (const auto& [seat, shares] : seats)
    for (const auto& [block, share] : shares) {
      whole += share;
      blocks.insert(block);
    }
  whole /= static_cast<double>(blocks.size());
  for (std::uint64_t b = 0; b < request_.blocks; ++b) {
    const std::int64_t block = first + static_cast<std::int64_t>(b);
    const std::uint64_t stream =
        stream_key(*row.seed, row.draws(), static_cast<std::uint64_t>(block), 0);
    for (const auto& [seat, shares] : seats) {
      double times = 0;
      for (const auto& [played, share] : shares) times += share;
      const ControlPlay got = play(scenario, std::get<1>(seat), stream, block, 0);
      add_times(units[unit_of(scenario, block, got.cluster)], got.seats[std::get<2>(seat)],
                times / static_cast<double>(blocks.size()) / whole);
    }
  }
  return units;
}

stats::ControlledTerm ControlPlays::term_of(const ControlCell& cell, std::int64_t scenario,
                                            const std::map<std::string, std::size_t>& units,
                                            std::map<std::string, std::size_t>& further) {
  stats::ControlledTerm term;
  term.study.resize(units.size());
  for (const auto& [unit, got] : cell.study) term.study[units.at(unit)] = got;
  for (std::size_t k = 0; k < cell.controls.size(); ++k) {
    auto& control = term.controls.emplace_back(units.size());
    for (const auto& [unit, got] : cell.controls[k]) control[units.at(unit)] = got;
    auto& expected = term.beyond.emplace_back();
    for (const auto& [unit, got] : beyond(scenario, cell.seats[k])) {
      const std::size_t at = further.try_emplace(unit, further.size()).first->second;
      if (expected.size() <= at) expected.resize(at + 1);
      expected[at] = got;
    }
  }
  return term;
}

ControlledScore ControlPlays::score_of(const std::pair<std::string, std::string>& whose,
                                       const ControlSubject& subject,
                                       const stats::IntervalOptions& options) {
  std::map<std::string, std::size_t> units, further;
  for (const auto& [where, cell] : subject.cells)
    for (const auto& [unit, got] : cell.study) units.try_emplace(unit, units.size());
  std::vector<stats::ControlledTerm> terms;
  for (const auto& [where, cell] : subject.cells) {
    terms.push_back(term_of(cell, where.first, units, further));
    terms.back().weight = 1 / static_cast<double>(subject.cells.size());
  }
  return {.game = whose.first,
          .agent = whose.second,
          .controls = subject.controls,
          .score = stats::controlled(terms, options)};
}

std::vector<ControlledScore> ControlPlays::scores(const stats::IntervalOptions& options) {
  // How many seats of an agent count in a block, so that every block weighs the same.
  using Place = std::tuple<std::int64_t, std::int64_t, std::int64_t, std::string>;
  std::map<Place, double> counts;
  const auto finished = [](const archive::MatchRow& match) {
    return match.status == archive::MatchStatus::finished;
  };
  const auto place = [](const archive::MatchRow& match, std::size_t seat) {
    return Place{match.key.scenario, match.key.block, match.seats[seat].agent,
                 match.seats[seat].role};
  };
  archive_.matches().each({}, [&](std::int64_t, const archive::MatchRow& match) {
    if (!finished(match)) return true;
    note(match);
    for (const std::size_t seat : counted(match)) ++counts[place(match, seat)];
    return true;
  });
  for (const auto& [scenario, block] : blocks_)
    if (!archive_.row(scenarios_, scenario).seed)
      throw Error(ErrorKind::usage, "the archive does not know the seed of its chance",
                  archive_.path().string(), "play the suite again with this version of Agon");
  archive_.matches().each({}, [&](std::int64_t, const archive::MatchRow& match) {
    if (!finished(match) || match.key.position != 0) return true;
    for (const std::size_t seat : counted(match))
      add_seat(match, seat, 1 / counts.at(place(match, seat)));
    return true;
  });
  std::vector<ControlledScore> out;
  for (const auto& [whose, subject] : subjects_)
    if (!subject.controls.empty()) out.push_back(score_of(whose, subject, options));
  return out;
}

}  // namespace

std::vector<ControlledScore> controlled_scores(const archive::Archive& archive,
                                               const Catalogue& catalogue,
                                               const ControlRequest& request,
                                               const stats::IntervalOptions& options) {
  if (request.agents.empty()) return {};
  return ControlPlays(archive, catalogue, request).scores(options);
}

}  // namespace agon::branch
