// What a plan says of the people who take part, and sessions that nobody plays.
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// Two scenarios of a game of buyer and seller, the first with two treatments.
std::string suite_of(const std::string& people) {
  return R"({"suite": "haggling", "seed": 3, "agents": {"person": "human"},
    "design": {"fixed": [["person", "person"]], "seat_rotation": "as-listed", "blocks": 12},
    "scenarios": [{"name": "one", "game": "bargaining", "treatments": {"max_turns": [2, 4]}},
                  {"name": "two", "game": "bargaining"}],
    "people": )" +
         people + "}";
}

const char* const kDesigned =
    R"({"participants": 12, "stages": [{"play": {"treatments": "group", "matching": "strangers"}}]})";

double number(const boost::json::value& v, std::string_view pointer) {
  return v.at_pointer(pointer).to_number<double>();
}

}  // namespace

TEST_CASE("a plan covers people", "[plan_people]") {
  const Folder folder;
  folder.write("s.json", suite_of(kDesigned));
  const Ended plan = folder.succeeds({"plan", "s.json"});
  check_has(plan.out, {"People: 12 take part, 4 are needed", "as-listed", "group", "strangers",
                       "If all come at once", R"({"max_turns":2})"});
  const auto json = json_of(folder.succeeds({"plan", "s.json", "--json"}).out).at("people");
  CHECK(json.at("participants") == 12);
  CHECK(json.at("needed") == 4);
  CHECK(json.as_object().if_contains("arrivals") == nullptr);
  CHECK(number(json, "/cells/0/matches/median") == 3);
  CHECK(number(json, "/cells/1/people/median") == 6);
  CHECK(number(json, "/cells/2/matches/median") == 6);
  CHECK(json.at("notes").as_array().empty());
  // Thirteen are no pairs.
  check_has(folder.succeeds({"plan", "s.json", "--participants", "13"}).err,
            {"although all 13 are there at the start, 1 person cannot play all"});
  // Without a word on people there is nothing of them.
  folder.write("none.json", R"({"suite": "s", "seed": 1, "agents": {"a": "time-dependent"},
    "design": {"fixed": [["a", "a"]]}, "scenarios": [{"game": "bargaining"}]})");
  check_lacks(folder.succeeds({"plan", "none.json"}).out, {"People"});
  folder.refuses({"plan", "none.json", "--arrivals", "all"}, 2, {"--arrivals", "people"});
}

TEST_CASE("arrivals are simulated, without a clock", "[plan_people]") {
  const Folder folder;
  folder.write("s.json", suite_of(kDesigned));
  const Words call{"plan", "s.json", "--arrivals", "poisson:2/min", "--sessions", "40"};
  const std::string shown = folder.succeeds(call).out;
  check_has(shown, {"40 sessions simulated, arrivals poisson:2/min, 20 s an answer",
                    "wait for a match", "who wait in vain", "90%"});
  const auto told = [&](const Words& more) {
    return json_of(folder.succeeds(joined(joined(call, {"--json"}), more)).out)
        .at("people")
        .at("arrivals");
  };
  const auto once = told({});
  CHECK(once == told({}));
  CHECK(once.at("sessions") == 40);
  CHECK(number(once, "/wait_seconds/ninety_percent") > 0);
  CHECK(number(once, "/wait_seconds/most") >= number(once, "/wait_seconds/ninety_percent"));
  CHECK(number(once, "/session_seconds/median") > 300);  // twelve people, two a minute
  CHECK(number(once, "/play_all/most") == 12);
  // Who answers slowly makes the session longer; who comes at once waits less.
  CHECK(number(told({"--answer-time", "2min"}), "/session_seconds/median") >
        number(once, "/session_seconds/median"));
  const auto at_once =
      json_of(folder.succeeds({"plan", "s.json", "--arrivals", "all", "--json"}).out)
          .at("people")
          .at("arrivals");
  CHECK(at_once.at("sessions") == 200);
  CHECK(number(at_once, "/session_seconds/median") < number(once, "/session_seconds/median"));
  CHECK(number(at_once, "/cells/0/matches/least") == 3);
  CHECK(number(at_once, "/cells/0/matches/most") == 3);
  CHECK(at_once.at("drop_outs") == 0.0);
  CHECK(number(told({"--drop-outs", "1"}), "/leave/most") == 12);
  CHECK(number(told({"--drop-outs", "1"}), "/play_all/most") == 0);
  check_has(folder.succeeds(joined(call, {"--drop-outs", "0.1"})).out, {"10% leave", "who leave:"});
  folder.refuses({"plan", "s.json", "--arrivals", "all", "--drop-outs", "10%"}, 2,
                 {"--drop-outs", "between 0 and 1"});
  folder.refuses({"plan", "s.json", "--page-time", "1min"}, 2, {"--page-time", "--arrivals"});
  // One after the other: nobody comes in time for anybody.
  std::string waiting = kDesigned;
  waiting.insert(1, R"("waiting": {"seconds": 60}, )");
  folder.write("s.json", suite_of(waiting));
  const auto alone =
      json_of(folder.succeeds({"plan", "s.json", "--arrivals", "every:1h", "--json"}).out)
          .at("people")
          .at("arrivals");
  CHECK(number(alone, "/wait_in_vain/least") == 12);
  CHECK(number(alone, "/wait_seconds/most") == Approx(60));
}

TEST_CASE("a plan has the time of what comes after matches, and says where strangers end",
          "[plan_people]") {
  const Folder folder;
  const auto length = [&](const std::string& people) {
    folder.write("s.json", suite_of(people));
    return number(json_of(folder
                              .succeeds({"plan", "s.json", "--arrivals", "all", "--page-time",
                                         "10min", "--json"})
                              .out),
                  "/people/arrivals/session_seconds/least");
  };
  const std::string play = R"({"play": {}})";
  const std::string after =
      R"({"name": "after", "questionnaire": [{"name": "why", "ask": "Why?", "kind": "text"}]})";
  const double none = length(R"({"participants": 4, "stages": [)" + play + "]}");
  const double one = length(R"({"participants": 4, "stages": [)" + play + ", " + after + "]}");
  const double paid = length(R"({"participants": 4, "payment": {"per_point": 1}, "stages": [)" +
                             play + ", " + after + "]}");
  CHECK(one > none + 300);  // a page takes half its time at least
  CHECK(paid > one + 60);
  // Five meet three others each: 15 are no pairs.
  folder.write("s.json", suite_of(R"({"participants": 5, "stages": [
      {"play": {"scenarios": ["two"], "matches": 3, "matching": "perfect-strangers"}}]})"));
  check_has(folder.succeeds({"plan", "s.json"}).err,
            {"1 person cannot play all their matches: no further group of people who have not met "
             "is possible"});
  check_lacks(folder.succeeds({"plan", "s.json", "--participants", "6"}).err, {"no further group"});
  // Here matches are lacking.
  const std::string few = folder.succeeds({"plan", "s.json", "--participants", "9"}).err;
  check_has(few, {"cannot play all their matches"});
  check_lacks(few, {"no further group"});
}

TEST_CASE("a plan refuses what cannot come about, and arrivals that mean nothing",
          "[plan_people]") {
  const Folder folder;
  folder.write("s.json", suite_of(kDesigned));
  for (const char* const bad : {"poisson", "poisson:2", "poisson:0/min", "every:", "every:-3s",
                                "uniform:2/min", "all:3", "poisson:2/week"})
    folder.refuses({"plan", "s.json", "--arrivals", bad}, 2, {"--arrivals"});
  folder.refuses({"plan", "s.json", "--answer-time", "5s"}, 2, {"--arrivals"});
  folder.refuses({"plan", "s.json", "--participants", "2"}, 5,
                 {"$.people.stages[0].play.treatments", "make 1 group of 2", "raise"});
  folder.write(
      "s.json",
      suite_of(
          R"({"participants": 4, "stages": [{"play": {"groups": [["1", "2"], ["3", "5"]]}}]})"));
  folder.refuses({"plan", "s.json"}, 5, {"play.groups[1]", "nobody who takes part is '5'"});
}
