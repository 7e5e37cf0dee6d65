#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

TEST_CASE("bargaining tables: normalised profits add up to the deals", "[papers]") {
  const Folder folder;
  // Low budgets bring conflict, and players at random close deals there too.
  folder.write("s.json",
               suite(R"({"game": "bargaining", "treatments": {"factor": [0.3, 0.6, 0.8]}})",
                     R"("design": {"fixed": [["floor", "floor"], ["floor", "reference"]],
                                             "seat_rotation": "as-listed", "blocks": 60},)"));
  folder.succeeds({"run", "s.json", "--out", "a.agon", "--quiet"});
  const auto table = paper_table(folder, "a.agon", "bargaining/experiment-d");
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

  // Every session is in one part of either side's distribution, and the mean is the sum over them.
  const auto figure = paper_table(folder, "a.agon", "bargaining/figure-5");
  REQUIRE(figure.columns == table.columns);
  for (std::size_t c = 0; c < 6; ++c)
    for (const std::string side : {"buyer", "seller"}) {
      double sessions = 0;
      std::size_t parts = 0;
      for (const auto& row : figure.rows) {
        if (!row.label.starts_with("sessions by the " + side + "'s")) continue;
        sessions += row.cells[c].at("value").to_number<double>();
        ++parts;
      }
      CHECK(parts == 16);
      CHECK(sessions == 60);
      const auto& mean = figure.row(side + "'s mean, all sessions")[c];
      CHECK(mean.at("out_of").to_number<double>() == 60);
      CHECK(mean.at("value").to_number<double>() * 60 ==
            Approx(number(side + ": SNP, sum of normalised profits: all", c)).margin(1e-6));
      for (const std::string kind : {"mutual interest", "conflict"}) {
        const auto& beats = figure.row("buyers who beat the seller, " + kind)[c];
        const std::string rate = "deal rate, of valid sessions: " + kind;
        const double deals = number(rate, c) * number(rate, c, "out_of");
        if (deals == 0)
          CHECK(beats.at("value").is_null());
        else
          CHECK(beats.at("out_of").to_number<double>() == Approx(deals));
      }
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
  folder.succeeds({"run", "s.json", "--out", "a.agon", "--quiet"});
  const auto of = [&](const std::string& id) {
    return paper_table(folder, "a.agon", "bargaining/" + id);
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
  // C over L is 0.25, 0.75 and 0.5; prices are 10, 20 and 60, costs 2.50, 15 and 30.
  const auto shares = of("figure-4-shares");
  CHECK(shares.row("0.2 to 0.3")[0].at("value") == 1.0);
  CHECK(shares.row("0.2 to 0.3")[0].at("published") == 107.0);
  CHECK(shares.row("0.5 to 0.6")[0].at("value") == 1.0);
  CHECK(shares.row("0.7 to 0.8")[0].at("value") == 1.0);
  CHECK(shares.row("0.3 to 0.4")[0].at("value") == 0.0);
  const auto classes = of("figure-2-prices");
  REQUIRE(classes.columns == std::vector<std::string>{"list price", "cost"});
  CHECK(classes.row("under $10")[0].at("value") == 0.0);
  CHECK(classes.row("under $10")[1].at("value") == 1.0);
  CHECK(classes.row("$10 to under $20")[0].at("value") == 1.0);  // a class holds its lower end
  CHECK(classes.row("$10 to under $20")[1].at("value") == 1.0);
  CHECK(classes.row("$20 to under $50")[0].at("value") == 1.0);
  CHECK(classes.row("$20 to under $50")[0].at("published") == 176.0);
  CHECK(classes.row("$50 to under $100")[0].at("value") == 1.0);
  CHECK(classes.row("$2000 and more")[1].at("value") == 0.0);
}
