#include <cmath>
#include <string>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"

using namespace command_test;

// The cheapest proof of determinism there is: one digest over the records of a fixed set of matches
// of all games, the same with every compiler, build type and number of jobs.
TEST_CASE("the signature is the committed one, with one job and with eight") {
  const Ended one = command_test::agon({"bench", "--signature", "--jobs", "1"});
  CHECK(one.code == 0);
  CHECK(one.err.empty());
  CHECK(command_test::agon({"bench", "--signature", "--jobs", "8"}).out == one.out);
  same_as_snapshot("signature.txt", one.out);
}

TEST_CASE("two programs are measured in turn, and a program that measures nothing is named") {
  Folder folder;
  folder.write("one.json", R"({"suite": "one", "agents": {"random": "random"}, "scenarios": [
    {"game": "deal-or-no-deal", "preset": "openspiel",
     "design": {"fixed": [["random", "random"]]}}]})");
  const Ended same =
      folder.succeeds({"bench", "one.json", "--against", command_path(), "--milliseconds", "50",
                       "--recorded", "50", "--rounds", "3", "--json"});
  const boost::json::value said = json_of(same.out);
  const boost::json::array& rows = said.at("against").as_array();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].at("measured").as_string() == "matches_per_second");
  CHECK(rows[1].at("measured").as_string() == "recorded_per_second_one_job");
  for (const boost::json::value& row : rows) {
    const boost::json::array& rounds = row.at("rounds").as_array();
    REQUIRE(rounds.size() == 3);
    double product = 1;
    for (const boost::json::value& round : rounds) {
      CHECK(round.as_double() >= row.at("lowest").as_double());
      CHECK(round.as_double() <= row.at("highest").as_double());
      product *= round.as_double();
    }
    CHECK(row.at("ratio").as_double() == Approx(std::cbrt(product)));
  }

  folder.refuses({"bench", "one.json", "--against", "/nowhere/agon"}, 2, {"/nowhere/agon"});
  folder.refuses({"bench", "one.json", "--against", "/bin/true", "--rounds", "2"}, 1,
                 {"`/bin/true bench` printed no speeds"});
  for (const char* lie : {"{\"scenarios\":[{}]}",
                          "{\"scenarios\":[{\"scenario\":\"x\","
                          "\"matches_per_second\":null}]}"}) {
    folder.write_program("liar", std::string("#!/bin/sh\necho '") + lie + "'\n");
    const Ended liar = folder.refuses({"bench", "one.json", "--against", "liar", "--rounds", "2",
                                       "--milliseconds", "50", "--recorded", "1"},
                                      1, {"printed no speeds"});
    CHECK_FALSE(contains(liar.err, "internal error"));
  }
  // Other scenarios than this program's.
  folder.write_program(
      "other",
      "#!/bin/sh\necho '{\"scenarios\":[{\"scenario\":\"x\",\"matches_per_second\":1,"
      "\"recorded_per_second_one_job\":1}]}'\n");
  folder.refuses({"bench", "one.json", "--against", "other", "--rounds", "2", "--milliseconds",
                  "50", "--recorded", "1"},
                 1, {"did not measure"});
  CHECK(folder.agon({"bench", "one.json", "--rounds", "2"}).code == 2);
}
