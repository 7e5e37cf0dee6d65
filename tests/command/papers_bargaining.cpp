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
                                             "seats": "as-listed", "blocks": 60},)"));
  const Ended played = folder.agon({"run", "s.json", "--out", "a.agon", "--quiet"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  const Ended made =
      folder.agon({"report", "a.agon", "--table", "bargaining/experiment-d", "--json"});
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
}
