#include "run/bench.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <thread>

#include "archive/database/file.hpp"
#include "command/command.hpp"
#include "command/output.hpp"
#include "command/suite.hpp"
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

int bench(Invocation& call) {
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
      ("recorded", po::value<std::string>()->value_name("N"), "number of matches to play into an archive (default: 20000)");
  // clang-format on
  c.synopsis.rules = {{"signature", {}, {"milliseconds", "recorded", "SUITE"}}};
  return c;
}

}  // namespace agon::command
