#include "catch.hpp"
#include "stats/statistics.hpp"

using agon::stats::krippendorff_alpha;
using agon::stats::krippendorff_interval;
using agon::stats::RatingScale;

namespace {

using Units = std::vector<std::vector<int>>;

/// The example of Krippendorff (2011): four observers, twelve units, missing data.
const Units kPublished{{1, 1, 1},    {2, 2, 3, 2}, {3, 3, 3, 3}, {3, 3, 3, 3},
                       {2, 2, 2, 2}, {1, 2, 3, 4}, {4, 4, 4, 4}, {1, 1, 2, 1},
                       {2, 2, 2, 2}, {5, 5, 5},    {1, 1},       {3}};

}  // namespace

TEST_CASE("Krippendorff's alpha of the published example", "[stats]") {
  CHECK(krippendorff_alpha(kPublished, RatingScale::nominal).value() ==
        Approx(0.743).margin(0.0005));
  CHECK(krippendorff_alpha(kPublished, RatingScale::ordinal).value() ==
        Approx(0.815).margin(0.0005));
  CHECK(krippendorff_alpha(kPublished, RatingScale::interval).value() ==
        Approx(0.849).margin(0.0005));
}

TEST_CASE("Krippendorff's alpha of two judges, worked by hand", "[stats]") {
  // Values 1 1 2 2: of the four ordered pairs in units none disagrees.
  CHECK(krippendorff_alpha(Units{{1, 1}, {2, 2}}, RatingScale::nominal) == 1.0);
  // All four disagree: 1 - (4 - 1) * 4 / (2 * 2 * 2) = -1/2.
  CHECK(krippendorff_alpha(Units{{1, 2}, {2, 1}}, RatingScale::nominal) == -0.5);
  CHECK(krippendorff_alpha(Units{{1, 2}, {2, 1}}, RatingScale::interval) == -0.5);
  // Ordinal: the ratings are 1 twice, 2 once and 3 three times. Squared distances: 1 to 2 (3/2)^2,
  // 2 to 3 2^2, 1 to 3 (2/2 + 1 + 3/2)^2.
  const Units units{{1, 1}, {2, 3}, {3, 3}};
  const double observed = 2 * 4;
  const double expected = 2 * (2 * 1 * 2.25 + 1 * 3 * 4 + 2 * 3 * 12.25);
  CHECK(krippendorff_alpha(units, RatingScale::ordinal).value() ==
        Approx(1 - 5 * observed / expected));
}

TEST_CASE("Krippendorff's alpha is not defined without disagreement to expect", "[stats]") {
  CHECK_FALSE(krippendorff_alpha({}, RatingScale::ordinal));
  CHECK_FALSE(krippendorff_alpha(Units{{3}, {4}}, RatingScale::ordinal));
  CHECK_FALSE(krippendorff_alpha(Units{{3, 3}, {3, 3, 3}}, RatingScale::ordinal));
}

TEST_CASE("The interval of Krippendorff's alpha is from resamples of the things rated", "[stats]") {
  const auto alpha = krippendorff_alpha(kPublished, RatingScale::ordinal);
  const auto bounds = krippendorff_interval(kPublished, RatingScale::ordinal, 0.95);
  REQUIRE(bounds);
  CHECK(bounds->low < alpha.value());
  CHECK(bounds->high > alpha.value());
  CHECK(bounds->high <= 1);
  // The same each time, and wider for a higher level. What has one rating or none adds nothing.
  Units more = kPublished;
  more.push_back({5});
  more.push_back({});
  const auto again = krippendorff_interval(more, RatingScale::ordinal, 0.95);
  REQUIRE(again);
  CHECK(again->low == bounds->low);
  CHECK(again->high == bounds->high);
  CHECK(krippendorff_interval(kPublished, RatingScale::ordinal, 0.5)->low > bounds->low);
  // Ten things on which all agree, five at each end.
  Units agreed(5, {1, 1});
  agreed.insert(agreed.end(), 5, {5, 5});
  const auto full = krippendorff_interval(agreed, RatingScale::interval, 0.95);
  REQUIRE(full);
  CHECK(full->low == 1);
  CHECK(full->high == 1);
}

TEST_CASE("Krippendorff's alpha has no interval from few things, or where most agree on one level",
          "[stats]") {
  const Units nine(kPublished.begin(), kPublished.begin() + 9);
  CHECK(krippendorff_alpha(nine, RatingScale::ordinal));
  CHECK_FALSE(krippendorff_interval(nine, RatingScale::ordinal, 0.95));
  // A third of the resamples miss the one thing that differs, and have no alpha.
  Units same(10, {3, 3});
  same.push_back({3, 4});
  CHECK(krippendorff_alpha(same, RatingScale::ordinal));
  CHECK_FALSE(krippendorff_interval(same, RatingScale::ordinal, 0.95));
  CHECK_FALSE(krippendorff_interval({}, RatingScale::ordinal, 0.95));
}
