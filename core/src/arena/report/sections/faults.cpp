#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

#include "report/estimates.hpp"
#include "report/sections/sections.hpp"

namespace agon::report {
namespace {

using text::Align;

constexpr std::array<const char*, kFaults> kNames = {
    "ok",      "repaired",  "illegal", "unparsable",      "empty",   "truncated",
    "refused", "timed-out", "crashed", "provider-failed", "in-words"};

/// A column a class; people are shown those that came up.
void add_classes(ReportTable& table, const std::vector<AgentFacts>& facts) {
  for (std::size_t f = 0; f < kFaults; ++f) {
    const bool seen =
        std::ranges::any_of(facts, [&](const AgentFacts& a) { return a.attempts[f] > 0; });
    ReportColumn& column = table.columns.emplace_back(number_column(kNames[f], kNames[f]));
    if (f > 0 && !seen) column.where = Where::data;
  }
}

/// The same by game, where there are several.
ReportTable attempts_by_game(const ReportEstimates& report) {
  const auto& facts = report.results.facts;
  ReportTable table{.title = "by game", .fixed = 2};
  table.columns = {agent_column(), {.header = "game", .key = true}};
  add_classes(table, facts);
  for (const AgentFacts& agent : facts)
    for (const auto& [game, attempts] : agent.attempts_by_game) {
      ReportRow& row = table.rows.emplace_back();
      row.about.agent = agent.name;
      row.about.game = game;
      row.cells = {shown_agent(report, agent.name), game};
      row.cells.insert(row.cells.end(), attempts.begin(), attempts.end());
    }
  return table;
}

ReportSection attempts_section(const ReportEstimates& report) {
  const auto& facts = report.results.facts;
  ReportSection section{.id = "faults", .title = "Faults"};
  section.explanation =
      "Attempts at an answer by how they came out, over all seats of an agent; forced: answers "
      "that the game's fallback gave.";
  ReportTable& table = section.tables.emplace_back();
  table.fixed = 2;
  table.columns = {agent_column(), number_column("seats", "seats")};
  add_classes(table, facts);
  table.columns.push_back(number_column("forced", "forced"));
  table.columns.push_back(number_column("seats forced", "seats_forced"));
  bool wrong = false;
  for (const AgentFacts& agent : facts) {
    wrong = wrong || std::any_of(agent.attempts.begin() + 1, agent.attempts.end(),
                                 [](std::int64_t n) { return n > 0; });
    ReportRow& row = table.rows.emplace_back();
    row.about.agent = agent.name;
    row.cells = {shown_agent(report, agent.name), agent.seats};
    row.cells.insert(row.cells.end(), agent.attempts.begin(), agent.attempts.end());
    row.cells.emplace_back(agent.forced);
    row.cells.emplace_back(agent.seats_forced);
  }
  if (wrong) {
    Plot& plot =
        section.plots.emplace_back(Plot{.name = "attempts",
                                        .title = "Attempts at an answer that did not come out "
                                                 "well at once, by what was wrong.",
                                        .drawing = Drawing::bars,
                                        .unit = "attempts"});
    for (std::size_t f = 1; f < kFaults; ++f)
      for (const std::size_t column : plotted_columns(table, kNames[f]))
        plot.columns.push_back(column);
  }
  if (report.results.games.size() > 1) section.tables.push_back(attempts_by_game(report));
  if (!wrong) section.remarks.emplace_back("No attempt went wrong.");
  return section;
}

/// An agent under the three fault policies.
struct PolicyRow {
  struct PolicyRank {
    std::optional<double> value;  ///< mean difference to the reference (its own is 0), or score
    std::optional<std::size_t> rank;
  };
  std::string agent;
  std::array<PolicyRank, 3> places;  ///< by FaultPolicy
};

/// `scored`: whether the reference is, under the policy of the report.
std::vector<PolicyRow> policy_rows(const ReportEstimates& report, bool& scored) {
  const Results& results = report.results;
  const ReportOptions& options = report.options;
  std::map<std::string, PolicyRow> rows;
  // Only the means are used.
  const stats::IntervalOptions once = options.intervals(1);
  std::vector<std::string> games;
  for (std::size_t p = 0; p < 3; ++p) {
    const auto policy = static_cast<FaultPolicy>(p);
    const stats::ScoreTable table = score_table(results, counting(policy), ScoreScope::compared);
    const bool in_it = has(table.agents(), options.reference);
    if (policy == results.policy) scored = in_it;
    if (p == 0) games = table.games();
    // A ranking over other games would not be comparable.
    if (table.agents().empty() || table.games() != games) continue;
    const auto all = all_rows(
        stats::headline(table, base_of(table, options.reference), once, options.aggregate), in_it);
    for (const stats::HeadlineRow& row : all) {
      rows[row.agent].agent = row.agent;
      PolicyRow::PolicyRank& at = rows[row.agent].places[p];
      at.value = !in_it ? row.score.value : &row == &all.front() ? 0.0 : row.difference.value;
      if (row.ranks) at.rank = row.ranks->rank;
    }
  }
  std::vector<PolicyRow> list;
  for (auto& [agent, row] : rows) list.push_back(std::move(row));
  std::ranges::stable_sort(list, [](const PolicyRow& a, const PolicyRow& b) {
    const auto rank = [](const PolicyRow& row) {
      return row.places[0].rank.value_or(static_cast<std::size_t>(-1));
    };
    return rank(a) < rank(b);
  });
  return list;
}

/// Whether the policy decides the ranking, in a sentence.
std::string verdict(const Results& results, const std::vector<PolicyRow>& policies) {
  if (results.agents.empty()) return "Nothing was played.";
  if (policies.empty()) return "No agent has a normalised score, so there is no ranking.";
  std::int64_t forced = 0;
  for (const AgentFacts& agent : results.facts) forced += agent.forced;
  if (forced == 0) return "No answer was forced: the fault policy does not decide the ranking.";
  std::string moved;
  std::string none;   // policies that rank nobody
  bool lost = false;  // somebody has no rank where others have
  for (const FaultPolicy policy : {FaultPolicy::forfeit, FaultPolicy::exclude}) {
    const auto p = static_cast<std::size_t>(policy);
    if (std::ranges::none_of(policies,
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
  std::string words;
  if (!moved.empty())
    words = "The fault policy decides the ranking: it moves " + moved + ".";
  else if (none.empty() && !lost)
    words = "The ranking is the same under all three policies: they do not decide it.";
  else
    words = "No rank differs where there is one under several policies.";
  if (!none.empty())
    words += " Under " + none + " there is no ranking: a game is left without any block.";
  if (lost) words += " Where a rank is missing, too few blocks are left to have one.";
  return words;
}

ReportSection policies_section(const ReportEstimates& report) {
  ReportSection section{.id = "policies", .title = "Fault policies"};
  bool scored = false;
  const std::vector<PolicyRow> policies = policy_rows(report, scored);
  section.explanation = verdict(report.results, policies);
  if (policies.empty()) return section;
  const bool forced = std::ranges::any_of(report.results.facts,
                                          [](const AgentFacts& agent) { return agent.forced > 0; });
  const Where where = forced ? Where::everywhere : Where::data;
  ReportTable& table = section.tables.emplace_back();
  table.columns = {agent_column()};
  for (const char* policy : {"as played", "forfeit", "exclude"}) {
    const std::string metric = policy == std::string("as played") ? "as_played" : policy;
    table.columns.push_back(number_column(policy, metric));
    table.columns.push_back(number_column("rank", metric + "_rank"));
  }
  for (const PolicyRow& policy : policies) {
    ReportRow& row = table.rows.emplace_back();
    row.where = where;
    row.about.agent = policy.agent;
    if (scored) row.about.other = report.options.reference;
    row.cells = {shown_agent(report, policy.agent)};
    for (const PolicyRow::PolicyRank& place : policy.places) {
      row.cells.push_back(number(place.value, 3, scored));
      row.cells.push_back(whole(place.rank));
    }
  }
  if (forced) {
    Plot& plot = section.plots.emplace_back(
        Plot{.name = "policies",
             .title = "Each agent under the three fault policies.",
             .unit = scored ? "mean difference to the reference" : "mean normalised score"});
    for (const char* policy : {"as_played", "forfeit", "exclude"})
      for (const std::size_t column : plotted_columns(table, policy))
        plot.columns.push_back(column);
    const std::string& verdict = section.explanation;
    say_found(plot, verdict.substr(0, verdict.find_first_of(":.")) + ".");
  }
  if (forced)
    section.remarks.push_back(
        scored ? fmt::format("Mean difference to '{}'.", report.options.reference)
               : "Mean normalised score.");
  return section;
}

}  // namespace

std::vector<ReportSection> fault_sections(const ReportEstimates& report) {
  return {attempts_section(report), policies_section(report)};
}

namespace {

/// The mean over games of a table's scores; nothing for an agent that lacks one.
std::optional<double> mean_score(const stats::ScoreTable& table, const std::string& agent) {
  if (!has(table.agents(), agent)) return std::nullopt;
  double sum = 0;
  for (std::size_t g = 0; g < table.games().size(); ++g) {
    const auto score = table.score(g, table.agent_index(agent));
    if (!score) return std::nullopt;
    sum += *score;
  }
  return sum / static_cast<double>(table.games().size());
}

}  // namespace

std::vector<ReportSection> missing_sections(const ReportEstimates& report) {
  const Results& results = report.results;
  if (std::ranges::none_of(results.games,
                           [](const GameResults& game) { return game.missing != 0; }))
    return {};
  ReportSection bounds{.id = "bounds", .title = "Bounds for missing matches"};
  bounds.explanation =
      "Not in the other tables: unfinished, or broken by the game. Bounds: the agent's score if "
      "every such match had ended with the lowest normalised score that its game declares, or that "
      "was seen in it where it declares none (at most 0), or with the highest (at least 1).";
  ReportTable& table = bounds.tables.emplace_back();
  table.columns = {agent_column(), number_column("seats unfinished", "seats_unfinished"),
                   number_column("seats broken by the game", "seats_game_fault"),
                   number_column("worst", "worst"), number_column("best", "best")};
  const stats::ScoreTable worst = score_table(results, Counting::worst);
  const stats::ScoreTable best = score_table(results, Counting::best);
  for (const AgentFacts& agent : results.facts)
    if (agent.unfinished != 0 || agent.game_faults != 0)
      table.rows.push_back({.about = {.agent = agent.name},
                            .cells = {agent.shown, agent.unfinished, agent.game_faults,
                                      number(mean_score(worst, agent.name), 3),
                                      number(mean_score(best, agent.name), 3)}});
  if (table.rows.empty()) return {};
  constexpr std::size_t most_listed = 10;
  ReportSection reasons{.id = "missing", .title = "Why matches are missing"};
  reasons.where = Where::data;  // for people they are a list
  ReportTable& list = reasons.tables.emplace_back();
  list.columns = {{.header = "scenario", .key = true},
                  {.header = "how", .key = true},
                  {.header = "matches", .align = Align::right},
                  {.header = "reason", .key = true}};
  for (const MissingReason& reason : results.missing) {
    const std::string how = reason.game_fault ? "broken by the game" : "unfinished";
    list.rows.push_back({.about = {.treatment = reason.scenario,
                                   .metric = reason.game_fault ? "game_fault" : "unfinished",
                                   .text = reason.reason},
                         .cells = {reason.scenario, how, reason.matches, reason.reason}});
    if (bounds.points.size() < most_listed)
      bounds.points.push_back(
          fmt::format("{}: {} {}: {}", reason.scenario, reason.matches, how, reason.reason));
  }
  if (list.rows.size() > most_listed)
    bounds.points.push_back(fmt::format("and {} more reasons", list.rows.size() - most_listed));
  return {std::move(bounds), std::move(reasons)};
}

namespace {

/// The leaderboard's, to hold against what it took.
ReportCell score_of(const ReportEstimates& report, const std::string& agent) {
  for (const LeaderRow& row : report.leaderboard.rows)
    if (row.agent == agent && row.score.value) return figure(row.score);
  return NoFigure{};
}

/// What calls with caps of their own took.
ReportTable caps_table(const std::vector<CappedPart>& capped) {
  ReportTable table{.title = "caps by model and purpose"};
  table.columns = {{.header = "calls of", .key = true}};
  for (const auto& [header, metric, unit] :
       {std::tuple{"calls", "calls", ""}, {"tokens", "tokens", ""}, {"USD", "cost", "USD"}})
    for (const bool is_cap : {false, true}) {
      ReportColumn& column = table.columns.emplace_back(
          number_column(is_cap ? "cap" : header, metric + std::string(is_cap ? "_cap" : "")));
      column.about.unit = unit;
    }
  const auto cap = [](const std::optional<std::int64_t>& most, bool is_money) {
    if (!most) return ReportCell(NoFigure{});
    return is_money ? ReportCell(Dollars{*most}) : ReportCell(*most);
  };
  for (const CappedPart& one : capped) {
    const Caps& caps = one.part.caps;
    table.rows.push_back(
        {.about = {.text = one.part.place()},
         .cells = {one.part.words(), one.before.calls, cap(caps.calls, false), one.before.tokens,
                   cap(caps.tokens, false), Dollars{one.before.cost}, cap(caps.cost, true)}});
  }
  return table;
}

/// Which hosts answered for agents, where a model's name stands for several.
ReportTable hosts_table(const ReportEstimates& report) {
  ReportTable table{.title = "hosts that answered"};
  table.columns = {agent_column(),
                   {.header = "game", .key = true},
                   {.header = "model", .limit = kAgentWidth, .key = true},
                   {.header = "host", .limit = kAgentWidth, .key = true},
                   number_column("calls", "calls_of_host"),
                   number_column("share", "share_of_host"),
                   number_column("n", "seats_of_host"),
                   number_column("mean score", "score_with_host")};
  for (const HostUse& use : report.hosts)
    table.rows.push_back(
        {.about = {.game = use.game, .agent = use.agent, .text = use.model + " " + use.host},
         .cells = {shown_agent(report, use.agent), use.game, use.model, use.host, use.calls,
                   number(use.share, 3), use.seats, number(use.score, 3)}});
  return table;
}

/// What there is to say of the models behind agents: hosts, caps, and calls by model.
void add_models_behind(const ReportEstimates& report, ReportSection& section) {
  if (!report.hosts.empty()) {
    section.tables.push_back(hosts_table(report));
    section.remarks.emplace_back(
        "Hosts: as the replies name them. n: seats with a score for which the host answered a "
        "call; each weighs by the host's share of its calls. The router, not chance, chose the "
        "host, so differences between hosts describe what happened and are no effects of them.");
  }
  if (!report.capped.empty()) section.tables.push_back(caps_table(report.capped));
  if (!report.several_models.empty()) section.remarks.push_back(report.several_models);
}

}  // namespace

std::vector<ReportSection> use_sections(const ReportEstimates& report) {
  const auto& facts = report.results.facts;
  const auto any = [&](auto... members) {
    return std::ranges::any_of(facts,
                               [&](const AgentFacts& a) { return ((a.*members != 0) || ...); });
  };
  const bool calls = any(&AgentFacts::calls);
  const bool tokens = any(&AgentFacts::input_tokens, &AgentFacts::output_tokens,
                          &AgentFacts::cached_tokens, &AgentFacts::reasoning_tokens);
  const bool cost = any(&AgentFacts::cost);
  if (!calls && !tokens && !cost) return {};
  ReportSection section{.id = "use", .title = "Model usage"};
  ReportTable& table = section.tables.emplace_back();
  const auto add = [&](const char* header, const char* metric, bool said, const char* unit = "") {
    ReportColumn& column = table.columns.emplace_back(number_column(header, metric));
    column.about.unit = unit;
    if (!said) column.where = Where::data;
  };
  const bool cached = any(&AgentFacts::from_cache);
  table.columns = {agent_column()};
  add("calls", "calls", calls);
  add("tokens in", "input_tokens", tokens);
  add("of them cached", "cached_tokens", tokens);
  add("tokens out", "output_tokens", tokens);
  add("of them thought", "reasoning_tokens", tokens);
  add("USD", "cost", cost, "USD");
  add("waited (s)", "waited", any(&AgentFacts::waiting_ms), "s");
  add("score", "score", false);
  if (cached) {
    add("from cache", "from_cache", true);
    add("USD saved", "saved", any(&AgentFacts::saved), "USD");
    section.explanation =
        "From cache: calls that a file of cached answers (--cache) answered. Their tokens are "
        "counted; they cost nothing and nobody waited for them. Saved: what these answers cost "
        "when they were paid, where that is known.";
  }
  for (const AgentFacts& agent : facts) {
    table.rows.push_back(
        {.about = {.agent = agent.name},
         .cells = {shown_agent(report, agent.name), agent.calls, agent.input_tokens,
                   agent.cached_tokens, agent.output_tokens, agent.reasoning_tokens,
                   Dollars{agent.cost}, Number{agent.waiting_ms / 1000, 1},
                   score_of(report, agent.name)}});
    if (!cached) continue;
    table.rows.back().cells.emplace_back(agent.from_cache);
    table.rows.back().cells.emplace_back(Dollars{agent.saved});
  }
  add_models_behind(report, section);
  if (cost)
    section.plots.push_back({.name = "cost",
                             .title = "Score against cost. On the dotted line nobody has more for "
                                      "less.",
                             .drawing = Drawing::scatter,
                             .columns = {plotted_columns(table, "cost").front(),
                                         plotted_columns(table, "score").front()}});
  return {std::move(section)};
}

namespace {

ReportRow comparison_row(const std::string& model, const drift::ModelDrift& row,
                         const drift::Comparison& c) {
  const auto right = [&](const drift::Replies& then) {
    return row.with_right_answer == 0 ? ReportCell(NoFigure{}) : ReportCell(then.right);
  };
  return {.about = {.agent = model, .text = drift::describe_times(c)},
          .cells = {model, drift::describe_times(c), fmt::format("{} of {}", c.same, c.compared),
                    !c.distance ? ReportCell(NoFigure{}) : ReportCell(Number{*c.distance, 3}),
                    row.with_right_answer == 0 ? "-"
                                               : fmt::format("{}, then {} of {}", c.from.right,
                                                             c.to.right, row.with_right_answer),
                    c.same, c.compared, right(c.from), right(c.to),
                    row.with_right_answer == 0 ? ReportCell(NoFigure{})
                                               : ReportCell(row.with_right_answer)}};
}

ReportRow asked_row(const std::string& model, const drift::ModelDrift& row,
                    const drift::Replies& then) {
  const std::string when = fmt::format("run {}, {} the matches", then.run,
                                       then.when == drift::Phase::before ? "before" : "after");
  return {.about = {.treatment = when, .agent = model},
          .cells = {model, when, then.answered, then.right, row.questions,
                    fmt::format("{}", fmt::join(then.served_as, ", ")),
                    fmt::format("{}", fmt::join(then.fingerprints, ", ")), row.endpoint, row.spec},
          .where = Where::data};
}

}  // namespace

std::vector<ReportSection> drift_sections(const ReportEstimates& report) {
  using text::Align;
  if (report.drift.empty()) return {};
  ReportSection section{.id = "drift", .title = "Drift"};
  section.explanation =
      "Fixed questions put to each model before and after a run, outside the matches: answers that "
      "were the same, and how far apart the texts are on average (0 the same, 1 nothing in "
      "common). "
      "Right: of the questions that have a right answer.";
  ReportTable table;
  table.columns = {{.header = "model", .limit = kAgentWidth, .key = true},
                   {.header = "compared", .key = true},
                   {.header = "same", .align = Align::right, .where = Where::shown},
                   number_column("distance", "distance"),
                   {.header = "right", .align = Align::right, .where = Where::shown},
                   data_column("same"),
                   data_column("compared"),
                   data_column("right_before"),
                   data_column("right_after"),
                   data_column("checkable")};
  ReportTable asked{.title = "asked"};
  asked.columns = {{.header = "model", .key = true},
                   {.header = "when", .key = true},
                   data_column("answered"),
                   data_column("right"),
                   data_column("questions"),
                   data_column("served_as"),
                   data_column("fingerprints"),
                   data_column("endpoint"),
                   data_column("spec")};
  for (const drift::ModelDrift& row : report.drift) {
    const std::string model = row.model.empty() ? row.agents.front() : row.model;
    for (const drift::Comparison& c : row.comparisons) {
      table.rows.push_back(comparison_row(model, row, c));
      if (const std::string change = drift::describe_change(c); !change.empty())
        section.remarks.push_back(model + ", " + drift::describe_times(c) + ": " + change + ".");
    }
    for (const drift::Replies& then : row.asked) asked.rows.push_back(asked_row(model, row, then));
    if (row.asked.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: it answered no question.", model, row.run));
    else if (row.comparisons.empty())
      section.remarks.push_back(
          fmt::format("{}, run {}: asked once, nothing to compare with.", model, row.run));
  }
  for (ReportTable* made : {&table, &asked})
    if (!made->rows.empty()) section.tables.push_back(std::move(*made));
  return {std::move(section)};
}

}  // namespace agon::report
