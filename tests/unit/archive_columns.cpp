// Results as columns: what is written is read back, and what is not ours is refused.
#include <agon/random.hpp>
#include <cmath>
#include <limits>

#include "archive/matches/result_columns.hpp"
#include "catch.hpp"

namespace archive_columns_test {

using namespace agon::archive;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// Columns of every kind: one value, whole numbers, whole numbers with gaps, any numbers.
ResultColumns sample(std::size_t matches) {
  ResultColumns all;
  all.created = 1'700'000'000'000;
  all.seats = {{"Ann", "buyer"}, {"Bob", ""}};
  all.seated = {{"a + b", 0, std::nullopt, {1, 2}}, {"b + a", 3, 2, {2, 1}}};
  all.cluster = 1;
  all.match_metrics = 2;
  all.seat_metrics = 1;
  all.make_columns();
  all.matches = matches;
  for (std::size_t i = 0; i < matches; ++i) {
    const auto n = static_cast<std::int64_t>(i);
    for (std::size_t c = 0; c < all.integers.size(); ++c) {
      const bool is_seated = c == ResultColumns::seated_as;
      all.integers[c].push_back(is_seated ? n % 2 : c % 3 == 0 ? 7 : (n * 31 + 5) % 12);
    }
    for (std::size_t c = 0; c < all.numbers.size(); ++c) {
      const double x = static_cast<double>(n) - 3;
      all.numbers[c].push_back(c % 5 == 0   ? 0.1 * x
                               : c % 5 == 1 ? (i % 2 == 0 ? kNan : x * 1000)
                               : c % 5 == 2 ? -0.0
                               : c % 5 == 3 ? kNan
                                            : x);
    }
  }
  return all;
}

TEST_CASE("archive: columns are read back as they were", "[archive]") {
  for (const std::size_t matches : {1, 2, 57}) {
    const ResultColumns all = sample(matches);
    const auto read = ResultColumns::decode(all.encode());
    REQUIRE(read);
    CHECK(read->seats == all.seats);
    CHECK(read->seated == all.seated);
    CHECK(read->integers == all.integers);
    CHECK(read->encode() == all.encode());
    for (std::size_t c = 0; c < all.numbers.size(); ++c)
      for (std::size_t i = 0; i < matches; ++i) {
        const double was = all.numbers[c][i], is = read->numbers[c][i];
        CHECK(((std::isnan(was) && std::isnan(is)) ||
               (was == is && std::signbit(was) == std::signbit(is))));
      }
    MatchRow row;
    read->read(matches - 1, row);
    CHECK(row.key.line_up == (matches % 2 == 0 ? "b + a" : "a + b"));
    CHECK(row.seats.size() == 2);
    CHECK(row.seats[1].metrics.size() == 1);
    CHECK(row.status == MatchStatus::finished);
  }
}

TEST_CASE("archive: columns that are cut or changed are refused or within bounds", "[archive]") {
  const std::string bytes = sample(40).encode();
  for (std::size_t i = 0; i < bytes.size(); ++i)
    CHECK_FALSE(ResultColumns::decode(std::string_view(bytes).substr(0, i)));
  CHECK_FALSE(ResultColumns::decode(bytes + "x"));
  agon::Dice dice(5);
  for (int n = 0; n < 20'000; ++n) {
    std::string changed = bytes;
    changed[dice.below(changed.size())] = static_cast<char>(dice.below(256));
    const auto read = ResultColumns::decode(changed);
    if (!read) continue;
    MatchRow row;
    for (std::size_t i = 0; i < read->matches; ++i) {
      read->read(i, row);
      CHECK((row.key.block >= 0 && row.key.block <= kMostBlock));
      for (const SeatRow& seat : row.seats) {
        CHECK_FALSE(std::isinf(seat.payoff));
        CHECK((seat.fallbacks >= 0 && seat.fallbacks <= kMostCount));
      }
    }
  }
}

}  // namespace archive_columns_test
