// What a stop rule makes of matches: played in looks, decided by blocks, whatever the order in
// which matches come in.

#include "allocation/stop_allocation.hpp"

#include <agon/conversion.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "catch.hpp"
#include "json/write.hpp"
#include "suite/suite.hpp"
#include "support.hpp"

namespace {

using agon::Allocation;
using agon::StopAllocation;
using Task = Allocation::Task;

const std::string kFocal = R"("focal": ["a", "b", "c", "reference"], "background": "reference")";

agon::Suite suite_of(const std::string& stop, const std::string& design = kFocal,
                     const std::string& scenarios = R"({"game": "bargaining", "blocks": 120})",
                     const std::string& until = "") {
  agon::SuiteOptions options;
  options.data_folders = seam::data_folders();
  options.until = until;
  return agon::Suite::parse(seam::catalogue(),
                            R"({"seed": 3, "agents": {"a": "random", "b": "random", "c": "random",
                                "reference": "random"}, "design": {)" +
                                design + R"(}, "stop": )" + stop + R"(, "scenarios": [)" +
                                scenarios + "]}",
                            "s.json", options);
}

/// Plays without games: every seat gets its agent's mean and noise of its own.
struct Drive {
  const agon::Suite& suite;
  StopAllocation allocation;
  std::vector<Task> begun{};
  std::map<Task, int> failing{};                    ///< how often a task fails before it is played
  std::array<double, 4> means{0.0, 0.5, 0.1, 0.0};  ///< by agent
  std::function<std::string(const Task&)> item = nullptr;  ///< what a match is about
  std::mutex mutex{};                                      ///< of the two

  Drive(const agon::Suite& s, std::size_t jobs) : suite(s), allocation(s, jobs) {}

  [[nodiscard]] agon::archive::MatchRow outcome(const Task& task) const {
    const auto planned = suite.scenarios[task.scenario].plan->match(task.match);
    agon::archive::MatchRow row;
    for (std::size_t seat = 0; seat < planned.agents.size(); ++seat) {
      agon::Dice dice(agon::combine(agon::combine(task.match, seat), 5));
      const double even = (static_cast<double>(dice.bits()) + 0.5) / 4294967296.0;
      agon::archive::SeatRow& out = row.seats.emplace_back();
      out.payoff = means[static_cast<std::size_t>(planned.agents[seat])] + 0.8 * (even - 0.5);
      out.disagreement = 0;
      out.ideal = 1;
    }
    // All matches are alike in size.
    if (const agon::Type* type = suite.scenarios[task.scenario].game->card.match_metrics)
      row.metrics.assign(type->fields.size(), 1);
    if (item) row.cluster = item(task);
    return row;
  }

  /// Plays in so many threads; what is handed out together ends in another order.
  void go(std::size_t jobs) {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < jobs; ++t)
      threads.emplace_back([&, t] {
        for (;;) {
          std::vector<Task> tasks = allocation.next(1 + t % 3, [] { return false; });
          if (tasks.empty()) return;
          {
            const std::lock_guard lock(mutex);
            begun.insert(begun.end(), tasks.begin(), tasks.end());
          }
          std::reverse(tasks.begin(), tasks.end());
          for (const Task& task : tasks) end(task);
        }
      });
    for (std::thread& thread : threads) thread.join();
  }
  void end(const Task& task) {
    bool fails = false;
    {
      const std::lock_guard lock(mutex);
      fails = failing.contains(task) && failing[task]-- > 0;
    }
    if (!fails) allocation.played(task, outcome(task));
    allocation.ended(task, !fails);
  }

  [[nodiscard]] std::string state() const { return agon::write_json(allocation.state()); }
};

/// The focal agent of a task.
int focal(const agon::Suite& suite, const Task& task) {
  return suite.scenarios[task.scenario].plan->match(task.match).focal;
}

}  // namespace

TEST_CASE("a stop rule decides the same with any number of jobs, in fewer matches") {
  const agon::Suite suite = suite_of(R"({"best": 0.95})");
  std::set<std::string> states;
  for (const std::size_t jobs : {1U, 2U, 8U}) {
    Drive drive(suite, jobs);
    drive.go(jobs);
    CHECK(drive.allocation.done());
    states.insert(drive.state());
    // Nobody is asked for twice, and no more than the jobs are played ahead of what goes out.
    CHECK(std::set<Task>(drive.begun.begin(), drive.begun.end()).size() == drive.begun.size());
    const agon::StopState state = drive.allocation.state();
    CHECK(state.decided);
    CHECK(state.best == "b");
    CHECK(state.looks.value() < 120);
    std::size_t of_a = 0;
    std::size_t of_reference = 0;
    for (const Task& task : drive.begun) {
      of_a += focal(suite, task) == 0 ? 1 : 0;
      of_reference += focal(suite, task) == 3 ? 1 : 0;
    }
    // Of a focal agent in a field of two seats: two matches a block, of the reference alone one.
    REQUIRE(state.agents[0].out_after);
    CHECK(of_a >= 2 * *state.agents[0].out_after);
    CHECK(of_a <= 2 * *state.agents[0].out_after + jobs);
    CHECK(of_reference >= state.looks.value());  // everybody is compared with it, though it is out
    CHECK(state.agents[3].out_after);
  }
  CHECK(states.size() == 1);
}

TEST_CASE("the reference plays on when it is beaten, while others are not told apart") {
  const agon::Suite suite = suite_of(R"({"best": 0.95})");
  Drive drive(suite, 1);
  drive.means = {0.0, 0.1, 0.1, -5.0};
  drive.go(1);
  const agon::StopState state = drive.allocation.state();
  REQUIRE(state.agents[3].out_after);
  REQUIRE(*state.agents[3].out_after < *state.looks);
  std::size_t of_reference = 0;
  for (const Task& task : drive.begun) of_reference += focal(suite, task) == 3 ? 1 : 0;
  CHECK(of_reference == state.looks.value());
}

TEST_CASE("blocks about one item are one unit, and a block about several is one by itself") {
  const agon::Suite suite = suite_of(R"({"decide": "a > b"})");
  const auto units = [&](std::size_t items) {
    Drive drive(suite, 1);
    // All blocks about the same; with two items each, nothing says how much is the same.
    drive.item = [items](const Task& task) { return task.match % items == 0 ? "x" : "y"; };
    drive.go(1);
    return drive.allocation.state().agents.front().units;
  };
  CHECK(units(1) == std::uint64_t{1});
  CHECK(units(2) == std::uint64_t{60});
}

TEST_CASE("what two scenarios say of a block is one unit where they have the same draws") {
  const auto width = [](const std::string& more) {
    const agon::Suite suite = suite_of(R"({"difference": 0.0001})", kFocal,
                                       R"({"name": "one", "game": "bargaining", "blocks": 80},
                    {"name": "two", "game": "bargaining", "blocks": 80)" +
                                           more + "}");
    // Scores are the same in both, block by block.
    Drive drive(suite, 1);
    drive.go(1);
    const auto interval = drive.allocation.state().agents.front().interval;
    REQUIRE(interval);
    return (*interval)[1] - (*interval)[0];
  };
  // Half as many units: the interval is longer by about the root of 2.
  CHECK(width(R"(, "same_draws_as": "one")") > 1.25 * width(""));
}

TEST_CASE("a look waits for matches that failed, and nobody plays past it for ever") {
  const agon::Suite suite = suite_of(R"({"best": 0.95})");
  Drive whole(suite, 4);
  whole.go(4);

  Drive drive(suite, 4);
  const std::vector<Task> first = agon::LookPlan(suite).tasks(5);
  drive.failing[first.front()] = 1;
  drive.go(4);
  CHECK_FALSE(drive.allocation.done());
  CHECK(drive.allocation.state().looks == 5);
  CHECK(drive.begun.size() <= 6 * first.size() + 4);
  drive.end(first.front());  // taken up again
  drive.go(4);
  CHECK(drive.allocation.done());
  CHECK(drive.state() == whole.state());
}

TEST_CASE("what was played before the first look counts in its own") {
  const agon::Suite suite = suite_of(R"({"best": 0.95})");
  Drive whole(suite, 1);
  whole.go(1);
  Drive drive(suite, 1);
  for (const std::uint64_t look : {9U, 0U, 3U}) drive.end(agon::LookPlan(suite).tasks(look).back());
  drive.go(1);
  CHECK(drive.state() == whole.state());
  CHECK(drive.begun.size() == whole.begun.size() - 3);
}

TEST_CASE("where line-ups are about nobody, everybody plays until it is decided") {
  const agon::Suite suite = suite_of(R"({"best": 0.9})", R"("round_robin": true)");
  Drive drive(suite, 1);
  drive.go(1);
  const agon::StopState state = drive.allocation.state();
  CHECK(state.best == "b");
  // Six pairs in both orders, in every block that was looked at.
  CHECK(drive.begun.size() == 12 * state.looks.value());
}

TEST_CASE("a look is the same share of every scenario's blocks") {
  const agon::Suite suite = suite_of(
      R"({"best": 0.95})", kFocal,
      R"({"game": "bargaining", "blocks": 4}, {"name": "more", "game": "bargaining", "blocks": 10})");
  CHECK(agon::most_looks(suite) == 4);
  const agon::LookPlan plan(suite);
  std::set<Task> all;
  for (std::uint64_t look = 0; look < plan.size(); ++look) {
    std::size_t blocks[2] = {0, 0};
    for (const Task& task : plan.tasks(look)) {
      CHECK(all.insert(task).second);
      CHECK(plan.look_of(task) == look);
      const auto planned = suite.scenarios[task.scenario].plan->match(task.match);
      if (planned.focal == 3) ++blocks[task.scenario];
    }
    CHECK(blocks[0] == 1);
    CHECK(blocks[1] == (look % 2 == 0 ? 2U : 3U));
  }
  CHECK(all.size() == suite.matches());
}

TEST_CASE(
    "stop rules are read in their long and short forms, and refused where they make no sense") {
  const auto said = [](const std::string& stop) {
    const agon::Suite suite = suite_of(stop);
    return agon::json::write(boost::json::value(to_json(*suite.stop, suite)));
  };
  CHECK(said(R"({"best": 0.95})") == said(R"("best=0.95")"));
  CHECK(said(R"({"decide": "a > b"})") == R"({"decide":"a > b","level":0.95})");
  CHECK(said(R"("a > b")") == said(R"({"decide": "a > b", "level": 0.95})"));
  CHECK(said(R"("difference = 0.05")") ==
        R"({"difference":0.05,"agents":["a","b","c"],"reference":"reference","level":0.95})");
  CHECK(said(R"({"decide": "a > b", "min_blocks": 100, "worst": 2})") ==
        R"({"decide":"a > b","level":0.95,"min_blocks":100,"worst":2.0})");
  CHECK(said(R"("best=40 blocks")") == said(R"({"best": {"blocks": 40}})"));

  const auto refused = [](const std::string& stop, const std::string& design = kFocal) {
    try {
      (void)suite_of(stop, design);
    } catch (const agon::Error& error) {
      return error.problem() + " | " + error.hint();
    }
    return std::string("taken");
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(refused(R"({"best": 0.3})"), Contains("between 0.5 and 1"));
  CHECK_THAT(refused(R"({"best": 1})"), Contains("between 0.5 and 1"));
  CHECK_THAT(refused(R"({"best": 0.9, "worst": 0})"), Contains("above 0"));
  CHECK_THAT(refused(R"({"difference": 0.1, "worst": 1})"), Contains("'worst' goes with best"));
  CHECK_THAT(refused(R"({"best": {"blocks": 40}, "min_blocks": 9})"), Contains("a budget"));
  CHECK_THAT(refused(R"({"best": 0.9, "min_blocks": 0})"), Contains("0 is less than 1"));
  CHECK_THAT(refused(R"({"bets": 0.9})"), Contains("did you mean 'best'"));
  CHECK_THAT(refused(R"({"best": 0.9, "decide": "a > b"})"), Contains("one of"));
  CHECK_THAT(refused(R"({"difference": 0})"), Contains("above 0"));
  CHECK_THAT(refused(R"({"difference": -1})"), Contains("above 0"));
  CHECK_THAT(refused(R"({"decide": "a > referense"})"), Contains("did you mean 'reference'"));
  CHECK_THAT(refused(R"({"decide": "a > a"})"), Contains("not better than itself"));
  CHECK_THAT(refused(R"({"decide": "a"})"), Contains("two agents"));
  CHECK_THAT(refused(R"({"best": {"blocks": 2.5}})"), Contains("whole number"));
  CHECK_THAT(refused(R"("sooner")"), Contains("invalid stopping rule 'sooner'"));
  CHECK_THAT(refused("5"), Contains("must be a text or an object"));
  // The field has no score of its own.
  const std::string one = R"("focal": ["a"], "background": "reference")";
  CHECK_THAT(refused(R"({"best": 0.9})", one), Contains("1 agent that has a score"));
  CHECK_THAT(refused(R"({"difference": 0.1})", one), Contains("'reference' has no score"));
  CHECK_THAT(refused(R"({"decide": "a > b"})", one), Contains("'b' has no score"));

  // The command line goes first; "all" is no rule.
  CHECK(suite_of(R"({"best": 0.9})", kFocal, R"({"game": "bargaining"})", "a > c").stop->kind ==
        agon::StopRule::StopKind::decide);
  CHECK_FALSE(suite_of(R"({"best": 0.9})", kFocal, R"({"game": "bargaining"})", "all").stop);
}

TEST_CASE("a rule that can never be met is known beforehand") {
  const auto never = [](const std::string& stop, const std::string& blocks,
                        const std::string& game = "bargaining") {
    const agon::Suite suite =
        suite_of(stop, kFocal, R"({"game": ")" + game + R"(", "blocks": )" + blocks + "}");
    return why_never(*suite.stop, suite);
  };
  using Catch::Matchers::Contains;
  CHECK_THAT(never(R"({"best": 0.95})", "1"),
             Contains("needs at least 60 blocks; the suite has 1"));
  CHECK(never(R"({"best": 0.95})", "100").empty());
  CHECK(never(R"({"best": {"blocks": 5}})", "100").empty());
  CHECK_THAT(never(R"({"best": 0.95})", "59"),
             Contains("needs at least 60 blocks; the suite has 59"));
  CHECK(never(R"({"best": 0.95, "min_blocks": 40})", "59").empty());
  // With bounds: where pies vary or items come again they do not serve, and 60 blocks may do.
  const std::string narrow = R"({"difference": 0.01, "agents": ["a"]})";
  CHECK_THAT(never(narrow, "59", "deal-or-no-deal"),
             Contains("the stopping rule cannot be met with 59 blocks: even if"));
  CHECK_THAT(never(narrow, "60", "deal-or-no-deal"),
             Contains("the stopping rule cannot be met with 60 blocks with equal pies and no "
                      "shared items: even if"));
  CHECK(never(R"({"difference": 0.9, "agents": ["a"]})", "24", "deal-or-no-deal").empty());
}
