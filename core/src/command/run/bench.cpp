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
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>

#include "archive/database/file.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/run/suite.hpp"
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

/// What a program says in one round: by scenario and member, a speed.
using Speeds = std::map<std::pair<std::string, std::string_view>, double>;

/// Reads what `bench --json` printed; nothing where it is anything else.
std::optional<Speeds> read_speeds(const std::string& text) {
  bj::error_code failed;
  const bj::value said = bj::parse(text, failed);
  const bj::value* rows =
      failed || !said.is_object() ? nullptr : said.as_object().if_contains("scenarios");
  if (rows == nullptr || !rows->is_array()) return std::nullopt;
  Speeds speeds;
  for (const bj::value& row : rows->as_array()) {
    if (!row.is_object()) return std::nullopt;
    const bj::value* scenario = row.as_object().if_contains("scenario");
    if (scenario == nullptr || !scenario->is_string()) return std::nullopt;
    for (const std::string_view member : kCompared) {
      const bj::value* speed = row.as_object().if_contains(member);
      if (speed == nullptr || !speed->is_number()) return std::nullopt;
      speeds[{std::string(scenario->as_string()), member}] = speed->to_number<double>();
    }
  }
  return speeds;
}

/// Measures with one program. Throws Error (failure) where it says no speeds, or one of 0.
Speeds measured_by(const std::string& program, const std::vector<std::string>& words) {
  std::vector<std::string> environment;
  for (char** one = environ; *one != nullptr; ++one) environment.emplace_back(*one);
  std::vector<std::string> command{program};
  command.insert(command.end(), words.begin(), words.end());
  Process process(command, "", std::move(environment));
  const auto until = Process::Clock::now() + std::chrono::hours(24);
  std::string text;
  std::string line;
  for (;;) {
    const Process::Got got = process.read(line, until, std::chrono::seconds(10));
    if (got != Process::Got::line && got != Process::Got::part) break;
    text += line;
    text += '\n';
  }
  process.wait(until);
  std::optional<Speeds> speeds = read_speeds(text);
  if (!speeds)
    throw Error(ErrorKind::failure,
                fmt::format("`{} bench` printed no speeds: {}{}", program, process.fate(),
                            process.last_words()),
                program, "name the command `agon` of a whole installation or build");
  for (const auto& [what, speed] : *speeds)
    if (!(speed > 0))
      throw Error(ErrorKind::failure,
                  fmt::format("`{} bench` finished no match of '{}' in time", program, what.first),
                  program, "measure for longer: --milliseconds");
  return *std::move(speeds);
}

double geometric_mean(const std::vector<double>& values) {
  double logs = 0;
  for (const double one : values) logs += std::log(one);
  return std::exp(logs / static_cast<double>(values.size()));
}

/// Rows of what both programs said, this one first, round after round. Throws Error (failure) where
/// they measured different scenarios.
bj::array compared_rows(const std::vector<std::array<Speeds, 2>>& rounds,
                        const std::string& other) {
  bj::array rows;
  for (const auto& [what, unused] : rounds.front()[0]) {
    std::vector<double> ratios;
    std::array<std::vector<double>, 2> speeds;
    for (const std::array<Speeds, 2>& round : rounds) {
      for (std::size_t i = 0; i < 2; ++i) {
        const auto found = round[i].find(what);
        if (found == round[i].end())
          throw Error(ErrorKind::failure,
                      fmt::format("`{} bench` did not measure '{}'", other, what.first), other,
                      "compare builds that know the suite's scenarios");
        speeds[i].push_back(found->second);
      }
      ratios.push_back(speeds[0].back() / speeds[1].back());
    }
    const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
    rows.push_back(bj::object{{"scenario", what.first},
                              {"measured", what.second},
                              {"this", geometric_mean(speeds[0])},
                              {"other", geometric_mean(speeds[1])},
                              {"ratio", geometric_mean(ratios)},
                              {"lowest", *low},
                              {"highest", *high},
                              {"rounds", bj::array(ratios.begin(), ratios.end())}});
  }
  return rows;
}

/// A column of a table: its head, and the member of each row with its decimals; without: a text.
struct MemberColumn {
  std::string header;
  std::string_view member;
  std::optional<int> decimals{};
};

void print_table(const bj::array& rows, const std::vector<MemberColumn>& columns) {
  std::vector<text::Column> heads;
  for (const MemberColumn& column : columns)
    heads.push_back({column.header, column.decimals ? text::Align::right : text::Align::left});
  text::TextTable table(heads);
  for (const bj::value& row : rows) {
    std::vector<std::string> cells;
    for (const MemberColumn& column : columns) {
      const bj::value& value = row.at(column.member);
      cells.push_back(column.decimals
                          ? fmt::format("{:.{}f}", value.to_number<double>(), *column.decimals)
                          : std::string(value.as_string()));
    }
    table.add(cells);
  }
  print(table.str());
}

/// Measures this program and another in turn, so that what else the machine does slows both.
int bench_against(Invocation& call, const std::string& file) {
  std::error_code none;
  const std::filesystem::path other = std::filesystem::absolute(call.text("against"), none);
  if (!std::filesystem::is_regular_file(other, none) || access(other.c_str(), X_OK) != 0)
    throw Error(ErrorKind::usage, "cannot run this program", other.string(),
                "name the command `agon` of another build: --against OTHER/bin/agon");
  (void)AskedSuite(call, file, suite_options(call)).read();
  const std::string self = (plugin::program_folder() / "agon").string();
  std::vector<std::string> words{
      "bench",          file,
      "--jobs",         "1",
      "--milliseconds", std::to_string(call.number("milliseconds", 250, 50, 3'600'000)),
      "--recorded",     std::to_string(call.number("recorded", 5000, 1, 100'000'000)),
      "--json"};
  if (call.has("trust")) words.emplace_back("--trust");
  std::vector<std::array<Speeds, 2>> rounds(
      static_cast<std::size_t>(call.number("rounds", 10, 2, 1000)));
  for (std::array<Speeds, 2>& round : rounds)
    round = {measured_by(self, words), measured_by(other.string(), words)};
  const bj::array rows = compared_rows(rounds, other.string());
  if (call.json()) {
    print_json(bj::object{{"against", rows}});
    return 0;
  }
  print_table(rows, {{"scenario", "scenario"},
                     {"measured", "measured"},
                     {"this", "this", 0},
                     {"other", "other", 0},
                     {"ratio", "ratio", 3},
                     {"lowest", "lowest", 3},
                     {"highest", "highest", 3}});
  return 0;
}

/// How a scenario is measured.
struct Measuring {
  int jobs;
  double seconds;          ///< without records
  std::uint64_t recorded;  ///< matches
};

bj::object measured(const Suite& suite, const Scenario& scenario, const Catalogue& catalogue,
                    const Measuring& how) {
  // Once unmeasured, so that the first scenario does not pay for waking up.
  (void)measure_speed(suite, scenario, 1, how.seconds / 5);
  const Speed one = measure_speed(suite, scenario, 1, how.seconds);
  const Speed many = how.jobs == 1 ? one : measure_speed(suite, scenario, how.jobs, how.seconds);
  const double recorded = recorded_speed(suite, scenario, catalogue, how.jobs, how.recorded);
  return {{"scenario", scenario.name},
          {"matches_per_second", one.matches},
          {"questions_per_second", one.questions},
          {"jobs", how.jobs},
          {"scaling", many.matches / (one.matches * how.jobs)},
          {"recorded_per_second", recorded},
          {"recorded_per_second_one_job",
           how.jobs == 1 ? recorded : recorded_speed(suite, scenario, catalogue, 1, how.recorded)}};
}

int bench(Invocation& call) {
  const std::string file = call.argument("SUITE").empty()
                               ? plugin::shipped_file("scenarios/bench.json").string()
                               : call.argument("SUITE");
  if (call.has("against")) return bench_against(call, file);
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

  const Suite suite = AskedSuite(call, file, suite_options(call)).read();
  const auto enough = static_cast<std::uint64_t>(call.number("recorded", 20'000, 1, 100'000'000));
  bj::array rows;
  for (const Scenario& s : suite.scenarios)
    rows.push_back(measured(suite, s, catalogue, {jobs, seconds, enough}));
  if (call.json()) {
    json["scenarios"] = std::move(rows);
    json["peak_memory_mib"] = peak_memory_mib();
    print_json(std::move(json));
    return 0;
  }
  print_table(rows, {{"scenario", "scenario"},
                     {"matches/s", "matches_per_second", 0},
                     {"questions/s", "questions_per_second", 0},
                     {fmt::format("{} jobs / {} x 1 job", jobs, jobs), "scaling", 2},
                     {"recorded/s", "recorded_per_second", 0},
                     {"recorded/s 1 job", "recorded_per_second_one_job", 0}});
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
      ("milliseconds", po::value<std::string>()->value_name("N"), "time to measure each scenario (default: 1000; with --against 250)")
      ("recorded", po::value<std::string>()->value_name("N"), "number of matches to play into an archive (default: 20000; with --against 5000)")
      ("against", po::value<std::string>()->value_name("PROGRAM"), "another build's agon: measure both in turn, and print ratios, this over the other")
      ("rounds", po::value<std::string>()->value_name("N"), "how many times each is measured (default: 10)");
  // clang-format on
  c.synopsis.rules = {{"signature", {}, {"milliseconds", "recorded", "SUITE", "against"}},
                      {"against", {}, {"jobs", "plugin", "replace", "sandbox"}},
                      {"rounds", {"against"}, {}}};
  return c;
}

}  // namespace agon::command
