#include <boost/json/value.hpp>
#include <set>

#include "catch.hpp"
#include "command/folder.hpp"

using namespace command_test;

namespace {

/// Two agents and a field, one of them a model that often slips.
void play(const Folder& folder) {
  folder.write("s.json", R"({"suite": "s", "seed": 3,
    "models": {"m": {"provider": "mock", "model": "tiny", "mock": {"malformed": 0.2}}},
    "agents": {"llm": {"llm": "m", "reasoning": "chain-of-thought"}, "other": "default"},
    "design": {"focal": ["llm", "other"], "background": "other", "blocks": 3},
    "scenarios": [{"game": "bargaining"}, {"game": "guess-average"}]})");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
}

/// The matches that a page takes along.
boost::json::value matches_in(const std::string& page) {
  const std::string mark = "id=\"matches-data\">";
  const std::size_t begin = page.find(mark);
  REQUIRE(begin != std::string::npos);
  const std::size_t from = begin + mark.size();
  return json_of(page.substr(from, page.find("</script>", from) - from));
}

}  // namespace

TEST_CASE("a report is a page with plots and matches that needs no other file") {
  const Folder folder;
  play(folder);
  const Ended ended = folder.succeeds({"report", "s.agon", "--html", "s.html"});
  CHECK(ended.out.empty());
  const std::string page = folder.read("s.html");
  CHECK(count(page, "<svg") >= 4);
  CHECK(count(page, "<table>") >= 4);
  // Nothing is fetched: all links lead into the page.
  CHECK(!contains(page, "http://"));
  CHECK(!contains(page, "https://"));
  CHECK(!contains(page, " src="));
  CHECK(count(page, "href=\"") == count(page, "href=\"#matches?") +
                                      count(page, "href=\"#section-") +
                                      count(page, "href=\"#matches\""));
  CHECK(contains(page, "href=\"#matches?agent=llm"));

  const auto data = matches_in(page);
  const auto& matches = data.at("matches").as_array();
  const auto& texts = data.at("texts").as_array();
  CHECK(matches.size() == static_cast<std::size_t>(finished(folder.at("s.agon"))));
  bool thought = false, refused = false, called = false;
  std::set<std::string> luck;
  for (const auto& match : matches) {
    CHECK(match.at("steps").as_array().size() > 2);
    luck.insert(std::string(match.at("draws").as_string()));
    for (const auto& step : match.at("steps").as_array()) {
      thought = thought || !step.at("thought").as_string().empty();
      refused = refused || !step.at("turned_down").as_array().empty();
    }
    for (const auto& call : match.at("calls").as_array()) {
      called = true;
      for (const auto& text : call.at("messages").as_array())
        CHECK(text.as_int64() < static_cast<std::int64_t>(texts.size()));
    }
  }
  CHECK(thought);
  CHECK(refused);
  CHECK(called);
  CHECK(luck.size() == 6);  // two games, three blocks: the rest differs in who played
}

TEST_CASE("a page takes along the matches that are asked for") {
  const Folder folder;
  play(folder);
  REQUIRE(folder.agon({"report", "s.agon", "--html", "few.html", "--matches", "4"}).code == 0);
  const std::string few = folder.read("few.html");
  const auto data = matches_in(few);
  CHECK(data.at("matches").as_array().size() == 4);
  CHECK(contains(few, "4 of "));
  // The first of every line-up comes before the second of any.
  std::set<std::string> kinds;
  for (const auto& match : data.at("matches").as_array()) {
    std::string kind(match.at("scenario").as_string());
    for (const auto& seat : match.at("seats").as_array())
      kind += " " + std::string(seat.at("agent").as_string());
    kinds.insert(kind);
  }
  CHECK(kinds.size() == 4);
  REQUIRE(folder.agon({"report", "s.agon", "--html", "none.html", "--matches", "none"}).code == 0);
  const std::string none = folder.read("none.html");
  CHECK(count(none, "<script") == 1);  // it sorts, unfolds and saves
  CHECK(!contains(none, "matches-data"));
  CHECK(count(none, "href=") == count(none, "href=\"#section-"));
  CHECK(contains(none, "<svg"));
}

TEST_CASE("plots are files for a paper") {
  const Folder folder;
  play(folder);
  REQUIRE(folder.agon({"report", "s.agon", "--svg", "plots/of s"}).code == 0);
  for (const char* name : {"leaderboard-scores", "leaderboard-differences", "scores-by-game",
                           "differences-by-game", "faults-attempts"}) {
    INFO(name);
    const std::string svg = folder.read(std::string("plots/of s/") + name + ".svg");
    CHECK(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
    CHECK(contains(svg, "<style>"));
    CHECK(!contains(svg, "var("));  // programs for paper know no variables
  }
}

TEST_CASE("names and texts that reorder text do not in a page") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "models": {"m": "mock"},
    "agents": {"\u202egnirts": "default", "llm": {"llm": "m", "persona": "text:words=\u202eabc"}},
    "design": {"focal": ["llm"], "background": "\u202egnirts", "blocks": 1},
    "scenarios": [{"game": "guess-average"}]})");
  REQUIRE(folder.agon({"run", "s.json"}).code == 0);
  REQUIRE(folder.agon({"report", "s.agon", "--html", "s.html"}).code == 0);
  const std::string page = folder.read("s.html");
  CHECK(!contains(page, "\u202e"));
  check_has(page, {"gnirts", "abc"});
}

TEST_CASE("names that reorder text do not in JSON and stand for themselves when it is read") {
  const Folder folder;
  folder.write("s.json", R"({"suite": "s", "agents": {"\u202egnirts": "random"},
    "scenarios": [{"game": "bargaining", "blocks": 1,
                   "design": {"fixed": [["\u202egnirts", "\u202egnirts"]]}}]})");
  REQUIRE(folder.agon({"run", "s.json", "--out", "s.agon"}).code == 0);
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"show", "s.agon", "--json"},
           {"report", "s.agon", "--json"},
           {"export", "s.agon", "--json"},
           {"export", "s.agon", "--rows", "matches", "--format", "jsonl"},
           {"export", "s.agon", "--format", "spreadsheet"}}) {
    const auto ended = folder.agon(words);
    INFO(words[0] << words.back() << ended.err);
    REQUIRE(ended.code == 0);
    CHECK(!contains(ended.out, "\u202e"));
    CHECK(contains(ended.out, "\\u202egnirts"));
  }
  CHECK(contains(folder.agon({"export", "s.agon"}).out, "\u202egnirts"));
}

TEST_CASE("pages that cannot be made are refused and leave nothing behind") {
  const Folder folder;
  play(folder);
  folder.write("file", "mine");
  for (const Words& asked : std::vector<Words>{{"--html", "s.agon"},
                                               {"--html", "no such folder/s.html"},
                                               {"--svg", "file"},
                                               {"--svg", "x", "--section", "notes"},
                                               {"--html", "x.html", "--matches", "some"},
                                               {"--html", "x.html", "--matches", "-1"},
                                               {"--matches", "3"},
                                               {"--html", "x.html", "--json"},
                                               {"--svg", "x", "--format", "latex"}}) {
    const Ended ended = folder.agon(joined({"report", "s.agon"}, asked));
    INFO(asked[0] << " " << asked.back() << ": " << ended.err);
    CHECK(ended.code != 0);
    CHECK(!ended.err.empty());
    CHECK(!folder.has("x.html"));
  }
  CHECK(folder.read("file") == "mine");
  CHECK(folder.agon({"show", "s.agon"}).code == 0);  // the archive is as it was
}
