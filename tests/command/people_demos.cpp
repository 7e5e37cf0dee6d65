// The demos of scenarios/people: games that pass, sessions that come about, matches that are
// played, and what their page says of their length.
#include <algorithm>
#include <filesystem>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

namespace fs = std::filesystem;

const fs::path kDemos = fs::path(AGON_TEST_SOURCE) / "scenarios" / "people";

/// Nothing is played in it.
const std::string kSurvey = "survey.json";

std::vector<std::string> files_of(const std::string& extension) {
  std::vector<std::string> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(kDemos))
    if (entry.path().extension() == extension) found.push_back(entry.path().filename().string());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("the games of the demos keep the rules of games", "[people_demos]") {
  const Folder folder;
  for (const std::string& file : files_of(".py")) {
    INFO(file);
    check_has(folder.succeeds({"check", (kDemos / file).string()}).out, {"none failed"});
  }
}

TEST_CASE("everybody who comes to a demo can play all of it", "[people_demos]") {
  const Folder folder;
  const std::vector<std::string> suites = files_of(".json");
  CHECK(suites.size() >= 6);
  for (const std::string& file : suites) {
    if (file == kSurvey) continue;
    INFO(file);
    const std::string suite = (kDemos / file).string();
    const auto people = json_of(folder
                                    .succeeds({"plan", suite, "--trust", "--arrivals", "all",
                                               "--sessions", "5", "--json"})
                                    .out)
                            .at("people");
    CHECK(people.at("notes").as_array().empty());
    CHECK(people.at_pointer("/arrivals/play_all/least").to_number<int>() ==
          people.at("participants").to_number<int>());
    CHECK(people.at("participants").to_number<int>() >= 20);
    // One person too few for the last match, and one waits.
    const std::string fewer = std::to_string(people.at("participants").to_number<int>() - 1);
    const auto short_of_one =
        json_of(folder
                    .succeeds({"plan", suite, "--trust", "--arrivals", "all", "--sessions", "5",
                               "--participants", fewer, "--json"})
                    .out)
            .at("people");
    CHECK_FALSE(short_of_one.at("notes").as_array().empty());
  }
}

TEST_CASE("rule agents play the demos, and their replay is the same", "[people_demos]") {
  const Folder folder;
  for (const std::string& file : files_of(".json")) {
    if (file == kSurvey) continue;
    INFO(file);
    const std::string archive = file + ".agon";
    folder.succeeds({"run", (kDemos / file).string(), "--trust", "--agent", "person=random",
                     "--blocks", "2", "--out", archive});
    CHECK(finished(folder.at(archive)) == (file == "ultimatum.json" ? 4 : 2));
  }
}

TEST_CASE("a survey has no matches, and anything else has", "[people_demos]") {
  const Folder folder;
  const std::string survey = (kDemos / kSurvey).string();
  check_has(folder.succeeds({"plan", survey}).out, {"People: 100 take part"});
  folder.refuses({"run", survey, "--out", "t.agon"}, 2, {"nothing is played", "agon serve"});
  folder.write("s.json", R"({"suite": "s", "agents": {}, "scenarios": [],
    "people": {"participants": 2, "stages": [{"play": {}}]}})");
  folder.refuses({"plan", "s.json"}, 5, {"missing \"scenarios\""});
  folder.write("s.json",
               R"({"suite": "s", "agents": {}, "scenarios": [], "people": {"participants": 2}})");
  folder.refuses({"plan", "s.json"}, 5, {"missing \"scenarios\""});
}

TEST_CASE("the command lines on the page of the demos work", "[people_demos]") {
  const Folder folder;
  int lines_of_agon = 0;
  for (std::string line : lines(read_file(kDemos / "README.md"))) {
    if (!line.starts_with("    agon ") || contains(line, "agon serve")) continue;
    ++lines_of_agon;
    line = line.substr(0, line.find('#')).replace(0, 8, "$AGON");
    const std::size_t at = line.find("scenarios/people");
    REQUIRE(at != std::string::npos);
    line.replace(at, 16, kDemos.string());
    INFO(line);
    CHECK(shell(folder, line + " >out 2>err") == 0);
  }
  CHECK(lines_of_agon == 2);
}

TEST_CASE("the demos are as long as their page says", "[people_demos]") {
  const std::string page = read_file(kDemos / "README.md");
  for (const std::string& suite : files_of(".json")) {
    const std::string text = read_file(kDemos / suite);
    std::size_t characters = text.size();
    for (const char* const extension : {".py", ".md"})
      for (const std::string& file : files_of(extension))
        if (contains(text, "\"" + file + "\"") || contains(text, "\"./" + file + "\""))
          characters += read_file(kDemos / file).size();
    INFO(suite << " has " << characters);
    const auto all = lines(page);
    const auto row = std::find_if(all.begin(), all.end(), [&](const std::string& line) {
      return line.starts_with("| [" + suite + "]");
    });
    REQUIRE(row != all.end());
    CHECK(contains(*row, " " + std::to_string(characters) + " |"));
  }
}
