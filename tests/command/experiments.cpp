// The experiments of docs/experiments, with strategies in the places of models: the numbers that
// their pages print.

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

const std::string kExperiments = std::string(AGON_TEST_SOURCE) + "/scenarios/experiments/";

}  // namespace

TEST_CASE("an experiment: firms that meet again hold on to low quantities if both reciprocate") {
  const Folder folder;
  const Ended played =
      folder.agon({"run", kExperiments + "repeated-duopoly.json", "--agent", "plain=nash",
                   "--agent", "workflow=tit-for-tat", "--out", "d.agon", "--quiet"});
  INFO(played.err);
  REQUIRE(played.code == 0);
  const Ended meta = folder.agon({"report", "d.agon", "--meta", "workflow"});
  CHECK(contains(meta.out, "own: not  0.400, 0.400 *  0.667, 0.333"));
  CHECK(contains(meta.out, "own: use  0.393, 0.427    0.467, 0.467 *"));
  CHECK(contains(meta.out, "own: not  0.400, 0.400 *  0.444, 0.389"));

  const Ended json =
      folder.agon({"report", "d.agon", "--table", "experiments/cooperation-by-period", "--json"});
  REQUIRE(json.code == 0);
  const auto table = agon::test::paper_figures(json_of(json.out));
  const auto shares = [&](const std::string& row) {
    std::vector<double> all;
    for (const auto& cell : table.row(row))
      if (!cell.at("value").is_null()) all.push_back(cell.at("value").to_number<double>());
    return all;
  };
  CHECK(shares("ten periods: grim with plain") ==
        std::vector<double>{1, 0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(shares("ten periods: workflow with grim") == std::vector<double>(10, 1));
  CHECK(shares("a tenth ends it: workflow with workflow").size() > 10);

  // What is not recorded cannot be told.
  REQUIRE(folder
              .agon({"run", kExperiments + "repeated-duopoly.json", "--agent", "nash", "--keep",
                     "results", "--out", "e.agon", "--quiet"})
              .code == 0);
  const Ended lacks =
      folder.agon({"report", "e.agon", "--table", "experiments/cooperation-by-period"});
  CHECK(lacks.code != 0);
  CHECK(contains(lacks.err, "--keep results"));
}
