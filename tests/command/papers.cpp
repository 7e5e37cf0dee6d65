#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <filesystem>
#include <memory>

#include "catch.hpp"
#include "command/folder.hpp"
#include "support/report_figures.hpp"

// Every scenario of a paper plays on the mock, and every table that names it is made from what it
// played. The files are looked up, so that a new one is tested without being listed here; each is a
// test of its own.

using namespace command_test;

namespace {

namespace fs = std::filesystem;

/// Files below scenarios/papers and scenarios/experiments, as table cards name them.
std::vector<std::string> scenario_files() {
  const fs::path scenarios = fs::path(AGON_TEST_SOURCE) / "scenarios";
  std::vector<std::string> files;
  std::error_code none;
  for (const char* const folder : {"papers", "experiments"})
    for (fs::recursive_directory_iterator at(scenarios / folder, none), end; at != end;
         at.increment(none))
      if (at->path().extension() == ".json" && !fs::is_directory(at->path()))
        files.push_back(fs::relative(at->path(), scenarios).string());
  std::sort(files.begin(), files.end());
  return files;
}

boost::json::array tables() {
  const Ended listed = command_test::agon({"report", "--list-paper-tables", "--json"});
  INFO(listed.err);
  REQUIRE(listed.code == 0);
  return json_of(listed.out).as_array();
}

/// A suite, or one of the data files that suites name.
bool is_suite(const std::string& text) {
  return contains(text, "\"scenarios\"");
}

/// True if some cell says something of ours, if only that it is not defined for these n.
bool says_something(const boost::json::value& table) {
  for (const auto& row : agon::test::paper_figures(table).rows)
    for (const auto& cell : row.cells)
      if (!cell.at("value").is_null() || !cell.at("text").is_null() || !cell.at("out_of").is_null())
        return true;
  return false;
}

/// What makes a suite small enough for a test: few blocks, and of many agents that call models all
/// but the first and the last played at random. Their parts are the same in most papers.
Words smaller(const std::string& file) {
  const fs::path path = fs::path(AGON_TEST_SOURCE) / "scenarios" / file;
  const std::string text = read_file(path);
  const boost::json::value suite = json_with_comments(text);
  std::vector<std::string> models;
  for (const auto& agent : suite.at("agents").as_object())
    if (agent.value().is_object() && agent.value().as_object().contains("llm"))
      models.emplace_back(agent.key());
  const bool large = models.size() > 2 || contains(text, "\"sequence\"");
  // Blocks that are dealt points in turn: some have no envy-free split, and no table counts them.
  const bool dealt = contains(text, "\"in_turn\"");
  Words words{"--blocks", dealt ? "12" : large ? "1" : "2"};
  if (models.size() > 2)
    for (std::size_t i = 1; i + 1 < models.size(); ++i) {
      words.emplace_back("--agent");
      words.push_back(models[i] + "=random");
    }
  return words;
}

void plays_and_makes_tables(const std::string& file) {
  const fs::path path = fs::path(AGON_TEST_SOURCE) / "scenarios" / file;
  if (!is_suite(read_file(path))) return;
  const Folder folder;
  Words words{"run", path.string(), "--out", "a.agon", "--model", "mock", "--jobs", "2", "--quiet"};
  for (const std::string& word : smaller(file)) words.push_back(word);
  const Ended played = folder.agon(words);
  INFO(file << "\n" << played.err);
  REQUIRE(played.code == 0);
  for (const auto& card : tables()) {
    if (card.at("scenario") != boost::json::string("scenarios/" + file)) continue;
    const std::string id(card.at("id").as_string());
    const Ended text = folder.agon({"report", "a.agon", "--paper-table", id});
    INFO(id << "\n" << text.err << text.out);
    // What people alone say: nobody plays here.
    if (id == "alympics/figure-5") {
      CHECK(contains(text.err, "the archive has no ratings: matches in which people rate"));
      continue;
    }
    CHECK(text.code == 0);
    check_has(text.out, {id, "Who played"});
    const Ended csv = folder.succeeds({"report", "a.agon", "--paper-table", id, "--csv"});
    CHECK(contains(csv.out, "\r\n" + id + ","));
    const Ended json = folder.succeeds({"report", "a.agon", "--paper-table", id, "--json"});
    CHECK(says_something(json_of(json.out)));
  }
}

class OneFile final : public Catch::ITestInvoker {
 public:
  explicit OneFile(std::string file) : file_(std::move(file)) {}
  void invoke() const override { plays_and_makes_tables(file_); }

 private:
  std::string file_;
};

/// Registers a test for each file.
struct AllFiles {
  AllFiles() {
    for (const std::string& file : scenario_files()) {
      const std::string name = "a scenario plays and makes its tables: " + file;
      const Catch::SourceLineInfo here(__FILE__, __LINE__);
#ifdef AGON_TEST_OWN_SKIP  // version 2 of Catch2
      Catch::getMutableRegistryHub().registerTest(
          Catch::makeTestCase(new OneFile(file), "", {name, "[papers]"}, here));
#else
      Catch::getMutableRegistryHub().registerTest(
          Catch::makeTestCaseInfo("", {name, "[papers]"}, here),
          Catch::Detail::make_unique<OneFile>(file));
#endif
    }
  }
};
const AllFiles kAllFiles;

}  // namespace

TEST_CASE("every table names a scenario that there is, of its own paper", "[papers]") {
  const std::vector<std::string> files = scenario_files();
  for (const auto& card : tables()) {
    const std::string id(card.at("id").as_string());
    const std::string scenario(card.at("scenario").as_string());
    INFO(id << " names " << scenario);
    if (scenario.empty()) {  // a game's own, of any suite
      CHECK(id.substr(0, id.find('/')) == card.at("game").as_string());
      CHECK(card.at("source").as_string().empty());
      continue;
    }
    REQUIRE(scenario.starts_with("scenarios/"));
    CHECK(std::count(files.begin(), files.end(), scenario.substr(10)) == 1);
    const std::string paper = id.substr(0, id.find('/'));
    CHECK(scenario.starts_with((paper == "experiments" ? "scenarios/" : "scenarios/papers/") +
                               paper + "/"));
    CHECK_FALSE(card.at("title").as_string().empty());
    CHECK_FALSE(card.at("source").as_string().empty());
  }
}
