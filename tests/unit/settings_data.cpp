// Settings that come out of data files, seats, presets and placeholders, on a game of the test's
// own.

#include <agon/error.hpp>
#include <agon/game.hpp>
#include <boost/json/object.hpp>
#include <filesystem>
#include <fstream>

#include "archive_samples.hpp"
#include "catch.hpp"
#include "json/parse.hpp"
#include "settings/settings.hpp"
#include "support/settings.hpp"

namespace settings_data_test {

using agon::Settings;
using archive_samples::Folder;

struct Deck {
  std::string words;
};
AGON_DESCRIBE(Deck, (words, "what is on it"))

struct Choice {
  Deck deck;
  std::vector<std::string> rows;
  int seats = 2;
};
AGON_DESCRIBE(Choice, (deck, "one thing", agon::data_file("agon.test.deck/2")),
              (rows, "many things", agon::data_file("agon.test.rows/1")),
              (seats, "how many sit down", agon::range(0, 100)))

agon::Outcome play(agon::Table<>, const Choice&) {
  return {{.score = 1}, {.score = 1}};
}

std::vector<agon::SeatCard> seating(const Choice& choice) {
  std::vector<agon::SeatCard> cards;
  for (int i = 0; i < choice.seats; ++i) cards.push_back({"p" + std::to_string(i), ""});
  return cards;
}

std::vector<agon::SeatCard> twice(const Choice& choice) {
  if (choice.seats == 0) return {{"", ""}, {"b", ""}};
  return {{"a", ""}, {"a", ""}};
}

std::string check(const Choice& choice) {
  if (choice.deck.words == "jokers") return "deck.words: no jokers";
  if (choice.deck.words == "blanks") return "deck.words must say something";
  if (choice.seats == 5) return "beware: five is odd";
  if (choice.seats == 3) return "three is a crowd";
  return "";
}

const agon::Game& game() {
  static const agon::Game held = agon::game<&play>("choice", {.title = "Choice",
                                                              .seats = {2, 16},
                                                              .rules = "Sit {{seats}} down.",
                                                              .seating = agon::hook<&seating>});
  return held;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

std::string deck_file(const std::string& rows, const std::string& version = "2",
                      const std::string& format = "agon.test.deck") {
  return R"({"format": ")" + format + R"(", "version": )" + version + R"(, "rows": )" + rows + "}";
}

/// "read", or what is wrong.
std::string outcome_of(const agon::Game& of, const std::string& json, const Folder& folder,
                       std::vector<std::string> shipped = {}) {
  try {
    (void)agon::test::read_settings(of, json, "s.json",
                                    {folder.path().string(), std::move(shipped)});
    return "read";
  } catch (const agon::Error& error) {
    return error.problem();
  }
}

TEST_CASE("settings: a data file is of the very version that the game reads", "[settings]") {
  const Folder folder;
  const auto with_version = [&](const std::string& version) {
    write(folder / "d.json", deck_file(R"([{"words": "aces"}])", version));
    return outcome_of(game(), R"({"deck": "d.json"})", folder);
  };
  CHECK(with_version("2") == "read");
  const std::string other = "unknown version of the format";
  for (const char* version : {"1", "3", "22", "\"2\"", "2.0", "null", "-2"}) {
    INFO(version);
    CHECK(with_version(version) == other);
  }
  write(folder / "d.json", R"({"format": "agon.test.deck", "rows": [{"words": "aces"}]})");
  CHECK(outcome_of(game(), R"({"deck": "d.json"})", folder) == "missing key 'version'");
  write(folder / "d.json", R"({"format": "agon.test.deck", "version": 2})");
  CHECK(outcome_of(game(), R"({"deck": "d.json"})", folder) == "missing key 'rows'");
  write(folder / "d.json", deck_file("{}"));
  CHECK(outcome_of(game(), R"({"deck": "d.json"})", folder) == "must be a list, not an object");
  write(folder / "d.json", R"({"format": "agon.test.deck", "version": 2, "rows": [], "rowz": 1})");
  CHECK(outcome_of(game(), R"({"deck": "d.json"})", folder) ==
        "unknown key 'rowz' (did you mean 'rows'?)");
}

TEST_CASE("settings: one thing takes a file of one row", "[settings]") {
  const Folder folder;
  const auto with_rows = [&](const std::string& rows) {
    write(folder / "d.json", deck_file(rows));
    return outcome_of(game(), R"({"deck": "d.json"})", folder);
  };
  const std::string row = R"({"words": "aces"})";
  CHECK(with_rows("[" + row + "]") == "read");
  CHECK(with_rows("[]") == "0 elements, fewer than 1");
  CHECK(with_rows("[" + row + "," + row + "]") ==
        "the data file 'd.json' must have one row, not 2");
  write(folder / "r.json", deck_file(R"(["x", "y"])", "1", "agon.test.rows"));
  const Settings many = agon::test::read_settings(game(), R"({"rows": "r.json"})", "s.json",
                                                  {folder.path().string(), {}});
  CHECK(static_cast<const Choice*>(many.get())->rows == std::vector<std::string>{"x", "y"});
}

TEST_CASE("settings: a file is looked for beside the suite, then among what ships", "[settings]") {
  const Folder beside;
  const Folder shipped;
  const auto words = [&](const std::string& name) {
    const Settings read =
        agon::test::read_settings(game(), R"({"deck": ")" + name + "\"}", "s.json",
                                  {beside.path().string(), {shipped.path().string()}});
    return static_cast<const Choice*>(read.get())->deck.words;
  };
  write(shipped / "choice/d.json", deck_file(R"([{"words": "shipped"}])"));
  CHECK(words("d.json") == "shipped");
  CHECK(words("d") == "shipped");
  // The suite itself, say, is no deck: a name without ".json" may mean another file.
  write(beside / "d.json", "{}");
  CHECK(words("d") == "shipped");
  const std::vector<std::string> roots{shipped.path().string()};
  CHECK(outcome_of(game(), R"({"deck": "d.json"})", beside, roots) ==
        "expected a data file of format agon.test.deck");
  write(beside / "d.json", deck_file(R"([{"words": "own"}])"));
  CHECK(words("d") == "own");
  CHECK(words((beside / "d.json").string()) == "own");
  CHECK(outcome_of(game(), R"({"deck": "e"})", beside, roots) ==
        "there is no data file 'e' (known: d)");
  write(beside / "other.json", deck_file("[]", "2", "agon.test.decks"));
  CHECK(outcome_of(game(), R"({"deck": "other"})", beside, roots) ==
        "expected a data file of format agon.test.deck");
}

TEST_CASE("settings: what stands in brief is what is short, and one thing unless it is huge",
          "[settings]") {
  const auto brief = [](const std::string& json) {
    const Settings read = agon::test::read_settings(game(), json, "s.json");
    const auto value = agon::json::parse(read.brief(), "brief").as_object();
    return std::pair(value, read.data());
  };
  const auto deck_of = [](std::size_t bytes) {
    // {"words":"..."} is 12 bytes and the text
    return R"({"deck": {"words": ")" + std::string(bytes - 12, 'w') + "\"}}";
  };
  const auto [kept, none] = brief(deck_of(20'000));
  CHECK(none.empty());
  CHECK(kept.at("deck").as_object().contains("words"));
  const auto [huge, data] = brief(deck_of(20'001));
  REQUIRE(data.size() == 1);
  CHECK(data.begin()->second.size() == 20'001);
  CHECK(huge.at("deck").at("data").as_string() == "agon.test.deck/2");
  CHECK(huge.at("deck").at("sha256").as_string() == data.begin()->first);

  const auto rows_of = [](std::size_t bytes) {
    return R"({"rows": [")" + std::string(bytes - 4, 'r') + "\"]}";
  };
  const auto [few, no_data] = brief(rows_of(200));
  CHECK(no_data.empty());
  CHECK(few.at("rows").is_array());
  const auto [many, row_data] = brief(rows_of(201));
  REQUIRE(row_data.size() == 1);
  CHECK(many.at("rows").at("data").as_string() == "agon.test.rows/1");
  // What a match is identified by holds all of it.
  CHECK(agon::test::read_settings(game(), rows_of(201), "s.json")
            .json()
            .find(std::string(197, 'r')) != std::string::npos);
}

TEST_CASE("settings: there are as many seats as the game has, each with a name", "[settings]") {
  const Folder folder;
  const auto seats = [&](int n) {
    return outcome_of(game(), R"({"seats": )" + std::to_string(n) + "}", folder);
  };
  CHECK(seats(1) == "these settings make 1 seats; the game has 2 to 16");
  CHECK(seats(2) == "read");
  CHECK(seats(16) == "read");
  CHECK(seats(17) == "these settings make 17 seats; the game has 2 to 16");
  agon::Game wide = game();
  wide.card.seats = {2, 100};
  const int most = static_cast<int>(agon::kMaxSeats);
  const auto in_wide = [&](int n) {
    return outcome_of(wide, R"({"seats": )" + std::to_string(n) + "}", folder);
  };
  CHECK(in_wide(most) == "read");
  CHECK(in_wide(most + 1) != "read");

  agon::Game named = game();
  named.card.seating = agon::hook<&twice>;
  CHECK(outcome_of(named, R"({"seats": 2})", folder) == "these settings make two seats named 'a'");
  CHECK(outcome_of(named, R"({"seats": 0})", folder) ==
        "these settings make a seat without a name");
  // Without a say of the game there are as few as can be.
  agon::Game plain = game();
  plain.card.seating = nullptr;
  const Settings read = agon::test::read_settings(plain, "{}", "s.json");
  REQUIRE(read.seating().size() == 2);
  CHECK(read.seating()[1].name == "seat 1");
}

TEST_CASE("settings: a game without presets has one of its own", "[settings]") {
  CHECK(agon::find_preset(game(), "", "s")->name == "agon");
  CHECK(agon::find_preset(game(), "agon", "s")->name == "agon");
  CHECK_THROWS_AS(agon::find_preset(game(), "paper", "s"), agon::Error);
  CHECK(agon::test::read_settings(game(), "{}", "s.json").reasks() == 3);
  static constexpr agon::Preset kTwo[] = {
      {"first", "of the game", R"({"seats": 5, "rows": ["of first"]})", 1},
      {"second", "of a paper", R"({"seats": 7})", 2}};
  agon::Game card = game();
  card.card.presets = kTwo;
  CHECK(agon::find_preset(card, "", "s")->name == "first");
  CHECK_THROWS_AS(agon::find_preset(card, "agon", "s"), agon::Error);
  CHECK(outcome_of(card, R"({"preset": "secnd"})", Folder()) ==
        "game 'choice' has no preset 'secnd' (did you mean 'second'?)");
  const auto seats = [&](const std::string& json) {
    return agon::test::read_settings(card, json, "s.json").seating().size();
  };
  CHECK(seats("{}") == 5);
  CHECK(seats(R"({"preset": "second"})") == 7);
  CHECK(seats(R"({"preset": "second", "seats": 3})") == 3);
  // Other presets say what they change of the first.
  const Settings second = agon::test::read_settings(card, R"({"preset": "second"})", "s.json");
  CHECK(static_cast<const Choice*>(second.get())->rows == std::vector<std::string>{"of first"});
  CHECK(second.reasks() == 2);
}

TEST_CASE("settings: placeholders are filled, and what is wrong with them is said", "[settings]") {
  CHECK(agon::test::read_settings(game(), R"({"seats": 4})", "s.json").rules() == "Sit 4 down.");
  using Values = std::map<std::string, std::string>;
  const Values values{{"a", "1"}, {"b.c", "2"}};
  CHECK(agon::fill_placeholders("{{a}} and {{b.c}}{{a}}.", values, true) == "1 and 21.");
  CHECK(agon::fill_placeholders("no {a} at all", values, false) == "no {a} at all");
  const auto problem = [&](std::string_view text, bool all) {
    try {
      return agon::fill_placeholders(text, values, all);
    } catch (const agon::Error& error) {
      return error.problem();
    }
  };
  CHECK(problem("{{a}}", true) == "the text never uses {{b.c}}");
  CHECK(problem("{{a", false) == "a placeholder is opened with {{ and never closed");
  CHECK(problem("{{x}}", false).starts_with("there is nothing for the placeholder {{x}}"));
}

TEST_CASE("settings: a mistake is told with its place, in the settings or in a data file",
          "[settings]") {
  const Folder folder;
  agon::Game checked = game();
  checked.card.check = agon::hook<&check>;
  const auto told = [&](const std::string& json) {
    try {
      (void)agon::test::read_settings(checked, json, "s.json", {folder.path().string(), {}});
      return std::string("read");
    } catch (const agon::Error& error) {
      return error.where() + ": " + error.problem();
    }
  };
  CHECK(told(R"({"preset": "papr"})") == "s.json: game 'choice' has no preset 'papr'");
  CHECK(told(R"({"seats": "two"})") == "s.json ($.seats): must be a whole number, not a text");
  CHECK(told(R"({"seats": 101})") == "s.json ($.seats): 101 is more than 100");
  CHECK(told(R"({"deck": {"words": 7}})") == "s.json ($.deck.words): must be a text, not a number");

  const std::string deck = (folder / "d.json").string();
  const std::string rows = (folder / "r.json").string();
  write(deck, deck_file(R"([{"words": 7}])"));
  CHECK(told(R"({"deck": "d"})") == deck + ":1:54 ($.rows[0].words): must be a text, not a number");
  write(rows, deck_file(R"(["x", 7])", "1", "agon.test.rows"));
  CHECK(told(R"({"rows": "r"})") == rows + ":1:58 ($.rows[1]): must be a text, not a number");

  // What the game itself finds, with a place and without.
  CHECK(told(R"({"deck": {"words": "jokers"}})") == "s.json ($.deck.words): no jokers");
  CHECK(told(R"({"deck": {"words": "blanks"}})") == "s.json: deck.words must say something");
  CHECK(told(R"({"seats": 3})") == "s.json: three is a crowd");
  CHECK(told(R"({"seats": 5})") == "s.json: beware: five is odd");
  CHECK(told(R"({"seats": 4})") == "read");
  write(deck, deck_file(R"([{"words": "jokers"}])"));
  CHECK(told(R"({"deck": "d"})") == deck + ":1:54 ($.rows[0].words): no jokers");
  write(deck, deck_file(R"([{"words": "blanks"}])"));
  CHECK(told(R"({"deck": "d"})") ==
        deck + ":1:54 ($.rows[0].words): deck.words must say something");
}

TEST_CASE("settings: a data file that is not played with need not be there", "[settings]") {
  static constexpr agon::Preset kTwo[] = {{"first", "", R"({"deck": "gone"})", 3},
                                          {"second", "", R"({"rows": "gone"})", 3},
                                          {"third", "", R"({"deck": {"words": "own"}})", 3}};
  agon::Game card = game();
  card.card.presets = kTwo;
  const Folder folder;
  CHECK(outcome_of(card, "{}", folder) == "there is no data file 'gone'");
  CHECK(outcome_of(card, R"({"deck": {"words": "x"}})", folder) == "read");
  CHECK(outcome_of(card, R"({"preset": "second"})", folder) == "there is no data file 'gone'");
  CHECK(outcome_of(card, R"({"preset": "second", "deck": {"words": "x"}, "rows": []})", folder) ==
        "read");
  CHECK(outcome_of(card, R"({"preset": "third"})", folder) == "read");
  const Settings third = agon::test::read_settings(card, R"({"preset": "third"})", "s.json");
  CHECK(third.preset() == "third");
}

TEST_CASE("settings: members of one thing have placeholders of their own", "[settings]") {
  agon::Game card = game();
  card.card.rules = "{{seats}} play with {{deck.words}}.";
  CHECK(agon::test::read_settings(card, R"({"deck": {"words": "aces"}})", "s.json").rules() ==
        "2 play with aces.");
}

}  // namespace settings_data_test
