// An archive read by several threads tells what one alone tells, in the same order.

#include <tuple>

#include "archive/database/sqlite.hpp"
#include "archive/matches/match_reader.hpp"
#include "catch.hpp"
#include "report_samples.hpp"

using namespace report_samples;

namespace {

using Told = std::vector<std::tuple<std::int64_t, std::int64_t, std::int64_t, double>>;

/// Three scenarios, stored in no order: blocks backwards, some with several matches, one without.
void fill(Book& book) {
  const auto game = book.game("g");
  book.scenario("s", game);
  book.scenario("t", game);
  book.scenario("u", game);
  for (std::int64_t block = 400; block-- > 0;) {
    for (const char* scenario : {"u", "s", "t"}) {
      if (scenario[0] == 't' && block % 7 == 3) continue;
      for (std::int64_t repeat = block % 3 + 1; repeat-- > 0;)
        book.match({.scenario = scenario, .block = block, .repeat = repeat},
                   {{"a", static_cast<double>(block % 11) / 10}, {"b", 0.3}});
    }
  }
}

template <class Read>
Told told(Read read) {
  Told all;
  read([&](std::int64_t number, const archive::MatchRow& match) {
    all.emplace_back(number, match.key.block, match.key.repeat, match.seats.at(0).payoff);
    return true;
  });
  return all;
}

}  // namespace

TEST_CASE("Several threads tell the matches of an archive in its order", "[archive]") {
  Book book;
  fill(book);
  book.writer().flush();
  const auto opened = archive::Archive::open(book.path());
  const Told alone = told([&](auto each) { opened.matches().each({}, each); });
  REQUIRE(alone.size() > 2000);
  for (const std::size_t threads : {1U, 2U, 3U, 8U})
    CHECK(told([&](auto each) { archive::matches_by_threads(opened, {}, threads, each); }) ==
          alone);
  // Who has heard enough is told no more.
  std::size_t heard = 0;
  archive::matches_by_threads(
      opened, {}, 3, [&](std::int64_t, const archive::MatchRow&) { return ++heard < 100; });
  CHECK(heard == 100);
}

TEST_CASE("A report is the same to the last digit, however many threads read", "[report]") {
  Book book;
  fill(book);
  const auto text = [&](std::int64_t many) {
    return report::text(book.make({.reference = "b"}, {.many = many}), true);
  };
  CHECK(text(0) == text(1'000'000));
}

TEST_CASE("Damage that a reading thread meets is told where it was met", "[archive]") {
  Book book;
  fill(book);
  book.writer().flush();
  {
    archive::Connection db(book.path(), archive::OpenMode::write);
    archive::Statement(db, "update seat set rank = 99 where match = 1000").step();
  }
  const auto opened = archive::Archive::open(book.path());
  CHECK_THROWS_AS(archive::matches_by_threads(
                      opened, {}, 3, [](std::int64_t, const archive::MatchRow&) { return true; }),
                  agon::Error);
}
