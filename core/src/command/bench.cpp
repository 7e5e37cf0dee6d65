#include "run/bench.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <agon/error.hpp>
#include <agon/process.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <thread>

#include "archive/database/file.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/suite.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "plugin/search_path.hpp"
#include "run/runner.hpp"
#include "text/layout.hpp"

namespace agon::command {
namespace {

namespace bj = boost::json;
namespace po = boost::program_options;

std::uint64_t peak_memory_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) / 1024;
}

/// Matches a second of one scenario with full records into an archive.
double recorded_speed(const Suite& suite, const Scenario& scenario, const Catalogue& catalogue,
                      int jobs, std::uint64_t matches) {
  const archive::ScratchFolder scratch("agon-bench");
  Suite one = suite;
  one.scenarios = {scenario};
  Scenario& s = one.scenarios.front();
  s.plan = std::make_shared<const design::MatchPlan>(
      std::vector<design::Seating>{scenario.plan->line_ups().front()},
      std::max<std::uint64_t>(1, matches / scenario.plan->line_ups().front().size()));
  RunOptions options;
  options.archive = (scratch.path() / "bench.agon").string();
  options.jobs = jobs;
  options.quiet = true;
  const RunSummary summary = run_suite(one, catalogue, options);
  if (summary.game_faults > 0) throw Error(ErrorKind::failure, summary.first_trouble);
  return static_cast<double>(summary.played) / summary.seconds;
}

/// What is compared of two programs: members of the rows that `bench --json` prints.
constexpr std::array<std::string_view, 2> kCompared = {"matches_per_second",
                                                       "recorded_per_second_one_job"};

/// What `PROGRAM bench` says of a suite of one scenario. Throws Error (failure) for what it does
/// not play.
bj::object measured_by(const std::string& program, const std::string& suite,
                       std::int64_t milliseconds, std::int64_t recorded) {
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) environment.emplace_back(*one);
  Process process({program, "bench", suite, "--jobs", "1", "--milliseconds",
                   std::to_string(milliseconds), "--recorded", std::to_string(recorded), "--json"},
                  "", std::move(environment));
  const auto until =
      Process::Clock::now() + std::chrono::milliseconds(milliseconds * 10) + std::chrono::hours(1);
  std::string text;
  std::string line;
  for (;;) {
    const Process::Got got = process.read(line, until, std::chrono::seconds(10));
    if (got != Process::Got::line && got != Process::Got::part) break;
    text += line;
    text += '\n';
  }
  process.wait(until);
  bj::error_code failed;
  const bj::value said = bj::parse(text, failed);
  const bj::value* rows =
      failed || !said.is_object() ? nullptr : said.as_object().if_contains("scenarios");
  if (rows == nullptr || !rows->is_array() || rows->as_array().size() != 1 ||
      !rows->as_array().front().is_object())
    throw Error(ErrorKind::failure,
                fmt::format("`{} bench` measured nothing: {}{}", program, process.fate(),
                            process.last_words()),
                suite, "name the command `agon` of a whole installation or build");
  return rows->as_array().front().as_object();
}

/// What both programs said of one scenario, round after round: this one, then the other.
using Rounds = std::vector<std::array<bj::object, 2>>;

bj::object compared_row(const Rounds& said, const std::string_view what) {
  std::vector<double> ratios;
  std::array<double, 2> best{};
  for (const std::array<bj::object, 2>& round : said) {
    std::array<double, 2> speed{};
    for (std::size_t i = 0; i < 2; ++i) {
      speed[i] = round[i].at(what).to_number<double>();
      best[i] = std::max(best[i], speed[i]);
    }
    ratios.push_back(speed[0] / speed[1]);
  }
  double logs = 0;
  for (const double one : ratios) logs += std::log(one);
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  return {{"scenario", said.front()[0].at("scenario")},
          {"measured", what},
          {"this", best[0]},
          {"other", best[1]},
          {"ratio", std::exp(logs / static_cast<double>(ratios.size()))},
          {"lowest", *low},
          {"highest", *high},
          {"rounds", bj::array(ratios.begin(), ratios.end())}};
}

/// Measures this program and another in turn, so that what else the machine does slows both.
int bench_against(Invocation& call, const std::string& file) {
  const std::string other = call.text("against");
  if (access(other.c_str(), X_OK) != 0)
    throw Error(ErrorKind::usage, "cannot run this program", other,
                "name the command `agon` of another build: --against OTHER/bin/agon");
  (void)AskedSuite(call, file, suite_options(call)).read();
  const std::string self = (plugin::program_folder() / "agon").string();
  const std::int64_t milliseconds = call.number("milliseconds", 1000, 10, 3'600'000);
  const std::int64_t recorded = call.number("recorded", 20'000, 1, 100'000'000);
  const std::int64_t rounds = call.number("rounds", 5, 2, 1000);
  const archive::ScratchFolder scratch("agon-bench");
  const std::string path = (scratch.path() / "one-scenario.json").string();
  bj::object suite = json::parse_file(file).as_object();
  const bj::array scenarios = suite.at("scenarios").as_array();
  bj::array rows;
  for (const bj::value& scenario : scenarios) {
    suite["scenarios"] = bj::array{scenario};
    std::ofstream(path) << bj::serialize(suite);
    Rounds said;
    for (std::int64_t round = 0; round < rounds; ++round)
      said.push_back({measured_by(self, path, milliseconds, recorded),
                      measured_by(other, path, milliseconds, recorded)});
    for (const std::string_view what : kCompared) rows.push_back(compared_row(said, what));
  }
  if (call.json()) {
    print_line(json::write_pretty(bj::value(bj::object{{"against", std::move(rows)}})));
    return 0;
  }
  text::TextTable table({{"scenario"},
                         {"measured"},
                         {"this", text::Align::right},
                         {"other", text::Align::right},
                         {"ratio", text::Align::right},
                         {"lowest", text::Align::right},
                         {"highest", text::Align::right}});
  for (const bj::value& row : rows) {
    const auto number = [&](const char* member, int decimals) {
      return fmt::format("{:.{}f}", row.at(member).as_double(), decimals);
    };
    table.add({row.at("scenario").as_string().c_str(), row.at("measured").as_string().c_str(),
               number("this", 0), number("other", 0), number("ratio", 3), number("lowest", 3),
               number("highest", 3)});
  }
  print(table.str());
  return 0;
}

int bench(Invocation& call) {
  if (call.has("against"))
    return bench_against(call, call.argument("SUITE").empty()
                                   ? plugin::shipped_file("scenarios/bench.json").string()
                                   : call.argument("SUITE"));
  if (const std::string suite = call.argument("SUITE"); !suite.empty())
    call.heed_isolation(Suite::read_text(suite), suite);
  const Catalogue& catalogue = call.catalogue();
  const int processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int jobs = static_cast<int>(call.number("jobs", processors, 1, kMostJobs));
  const double seconds =
      static_cast<double>(call.number("milliseconds", 1000, 10, 3'600'000)) / 1000;
  bj::object json;

  const std::string set = plugin::shipped_file("scenarios/signature.json").string();
  const std::string digest =
      hash::hex(signature(Suite::read(catalogue, set, suite_options(call)), jobs)).substr(0, 16);
  json["signature"] = digest;
  if (call.has("signature")) {
    print_line(call.json() ? json::write_pretty(bj::value(json)) : digest);
    return 0;
  }

  const std::string file = call.argument("SUITE").empty()
                               ? plugin::shipped_file("scenarios/bench.json").string()
                               : call.argument("SUITE");
  const Suite suite = AskedSuite(call, file, suite_options(call)).read();
  text::TextTable table({{"scenario"},
                         {"matches/s", text::Align::right},
                         {"questions/s", text::Align::right},
                         {fmt::format("{} jobs / {} x 1 job", jobs, jobs), text::Align::right},
                         {"recorded/s", text::Align::right},
                         {"recorded/s 1 job", text::Align::right}});
  bj::array rows;
  for (const Scenario& s : suite.scenarios) {
    // Once unmeasured, so that the first scenario does not pay for waking up.
    (void)measure_speed(suite, s, 1, seconds / 5);
    const Speed one = measure_speed(suite, s, 1, seconds);
    const Speed many = measure_speed(suite, s, jobs, seconds);
    const double ratio = many.matches / (one.matches * jobs);
    const auto enough = static_cast<std::uint64_t>(call.number("recorded", 20'000, 1, 100'000'000));
    const double recorded = recorded_speed(suite, s, catalogue, jobs, enough);
    const double recorded_one = recorded_speed(suite, s, catalogue, 1, enough);
    table.add({s.name, fmt::format("{:.0f}", one.matches), fmt::format("{:.0f}", one.questions),
               fmt::format("{:.2f}", ratio), fmt::format("{:.0f}", recorded),
               fmt::format("{:.0f}", recorded_one)});
    rows.push_back(bj::object{{"scenario", s.name},
                              {"matches_per_second", one.matches},
                              {"questions_per_second", one.questions},
                              {"jobs", jobs},
                              {"scaling", ratio},
                              {"recorded_per_second", recorded},
                              {"recorded_per_second_one_job", recorded_one}});
  }
  json["scenarios"] = std::move(rows);
  json["peak_memory_mib"] = peak_memory_mib();
  if (call.json()) {
    print_line(json::write_pretty(bj::value(std::move(json))));
    return 0;
  }
  print(table.str());
  print_line(fmt::format("\npeak memory {} MiB\nsignature {}", peak_memory_mib(), digest));
  return 0;
}

}  // namespace

Command bench_command() {
  Command c{{"bench",
             "measure the speed of games, or print the determinism signature",
             "",
             {{"SUITE", "suite whose scenarios to measure (default: the shipped ones)", false}}},
            &bench};
  // clang-format off
  c.synopsis.options.add_options()
      ("signature", "print only the signature; it is the same on every machine and compiler")
      ("jobs", po::value<std::string>()->value_name("N"), "number of threads (default: number of processors)")
      ("milliseconds", po::value<std::string>()->value_name("N"), "time to measure each scenario (default: 1000)")
      ("recorded", po::value<std::string>()->value_name("N"), "number of matches to play into an archive (default: 20000)")
      ("against", po::value<std::string>()->value_name("PROGRAM"), "another build's agon: measure both in turn, and print ratios, this over the other")
      ("rounds", po::value<std::string>()->value_name("N"), "how many times each is measured (default: 5)");
  // clang-format on
  c.synopsis.rules = {{"signature", {}, {"milliseconds", "recorded", "SUITE", "against"}},
                      {"against", {}, {"jobs"}},
                      {"rounds", {"against"}, {}}};
  return c;
}

}  // namespace agon::command
