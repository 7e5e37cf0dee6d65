#include "catch.hpp"
#include "stats/resampling.hpp"
#include "stats/statistics.hpp"

namespace stats = agon::stats;
using Crossed = std::vector<stats::CrossedValue>;

TEST_CASE("The interval of a crossed mean, worked by hand", "[stats][crossed]") {
  const std::vector<std::vector<double>> ratings{{1, 2, 3}, {2, 3, 5}, {4, 4, 5}, {1, 3, 3}};
  Crossed values;
  for (std::size_t r = 0; r < ratings.size(); ++r)
    for (std::size_t c = 0; c < ratings[r].size(); ++c) values.push_back({r, c, ratings[r][c]});
  // Rows 30 x 4/3, columns 32 x 3/2, values 20 x 12/11; t of 2 degrees is 4.302653.
  const auto interval = stats::crossed_interval(values, 0.95);
  REQUIRE(interval);
  CHECK(interval->low == Approx(3 - 2.9169191811));
  CHECK(interval->high == Approx(3 + 2.9169191811));
  CHECK(stats::crossed_interval(values, 0.5)->high < interval->high);
}

TEST_CASE("A crossed mean has no interval from two rows, two columns or one value",
          "[stats][crossed]") {
  Crossed two_rows;
  Crossed same;
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t c = 0; c < 4; ++c) {
      if (r < 2) two_rows.push_back({r, c, static_cast<double>(r + c)});
      same.push_back({r, c, 3});
    }
  CHECK_FALSE(stats::crossed_interval(two_rows, 0.95));
  for (auto& value : two_rows) std::swap(value.row, value.column);
  CHECK_FALSE(stats::crossed_interval(two_rows, 0.95));
  CHECK_FALSE(stats::crossed_interval(same, 0.95));
  CHECK_FALSE(stats::crossed_interval({}, 0.95));
}

TEST_CASE("Intervals of crossed means hold the truth, where those of independent values do not",
          "[stats][crossed]") {
  stats::ResamplingDice dice(7);
  const auto effect = [&](double size) { return size * (dice.unit() - 0.5); };
  int held = 0;
  constexpr int runs = 400;
  for (int run = 0; run < runs; ++run) {
    std::vector<double> records;
    std::vector<double> judges;
    for (int r = 0; r < 10; ++r) records.push_back(effect(2));
    for (int j = 0; j < 8; ++j) judges.push_back(effect(1.5));
    Crossed values;
    for (std::size_t r = 0; r < 10; ++r)
      for (std::size_t k = 0; k < 4; ++k) {
        const std::size_t j = (r + 2 * k) % 8;
        const double noise = effect(2);
        values.push_back({r, j, records[r] + judges[j] + noise});
      }
    const auto interval = stats::crossed_interval(values, 0.95);
    held += interval && interval->low <= 0 && interval->high >= 0 ? 1 : 0;
  }
  CHECK(held >= 0.93 * runs);
  CHECK(held <= 0.99 * runs);
}
