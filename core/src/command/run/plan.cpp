#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "archive/archive.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/plan_people.hpp"
#include "command/run/run.hpp"
#include "command/run/suite.hpp"
#include "costs/answer_cache.hpp"
#include "costs/forecast.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "report/detectable.hpp"
#include "report/document.hpp"
#include "results/names.hpp"
#include "results/results.hpp"
#include "results/scope.hpp"
#include "run/planned_match.hpp"
#include "security/trust.hpp"
#include "suite/scenario/scenario.hpp"
#include "suite/suite.hpp"
#include "text/layout.hpp"
#include "text/say.hpp"
#include "text/utf8.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

/// A pilot of a suite, and what there is to say of how it fits.
struct Pilot {
  archive::Archive archive;
  std::vector<std::string> notes;
};

/// Whatever is stored there; nothing if it is no JSON.
bj::object object_of(const std::optional<std::string>& text) {
  try {
    const bj::value value = text ? json::parse(*text, "") : bj::value();
    return value.is_object() ? value.get_object() : bj::object();
  } catch (const Error&) {
    return {};
  }
}

/// "days 5 there, days 6 here": the first members that tell the two apart.
std::string there_and_here(const bj::object& there, const bj::object& here,
                           std::initializer_list<std::string_view> members) {
  for (const std::string_view name : members) {
    const auto part = [&](const bj::object& whole) {
      const bj::value* member = whole.if_contains(name);
      return bj::value(bj::object{{name, member == nullptr ? bj::value() : *member}});
    };
    const std::vector<std::string> words = report::differences({part(there), part(here)});
    if (words[0] != words[1]) return fmt::format(": {} there, {} here", words[0], words[1]);
  }
  return {};
}

/// Compares the matches of an archive, as it is narrowed, with what a suite means by the same
/// names.
class PilotComparison {
 public:
  PilotComparison(const archive::Archive& archive, const Suite& suite)
      : archive_(archive),
        suite_(suite),
        scenarios_(archive.scenarios()),
        games_(archive.games()),
        agents_(archive.agents()) {
    archive::ReadOptions wanted;
    wanted.in_order = false;
    archive.matches().each(wanted, [&](std::int64_t, const archive::MatchRow& match) {
      add(match);
      return true;
    });
  }

  [[nodiscard]] bool fits() const { return any_ && differ_.empty(); }
  [[nodiscard]] std::vector<std::string> notes() const { return {differ_.begin(), differ_.end()}; }

 private:
  void add(const archive::MatchRow& match) {
    const archive::ScenarioRow& row = archive_.row(scenarios_, match.key.scenario);
    const auto s = std::find_if(suite_.scenarios.begin(), suite_.scenarios.end(),
                                [&](const Scenario& own) { return own.name == row.name; });
    if (s == suite_.scenarios.end()) return;
    any_ = true;
    if (seen_.insert({match.key.scenario, 0}).second) compare(*s, row);
    for (const archive::SeatRow& seat : match.seats)
      if (seen_.insert({match.key.scenario, seat.agent}).second)
        compare(*s, archive_.row(agents_, seat.agent));
  }

  void compare(const Scenario& s, const archive::ScenarioRow& row) {
    const archive::GameRow& game = archive_.row(games_, row.game);
    const auto differs = [&](const std::string& what) {
      differ_.insert(fmt::format("the pilot's scenario '{}' {}", s.name, what));
    };
    if (game.name != s.game->id)
      return differs(fmt::format("is of another game: {} there, {} here", game.name, s.game->id));
    if (game.version != s.game->card.version || game.plugin_version != s.plugin_version)
      differs(fmt::format("is of another version of its game: {} of plugin {} there, {} of {} here",
                          game.version, game.plugin_version, s.game->card.version,
                          s.plugin_version));
    const auto t = std::find_if(s.treatments.begin(), s.treatments.end(),
                                [&](const Treatment& own) { return own.values == row.treatment; });
    if (t == s.treatments.end())
      return differs("has a treatment that the suite has not: " + row.treatment);
    const std::string here = settings_document(s, *t);
    if (hash::sha256(here) != row.settings)
      differs("has other settings" + there_and_here(object_of(archive_.content(row.settings)),
                                                    object_of(here),
                                                    {"settings", "reasks", "preset"}));
  }

  void compare(const Scenario& s, const archive::AgentRow& row) {
    const auto agent = std::find_if(suite_.agents.begin(), suite_.agents.end(),
                                    [&](const AgentSpec& own) { return own.name() == row.name; });
    if (agent == suite_.agents.end()) return;
    const AgentInGame* in = agent->in(s.game->id);
    if (in == nullptr || agent_identity(*in, s) == row.hash) return;
    differ_.insert(
        fmt::format("the pilot's agent '{}' is another one{}", row.name,
                    there_and_here(object_of(row.spec), object_of(in->spec), {"agent", "params"})));
  }

  const archive::Archive& archive_;
  const Suite& suite_;
  const std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  const std::map<std::int64_t, archive::GameRow> games_;
  const std::map<std::int64_t, archive::AgentRow> agents_;
  std::set<std::pair<std::int64_t, std::int64_t>> seen_;  // scenario and agent, or 0
  bool any_ = false;                                      // has a scenario of the suite's
  std::set<std::string> differ_;
};

/// Opens an archive as the pilot of a suite, narrowed to what was run last of what has the suite's
/// own agents, settings and versions under its names; if nothing has, to what was run last. The
/// notes name what differs.
Pilot open_pilot(const std::string& path, const Suite& suite) {
  Pilot last{archive::Archive::open(path), {}};
  report::narrow(last.archive, {});
  const PilotComparison of_last(last.archive, suite);
  if (of_last.fits()) return last;
  last.notes = of_last.notes();
  std::set<std::int64_t> tried;
  const auto runs = last.archive.runs();
  if (!runs.empty() && runs.back().suite_number) tried.insert(*runs.back().suite_number);
  Pilot other{archive::Archive::open(path), {}};
  const auto all = other.archive.runs();
  for (auto run = all.rbegin(); run != all.rend(); ++run) {
    if (!run->suite_number || !tried.insert(*run->suite_number).second) continue;
    report::narrow(other.archive, {.suite = std::to_string(*run->suite_number)});
    if (PilotComparison(other.archive, suite).fits()) {
      other.notes.push_back(fmt::format(
          "the pilot is suite {} of {}, which has these agents and settings; another was run last",
          *run->suite_number, path));
      return other;
    }
  }
  return last;
}

std::string short_number(double v) {
  if (v >= 1e9) return fmt::format("{:.2f}G", v / 1e9);
  if (v >= 1e6) return fmt::format("{:.2f}M", v / 1e6);
  if (v >= 1e4) return fmt::format("{:.1f}k", v / 1e3);
  return fmt::format("{:.0f}", v);
}

std::string range_text(const ExpectedRange& range) {
  const std::string low = short_number(range.low), high = short_number(range.high);
  const std::string expected = short_number(range.expected);
  return low == high ? expected : fmt::format("{} ({} - {})", expected, low, high);
}

std::string cost_text(const std::optional<ExpectedRange>& cost) {
  if (!cost) return "unknown";
  return fmt::format("{:.2f} ({:.2f} - {:.2f})", cost->expected, cost->low, cost->high);
}

/// The model, with the purpose of its calls where it is not the agent's own.
std::string model_text(const AgentForecast& r) {
  return r.purpose.empty() ? r.model : r.purpose + ": " + r.model;
}

bj::object row_json(const AgentForecast& r) {
  bj::object parts;
  for (std::size_t p = 0; p < kOutputParts; ++p)
    parts[name_of(static_cast<OutputPart>(p))] = range_json(r.parts[p]);
  return {{"scenario", r.scenario},
          {"agent", r.agent},
          {"model", r.model},
          {"purpose", r.purpose.empty() ? bj::value(nullptr) : bj::value(r.purpose)},
          {"seats", r.seats},
          {"sampled", r.sampled},
          {"from_pilot", r.from_pilot},
          {"calls", range_json(r.calls)},
          {"input_tokens", range_json(r.input)},
          {"output_tokens", range_json(r.output)},
          {"tokens_out_by_part", std::move(parts)},
          {"effort", r.effort.empty() ? bj::value(nullptr) : bj::value(r.effort)},
          {"cost_usd", range_json(r.cost)},
          {"longest_prompt", r.longest_prompt}};
}

AgentForecast total_of(const std::vector<AgentForecast>& rows) {
  AgentForecast total;
  total.cost = ExpectedRange{};
  for (const AgentForecast& r : rows) {
    add_part(total.calls, r.calls);
    add_part(total.input, r.input);
    add_part(total.output, r.output);
    for (std::size_t p = 0; p < kOutputParts; ++p) add_part(total.parts[p], r.parts[p]);
    if (total.cost && r.cost)
      add_part(*total.cost, *r.cost);
    else
      total.cost.reset();
    total.longest_prompt = std::max(total.longest_prompt, r.longest_prompt);
  }
  return total;
}

/// What the pilot's blocks tell of the suite's; `effect`: how much is needed for this one.
report::Power power_of(const Suite& suite, const archive::Archive& pilot,
                       std::optional<double> effect) {
  report::PlannedStudy study;
  for (const Scenario& s : suite.scenarios)
    study.scenarios.push_back({s.name, std::string(s.game->id), s.blocks, s.repeats, s.draws()});
  for (const AgentSpec& agent : suite.agents) study.agents.push_back(agent.name());
  study.against = suite.against;
  study.level = suite.level;
  study.aggregate = suite.aggregate;
  study.effect = effect;
  report::CollectOptions options;
  options.policy = suite.policy;
  options.most_bins = std::numeric_limits<std::size_t>::max();  // the pilot's blocks are counted
  return report::detectable_effects(study, report::collect(pilot, options));
}

/// The effect that is to be found, over 0.
std::optional<double> asked_effect(const Invocation& call) {
  if (!call.has("effect")) return std::nullopt;
  const std::string asked = call.text("effect");
  const auto effect = text::number_in<double>(asked);
  if (!effect || !(*effect > 0) || !(*effect <= 1e6))
    throw Error(
        ErrorKind::usage,
        "invalid value '" + asked + "' for --effect; expected a number above 0, up to 1000000", "",
        "a difference in normalised score, such as 0.05");
  return effect;
}

std::string name_of(const report::Detectable& d) {
  return d.what == "headline" ? "all games"
         : d.what == "factor" ? "factor " + d.scenario
                              : d.scenario;
}

std::string percent(double share) {
  return fmt::format("{:.0f}%", 100 * share);
}

void print_power(const Suite& suite, const report::Power& power, std::optional<double> effect) {
  if (power.effects.empty()) return;
  print_line(fmt::format(
      "\nWhat the suite finds with a chance of 80% ({} level), by the pilot's blocks; on the "
      "normalised score, each comparison by itself:",
      text::percent(suite.level)));
  text::TextTable table({{"comparison"},
                         {"agent", text::Align::left, 80},
                         {"against"},
                         {"gain", text::Align::right},
                         {"loss", text::Align::right},
                         {"blocks", text::Align::right},
                         {"pilot, independent", text::Align::right}});
  for (const report::Detectable& d : power.effects)
    table.add({name_of(d), d.agent, d.against, d.gain > 0 ? report::fixed(d.gain, 3) : "-",
               d.loss > 0 ? report::fixed(d.loss, 3) : "-", std::to_string(d.blocks),
               std::to_string(d.pilot_units)});
  print(table.str(2));
  print_line(
      "\nWhere the chance of these comparisons comes from. Chance that agents share is taken out "
      "by "
      "pairing; agent x block falls with more blocks, repeats with more of either:");
  text::TextTable parts({{"comparison"},
                         {"agent", text::Align::left, 80},
                         {"shared chance, gone", text::Align::right},
                         {"agent x block", text::Align::right},
                         {"repeats", text::Align::right}});
  for (const report::Detectable& d : power.effects)
    parts.add({name_of(d), d.agent, percent(d.components.common_random_numbers),
               percent(d.components.agent_by_block),
               d.components.repeats ? percent(*d.components.repeats) : "unknown"});
  print(parts.str(2));
  if (!effect) return;
  print_line(fmt::format("\nWhat finds {:g}, gain or loss: times the suite's blocks and matches",
                         *effect));
  text::TextTable needed({{"comparison"},
                          {"agent", text::Align::left, 80},
                          {"repeats", text::Align::right},
                          {"blocks", text::Align::right},
                          {"matches", text::Align::right}});
  for (const report::Detectable& d : power.effects)
    for (const report::Needed& n : d.needed)
      if (const std::string as = n.repeats == 1 ? "as they are" : "twice"; !std::isfinite(n.blocks))
        needed.add({name_of(d), d.agent, as,
                    fmt::format("not found with {:.0f}", report::most_blocks), "-"});
      else
        needed.add({name_of(d), d.agent, as,
                    fmt::format("x {:.2f} ({})", n.blocks,
                                static_cast<std::uint64_t>(
                                    std::ceil(n.blocks * static_cast<double>(d.blocks)))),
                    fmt::format("x {:.2f}", n.matches)});
  print(needed.str(2));
}

bj::object power_json(const report::Detectable& d) {
  bj::array needed;
  for (const report::Needed& n : d.needed)
    needed.push_back(
        bj::object{{"blocks", n.blocks}, {"repeats", n.repeats}, {"matches", n.matches}});
  return {{"comparison", d.what},
          {"scenario", d.scenario},
          {"agent", d.agent},
          {"against", d.against},
          {"gain", d.gain > 0 ? bj::value(d.gain) : bj::value(nullptr)},
          {"loss", d.loss > 0 ? bj::value(d.loss) : bj::value(nullptr)},
          {"blocks", d.blocks},
          {"pilot_units", d.pilot_units},
          {"common_random_numbers", d.components.common_random_numbers},
          {"agent_by_block", d.components.agent_by_block},
          {"repeats", d.components.repeats ? bj::value(*d.components.repeats) : bj::value(nullptr)},
          {"needed", std::move(needed)}};
}

/// Of tokens out, what for; parts that nobody writes are left out.
void print_parts(const Forecast& f, const AgentForecast& total) {
  const bool has_effort =
      std::any_of(f.rows.begin(), f.rows.end(), [](const auto& r) { return !r.effort.empty(); });
  std::vector<text::Column> columns{{"tokens out"}, {"agent", text::Align::left, 80}};
  if (has_effort) columns.push_back({"effort"});
  for (std::size_t p = 0; p < kOutputParts; ++p)
    if (total.parts[p].high > 0)
      columns.push_back({std::string(name_of(static_cast<OutputPart>(p))), text::Align::right});
  text::TextTable table(columns);
  const auto add = [&](const AgentForecast& r) {
    std::vector<std::string> cells{r.scenario,
                                   r.agent + (r.purpose.empty() ? "" : ", " + r.purpose)};
    if (has_effort) cells.push_back(r.effort);
    for (std::size_t p = 0; p < kOutputParts; ++p)
      if (total.parts[p].high > 0) cells.push_back(range_text(r.parts[p]));
    table.add(std::move(cells));
  };
  for (const AgentForecast& r : f.rows) add(r);
  add(total);
  print_line("");
  print(table.str(2));
}

/// What is expected of the calls that a cap is on.
AgentForecast under(const PartCaps& part, const Forecast& f) {
  std::vector<AgentForecast> rows;
  for (const AgentForecast& r : f.rows)
    if (part.are_on(r.model, r.purpose)) rows.push_back(r);
  return total_of(rows);
}

/// Caps by model and purpose, and what is expected under each.
void print_caps(const Suite& suite, const Forecast& f) {
  if (suite.part_caps.empty()) return;
  text::TextTable table({{"cap on"},
                         {"calls", text::Align::right},
                         {"tokens", text::Align::right},
                         {"USD", text::Align::right},
                         {"cap"}});
  for (const PartCaps& part : suite.part_caps) {
    const AgentForecast expected = under(part, f);
    ExpectedRange tokens = expected.input;
    add_part(tokens, expected.output);
    table.add({part.words(), range_text(expected.calls), range_text(tokens),
               cost_text(expected.cost), describe(part.caps)});
  }
  print_line("");
  print(table.str(2));
}

bj::array caps_json(const Suite& suite, const Forecast& f) {
  bj::array caps;
  const auto or_null = [](const std::optional<std::int64_t>& cap, double unit) {
    return cap ? bj::value(static_cast<double>(*cap) / unit) : bj::value(nullptr);
  };
  for (const PartCaps& part : suite.part_caps) {
    const AgentForecast expected = under(part, f);
    caps.push_back(
        bj::object{{"name", part.name},
                   {"model", part.model.empty() ? bj::value(nullptr) : bj::value(part.model)},
                   {"purpose", part.purpose.empty() ? bj::value(nullptr) : bj::value(part.purpose)},
                   {"cost_usd", or_null(part.caps.cost, 1e9)},
                   {"tokens", or_null(part.caps.tokens, 1)},
                   {"calls", or_null(part.caps.calls, 1)},
                   {"expected", row_json(expected)}});
  }
  return caps;
}

/// An endpoint answers a batch within so many hours, or not at all.
constexpr double kHoursOfBatch = 24;

/// How many matches wait for batches at a time.
std::uint64_t jobs_of(const Suite& suite) {
  return static_cast<std::uint64_t>(suite.jobs > 0 ? suite.jobs
                                    : suite.stop   ? kModelJobs
                                                   : kBatchJobs);
}

/// Batches that the longest matches wait for one after the other. Matches that have not begun ask
/// nothing: fewer jobs than matches take them in turn.
double rounds_of(const Suite& suite, const BatchForecast& batches, std::uint64_t matches) {
  const std::uint64_t jobs = jobs_of(suite);
  const std::uint64_t turns = std::max<std::uint64_t>(1, (matches + jobs - 1) / jobs);
  return static_cast<double>(batches.rounds) * static_cast<double>(turns);
}

/// What the batches of all agents save, where that is known.
std::optional<double> saved_by_batches(const Forecast& f) {
  std::optional<double> saved;
  for (const AgentForecast& row : f.rows)
    if (row.saved) saved = saved.value_or(0) + *row.saved;
  return saved;
}

void print_batches(const Suite& suite, const Forecast& f) {
  if (f.batches.empty()) return;
  print_line("\nBatches, one after the other; each is answered within 24 hours, most sooner:");
  text::TextTable table(
      {{"scenario"}, {"rounds", text::Align::right}, {"days at most", text::Align::right}});
  for (const BatchForecast& batches : f.batches) {
    const double rounds = rounds_of(suite, batches, f.matches);
    table.add({batches.scenario, fmt::format("{:.0f}", rounds),
               fmt::format("{:.0f}", std::ceil(rounds * kHoursOfBatch / 24))});
  }
  print(table.str(2));
  if (const auto saved = saved_by_batches(f))
    print_line(fmt::format("They save {:.2f} USD of what the calls cost one by one.", *saved));
}

/// What of a suite makes batches slow.
std::vector<std::string> batch_notes(const Suite& suite, const Forecast& f) {
  constexpr double kFew = 3;
  std::vector<std::string> notes;
  for (const BatchForecast& batches : f.batches) {
    const double rounds = rounds_of(suite, batches, f.matches);
    if (rounds > kFew)
      notes.push_back(fmt::format(
          "scenario '{}' takes {:.0f} batches one after the other, up to {:.0f} days: batches are "
          "for games of a few questions; leave out the model's \"batch\" for it",
          batches.scenario, rounds, std::ceil(rounds * kHoursOfBatch / 24)));
  }
  if (!f.batches.empty() && jobs_of(suite) < f.matches)
    notes.push_back(fmt::format(
        "{} of {} matches wait for a batch at a time, and each turn has its own rounds: "
        "raise \"limits.jobs\" and --jobs, or leave them out",
        jobs_of(suite), f.matches));
  return notes;
}

bj::object batches_json(const Suite& suite, const Forecast& f) {
  bj::array scenarios;
  for (const BatchForecast& batches : f.batches) {
    const double rounds = rounds_of(suite, batches, f.matches);
    scenarios.push_back(bj::object{{"scenario", batches.scenario},
                                   {"rounds", rounds},
                                   {"most_hours", rounds * kHoursOfBatch}});
  }
  const auto saved = saved_by_batches(f);
  return {{"scenarios", std::move(scenarios)},
          {"saved_usd", saved ? bj::value(*saved) : bj::value(nullptr)}};
}

void print_tables(const Suite& suite, const Forecast& f, const report::Power& power,
                  const AgentForecast& total, const std::optional<PeoplePlan>& people,
                  std::optional<double> effect) {
  print_line(text::printable(suite.name) + ": " + text::counted(f.matches, "match", "matches"));
  if (suite.stop)
    print_line("  the most: it plays " + text::printable(describe(*suite.stop, suite)));
  text::TextTable matches({{"scenario"}, {"game"}, {"matches", text::Align::right}});
  for (const Scenario& s : suite.scenarios)
    matches.add({s.name, std::string(s.game->id),
                 std::to_string((s.as_seated ? 1 : s.plan->size()) * s.sequence)});
  print(matches.str(2));
  if (f.rows.empty()) {
    print_line("\nno agent calls a model: it costs nothing");
  } else {
    print_line("");
    text::TextTable table({{"scenario"},
                           {"agent", text::Align::left, 80},
                           {"model", text::Align::left, 30},
                           {"calls", text::Align::right},
                           {"tokens in", text::Align::right},
                           {"tokens out", text::Align::right},
                           {"USD", text::Align::right},
                           {"longest prompt", text::Align::right},
                           {"from"}});
    const auto add = [&](const AgentForecast& r, const std::string& from) {
      table.add({r.scenario, r.agent, model_text(r), range_text(r.calls), range_text(r.input),
                 range_text(r.output), cost_text(r.cost), std::to_string(r.longest_prompt), from});
    };
    for (const AgentForecast& r : f.rows)
      add(r, text::counted(r.sampled, "seat") + (r.from_pilot ? " of the pilot" : " played dry"));
    AgentForecast sum = total;
    sum.scenario = "all";
    add(sum, "");
    print(table.str(2));
    print_parts(f, sum);
    print_caps(suite, f);
    print_batches(suite, f);
    if (!total.cost)
      print_line("The cost of models without a price is unknown: see --prices, docs/suite.md.");
  }
  print_power(suite, power, effect);
  if (people) print_people(suite, *people);
  for (const auto* notes : {&f.notes, &power.notes})
    for (const std::string& note : *notes) text::say("note: {}\n", text::printable(note));
}

/// What a file of cached answers has of the suite's models, and what a pilot had of one.
std::vector<std::string> cache_notes(const std::string& file, const Forecast& f,
                                     const archive::Archive* pilot) {
  std::set<std::string> models;
  for (const AgentForecast& row : f.rows) models.insert(row.model);
  const auto contents = AnswerCache::contents(file);
  std::vector<std::string> notes;
  for (const std::string& model : models) {
    const auto known = contents.find(model);
    const AnswerCache::ModelAnswers has =
        known == contents.end() ? AnswerCache::ModelAnswers{} : known->second;
    notes.push_back(fmt::format("{} has {} of {}, {} of them sampled", file,
                                text::counted(has.answers, "answer"), model, has.sampled));
  }
  if (!models.empty())
    notes.emplace_back(
        "the figures are without the cache: which calls it answers is known once their requests "
        "are made");
  if (pilot == nullptr) return notes;
  const archive::CallTotals took = pilot->calls().totals();
  if (took.from_cache > 0)
    notes.push_back(fmt::format("a cache answered {} of {} in the pilot's archive", took.from_cache,
                                text::counted(took.from_cache + took.calls, "call")));
  return notes;
}

/// The plan as JSON.
void print_plan(const Suite& suite, const Forecast& f, const report::Power& power,
                const AgentForecast& total, const Accesses& accesses,
                const std::vector<ShardForecast>& shards, const std::optional<PeoplePlan>& people) {
  bj::array rows, detectable, notes, asks_for;
  for (const AskedFor& asked : accesses.all()) asks_for.emplace_back(bj::string(text_of(asked)));
  for (const AgentForecast& r : f.rows) rows.push_back(row_json(r));
  for (const report::Detectable& d : power.effects) detectable.push_back(power_json(d));
  for (const auto* list : {&f.notes, &power.notes})
    for (const std::string& note : *list) notes.emplace_back(bj::string(note));
  bj::object told{{"suite", suite.name},
                  {"matches", f.matches},
                  {"total", row_json(total)},
                  {"rows", std::move(rows)},
                  {"detectable", std::move(detectable)},
                  {"asks_for", std::move(asks_for)},
                  {"notes", std::move(notes)}};
  if (!suite.part_caps.empty()) told["caps"] = caps_json(suite, f);
  if (!shards.empty()) told["shards"] = shards_json(shards);
  if (people) told["people"] = people_json(suite, *people);
  if (!f.batches.empty()) told["batches"] = batches_json(suite, f);
  print_json(std::move(told));
}

int plan(Invocation& call) {
  SuiteOptions options = changed_suite_options(call);
  options.dry_run = true;
  // What a plan reads goes nowhere.
  Accesses accesses(std::filesystem::path(call.argument("SUITE")).parent_path(),
                    options.shipped_folders());
  accesses.read_all_files();
  options.accesses = &accesses;
  std::string text = text_of_suite(call, call.argument("SUITE"));
  call.heed_isolation(text, call.argument("SUITE"));
  // But a game is asked what its settings are.
  Accesses games(std::filesystem::path(call.argument("SUITE")).parent_path());
  if (!ask_for_trust(call, games, [&] { load_games(call, text, call.argument("SUITE"), games); }))
    throw not_trusted(games, call.argument("SUITE"));
  Suite suite = Suite::parse(call.catalogue(), std::move(text), call.argument("SUITE"), options);
  choose_scenarios(suite, call.texts("scenario"));
  const PriceList prices = PriceList::read(suite.prices);
  std::optional<Pilot> pilot;
  if (call.has("pilot")) pilot.emplace(open_pilot(call.text("pilot"), suite));
  const std::optional<PeoplePlan> people = plan_people(call, suite);
  const Forecast f = [&] {
    Forecast known = forecast(suite, call.catalogue(), prices,
                              static_cast<int>(call.number("sample", 0, 1, 1000)),
                              pilot ? &pilot->archive : nullptr);
    if (pilot) known.notes.insert(known.notes.begin(), pilot->notes.begin(), pilot->notes.end());
    if (call.has("cache"))
      for (std::string& note :
           cache_notes(call.text("cache"), known, pilot ? &pilot->archive : nullptr))
        known.notes.push_back(std::move(note));
    for (std::string& note : batch_notes(suite, known)) known.notes.push_back(std::move(note));
    if (people) known.notes.insert(known.notes.end(), people->notes.begin(), people->notes.end());
    return known;
  }();
  f.refuse_too_long(suite.file);
  const std::optional<double> effect = asked_effect(call);
  const report::Power power = pilot ? power_of(suite, pilot->archive, effect) : report::Power{};
  const AgentForecast total = total_of(f.rows);
  std::vector<ShardForecast> shards;
  if (call.has("shards"))
    shards = forecast_shards(call, suite, f, pilot ? &pilot->archive : nullptr);
  if (!call.json()) {
    print_tables(suite, f, power, total, people, effect);
    if (!shards.empty()) print_shards(shards);
    if (!Remembered::of_user().has(accesses.digests()))
      for (const AskedFor& asked : accesses.all())
        text::say("a run needs your trust: it {}\n", text_of(asked));
    return 0;
  }
  print_plan(suite, f, power, total, accesses, shards, people);
  return 0;
}

}  // namespace

Command plan_command() {
  Command c{{"plan",
             "estimate the matches, model calls, tokens and cost of a suite",
             "",
             {{"SUITE", "suite file, see docs/suite.md"}}},
            &plan};
  // clang-format off
  c.synopsis.options.add_options()
      ("pilot", po::value<std::string>()->value_name("ARCHIVE"), "archive of a small run of the same agents and scenarios; narrows the ranges and shows detectable effects")
      ("cache", po::value<std::string>()->value_name("FILE"), "file of cached answers: show how many it has of the suite's models")
      ("effect", po::value<std::string>()->value_name("X"), "with --pilot: blocks and repeats needed to detect this difference in normalised score (80% power)")
      ("sample", po::value<std::string>()->value_name("N"), "number of seats to simulate for each agent of a scenario (default: those of 5 matches, or of up to 100 matches, until calls and tokens are known within 10%)")
      ("shards", po::value<std::string>()->value_name("N"), "show what each of N shards takes, for 'agon run --shard I/N'")
      ("at-least", po::value<std::string>()->value_name("TIME"), "with --shards and --pilot: make fewer shards, so that each takes this long, such as 30min")
      ("prices", po::value<std::string>()->value_name("FILE"), "prices of models, see docs/suite.md (default: AGON_PRICES)");
  // clang-format on
  c.synopsis.rules = {{"effect", {"pilot"}}, {"at-least", {"shards"}}};
  add_arrival_options(c);
  add_suite_options(c.synopsis.options);
  add_model_options(c.synopsis.options);
  c.synopsis.details =
      "Plays a few matches with the real prompts but without any model: no key, no\n"
      "network. The game's own reference strategy plays in place of the models. Figures\n"
      "are expected values with ranges in brackets; with a pilot, as in its matches.\n";
  return c;
}

}  // namespace agon::command
