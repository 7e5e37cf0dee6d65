#include "allocation/stop_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>

#include "json/write.hpp"
#include "suite/stop_rule.hpp"
#include "text/words.hpp"

namespace agon {
namespace {

using StopKind = StopRule::StopKind;

std::string looks_text(std::uint64_t looks, std::uint64_t most) {
  return fmt::format("{} of {}", looks, text::counted(most, "block"));
}

/// What a decision does not reckon with: the weakest of the differences that it rests on. Nothing
/// where declared ranges of scores leave no room for it.
std::string unless(const StopRule& rule, const stats::StopTest& test,
                   const stats::PairedLooks& looks, const StopState& state) {
  double unseen = 0;
  std::optional<double> cost;
  for (const StopState::AgentState& agent : state.agents) {
    unseen = std::max(unseen, agent.unseen.value_or(0));
    if (agent.overturned_by) cost = std::min(cost.value_or(HUGE_VAL), *agent.overturned_by);
  }
  if (unseen == 0) return {};
  std::string words = fmt::format(
      ", unless something happens in under {:.1f}% of blocks that these do not show", 100 * unseen);
  if (rule.kind == StopKind::difference || !cost) return words;
  if (rule.worst)
    return fmt::format(
        ", if no block makes a difference beyond {:g}, which the rule takes for granted",
        *rule.worst);
  if (test.worst(looks)) return {};
  return words + fmt::format(" and turns against the better one by {:.2g} on average", *cost);
}

std::string verdict_of(const Suite& suite, const stats::StopTest& test,
                       const stats::PairedLooks& looks, const StopState& state) {
  const StopRule& rule = *suite.stop;
  const std::uint64_t taken = *state.looks;
  const std::string after = looks_text(taken, state.most_looks);
  if (!test.decided()) {
    if (taken < state.most_looks) return "not decided yet, after " + after;
    std::string in;
    std::size_t many = 0;
    for (const StopState::AgentState& agent : state.agents)
      if (agent.in && ++many <= 4) in += (in.empty() ? "'" : ", '") + agent.agent + "'";
    std::string verdict = "not decided after all " + text::counted(taken, "block");
    if (rule.kind == StopKind::best)
      verdict += many > 4 ? fmt::format(": {} agents are still in", many)
                          : ": " + in + " are not told apart";
    return verdict;
  }
  switch (rule.kind) {
    case StopKind::best:
      return fmt::format("decided after {}: '{}' is best ({} certainty){}", after, *state.best,
                         text::percent(rule.target), unless(rule, test, looks, state));
    case StopKind::budget: {
      std::string verdict =
          "after " + after +
          (!state.best
               ? ": several are tied for the best score, and which of them is better is not known"
               : ": '" + *state.best +
                     "' is best by successive rejects, without a claim of certainty");
      if (test.budget() < rule.blocks)
        verdict += fmt::format("; the suite had blocks for what {} of all agents cost, not {}",
                               text::counted(test.budget(), "block"), rule.blocks);
      return verdict;
    }
    case StopKind::decide: {
      const auto name = [&](int agent) {
        return suite.agents[static_cast<std::size_t>(agent)].name();
      };
      const std::string& other = name(rule.agents[*state.best == name(rule.agents[0]) ? 1 : 0]);
      return fmt::format("decided after {}: '{}' is better than '{}' ({}){}", after, *state.best,
                         other, text::percent(rule.level), unless(rule, test, looks, state));
    }
    case StopKind::difference:
      break;
  }
  return fmt::format("reached after {}: the differences are known within {:g} to either side{}",
                     after, rule.target, unless(rule, test, looks, state));
}

}  // namespace

StopState stop_state(const Suite& suite, const stats::StopTest& test,
                     const stats::PairedLooks& looks) {
  const auto name = [&](std::size_t agent) { return suite.agents[agent].name(); };
  StopState state;
  state.rule.text = json::write(to_json(*suite.stop, suite));
  state.words = describe(*suite.stop, suite);
  state.decided = test.decided();
  if (test.best()) state.best = name(*test.best());
  state.looks = test.looks();
  state.most_looks = most_looks(suite);
  state.level = test.level();
  for (const stats::Standing& standing : test.standings(looks)) {
    StopState::AgentState& agent = state.agents.emplace_back();
    agent.agent = name(standing.agent);
    agent.in = !standing.out;
    if (standing.out) agent.out_after = *standing.out;
    if (!standing.to) continue;
    agent.less = name(*standing.to);
    agent.difference = standing.difference.value;
    if (const auto& interval = standing.difference.interval)
      agent.interval = {interval->low, interval->high};
    agent.method = stats::name(standing.difference.sequence);
    agent.units = standing.difference.units;
    if (!standing.difference.varies) agent.constant = true;
    agent.unseen = standing.difference.unseen;
    agent.overturned_by = standing.difference.overturned_by;
  }
  state.verdict = verdict_of(suite, test, looks, state);
  return state;
}

}  // namespace agon
