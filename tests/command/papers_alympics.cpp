#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/folders.hpp"

using namespace command_test;

namespace {

agon::test::PaperFigures made(const Folder& folder, const std::string& id) {
  return paper_table(folder, "a.agon", id);
}

double number(const boost::json::value& v) {
  return v.is_null() ? -1 : v.to_number<double>();
}

}  // namespace

TEST_CASE("Alympics table 2: averages are those of the games, published ones add up", "[papers]") {
  const Folder folder;
  const std::string suite =
      std::string(AGON_TEST_SOURCE) + "/scenarios/papers/alympics/table-2.json";
  folder.succeeds({"run", suite, "--out", "a.agon", "--agent", "survivor", "--quiet"});
  const auto table = made(folder, "alympics/table-2");
  const auto& rows = table.rows;
  // Six settings: RSR at the start, five residents, survivors, RSR at the end.
  REQUIRE(rows.size() == 6 * 8);
  for (std::size_t s = 0; s < 6; ++s) {
    const auto cell = [&](std::size_t row, std::size_t column) -> const boost::json::value& {
      return rows[8 * s + row - 1].cells.at(column);
    };
    const double start[] = {0.3, 0.4, 0.5};
    CHECK(number(cell(1, 10).at("value")) == start[s % 3]);
    double all = 0;
    for (std::size_t game = 0; game < 10; ++game) {
      double alive = 0, printed = 0;
      for (std::size_t p = 0; p < 5; ++p) {
        alive += number(cell(2 + p, game).at("value"));
        printed += number(cell(2 + p, game).at("published"));
      }
      CHECK(alive == number(cell(7, game).at("value")));
      CHECK(printed == number(cell(7, game).at("published")));
      all += alive;
    }
    CHECK(number(cell(7, 10).at("value")) == Approx(all / 10));
    for (std::size_t p = 0; p < 5; ++p) {
      double lives = 0, printed = 0;
      for (std::size_t game = 0; game < 10; ++game) {
        lives += number(cell(2 + p, game).at("value"));
        printed += number(cell(2 + p, game).at("published"));
      }
      CHECK(number(cell(2 + p, 10).at("value")) == Approx(lives / 10));
      CHECK(number(cell(2 + p, 10).at("out_of")) == 10);
      // The one misprint: setting 1 ticks Bob in game 10 where it means Alex.
      const double misprint = s != 0 ? 0 : p == 0 ? 0.1 : p == 1 ? -0.1 : 0;
      CHECK(number(cell(2 + p, 10).at("published")) == Approx(printed / 10 + misprint));
    }
    double rsr = 0;
    for (std::size_t game = 0; game < 10; ++game) rsr += number(cell(8, game).at("published"));
    CHECK(number(cell(8, 10).at("published")) == Approx(rsr / 10).margin(0.006));
  }

  const auto prices = made(folder, "alympics/lowest-winning-bids");
  for (const auto& [label, cells] : prices.rows) {
    REQUIRE(cells.size() == 7);
    for (std::size_t c = 2; c < 6; ++c)  // the last one is the mean
      CHECK(number(cells[c].at("value")) >= number(cells[c - 1].at("value")));
  }
  CHECK(made(folder, "alympics/median-bids").rows.size() == 6);
}

TEST_CASE("Alympics figures 7 to 9: bids and health and money by day, with the supply ratio",
          "[papers]") {
  const Folder folder;
  const std::string suite =
      std::string(AGON_TEST_SOURCE) + "/scenarios/papers/alympics/setting-1.json";
  folder.succeeds({"run", suite, "--out", "a.agon", "--agent", "survivor", "--quiet"});
  for (const std::string id : {"figure-7", "figure-8", "figure-9"}) {
    const auto table = made(folder, "alympics/" + id);
    // The means, then the first game.
    REQUIRE(table.rows.size() == 10);
    REQUIRE(table.columns.size() == 20);
    const Ended json =
        folder.agon({"report", "a.agon", "--paper-table", "alympics/" + id, "--json"});
    CHECK(json_of(json.out).at("sections").at(0).at("series").as_array().size() == 10);
    // Everybody is there on the first day, and fewer as time goes on.
    for (std::size_t r = 0; r < 5; ++r) {
      const auto& row = table.rows[r];
      if (id != "figure-7") CHECK(number(row.cells[0].at("out_of")) == 10);
      CHECK(number(row.cells[19].at("out_of")) <= number(row.cells[0].at("out_of")));
    }
  }
  // One day without water costs one point, one with water gives two.
  const auto health = made(folder, "alympics/figure-8");
  for (const auto& row : health.rows) {
    CHECK(number(row.cells[0].at("value")) >= 7);
    CHECK(number(row.cells[0].at("value")) <= 10);
  }
  const auto ratio = made(folder, "alympics/supply-ratio");
  REQUIRE(ratio.rows.size() == 4);
  // The first game is one of those behind the means, and has no interval.
  CHECK(contains(health.rows[5].label, "first game of setting 1"));
  CHECK(health.rows[5].cells[0].at("out_of").is_null());
  CHECK(number(ratio.rows[0].cells[0].at("value")) == Approx(0.3));

  const auto judged = made(folder, "alympics/table-3");
  REQUIRE(judged.rows.size() == 6);
  CHECK(judged.row("long-term planning")[0].at("published") == 3.88);
  CHECK(number(judged.row("long-term planning")[4].at("value")) == 50);
  CHECK(number(judged.row("identity alignment")[4].at("value")) == 0);

  folder.refuses({"report", "a.agon", "--paper-table", "alympics/persona"}, 1, {"pairs of games"});
}

TEST_CASE("Alympics: the satisfaction ratio by day is that of expected supply", "[papers]") {
  const Folder folder;
  // Who never bids is dead on the evening of day 4; Eric, who needs 12, lives on alone.
  folder.write("s.json", suite(R"({"game": "water-allocation", "preset": "paper",
                                   "set": {"supply": [10, 20]}})",
                               R"("design": {"fixed": [["floor", "floor", "floor", "floor",
                               "reference"]], "seat_rotation": "as-listed", "blocks": 4},)"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"}).code == 0);
  const auto table = made(folder, "alympics/supply-ratio");
  const std::string setting = "setting 1 (low supply, no persona), floor + reference: ";
  const auto& rsr = table.row(setting + "RSR");
  for (std::size_t day = 0; day < 4; ++day)
    CHECK(number(rsr[day].at("value")) == Approx(15.0 / 50));
  for (std::size_t day = 4; day < 20; ++day) {
    CHECK(number(rsr[day].at("value")) == Approx(15.0 / 12));
    CHECK(number(rsr[day].at("out_of")) == 4);
  }
  // What was drawn goes up and down, and is another row.
  const auto& drawn = table.row(setting + "drawn supply");
  CHECK(number(drawn[0].at("value")) != Approx(15.0 / 50).margin(1e-9));
  for (std::size_t day = 4; day < 20; ++day) {
    CHECK(number(drawn[day].at("value")) >= 10.0 / 12);
    CHECK(number(drawn[day].at("value")) <= 20.0 / 12);
  }

  const auto data = agon::test::published_data_folder() / "published-runs/alympics-water";
  if (!std::filesystem::exists(data)) return;
  REQUIRE(folder.agon({"import", "alympics-water", data.string(), "--out", "a.agon"}).code == 0);
  const auto runs = paper_table(folder, "a.agon", "alympics/supply-ratio", {"--all-suites"});
  const char* const supplies[] = {"low", "medium", "high"};
  for (int n = 0; n < 3; ++n)
    CHECK(number(runs.row("setting " + std::to_string(n + 1) + " (" + supplies[n] +
                          " supply, no persona), published: gpt-4-32k: RSR")[0]
                     .at("value")) == Approx(0.3 + 0.1 * n));
}

TEST_CASE("Alympics figure 10: the games of people, person by person", "[papers]") {
  const Folder folder;
  const auto play = [&](const std::string& who, int blocks, const std::string& lines) {
    folder.write(who + ".json",
                 R"({"suite": ")" + who +
                     R"(", "seed": 2, "agents": {"person": "human:pseudonym=)" + who +
                     R"(", "floor": "default"}, "design": {"fixed": [["person", "floor",
                     "floor", "floor", "floor"]], "seat_rotation": "as-listed", "blocks": )" +
                     std::to_string(blocks) + R"(}, "scenarios": [{"game": "water-allocation",
                     "preset": "paper", "set": {"supply": [10, 20]}}]})");
    folder.succeeds({"run", who + ".json", "--out", "a.agon", "--quiet"}, {.in = lines});
  };
  const auto bids = [](int days, const std::string& bid) {
    std::string all;
    for (int day = 0; day < days; ++day) all += "{\"bid\": " + bid + "}\n";
    return all;
  };
  // Alex needs 8 of 10 and more: who bids drinks, and who does not is dead on day 4.
  play("anna", 2, bids(20, "10") + bids(20, "50"));
  play("bo", 1, bids(4, "null"));
  const auto table = paper_table(folder, "a.agon", "alympics/figure-10", {"--all-suites"});
  const std::string setting = "setting 1 (low supply, no persona), floor + person: ";
  const auto figures = [&](const std::string& row) {
    std::vector<double> all;
    for (const auto& cell : table.row(setting + row)) all.push_back(number(cell.at("value")));
    return all;
  };
  // Games, alive, days lived, survivors, RSR at the end, mean bid, highest bid, not answered.
  CHECK(figures("anna (Alex)") == std::vector<double>{2, 1, 20, 1, 15.0 / 8, 30, 50, 0});
  CHECK(figures("bo (Alex)") == std::vector<double>{1, 0, 3, 0, -1, -1, 0, 0});
  // Bids by day: a mean over the games of a person.
  const auto bids_by_day =
      paper_table(folder, "a.agon", "alympics/figure-10-bids", {"--all-suites"});
  CHECK(bids_by_day.columns.size() == 20);
  for (std::size_t day = 0; day < 20; ++day)
    CHECK(number(bids_by_day.row(setting + "anna")[day].at("value")) == 30);
  // Without people there are no such games.
  folder.write("t.json", suite(R"({"game": "water-allocation", "preset": "paper"})",
                               R"("design": {"fixed": [["floor", "floor", "floor", "floor",
                               "reference"]]},)"));
  REQUIRE(folder.agon({"run", "t.json", "--out", "b.agon", "--quiet"}).code == 0);
  folder.refuses({"report", "b.agon", "--paper-table", "alympics/figure-10"}, 1,
                 {"in which a person sat"});
}

TEST_CASE("Alympics figures 5 and 10: judges play the six settings and rate their own play",
          "[papers]") {
  const Folder folder;
  const std::string suite =
      std::string(AGON_TEST_SOURCE) + "/scenarios/papers/alympics/figure-10.json";
  folder.succeeds({"run", suite, "--out", "a.agon", "--agent", "survivor", "--quiet"});
  // Bids of those in the judges' seats, under each setting.
  const auto bids = made(folder, "alympics/figure-10-bids");
  CHECK(bids.rows.size() == 6);
  CHECK(bids.columns.size() == 20);
  for (const auto& row : bids.rows) CHECK(number(row.cells.at(0).at("value")) > 0);
  // What agents say of their own play counts nowhere.
  CHECK(number(made(folder, "alympics/table-3").row("information utilisation")[2].at("out_of")) ==
        0);
  folder.refuses({"report", "a.agon", "--paper-table", "alympics/figure-5"}, 1,
                 {"in which people rate their own play"});

  // People at the terminal: anna twice, of which the first counts.
  const auto rate = [&](const std::string& who, int blocks, const std::string& lines) {
    folder.write(who + ".json", R"({"suite": ")" + who + R"(", "agents": {"self":
                                    "human:pseudonym=)" +
                                    who + R"("}, "design": {"fixed":
                                    [["self"]], "blocks": )" +
                                    std::to_string(blocks) +
                                    R"(}, "scenarios": [{"game": "play-rating"}]})");
    // One at a time: else either match may be the first.
    folder.succeeds({"run", who + ".json", "--out", "b.agon", "--quiet", "--jobs", "1"},
                    {.in = lines});
  };
  const auto ratings = [](const std::string& first) {
    return R"({"IU": )" + first + R"(, "LR": 3, "SE": null, "AD": 2, "LP": 1, "IA": null})" + "\n";
  };
  rate("anna", 2, ratings("5") + ratings("1"));
  rate("bo", 1, ratings("2"));
  const auto all = [&](const std::string& id) {
    return paper_table(folder, "b.agon", id, {"--all-suites"});
  };
  const auto box = all("alympics/figure-5");
  REQUIRE(box.columns.size() == 6);
  const auto& own = box.row("information utilisation: own play");
  const double expected[] = {2, 2.75, 3.5, 4.25, 5, 3.5};
  for (std::size_t c = 0; c < 6; ++c) {
    CHECK(number(own[c].at("value")) == Approx(expected[c]));
    CHECK(number(own[c].at("out_of")) == 2);
  }
  CHECK(number(own[5].at("published")) == 3.6);
  CHECK(box.row("strategic effectiveness: own play")[0].at("value").is_null());
  const auto& agents = box.row("identity alignment: agents");
  CHECK(agents[0].at("value").is_null());
  CHECK(number(agents[2].at("published")) == 4);
  CHECK(number(agents[3].at("published")) == 5);
  // The same mean stands in table 3, beside that of the paper.
  CHECK(number(all("alympics/table-3").row("information utilisation")[2].at("value")) == 3.5);
}

TEST_CASE("Alympics: what the paper does not print is not called published", "[papers]") {
  const Folder folder;
  const std::string suite =
      std::string(AGON_TEST_SOURCE) + "/scenarios/papers/alympics/setting-1.json";
  folder.succeeds({"run", suite, "--out", "a.agon", "--agent", "survivor", "--quiet"});
  const auto rates = made(folder, "alympics/survival-rates");
  REQUIRE(rates.rows.size() == 1);
  CHECK(number(rates.rows[0].cells[2].at("published")) == 0.5);
  CHECK(rates.rows[0].cells[5].at("published").is_null());
  const auto table = made(folder, "alympics/table-2");
  CHECK(table.rows[6].cells[10].at("published").is_null());
  CHECK(number(table.rows[7].cells[10].at("published")) == 0.83);
}

TEST_CASE("Alympics: what personas change is paired on supply", "[papers]") {
  const Folder folder;
  const std::string suite =
      std::string(AGON_TEST_SOURCE) + "/scenarios/papers/alympics/persona.json";
  folder.succeeds({"run", suite, "--out", "a.agon", "--agent", "survivor", "--quiet"});
  // A rule has no personality: under the same supply it does the same, game by game.
  const auto table = made(folder, "alympics/persona");
  REQUIRE(table.columns.size() == 9);
  for (const std::string row :
       {"survivors", "survival of David", "mean lowest winning bid, dollars"})
    for (std::size_t c = 0; c < 9; c += 3) {
      const auto& cells = table.row(row);
      CHECK(number(cells[c].at("out_of")) == 10);
      CHECK(number(cells[c].at("value")) == number(cells[c + 1].at("value")));
      CHECK(cells[c + 2].at("value").to_number<double>() == 0);
    }
}

TEST_CASE("Alympics tables leave other settings of the game out", "[papers]") {
  const Folder folder;
  folder.write("s.json", suite(R"({"game": "water-allocation", "set": {"days": 5}})",
                               R"("design": {"fixed": [["floor", "floor", "floor", "floor",
                               "reference"]]},)"));
  REQUIRE(folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"}).code == 0);
  folder.refuses({"report", "a.agon", "--paper-table", "alympics/table-2"}, 1,
                 {"the archive has no matches under one of the paper's settings"});
  folder.write("t.json", suite(R"({"game": "water-allocation"})",
                               R"("design": {"fixed": [["floor", "floor", "floor", "floor",
                               "reference"]]},)"));
  REQUIRE(folder.agon({"run", "t.json", "--out", "a.agon", "--quiet"}).code == 0);
  const auto mixed = made(folder, "alympics/survival-rates");
  REQUIRE(mixed.rows.size() == 1);
  CHECK(mixed.rows[0].label == "setting 1 (low supply, no persona), floor + reference");
  CHECK(mixed.rows[0].cells[0].at("published").is_null());
}
