#include "allocation/stop_state.hpp"

#include <fmt/format.h>

#include <boost/json/array.hpp>
#include <exception>

#include "suite/stop_rule.hpp"
#include "text/counted.hpp"
#include "text/percent.hpp"

namespace agon {
namespace {

namespace bj = boost::json;
using StopKind = StopRule::Kind;

std::string looks_text(std::uint64_t looks, std::uint64_t most) {
  return fmt::format("{} of {}", looks, text::counted(most, "block"));
}

std::string verdict_of(const Suite& suite, const stats::StopTest& test, const StopState& state) {
  const StopRule& rule = *suite.stop;
  const std::uint64_t looks = *state.looks;
  const std::string after = looks_text(looks, state.most_looks);
  if (!test.decided()) {
    if (looks < state.most_looks) return "not decided yet, after " + after;
    std::string in;
    std::size_t many = 0;
    for (const StopState::Agent& agent : state.agents)
      if (!agent.out && ++many <= 4) in += (in.empty() ? "'" : ", '") + agent.name + "'";
    std::string verdict = "not decided after all " + text::counted(looks, "block");
    if (rule.kind == StopKind::best)
      verdict += many > 4 ? fmt::format(": {} agents are still in", many)
                          : ": " + in + " are not told apart";
    return verdict;
  }
  switch (rule.kind) {
    case StopKind::best:
      return fmt::format("decided after {}: '{}' is best ({} certainty)", after, state.best,
                         text::percent(rule.target));
    case StopKind::budget: {
      std::string verdict =
          "after " + after +
          (state.best.empty()
               ? ": several are tied for the best score, and which of them is better is not known"
               : ": '" + state.best +
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
      const std::string& other = name(rule.agents[state.best == name(rule.agents[0]) ? 1 : 0]);
      return fmt::format("decided after {}: '{}' is better than '{}' ({})", after, state.best,
                         other, text::percent(rule.level));
    }
    case StopKind::difference:
      break;
  }
  return fmt::format("reached after {}: the differences are known within {:g} to either side",
                     after, rule.target);
}

}  // namespace

StopState stop_state(const Suite& suite, const stats::StopTest& test,
                     const stats::PairedLooks& looks) {
  const auto name = [&](std::size_t agent) { return suite.agents[agent].name(); };
  StopState state;
  state.rule = to_json(*suite.stop, suite);
  state.words = describe(*suite.stop, suite);
  state.decided = test.decided();
  if (test.best()) state.best = name(*test.best());
  state.looks = test.looks();
  state.most_looks = most_looks(suite);
  state.level = test.level();
  for (const stats::Standing& standing : test.standings(looks)) {
    StopState::Agent& agent = state.agents.emplace_back();
    agent.name = name(standing.agent);
    if (standing.out) agent.out = *standing.out;
    if (standing.to) agent.to = name(*standing.to);
    agent.difference = standing.difference.value;
    agent.interval = standing.difference.interval;
    agent.method = stats::name(standing.difference.sequence);
    agent.units = standing.difference.units;
  }
  state.verdict = verdict_of(suite, test, state);
  return state;
}

bj::object to_json(const StopState& state) {
  bj::array agents;
  for (const StopState::Agent& agent : state.agents) {
    bj::object row{{"agent", agent.name}, {"in", !agent.out.has_value()}};
    if (agent.out) row["out_after"] = *agent.out;
    if (!agent.to.empty()) {
      row["less"] = agent.to;
      row["difference"] = agent.difference ? bj::value(*agent.difference) : bj::value();
      row["interval"] = agent.interval
                            ? bj::value(bj::array{agent.interval->low, agent.interval->high})
                            : bj::value();
      row["method"] = agent.method;
      row["units"] = agent.units;
    }
    agents.push_back(std::move(row));
  }
  return {{"rule", state.rule},
          {"words", state.words},
          {"decided", state.decided},
          {"verdict", state.verdict},
          {"best", state.best.empty() ? bj::value() : bj::value(state.best)},
          {"looks", state.looks ? bj::value(*state.looks) : bj::value()},
          {"most_looks", state.most_looks},
          {"level", state.level},
          {"agents", std::move(agents)}};
}

std::optional<StopState> read_stop_state(const bj::value& v) {
  try {
    const bj::object& o = v.as_object();
    const auto text = [](const bj::value& t) {
      return t.is_null() ? std::string() : std::string(t.as_string());
    };
    StopState state;
    state.rule = o.at("rule").as_object();
    state.words = text(o.at("words"));
    state.decided = o.at("decided").as_bool();
    state.verdict = text(o.at("verdict"));
    state.best = text(o.at("best"));
    if (!o.at("looks").is_null()) state.looks = o.at("looks").to_number<std::uint64_t>();
    state.most_looks = o.at("most_looks").to_number<std::uint64_t>();
    state.level = o.at("level").to_number<double>();
    for (const bj::value& row : o.at("agents").as_array()) {
      const bj::object& said = row.as_object();
      StopState::Agent& agent = state.agents.emplace_back();
      agent.name = text(said.at("agent"));
      if (const bj::value* out = said.if_contains("out_after"))
        agent.out = out->to_number<std::uint64_t>();
      if (!said.contains("less")) continue;
      agent.to = text(said.at("less"));
      if (!said.at("difference").is_null())
        agent.difference = said.at("difference").to_number<double>();
      if (!said.at("interval").is_null()) {
        const bj::array& ends = said.at("interval").as_array();
        agent.interval = {ends.at(0).to_number<double>(), ends.at(1).to_number<double>()};
      }
      agent.method = text(said.at("method"));
      agent.units = said.at("units").to_number<std::uint64_t>();
    }
    return state;
  } catch (const std::exception&) {
    return std::nullopt;  // archives may come from strangers
  }
}

}  // namespace agon
