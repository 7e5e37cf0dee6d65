#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

TEST_CASE("bargaining tables: normalised profits add up to the deals", "[papers]") {
  const Folder folder;
  // Low budgets bring conflict, and players at random close deals there too.
  folder.write("s.json",
               suite(R"({"game": "bargaining", "treatments": {"factor": [0.3, 0.6, 0.8]}})",
                     R"("design": {"fixed": [["floor", "floor"], ["floor", "reference"]],
                                             "seat_rotation": "as-listed", "blocks": 60},)"));
  const Ended played = folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  const Ended made =
      folder.agon({"report", "a.agon", "--paper-table", "bargaining/experiment-d", "--json"});
  REQUIRE(made.code == 0);
  const auto table = agon::test::paper_figures(json_of(made.out));
  REQUIRE(table.columns.size() == 2 * 3);
  const auto number = [&](const std::string& row, std::size_t column, const char* what = "value") {
    const auto& v = table.row(row).at(column).at(what);
    return v.is_null() ? 0 : v.to_number<double>();
  };
  double mutual = 0, conflict = 0;
  for (std::size_t c = 0; c < 6; ++c) {
    const std::string rates = "deal rate, of valid sessions";
    const double in_mutual =
        number(rates + ": mutual interest", c) * number(rates + ": mutual interest", c, "out_of");
    const double in_conflict =
        number(rates + ": conflict", c) * number(rates + ": conflict", c, "out_of");
    const auto snp = [&](const std::string& interest) {
      return number("buyer: SNP, sum of normalised profits: " + interest, c) +
             number("seller: SNP, sum of normalised profits: " + interest, c);
    };
    CHECK(snp("mutual interest") == Approx(in_mutual).margin(1e-6));
    CHECK(snp("conflict") == Approx(-in_conflict).margin(1e-6));
    CHECK(snp("all") == Approx(in_mutual - in_conflict).margin(1e-6));
    CHECK(number("deal rate, of all sessions", c, "out_of") == 60);
    CHECK(number("deal rate, of all sessions", c) * 60 == Approx(in_mutual + in_conflict));
    mutual += in_mutual;
    conflict += in_conflict;
  }
  CHECK(mutual > 0);
  CHECK(conflict > 0);

  // Every deal is in one part of the distribution, and the buyers' mean is their share.
  const Ended spread =
      folder.agon({"report", "a.agon", "--paper-table", "bargaining/figure-5", "--json"});
  REQUIRE(spread.code == 0);
  const auto figure = agon::test::paper_figures(json_of(spread.out));
  REQUIRE(figure.columns == table.columns);
  for (std::size_t c = 0; c < 6; ++c)
    for (const std::string kind : {"mutual interest", "conflict"}) {
      double deals = 0, ahead = 0, behind = 0;
      const std::string half = kind == "conflict" ? "half line at -0.5" : "half line at 0.5";
      const double line = kind == "conflict" ? -0.5 : 0.5;
      std::size_t part = 0;
      for (const auto& row : figure.rows) {
        if (row.label.find(half) == std::string::npos) continue;
        const double here = row.cells[c].at("value").to_number<double>();
        const double low = -2 + 0.25 * static_cast<double>(part++);
        deals += here;
        (low >= line ? ahead : behind) += here;
      }
      CHECK(part == 16);
      const auto& beats = figure.row("buyers who beat the seller, " + kind)[c];
      const auto& mean = figure.row("buyer's mean, " + kind)[c];
      if (deals == 0) {
        CHECK(beats.at("value").is_null());
        continue;
      }
      CHECK(beats.at("out_of").to_number<double>() == deals);
      // Who gets exactly half is in the part above the line, and beats nobody.
      CHECK(beats.at("value").to_number<double>() * deals <= ahead + 1e-6);
      CHECK(mean.at("value").to_number<double>() ==
            Approx(number("buyer: share, normalised profit a deal: " + kind, c)));
    }
}

TEST_CASE("bargaining figures 2 and 4 are about the products", "[papers]") {
  const Folder folder;
  const auto product = [](const std::string& name, const std::string& category, int list,
                          int cost) {
    return R"({"codename": ")" + name + R"(", "category": ")" + category +
           R"(", "title": "a thing", "list_price_cents": )" + std::to_string(list) +
           R"(, "cost_cents": )" + std::to_string(cost) + "}";
  };
  folder.write("s.json", suite(R"({"game": "bargaining", "set": {"products": [)" +
                                   product("books_1", "books", 1000, 250) + "," +
                                   product("books_2", "books", 2000, 1500) + "," +
                                   product("tea_1", "tea", 6000, 3000) + R"(]}})",
                               R"("design": {"fixed": [["floor", "reference"]], "blocks": 2},)"));
  const Ended played = folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  const auto of = [&](const std::string& id) {
    const Ended made =
        folder.agon({"report", "a.agon", "--paper-table", "bargaining/" + id, "--json"});
    INFO(made.err);
    REQUIRE(made.code == 0);
    return agon::test::paper_figures(json_of(made.out));
  };
  const auto categories = of("figure-2");
  CHECK(categories.row("books")[0].at("value") == 2.0);
  CHECK(categories.row("books")[0].at("published") == 13.0);
  CHECK(categories.row("tea")[0].at("value") == 1.0);
  CHECK(categories.row("tea")[0].at("published").is_null());
  CHECK(categories.row("all")[0].at("value") == 3.0);
  CHECK(categories.row("all")[0].at("published") == 930.0);
  const auto prices = of("figure-4");
  CHECK(prices.row("list price L, dollars")[4].at("value") == 60.0);
  CHECK(prices.row("cost C, dollars")[0].at("value") == 2.5);
  CHECK(prices.row("C over L")[5].at("value").as_double() == Approx(0.5));
  CHECK(prices.row("C over L")[5].at("published") == 0.510798);
  CHECK(prices.row("products by C over L: 0.2 to 0.3")[0].at("value") == 1.0);
}
