// Human judges: the draw, what records hide, forms and what they say.

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <agon/table.hpp>
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "catch.hpp"
#include "judge/forms.hpp"
#include "judge/records.hpp"
#include "judge/results.hpp"
#include "plugin/catalogue.hpp"
#include "record/record.hpp"
#include "report_samples.hpp"

namespace judge_cards {

using agon::judging::kRated;
using agon::judging::Ratings;

struct Settings {
  std::vector<agon::judging::RecordToRate> sheets;
};
AGON_DESCRIBE(Settings, (sheets, "what is judged", agon::data_file(agon::judging::kRecordsFormat)))
struct Plain {
  int pie = 10;
};
AGON_DESCRIBE(Plain, (pie, "coins", agon::range(1, 100)))

constexpr agon::Stage<"rate", Ratings> kRate{"rate it"};

agon::Outcome play(agon::Table<kRate, kRated> table, const Settings&) {
  table.note(kRated, agon::judging::RatedRecord{"R01", "x", table.ask(0, kRate)});
  return {{.score = 1}};
}
agon::Outcome play_plain(agon::Table<kRate, kRated> table, const Plain& plain) {
  table.note(kRated, agon::judging::RatedRecord{"R01", "x", table.ask(0, kRate)});
  return {{.score = plain.pie}};
}

}  // namespace judge_cards

using namespace report_samples;
using Catch::Matchers::Contains;
namespace judge = agon::judge;
namespace fs = std::filesystem;

namespace {

/// Twenty matches of three seats: "rare" sits in two of them, "many" in all.
void play_judged(Book& book) {
  book.scenario("town", book.game("water"));
  for (std::int64_t block = 0; block < 20; ++block)
    book.match({"town", block}, {{block < 2 ? "rare" : "other", 1}, {"many", 2}, {"many", 3}});
  book.game_fault({"town", 20}, {"rare", "rare", "rare"}, "broke");
  book.writer().flush();
}

std::string slurp(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::map<std::string, std::size_t> by_agent(const archive::Archive& archive,
                                            const std::vector<judge::SampledRecord>& drawn) {
  std::map<std::string, std::size_t> counts;
  const auto agents = archive.agents();
  for (const auto& record : drawn) {
    const auto match = archive.matches().at(archive.matches().number(record.match).value());
    ++counts[agents.at(match.seats.at(static_cast<std::size_t>(record.seat)).agent).name];
  }
  return counts;
}

judge::ReadForms read_text(const std::string& text, const std::map<std::string, judge::Keyed>& key,
                           const fs::path& folder) {
  std::ofstream(folder / "form.csv", std::ios::binary) << text;
  return judge::read_forms({(folder / "form.csv").string()}, key);
}

}  // namespace

namespace {

agon::judging::Ratings said(std::optional<int> use, std::optional<int> identity = {}) {
  agon::judging::Ratings ratings;
  ratings.IU = use;
  ratings.IA = identity;
  return ratings;
}

/// An archive of a game that asks for ratings, one match a rating.
class RatedBook {
 public:
  RatedBook() { book_.scenario("judges", book_.game("rating")); }

  /// Who judges from now on.
  void judge_is(const std::string& persona) {
    book_.labelled(
        "judge", "{}", "",
        R"({"agent":"llm","params":{"model":{"provider":"mock","model":"m"},"persona":")" +
            persona + "\"}}");
  }

  /// The id of the match.
  archive::MatchId rate(std::string_view record, std::string_view key,
                        const agon::judging::Ratings& ratings, bool with_shapes = true) {
    agon::record::Recorder recorder(0, shapes_);
    const agon::judging::RatedRecord rated{record, key, ratings};
    recorder.event(1, agon::judging::kRated.name, agon::type_of<agon::judging::RatedRecord>(),
                   &rated);
    if (with_shapes)
      for (const std::string& notation : shapes_.take_new())
        book_.writer().store("shape", notation);
    report_samples::Place place{"judges", matches_++};
    place.record = recorder.take();
    book_.match(place, {{"judge", 1}});
    book_.writer().flush();
    const auto archive = archive::Archive::open(book_.path());
    return archive.matches().at(archive.matches().find(std::to_string(matches_))).key.id;
  }

  /// A person gave the answers of this match.
  void by_person(const archive::MatchId& match) {
    book_.writer().person({.session = "s", .pseudonym = "anna"});
    book_.writer().person_answer({.session = "s", .match = match, .seat = 0, .question = 1});
    book_.writer().flush();
  }

  [[nodiscard]] std::string path() const { return book_.path().string(); }

 private:
  Book book_;
  agon::record::Shapes shapes_;
  std::int64_t matches_ = 0;
};

const std::string kRatedKey = judge::digest_of({}, 0);
const std::map<std::string, judge::Keyed> kOneRecord{{"R01", {{}, 0, false}}};

judge::ReadForms rated_in(const std::vector<std::string>& files) {
  judge::ReadForms out;
  judge::read_rated(files, {{"rating", "records"}}, kOneRecord, out);
  return out;
}

}  // namespace

TEST_CASE("agents of two specs are two judges, and one spec is one over archives", "[judge]") {
  RatedBook first, second;
  first.judge_is("none");
  first.rate("R01", kRatedKey, said(2));
  first.judge_is("cruel");
  first.rate("R01", kRatedKey, said(1));
  second.judge_is("none");
  second.rate("R01", kRatedKey, said(5));
  const auto forms = rated_in({first.path(), second.path()});
  REQUIRE(forms.ratings.size() == 2);
  CHECK_THAT(forms.ratings[0].judge, Contains("judge (mock/m; ") && Contains("none"));
  CHECK_THAT(forms.ratings[1].judge, Contains("judge (mock/m; ") && Contains("cruel"));
  REQUIRE(forms.repeated.size() == 1);
  CHECK(forms.repeated.begin()->first == forms.ratings[0].judge);
  // Nothing is to be told apart.
  CHECK(rated_in({second.path()}).ratings.at(0).judge == "judge (mock/m)");
}

TEST_CASE("what people in the browser rate is theirs, their own play too", "[judge]") {
  RatedBook book;
  book.judge_is("none");
  book.by_person(book.rate("R01", kRatedKey, said(2)));
  book.by_person(book.rate("own", "", said(4)));
  book.rate("own", "", said(5));
  const auto forms = rated_in({book.path()});
  REQUIRE(forms.ratings.size() == 1);
  CHECK(forms.ratings[0].judge == "anna");
  CHECK(forms.ratings[0].plays.empty());
  REQUIRE(forms.own.size() == 1);
  CHECK(forms.own[0].judge == "anna");
  CHECK(forms.own[0].values[0] == 4);
  REQUIRE(forms.own_of_agents.size() == 1);
  CHECK(forms.own_of_agents.at("judge (mock/m)") == 1);
}

TEST_CASE("ratings in archives that cannot be are refused", "[judge]") {
  const auto rated = [](std::string_view record, std::string_view key,
                        const agon::judging::Ratings& ratings, bool with_shapes = true) {
    RatedBook book;
    book.judge_is("none");
    book.rate(record, key, ratings, with_shapes);
    return rated_in({book.path()});
  };
  CHECK(rated("R01", kRatedKey, said(2)).ratings.size() == 1);
  CHECK_THROWS_WITH(rated("R09", kRatedKey, said(2)),
                    Contains("it rates 'R09', and the key has no such record"));
  CHECK_THROWS_WITH(rated("R01", "other", said(2)),
                    Contains("is another match or seat than the key's"));
  CHECK_THROWS_WITH(rated("R01", kRatedKey, said(2, 3)),
                    Contains("IA of 'R01', whose player was given no identity"));
  CHECK_THROWS_WITH(rated("own", "", said({}, 3)), Contains("was given no identity"));
  CHECK_THROWS_WITH(rated("R01", kRatedKey, said(2), false), Contains("cannot be decoded"));
}

TEST_CASE("a game asks for ratings if it has the event, and a setting for the records", "[judge]") {
  agon::Catalogue catalogue;
  catalogue.add(agon::game<&judge_cards::play_plain>("plain", {.seats = {1, 1}, .rules = "Rate."}));
  CHECK(judge::rating_games(catalogue).empty());
  catalogue.add(agon::game<&judge_cards::play>("rating", {.seats = {1, 1}, .rules = "Rate."}));
  const auto games = judge::rating_games(catalogue);
  REQUIRE(games.size() == 1);
  CHECK(games[0].id == "rating");
  CHECK(games[0].records == "sheets");
}

TEST_CASE("records are drawn evenly over agents and judges", "[judge]") {
  Book book;
  play_judged(book);
  const auto archive = archive::Archive::open(book.path());
  judge::DrawOptions options;
  options.records = 12;
  options.judges = 5;
  options.per_record = 3;
  const auto drawn = judge::draw(archive, options);
  REQUIRE(drawn.size() == 12);
  const auto counts = by_agent(archive, drawn);
  CHECK(counts.at("rare") == 2);  // it has no more, and a broken match is none
  CHECK(counts.at("many") == 5);
  CHECK(counts.at("other") == 5);
  std::set<std::pair<std::string, int>> seats;
  std::vector<std::size_t> load(5);
  for (const auto& record : drawn) {
    seats.emplace(record.match.hex(), record.seat);
    CHECK(std::set<std::size_t>(record.judges.begin(), record.judges.end()).size() == 3);
    for (const std::size_t j : record.judges) ++load[j];
  }
  CHECK(seats.size() == 12);
  CHECK(*std::max_element(load.begin(), load.end()) - *std::min_element(load.begin(), load.end()) <=
        1);
  CHECK(drawn.front().label == "R01");

  const auto same = [](const auto& a, const auto& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& x, const auto& y) {
      return x.match == y.match && x.seat == y.seat;
    });
  };
  CHECK(same(drawn, judge::draw(archive, options)));
  options.seed = 2;
  CHECK_FALSE(same(drawn, judge::draw(archive, options)));
  options.agents = {"rare"};
  options.records = 2;
  CHECK(by_agent(archive, judge::draw(archive, options)).at("rare") == 2);
  options.records = 3;
  CHECK_THROWS_AS(judge::draw(archive, options), agon::Error);
  options.agents = {"nobody"};
  CHECK_THROWS_AS(judge::draw(archive, options), agon::Error);
  options = {};
  options.game = "chess";
  CHECK_THROWS_AS(judge::draw(archive, options), agon::Error);
  options = {};
  options.per_record = 11;
  CHECK_THROWS_AS(judge::draw(archive, options), agon::Error);
}

TEST_CASE("names of models and agents do not reach judges", "[judge]") {
  const judge::Blindfold blind({"gpt-4o", "llm/memory=whole", "gpt", "Claude", "my-agent"});
  CHECK(blind.over("I am GPT-4o-mini, not Claude 3 or gpt-5.1.") ==
        "I am [name], not [name] 3 or [name].");
  CHECK(blind.over("my-agent and llm/memory=whole; egpt gpts Claudette") ==
        "[name] and [name]; egpt gpts Claudette");
  Book book("town", "water");
  book.labelled(
      "sonnet/x=1", "{}", "",
      R"({"agent":"llm","params":{"model":{"provider":"maker-x","model":"new-model-9"}}})");
  book.match({"town", 0}, {{"sonnet/x=1", 1}, {"default", 2}});
  book.writer().flush();
  const judge::Blindfold known(archive::Archive::open(book.path()));
  CHECK(known.over("New-Model-9 by Maker-X plays sonnet/x=1 by default, says ChatGPT") ==
        "[name] by [name] plays [name] by default, says [name]");
}

TEST_CASE("forms are written for judges, and the key apart from them", "[judge]") {
  Book book;
  play_judged(book);
  const auto archive = archive::Archive::open(book.path());
  judge::DrawOptions options;
  options.records = 6;
  options.judges = 3;
  options.per_record = 2;
  const auto drawn = judge::draw(archive, options);
  const fs::path out = book.path().parent_path() / "study";
  const fs::path key = book.path().parent_path() / "key.csv";
  const judge::TellRecord tell = [](const archive::MatchRow& match, int seat) {
    return match.key.id.hex() + " " + std::to_string(seat);
  };
  judge::write_forms(archive, drawn, options, tell, out, key);
  const auto keys = judge::read_key(key);
  REQUIRE(keys.size() == 6);
  for (const auto& record : drawn) {
    CHECK(keys.at(record.label).match == record.match);
    CHECK(keys.at(record.label).seat == record.seat);
    CHECK(slurp(out / "records" / (record.label + ".txt")) ==
          record.match.hex() + " " + std::to_string(record.seat));
  }
  std::vector<std::string> files;
  for (int j = 1; j <= 3; ++j) {
    files.push_back((out / ("judge-" + std::to_string(j) + ".csv")).string());
    CHECK_THAT(slurp(files.back()), !Contains(drawn[0].match.hex().substr(0, 8)));
  }
  const auto blank = judge::read_forms(files, keys);
  CHECK(blank.blank == 12);
  CHECK(blank.ratings.empty());
  CHECK(blank.bad.empty());
  const std::string sheet = slurp(out / "instructions.txt");
  for (const auto& d : judge::dimensions()) CHECK_THAT(sheet, Contains(std::string(d.name)));
  CHECK_THROWS_AS(judge::write_forms(archive, drawn, options, tell, out, key), agon::Error);
}

TEST_CASE("bad rows of forms are named with their lines", "[judge]") {
  const archive_samples::Folder folder;
  const std::map<std::string, judge::Keyed> key{{"R01", {}}, {"R02", {}}};
  const auto read = [&](const std::string& text) { return read_text(text, key, folder / "."); };
  const std::string head = "record,judge,IU,LR,SE,AD,LP,IA\n";
  const auto forms = read(head +
                          "R01,1,1,2,3,4,5,\n"    // 2
                          "R02,1,6,2,3,4,5,\n"    // 3
                          "R02,1,2.5,2,3,4,5,\n"  // 4
                          "R09,1,2,2,3,4,5,\n"    // 5
                          "R01,1,2,2,3,4,5,\n"    // 6
                          "R02,,2,2,3,4,5,\n"     // 7
                          "R02,2,2,2,3\n"         // 8
                          "R02,1,,,,,,\n"         // 9: not yet
                          "R02, 3 , 4,,,,,\n");   // 10
  REQUIRE(forms.ratings.size() == 2);
  CHECK(forms.ratings[0].values[4] == 5);
  CHECK_FALSE(forms.ratings[0].values[5]);
  CHECK((forms.ratings[1].judge == "3" && forms.ratings[1].values[0] == 4));
  CHECK(forms.blank == 1);
  std::vector<std::size_t> lines;
  for (const auto& bad : forms.bad) lines.push_back(bad.line);
  CHECK(lines == std::vector<std::size_t>{3, 4, 5, 6, 7, 8});
  CHECK_THAT(forms.bad[0].problem, Contains("IU: 6 is more than 5"));
  CHECK_THAT(forms.bad[1].problem, Contains("IU: must be a whole number"));
  CHECK_THAT(forms.bad[5].problem, Contains("has 5 cells where the first line has 8"));
  CHECK_THAT(forms.bad[2].problem, Contains("no record 'R09'"));
  CHECK_THAT(forms.bad[3].problem, Contains("judge 1 has rated R01 before"));
  // Columns of a spreadsheet that somebody moved, and one that is gone.
  CHECK(read("note,IA,LP,AD,SE,LR,IU,judge,record\nx,1,1,1,1,1,5,a,R01\n").ratings[0].values[0] ==
        5);
  CHECK_THROWS_AS(read("record,judge,IU,LR,SE,AD,LP\nR01,1,1,1,1,1,1\n"), agon::Error);
  CHECK_THROWS_AS(read(""), agon::Error);
  CHECK_THROWS_AS(judge::read_forms({(folder / "none.csv").string()}, key), agon::Error);
  std::ofstream(folder / "key.csv") << "record,match,seat\nR01,xyz,0\n";
  CHECK_THROWS_AS(judge::read_key(folder / "key.csv"), agon::Error);
}

TEST_CASE("what filled forms say, worked by hand", "[judge]") {
  Book book("town", "water");
  book.match({"town", 0}, {{"first", 1}, {"second", 2}});
  book.writer().flush();
  const auto archive = archive::Archive::open(book.path());
  const auto id = archive.matches().at(archive.matches().find("1")).key.id;
  const std::map<std::string, judge::Keyed> key{{"R01", {id, 0}}, {"R02", {id, 1}}};
  const archive_samples::Folder folder;
  const auto forms = read_text(
      "record,judge,IU,LR,SE,AD,LP,IA\nR01,1,1,3,3,3,3,\nR02,1,4,3,3,3,3,\n"
      "R01,2,2,3,3,3,3,\nR02,2,5,3,3,3,3,\n",
      key, folder / ".");
  const auto found = judge::results(archive, key, forms);
  CHECK(found.records == 2);
  CHECK(found.judges == 2);
  CHECK(found.ratings == 4);
  CHECK(found.all.dimensions[0].n == 4);
  CHECK(found.all.dimensions[0].mean == 3);
  CHECK(found.all.dimensions[0].deviation == Approx(std::sqrt(10.0 / 3)));
  CHECK(found.all.dimensions[0].lower_quartile == 1.75);
  CHECK(found.all.dimensions[0].median == 3);
  CHECK(found.all.dimensions[0].upper_quartile == 4.25);
  CHECK(found.all.dimensions[5].n == 0);
  REQUIRE(found.agents.size() == 2);
  CHECK(found.agents[0].agent == "first");
  CHECK(found.agents[0].dimensions[0].mean == 1.5);
  CHECK(found.agents[1].dimensions[0].mean == 4.5);
  // Interval: observed 4 * 1; expected 2 (1 + 9 + 16 + 4 + 9 + 1) over 3.
  CHECK(found.agreement[0].interval.value() == Approx(1 - 3 * 4.0 / 80));
  // Ordinal, each rating once, so ranks: 2 (1 + 4 + 9 + 1 + 4 + 1).
  CHECK(found.agreement[0].ordinal.value() == Approx(1 - 3 * 4.0 / 40));
  CHECK_FALSE(found.agreement[1].ordinal);  // everybody said 3
  CHECK_THAT(judge::text(found, false), Contains("IU information utilisation") &&
                                            Contains("3.33  1.04  3 / 3 / 4") && Contains("0.700"));
  CHECK_THAT(judge::json(found), Contains("\"format\": \"agon.judging\""));
  // Two records tell nothing of records.
  CHECK_FALSE(found.all.intervals[0]);
  const std::map<std::string, judge::Keyed> other{{"R01", {{}, 0}}, {"R02", {id, 7}}};
  CHECK_THROWS_AS(judge::results(archive, other, forms), agon::Error);
}

TEST_CASE("means of ratings have intervals over records and judges", "[judge]") {
  Book book("town", "water");
  book.labelled("model", "{}", "",
                R"({"agent":"llm","params":{"model":{"provider":"mock"}},"mock":true})");
  for (int block = 0; block < 4; ++block) book.match({"town", block}, {{"model", 1}, {"rule", 2}});
  book.writer().flush();
  const auto archive = archive::Archive::open(book.path());
  std::map<std::string, judge::Keyed> key;
  std::string rows = "record,judge,IU,LR,SE,AD,LP,IA\n";
  const std::vector<std::vector<int>> ratings{{1, 2, 3}, {2, 3, 5}, {4, 4, 5}, {1, 3, 3}};
  for (int r = 0; r < 4; ++r) {
    const std::string label = "R0" + std::to_string(r);
    key[label] = {archive.matches().at(archive.matches().find(std::to_string(r + 1))).key.id, 0};
    for (int j = 0; j < 3; ++j)
      rows += label + "," + std::to_string(j) + "," +
              std::to_string(ratings[static_cast<std::size_t>(r)][static_cast<std::size_t>(j)]) +
              ",,,,,\n";
  }
  const archive_samples::Folder folder;
  const auto found = judge::results(archive, key, read_text(rows, key, folder / "."));
  REQUIRE(found.all.intervals[0]);
  CHECK(found.all.intervals[0]->low == Approx(3 - 2.9169191811));
  REQUIRE(found.agents.size() == 1);
  CHECK(found.agents[0].plays == "mock");
  CHECK(found.agents[0].intervals[0]);
  const std::string text = judge::text(found, false);
  CHECK_THAT(text, Contains("3.00  [0.08, 5.92]") && Contains("95% CI") &&
                       Contains("no model, played for 'model'"));
  CHECK_THAT(judge::json(found), Contains("\"plays\": \"mock\""));
}

TEST_CASE("ordinary words that agents are called by are told, not masked", "[judge]") {
  Book book("town", "water");
  book.match({"town", 0}, {{"Floor", 1}, {"gpt-x", 2}});
  book.writer().flush();
  const judge::Blindfold blindfold(archive::Archive::open(book.path()));
  CHECK(blindfold.over("the floor, says gpt-x") == "the floor, says [name]");
  CHECK(blindfold.left_in("the floor of bids") == std::vector<std::string>{"Floor"});
  CHECK(blindfold.left_in("flooring, subfloor").empty());
}
