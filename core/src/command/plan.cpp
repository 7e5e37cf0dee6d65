#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <filesystem>
#include <limits>

#include "command/command.hpp"
#include "json/write.hpp"
#include "report/collect.hpp"
#include "report/detectable.hpp"
#include "run/forecast.hpp"
#include "text/counted.hpp"
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
  return low == high ? low : low + " - " + high;
}

std::string cost_text(const std::optional<Span>& cost) {
  if (!cost) return "unknown";
  return fmt::format("{:.2f} - {:.2f}", cost->low, cost->high);
}

bj::object range_json(const Span& range) {
  return {{"low", range.low}, {"high", range.high}};
}

bj::object row_json(const AgentForecast& r) {
  return {{"scenario", r.scenario},
          {"agent", r.agent},
          {"model", r.model},
          {"seats", r.seats},
          {"sampled", r.sampled},
          {"from_pilot", r.from_pilot},
          {"calls", range_json(r.calls)},
          {"tokens_in", range_json(r.input)},
          {"tokens_out", range_json(r.output)},
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
      sum->high += part->high;
    }
    if (total.cost && r.cost) {
      total.cost->low += r.cost->low;
      total.cost->high += r.cost->high;
    } else {
      total.cost.reset();
    }
    total.longest_prompt = std::max(total.longest_prompt, r.longest_prompt);
  }
  return total;
}

/// What the pilot's blocks tell of the suite's.
report::Power power_of(const Suite& suite, const archive::Archive& pilot) {
  report::Study study;
  for (const Scenario& s : suite.scenarios)
    study.scenarios.push_back({s.name, std::string(s.game->id), s.blocks});
  for (const AgentSpec& agent : suite.agents) study.agents.push_back(agent.name());
  study.against = suite.against;
  study.level = suite.level;
  report::CollectOptions options;
  options.policy = suite.policy;
  options.most_bins = std::numeric_limits<std::size_t>::max();  // the pilot's blocks are counted
  return report::detectable_effects(study, report::collect(pilot, options));
}

void print_tables(const Suite& suite, const Forecast& f, const report::Power& power,
                  const AgentForecast& total) {
  print_line(text::printable(suite.name) + ": " + text::counted(f.matches, "match", "matches"));
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
    if (!total.cost)
      print_line("The cost of models without a price is unknown: see --prices, docs/suite.md.");
  }
  if (!power.effects.empty()) {
    print_line(
        fmt::format("\nEffects on the normalised score that are found with a chance of 80% "
                    "({:g}% level), by the pilot's blocks; each agent by itself:",
                    100 * suite.level));
    text::Table table({{"scenario"},
                       {"agent", text::Align::left, 80},
                       {"against"},
                       {"effect", text::Align::right},
                       {"blocks", text::Align::right},
                       {"independent blocks of the pilot", text::Align::right}});
    for (const report::Detectable& d : power.effects)
      table.add({d.scenario, d.agent, d.against, fmt::format("{:.3f}", d.effect),
                 std::to_string(d.blocks), std::to_string(d.pilot_units)});
    print(table.str(2));
  }
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
  const Suite suite = Suite::read(call.catalogue(), call.argument("SUITE"), options);
  std::string file = call.prices();
  if (file.empty()) file = suite.prices;
  const Prices prices = file.empty() ? Prices() : Prices::read(file);
  std::optional<archive::Archive> pilot;
  if (call.has("pilot")) pilot.emplace(archive::Archive::open(call.text("pilot")));
  const Forecast f = forecast(suite, prices, static_cast<int>(call.number("sample", 5, 1, 1000)),
                              pilot ? &*pilot : nullptr);
  const report::Power power = pilot ? power_of(suite, *pilot) : report::Power{};
  const AgentForecast total = total_of(f.rows);
  if (!call.json()) {
    print_tables(suite, f, power, total);
    if (!Remembered::of_user().has(accesses.digests()))
      for (const AskedFor& asked : accesses.all())
        text::say("a run needs your trust: it {}\n", text_of(asked));
    return 0;
  }
  bj::array rows, detectable, notes, asks_for;
  for (const AskedFor& asked : accesses.all()) asks_for.emplace_back(bj::string(text_of(asked)));
  for (const AgentForecast& r : f.rows) rows.push_back(row_json(r));
  for (const report::Detectable& d : power.effects)
    detectable.push_back(bj::object{{"scenario", d.scenario},
                                    {"agent", d.agent},
                                    {"against", d.against},
                                    {"effect", d.effect},
                                    {"blocks", d.blocks},
                                    {"pilot_units", d.pilot_units}});
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
      ("sample", po::value<std::string>()->value_name("N"), "seats to play dry for each agent of a scenario; default 5")
      ("prices", po::value<std::string>()->value_name("FILE"), "what models cost, see docs/suite.md; also AGON_PRICES");
  // clang-format on
  add_suite_options(c.synopsis.options);
  add_model_options(c.synopsis.options);
  c.synopsis.details =
      "A few matches are played with the real prompts by a mock in the place of every model: no "
      "key,\n"
      "no network. Everything is told from low to high; with a pilot, as its matches were.\n";
  return c;
}

}  // namespace agon::command
