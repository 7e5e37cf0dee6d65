#include <agon/error.hpp>

#include "catch.hpp"
#include "design/plan.hpp"

using namespace agon::design;

TEST_CASE("treatments count with the last factor changing first", "[design]") {
  const Treatments treatments({{"supply", 2}, {"talk", 1}, {"days", 3}});
  REQUIRE(treatments.size() == 6);
  std::vector<std::vector<int>> listed;
  for (std::uint64_t i = 0; i < treatments.size(); ++i) {
    listed.push_back(treatments.levels(i));
    CHECK(treatments.index(listed.back()) == i);
  }
  CHECK(listed == std::vector<std::vector<int>>{
                      {0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}});
}

TEST_CASE("without factors there is one treatment", "[design]") {
  CHECK(Treatments().size() == 1);
  CHECK(Treatments().levels(0).empty());
  CHECK(Treatments().index({}) == 0);
}

TEST_CASE("a huge crossing is addressed, not listed", "[design]") {
  const std::vector<TreatmentFactor> factors{{"a", 2'000'000'000}, {"b", 2'000'000'000}, {"c", 4}};
  const Treatments treatments(factors);
  CHECK(treatments.size() == 16'000'000'000'000'000'000U);
  CHECK(treatments.levels(treatments.size() - 1) ==
        std::vector<int>{1'999'999'999, 1'999'999'999, 3});
}

TEST_CASE("treatments say what is wrong with them", "[design]") {
  using Factors = std::vector<TreatmentFactor>;
  CHECK_THROWS_WITH(Treatments(Factors{{"", 2}}), "a factor has no name; name it");
  CHECK_THROWS_WITH(Treatments(Factors{{"a", 2}, {"a", 3}}),
                    "two factors are called 'a'; rename one of them");
  CHECK_THROWS_WITH(Treatments(Factors{{"a", 0}}),
                    "the factor 'a' has no levels; give it at least one level, or leave it out");
  CHECK_THROWS_WITH(
      Treatments(Factors{{"a", 2'000'000'000}, {"b", 2'000'000'000}, {"c", 5}}),
      "3 crossed factors make more than 10^19 treatments; use fewer factors or levels");
  const Treatments treatments(Factors{{"a", 2}, {"b", 3}});
  CHECK_THROWS_WITH(treatments.levels(6),
                    "there is no treatment number 6: there are 6; count from 0");
  CHECK_THROWS_WITH(treatments.index({0, 3}),
                    "the factor 'b' has no level number 3: it has 3; count from 0");
  CHECK_THROWS_WITH(treatments.index({0}),
                    "1 levels are given for 2 factors; give one level a factor");
}
