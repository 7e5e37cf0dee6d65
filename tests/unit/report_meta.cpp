// The game over a label of agents: cells, bases, missing cells, equilibria.

#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <limits>

#include "catch.hpp"
#include "json/parse.hpp"
#include "meta/meta.hpp"
#include "report_samples.hpp"

using namespace report_samples;
using Catch::Matchers::Contains;

namespace {

using Levels = std::vector<std::vector<std::string>>;

report::MetaReport meta(Book& book, const report::MetaQuestion& question,
                        agon::FaultPolicy policy = agon::FaultPolicy::as_played) {
  book.writer().flush();
  return report::make_meta(archive::Archive::open(book.path()), question, policy, 0.95);
}

report::MetaReport of_label(Book& book, const std::string& label,
                            agon::FaultPolicy policy = agon::FaultPolicy::as_played) {
  return meta(book, {.label = label, .seats_apart = true}, policy);
}

/// The solution with payoffs on this scale.
const report::MetaSolution& solution(const report::MetaGame& game,
                                     report::MetaScale scale = report::MetaScale::raw) {
  for (const auto& found : game.solutions)
    if (found.scale == scale) return found;
  throw std::runtime_error("no such scale");
}

std::vector<std::string> names(const report::MetaGame& game, std::size_t line_up) {
  std::vector<std::string> list;
  const auto& choices = game.line_ups.at(line_up).choices;
  for (std::size_t s = 0; s < choices.size(); ++s) list.push_back(game.choices[s][choices[s]]);
  return list;
}

/// The line-up of these choices.
std::size_t at(const report::MetaGame& game, const std::vector<std::string>& choices) {
  for (std::size_t l = 0; l < game.line_ups.size(); ++l)
    if (names(game, l) == choices) return l;
  throw std::runtime_error("no such line-up");
}

double payoff(const report::MetaGame& game, const std::vector<std::string>& choices,
              std::size_t seat = 0, report::MetaScale scale = report::MetaScale::raw) {
  return solution(game, scale).payoffs.at(at(game, choices)).at(seat).value.value();
}

Levels pure(const report::MetaGame& game, report::MetaScale scale = report::MetaScale::raw) {
  Levels found;
  for (const auto& equilibrium : solution(game, scale).pure)
    found.push_back(names(game, equilibrium.line_up));
  return found;
}

/// The report of a two by two game with these payoffs, row by row, "row's score, column's score".
report::MetaReport use_or_not(const std::vector<double>& scores) {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.labelled("without", R"({"workflow":"not"})");
  const std::vector<std::string> agents = {"with", "without"};
  for (std::size_t i = 0; i < 4; ++i)
    book.match({"deal", 0}, {{agents[i / 2], scores[2 * i]}, {agents[i % 2], scores[2 * i + 1]}});
  return of_label(book, "workflow");
}

const Levels kUseUse{{"use", "use"}}, kNotUse{{"not", "use"}}, kNotNot{{"not", "not"}};

/// Twelve blocks of all four pairs of two agents. Payoffs of the prisoner's dilemma and some chance
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

/// Every pair of agents meets in both orders, and everybody itself, in every block; `earns(a, b,
/// block)` is what a gets against b.
template <class Earns>
void play_all(Book& book, const std::vector<std::string>& agents, int blocks, const Earns& earns) {
  for (int block = 0; block < blocks; ++block)
    for (std::size_t a = 0; a < agents.size(); ++a)
      for (std::size_t b = 0; b < agents.size(); ++b)
        book.match({"duel", block}, {{agents[a], earns(a, b, block), 0, 10},
                                     {agents[b], earns(b, a, block), 0, 10}});
}

}  // namespace

TEST_CASE("the use-or-not games of the paper have their published equilibria", "[report][meta]") {
  // As printed: Sonnet, GPT-4o, Opus.
  CHECK(pure(use_or_not({5.82, 6.16, 4.88, 6.57, 6.39, 5.07, 5.55, 5.57}).games[0]) == kNotNot);
  CHECK(pure(use_or_not({5.93, 6.25, 3.66, 6.18, 5.75, 4.14, 2.80, 4.38}).games[0]) == kUseUse);
  CHECK(pure(use_or_not({5.82, 6.50, 5.09, 5.53, 4.86, 4.57, 2.80, 4.38}).games[0]) == kUseUse);
  // With the numbers of the tables that they were copied from.
  const auto sonnet = use_or_not({5.93, 6.16, 4.88, 6.57, 6.39, 5.70, 5.55, 5.57});
  CHECK(pure(sonnet.games[0]) == kNotUse);
  CHECK(solution(sonnet.games[0]).mixed.empty());
  CHECK(pure(use_or_not({5.82, 6.50, 5.09, 5.53, 4.86, 4.57, 2.68, 3.02}).games[0]) == kUseUse);
}

TEST_CASE("a game over labels without a pure equilibrium has a mixed one", "[report][meta]") {
  const auto found = use_or_not({1, -1, -1, 1, -1, 1, 1, -1});
  CHECK(pure(found.games[0]).empty());
  const auto& mixed = solution(found.games[0]).mixed;
  REQUIRE(mixed.size() == 1);
  CHECK(mixed[0].exact.first[0].text == "1/2");
  CHECK_FALSE(mixed[0].held_in);  // of one block
}

TEST_CASE("the game over a label is read from an archive", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.labelled("without", R"({"workflow":"not"})");
  play_dilemma(book, "deal", "with", "without");
  // In no cell: an agent without the label, one seat, a match that the game broke.
  book.match({"deal", 0}, {{"with", 9}, {"other", 9}});
  book.match({"deal", 0}, {{"with", 9}});
  book.game_fault({"deal", 0}, {"with", "with"}, "broke");
  const auto found = of_label(book, "workflow");
  CHECK(found.not_chosen == 1);
  CHECK(found.one_seat == 1);
  REQUIRE(found.games.size() == 1);
  const report::MetaGame& game = found.games[0];
  CHECK(game.choices[0] == std::vector<std::string>{"use", "not"});
  REQUIRE(game.line_ups.size() == 4);
  CHECK(payoff(game, {"use", "not"}, 0) == Approx(0.1));
  CHECK(payoff(game, {"use", "not"}, 1) == Approx(5.1));
  CHECK(payoff(game, {"use", "not"}, 1, report::MetaScale::normalised) == Approx(5.1 / 9));
  CHECK(game.line_ups[1].matches == 12);
  CHECK(game.line_ups[1].blocks == 12);
  CHECK(pure(game) == kNotNot);
  CHECK(pure(game, report::MetaScale::normalised) == kNotNot);
  CHECK(solution(game).pure[0].held_in == 1.0);
  CHECK(game.missing.empty());

  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("Bob: not") && Contains("0.122, 0.122 *") && Contains("0.344, 0.344"));
  CHECK_THAT(words, Contains("Pure equilibrium: (not, not), held in 100%."));
  CHECK_THAT(words, Contains("1 match with an agent that lacks the label"));
  const auto json = data_of(report::document(found));
  CHECK(agon::test::value(json, {{"metric", "payoff"},
                                 {"unit", "score"},
                                 {"agent", "use"},
                                 {"other", "not"},
                                 {"role", "Bob"}}) == Approx(5.1));
  const auto pure_found = agon::test::figure(json, {{"metric", "pure_held_in"}, {"unit", "score"}});
  CHECK(pure_found.at("agent") == "not");
  CHECK(pure_found.at("other") == "not");
}

TEST_CASE("gains are differences within blocks, and regrets the largest of them",
          "[report][meta]") {
  Book book("duel", "duel");
  // The chance of a block is far larger than what a choice is worth, and is shared.
  play_all(book, {"cruel", "kind"}, 12, [](std::size_t a, std::size_t b, int block) {
    const double value = a == 1 ? (b == 1 ? 3 : 0) : (b == 1 ? 5 : 1);
    return value + 100.0 * (block % 4) + 0.1 * (block * (static_cast<int>(a) + 1) % 5);
  });
  const auto found = meta(book, {.agents = "all"});
  const report::MetaGame& game = found.games.at(0);
  CHECK(game.symmetric);
  CHECK(game.line_ups.size() == 3);  // cruel with cruel, with kind in either order, kind with kind
  const auto& raw = solution(game);
  REQUIRE(raw.gains.size() == 2);
  // Against kind: from cruel to kind loses 2, and the interval knows nothing of the shared chance.
  const report::MetaGain& gain = raw.gains[1];
  CHECK(game.choices[0][gain.to] == "kind");
  CHECK(gain.gain.value.value() == Approx(-2).margin(0.3));
  CHECK(gain.gain.interval.value().low > -2.5);
  CHECK(gain.gain.interval->high < -1.5);
  CHECK(gain.gain.p_value.value() < 0.01);
  const auto& alone = raw.payoffs[0][0].interval.value();
  CHECK(alone.high - alone.low > 50);  // of a payoff by itself
  const auto regret = [&](const std::vector<std::string>& choices) {
    return raw.regrets.at(at(game, choices));
  };
  CHECK(regret({"kind", "kind"}).regret.value() == Approx(2).margin(0.3));
  CHECK(regret({"kind", "kind"}).interval.value().low > 1);
  CHECK(game.choices[0][regret({"kind", "kind"}).to] == "cruel");
  CHECK(regret({"cruel", "kind"}).regret.value() == Approx(1).margin(0.3));
  CHECK(regret({"cruel", "kind"}).seat == 1);  // of the kind one
  CHECK(regret({"cruel", "cruel"}).regret == 0.0);
  CHECK(regret({"cruel", "cruel"}).interval.value().low == 0);
  CHECK(regret({"cruel", "cruel"}).interval.value().high == 0);
  CHECK(raw.pure.size() == 1);
  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("Gains of another choice") && Contains("kind to cruel"));
}

TEST_CASE("rock, paper and scissors among agents", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"paper", "rock", "scissors"}, 12, [](std::size_t a, std::size_t b, int block) {
    const int luck = block * static_cast<int>(a + 2 * b + 1) % 7;
    return 5.0 + (b == a ? 0 : b == (a + 1) % 3 ? 1 : -1) + 0.05 * luck;
  });
  const auto found = meta(book, {.agents = "all", .alpha = 2.0});
  const report::MetaGame& game = found.games.at(0);
  const auto& s = solution(game, report::MetaScale::normalised);
  CHECK(s.pure.empty());
  REQUIRE(s.mixed.size() == 1);
  CHECK(s.mixed[0].symmetric);
  CHECK(s.mixed[0].held_in == 1.0);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto& interval = s.mixed[0].weights[0][a];
    REQUIRE(interval);
    CHECK(interval->low < s.mixed[0].exact.first[a].value);
    CHECK(s.mixed[0].exact.first[a].value < interval->high);
    CHECK(interval->high - interval->low < 0.3);
  }
  REQUIRE(s.supports.size() == 1);
  CHECK(s.supports[0].share == 1);
  CHECK(s.supports[0].found);
  REQUIRE(s.rankings.size() == 2);
  CHECK_FALSE(s.rankings[0].alpha);
  CHECK(s.rankings[1].alpha == 2.0);
  for (const auto& ranking : s.rankings) {
    CHECK(ranking.residual < 1e-12);
    for (const double mass : ranking.mass) CHECK(mass == Approx(1 / 3.0).margin(0.05));
  }
  CHECK(s.rankings[0].intervals[0].value().high == Approx(1 / 3.0).margin(0.001));
  REQUIRE(s.dynamics);
  CHECK(s.dynamics->starts == 100);
  double starts = 0;
  for (const auto& basin : s.dynamics->basins) starts += basin.starts;
  CHECK(starts == Approx(1));
  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("Alpha-rank of") && Contains("alpha 2") && Contains("both play"));
  const auto json = data_of(report::document(found));
  CHECK(json.at("made").at("metagame").at("alpha") == 2.0);
  const auto ranks =
      agon::test::figures(json, {{"metric", "alpha_rank_2"}, {"unit", "normalised"}});
  CHECK(ranks.size() == 3);
  CHECK(
      agon::test::figure(json, {{"metric", "mixed_held_in"}, {"unit", "normalised"}}).at("text") ==
      "both mix alike");
}

TEST_CASE("coordination among agents: two equilibria with a basin each", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"left", "right"}, 12, [](std::size_t a, std::size_t b, int block) {
    return (a == b ? (a == 0 ? 2.0 : 1.0) : 0.0) + 0.01 * (block % 3);
  });
  const auto found = meta(book, {.agents = "left,right"});
  const auto& s = solution(found.games.at(0), report::MetaScale::normalised);
  CHECK(s.pure.size() == 2);
  REQUIRE(s.mixed.size() == 1);
  CHECK(s.mixed[0].exact.first[0].value == Approx(1 / 3.0));
  REQUIRE(s.dynamics);
  CHECK(s.dynamics->from_uniform.shares[0][0] == Approx(1).margin(1e-3));
  REQUIRE(s.dynamics->basins.size() == 2);
  CHECK(s.dynamics->basins[0].shares[0][0] == Approx(1).margin(1e-3));
  CHECK(s.dynamics->basins[0].starts == Approx(2 / 3.0).margin(0.12));
}

TEST_CASE("resamples tell how sure an equilibrium is", "[report][meta]") {
  Book book("duel", "duel");
  // In 7 of 12 blocks the second choice is better, in 5 the first, whatever the other does.
  play_all(book, {"first", "second"}, 12, [](std::size_t a, std::size_t, int block) {
    return a == 1 ? (block < 7 ? 1.0 : -1.0) : 0.0;
  });
  const auto found = meta(book, {.agents = "all"});
  const auto& s = solution(found.games.at(0));
  REQUIRE(s.pure.size() == 1);
  // The mean of 12 draws is at least 0: 6 or more of 12 with chance 7/12, .806.
  CHECK(s.pure[0].held_in.value() == Approx(0.806).margin(0.04));
  CHECK(std::any_of(s.supports.begin(), s.supports.end(),
                    [](const auto& support) { return !support.found && support.share > 0.15; }));
  CHECK_THAT(report::text(found, false), Contains("Not an equilibrium of the means, but in"));
  // Alpha-rank is nearly all or nothing in resamples.
  CHECK(s.rankings[0].mass[1] == Approx(1).margin(1e-4));
  CHECK(s.rankings[0].intervals[1].value().low < 0.01);
  CHECK(s.rankings[0].intervals[1].value().high > 0.99);
}

TEST_CASE("agents of equal payoffs everywhere", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"a", "b"}, 12, [](std::size_t, std::size_t, int) { return 4.0; });
  const auto found = meta(book, {.agents = "all"});
  const auto& s = solution(found.games.at(0), report::MetaScale::normalised);
  CHECK(s.pure.size() == 3);
  for (const auto& pure : s.pure) CHECK_FALSE(pure.held_in);  // no resample could differ
  for (const auto& gain : s.gains) {
    CHECK(gain.gain.value == 0.0);
    CHECK(gain.gain.note == agon::stats::Note::no_variation);
  }
  for (const auto& regret : s.regrets) {
    CHECK(regret.regret == 0.0);
    CHECK_FALSE(regret.interval);
  }
  CHECK(s.rankings[0].mass[0] == Approx(0.5));
  CHECK_FALSE(s.rankings[0].intervals[0]);
  REQUIRE(s.dynamics);
  CHECK(s.dynamics->from_uniform.shares[0][0] == Approx(0.5));
  const std::string text = report::text(found, false);
  CHECK_THAT(text, Contains("there are many rest points"));
  CHECK_THAT(text,
             Contains("0.000 (constant)") && Contains("'constant': every block says the same"));
  CHECK_THAT(text, !Contains("held in 100%") && !Contains("[0.000, 0.000]"));
}

TEST_CASE("one block gives no intervals, one agent no game", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"a", "b"}, 1, [](std::size_t a, std::size_t, int) { return a == 0 ? 1.0 : 2.0; });
  const auto one_block = meta(book, {.agents = "all"});
  const auto& s = solution(one_block.games.at(0));
  CHECK(pure(one_block.games[0]) == Levels{{"b", "b"}});
  CHECK_FALSE(s.pure[0].held_in);
  CHECK(s.resamples == 0);
  CHECK(s.gains[0].gain.note == agon::stats::Note::too_few);
  CHECK_FALSE(s.regrets[0].interval);
  CHECK_FALSE(s.rankings[0].intervals[0]);

  const auto one_agent = meta(book, {.agents = "a"});
  CHECK(one_agent.not_chosen == 3);
  CHECK(one_agent.games.at(0).line_ups.size() == 1);
  CHECK(solution(one_agent.games[0]).rankings.empty());
  CHECK_THAT(report::text(one_agent, false), Contains("Only one agent is known here: 'a'"));
}

TEST_CASE("payoffs that no number can hold are said to be so", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"a", "b"}, 12,
           [](std::size_t a, std::size_t, int) { return a == 0 ? 1e308 : -1e308; });
  const auto found = meta(book, {.agents = "all"});
  for (const auto& s : found.games.at(0).solutions) {
    CHECK_THAT(s.note, Contains("too large"));
    CHECK(s.payoffs.empty());
  }
  CHECK_THAT(report::text(found, false), Contains("too large to be reckoned with"));
  CHECK_THAT(report::text(found, false), !Contains("inf are") && !Contains(" inf "));
  CHECK_NOTHROW(data_of(report::document(found)));
}

TEST_CASE("of all agents those that met in every line-up make the game", "[report][meta]") {
  Book book("duel", "duel");
  play_all(book, {"a", "b"}, 2, [](std::size_t a, std::size_t, int) { return a == 0 ? 1.0 : 2.0; });
  book.match({"duel", 0}, {{"a", 1}, {"c, d", 2}});
  const auto all = meta(book, {.agents = "all"});
  CHECK(all.games.at(0).left_out == std::vector<std::string>{"c, d"});
  CHECK(all.games[0].missing.empty());
  CHECK_THAT(report::text(all, false),
             Contains("Left out, as line-ups with them were not played: c, d"));
  // Named ones stay, and what is missing is told; a name may hold commas.
  const auto named = meta(book, {.agents = "c, d,a"});
  CHECK(named.games.at(0).choices[0] == std::vector<std::string>{"a", "c, d"});
  REQUIRE(named.games[0].missing.size() == 1);
  CHECK(names(named.games[0], named.games[0].missing[0]) ==
        std::vector<std::string>{"c, d", "c, d"});
  CHECK_THAT(report::text(named, false), Contains("[\"c, d\", \"c, d\"]"));
  try {
    meta(book, {.agents = "a,bb"});
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK_THAT(error.problem(), Contains("no agent 'bb'"));
  }
}

TEST_CASE("seats with roles are players of their own", "[report][meta]") {
  Book book("trade", "trade");
  for (std::int64_t block = 0; block < 12; ++block)
    for (const std::string seller : {"high", "low"})
      for (const std::string buyer : {"firm", "soft"}) {
        const double price = (seller == "high" ? 2 : 1) - (buyer == "firm" ? 0.5 : 0);
        book.match({"trade", block}, {{seller, price, 0, 9, "seller", 0, {}, "S"},
                                      {buyer, 9 - price, 0, 9, "buyer", 0, {}, "B"}});
      }
  const auto found = meta(book, {.agents = "all"});
  const report::MetaGame& game = found.games.at(0);
  CHECK_FALSE(game.symmetric);
  CHECK(game.choices == Levels{{"high", "low"}, {"firm", "soft"}});
  CHECK(game.line_ups.size() == 4);
  CHECK(pure(game) == Levels{{"high", "firm"}});
  CHECK(solution(game).rankings[0].mass.size() == 4);
  CHECK(solution(game).rankings[0].mass[at(game, {"high", "firm"})] == Approx(1).margin(1e-4));
  CHECK(solution(game).dynamics->from_uniform.shares.size() == 2);
}

TEST_CASE("a game of three seats", "[report][meta]") {
  Book book("table", "table");
  const std::vector<std::string> agents = {"grab", "share"};
  // Grabbing gains 1 and costs each of the others 1.
  for (std::int64_t block = 0; block < 12; ++block)
    for (std::size_t code = 0; code < 8; ++code) {
      std::vector<Seat> seats;
      for (std::size_t s = 0; s < 3; ++s) {
        double score = (code >> s & 1) == 0 ? 1 : 0;
        for (std::size_t o = 0; o < 3; ++o) score -= o != s && (code >> o & 1) == 0 ? 1 : 0;
        score += 0.1 * static_cast<double>(block % 2);
        seats.push_back({agents[code >> s & 1], score, -2, 3});
      }
      book.match({"table", block}, seats);
    }
  const auto found = meta(book, {.agents = "all"});
  const report::MetaGame& game = found.games.at(0);
  CHECK(game.symmetric);
  CHECK(game.line_ups.size() == 4);  // by how many grab
  CHECK(pure(game) == Levels{{"grab", "grab", "grab"}});
  const auto& s = solution(game);
  CHECK(s.pure[0].held_in == 1.0);
  CHECK_THAT(s.mixed_note, Contains("two players"));
  CHECK(s.regrets.at(at(game, {"share", "share", "share"})).regret.value() == Approx(1));
  CHECK(s.rankings[0].mass[0] == Approx(1).margin(1e-4));
  CHECK(s.dynamics->basins.size() == 1);
  CHECK_THAT(report::text(found, false), Contains("Pure equilibrium: (grab, grab, grab)"));
  // Apart, there are eight.
  const auto apart = meta(book, {.agents = "all", .seats_apart = true});
  CHECK(apart.games.at(0).line_ups.size() == 8);
  CHECK(solution(apart.games[0]).rankings[0].mass[0] == Approx(1).margin(1e-4));
}

TEST_CASE("some levels of a label make a game too", "[report][meta]") {
  Book book("duel", "duel");
  for (const std::string level : {"a", "b", "c"})
    book.labelled("agent " + level, R"({"kind":")" + level + "\"}");
  play_all(book, {"agent a", "agent b", "agent c"}, 2,
           [](std::size_t a, std::size_t, int) { return a == 0 ? 1.0 : 2.0; });
  const auto found = meta(book, {.label = "kind=c,a"});
  CHECK(found.games.at(0).choices[0] == std::vector<std::string>{"a", "c"});
  CHECK(found.not_chosen == 10);
  CHECK_THROWS_WITH(meta(book, {.label = "kind=c,x"}), Contains("has 'kind' at 'x'"));
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
  const auto found = of_label(book, "workflow");
  CHECK(found.other_bases == 1);
  REQUIRE(found.games.size() == 3);
  CHECK(found.games[0].base == "model gpt-4o");
  CHECK(found.games[1].base == "opus");
  CHECK(found.games[2].base == "sonnet");
  for (const auto& game : found.games) {
    CHECK(pure(game) == kNotNot);
    CHECK(payoff(game, {"use", "use"}) == Approx(0.031));  // scores of this game are in cents
  }
  // The other label sorts them the other way: by model, of one workflow each.
  const auto by_model = of_label(book, "model");
  REQUIRE(by_model.games.size() == 2);
  CHECK(by_model.games[0].base == "workflow not");
  CHECK(by_model.games[0].choices[0] == std::vector<std::string>{"gpt-4o"});
  CHECK_THAT(report::text(by_model, false), Contains("Only one level is known here: 'gpt-4o'."));
}

TEST_CASE("a missing cell is named, with the line-up that makes it", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.labelled("without", R"({"workflow":"not"})");
  book.match({"deal", 0}, {{"with", 3}, {"without", 3}});
  book.match({"deal", 0}, {{"without", 3}, {"with", 3}});
  const auto found = of_label(book, "workflow");
  REQUIRE(found.games.size() == 1);
  const report::MetaGame& game = found.games[0];
  REQUIRE(game.missing.size() == 2);
  CHECK(names(game, game.missing[0]) == std::vector<std::string>{"use", "use"});
  CHECK(names(game, game.missing[1]) == std::vector<std::string>{"not", "not"});
  CHECK(pure(game).empty());
  const std::string words = report::text(found, false);
  CHECK_THAT(words, Contains("No match has 'use' on seat 0") && Contains("[\"with\", \"with\"]"));
  CHECK_THAT(words, !Contains("Pure equilibrium"));
}

TEST_CASE("the game over a label follows the fault policy", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4, 1, 9, {}, 2}, {"with", 6, 1}});
  book.match({"deal", 1}, {{"with", 8, 1}, {"with", 2, 1}});
  const auto score = [&](agon::FaultPolicy policy) {
    return payoff(of_label(book, "workflow", policy).games.at(0), {"use", "use"});
  };
  CHECK(score(agon::FaultPolicy::as_played) == 6);
  CHECK(score(agon::FaultPolicy::forfeit) == 4.5);
  CHECK(score(agon::FaultPolicy::exclude) == 8);
}

TEST_CASE("a forfeit in the game over a label never lifts a loss", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", -4, 1, 9, {}, 2}, {"with", 6, 1}});
  const auto forfeit = of_label(book, "workflow", agon::FaultPolicy::forfeit);
  CHECK(payoff(forfeit.games.at(0), {"use", "use"}) == -4);
}

TEST_CASE("an archive without the label is refused with a way out", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4}, {"other", 6}});
  try {
    of_label(book, "workflwo");
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK_THAT(error.problem(), Contains("did you mean 'workflow'?"));
    CHECK_THAT(error.hint(), Contains("\"labels\""));
  }
  try {
    of_label(book, "workflow");
    FAIL("nothing was thrown");
  } catch (const agon::Error& error) {
    CHECK(error.kind() == agon::ErrorKind::not_found);
    CHECK_THAT(error.hint(), Contains("'with' (use)"));
  }
}

TEST_CASE("the game over a label counts forced answers as the other tables do", "[report][meta]") {
  constexpr double no_zero = std::numeric_limits<double>::quiet_NaN();
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4, no_zero, no_zero, {}, 1}, {"with", 3}});
  book.match({"deal", 1}, {{"with", 6, 1, 9, {}, 1}, {"with", 5}});
  // Without a zero a forfeit keeps what it got: the match is not lost.
  const auto forfeit = of_label(book, "workflow", agon::FaultPolicy::forfeit);
  CHECK(forfeit.games[0].line_ups[0].matches == 2);
  CHECK(payoff(forfeit.games[0], {"use", "use"}) == Approx((4 + 1) / 2.0));
  try {
    of_label(book, "workflow", agon::FaultPolicy::exclude);
    FAIL("nothing is left");
  } catch (const agon::Error& error) {
    CHECK_THAT(error.what(), Contains("stands in a block with a forced answer"));
  }
  book.match({"deal", 2}, {{"with", 6}, {"with", 5}});
  CHECK(of_label(book, "workflow", agon::FaultPolicy::exclude).excluded == 2);
}

TEST_CASE("the game over a label takes a sequence over several items for one unit",
          "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  for (int block = 0; block < 4; ++block)
    for (int position = 0; position < 2; ++position)
      book.match(
          {.scenario = "deal",
           .block = block,
           .cluster = block < 2 ? std::to_string(block) + "." + std::to_string(position) : "same",
           .position = position},
          {{"with", 4}, {"with", 3.0 + block}});
  CHECK(of_label(book, "workflow").games[0].line_ups[0].blocks == 3);
}

TEST_CASE("scenarios of one name under other settings are games of their own", "[report][meta]") {
  // As two plays by hand, which are one suite.
  Book book;
  const auto game = book.game("deal");
  book.scenario("pie 10", game, "deal");
  book.scenario("pie 100", game, "deal");
  book.match({"pie 10", 0}, {{"a", 4}, {"b", 6}});
  book.match({"pie 100", 0}, {{"a", 40}, {"b", 60}});
  const auto found = meta(book, {.agents = "all", .seats_apart = true});
  REQUIRE(found.games.size() == 2);
  CHECK_THAT(found.games[0].label, Contains("deal (settings: ") && Contains("pie 10"));
  CHECK_THAT(found.games[1].label, Contains("deal (settings: ") && Contains("pie 100"));
  CHECK(payoff(found.games[0], {"a", "b"}, 1) == 6);
  CHECK(payoff(found.games[1], {"a", "b"}, 1) == 60);
}

TEST_CASE("a forced answer in a match that its game broke leaves no block out", "[report][meta]") {
  Book book("deal", "deal");
  book.labelled("with", R"({"workflow":"use"})");
  book.match({"deal", 0}, {{"with", 4}, {"with", 6}});
  book.game_fault({"deal", 0}, {"with", "with"}, "broke", 1);
  const auto found = of_label(book, "workflow", agon::FaultPolicy::exclude);
  CHECK(found.excluded == 0);
  CHECK(payoff(found.games.at(0), {"use", "use"}) == 4);
  const auto results = book.collect({.policy = agon::FaultPolicy::exclude});
  CHECK(results.games.at(0).blocks_forced == 0);
  CHECK(score_of(book.make({}, {.policy = agon::FaultPolicy::exclude}), "with") == 5);
}

TEST_CASE("gains have the leaderboard's intervals, also where all blocks say the same",
          "[report][meta]") {
  archive::GameRow duel;
  duel.name = duel.plugin = "duel";
  duel.score_min = 0;
  duel.score_max = 1;
  Book book;
  book.scenario("duel", book.writer().game(duel));
  play_all(book, {"a", "b"}, 12,
           [](std::size_t a, std::size_t, int) { return a == 0 ? 2.0 : 6.0; });
  const auto found = meta(book, {.agents = "all"});
  const auto& normalised = solution(found.games.at(0), report::MetaScale::normalised);
  const report::ReportEstimates board = book.make({.reference = "a"});
  const auto alike = [](const agon::stats::Interval& one, const agon::stats::Interval& other) {
    return one.low == Approx(other.low) && one.high == Approx(other.high);
  };
  CHECK(normalised.payoffs[0][0].note == agon::stats::Note::no_variation);
  CHECK(row_of(board, "a").score.note == agon::stats::Note::no_variation);
  REQUIRE(normalised.gains.size() == 2);
  for (const auto& gain : normalised.gains) {
    CHECK(gain.gain.value.value() == Approx(0.4));
    CHECK(alike(gain.gain.interval.value(), row_of(board, "b").difference.interval.value()));
  }
  const auto& regret = normalised.regrets.at(at(found.games[0], {"a", "a"}));
  CHECK(regret.regret.value() == Approx(0.4));
  CHECK(regret.interval.value().low < 0.3);
  CHECK(regret.interval->high == Approx(0.4));
  CHECK(solution(found.games[0]).payoffs[0][0].note == agon::stats::Note::no_variation);
}
