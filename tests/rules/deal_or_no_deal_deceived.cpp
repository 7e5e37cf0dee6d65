// The belief-based workflow against sides that state their values falsely.

#include <array>
#include <optional>

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

/// Means over instances made by chance and both orders of seats.
Points means(std::optional<Hears> hears, const Mislead::Params& other,
             const std::string& more = "") {
  constexpr int kInstances = 40;
  const EnvyFreeBayes workflow({.hears = hears, .tells = true});
  const Mislead rival(other);
  Points sum{};
  for (std::uint64_t luck = 1; luck <= kInstances; ++luck)
    for (const int seat : {0, 1}) {
      const auto played =
          ScriptedMatch(dond(),
                        R"({"instances": [], "claims": "in_turn", "beliefs": false)" + more + "}")
              .agent(seat, workflow)
              .agent(1 - seat, rival)
              .luck(luck)
              .play();
      sum[0] += played.metric("value", seat) / (2 * kInstances);
      sum[1] += played.metric("value", 1 - seat) / (2 * kInstances);
    }
  return sum;
}

}  // namespace

TEST_CASE("Deal or No Deal: a workflow that hears nothing is the same whatever is stated") {
  const Points honest = means(std::nullopt, kHonest);
  const Points lied_to = means(std::nullopt, kFalseWords);
  CHECK(honest == lied_to);
}

TEST_CASE("Deal or No Deal: who believes is served by the truth and deceived by a lie") {
  const Points honest = means(Hears::trusts, kHonest);
  const Points misled = means(Hears::trusts, kMisleading);
  CHECK(misled[0] < honest[0]);
  CHECK(misled[1] > honest[1]);
}

TEST_CASE("Deal or No Deal: who checks forgets a statement that deeds contradict") {
  const Points believed = means(Hears::trusts, kFalseWords);
  const Points checked = means(Hears::checks, kFalseWords);
  CHECK(checked[0] > believed[0]);
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
