#include <agon/describe.hpp>
#include <cmath>

#include "catch.hpp"
#include "record/record.hpp"
#include "report_samples.hpp"
#include "results/played_archive.hpp"

namespace played_notes {
struct Price {
  int day = 0;
  std::string by;
};
AGON_DESCRIBE(Price, (day, "day"), (by, "who"))
}  // namespace played_notes

namespace {

using played_notes::Price;
using report_samples::Book;

struct Seen {
  std::string line;
  std::vector<agon::PlayedEntry> entries;
};

std::vector<std::string> lines_of(const Book& book, const std::string& game) {
  const auto archive = agon::archive::Archive::open(book.path());
  const agon::report::PlayedArchive matches(archive, game, false, 0.9);
  CHECK(matches.level() == 0.9);
  std::vector<std::string> lines;
  matches.each([&](const agon::PlayedMatch& match) {
    std::string line = std::string(match.scenario()) + " " + std::string(match.treatment()) + " " +
                       std::to_string(match.block()) + "." + std::to_string(match.repeat()) + "." +
                       std::to_string(match.position()) + " focal " + std::string(match.focal());
    for (const agon::PlayedSeat& seat : match.seats())
      line += " | " + std::string(seat.name) + "/" + std::string(seat.role) + " " +
              std::string(seat.agent) + "=" + std::to_string(static_cast<int>(seat.score));
    CHECK(match.entries().empty());
    lines.push_back(std::move(line));
  });
  return lines;
}

}  // namespace

TEST_CASE("tables see the finished matches of their game, in order", "[report]") {
  Book book;
  const auto water = book.game("water", {{"bid"}, {"won"}}, {{"price"}});
  const auto other = book.game("other");
  book.scenario("dry", water, "", R"({"supply":1})");
  book.scenario("elsewhere", other);
  book.match({"dry", 2, "a"}, {{"a", 3, 0, 1, "buyer", 0, {7, 8}, "Ann"}, {"b", 1}}, {2.5});
  book.match({"dry", 1, "", "", 1}, {{"a", 5}, {"b", 4}});
  book.match({"elsewhere", 0}, {{"a", 9}, {"b", 9}});
  book.game_fault({"dry", 0}, {"a", "b"}, "broke");
  book.unfinished({"dry", 3}, {"a", "b"}, "no key");
  book.writer().flush();

  CHECK(lines_of(book, "water") ==
        std::vector<std::string>{R"(dry {"supply":1} 1.1.0 focal  | / a=5 | / b=4)",
                                 R"(dry {"supply":1} 2.0.0 focal a | Ann/buyer a=3 | / b=1)"});
  CHECK(lines_of(book, "other").size() == 1);
  CHECK(lines_of(book, "nowhere").empty());

  const auto archive = agon::archive::Archive::open(book.path());
  const agon::report::PlayedArchive matches(archive, "water", true, 0.95);
  std::vector<double> found;
  matches.each([&](const agon::PlayedMatch& match) {
    found.push_back(match.metric("price"));
    found.push_back(match.metric(match.seats().front(), "won"));
    CHECK(std::isnan(match.metric("won")));
    CHECK(std::isnan(match.metric(match.seats().front(), "price")));
    CHECK(match.settings() == R"({"of":"dry","treatment":{"supply":1}})");
    CHECK(match.seats().front().base == "a");
  });
  REQUIRE(found.size() == 4);

  // Two games, where a table compares them.
  const agon::report::PlayedArchive both(archive, "other", false, 0.9, "water");
  std::string games;
  both.each([&](const agon::PlayedMatch& match) { games += std::string(match.game()) + " "; });
  CHECK(games == "water water other ");
  CHECK(both.handed_out() == 3);
  CHECK(std::isnan(found[0]));
  CHECK(found[2] == 2.5);
  CHECK(found[3] == 8);
}

TEST_CASE("draws have the seed where scenarios of the archive had them with several", "[report]") {
  Book book;
  const auto water = book.game("water");
  book.scenario("first", water, "dry", "{}", 1);
  book.scenario("second", water, "dry", "{}", 2);
  book.scenario("wet", water, "wet", "{}", 1);
  for (const char* scenario : {"first", "second", "wet"})
    book.match({scenario, 0}, {{"a", 3}, {"b", 1}});
  book.writer().flush();
  const auto archive = agon::archive::Archive::open(book.path());
  const agon::report::PlayedArchive matches(archive, "water", false, 0.95);
  std::vector<std::string> draws;
  matches.each([&](const agon::PlayedMatch& match) { draws.emplace_back(match.draws()); });
  CHECK(draws == std::vector<std::string>{"dry (seed 1)", "dry (seed 2)", "wet"});
}

TEST_CASE("tables read records as JSON", "[report]") {
  agon::record::Shapes shapes;
  agon::record::Recorder recorder(0, shapes);
  const Price price{3, "Ann \"A\""};
  recorder.event(5, "price", agon::type_of<Price>(), &price);
  recorder.plain(7, 1, "bid", agon::type_of<Price>(), true, &price);
  agon::record::Asked asked;
  asked.seat = 1;
  asked.number = 8;
  asked.stage = "belief";
  asked.answer_type = &agon::type_of<Price>();
  asked.probe = true;
  asked.declined = true;
  recorder.question(asked);
  recorder.draw("supply", {}, agon::type_of<Price>(), &price);
  recorder.carry(1, agon::type_of<Price>(), &price);

  Book book;
  const auto water = book.game("water");
  book.scenario("dry", water);
  for (const std::string& notation : shapes.take_new()) book.writer().store("shape", notation);
  report_samples::Place place{"dry"};
  place.record = recorder.take();
  book.match(place, {{"a", 3}, {"b", 1}});
  book.writer().flush();

  const auto archive = agon::archive::Archive::open(book.path());
  const agon::report::PlayedArchive matches(archive, "water", true, 0.95);
  int seen = 0;
  matches.each([&](const agon::PlayedMatch& match) {
    ++seen;
    using What = agon::PlayedEntry::What;
    const auto entries = match.entries();
    REQUIRE(entries.size() == 5);
    const std::string json = R"({"day":3,"by":"Ann \"A\""})";
    CHECK(entries[0].what == What::event);
    CHECK(entries[0].name == "price");
    CHECK(entries[0].audience == 5);
    CHECK(entries[0].seat == -1);
    CHECK(entries[0].json == json);
    CHECK(entries[1].what == What::answer);
    CHECK(entries[1].name == "bid");
    CHECK(entries[1].seat == 1);
    CHECK(entries[1].probe);
    CHECK_FALSE(entries[1].declined);
    CHECK(entries[1].json == json);
    CHECK(entries[2].declined);
    CHECK(entries[2].json.empty());
    CHECK(entries[3].what == What::draw);
    CHECK(entries[3].name == "supply");
    CHECK(entries[3].json == json);
    CHECK(entries[4].what == What::carry);
    CHECK(entries[4].seat == 1);
  });
  CHECK(seen == 1);
}

TEST_CASE("a record that cannot be decoded is an error, not a gap", "[report]") {
  agon::record::Shapes shapes;
  agon::record::Recorder recorder(0, shapes);
  const Price price{3, "Ann"};
  recorder.event(0, "price", agon::type_of<Price>(), &price);
  Book book;
  const auto water = book.game("water");
  book.scenario("dry", water);
  report_samples::Place place{"dry"};
  place.record = recorder.take();
  book.match(place, {{"a", 3}, {"b", 1}});
  book.writer().flush();
  const auto archive = agon::archive::Archive::open(book.path());
  const agon::report::PlayedArchive matches(archive, "water", true, 0.95);
  const auto read_all = [&] {
    matches.each([](const agon::PlayedMatch& match) { static_cast<void>(match.entries()); });
  };
  CHECK_THROWS_AS(read_all(), agon::Error);
}
