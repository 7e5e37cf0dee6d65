// The belief-based workflow against sides that state their values falsely.

#include <fmt/format.h>

#include <array>
#include <fstream>
#include <optional>
#include <string>

#include "catch.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal_or_no_deal_support.hpp"

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

namespace {

using Points = std::array<double, 2>;  ///< of the workflow, and of the other side

constexpr Mislead::Params kHonest{.states = Stated::truth, .pretends = false};
constexpr Mislead::Params kMisleading{};
constexpr Mislead::Params kFalseWords{.states = Stated::lie, .pretends = false};

/// Means over instances made by chance; the workflow has `seat`, and seat 0 states its values
/// first.
Points means(std::optional<Hears> hears, const Mislead::Params& other, int seat = 0) {
  constexpr int kInstances = 60;
  const EnvyFreeBayes workflow({.hears = hears, .tells = true});
  const Mislead rival(other);
  Points sum{};
  for (std::uint64_t luck = 1; luck <= kInstances; ++luck) {
    const auto played =
        ScriptedMatch(dond(), R"({"instances": [], "claims": "in_turn", "beliefs": false,
                                  "protocol": "alternating_offers", "discount": 0.95})")
            .agent(seat, workflow)
            .agent(1 - seat, rival)
            .luck(luck)
            .play();
    sum[0] += played.metric("value", seat) / kInstances;
    sum[1] += played.metric("value", 1 - seat) / kInstances;
  }
  return sum;
}

/// The row of docs/experiments/workflow-deceived.md up to the intervals, as parts to look for.
bool page_has(const std::string& row, const Points& points) {
  std::ifstream file(std::string(AGON_TEST_SOURCE) + "/docs/experiments/workflow-deceived.md");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("| " + row + " |"))
      return line.find(fmt::format("| {:.2f} ±", points[0])) != std::string::npos &&
             line.find(fmt::format("| {:.2f} ±", points[1])) != std::string::npos;
  return false;
}

}  // namespace

TEST_CASE("Deal or No Deal: a workflow that hears nothing is the same whatever is stated") {
  const Points honest = means(std::nullopt, kHonest);
  const Points lied_to = means(std::nullopt, kFalseWords);
  CHECK(honest == lied_to);
  CHECK(page_has("hears nothing (first) | honest", honest));
}

TEST_CASE("Deal or No Deal: who lies gains of who believes, and the page has the figures") {
  const Points honest = means(Hears::trusts, kHonest);
  const Points misled = means(Hears::trusts, kMisleading);
  CHECK(misled[1] > honest[1] + 0.3);
  CHECK(page_has("trusts (first) | honest", honest));
  CHECK(page_has("trusts (first) | misleading", misled));
  CHECK(page_has("hears nothing (first) | misleading", means(std::nullopt, kMisleading)));
  CHECK(page_has("trusts (second) | honest", means(Hears::trusts, kHonest, 1)));
  CHECK(page_has("trusts (second) | misleading", means(Hears::trusts, kMisleading, 1)));
}

TEST_CASE("Deal or No Deal: who checks forgets a statement that deeds contradict") {
  const Points believed = means(Hears::trusts, kFalseWords, 1);
  const Points checked = means(Hears::checks, kFalseWords, 1);
  CHECK(checked[0] > believed[0]);
  CHECK(page_has("checks (second) | false words only", checked));
  // What an honest side states is never contradicted: both hear the same.
  CHECK(means(Hears::checks, kHonest) == means(Hears::trusts, kHonest));
}

TEST_CASE("Deal or No Deal: a pretence is weighed by what its believer would propose") {
  const Amounts counts{1, 1, 3};
  const Amounts own{1, 3, 2}, other{4, 0, 2};
  const auto gets = [&](const Amounts& stated) {
    Belief belief(counts, other, 1, {});
    belief.believe(stated);
    const auto split = belief.proposal();
    return split ? worth(split->parts[0], own) : 0;
  };
  const Amounts lie = best_pretence(counts, own, 10, 0, {other});
  CHECK(worth(counts, lie) == 10);
  CHECK(gets(lie) > gets(own));
  for (const Amounts& each : valuations(counts, 10)) CHECK(gets(each) <= gets(lie));
}
