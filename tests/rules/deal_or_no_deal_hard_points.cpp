// The points of the shipped scenarios after Hua et al. (2024): our own instances, chosen as the
// published ones were (section 3.3 of the game's rules).

#include <fstream>
#include <iterator>

#include "catch.hpp"
#include "deal-or-no-deal/instances.hpp"
#include "deal_or_no_deal_rows.hpp"
#include "support/folders.hpp"

namespace hard_points_test {
namespace {

using namespace deal_or_no_deal;

std::filesystem::path data_file(const char* name) {
  return agon::test::source_folder() / "games/deal-or-no-deal/data" / name;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// The first 44 hard points of the shipped instances that have an envy-free split, and the first 6
/// that have none, as many of each as in the published sample; in the order of their file.
std::vector<Row> chosen() {
  std::vector<Row> rows = test::rows_of(bytes_of(data_file("instances.json")));
  for (Row& row : rows) row.instance.line = 1;  // all are looked at
  std::vector<Row> points;
  std::size_t with = 0;
  std::size_t without = 0;
  for (const std::size_t position : hard_points(rows, select_points(rows), 4, rows.size())) {
    Row row = rows[position];
    const bool envy_free = yardsticks(row.instance).envy_free > 0;
    if ((envy_free ? with++ : without++) >= (envy_free ? 44U : 6U)) continue;
    row.instance.line = 0;
    points.push_back(std::move(row));
  }
  return points;
}

}  // namespace

TEST_CASE("Deal or No Deal 3.3: the shipped hard points are chosen as the published ones") {
  const std::vector<Row> points = chosen();
  REQUIRE(points.size() == 50);
  std::size_t fair = 0;
  for (const Row& row : points) {
    CHECK(keeps(row.instance));
    CHECK(value_distance(row.instance) <= 4);
    const auto found = yardsticks(row.instance);
    CHECK((found.envy_free > 0) == found.best.has_value());
    if (found.best) ++fair;
  }
  CHECK(fair == 44);
  CHECK(test::rows_of(bytes_of(data_file("hard-points.json"))) == points);
}

}  // namespace hard_points_test
