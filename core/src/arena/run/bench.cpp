#include "run/bench.hpp"

#include <agon/error.hpp>
#include <atomic>
#include <chrono>
#include <string>

#include "run/planned_match.hpp"
#include "run/play/jobs.hpp"
#include "table/match_table.hpp"

namespace agon {
namespace {

MatchSetup setup_of(const Suite& suite, const Scenario& s, const design::PlannedMatch& planned) {
  for (const auto agent : planned.agents)
    if (suite.agents[static_cast<std::size_t>(agent)].in(s.game->id)->agent->waits())
      throw Error(ErrorKind::invalid, "a benchmark needs agents that answer at once",
                  suite.file + ", scenario '" + s.name + "'");
  return match_setup(suite, s, planned, 0, std::vector<std::string>(planned.agents.size()));
}

}  // namespace

Speed measure_speed(const Suite& suite, const Scenario& scenario, int jobs, double seconds) {
  using Clock = std::chrono::steady_clock;
  std::atomic<std::uint64_t> matches{0}, questions{0};
  std::atomic<bool> stop{false};
  const auto play = [&](int job) {
    MatchSetup setup = setup_of(suite, scenario, scenario.plan->match(0));
    setup.record = false;
    MatchTable table(setup);
    std::vector<std::uint64_t> keys(setup.seats.size());
    std::uint64_t n = 0, asked = 0;
    while (!stop.load(std::memory_order_relaxed)) {
      const std::uint64_t luck =
          stream_key(suite.seed + static_cast<std::uint64_t>(job), scenario.draws(), n, 0);
      for (std::size_t i = 0; i < keys.size(); ++i) keys[i] = combine(luck, i);
      const MatchResult& result = table.play_next(luck, keys);
      if (result.end != End::finished)
        throw Error(ErrorKind::failure, result.problem,
                    suite.file + ", scenario '" + scenario.name + "'");
      asked += result.questions;
      ++n;
    }
    matches += n;
    questions += asked;
  };
  const Clock::time_point start = Clock::now();
  Jobs pool(jobs, play);
  if (pool.size() == jobs)
    (void)pool.is_done_within(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::duration<double>(seconds)));
  stop = true;
  pool.finish();
  if (pool.size() < jobs)
    throw Error(ErrorKind::failure,
                "the system gives no more than " + std::to_string(pool.size()) + " threads", "",
                "measure with fewer --jobs");
  const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
  return {static_cast<double>(matches) / elapsed, static_cast<double>(questions) / elapsed,
          elapsed};
}

hash::Digest signature(const Suite& suite, int jobs) {
  hash::Sha256 all;
  for (const Scenario& s : suite.scenarios) {
    const std::uint64_t n = s.plan->size();
    std::vector<hash::Digest> digests(n);
    std::atomic<std::uint64_t> next{0};
    Jobs pool(jobs, [&](int) {
      try {
        for (std::uint64_t i = next++; i < n; i = next++) {
          const MatchResult result = play_match(setup_of(suite, s, s.plan->match(i)));
          if (result.end != End::finished)
            throw Error(ErrorKind::failure, result.problem,
                        suite.file + ", scenario '" + s.name + "'");
          digests[i] = hash::sha256(result.record);
        }
      } catch (...) {
        next = n;  // nothing is left for the others
        throw;
      }
    });
    pool.finish();
    all.update(s.name);
    for (const hash::Digest& d : digests)
      all.update({reinterpret_cast<const char*>(d.data()), d.size()});
  }
  return all.digest();
}

}  // namespace agon
