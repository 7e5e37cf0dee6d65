#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "catch.hpp"
#include "command/folder.hpp"
#include "command/snapshot.hpp"
#include "describe/file_text.hpp"
#include "support/report_figures.hpp"

using namespace command_test;

namespace {

const std::string kTables = std::string(AGON_TEST_PLUGINS) + "/tables/tables.so";

/// An archive of the water game by two rule agents, as t.agon.
void play(const Folder& folder, int blocks) {
  folder.write("t.json",
               suite(R"({"game": "water-allocation", "name": "dry", "set": {"days": 4}},
     {"game": "water-allocation", "name": "a little less dry", "set": {"days": 3}})",
                     R"("design": {"focal": ["floor", "reference"], "background": "reference",
     "blocks": )" + std::to_string(blocks) +
                         "},"));
  folder.succeeds({"run", "t.json", "--quiet"});
}

Ended table(const Folder& folder, const std::string& id, const Words& more = {}) {
  return folder.agon(joined(
      {"report", "t.agon", "--paper-table", id, "--plugin", kTables, "--sandbox", "never"}, more));
}

}  // namespace

TEST_CASE("a paper's table: ours, interval, n, published, notes, who played") {
  const Folder folder;
  play(folder, 6);
  const Ended made = table(folder, "drought/table-1");
  INFO(made.err);
  REQUIRE(made.code == 0);
  same_as_snapshot("snapshots/paper_table.txt", made.out);
  for (const std::string& line : lines(made.out)) CHECK(line.size() <= 100);

  const auto json = json_of(table(folder, "drought/table-1", {"--json"}).out);
  CHECK(json.at("format") == "agon.report");
  CHECK(json.at("made").at("table").at("id") == "drought/table-1");
  const auto read = agon::test::paper_figures(json);
  CHECK(read.rows.size() == 2);
  const auto& cells = read.rows[0].cells;
  CHECK(cells[0].at("value").is_null());
  CHECK(cells[0].at("published") == 61.5);
  CHECK(cells[1].at("value").is_double());
  CHECK(cells[1].at("published").is_null());
  const auto played = agon::test::figures(json, {{"section", "who-played"}, {"metric", "is"}});
  REQUIRE(played.size() == 2);
  CHECK(played[0].at("text") == "random");
}

TEST_CASE("a paper's wide table is spread over parts, and lines that say nothing are left out") {
  const Folder folder;
  play(folder, 3);
  const Ended made = table(folder, "drought/table-10");
  INFO(made.err);
  REQUIRE(made.code == 0);
  same_as_snapshot("snapshots/paper_table_wide.txt", made.out);
  for (const std::string& line : lines(made.out)) CHECK(line.size() <= 100);
}

TEST_CASE("a paper's table as CSV: a line for each cell, quoted where it must be") {
  const Folder folder;
  play(folder, 3);
  const Ended made = table(folder, "drought/table-1", {"--csv"});
  REQUIRE(made.code == 0);
  const auto rows = agon::text::read_csv(made.out, "t.csv");
  const auto field = [&](std::size_t row, const char* name) {
    const auto& names = rows.front().cells;
    const auto at = std::find(names.begin(), names.end(), name);
    REQUIRE(at != names.end());
    return rows.at(row).cells.at(static_cast<std::size_t>(at - names.begin()));
  };
  CHECK(field(1, "section") == "drought/table-1");
  CHECK(field(4, "row") == "dry");
  CHECK(field(4, "column") == "gpt-5");
  CHECK(field(4, "published") == "61.5");
  CHECK(field(4, "value").empty());
  CHECK(field(rows.size() - 1, "section") == "who-played");
  const Ended words = table(folder, "drought/figure-2", {"--csv"});
  REQUIRE(words.code == 0);
  check_has(words.out, {",dry,\"entries, \"\"all\"\"\",", ",\"block 0,\n"});
}

TEST_CASE("a row under a heading can be told from its like under another") {
  const Folder folder;
  play(folder, 3);
  const Ended made = table(folder, "drought/table-10", {"--csv"});
  INFO(made.out);
  REQUIRE(made.code == 0);
  CHECK(contains(made.out, ",first heading: a row,column 1,"));
  CHECK(!contains(made.out, ",  a row"));
}

TEST_CASE("a table without its data says what makes it") {
  const Folder folder;
  play(folder, 1);
  const Ended few = table(folder, "drought/figure-2");
  CHECK(few.code == 0);  // two scenarios, each focal agent on each seat
  const Ended none = table(folder, "drought/elsewhere");
  CHECK(none.code == 1);
  CHECK(none.out.empty());
  check_has(none.err, {"the archive has no matches of the game 'bargaining'",
                       "agon run scenarios/papers/drought/elsewhere.json --out elsewhere.agon && "
                       "agon report elsewhere.agon --paper-table drought/elsewhere"});

  folder.write("one.json",
               suite(R"({"game": "water-allocation", "set": {"days": 2}})",
                     R"("design": {"fixed": [["floor", "floor", "floor", "floor", "floor"]]},)"));
  REQUIRE(folder.agon({"run", "one.json", "--quiet"}).code == 0);
  folder.refuses({"report", "one.agon", "--paper-table", "drought/figure-2", "--plugin", kTables,
                  "--sandbox", "never"},
                 1,
                 {"the archive has no matches of three blocks",
                  "agon run scenarios/papers/drought/figure-2.json"});

  const Ended wrong = table(folder, "drought/broken");
  CHECK(wrong.code == 1);
  CHECK(contains(wrong.err, "row 'row' has 1 cells for 2 columns"));
}

TEST_CASE("tables are listed, by paper if wanted, and misspelt ones found") {
  const Folder folder;
  const Ended all =
      folder.succeeds({"report", "--list-paper-tables", "--plugin", kTables, "--sandbox", "never"});
  check_has(all.out, {"drought/table-1", "scenarios/papers/drought/table-1.json"});
  const Ended json = folder.succeeds({"report", "--list-paper-tables", "drought", "--json",
                                      "--plugin", kTables, "--sandbox", "never"});
  const auto list = json_of(json.out).as_array();
  REQUIRE(list.size() == 5);
  CHECK(list[0].at("id") == "drought/broken");
  CHECK(list[3].at("id") == "drought/table-1");
  CHECK(list[4].at("id") == "drought/table-10");
  CHECK(list[0].at("scenario") == "scenarios/papers/drought/table-1.json");
  folder.refuses(
      {"report", "--list-paper-tables", "drouht", "--plugin", kTables, "--sandbox", "never"}, 3,
      {"did you mean 'drought'?"});
  folder.refuses({"report", "t.agon", "--paper-table", "drought/tabel-1", "--plugin", kTables,
                  "--sandbox", "never"},
                 3, {"did you mean 'drought/table-1'?"});
  // The paper left out.
  folder.refuses(
      {"report", "t.agon", "--paper-table", "table-10", "--plugin", kTables, "--sandbox", "never"},
      3, {"drought/table-10'"});
}

TEST_CASE("a paper's table and the list of them come in every format") {
  const Folder folder;
  play(folder, 3);
  const auto made = [&](const std::string& format) {
    return table(folder, "drought/table-1", {"--format", format}).out;
  };
  CHECK(contains(made("latex"), "\\label{tab:drought/table-1}\n\\begin{tabular}{@{}l"));
  CHECK(contains(made("markdown"), "\n| --- | ---: |"));
  CHECK(contains(made("csv"), ",row,column,value,"));
  CHECK(contains(made("html"), "<h2>Who played</h2>"));
  const auto listed = [&](const std::string& format) {
    return folder
        .agon({"report", "--list-paper-tables", "drought", "--format", format, "--plugin", kTables,
               "--sandbox", "never"})
        .out;
  };
  CHECK(contains(listed("csv"), "table,title,source,game,scenario\r\ndrought/"));
  CHECK(contains(listed("latex"), "\ndrought/table-1 & "));
  CHECK(contains(listed("markdown"), "\n| drought/table-1 | "));
}

TEST_CASE("JSON has the sections that are asked for, and what is asked of all of them") {
  const Folder folder;
  play(folder, 12);
  const auto some = json_of(
      folder.agon({"report", "t.agon", "--json", "--section", "scores", "--section", "notes"}).out);
  REQUIRE(some.at("sections").as_array().size() == 2);
  CHECK(some.at("sections").at(0).at("id") == "scores");
  const auto all = json_of(folder.agon({"report", "t.agon", "--json"}).out);
  CHECK(some.at("made") == all.at("made"));
  CHECK(all.at("made").at("policy") == "as-played");
  CHECK(agon::test::figures(some, {{"section", "scores"}}) ==
        agon::test::figures(all, {{"section", "scores"}}));
  // How differences settled, as a curve that no table has.
  const auto anytime =
      json_of(folder.agon({"report", "t.agon", "--json", "--section", "anytime"}).out);
  const auto& curve = anytime.at("sections").at(0).at("series").at(0);
  CHECK(curve.at("x").at("label") == "blocks of the scenario with the fewest");
  CHECK(curve.at("points").as_array().size() == 12);
  CHECK(curve.at("points").as_array().back().at("value") ==
        agon::test::figure(anytime, {{"metric", "difference"}}).at("value"));
  const auto lines = agon::text::read_csv(
      folder.agon({"report", "t.agon", "--csv", "--section", "anytime"}).out, "t.csv");
  CHECK(lines.size() == 1 + 12 + 2);
}

TEST_CASE("bargains count by list price, and a report can leave a game out") {
  const Folder folder;
  folder.write("t.json",
               suite(R"({"game": "bargaining"}, {"game": "water-allocation",
     "set": {"days": 3}})",
                     R"("design": {"focal": ["floor", "reference"], "background": "reference",
     "blocks": 12},)"));
  REQUIRE(folder.agon({"run", "t.json", "--quiet"}).code == 0);

  // No product has more than a quarter of what there is to get, though prices differ by 200 times.
  const auto seats =
      agon::text::read_csv(folder.agon({"export", "t.agon", "--rows", "seats"}).out, "seats.csv");
  const auto column = [&](const std::string& name) {
    const auto at = std::find(seats[0].cells.begin(), seats[0].cells.end(), name);
    REQUIRE(at != seats[0].cells.end());
    return static_cast<std::size_t>(at - seats[0].cells.begin());
  };
  double sum = 0, most = 0, dearest = 0, cheapest = 1e9;
  for (std::size_t r = 1; r < seats.size(); ++r) {
    const auto& row = seats[r].cells;
    if (row[column("game")] != "bargaining" || row[column("agent")] != "floor" ||
        row[column("role")] != "buyer" || row[column("surplus")].empty())
      continue;
    const double pie = std::stod(row[column("surplus")]);
    const double price = std::stod(row[column("metric_match_list_price")]);
    CHECK(pie == Approx((std::stod(row[column("ideal")]) - std::stod(row[column("disagreement")])) /
                        price));
    sum += pie;
    most = std::max(most, pie);
    dearest = std::max(dearest, price);
    cheapest = std::min(cheapest, price);
  }
  CHECK(dearest > 10 * cheapest);
  CHECK(most < 0.25 * sum);

  const auto has = [](const std::string& all, const std::string& words) {
    return all.find(words) != std::string::npos;
  };
  const auto text = [&](const Words& more) {
    return folder.agon(joined({"report", "t.agon"}, more)).out;
  };
  CHECK(has(text({}), "bargaining, n="));
  for (const char* format : {"text", "json", "latex", "markdown", "html"}) {
    const std::string without = text({"--without", "bargaining", "--format", format});
    INFO(format);
    CHECK(has(without, "WITHOUT bargaining"));
    CHECK_FALSE(has(without, "bargaining, n="));
  }
  CHECK(has(text({"--without", "bargaining", "--json"}), "\"without\""));
  // What is printed as a page says of what it is, as a file does.
  CHECK(has(text({"--format", "html"}), "<h1>Report on "));
  // Nor has a page its matches.
  const auto page = [&](Words more) {
    more.insert(more.begin(), {"--html", "page.html", "--matches", "all"});
    (void)text(more);
    return read_file(folder.at("page.html"));
  };
  const std::string of_match = R"("game":"bargaining")";
  CHECK(has(page({}), of_match));
  const std::string kept = page({"--without", "bargaining"});
  CHECK_FALSE(has(kept, of_match));
  CHECK(has(kept, R"("game":"water-allocation")"));
  CHECK(has(kept, "All 72 matches."));  // 12 blocks, two focal agents, three seats
  const std::string ranks = text({"--aggregate", "ranks"});
  CHECK(has(ranks, "AGGREGATE ranks"));
  CHECK(has(ranks, "mean. Choosing"));
  CHECK_FALSE(has(text({"--aggregate", "mean"}), "AGGREGATE"));
  const Ended unknown = folder.agon({"report", "t.agon", "--without", "bargainig"});
  CHECK(unknown.code == 3);
  CHECK(has(unknown.err, "did you mean 'bargaining'?"));
  const Ended none =
      folder.agon({"report", "t.agon", "--without", "bargaining", "--without", "water-allocation"});
  CHECK(none.code == 2);
  CHECK(has(none.err, "no game is left"));
  CHECK(folder.agon({"report", "t.agon", "--aggregate", "median"}).code == 2);

  // What the suite declares needs no word of a choice.
  folder.write("t.json",
               suite(R"({"game": "bargaining"})",
                     R"("design": {"focal": ["floor", "reference"], "background": "reference",
     "blocks": 12}, "report": {"reference": "reference", "aggregate": "winsorised"},)"));
  REQUIRE(folder.agon({"run", "t.json", "--quiet"}).code == 0);
  CHECK(has(text({"--json"}), "; winsorised: "));
  CHECK_FALSE(has(text({}), "AGGREGATE"));
}

TEST_CASE("chosen columns fit a column of a paper, which LaTeX compiles where it is there") {
  const Folder folder;
  play(folder, 6);
  const Words chosen = {"report",      "t.agon",    "--section",
                        "leaderboard", "--columns", "rank,score,interval"};
  const std::string table = folder.succeeds(joined(chosen, {"--format", "latex"})).out;
  CHECK(contains(table, "\\toprule\nrank & agent & score & 95\\% CI \\\\\n"));
  CHECK(contains(folder.succeeds(chosen).out, "  rank  agent      score  95% CI"));
  folder.refuses(joined(chosen, {"--columns", "scor"}), 3, {"'scor'", "did you mean 'score'?"});
  folder.write("paper.tex",
               "\\documentclass[twocolumn]{article}\n\\usepackage{booktabs}\n\\begin{document}\n" +
                   table + "\\end{document}\n");
  if (shell(folder, "command -v pdflatex >&2") != 0) return;
  CHECK(shell(folder, "pdflatex -interaction=batchmode paper.tex >&2") == 0);
  CHECK_FALSE(contains(folder.read("paper.log"), "Overfull"));
}

TEST_CASE("options of report that do not go together are refused") {
  const Folder folder;
  for (const Words& words :
       {Words{"report"}, Words{"report", "t.agon", "--format", "excel"},
        Words{"report", "t.agon", "--json", "--format", "csv"},
        Words{"report", "t.agon", "--csv", "--format", "latex"},
        Words{"report", "t.agon", "--section", "leaderbord"},
        Words{"report", "t.agon", "--columns", "score", "--csv"},
        Words{"report", "--list-paper-tables", "--columns", "table"},
        Words{"report", "t.agon", "--metagame", "x", "--section", "leaderboard"},
        Words{"report", "t.agon", "--paper-table", "a/b", "--section", "leaderboard"},
        Words{"report", "t.agon", "--paper-table", "a/b", "--full"},
        Words{"report", "t.agon", "--paper-table", "a/b", "--csv", "--json", "--plugin", kTables,
              "--sandbox", "never"},
        Words{"report", "t.agon", "--paper-table", "a/b", "--without", "x"},
        Words{"report", "t.agon", "--metagame", "x", "--aggregate", "ranks"},
        Words{"report", "--list-paper-tables", "--paper-table", "a/b"}}) {
    const Ended refused = folder.agon(words);
    INFO(refused.err);
    CHECK(refused.code == 2);
  }
}

TEST_CASE("an error of --format json is JSON too, as with --json") {
  const Folder folder;
  for (const Words& words :
       {Words{"report", "none.agon", "--json"}, Words{"report", "none.agon", "--format", "json"},
        Words{"report", "none.agon", "--format=json"}}) {
    const Ended failed = folder.agon(words);
    CHECK(failed.code == 3);
    CHECK(json_of(failed.out).at("error").at("exit_code") == 3);
  }
  CHECK(folder.agon({"report", "none.agon", "--format", "csv"}).out.empty());
}

TEST_CASE("a run that is not finished is said to be so, with the command that takes it up") {
  const Folder folder;
  folder.write("t.json", suite(R"({"game": "water-allocation", "name": "dry", "set": {"days": 4}},
     {"game": "bargaining"})",
                               R"("models": {"m": "mock"},)"));
  const Words some{"run", "t.json", "--agent", "reference=llm", "--max-calls", "20", "--jobs", "1"};
  const Ended stopped = folder.agon(some);
  INFO(stopped.err);
  REQUIRE(stopped.code == 7);
  const Ended report = folder.succeeds({"report", "t.agon"});
  check_has(report.out, {"NOT FINISHED: the last run, of ", "reached a cap; the archive has "});
  const std::string resume =
      "With a higher cap, take it up again with: agon run t.json --agent reference=llm "
      "--max-calls 20 --jobs 1 --out t.agon";
  CHECK(contains(report.out, "\n  " + resume + "\n"));
  const auto warnings = json_of(folder.agon({"report", "t.agon", "--json"}).out).at("warnings");
  CHECK(contains(warnings.at(0).at("words").as_string(), "NOT FINISHED"));
  CHECK(warnings.at(0).at("command") == boost::json::string(resume));

  // A table that lacks what this run was to bring needs no other run.
  run_sql(folder.at("t.agon"), "update run set status = null, ended = null");
  run_sql(folder.at("t.agon"), "delete from match; delete from seat; delete from record");
  const Ended made = table(folder, "drought/table-1");
  CHECK(made.code != 0);
  check_has(made.err, {"the archive has no ", "has not ended, or was killed",
                       "Take it up again with: agon run t.json"});
  CHECK_FALSE(contains(made.err, "make them"));

  // With all of it there is nothing to say.
  const Folder whole;
  play(whole, 3);
  CHECK_FALSE(contains(whole.agon({"report", "t.agon"}).out, "NOT FINISHED"));
  CHECK(json_of(whole.agon({"report", "t.agon", "--json"}).out).at("warnings").as_array().empty());
  CHECK_FALSE(contains(table(whole, "drought/table-1").out, "NOT FINISHED"));
  run_sql(whole.at("t.agon"), "update run set status = 'interrupted'");
  CHECK(contains(table(whole, "drought/table-1").out, "NOT FINISHED: the last run, of"));
}

TEST_CASE("a difference whose p no number can hold is reported like any other") {
  const Folder folder;
  folder.write("s.json", R"({"seed": 1, "agents": {"a": "random", "b": "default", "c": "nash"},
    "scenarios": [{"game": "classic", "seat_rotation": "all", "blocks": 3000}]})");
  REQUIRE(folder.agon({"run", "s.json", "--quiet"}).code == 0);
  const Ended report = folder.succeeds({"report", "s.agon"});
  CHECK(contains(report.out, "<0.0001"));
}
