// Agents that take their time: late, out of order, twice, never, and after all is over.

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "catch.hpp"
#include "parley.hpp"
#include "support.hpp"

using agon::End;
using agon::Fault;
using agon::MatchResult;
using agon::Reply;
using namespace seam;

namespace {

const Scene& scene() {
  static const Scene held(parley::game(), R"({"rounds": 3})");
  return held;
}

std::size_t outcomes(const std::string& record) {
  std::size_t n = 0;
  for (const auto& e : agon::record::read(record).entries)
    n += e.what == agon::record::Entry::What::outcome ? 1 : 0;
  return n;
}

/// Replies that a test brings by hand.
struct Held {
  std::mutex mutex;
  std::vector<std::pair<agon::OwnedQuestion, agon::Completion>> questions;
};

}  // namespace

TEST_CASE("waiting agents leave the record of inline agents that say the same", "[seam][waiting]") {
  std::uint64_t rejected = 0, forced = 0, declined = 0;
  for (std::uint64_t luck = 1; luck <= 30; ++luck) {
    const Inline inline_agent(wild);
    const MatchResult inline_result = agon::play_match(scene().setup({&inline_agent}, luck));
    REQUIRE(inline_result.end == End::finished);
    CHECK(agon::record::read(inline_result.record).waiting == 0);

    std::string first;
    for (const auto order : {Post::Order::at_once, Post::Order::first, Post::Order::last}) {
      Post post(order);
      const Waiting waiting(wild, post);
      const MatchResult result = agon::play_match(scene().setup({&waiting}, luck));
      REQUIRE(result.end == End::finished);
      CHECK(agon::record::read(result.record).waiting == 7);
      CHECK(first_difference(texts_of(result.record), texts_of(inline_result.record)) == "");
      CHECK(result.faults == inline_result.faults);
      CHECK(result.forced == inline_result.forced);
      if (first.empty()) first = result.record;
      CHECK((result.record == first));
    }
    const agon::record::History history = agon::record::read(first);
    std::uint32_t before = 0;
    for (const auto& e : history.entries) {
      if (e.what != agon::record::Entry::What::question) continue;
      CHECK(e.number >= before);
      before = e.number + 1;
      if (!e.probe && e.name == "bid") CHECK(e.view.find(R"("secret":)") != std::string::npos);
      rejected += e.attempts.size() > 1 ? 1 : 0;
      forced += e.forced ? 1 : 0;
      declined += e.declined ? 1 : 0;
    }
  }
  // The comparison would be empty if nothing of this ever happened.
  CHECK(rejected > 0);
  CHECK(forced > 0);
  CHECK(declined > 0);
}

TEST_CASE("seats that are asked together may answer in any order", "[seam][waiting]") {
  std::array<int, 3> order{0, 1, 2};
  std::string record;
  int permutations = 0;
  do {
    Held held;
    std::vector<std::thread> threads;
    const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
      if (q.stage != "bid") return done({.declined = q.probe, .json = R"({"text": "well"})"});
      const std::lock_guard lock(held.mutex);
      held.questions.emplace_back(std::move(q), std::move(done));
      if (held.questions.size() < 3) return;
      auto all = std::exchange(held.questions, {});
      threads.emplace_back([all = std::move(all), order] {
        for (const int seat : order)
          for (const auto& [question, completion] : all)
            if (question.seat == seat) completion({.json = drawn(ask_of(question))});
      });
    });
    const MatchResult result = agon::play_match(scene().setup({&agent}));
    for (std::thread& t : threads) t.join();
    REQUIRE(result.end == End::finished);
    if (record.empty()) record = result.record;
    CHECK(result.record == record);
    ++permutations;
  } while (std::next_permutation(order.begin(), order.end()));
  CHECK(permutations == 6);
}

TEST_CASE("a late reply changes nothing", "[seam][waiting]") {
  // Seat 0 lets its first question pass, and answers it while the second is open.
  std::optional<agon::Completion> late;
  const auto play = [&](bool replies) {
    late.reset();
    bool abandoned = false;
    const Asked slow([&](agon::OwnedQuestion q, agon::Completion done) {
      if (!late) {
        late = done;
        CHECK(!done.abandoned());
        CHECK(q.deadline != std::chrono::steady_clock::time_point::max());
        return;
      }
      abandoned = late->abandoned();
      if (replies)
        std::thread([&] {
          (*late)(
              {.json = R"({"amount": 9})", .thought = "late", .memo = "late", .remembers = true});
        }).join();
      CHECK(q.memo.empty());
      done(
          {.declined = q.probe, .json = q.stage == "bid" ? R"({"amount": 2})" : R"({"text": ""})"});
    });
    Post post(Post::Order::at_once);
    const Waiting other(draws, post);
    agon::MatchSetup setup = scene().setup({&slow, &other, &other});
    setup.answer_limit = std::chrono::milliseconds(20);
    MatchResult result = agon::play_match(setup);
    CHECK(abandoned);
    return result;
  };
  const MatchResult with = play(true), without = play(false);
  REQUIRE(with.end == End::finished);
  CHECK(with.record == without.record);
  CHECK(faults(with, 0, Fault::timed_out) == 1);
  CHECK(with.forced[0] == 1);
  const auto history = agon::record::read(with.record);
  const auto first =
      std::find_if(history.entries.begin(), history.entries.end(),
                   [](const auto& e) { return e.what == agon::record::Entry::What::question; });
  REQUIRE(first != history.entries.end());
  CHECK(first->forced);
  REQUIRE(first->attempts.size() == 1);
  CHECK(first->attempts[0].fault == Fault::timed_out);
  CHECK(first->attempts[0].complaint == "the answer came too late");
  // After the match is gone nobody listens, and nothing is touched.
  CHECK(late->abandoned());
  (*late)({.json = R"({"amount": 9})"});
}

TEST_CASE("an agent that never answers is forced at its deadline", "[seam][waiting]") {
  std::vector<agon::Completion> never;
  const Asked silent(
      [&](const agon::OwnedQuestion&, agon::Completion done) { never.push_back(std::move(done)); });
  Post post(Post::Order::at_once);
  const Waiting other(
      [](const Ask& ask) { return Reply{.declined = ask.probe, .json = drawn(ask)}; }, post);
  agon::MatchSetup setup = scene().setup({&silent, &other, &other});
  setup.answer_limit = std::chrono::milliseconds(2);
  MatchResult result = agon::play_match(setup);
  REQUIRE(result.end == End::finished);
  CHECK(faults(result, 0, Fault::timed_out) == never.size());
  CHECK(result.forced[0] >= 3);
  CHECK(faults(result, 1, Fault::timed_out) == 0);
  for (const agon::Completion& done : never) {
    CHECK(done.abandoned());
    done({.json = R"({"amount": 9})"});
  }
  // The timeouts are in the record, so that a replay needs no clock.
  CHECK(agon::play_match(scene().replay(result.record)).record == result.record);
}

TEST_CASE("a fallback is nobody's: neither mended nor the only legal answer", "[seam][waiting]") {
  // It says that only one answer is legal, and each time says another, with something repaired.
  agon::SeatHistory history;
  const Asked wrong([&](const agon::OwnedQuestion& q, const agon::Completion& done) {
    history = q.history;
    done({.status = Fault::repaired,
          .declined = q.probe,
          .json = R"({"amount": 1000, "text": "", "no": 1})",
          .problem = "a comma was added",
          .by_rules = true});
  });
  Post post(Post::Order::at_once);
  const Waiting other(
      [](const Ask& ask) { return Reply{.declined = ask.probe, .json = drawn(ask)}; }, post);
  const MatchResult result = agon::play_match(scene().setup({&wrong, &other, &other}));
  REQUIRE(result.end == End::finished);
  REQUIRE(result.forced[0] >= 2);
  std::size_t forced = 0;
  for (const auto& e : agon::record::read(result.record).entries) {
    if (e.what != agon::record::Entry::What::question || !e.forced) continue;
    ++forced;
    CHECK_FALSE(e.by_rules);
  }
  CHECK(forced == result.forced[0]);
  std::size_t told = 0;
  for (const agon::Delivery& d : history) {
    if (d.what != agon::Delivery::What::answer) continue;
    ++told;
    CHECK(d.by == agon::Delivery::By::fallback);
    CHECK(d.mended.empty());
  }
  CHECK(told > 0);
}

TEST_CASE("only the first of two replies counts", "[seam][waiting]") {
  const auto play = [&](bool twice) {
    const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
      const Reply second{.json = R"({"amount": 1})", .thought = "no, wait"};
      done(wild(ask_of(q)));
      if (twice) done(second);
    });
    return agon::play_match(scene().setup({&agent}, 5));
  };
  const MatchResult once = play(false), twice = play(true);
  REQUIRE(once.end == End::finished);
  CHECK(once.record == twice.record);
}

TEST_CASE("a reply may come after the match is gone", "[seam][waiting]") {
  Held held;
  std::stop_source cancel;
  {
    const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
      held.questions.emplace_back(std::move(q), std::move(done));
      if (held.questions.size() == 3) cancel.request_stop();
    });
    agon::MatchSetup setup = scene().setup({&agent});
    setup.cancel = cancel.get_token();
    CHECK(agon::play_match(setup).end == End::stopped);
  }
  REQUIRE(held.questions.size() == 3);
  std::vector<std::thread> threads;
  std::atomic<int> fine{0};
  for (auto& [question, done] : held.questions)
    threads.emplace_back([&q = question, &d = done, &fine] {
      const bool abandoned = d.abandoned();
      // All that was handed over still stands, limits and history too.
      d({.json = drawn(ask_of(q))});
      fine += abandoned && q.history.size() == 1 && q.seat_names[1] == "Bo" ? 1 : 0;
    });
  for (std::thread& t : threads) t.join();
  CHECK(fine == 3);
}

TEST_CASE("a match that waits sleeps until there is something to do", "[seam][waiting]") {
  // The reply comes after a second: who looked every so often would have been awake many times.
  std::thread replying;
  const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
    if (replying.joinable()) return done({.json = drawn(ask_of(q))});
    replying = std::thread([q = std::move(q), done = std::move(done)] {
      std::this_thread::sleep_for(std::chrono::seconds(1));
      done({.json = drawn(ask_of(q))});
    });
  });
  rusage before{}, after{};
  getrusage(RUSAGE_THREAD, &before);
  const MatchResult result = agon::play_match(scene().setup({&agent}));
  getrusage(RUSAGE_THREAD, &after);
  replying.join();
  CHECK(result.end == End::finished);
  CHECK(after.ru_nvcsw - before.ru_nvcsw < 10);
}

TEST_CASE("stopping wakes a match that would wait for ever", "[seam][waiting]") {
  std::stop_source cancel;
  std::thread stopping;
  const Asked silent([&](const agon::OwnedQuestion&, agon::Completion) {
    if (!stopping.joinable()) stopping = std::thread([&cancel] { cancel.request_stop(); });
  });
  agon::MatchSetup setup = scene().setup({&silent});
  setup.cancel = cancel.get_token();
  CHECK(agon::play_match(setup).end == End::stopped);
  stopping.join();
}

TEST_CASE("what an agent was handed is its own, also while the match goes on", "[seam][waiting]") {
  std::vector<std::thread> readers;
  std::atomic<std::size_t> read{0};
  Post post(Post::Order::first);
  const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
    Reply reply = wild(ask_of(q));
    const std::size_t delivered = q.history.size();
    // Reads on after its answer was taken.
    readers.emplace_back([q = std::move(q), delivered, &read] {
      std::size_t bytes = 0;
      for (const agon::Delivery& d : q.history) bytes += d.json.size() + d.name.size();
      if (q.history.size() != delivered) bytes = 0;
      read += bytes > 0 ? 1 : 0;
    });
    post.bring(std::move(done), std::move(reply));
  });
  const MatchResult result = agon::play_match(scene().setup({&agent}, 3));
  for (std::thread& t : readers) t.join();
  CHECK(result.end == End::finished);
  CHECK(read == readers.size());
}

TEST_CASE("a waiting agent is told all that its seat heard, and what is new", "[seam][waiting]") {
  std::vector<agon::OwnedQuestion> seen;
  const Asked watcher([&](agon::OwnedQuestion q, agon::Completion done) {
    const Ask ask = ask_of(q);
    seen.push_back(std::move(q));
    done({.declined = ask.probe,
          .json = ask.attempt == 0 ? "no" : drawn(ask),
          .memo = "m" + std::to_string(ask.number),
          .remembers = true});
  });
  const Inline other(draws, false);
  const MatchResult result = agon::play_match(scene().setup({&watcher, &other, &other}, 2));
  REQUIRE(result.end == End::finished);
  REQUIRE(seen.size() > 4);
  CHECK(seen[0].game == "parley");
  CHECK(seen[0].title == "Parley");
  CHECK(seen[0].rules == "Bid.");
  CHECK(seen[0].stage_doc == "Bid for the round.");
  CHECK(seen[0].seat_names == std::vector<std::string>{"Ann", "Bo", "Cy"});
  CHECK(seen[0].memo.empty());
  // Its own secret alone.
  REQUIRE(seen[0].history.size() == 1);
  CHECK(seen[0].history[0].is_private);
  CHECK(seen[0].unseen_from == 0);
  // Asked again with the reason; the question itself is no news.
  CHECK(seen[1].attempt == 1);
  CHECK(!seen[1].complaint.empty());
  CHECK(seen[1].history.size() == 1);
  for (std::size_t i = 1; i < seen.size(); ++i) {
    const agon::OwnedQuestion& q = seen[i];
    CHECK(q.memo == "m" + std::to_string(seen[i - 1].number));
    if (q.attempt > 0 || q.history.size() == seen[i - 1].history.size()) continue;
    // What came before the unseen is its own last answer or declined probe.
    REQUIRE(q.unseen_from > 0);
    const agon::Delivery& last = q.history[q.unseen_from - 1];
    CHECK(last.what != agon::Delivery::What::event);
    CHECK(last.number == seen[i - 1].number);
    for (std::size_t k = q.unseen_from; k < q.history.size(); ++k)
      CHECK(q.history[k].what == agon::Delivery::What::event);
  }
}

TEST_CASE("a question that must be answered cannot be declined", "[seam][waiting]") {
  const Asked agent(
      [](const agon::OwnedQuestion&, agon::Completion done) { done({.declined = true}); });
  agon::MatchSetup setup = scene().setup({&agent});
  setup.reasks = 2;
  const MatchResult result = agon::play_match(setup);
  REQUIRE(result.end == End::finished);
  CHECK(faults(result, 0, Fault::empty) == 3 * result.forced[0]);
  CHECK(result.forced[0] >= 3);
}

TEST_CASE("an agent that throws in ask() has crashed", "[seam][waiting]") {
  const bool exception = GENERATE(true, false);
  const Asked agent([&](const agon::OwnedQuestion& q, const agon::Completion&) {
    if (exception) throw std::runtime_error("no paper left at seat " + std::to_string(q.seat));
    throw 5;
  });
  const MatchResult result = agon::play_match(scene().setup({&agent}));
  REQUIRE(result.end == End::finished);
  CHECK(faults(result, 2, Fault::crashed) >= 6);
  const auto history = agon::record::read(result.record);
  const auto crashed = std::find_if(history.entries.begin(), history.entries.end(),
                                    [](const auto& e) { return !e.attempts.empty(); });
  CHECK(crashed->attempts[0].payload == (exception ? "no paper left at seat 0" : "it broke"));
  CHECK(agon::play_match(scene().replay(result.record)).record == result.record);
}

TEST_CASE("who leaves, and a provider that fails, leave the match to be taken up again",
          "[seam][waiting]") {
  Post post(Post::Order::first);
  const Waiting well(wild, post, true);
  const MatchResult uncut = agon::play_match(scene().setup({&well}, 8));
  REQUIRE(uncut.end == End::finished);

  const bool quits = GENERATE(true, false);
  for (std::uint32_t at = 0; at < uncut.questions; ++at) {
    bool reached = false;
    const Asked failing([&](agon::OwnedQuestion q, agon::Completion done) {
      if (q.number != at) return post.bring(std::move(done), wild(ask_of(q)));
      reached = true;
      if (quits) return post.bring(std::move(done), {.quit = true});
      // Even with an answer beside it, a failure is no move.
      post.bring(std::move(done), {.status = Fault::provider_failed,
                                   .json = R"({"amount": 9})",
                                   .problem = at % 2 == 0 ? "503 from the service" : ""});
    });
    const MatchResult cut = agon::play_match(scene().setup({&failing}, 8));
    if (!reached) continue;  // a number that nobody was asked
    REQUIRE(cut.end == End::unfinished);
    CHECK(!cut.problem.empty());
    if (!quits && at % 2 == 0) CHECK(cut.problem == "503 from the service");
    CHECK(outcomes(cut.record) == 0);
    for (const auto& e : agon::record::read(cut.record).entries)
      if (e.what == agon::record::Entry::What::question) CHECK(e.number != at);
    std::uint32_t failed = 0;
    for (int seat = 0; seat < 3; ++seat) failed += faults(cut, seat, Fault::provider_failed);
    CHECK(failed == (quits ? 0 : 1));

    agon::MatchSetup setup = scene().setup({&well}, 8);
    setup.past = cut.record;
    const MatchResult resumed = agon::play_match(setup);
    CHECK(resumed.end == End::finished);
    CHECK(resumed.record == uncut.record);
    CHECK(resumed.faults == uncut.faults);
  }
}

TEST_CASE("answers that were paid for are kept when another seat's provider fails",
          "[seam][waiting]") {
  std::vector<std::pair<agon::OwnedQuestion, agon::Completion>> held;
  const Asked agent([&](agon::OwnedQuestion q, agon::Completion done) {
    held.emplace_back(std::move(q), std::move(done));
    if (held.size() < 3) return;
    held[2].second({.json = R"({"amount": 6})"});
    held[0].second({.json = R"({"amount": 4})"});
    held[1].second({.status = Fault::provider_failed, .problem = "out of reach"});
  });
  agon::MatchSetup setup = scene().setup({&agent});
  std::string durable;
  setup.make_durable = [&](const std::string& record) { durable = record; };
  const MatchResult cut = agon::play_match(setup);
  CHECK(cut.end == End::unfinished);
  CHECK(durable == cut.record);
  std::vector<int> answered;
  for (const auto& e : agon::record::read(cut.record).entries)
    if (e.what == agon::record::Entry::What::question) answered.push_back(e.seat);
  CHECK(answered == std::vector<int>{0, 2});

  // Taken up again, only the seat that failed is asked for this round.
  std::vector<int> asked;
  const Asked again([&](agon::OwnedQuestion q, agon::Completion done) {
    if (q.number < 3) asked.push_back(q.seat);
    done({.declined = q.probe, .json = drawn(ask_of(q))});
  });
  agon::MatchSetup resume = scene().setup({&again});
  resume.past = cut.record;
  CHECK(agon::play_match(resume).end == End::finished);
  CHECK(asked == std::vector<int>{1});
}

TEST_CASE("probes are not put to a waiting agent that answers none", "[seam][waiting]") {
  class NoProbes final : public agon::WaitingAgent {
   public:
    explicit NoProbes(std::atomic<int>& probes) : probes_(probes) {}
    void ask(agon::OwnedQuestion q, agon::Completion done) const override {
      probes_ += q.probe ? 1 : 0;
      done({.json = drawn(ask_of(q))});
    }
    [[nodiscard]] bool answers_probes() const override { return false; }
    [[nodiscard]] bool is_costly() const override { return true; }

   private:
    std::atomic<int>& probes_;
  };
  std::atomic<int> probes{0};
  const NoProbes agent(probes);
  const Inline other(draws);
  agon::MatchSetup setup = scene().setup({&agent, &other, &other}, 4);
  std::vector<std::string> cuts;
  setup.make_durable = [&](const std::string& record) { cuts.push_back(record); };
  const MatchResult uncut = agon::play_match(setup);
  REQUIRE(uncut.end == End::finished);
  REQUIRE(cuts.size() >= 3);
  for (const std::string& cut : cuts) {
    agon::MatchSetup resume = scene().setup({&agent, &other, &other}, 4);
    resume.past = cut;
    CHECK(agon::play_match(resume).record == uncut.record);
  }
  CHECK(probes == 0);
}
