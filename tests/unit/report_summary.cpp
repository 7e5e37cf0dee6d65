// The first section of a report: what it found, in sentences, and what limits it.

#include "catch.hpp"
#include "report/sections/sections.hpp"
#include "report_samples.hpp"

using namespace report_samples;

namespace {

/// What each agent gets beside "ref" in a game: `gain` more, with a spread that no sign of it
/// survives where the gain is 0.
struct Gain {
  std::string agent;
  double gain;
};

void play_gains(Book& book, const std::string& game, const std::vector<Gain>& gains,
                std::int64_t fallbacks = 0) {
  book.scenario(game, book.game(game));
  for (int block = 0; block < 40; ++block)
    for (const auto& [agent, gain] : gains) {
      const double spread = 0.1 * (block % 2 == 0 ? 1 : -1);
      book.match({game, block, agent},
                 {{agent, 0.4 + gain + spread, 0, 1, "", fallbacks}, {"ref", 0.4, 0, 1}});
      book.match({game, block, "ref"}, {{"ref", 0.4, 0, 1}, {"ref", 0.4, 0, 1}});
    }
}

std::string summary_of(Book& book) {
  std::string words;
  const auto document = report::document(book.make({.reference = "ref"}), report::Detail::brief);
  for (const report::ReportSection& section : document.sections)
    if (section.id == "summary")
      for (const auto& [point, below] : section.points) {
        words += point + "\n";
        for (const std::string& item : below) words += "  " + item + "\n";
      }
  return words;
}

bool states(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

}  // namespace

TEST_CASE("A summary says who is above the reference, below it, or not separated", "[report]") {
  Book book;
  play_gains(book, "g", {{"up", 0.3}, {"down", -0.3}, {"same", 0}});
  const std::string words = summary_of(book);
  CAPTURE(words);
  CHECK(states(words, "Better than 'ref': 'up' by 0.300 ["));
  CHECK(states(words, "Worse than 'ref': 'down' by 0.300 ["));
  CHECK(states(words,
               "Neither better nor worse than 'ref', as far as these matches show: 'same' by "));
  CHECK(words.starts_with("From best to worst: 'up'; "));
  CHECK(states(words, "; 'down'.\n"));
  CHECK(states(words, "(not told apart)"));
  CHECK(!states(words, "Games disagree"));
  CHECK(states(words,
               "Nothing is missing: all matches were finished, and agents gave all answers "
               "themselves.\n"));
}

TEST_CASE("A summary says where games disagree about an agent", "[report]") {
  Book book;
  play_gains(book, "g", {{"mixed", 0.3}, {"up", 0.3}});
  play_gains(book, "h", {{"mixed", -0.3}, {"up", 0.2}});
  const std::string words = summary_of(book);
  CAPTURE(words);
  CHECK(states(words,
               "Games disagree about 'mixed'; its score minus that of 'ref' (each bracket is for "
               "one game, and there for all agents): g +0.300 ["));
  CHECK(states(words, " and h -0.300 ["));
  CHECK(!states(words, "Games disagree about 'up'"));
}

TEST_CASE("A summary has a line for each of several intervals", "[report]") {
  Book book;
  play_gains(book, "g", {{"mixed", 0.3}});
  play_gains(book, "h", {{"mixed", -0.3}});
  play_gains(book, "i", {{"mixed", 0.2}});
  const auto document = report::document(book.make({.reference = "ref"}), report::Detail::brief);
  const std::string text = report::render_text(document, false);
  CAPTURE(text);
  CHECK(states(text, " all agents):\n    - g +0.300 ["));
  CHECK(states(text, "]\n    - i +0.200 ["));
  CHECK(states(report::render_markdown(document), "\n  - i +0.200 \\["));
  CHECK(states(report::render_latex(document), "\n%   - i +0.200 ["));
  // No line of a page breaks inside an interval.
  const std::string html = report::render_html(document);
  CHECK(states(html, ":\n<ul>\n<li>g +0.300 <span class=\"interval\">[+0."));
  CHECK(states(html, "]</span></li>\n</ul>\n</li>\n<li>Nothing is missing"));
  // Programs get a sentence.
  const std::string json = report::render_json(document);
  CHECK(states(json, "all agents): g +0.300 ["));
  CHECK(states(json, "]; i +0.200 ["));
}

TEST_CASE("A summary and a leaderboard say in the same words what 0 is", "[report]") {
  Book book;
  play_gains(book, "g", {{"up", 0.3}});
  for (const auto aggregate : {agon::stats::Aggregate::mean, agon::stats::Aggregate::ranks}) {
    const auto document = report::document(book.make({.reference = "ref", .aggregate = aggregate}),
                                           report::Detail::brief);
    std::size_t found = 0;
    for (const report::ReportSection& section : document.sections)
      if (section.id == "summary" || section.id == "leaderboard") {
        ++found;
        CHECK(states(section.explanation, report::score_words(aggregate)));
        CHECK(states(section.explanation,
                     "Difference: the score minus that of 'ref'; 0 is no difference."));
      }
    CHECK(found == 2);
  }
  CHECK(
      states(report::score_words(agon::stats::Aggregate::mean), "0 is what a player has without"));
  CHECK(states(report::score_words(agon::stats::Aggregate::ranks), "0 is below all of them"));
}

TEST_CASE("A leaderboard says how answers count that were not legal, and what a block is",
          "[report]") {
  const auto leaderboard_of = [](agon::FaultPolicy policy) {
    Book book;
    play_gains(book, "g", {{"up", 0.3}});
    const auto document = report::document(book.make({.reference = "ref"}, {.policy = policy}),
                                           report::Detail::brief);
    for (const report::ReportSection& section : document.sections)
      if (section.id == "leaderboard") return section.explanation;
    return std::string();
  };
  using enum agon::FaultPolicy;
  CHECK(states(leaderboard_of(as_played), "the game's fallback answer counts as its own"));
  CHECK(states(leaderboard_of(as_played), "n: blocks (matches on the same random numbers)"));
  CHECK(states(leaderboard_of(forfeit), "its seat gains nothing (fault policy forfeit)"));
  CHECK(states(leaderboard_of(exclude), "Blocks in which an agent gave no legal answer are left"));
}

namespace {

/// The title of a plot, and what stands below it.
std::pair<std::string, std::string> title_of(const report::Document& document,
                                             const std::string& section, const std::string& name) {
  for (const report::ReportSection& each : document.sections)
    for (const report::Plot& plot : each.plots)
      if (each.id == section && plot.name == name) return {plot.title, plot.shows};
  return {};
}

}  // namespace

TEST_CASE("Plots are titled with what the summary's intervals say", "[report]") {
  Book book;
  play_gains(book, "g", {{"mixed", 0.3}, {"up", 0.3}, {"down", -0.3}});
  play_gains(book, "h", {{"mixed", -0.3}, {"up", 0.2}, {"down", -0.3}});
  report::ReportEstimates made = book.make({.reference = "ref"});
  const auto page = report::document(made, report::Detail::page);
  auto [title, shows] = title_of(page, "leaderboard", "differences");
  CHECK(title == "'up' is better than 'ref'; 'down' is worse; 'mixed' is not told apart.");
  CHECK(shows ==
        "Score minus that of ref (0: no difference), with 95% CI of each alone (thick) and of all "
        "simultaneously (thin).");
  CHECK(title_of(page, "leaderboard", "scores").first ==
        "From best to worst: 'up'; 'ref' and 'mixed' (not told apart); 'down'.");
  CHECK(title_of(page, "leaderboard", "ranks").first ==
        "'up' and 'down' are ranked without overlap; 'ref' and 'mixed' are at several possible "
        "ranks.");
  CHECK(title_of(page, "differences", "by-game").first ==
        "'up' is better than 'ref' in every game; 'mixed' is better than 'ref' in g and worse in "
        "h; 'down' is worse than 'ref' in every game.");
  CHECK(title_of(page, "scores", "by-game").first ==
        "Highest mean: 'up' and 'mixed' in g; 'up' "
        "in h.");
  CHECK(title_of(page, "pairs", "pairs").first.starts_with("In "));
  const std::string html = report::render_html(page);
  CHECK(states(
      html,
      "<figcaption>'up' is better than 'ref'; 'down' is worse; 'mixed' is not told "
      "apart.<span class=\"small\">Score minus that of ref (0: no difference), with 95% CI"));
  CHECK(states(html,
               "aria-label=\"'up' is better than 'ref'; 'down' is worse; 'mixed' is not told "
               "apart. Score minus that of ref (0: no difference), with 95% CI"));
  // Where more than one look is taken, these intervals say nothing for sure.
  made.open_run.what = "half of it";
  const auto open = report::document(made, report::Detail::page);
  CHECK(title_of(open, "leaderboard", "differences") == std::pair(shows, std::string()));
  for (const report::ReportSection& section : open.sections)
    for (const report::Plot& plot : section.plots)
      CHECK((section.id == "anytime" || plot.shows.empty()));
  CHECK(title_of(open, "anytime", "course").first.find(", whenever one looks") !=
        std::string::npos);
}

TEST_CASE("A title has a number in place of many names", "[report]") {
  report::Sides sides;
  for (const char* name : {"a", "b", "c", "d", "e"}) sides.add(name, agon::stats::Interval{1, 2});
  sides.add("f", agon::stats::Interval{-1, 1});
  sides.add("g", std::nullopt);
  CHECK(sides.words({"above", "below", "open", " 0", " of 0"}) ==
        "5 agents are above 0; f is open.");
  CHECK(report::Sides{}.words({}).empty());
}

TEST_CASE("A summary counts the answers that agents did not give themselves", "[report]") {
  Book book;
  play_gains(book, "g", {{"up", 0.3}}, 2);
  const std::string words = summary_of(book);
  CAPTURE(words);
  CHECK(states(words, "Limits: 80 answers were the game's fallback, not the agent's.\n"));
  CHECK(!states(words, "Nothing is missing"));
}

TEST_CASE("A page says of what it is, in its title and below it", "[report]") {
  Book book;
  play_gains(book, "g", {{"up", 0.3}});
  archive::RunRow run;
  run.started = 1'764'374'400'000;
  run.ended = run.started + 1;
  run.status = "done";
  run.command = R"(["agon","run","a suite.json"])";
  run.versions = R"({"agon":"9.8.7"})";
  book.writer().begin_run(run);
  book.writer().flush();
  const report::Document page =
      report::document_of(book.path().string(), {.detail = report::Detail::page});
  std::map<std::string, std::string> source;
  for (const report::SourceFact& fact : page.source) source[fact.what] = fact.words;
  CHECK(source.at("Played") == "2025-11-29");
  CHECK(source.at("Agon") == "9.8.7");
  CHECK(source.at("Command") == "agon run 'a suite.json'");
  CHECK(source.at("Agents") == "ref, up");
  CHECK(source.at("Matches") == "80");
  CHECK(source.count("Models") == 0);
  const std::string html = report::render_html(page);
  CHECK(states(html, "<dt>Command</dt><dd>agon run 'a suite.json'</dd>"));
  // How the matches came about folds; what they are does not.
  CHECK(html.find("<dt>Agents</dt>") < html.find("Version, command and digest"));
  CHECK(html.find("<dt>Command</dt>") > html.find("Version, command and digest"));
  // What is read first is open, the rest only has its title.
  CHECK(states(html, "<h2>Summary</h2>"));
  CHECK(states(html, "<details><summary><h2>How to read this</h2></summary>"));
  // The text has no dates: two runs of a suite give the same.
  CHECK(!states(report::text_of(book.path().string(), {}, false), "2025-11-29"));
}
