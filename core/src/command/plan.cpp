#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "command/asked_suite.hpp"
#include "command/command.hpp"
#include "command/open_pilot.hpp"
#include "describe/enumeration.hpp"
#include "json/write.hpp"
#include "report/detectable.hpp"
#include "report/numbers.hpp"
#include "results/collect.hpp"
#include "run/forecast.hpp"
#include "suite/choose_scenarios.hpp"
#include "text/counted.hpp"
#include "text/percent.hpp"
#include "text/say.hpp"
#include "text/table.hpp"
#include "text/utf8.hpp"
#include "trust/accesses.hpp"
#include "trust/remembered.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

std::string short_number(double v) {
  if (v >= 1e9) return fmt::format("{:.2f}G", v / 1e9);
  if (v >= 1e6) return fmt::format("{:.2f}M", v / 1e6);
  if (v >= 1e4) return fmt::format("{:.1f}k", v / 1e3);
  return fmt::format("{:.0f}", v);
}

std::string range_text(const Span& range) {
  const std::string low = short_number(range.low), high = short_number(range.high);
  const std::string expected = short_number(range.expected);
  return low == high ? expected : fmt::format("{} ({} - {})", expected, low, high);
}

std::string cost_text(const std::optional<Span>& cost) {
  if (!cost) return "unknown";
  return fmt::format("{:.2f} ({:.2f} - {:.2f})", cost->expected, cost->low, cost->high);
}

bj::object range_json(const Span& range) {
  return {{"low", range.low}, {"expected", range.expected}, {"high", range.high}};
}

bj::object row_json(const AgentForecast& r) {
  bj::object parts;
  for (std::size_t p = 0; p < kOutputParts; ++p)
    parts[name_of(static_cast<OutputPart>(p))] = range_json(r.parts[p]);
  return {{"scenario", r.scenario},
          {"agent", r.agent},
          {"model", r.model},
          {"seats", r.seats},
          {"sampled", r.sampled},
          {"from_pilot", r.from_pilot},
          {"calls", range_json(r.calls)},
          {"tokens_in", range_json(r.input)},
          {"tokens_out", range_json(r.output)},
          {"tokens_out_by_part", std::move(parts)},
          {"effort", r.effort.empty() ? bj::value(nullptr) : bj::value(r.effort)},
          {"cost_usd", r.cost ? bj::value(range_json(*r.cost)) : bj::value(nullptr)},
          {"longest_prompt", r.longest_prompt}};
}

AgentForecast total_of(const std::vector<AgentForecast>& rows) {
  AgentForecast total;
  total.cost = Span{};
  for (const AgentForecast& r : rows) {
    for (auto [sum, part] : {std::pair{&total.calls, &r.calls}, std::pair{&total.input, &r.input},
                             std::pair{&total.output, &r.output}}) {
      sum->low += part->low;
      sum->expected += part->expected;
      sum->high += part->high;
    }
    for (std::size_t p = 0; p < kOutputParts; ++p) {
      total.parts[p].low += r.parts[p].low;
      total.parts[p].expected += r.parts[p].expected;
      total.parts[p].high += r.parts[p].high;
    }
    if (total.cost && r.cost) {
      total.cost->low += r.cost->low;
      total.cost->expected += r.cost->expected;
      total.cost->high += r.cost->high;
    } else {
      total.cost.reset();
    }
    total.longest_prompt = std::max(total.longest_prompt, r.longest_prompt);
  }
  return total;
}

/// What the pilot's blocks tell of the suite's; `effect`: how much is needed for this one.
report::Power power_of(const Suite& suite, const archive::Archive& pilot,
                       std::optional<double> effect) {
  report::Study study;
  for (const Scenario& s : suite.scenarios)
    study.scenarios.push_back({s.name, std::string(s.game->id), s.blocks, s.repeats});
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
  const std::string text = call.text("effect");
  double effect = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), effect);
  if (error != std::errc() || end != text.data() + text.size() || !(effect > 0) || !(effect <= 1e6))
    throw Error(ErrorKind::usage, "'" + text + "' is no effect", "--effect",
                "write a difference of normalised scores above 0, up to 1000000, such as 0.05");
  if (!call.has("pilot"))
    throw Error(ErrorKind::usage, "--effect needs a pilot", "--effect",
                "play a small run of the suite and name its archive with --pilot");
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
  text::Table table({{"comparison"},
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
  text::Table parts({{"comparison"},
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
  text::Table needed({{"comparison"},
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

bj::value finite_or_null(double number) {
  return std::isfinite(number) ? bj::value(number) : bj::value(nullptr);
}

bj::object power_json(const report::Detectable& d) {
  bj::array needed;
  for (const report::Needed& n : d.needed)
    needed.push_back(bj::object{{"blocks", finite_or_null(n.blocks)},
                                {"repeats", n.repeats},
                                {"matches", finite_or_null(n.matches)}});
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
  text::Table table(columns);
  const auto add = [&](const AgentForecast& r) {
    std::vector<std::string> cells{r.scenario, r.agent};
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

void print_tables(const Suite& suite, const Forecast& f, const report::Power& power,
                  const AgentForecast& total, std::optional<double> effect) {
  print_line(text::printable(suite.name) + ": " + text::counted(f.matches, "match", "matches"));
  if (suite.stop)
    print_line("  the most: it plays " + text::printable(describe(*suite.stop, suite)));
  text::Table matches({{"scenario"}, {"game"}, {"matches", text::Align::right}});
  for (const Scenario& s : suite.scenarios)
    matches.add({s.name, std::string(s.game->id),
                 std::to_string((s.as_seated ? 1 : s.plan->size()) * s.sequence)});
  print(matches.str(2));
  if (f.rows.empty()) {
    print_line("\nno agent calls a model: it costs nothing");
  } else {
    print_line("");
    text::Table table({{"scenario"},
                       {"agent", text::Align::left, 80},
                       {"model", text::Align::left, 30},
                       {"calls", text::Align::right},
                       {"tokens in", text::Align::right},
                       {"tokens out", text::Align::right},
                       {"USD", text::Align::right},
                       {"longest prompt", text::Align::right},
                       {"from"}});
    const auto add = [&](const AgentForecast& r, const std::string& from) {
      table.add({r.scenario, r.agent, r.model, range_text(r.calls), range_text(r.input),
                 range_text(r.output), cost_text(r.cost), std::to_string(r.longest_prompt), from});
    };
    for (const AgentForecast& r : f.rows)
      add(r, text::counted(r.sampled, "seat") + (r.from_pilot ? " of the pilot" : " played dry"));
    AgentForecast sum = total;
    sum.scenario = "all";
    add(sum, "");
    print(table.str(2));
    print_parts(f, sum);
    if (!total.cost)
      print_line("The cost of models without a price is unknown: see --prices, docs/suite.md.");
  }
  print_power(suite, power, effect);
  for (const auto* notes : {&f.notes, &power.notes})
    for (const std::string& note : *notes) text::say("note: {}\n", text::printable(note));
}

int plan(Invocation& call) {
  SuiteOptions options = call.changed_suite_options();
  options.dry_run = true;
  // What a plan reads goes nowhere.
  Accesses accesses(std::filesystem::path(call.argument("SUITE")).parent_path(),
                    options.shipped_folders());
  accesses.read_all_files();
  options.accesses = &accesses;
  std::string text = Suite::read_text(call.argument("SUITE"));
  call.heed_isolation(text, call.argument("SUITE"));
  // But a game is asked what its settings are.
  Accesses games(std::filesystem::path(call.argument("SUITE")).parent_path());
  if (!ask_for_trust(call, games, [&] { load_games(call, text, call.argument("SUITE"), games); }))
    throw not_trusted(games, call.argument("SUITE"));
  Suite suite = Suite::parse(call.catalogue(), std::move(text), call.argument("SUITE"), options);
  choose_scenarios(suite, call.texts("scenario"));
  std::string file = call.prices();
  if (file.empty()) file = suite.prices;
  const Prices prices = file.empty() ? Prices() : Prices::read(file);
  std::optional<Pilot> pilot;
  if (call.has("pilot")) pilot.emplace(open_pilot(call.text("pilot"), suite));
  const Forecast f = [&] {
    Forecast known = forecast(suite, call.catalogue(), prices,
                              static_cast<int>(call.number("sample", 0, 1, 1000)),
                              pilot ? &pilot->archive : nullptr);
    if (pilot) known.notes.insert(known.notes.begin(), pilot->notes.begin(), pilot->notes.end());
    return known;
  }();
  const std::optional<double> effect = asked_effect(call);
  const report::Power power = pilot ? power_of(suite, pilot->archive, effect) : report::Power{};
  const AgentForecast total = total_of(f.rows);
  if (!call.json()) {
    print_tables(suite, f, power, total, effect);
    if (!Remembered::of_user().has(accesses.digests()))
      for (const AskedFor& asked : accesses.all())
        text::say("a run needs your trust: it {}\n", text_of(asked));
    return 0;
  }
  bj::array rows, detectable, notes, asks_for;
  for (const AskedFor& asked : accesses.all()) asks_for.emplace_back(bj::string(text_of(asked)));
  for (const AgentForecast& r : f.rows) rows.push_back(row_json(r));
  for (const report::Detectable& d : power.effects) detectable.push_back(power_json(d));
  for (const auto* list : {&f.notes, &power.notes})
    for (const std::string& note : *list) notes.emplace_back(bj::string(note));
  print_line(json::write_pretty(bj::value(bj::object{{"suite", suite.name},
                                                     {"matches", f.matches},
                                                     {"total", row_json(total)},
                                                     {"rows", std::move(rows)},
                                                     {"detectable", std::move(detectable)},
                                                     {"asks_for", std::move(asks_for)},
                                                     {"notes", std::move(notes)}})));
  return 0;
}

}  // namespace

Command plan_command() {
  Command c{{"plan",
             "what a suite takes before it is run: matches, model calls, tokens, money",
             "",
             {{"SUITE", "a suite file, see docs/suite.md"}}},
            &plan};
  // clang-format off
  c.synopsis.options.add_options()
      ("pilot", po::value<std::string>()->value_name("ARCHIVE"), "a small run of the same agents and scenarios: narrower ranges, and the effects that can be found")
      ("effect", po::value<std::string>()->value_name("X"), "with --pilot: how many blocks and repeats find this difference of normalised scores")
      ("sample", po::value<std::string>()->value_name("N"), "seats to play dry for each agent of a scenario; default: those of 5 matches, and up to 60 until calls are known to a tenth")
      ("prices", po::value<std::string>()->value_name("FILE"), "what models cost, see docs/suite.md; also AGON_PRICES");
  // clang-format on
  add_suite_options(c.synopsis.options);
  add_model_options(c.synopsis.options);
  c.synopsis.details =
      "A few matches are played with the real prompts and without any model: no key, no network. "
      "What a\n"
      "model would play is what the game's own reference strategy does. Everything is told as it "
      "is\n"
      "expected, and from low to high in brackets; with a pilot, as its matches were.\n";
  return c;
}

}  // namespace agon::command
