#include "meta/meta.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "archive/rows.hpp"
#include "meta/payoffs.hpp"
#include "results/names.hpp"
#include "results/participant.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "results/tally.hpp"
#include "text/hash.hpp"
#include "text/words.hpp"

namespace agon::report {

namespace {

/// How an agent stands in the game over one label or factor.
struct MetaAgent {
  std::string level;
  std::string base;  ///< what it shares with those it is compared with
};

/// Nothing if the agent has no such label or factor.
std::optional<MetaAgent> meta_agent(const archive::AgentRow& row, const std::string& factor) {
  std::optional<MetaAgent> found;
  std::string others;
  for (const auto& [name, level] : all_levels_of(row)) {
    if (name == factor) {
      found.emplace().level = level;
    } else {
      others += (others.empty() ? "" : ", ") + name + " " + level;
    }
  }
  if (!found) return found;
  const bool made_by_factors = !row.family.empty() && row.family != row.name;
  if (made_by_factors)
    found->base = row.family + (others.empty() ? "" : ", " + others);
  else if (!others.empty())
    found->base = others;
  else if (found->base = model_word(row, "model"); found->base.empty())
    found->base = model_word(row, "provider");
  return found;
}

/// Names of `list` with commas between them, where the names of `known` may hold commas too: of
/// those that fit, the longest is taken. What fits nothing stays as it is.
std::vector<std::string> split_names(const std::string& list,
                                     const std::vector<std::string>& known) {
  std::vector<std::string> names;
  for (std::size_t at = 0; at <= list.size();) {
    std::size_t longest = std::string::npos;
    for (const std::string& name : known) {
      const bool fits = list.compare(at, name.size(), name) == 0 &&
                        (at + name.size() == list.size() || list[at + name.size()] == ',');
      if (fits && (longest == std::string::npos || name.size() > longest)) longest = name.size();
    }
    const std::size_t end =
        longest == std::string::npos ? std::min(list.find(',', at), list.size()) : at + longest;
    names.push_back(list.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

/// What is played while it is read: choices are numbered as `names` are.
struct OpenMeta {
  std::string scenario;
  std::map<std::string, std::size_t> treatments;
  MetaGame game;
  std::vector<std::string> names;   ///< of all choices, in the order of the suite
  std::vector<std::string> agents;  ///< an agent of each
  struct BlockSums {
    std::set<std::string> items;  ///< what its matches are about
    std::map<std::size_t, std::map<std::vector<std::size_t>, std::vector<MetaSum>>> sums;
  };
  std::map<std::int64_t, BlockSums> blocks;  ///< by number; their sums by treatment and choices
};

class MetaReader {
 public:
  MetaReader(const archive::Archive& archive, const MetaQuestion& question, FaultPolicy policy,
             double level)
      : archive_(archive),
        agent_rows_(archive.agents()),
        scenarios_(archive.scenarios()),
        games_(archive.games()) {
    report_.question = question;
    report_.policy = policy;
    report_.level = level;
  }

  MetaReport go() {
    tell_scenarios_apart();
    if (archive_.suites().size() > 1) leave_other_agents_out();
    if (report_.question.label.empty())
      take_agents();
    else
      take_levels();
    if (report_.policy == FaultPolicy::exclude) find_forced();
    archive_.matches().each({}, [&](std::int64_t, const archive::MatchRow& match) {
      if (match.status == archive::MatchStatus::finished) add(match);
      return true;
    });
    if (open_.empty()) refuse_nothing_fits();
    for (auto& [key, open] : open_) finish(open);
    return std::move(report_);
  }

 private:
  /// Scenarios of one name are one only where settings, versions and seed are the same: a suite may
  /// have changed its settings, and plays by hand are all of one suite.
  void tell_scenarios_apart() {
    const std::set<std::int64_t> played = archive_.matches().scenarios();
    std::erase_if(scenarios_, [&](const auto& entry) { return !played.contains(entry.first); });
    for (const auto& [number, name] : scenario_names(archive_, scenarios_, games_))
      scenarios_.at(number).name += name.apart;
  }

  /// In an archive of several suites levels are those of the agents that played.
  void leave_other_agents_out() {
    std::set<std::int64_t> agents;
    archive_.matches().each({.in_order = false}, [&](std::int64_t, const archive::MatchRow& match) {
      for (const archive::SeatRow& seat : match.seats) agents.insert(seat.agent);
      return true;
    });
    std::erase_if(agent_rows_, [&](const auto& entry) { return !agents.contains(entry.first); });
  }

  void take_agent(std::int64_t number, const archive::AgentRow& row, const MetaAgent& agent) {
    agents_.emplace(number, agent);
    auto& levels = levels_[agent.base];  // rows are in the order of the suite
    if (std::ranges::none_of(levels, [&](const auto& at) { return at.first == agent.level; }))
      levels.emplace_back(agent.level, row.name);
  }

  /// Every agent is a choice of its own, whatever its skins; several specs of one name are told
  /// apart.
  void take_agents() {
    const std::map<std::int64_t, std::int64_t> rows = rows_of_agents(archive_);
    const auto all = archive_.agents();  // others may be left out of the rows
    std::map<std::string, std::set<std::int64_t>> specs;
    for (const auto& [number, row] : agent_rows_) specs[row.name].insert(rows.at(number));
    std::vector<std::string> known;
    for (const auto& [name, numbers] : specs) known.push_back(name);
    std::set<std::string> wanted;
    if (report_.question.agents != "all") {
      for (const std::string& name : split_names(report_.question.agents, known)) {
        if (!specs.contains(name))
          throw Error(ErrorKind::not_found,
                      "the archive has no agent '" + name + "'" + text::did_you_mean(name, known),
                      archive_.path().string(),
                      "name agents with commas between, or all of them with 'all'");
        wanted.insert(name);
      }
    }
    for (const auto& [number, row] : agent_rows_) {
      if (!wanted.empty() && !wanted.contains(row.name)) continue;
      const archive::AgentRow& own = all.at(rows.at(number));
      take_agent(number, row,
                 {specs[row.name].size() > 1 ? row.name + "@" + hash::hex(own.hash).substr(0, 6)
                                             : row.name,
                  ""});
    }
  }

  void take_levels() {
    std::set<std::string> known;
    for (const auto& [number, row] : agent_rows_)
      for (const auto& [name, level] : all_levels_of(row)) known.insert(name);
    label_ = report_.question.label;
    std::string some;
    if (const std::size_t equals = label_.find('=');
        !known.contains(label_) && equals != std::string::npos) {
      some = label_.substr(equals + 1);
      label_.resize(equals);
    }
    const std::vector<std::string> names(known.begin(), known.end());
    if (!known.contains(label_))
      throw Error(ErrorKind::not_found,
                  "no agent of the archive has a label or factor '" + label_ + "'" +
                      text::did_you_mean(label_, names),
                  archive_.path().string(),
                  "write \"labels\": {\"" + label_ +
                      "\": \"use\"} into the agents of the suite, and run it again: what was "
                      "played stays; or compare agents by name with --metagame-agents");
    std::vector<std::string> levels;
    for (const auto& [number, row] : agent_rows_)
      if (const auto agent = meta_agent(row, label_))
        if (std::ranges::find(levels, agent->level) == levels.end()) levels.push_back(agent->level);
    std::vector<std::string> wanted = levels;
    if (!some.empty()) wanted = split_names(some, levels);
    for (const std::string& level : wanted)
      if (std::ranges::find(levels, level) == levels.end())
        throw Error(ErrorKind::not_found,
                    "no agent of the archive has '" + label_ + "' at '" + level + "'" +
                        text::did_you_mean(level, levels),
                    archive_.path().string(), "name levels that were played");
    for (const auto& [number, row] : agent_rows_) {
      const auto agent = meta_agent(row, label_);
      if (agent && std::ranges::find(wanted, agent->level) != wanted.end())
        take_agent(number, row, *agent);
    }
  }

  /// Blocks that the policy `exclude` leaves out.
  void find_forced() {
    archive_.matches().each({}, [&](std::int64_t, const archive::MatchRow& match) {
      if (archive::excludes_block(match)) forced_.emplace(match.key.scenario, match.key.block);
      return true;
    });
  }

  void add(const archive::MatchRow& match) {
    if (match.seats.size() < 2) {
      ++report_.one_seat;
      return;
    }
    std::vector<const MetaAgent*> seated;
    for (const archive::SeatRow& seat : match.seats) {
      const auto at = agents_.find(seat.agent);
      if (at == agents_.end()) {
        ++report_.not_chosen;
        return;
      }
      seated.push_back(&at->second);
    }
    if (std::ranges::any_of(
            seated, [&](const MetaAgent* agent) { return agent->base != seated[0]->base; })) {
      ++report_.other_bases;
      return;
    }
    if (forced_.contains({match.key.scenario, match.key.block})) {
      ++report_.excluded;
      return;
    }
    if (std::ranges::any_of(
            match.seats, [](const archive::SeatRow& seat) { return !std::isfinite(seat.payoff); }))
      return;
    const archive::ScenarioRow& scenario = archive_.row(scenarios_, match.key.scenario);
    OpenMeta& open = game(match, scenario, seated[0]->base);
    const std::size_t treatment =
        open.treatments.try_emplace(scenario.treatment, open.treatments.size()).first->second;
    std::vector<std::size_t> choices;
    for (const MetaAgent* agent : seated)
      choices.push_back(static_cast<std::size_t>(std::ranges::find(open.names, agent->level) -
                                                 open.names.begin()));
    OpenMeta::BlockSums& block = open.blocks[match.key.block];
    if (!match.cluster.empty()) block.items.insert(match.cluster);
    auto& sums = block.sums[treatment][choices];
    sums.resize(match.seats.size());
    const double stake =
        archive::stake_of(archive_.row(games_, scenario.game).match_metrics, match.metrics);
    for (std::size_t s = 0; s < sums.size(); ++s)
      add(match.seats[s], std::pow(10.0, open.game.decimals), stake, sums[s]);
  }

  void add(const archive::SeatRow& seat, double minor, double stake, MetaSum& sum) const {
    const double score = report_.policy == FaultPolicy::forfeit ? forfeited(seat) : seat.payoff;
    sum.score += score / minor;
    sum.matches += 1;
    const double pie = seat.ideal - seat.disagreement;
    if (!std::isfinite(seat.disagreement) || !std::isfinite(seat.ideal)) return;
    sum.gain += (score - seat.disagreement) / (minor * stake);
    sum.pie += pie / (minor * stake);
    sum.scaled += 1;
  }

  OpenMeta& game(const archive::MatchRow& match, const archive::ScenarioRow& scenario,
                 const std::string& base) {
    const std::size_t order = order_.try_emplace(scenario.name, order_.size()).first->second;
    const auto [at, added] = open_.try_emplace({order, match.seats.size(), base});
    OpenMeta& open = at->second;
    const archive::GameRow& row = archive_.row(games_, scenario.game);
    if (added) open.game.score_min = row.score_min, open.game.score_max = row.score_max;
    archive::widen(open.game.score_min, open.game.score_max, row.score_min, row.score_max);
    if (!added) return open;
    open.scenario = scenario.name;
    open.game.game = row.name;
    open.game.decimals = row.score_decimals;
    open.game.base = base;
    bool alike = true;
    for (const archive::SeatRow& seat : match.seats) {
      open.game.seats.push_back(seat.name);
      alike = alike && seat.role == match.seats.front().role;
    }
    open.game.symmetric = alike && !report_.question.seats_apart;
    for (const auto& [level, agent] : levels_.at(base)) {
      open.names.push_back(level);
      open.agents.push_back(agent);
    }
    return open;
  }

  [[noreturn]] void refuse_nothing_fits() const {
    if (report_.excluded > 0)
      throw Error(ErrorKind::not_found,
                  "every match that fits stands in a block with a forced answer, which the fault "
                  "policy 'exclude' leaves out",
                  archive_.path().string(), "name another policy with --fault-policy");
    std::string list;
    for (const auto& [base, levels] : levels_)
      for (const auto& [level, agent] : levels) {
        list += (list.empty() ? "'" : ", '") + agent + "'";
        if (!label_.empty()) list += " (" + level + ")";
      }
    throw Error(ErrorKind::not_found,
                label_.empty() ? "no finished match of two or more seats has these agents only"
                               : "no finished match of two or more seats has agents of one base "
                                 "with a level of '" +
                                     label_ + "' on all seats",
                archive_.path().string(), "play these against each other and themselves: " + list);
  }

  /// Choices of each seat, as numbers of the open game's names: for a label all of them, for agents
  /// those seen on the seat (on any, where seats are alike).
  [[nodiscard]] std::vector<std::vector<std::size_t>> choices_of(const OpenMeta& open) const {
    std::vector<std::set<std::size_t>> seen(open.game.players());
    for (const auto& [number, block] : open.blocks)
      for (const auto& [treatment, sums] : block.sums)
        for (const auto& [choices, seats] : sums)
          for (std::size_t s = 0; s < choices.size(); ++s)
            seen[open.game.symmetric ? 0 : s].insert(choices[s]);
    std::vector<std::vector<std::size_t>> all(open.game.players());
    for (std::size_t s = 0; s < all.size(); ++s) {
      const auto& here = seen[open.game.symmetric ? 0 : s];
      for (std::size_t c = 0; c < open.names.size(); ++c)
        if (!label_.empty() || here.contains(c)) all[s].push_back(c);
    }
    return all;
  }

  /// Names the choices; false if they make too many line-ups.
  [[nodiscard]] static bool choose(const OpenMeta& open,
                                   const std::vector<std::vector<std::size_t>>& choices,
                                   MetaGame& game) {
    game.choices.clear();
    game.agents.clear();
    double profiles = 1;
    for (const auto& here : choices) {
      auto& names = game.choices.emplace_back();
      auto& agents = game.agents.emplace_back();
      for (const std::size_t c : here) {
        names.push_back(open.names[c]);
        agents.push_back(open.agents[c]);
      }
      profiles *= static_cast<double>(here.size());
    }
    return profiles <= static_cast<double>(kMostLineUps);
  }

  /// Of all agents those that met in all line-ups, found by leaving out, again and again, the one
  /// that lacks most of them. All stay if fewer than two would.
  static void leave_out(const OpenMeta& open, std::vector<std::vector<std::size_t>>& choices,
                        MetaGame& game) {
    std::set<std::vector<std::size_t>> played;
    for (const auto& [number, block] : open.blocks)
      for (const auto& [treatment, sums] : block.sums)
        for (const auto& [seated, seats] : sums) {
          auto line_up = seated;
          if (game.symmetric) std::ranges::sort(line_up);
          played.insert(std::move(line_up));
        }
    auto left = choices;
    std::vector<std::string> out;
    for (;;) {
      if (!choose(open, left, game)) return;
      std::map<std::size_t, std::size_t> lacks;
      for (const MetaLineUp& line_up : line_ups_of(game)) {
        std::vector<std::size_t> seated;
        for (std::size_t s = 0; s < left.size(); ++s) seated.push_back(left[s][line_up.choices[s]]);
        if (played.contains(seated)) continue;
        for (const std::size_t c : std::set(seated.begin(), seated.end())) ++lacks[c];
      }
      if (lacks.empty()) break;
      auto worst = lacks.begin();  // of equals the last
      for (auto at = lacks.begin(); at != lacks.end(); ++at)
        if (at->second >= worst->second) worst = at;
      out.push_back(open.names[worst->first]);
      for (auto& here : left) std::erase(here, worst->first);
      for (const auto& here : left)
        if (here.empty() || (game.symmetric && here.size() < 2)) return;
    }
    choices = std::move(left);
    std::ranges::sort(out);
    game.left_out = std::move(out);
  }

  void finish(OpenMeta& open) {
    MetaGame& game = open.game;
    game.treatments = open.treatments.size();
    game.label = game.treatments == 1
                     ? treatment_words(open.scenario, open.treatments.begin()->first)
                     : open.scenario;
    auto choices = choices_of(open);
    if (report_.question.agents == "all") leave_out(open, choices, game);
    if (choose(open, choices, game)) {
      std::size_t units = 0;
      const std::vector<MetaBlock> blocks = blocks_of(open, choices, units);
      solve(game, blocks, units, report_);
    } else {
      game.note = fmt::format("more than {} line-ups would be needed; choose fewer", kMostLineUps);
    }
    report_.games.push_back(std::move(game));
  }

  /// What was played, in numbers of the game's choices, and how many units there are.
  static std::vector<MetaBlock> blocks_of(OpenMeta& open,
                                          const std::vector<std::vector<std::size_t>>& choices,
                                          std::size_t& units) {
    std::map<std::string, std::size_t> places;
    std::vector<MetaBlock> blocks;
    for (auto& [number, block] : open.blocks) {
      // A sequence over several items is a unit by itself.
      const std::string unit = block.items.size() == 1 ? "item " + *block.items.begin()
                                                       : "block " + std::to_string(number);
      const std::size_t place = places.try_emplace(unit, places.size()).first->second;
      for (auto& [treatment, sums] : block.sums) {
        MetaBlock& out = blocks.emplace_back();
        out.unit = place;
        out.treatment = treatment;
        for (auto& [seated, seats] : sums) {
          std::vector<std::size_t> chosen;
          for (std::size_t s = 0; s < seated.size(); ++s) {
            const auto at = std::ranges::find(choices[s], seated[s]);
            if (at == choices[s].end()) break;
            chosen.push_back(static_cast<std::size_t>(at - choices[s].begin()));
          }
          if (chosen.size() == seated.size()) out.sums.emplace(std::move(chosen), std::move(seats));
        }
      }
    }
    units = places.size();
    return blocks;
  }

  const archive::Archive& archive_;
  std::map<std::int64_t, archive::AgentRow> agent_rows_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, MetaAgent> agents_;
  std::map<std::string, std::vector<std::pair<std::string, std::string>>> levels_;  // by base
  std::string label_;                                       // empty: agents by name
  std::set<std::pair<std::int64_t, std::int64_t>> forced_;  // scenario, block
  std::map<std::string, std::size_t> order_;                // of scenarios, by name
  /// By order of the scenario, number of seats, and base.
  std::map<std::tuple<std::size_t, std::size_t, std::string>, OpenMeta> open_;
  MetaReport report_;
};

}  // namespace

MetaReport make_meta(const archive::Archive& archive, const MetaQuestion& question,
                     FaultPolicy policy, double level) {
  return MetaReader(archive, question, policy, level).go();
}

MetaReport meta_of(const std::string& path, const MetaQuestion& question,
                   const ReportRequest& choice) {
  archive::Archive archive = archive::Archive::open(path);
  MetaReport made;
  archive.together([&] {
    Narrowed scope = narrow(archive, choice.scope);
    const SuiteWishes suite = suite_wishes(archive);
    made = make_meta(archive, question, policy_of(choice.policy, suite, path), suite.level);
    made.scope = std::move(scope);
  });
  return made;
}

}  // namespace agon::report
