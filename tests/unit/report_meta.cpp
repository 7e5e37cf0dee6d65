// The game over a label of agents: cells, bases, missing cells, equilibria.

#include <agon/error.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "json/parse.hpp"
#include "report/meta.hpp"
#include "report_samples.hpp"

using namespace report_samples;
using Catch::Matchers::Contains;

namespace {

using Levels = std::vector<std::pair<std::size_t, std::size_t>>;

/// A solved two by two matrix: use and not, row by row, "row's score, column's score".
report::MetaMatrix use_or_not(const std::vector<double>& scores) {
  report::MetaMatrix matrix;
  matrix.seats = {"Alice", "Bob"};
  matrix.levels = {"use", "not"};
  matrix.agents = {"with", "without"};
  for (std::size_t i = 0; i < scores.size(); i += 2) {
    report::MetaCell& cell = matrix.cells.emplace_back();
    for (std::size_t s = 0; s < 2; ++s) cell.score[s].value = scores[i + s];
  }
  report::solve(matrix);
  return matrix;
}

Levels pure(const report::MetaMatrix& matrix) {
  Levels found;
  for (const auto& equilibrium : matrix.pure)
    found.emplace_back(equilibrium.row, equilibrium.column);
  return found;
}

const Levels kUseUse{{0, 0}}, kNotUse{{1, 0}}, kNotNot{{1, 1}};

report::MetaReport meta(Book& book, const std::string& factor,
                        agon::FaultPolicy policy = agon::FaultPolicy::as_played) {
  book.writer().flush();
  return report::make_meta(archive::Archive::open(book.path()), factor, policy, 0.95);
}

/// Twelve blocks of all four pairs of two agents. Payoffs of the prisoner's dilemma and some luck
/// that both seats share, so that the equilibrium holds however blocks are drawn.
void play_dilemma(Book& book, const std::string& scenario, const std::string& kind,
                  const std::string& cruel) {
  for (std::int64_t block = 0; block < 12; ++block) {
    const double luck = 0.1 * static_cast<double>(block % 3);
    const auto match = [&](const std::string& a, double x, const std::string& b, double y) {
      book.match({scenario, block},
                 {{a, x + luck, 0, 9, {}, 0, {}, "Alice"}, {b, y + luck, 0, 9, {}, 0, {}, "Bob"}});
    };
    match(kind, 3, kind, 3);
    match(kind, 0, cruel, 5);
    match(cruel, 5, kind, 0);
    match(cruel, 1, cruel, 1);
  }
}

}  // namespace

TEST_CASE("the use-or-not games of the paper have their published equilibria", "[report][meta]") {
  // As printed: Sonnet, GPT-4o, Opus.
  CHECK(pure(use_or_not({5.82, 6.16, 4.88, 6.57, 6.39, 5.07, 5.55, 5.57})) == kNotNot);
  CHECK(pure(use_or_not({5.93, 6.25, 3.66, 6.18, 5.75, 4.14, 2.80, 4.38})) == kUseUse);
  CHECK(pure(use_or_not({5.82, 6.50, 5.09, 5.53, 4.86, 4.57, 2.80, 4.38})) == kUseUse);
  // With the numbers of the tables that they were copied from.
  const auto sonnet = use_or_not({5.93, 6.16, 4.88, 6.57, 6.39, 5.70, 5.55, 5.57});
  CHECK(pure(sonnet) == kNotUse);
  CHECK(sonnet.mixed.empty());
  CHECK(pure(use_or_not({5.82, 6.50, 5.09, 5.53, 4.86, 4.57, 2.68, 3.02})) == kUseUse);
}

TEST_CASE("a game over labels without a pure equilibrium has a mixed one", "[report][meta]") {
  const auto matrix = use_or_not({1, -1, -1, 1, -1, 1, 1, -1});
  CHECK(matrix.pure.empty());
  REQUIRE(matrix.mixed.size() == 1);
  CHECK(matrix.mixed[0].first[0].text == "1/2");
}

TEST_CASE("the game over a label is read from an archive", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.labelled("without", R"({"workflow":"not"})");
  play_dilemma(book, "deal", "with", "without");
  // In no cell: an agent without the label, three seats, a match that the game broke.
  book.match({"deal", 0}, {{"with", 9}, {"other", 9}});
  book.match({"deal", 0}, {{"with", 9}, {"with", 9}, {"with", 9}});
  book.game_fault({"deal", 0}, {"with", "with"}, "broke");
  const auto found = meta(book, "workflow");
  CHECK(found.unlabelled == 1);
  CHECK(found.other_seats == 1);
  REQUIRE(found.matrices.size() == 1);
  const auto& matrix = found.matrices[0];
  CHECK(matrix.levels == std::vector<std::string>{"use", "not"});
  REQUIRE(matrix.cells.size() == 4);
  CHECK(matrix.cells[1].score[0].value == Approx(0.1));
  CHECK(matrix.cells[1].score[1].value == Approx(5.1));
  CHECK(matrix.cells[1].score[0].n == 12);
  CHECK(matrix.cells[1].blocks == 12);
  // The deviation over blocks is sqrt(12 (0.1)^2 2/3 / 11), Student's t of 11 degrees 2.20099.
  CHECK(matrix.cells[0].score[0].low == Approx(3.1 - 2.20099 * std::sqrt(0.08 / 11 / 12)));
  CHECK(pure(matrix) == kNotNot);
  CHECK(matrix.pure[0].stability == 1.0);
  CHECK(matrix.missing.empty());

  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("Bob: not") && Contains("1.10, 1.10 *") && Contains("3.10, 3.10"));
  CHECK_THAT(words, Contains("Pure equilibrium: (not, not), held in 100%."));
  CHECK_THAT(words, Contains("1 match with an agent that lacks the label"));
  const auto json = agon::json::parse(report::json(found), "json");
  const auto& first = json.at("matrices").at(0);
  CHECK(first.at("cells").at(2).at("scores").at(0).at("mean").as_double() == Approx(5.1));
  CHECK(first.at("pure_equilibria").at(0).at("levels").at(1).as_string() == "not");
}

TEST_CASE("agents of different bases have games of their own", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal", {}, {}, 2));
  const auto spec = [](const std::string& model) {
    return R"({"agent":"llm","params":{"model":{"provider":"p","model":")" + model + "\"}}}";
  };
  book.labelled("sonnet+", R"({"workflow":"use"})", "", spec("sonnet"));
  book.labelled("sonnet-", R"({"workflow":"not"})", "", spec("sonnet"));
  book.labelled("gpt+", R"({"workflow":"use","model":"gpt-4o"})", "", spec("mock"));
  book.labelled("gpt-", R"({"workflow":"not","model":"gpt-4o"})", "", spec("mock"));
  book.labelled("opus/workflow=use", R"({"workflow":"use"})", "opus", spec("mock"));
  book.labelled("opus/workflow=not", R"({"workflow":"not"})", "opus", spec("mock"));
  for (const std::string name : {"sonnet", "gpt"})
    play_dilemma(book, "deal", name + "+", name + "-");
  play_dilemma(book, "deal", "opus/workflow=use", "opus/workflow=not");
  book.match({"deal", 0}, {{"sonnet+", 1}, {"gpt+", 1}});
  const auto found = meta(book, "workflow");
  CHECK(found.other_bases == 1);
  REQUIRE(found.matrices.size() == 3);
  CHECK(found.matrices[0].base == "model gpt-4o");
  CHECK(found.matrices[1].base == "opus");
  CHECK(found.matrices[2].base == "sonnet");
  for (const auto& matrix : found.matrices) {
    CHECK(pure(matrix) == kNotNot);
    CHECK(matrix.cells[0].score[0].value == Approx(0.031));  // scores of this game are in cents
  }
  // The other label sorts them the other way: by model, of one workflow each.
  const auto by_model = meta(book, "model");
  REQUIRE(by_model.matrices.size() == 2);
  CHECK(by_model.matrices[0].base == "workflow not");
  CHECK(by_model.matrices[0].levels == std::vector<std::string>{"gpt-4o"});
  CHECK_THAT(report::text(by_model, false), Contains("Only one level is known here: 'gpt-4o'."));
}

TEST_CASE("a missing cell is named, with the line-up that makes it", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.labelled("without", R"({"workflow":"not"})");
  book.match({"deal", 0}, {{"with", 3}, {"without", 3}});
  book.match({"deal", 0}, {{"without", 3}, {"with", 3}});
  const auto found = meta(book, "workflow");
  REQUIRE(found.matrices.size() == 1);
  CHECK(found.matrices[0].missing == Levels{{0, 0}, {1, 1}});
  CHECK(found.matrices[0].pure.empty());
  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("No match has 'use' on seat 0") && Contains("[\"with\", \"with\"]"));
  CHECK_THAT(words, !Contains("Pure equilibrium"));
}

TEST_CASE("the game over a label follows the fault policy", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4, 1, 9, {}, 2}, {"with", 6, 1}});
  book.match({"deal", 1}, {{"with", 8, 1}, {"with", 2, 1}});
  const auto score = [&](agon::FaultPolicy policy) {
    return meta(book, "workflow", policy).matrices.at(0).cells.at(0).score[0].value;
  };
  CHECK(score(agon::FaultPolicy::as_played) == 6);
  CHECK(score(agon::FaultPolicy::forfeit) == 4.5);
  CHECK(score(agon::FaultPolicy::exclude) == 8);
}

TEST_CASE("a forfeit in the game over a label never lifts a loss", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", -4, 1, 9, {}, 2}, {"with", 6, 1}});
  const auto forfeit = meta(book, "workflow", agon::FaultPolicy::forfeit);
  CHECK(forfeit.matrices.at(0).cells.at(0).score[0].value == -4);
}

TEST_CASE("an archive without the label is refused with a way out", "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4}, {"other", 6}});
  try {
    meta(book, "workflwo");
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK_THAT(error.problem(), Contains("did you mean 'workflow'?"));
    CHECK_THAT(error.mend(), Contains("\"labels\""));
  }
  try {
    meta(book, "workflow");
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK_THAT(error.mend(), Contains("'with' (use)"));
  }
}

TEST_CASE("the game over a label counts forced answers as the other tables do", "[report][meta]") {
  constexpr double no_zero = std::numeric_limits<double>::quiet_NaN();
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4, no_zero, no_zero, {}, 1}, {"with", 3}});
  book.match({"deal", 1}, {{"with", 6, 1, 9, {}, 1}, {"with", 5}});
  // Without a zero a forfeit keeps what it got: the match is not lost.
  const auto forfeit = meta(book, "workflow", agon::FaultPolicy::forfeit);
  CHECK(forfeit.matrices[0].cells[0].score[0].n == 2);
  CHECK(forfeit.matrices[0].cells[0].score[0].value == Approx((4 + 1) / 2.0));
  try {
    meta(book, "workflow", agon::FaultPolicy::exclude);
    FAIL("nothing is left");
  } catch (const agon::Error& error) {
    CHECK_THAT(error.what(), Contains("stands in a block with a forced answer"));
  }
  book.match({"deal", 2}, {{"with", 6}, {"with", 5}});
  CHECK(meta(book, "workflow", agon::FaultPolicy::exclude).excluded == 2);
}

TEST_CASE("the game over a label takes a sequence over several items for one unit",
          "[report][meta]") {
  Book book;
  book.scenario("deal", book.game("deal"));
  book.labelled("with", R"({"workflow":"use"})");
  for (int block = 0; block < 4; ++block)
    for (int position = 0; position < 2; ++position)
      book.match(
          {.scenario = "deal",
           .block = block,
           .cluster = block < 2 ? std::to_string(block) + "." + std::to_string(position) : "same",
           .position = position},
          {{"with", 4}, {"with", 3.0 + block}});
  CHECK(meta(book, "workflow").matrices[0].cells[0].blocks == 3);
}
