#include "command/run/plan_people.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "command/output.hpp"
#include "command/run/run.hpp"
#include "describe/value.hpp"
#include "json/parse.hpp"
#include "people/matching/play_design.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "suite/scenario/match_setup.hpp"
#include "table/match.hpp"
#include "text/layout.hpp"
#include "text/words.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

constexpr std::size_t kMostTried = 200;

/// What plays in the place of people: the game's reference, or whatever is legal.
AgentSpec in_place_of_people(const Catalogue& catalogue, const Game& game) {
  const std::string agent(game.card.reference.empty() ? "random" : game.card.reference);
  return AgentSpec::parse(
      {.catalogue = catalogue, .games = {std::string(game.id)}, .dry_run = true}, agent,
      std::string(game.id), ErrorPlace("reference"));
}

/// How many people are asked at the same time, one time after the other, in a match that was played
/// without them.
std::vector<int> steps_of(const Catalogue& catalogue, const Suite& suite, const Scenario& s,
                          const design::PlannedMatch& planned) {
  MatchSetup setup =
      match_setup(suite, s, planned, 0, std::vector<std::string>(planned.agents.size()));
  setup.record = true;
  setup.label = "plan";
  const AgentSpec reference = in_place_of_people(catalogue, *s.game);
  const AgentSpec random = AgentSpec::parse(
      {.catalogue = catalogue, .games = {std::string(s.game->id)}, .dry_run = true}, "random",
      std::string(s.game->id), ErrorPlace("random"));
  std::set<int> seats;
  for (std::size_t i = 0; i < setup.seats.size(); ++i) {
    if (!is_person(*setup.seats[i].agent)) continue;
    seats.insert(static_cast<int>(i));
    const AgentInGame* in = reference.in(s.game->id);
    const std::string& role = setup.cards[i].role;
    if (in == nullptr ||
        (!in->roles.empty() &&
         std::find(in->roles.begin(), in->roles.end(), role) == in->roles.end()) ||
        (in->check != nullptr && !in->check(setup.settings).empty()))
      in = random.in(s.game->id);
    const std::uint64_t dice = setup.seats[i].dice_key;
    setup.seats[i] = seat_setup(*in, s.name, planned.block, dice);
    setup.seats[i].prompts = s.prompts_of(*in->agent);
  }
  const MatchResult result = play_match(setup);
  std::vector<int> steps;
  std::set<int> asked;  // at the same time
  const auto end_step = [&] {
    if (!asked.empty()) steps.push_back(static_cast<int>(asked.size()));
    asked.clear();
  };
  record::each_entry(result.record, [&](const record::Entry& entry) {
    const bool question = entry.what == record::Entry::What::question;
    if (!question || asked.contains(entry.seat)) end_step();
    if (question && !entry.probe && seats.contains(entry.seat)) asked.insert(entry.seat);
    return true;
  });
  end_step();
  return steps;
}

/// Says of each match how long it makes people think: as the first of its scenario and treatment.
void add_steps(const Catalogue& catalogue, const Suite& suite,
               std::vector<serve::PeopleMatch>& matches) {
  std::map<std::pair<std::size_t, std::uint64_t>, std::vector<int>> known;
  for (serve::PeopleMatch& match : matches) {
    const auto [at, is_new] = known.try_emplace({match.open.scenario, match.open.treatment});
    if (is_new) {
      const Scenario& s = suite.scenarios[match.open.scenario];
      at->second = steps_of(catalogue, suite, s, s.plan->match(match.number));
    }
    match.steps = at->second;
  }
}

/// "all", "poisson:2/min" or "every:30s".
serve::Arrivals read_arrivals(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto pattern = value_named<serve::ArrivalPattern>(text.substr(0, colon));
  const std::string rest = colon == std::string::npos ? "" : text.substr(colon + 1);
  if (pattern == serve::ArrivalPattern::all && colon == std::string::npos) return {};
  if (pattern == serve::ArrivalPattern::every)
    return {*pattern, 1e3 * read_duration(rest, "arrivals")};
  const std::size_t slash = rest.find('/');
  if (pattern == serve::ArrivalPattern::poisson && slash != std::string::npos)
    if (const auto people = text::number_in<double>(rest.substr(0, slash));
        people && *people > 0 && *people <= 1e6)
      return {*pattern, 1e3 * read_duration("1" + rest.substr(slash + 1), "arrivals") / *people};
  throw Error(ErrorKind::usage, "invalid value '" + text + "' for --arrivals", "",
              "write all, poisson:2/min or every:30s");
}

double read_share(const std::string& text) {
  const auto share = text::number_in<double>(text);
  if (share && *share >= 0 && *share <= 1) return *share;
  throw Error(ErrorKind::usage, "invalid value '" + text + "' for --drop-outs", "",
              "write the share of people who leave, between 0 and 1: 0.1");
}

/// The least number of people with whom all of it can be played.
std::size_t people_needed(const Suite& suite, const std::vector<serve::PeopleMatch>& matches) {
  for (std::size_t n = 1; n <= kMostTried; ++n) {
    try {
      const auto designs =
          serve::play_designs(suite, matches, serve::people_of_suite(suite, n, false));
      const auto at_once =
          serve::rehearse(designs, matches, {.sessions = 1, .people = n, .seed = suite.seed});
      if (at_once.in_vain.most == 0) return n;
    } catch (const Error&) {
      continue;  // too few
    }
  }
  return 0;
}

std::string range_of(const serve::RehearsedRange& spread) {
  return spread.least == spread.most
             ? fmt::format("{:.0f}", spread.median)
             : fmt::format("{:.0f} ({:.0f} - {:.0f})", spread.median, spread.least, spread.most);
}

std::string treatment_text(const Scenario& s, std::uint64_t treatment) {
  return s.treatments.size() == 1 ? "" : s.treatments[treatment].values;
}

bool has_pages(const PeoplePlan& plan) {
  return plan.simulated.pages_after > 0 ||
         std::any_of(plan.designs.begin(), plan.designs.end(),
                     [](const serve::PlayDesign& design) { return design.pages_before > 0; });
}

/// Whether perfect strangers go without a match although matches are left.
bool strangers_end(const PeoplePlan& plan) {
  std::map<std::size_t, double> left;  // matches, by scenario
  for (const serve::PeopleMatch& match : plan.matches) ++left[match.open.scenario];
  for (const serve::RehearsedCell& cell : plan.at_once.cells)
    left[cell.scenario] -= cell.matches.most;
  return std::any_of(plan.designs.begin(), plan.designs.end(),
                     [&](const serve::PlayDesign& design) {
                       return design.matching == suite_file::Matching::perfect_strangers &&
                              std::any_of(design.scenarios.begin(), design.scenarios.end(),
                                          [&](std::size_t scenario) { return left[scenario] > 0; });
                     });
}

void print_cells(const Suite& suite, const PeoplePlan& plan, const serve::Rehearsal& rehearsal) {
  text::TextTable table({{"scenario"},
                         {"treatment"},
                         {"planned", text::Align::right},
                         {"played", text::Align::right},
                         {"people", text::Align::right}});
  for (const serve::RehearsedCell& cell : rehearsal.cells) {
    const Scenario& s = suite.scenarios[cell.scenario];
    const auto planned = std::count_if(
        plan.matches.begin(), plan.matches.end(), [&](const serve::PeopleMatch& match) {
          return match.open.scenario == cell.scenario && match.open.treatment == cell.treatment;
        });
    table.add({s.name, treatment_text(s, cell.treatment), std::to_string(planned),
               range_of(cell.matches), range_of(cell.people)});
  }
  print(table.str(2));
}

bj::object spread_json(const serve::RehearsedRange& spread, double unit = 1) {
  return {{"least", spread.least / unit},
          {"median", spread.median / unit},
          {"ninety_percent", spread.ninety / unit},
          {"most", spread.most / unit}};
}

bj::array cells_json(const Suite& suite, const serve::Rehearsal& rehearsal) {
  bj::array cells;
  for (const serve::RehearsedCell& cell : rehearsal.cells) {
    const Scenario& s = suite.scenarios[cell.scenario];
    cells.push_back(bj::object{{"scenario", s.name},
                               {"treatment", json::parse(s.treatments[cell.treatment].values, "")},
                               {"matches", spread_json(cell.matches)},
                               {"people", spread_json(cell.people)}});
  }
  return cells;
}

}  // namespace

std::optional<PeoplePlan> plan_people(Invocation& call, const Suite& suite) {
  if (!suite.people) {
    for (const char* const option : {"arrivals", "participants"})
      if (call.has(option))
        throw Error(ErrorKind::usage,
                    std::string("--") + option + " is for suites that people take part in",
                    suite.file, "write \"people\": { \"participants\": 2 }");
    return std::nullopt;
  }
  PeoplePlan plan;
  plan.matches = serve::people_matches(suite);
  if (plan.matches.empty() && !suite.scenarios.empty()) return std::nullopt;
  const auto links = static_cast<std::uint64_t>(call.number(
      "participants", static_cast<std::int64_t>(suite.people->said.participants), 1, 10'000));
  const auto people = serve::people_of_suite(suite, links, true);
  plan.people = people.size();
  if (plan.matches.empty()) return plan;  // a survey
  plan.designs = serve::play_designs(suite, plan.matches, people);
  plan.needed = people_needed(suite, plan.matches);
  const bool listed = std::any_of(plan.designs.begin(), plan.designs.end(),
                                  [](const serve::PlayDesign& d) { return !d.groups.empty(); });
  if (listed) plan.needed = plan.people;
  if (plan.people == 0) plan.people = plan.needed;
  serve::RehearsalOptions options{.sessions = 1, .people = plan.people, .seed = suite.seed};
  plan.at_once = serve::rehearse(plan.designs, plan.matches, options);
  if (const double left = plan.at_once.in_vain.most; left > 0) {
    plan.notes.push_back(fmt::format(
        "although all {} are there at the start, {} cannot play all their matches{}", plan.people,
        text::counted(static_cast<std::uint64_t>(left), "person", "people"),
        strangers_end(plan) ? ": no further group of people who have not met is possible" : ""));
  }
  if (!call.has("arrivals")) return plan;
  plan.arrivals = call.text("arrivals");
  options.arrivals = read_arrivals(plan.arrivals);
  const auto milliseconds = [&](const char* option, double seconds) {
    return 1e3 * (call.has(option) ? read_duration(call.text(option), option) : seconds);
  };
  options.answer = milliseconds("answer-time", 20);
  options.page = milliseconds("page-time", 60);
  options.pages_after = serve::pages_after_play(suite);
  if (call.has("drop-outs")) options.leave = read_share(call.text("drop-outs"));
  options.sessions = static_cast<std::size_t>(call.number("sessions", 200, 1, 10'000));
  if (const auto& longest = suite.people->said.waiting.seconds)
    options.longest_wait = *longest * 1000;
  add_steps(call.catalogue(), suite, plan.matches);
  plan.simulated = options;
  plan.rehearsal = serve::rehearse(plan.designs, plan.matches, options);
  return plan;
}

void print_people(const Suite& suite, const PeoplePlan& plan) {
  if (plan.matches.empty())
    return print_line(fmt::format("\nPeople: {} take part, without matches", plan.people));
  print_line(fmt::format("\nPeople: {} take part, {}", plan.people,
                         plan.needed == 0 ? "and no number is known with which everybody plays all"
                                          : fmt::format("{} are needed", plan.needed)));
  text::TextTable stages({{"stage", text::Align::right},
                          {"scenarios"},
                          {"matches each", text::Align::right},
                          {"order"},
                          {"treatments"},
                          {"matching"}});
  for (const serve::PlayDesign& design : plan.designs)
    stages.add({std::to_string(design.stage), text::joined(design.names),
                std::to_string(design.matches), std::string(agon::name_of(design.order)),
                std::string(agon::name_of(design.treatments_by)),
                design.groups.empty() ? std::string(agon::name_of(design.matching)) : "groups"});
  print(stages.str(2));
  print_line("\nIf all come at once:");
  print_cells(suite, plan, plan.at_once);
  if (!plan.rehearsal) return;
  const serve::Rehearsal& rehearsal = *plan.rehearsal;
  const serve::RehearsalOptions& simulated = plan.simulated;
  print_line(fmt::format(
      "\n{} simulated, arrivals {}, {} an answer{}{}:",
      text::counted(simulated.sessions, "session"), plan.arrivals,
      time_text(simulated.answer / 1e3),
      has_pages(plan) ? fmt::format(", {} a page without matches", time_text(simulated.page / 1e3))
                      : "",
      simulated.leave > 0 ? fmt::format(", {:g}% leave", 100 * simulated.leave) : ""));
  text::TextTable times({{""},
                         {"median", text::Align::right},
                         {"90%", text::Align::right},
                         {"longest", text::Align::right}});
  for (const auto& [name, spread] :
       {std::pair{"wait for a match", &rehearsal.waits}, std::pair{"session", &rehearsal.lengths}})
    times.add({name, time_text(spread->median / 1e3), time_text(spread->ninety / 1e3),
               time_text(spread->most / 1e3)});
  print(times.str(2));
  print_line(fmt::format("  people who play all: {}; who wait in vain: {}{}",
                         range_of(rehearsal.done), range_of(rehearsal.in_vain),
                         simulated.leave > 0 ? "; who leave: " + range_of(rehearsal.left) : ""));
  print_cells(suite, plan, rehearsal);
}

bj::object people_json(const Suite& suite, const PeoplePlan& plan) {
  bj::array stages, notes;
  for (const serve::PlayDesign& design : plan.designs) {
    bj::array names;
    for (const std::string& name : design.names) names.emplace_back(bj::string(name));
    stages.push_back(bj::object{
        {"stage", design.stage},
        {"scenarios", std::move(names)},
        {"matches", design.matches},
        {"order", agon::name_of(design.order)},
        {"treatments", agon::name_of(design.treatments_by)},
        {"matching", design.groups.empty() ? agon::name_of(design.matching) : "groups"}});
  }
  for (const std::string& note : plan.notes) notes.emplace_back(bj::string(note));
  bj::object told{{"participants", plan.people},
                  {"needed", plan.needed == 0 ? bj::value(nullptr) : bj::value(plan.needed)},
                  {"stages", std::move(stages)},
                  {"cells", cells_json(suite, plan.at_once)},
                  {"notes", std::move(notes)}};
  if (plan.rehearsal)
    told["arrivals"] = bj::object{{"arrivals", plan.arrivals},
                                  {"answer_seconds", plan.simulated.answer / 1e3},
                                  {"page_seconds", plan.simulated.page / 1e3},
                                  {"drop_outs", plan.simulated.leave},
                                  {"sessions", plan.simulated.sessions},
                                  {"wait_seconds", spread_json(plan.rehearsal->waits, 1e3)},
                                  {"session_seconds", spread_json(plan.rehearsal->lengths, 1e3)},
                                  {"play_all", spread_json(plan.rehearsal->done)},
                                  {"wait_in_vain", spread_json(plan.rehearsal->in_vain)},
                                  {"leave", spread_json(plan.rehearsal->left)},
                                  {"cells", cells_json(suite, *plan.rehearsal)}};
  return told;
}

void add_arrival_options(Command& command) {
  // clang-format off
  command.synopsis.options.add_options()
      ("participants", po::value<std::string>()->value_name("N"), "number of people who take part (default: the suite's)")
      ("arrivals", po::value<std::string>()->value_name("HOW"), "simulate sessions with people who arrive so: all (at the start), poisson:2/min (at random) or every:30s; shows how long they wait, how many wait in vain, and what is played")
      ("answer-time", po::value<std::string>()->value_name("TIME"), "with --arrivals: what an answer takes on average (default: 20s)")
      ("page-time", po::value<std::string>()->value_name("TIME"), "with --arrivals: what instructions, a quiz, a questionnaire or the page with the payment takes on average (default: 60s)")
      ("drop-outs", po::value<std::string>()->value_name("SHARE"), "with --arrivals: share of people who leave, each before a match drawn at random (default: 0)")
      ("sessions", po::value<std::string>()->value_name("N"), "with --arrivals: number of simulated sessions (default: 200)");
  // clang-format on
  for (const char* const option : {"answer-time", "page-time", "drop-outs", "sessions"})
    command.synopsis.rules.push_back({option, {"arrivals"}});
}

}  // namespace agon::command
