// Section 3.9 of the game's rules: beliefs about the other side's values, asked for and scored.

#include <fmt/format.h>

#include <cmath>

#include "catch.hpp"
#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal_or_no_deal_support.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

const Amounts kCounts{1, 1, 3};
const Amounts kOwn{1, 3, 2};
const Amounts kTruth{4, 0, 2};

BeliefReport holding(std::initializer_list<Candidate> candidates) {
  return BeliefReport{candidates};
}

std::string guess(const std::string& values, double probability = 1) {
  return fmt::format(R"({{"values": {}, "probability": {}}})", values, probability);
}
std::string belief(const std::string& candidates) {
  return R"({"candidates": [)" + candidates + "]}";
}

/// One round that both stop, with these reports of seat 0.
Played with_reports(std::vector<std::string> reports, const std::string& more = "") {
  const std::vector<std::string> talk{say("", "null", true), leave};
  return ScriptedMatch(dond(), over_point_0(more))
      .seat(0, talk)
      .seat(1, talk)
      .probes(0, "belief", std::move(reports))
      .play();
}

}  // namespace

TEST_CASE("Deal or No Deal 3.9: precision, recall and reduction as the paper names them") {
  const auto judge = [](const BeliefReport& report) {
    return judge_belief(report, kCounts, kOwn, kTruth, 10);
  };
  const auto exact = judge(holding({{{4, 0, 2}, 1}}));
  CHECK(exact.size == 1);
  CHECK(exact.prior == 26);
  CHECK(exact.precision == 1);
  CHECK(exact.recall == 1);
  CHECK(exact.reduction == Approx(25.0 / 26));
  CHECK(exact.precision_alike == 1);
  CHECK(exact.recall_alike == 1);

  const auto two = judge(holding({{{4, 0, 2}, 0.25}, {{10, 0, 0}, 0.75}}));
  CHECK(two.precision == 1);
  CHECK(two.recall == 0.5);
  CHECK(two.reduction == Approx(24.0 / 26));

  const auto wrong = judge(holding({{{10, 0, 0}, 1}}));
  CHECK(wrong.precision == 0);
  CHECK(wrong.recall == 0);

  // Probability 0 rules a candidate out.
  const auto ruled_out = judge(holding({{{4, 0, 2}, 0}, {{10, 0, 0}, 1}}));
  CHECK(ruled_out.size == 1);
  CHECK(ruled_out.precision == 0);
}

TEST_CASE("Deal or No Deal 3.9: valuations with the same best splits are as good as the truth") {
  const auto prior = valuations(kCounts);
  const auto alike = indistinguishable(kCounts, kOwn, kTruth, prior);
  BeliefReport everything;
  for (const Amounts& candidate : prior) everything.candidates.push_back({listed(candidate), 1});
  const auto judged = judge_belief(everything, kCounts, kOwn, kTruth, 10);
  CHECK(judged.size == 26);
  CHECK(judged.reduction == 0);
  CHECK(judged.recall == Approx(1.0 / 26));
  CHECK(judged.hits_alike == static_cast<int>(alike.size()));
  CHECK(judged.recall_alike == Approx(static_cast<double>(alike.size()) / 26));

  // The paper's example: seen by somebody with 1, 3, 2, the other at 1, 0, 3.
  const auto twins = indistinguishable(kCounts, kOwn, {1, 0, 3}, prior);
  REQUIRE(twins.size() > 1);
  for (const Amounts& twin : twins) {
    const auto lenient = judge_belief(holding({{listed(twin), 1}}), kCounts, kOwn, {1, 0, 3}, 10);
    CHECK(lenient.precision_alike == 1);
    CHECK(lenient.recall_alike == 1);
    CHECK(lenient.precision == (twin == Amounts{1, 0, 3} ? 1 : 0));
  }
}

TEST_CASE("Deal or No Deal 3.9: a belief is a set of valuations with the right total") {
  CHECK(problem_of(holding({{{4, 0, 2}, 1}, {{10, 0, 0}, 0}}), kCounts, 10).empty());
  CHECK(problem_of(holding({{{0, 3, 2}, 1}}), kCounts, 10) ==
        "by candidate 1 everything is worth 9 instead of 10");
  CHECK(problem_of(holding({{{4, 0, 2}, 1}, {{4, 0, 2}, 1}}), kCounts, 10) ==
        "candidate 2 repeats candidate 1");
  CHECK(problem_of(holding({{{4, 0, 2}, 0}}), kCounts, 10) ==
        "no candidate has a probability above 0");
  CHECK(problem_of(holding({{{4, 6}, 1}}), kCounts, 10) ==
        "candidate 1 has 2 values for 3 item types");
}

TEST_CASE("Deal or No Deal 3.9: reports are scored in metrics and in the record alone") {
  const auto played = with_reports({belief(guess("[4, 0, 2]") + "," + guess("[10, 0, 0]"))});
  CHECK(played.metric("belief_reports", 0) == 1);
  CHECK(played.metric("belief_size", 0) == 2);
  CHECK(played.metric("belief_prior", 0) == 26);
  CHECK(played.metric("belief_precision", 0) == 1);
  CHECK(played.metric("belief_recall", 0) == 0.5);
  CHECK(played.metric("belief_reports", 1) == 0);
  CHECK(std::isnan(played.metric("belief_precision", 1)));
  CHECK(played.event("belief-judged").audience == 0);
}

TEST_CASE("Deal or No Deal 3.9: an illegal report is asked again, and none is needed") {
  const auto mended = with_reports({belief(guess("[0, 3, 2]")), belief(guess("[4, 0, 2]"))});
  CHECK(mended.metric("belief_precision", 0) == 1);
  const auto silent = with_reports({});
  CHECK(silent.metric("belief_reports", 0) == 0);
  const auto off = with_reports({belief(guess("[4, 0, 2]"))}, R"("beliefs": false)");
  CHECK(off.metric("belief_reports", 0) == 0);
  CHECK(off.outcome[0].score == silent.outcome[0].score);
}

TEST_CASE("Deal or No Deal 3.9: beliefs are asked after each round, the last one counts") {
  const EnvyFreeBayes bayes({});
  const auto stubborn = times(5, keep("[1, 1, 3]"));
  const auto settings =
      over_point_0(R"("protocol": "alternating_offers", "messages": false, "max_turns": 6)");
  const auto played = ScriptedMatch(dond(), settings).agent(0, bayes).seat(1, stubborn).play();
  CHECK(played.metric("belief_reports", 0) == 3);
  CHECK(played.count("belief-judged") == 3);
  // One rejected proposal of hat and three balls rules out who wants the book alone.
  CHECK(played.event("belief-judged").json.find(R"("round":1,"seat":0,"size":25,"prior":26)") !=
        std::string::npos);
}

TEST_CASE("Deal or No Deal: whether somebody reports a belief changes nothing else") {
  const EnvyFreeBayes open({});
  const EnvyFreeBayes closed({.report = false});
  const Concede concede({});
  for (const std::string protocol : {"negotiation", "alternating_offers"}) {
    const auto settings = over_point_0(R"("protocol": ")" + protocol + "\"");
    const auto with = ScriptedMatch(dond(), settings).agent(0, open).agent(1, concede).play();
    const auto without = ScriptedMatch(dond(), settings).agent(0, closed).agent(1, concede).play();
    CHECK(with.metric("belief_reports", 0) > 0);
    CHECK(without.metric("belief_reports", 0) == 0);
    CHECK(with.outcome[0].score == without.outcome[0].score);
    CHECK(with.metric("turns") == without.metric("turns"));
    CHECK(with.count("offer") + with.count("message") ==
          without.count("offer") + without.count("message"));
  }
}
