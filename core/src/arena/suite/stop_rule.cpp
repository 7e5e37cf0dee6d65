#include "suite/stop_rule.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/game.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>
#include <map>
#include <set>

#include "stats/sequential/confidence_sequence.hpp"
#include "suite/suite.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using StopKind = StopRule::StopKind;

constexpr std::string_view kForms =
    "write {\"difference\": 0.05}, {\"best\": 0.95}, {\"best\": {\"blocks\": 40}} or "
    "{\"decide\": \"a > b\"}; in short difference=0.05, best=0.95, best=40 blocks, a > b";

[[noreturn]] void refuse(const std::string& what, std::string hint = std::string(kForms)) {
  throw Error(ErrorKind::invalid, what, "", std::move(hint));
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

double probability(double p, const std::string& what) {
  if (!(p > 0.5 && p < 1)) refuse(what + " must be between 0.5 and 1, such as 0.95");
  return p;
}

/// The short form as what it is short for.
suite_file::StopEntry long_form(std::string_view text) {
  suite_file::StopEntry stop;
  text = trimmed(text);
  const auto value_of = [&](std::string_view key) -> std::optional<std::string_view> {
    if (!text.starts_with(key)) return std::nullopt;
    const std::string_view rest = trimmed(text.substr(key.size()));
    if (!rest.starts_with('=')) return std::nullopt;
    return trimmed(rest.substr(1));
  };
  if (const auto width = value_of("difference")) {
    stop.difference = text::number_in<double>(*width);
    if (stop.difference) return stop;
  } else if (const auto best = value_of("best")) {
    if (const auto number = text::number_in<double>(*best)) {
      stop.best = *number;
      return stop;
    }
    for (const std::string_view unit : {"blocks", "block"})
      if (best->ends_with(unit))
        if (const auto blocks =
                text::number_in<double>(trimmed(best->substr(0, best->size() - unit.size())))) {
          stop.best = suite_file::Budget{*blocks};
          return stop;
        }
  } else if (text.find('>') != std::string_view::npos) {
    stop.decide = std::string(text);
    return stop;
  }
  refuse("invalid stopping rule '" + std::string(text) + "'");
}

std::vector<std::string> names(const Suite& suite) {
  std::vector<std::string> all;
  for (const AgentSpec& agent : suite.agents) all.push_back(agent.name());
  return all;
}

int agent_of(const std::string& name, const Suite& suite) {
  const auto known = names(suite);
  const auto at = std::find(known.begin(), known.end(), name);
  if (at == known.end())
    refuse("unknown agent '" + name + "'" + text::did_you_mean(name, known),
           "name agents of the suite");
  return static_cast<int>(at - known.begin());
}

/// Agents whose own scores count in every game: focal ones, and all where nobody is.
std::vector<int> scored(const Suite& suite) {
  std::map<std::string_view, std::set<int>> by_game;
  for (const Scenario& s : suite.scenarios)
    for (const design::Seating& line_up : s.plan->line_ups()) {
      std::set<int>& game = by_game[s.game->id];
      if (line_up.focal() >= 0) {
        game.insert(line_up.focal());
      } else {
        const auto agents = line_up.assignment(0);
        game.insert(agents.begin(), agents.end());
      }
    }
  std::vector<int> all;
  for (std::size_t a = 0; a < suite.agents.size(); ++a)
    if (std::all_of(by_game.begin(), by_game.end(),
                    [&](const auto& game) { return game.second.contains(static_cast<int>(a)); }))
      all.push_back(static_cast<int>(a));
  return all;
}

void require_scored(int agent, const std::vector<int>& scored, const Suite& suite) {
  if (std::find(scored.begin(), scored.end(), agent) == scored.end())
    refuse("agent '" + suite.agents[static_cast<std::size_t>(agent)].name() +
               "' has no score in every game of the suite: where a line-up is about an agent, only "
               "that one counts",
           "make it focal in every scenario, or name another");
}

/// The two of "a > b"; a name may have a '>' of its own.
std::vector<int> two_of(const std::string& text, const Suite& suite) {
  std::string first, second;
  for (std::size_t at = text.find('>'); at != std::string::npos; at = text.find('>', at + 1)) {
    first = trimmed(std::string_view(text).substr(0, at));
    second = trimmed(std::string_view(text).substr(at + 1));
    const auto known = names(suite);
    if (std::find(known.begin(), known.end(), first) != known.end() &&
        std::find(known.begin(), known.end(), second) != known.end())
      break;
  }
  if (first.empty() || second.empty())
    refuse("'" + text + "' does not name two agents", "write {\"decide\": \"a > b\"}");
  std::vector<int> two{agent_of(first, suite), agent_of(second, suite)};
  if (two[0] == two[1]) refuse("an agent is not better than itself", "name two agents");
  return two;
}

const StopRulePlace nowhere = [](const std::string&) { return std::string(); };

/// The rule of an object; `place` says where it stands.
class RuleReader {
 public:
  RuleReader(const suite_file::StopEntry& stop, const Suite& suite, const StopRulePlace& place)
      : stop_(stop), suite_(suite), place_(place), all_(scored(suite)) {}

  StopRule read() {
    check_kind();
    rule_.level = suite_.level;
    if (stop_.level)
      at("level", [&] {
        if (stop_.best) refuse("'level' does not go with best, which says its certainty itself");
        rule_.level = probability(*stop_.level, "level");
      });
    if (stop_.agents)
      at("agents", [&] { read_agents(*stop_.agents); });
    else
      rule_.agents = all_;
    if (stop_.difference)
      at("difference", [&] { read_difference(*stop_.difference); });
    else if (stop_.decide)
      at("decide", [&] { read_decide(*stop_.decide); });
    else
      at("best", [&] { read_best(); });
    if (stop_.min_blocks) at("min_blocks", [&] { read_fewest(*stop_.min_blocks); });
    if (stop_.worst) at("worst", [&] { read_worst(*stop_.worst); });
    return std::move(rule_);
  }

 private:
  /// Does a piece of work; an error without a place gets that of the member, or of the whole.
  template <class Work>
  void at(const std::string& member, Work work) const {
    try {
      work();
    } catch (const Error& error) {
      if (!error.where().empty()) throw;
      throw Error(error.kind(), error.problem(), place_(member), error.hint());
    }
  }

  void check_kind() const {
    const int kinds =
        stop_.difference.has_value() + stop_.best.has_value() + stop_.decide.has_value();
    if (kinds == 1) return;
    at(kinds == 0     ? ""
       : stop_.decide ? "decide"
                      : "best",
       [&] {
         refuse(kinds == 0 ? "a stop rule needs one of difference, best and decide"
                           : "a stop rule is one of difference, best and decide");
       });
  }

  void read_agents(const std::vector<std::string>& names) {
    if (stop_.decide) refuse("'agents' does not go with decide, which names its two");
    for (const std::string& name : names) {
      const int agent = agent_of(name, suite_);
      require_scored(agent, all_, suite_);
      if (std::find(rule_.agents.begin(), rule_.agents.end(), agent) == rule_.agents.end())
        rule_.agents.push_back(agent);
    }
  }

  void read_difference(double target) {
    rule_.kind = StopKind::difference;
    rule_.target = target;
    if (!(target > 0 && std::isfinite(target)))
      refuse("the half-width of a difference must be above 0, such as 0.05");
    if (suite_.against.empty())
      refuse("differences are to the reference, and the suite has none",
             "name it: \"report\": { \"reference\": \"NAME\" }");
    rule_.reference = agent_of(suite_.against, suite_);
    require_scored(rule_.reference, all_, suite_);
    std::erase(rule_.agents, rule_.reference);
    if (rule_.agents.empty())
      refuse("there is nobody to compare with the reference '" + suite_.against + "'",
             "let another agent have a score in every game");
  }

  void read_decide(const std::string& two) {
    rule_.kind = StopKind::decide;
    rule_.agents = two_of(two, suite_);
    for (const int agent : rule_.agents) require_scored(agent, all_, suite_);
  }

  void read_best() {
    if (const auto* budget = std::get_if<suite_file::Budget>(&*stop_.best)) {
      rule_.kind = StopKind::budget;
      const double n = budget->blocks;
      if (!(n >= 2 && n <= 1e9 && n == std::floor(n)))
        refuse("blocks must be a whole number from 2 to 1000000000");
      rule_.blocks = static_cast<std::uint64_t>(n);
    } else {
      rule_.target = probability(std::get<double>(*stop_.best), "the certainty of best");
    }
    if (rule_.agents.size() < 2)
      refuse("who is best is no question with " +
                 text::counted(rule_.agents.size(), "agent that has a score",
                               "agents that have a score") +
                 " in every game",
             "let two agents or more have one: as focal agents, or in a design without them");
  }

  void read_fewest(std::uint64_t blocks) {
    if (rule_.kind == StopKind::budget)
      refuse("'min_blocks' does not go with a budget, which says how many blocks are played");
    if (blocks < 1) refuse("min_blocks must be 1 or more");
    rule_.min_blocks = blocks;
  }

  void read_worst(double worst) {
    if (rule_.kind != StopKind::best && rule_.kind != StopKind::decide)
      refuse("'worst' goes with best=CERTAINTY and decide only",
             "leave it out: what blocks of a kind not seen could change is said in the verdict");
    if (!(worst > 0 && std::isfinite(worst)))
      refuse("worst must be above 0: how far a difference of normalised scores can go in a block");
    rule_.worst = worst;
  }

  const suite_file::StopEntry& stop_;
  const Suite& suite_;
  const StopRulePlace& place_;
  const std::vector<int> all_;  // who has a score
  StopRule rule_;
};

}  // namespace

StopRule read_stop_rule(const std::variant<std::string, suite_file::StopEntry>& said,
                        const Suite& suite, const StopRulePlace& place) {
  // A text has no members to point to.
  if (const auto* text = std::get_if<std::string>(&said))
    return RuleReader(long_form(*text), suite, nowhere).read();
  return RuleReader(std::get<suite_file::StopEntry>(said), suite, place).read();
}

StopRule read_stop_rule(std::string_view text, const Suite& suite) {
  const std::string_view rest = trimmed(text);
  if (!rest.starts_with('{')) return RuleReader(long_form(rest), suite, nowhere).read();
  suite_file::StopEntry stop;
  if (const auto problem = read_json(stop, rest, Missing::keeps)) refuse(problem->text());
  return RuleReader(stop, suite, nowhere).read();
}

namespace {

bj::object kind_json(const StopRule& rule, const Suite& suite) {
  const auto name = [&](int agent) { return suite.agents[static_cast<std::size_t>(agent)].name(); };
  bj::array agents;
  for (const int agent : rule.agents) agents.emplace_back(name(agent));
  switch (rule.kind) {
    case StopKind::difference:
      return {{"difference", rule.target},
              {"agents", std::move(agents)},
              {"reference", name(rule.reference)},
              {"level", rule.level}};
    case StopKind::decide:
      return {{"decide", name(rule.agents[0]) + " > " + name(rule.agents[1])},
              {"level", rule.level}};
    case StopKind::budget:
      return {{"best", bj::object{{"blocks", rule.blocks}}}, {"agents", std::move(agents)}};
    case StopKind::best:
      break;
  }
  return {{"best", rule.target}, {"agents", std::move(agents)}};
}

std::string kind_words(const StopRule& rule, const Suite& suite) {
  const auto name = [&](int agent) {
    return "'" + suite.agents[static_cast<std::size_t>(agent)].name() + "'";
  };
  switch (rule.kind) {
    case StopKind::difference:
      return fmt::format(
          "until {} to {} known within {:g} to either side ({})",
          rule.agents.size() == 1 ? "the difference of " + name(rule.agents[0]) : "all differences",
          name(rule.reference) + (rule.agents.size() == 1 ? " is" : " are"), rule.target,
          text::percent(rule.level));
    case StopKind::decide:
      return fmt::format("until it is decided which of {} and {} is better ({})",
                         name(rule.agents[0]), name(rule.agents[1]), text::percent(rule.level));
    case StopKind::budget:
      return fmt::format("until what {} of all {} cost is spent on finding the best of them",
                         text::counted(rule.blocks, "block"),
                         text::counted(rule.agents.size(), "agent"));
    case StopKind::best:
      break;
  }
  return fmt::format("until it is known with {} certainty which of {} is best",
                     text::percent(rule.target), text::counted(rule.agents.size(), "agent"));
}

}  // namespace

bj::object to_json(const StopRule& rule, const Suite& suite) {
  bj::object json = kind_json(rule, suite);
  if (rule.min_blocks) json["min_blocks"] = *rule.min_blocks;
  if (rule.worst) json["worst"] = *rule.worst;
  return json;
}

std::string describe(const StopRule& rule, const Suite& suite) {
  std::string words = kind_words(rule, suite);
  if (rule.kind == StopKind::budget) return words;
  const std::uint64_t fewest = rule.min_blocks.value_or(stats::kFewestToDecide);
  const bool bounded =
      std::all_of(suite.scenarios.begin(), suite.scenarios.end(),
                  [&](const Scenario& s) { return score_bounds(suite, s.game->id).has_value(); });
  words += fmt::format(
      ", after {} or more{}, so that nothing that happens in under {:.1f}% of "
      "blocks matters",
      text::counted(fewest, "independent block"),
      bounded && !rule.min_blocks ? " (fewer while every block has the same pies)" : "",
      100 * (1 - std::pow(0.05, 1 / static_cast<double>(fewest))));
  if (rule.worst) words += fmt::format("; no difference in a block is beyond {:g}", *rule.worst);
  return words;
}

std::uint64_t most_looks(const Suite& suite) {
  std::uint64_t looks = suite.scenarios.front().blocks;
  for (const Scenario& s : suite.scenarios) looks = std::min(looks, s.blocks);
  return looks;
}

bool can_drop(const Suite& suite) {
  return std::any_of(suite.scenarios.begin(), suite.scenarios.end(), [](const Scenario& s) {
    const auto& line_ups = s.plan->line_ups();
    return std::any_of(line_ups.begin(), line_ups.end(),
                       [](const design::Seating& l) { return l.focal() >= 0; });
  });
}

stats::StopQuestion question(const StopRule& rule, const Suite& suite) {
  stats::StopQuestion question;
  question.kind = rule.kind;
  for (const int agent : rule.agents) question.agents.push_back(static_cast<std::size_t>(agent));
  question.reference = static_cast<std::size_t>(std::max(rule.reference, 0));
  question.target = rule.target;
  question.level = rule.level;
  question.budget = static_cast<std::size_t>(rule.blocks);
  question.most_looks = static_cast<std::size_t>(most_looks(suite));
  question.drops = can_drop(suite);
  if (rule.min_blocks) question.fewest = static_cast<std::size_t>(*rule.min_blocks);
  question.worst = rule.worst;
  return question;
}

std::optional<stats::Interval> score_bounds(const Suite& suite, std::string_view game) {
  for (const Scenario& s : suite.scenarios) {
    if (s.game->id != game) continue;
    const Range range = s.game->card.score_range;
    if (range.min < -stats::kFarthestRange || range.max > stats::kFarthestRange)
      return std::nullopt;
    // A fault policy may put a seat to zero.
    return stats::Interval{std::min(range.min, 0.0), std::max(range.max, 0.0)};
  }
  return std::nullopt;
}

std::string why_never(const StopRule& rule, const Suite& suite) {
  const stats::StopTest test(question(rule, suite));
  const std::uint64_t looks = most_looks(suite);
  if (rule.kind == StopKind::budget) {
    if (test.budget() == rule.blocks) return {};
    return fmt::format("the suite has {}, enough for the cost of {} of all agents, not of {}",
                       text::counted(looks, "block"), text::counted(test.budget(), "block"),
                       rule.blocks);
  }
  double range = 0;
  std::set<std::string_view> games;
  bool bounded = true;
  for (const Scenario& s : suite.scenarios) {
    if (!games.insert(s.game->id).second) continue;
    const auto bounds = score_bounds(suite, s.game->id);
    bounded = bounded && bounds;
    if (bounds) range += bounds->high - bounds->low;
  }
  range /= static_cast<double>(games.size());
  // Only play tells whether bounds serve: pies may vary, and blocks share items.
  const std::size_t fewest_unbounded = test.fewest_looks(false);
  const std::size_t fewest = std::min(test.fewest_looks(bounded), fewest_unbounded);
  if (fewest > looks)
    return fmt::format("the stopping rule needs at least {}; the suite has {}",
                       text::counted(fewest, "block"), looks);
  if (rule.kind == StopKind::difference && bounded) {
    const std::vector<double> same(
        static_cast<std::size_t>(std::min<std::uint64_t>(looks, 100'000)));
    const auto interval = stats::betting_sequence(same, {-range, range}, rule.level);
    if (const double half = (interval.high - interval.low) / 2; half > rule.target)
      return fmt::format(
          "the stopping rule cannot be met with {}{}: even if all blocks agree, the half-width is "
          "{:.2g}",
          text::counted(looks, "block"),
          looks < fewest_unbounded ? "" : " with equal pies and no shared items", half);
  }
  return {};
}

}  // namespace agon
