// The tables of Hua et al. (2024) on Deal or No Deal, made from matches that are played here.

#include <agon/conversion.hpp>
#include <algorithm>
#include <cmath>
#include <deque>

#include "catch.hpp"
#include "deal-or-no-deal/messages.hpp"
#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/strategies.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "deal_or_no_deal_support.hpp"
#include "plugin/catalogue.hpp"

namespace deal_tables_test {
namespace {

using namespace deal_or_no_deal;
using namespace deal_or_no_deal::test;

/// A match that was played here, as tables see those of an archive.
class Seen final : public agon::PlayedMatch {
 public:
  Seen(Played played, const std::string& settings, std::array<std::string, 2> agents,
       std::array<std::string, 2> labels)
      : played_(std::move(played)),
        settings_(settings),
        agents_(std::move(agents)),
        labels_(std::move(labels)) {
    for (int seat = 0; seat < 2; ++seat) {
      agon::PlayedSeat& row = seats_[static_cast<std::size_t>(seat)];
      row.name = seat == 0 ? "Alice" : "Bob";
      row.agent = row.base = agents_[static_cast<std::size_t>(seat)];
      row.factors = labels_[static_cast<std::size_t>(seat)];
      row.score = played_.outcome[seat].score;
    }
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  std::string_view game() const override { return "deal-or-no-deal"; }
  std::string_view scenario() const override { return "s"; }
  std::string_view preset() const override { return "agon"; }
  std::string_view treatment() const override { return "{}"; }
  std::string_view settings() const override { return settings_; }
  std::int64_t block() const override { return 0; }
  std::int64_t repeat() const override { return 0; }
  std::int64_t position() const override { return 0; }
  std::string_view focal() const override { return ""; }
  std::span<const agon::PlayedSeat> seats() const override { return seats_; }
  double metric(std::string_view name) const override { return played_.metric(name); }
  double metric(const agon::PlayedSeat& seat, std::string_view name) const override {
    return played_.metric(name, static_cast<int>(&seat - seats_.data()));
  }
  std::vector<agon::PlayedEntry> entries() const override {
    std::vector<agon::PlayedEntry> found;
    for (const auto& said : played_.said) {
      agon::PlayedEntry entry;
      entry.what = agon::PlayedEntry::What::event;
      entry.name = said.name;
      entry.json = said.json;
      found.push_back(std::move(entry));
    }
    return found;
  }
  const Played& played() const { return played_; }

 private:
  Played played_;
  std::string settings_;
  std::array<std::string, 2> agents_;
  std::array<std::string, 2> labels_;
  std::array<agon::PlayedSeat, 2> seats_;
};

/// Some of them.
class Matches final : public agon::PlayedMatches {
 public:
  void each(const std::function<void(const agon::PlayedMatch&)>& each) const override {
    for (const Seen& seen : seen_) each(seen);
  }
  double level() const override { return 0.95; }

  /// Plays over listed instances with these agents on the seats.
  void play(const std::string& instances, int instance, std::array<const agon::Agent*, 2> agents,
            std::array<std::string, 2> names, std::array<std::string, 2> labels = {"{}", "{}"},
            const std::string& more = R"("protocol": "negotiation")") {
    const std::string settings = R"({"instances": )" + instances + R"(, "instance": )" +
                                 std::to_string(instance) + ", " + more + "}";
    seen_.emplace_back(
        ScriptedMatch(dond(), settings).agent(0, *agents[0]).agent(1, *agents[1]).play(), settings,
        std::move(names), std::move(labels));
  }
  const Seen& operator[](std::size_t i) const { return seen_[i]; }
  std::size_t size() const { return seen_.size(); }

 private:
  std::deque<Seen> seen_;
};

/// Point 0, one without an envy-free split, and one that people agreed on.
const std::string instances = R"([
  {"id": "a", "line": 1, "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]],
   "human": {"ending": "agreed", "messages": 4, "split": [[0, 1, 1], [1, 0, 2]]}},
  {"id": "b", "line": 3, "counts": [1, 1, 3], "values": [[10, 0, 0], [7, 3, 0]],
   "human": {"ending": "no-agreement", "messages": 9, "split": null}},
  {"id": "c", "line": 5, "counts": [2, 1, 2], "values": [[1, 4, 2], [2, 4, 1]],
   "human": {"ending": "disagreed", "messages": 3, "split": null}}])";

agon::TableCard card_of(std::string_view id) {
  agon::Catalogue catalogue;
  add_tables(catalogue);
  return catalogue.table("game-theory/table-" + std::string(id));
}

agon::PaperTable made(std::string_view id, const Matches& matches) {
  const agon::PaperTable table = card_of(id).make(matches);
  for (const agon::TableRow& row : table.rows) CHECK(row.cells.size() == table.columns.size());
  return table;
}

const agon::TableCell& at(const agon::PaperTable& table, const std::string& row,
                          const std::string& column) {
  for (const agon::TableRow& r : table.rows)
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      if (r.label == row && table.columns[c] == column) return r.cells[c];
  FAIL("no " << row << " / " << column);
  static const agon::TableCell none;
  return none;
}

bool has_row(const agon::PaperTable& table, const std::string& label) {
  for (const agon::TableRow& row : table.rows)
    if (row.label == label) return true;
  return false;
}

const EnvyFreeBayes bayes({});
const Concede concede({});
const std::string use = R"({"workflow":"use"})";

}  // namespace

TEST_CASE("tables 10 and 12: who uses the workflow goes into which, by label or by name") {
  Matches matches;
  for (const int instance : {0, 1, 2}) {
    matches.play(instances, instance, {&concede, &concede}, {"gpt-4o", "gpt-4o"});
    matches.play(instances, instance, {&bayes, &bayes}, {"gpt-4o workflow", "gpt-4o workflow"},
                 {use, use});
    matches.play(instances, instance, {&bayes, &bayes}, {"envy-free-bayes", "envy-free-bayes"});
    matches.play(instances, instance, {&concede, &bayes}, {"gpt-4o", "envy-free-bayes"});
    matches.play(instances, instance, {&concede, &concede}, {"other", "other"}, {"{}", "{}"},
                 R"("protocol": "alternating_offers")");
  }
  // A second model over the same points makes no further best splits.
  for (const int instance : {0, 1, 2})
    matches.play(instances, instance, {&concede, &concede}, {"o3", "o3"});
  const auto raw = made("10", matches);
  const auto mean = [&](std::size_t first, auto value) {
    return (value(matches[first]) + value(matches[first + 10])) / 2;
  };
  // Of the three instances the second has no envy-free split and does not count.
  const agon::TableCell& rounds = at(raw, "gpt-4o", "rounds");
  CHECK(rounds.ours.value ==
        Approx(mean(0, [](const Seen& seen) { return seen.metric("rounds"); })));
  CHECK(rounds.ours.n == 2);
  CHECK(rounds.published == 18.45);
  CHECK(at(raw, "gpt-4o", "Bob's score").ours.value ==
        Approx(mean(0, [](const Seen& seen) { return seen.seats()[1].score; })));
  CHECK(at(raw, "gpt-4o", "agreement").published == .6363);
  CHECK(std::isnan(at(raw, "o1", "total").ours.value));
  CHECK(at(raw, "o1", "total").published == 8.82);
  CHECK_FALSE(has_row(raw, "envy-free-bayes"));
  CHECK_FALSE(has_row(raw, "other"));

  // The best splits of the two points, and what people made of them.
  CHECK(at(raw, "best", "Alice's score").ours.value ==
        Approx(mean(0, [](const Seen& s) { return s.metric(s.seats()[0], "fair_value"); })));
  CHECK(at(raw, "best", "agreement").ours.value == 1);
  CHECK(at(raw, "best", "agreement").ours.n == 2);
  CHECK(at(raw, "human", "agreement").ours.value == 0.5);
  CHECK(at(raw, "human", "Alice's score").ours.value == Approx(2.5));
  CHECK(at(raw, "human", "Bob's score").ours.value == Approx(4));
  CHECK(at(raw, "human", "rounds").ours.value == Approx(1.75));

  const auto both = made("12", matches);
  CHECK(both.rows.front().label == "claude-3-opus");
  CHECK(at(both, "gpt-4o", "total").ours.value ==
        Approx(at(both, "envy-free-bayes", "total").ours.value));
  CHECK(at(both, "gpt-4o", "Alice's score").published == 5.93);
  CHECK(both.rows.back().label == "envy-free-bayes");
  CHECK_FALSE(has_row(both, "best"));
  CHECK_FALSE(has_row(both, "human"));
}

TEST_CASE("tables 11, 13, 17, 18: temperatures and one-sided workflows") {
  Matches matches;
  const std::string cold = "gpt-4o, temperature 0";
  matches.play(instances, 0, {&concede, &concede}, {cold, cold});
  matches.play(instances, 0, {&concede, &concede}, {"claude-3-opus", "claude-3-opus"});
  matches.play(instances, 0, {&bayes, &concede}, {"gpt-4o workflow", "gpt-4o"}, {use, "{}"});
  matches.play(instances, 0, {&concede, &bayes}, {"gpt-4o", "gpt-4o workflow"},
               {R"({"workflow":"not"})", use});
  const auto temperatures = made("11", matches);
  REQUIRE(temperatures.rows.size() == 2);
  CHECK(at(temperatures, cold, "rounds").ours.n == 1);
  CHECK(at(temperatures, cold, "rounds").published == 19.36);
  CHECK(std::isnan(at(temperatures, "gpt-4o", "rounds").ours.value));
  CHECK_THROWS_AS(made("13", matches), agon::LacksData);
  CHECK_THROWS_AS(made("12", matches), agon::LacksData);
  const auto alice = made("17", matches);
  CHECK(at(alice, "gpt-4o", "Alice's score").ours.value == matches[2].seats()[0].score);
  CHECK(at(alice, "gpt-4o", "Alice's score").published == 3.66);
  const auto bob = made("18", matches);
  CHECK(at(bob, "gpt-4o", "Alice's score").ours.value == matches[3].seats()[0].score);
  CHECK(at(bob, "claude-3-opus", "Bob's score").published == 4.57);
}

TEST_CASE("tables 14 to 16: estimates in the end, round by round, and up to what is alike") {
  Matches matches;
  for (const int instance : {0, 2})
    matches.play(instances, instance, {&bayes, &bayes}, {"gpt-4o", "gpt-4o"}, {use, use},
                 R"("max_rounds": 5)");
  const auto last = made("14", matches);
  double precision = 0;
  double reduction = 0;
  for (std::size_t m = 0; m < 2; ++m)
    for (const agon::PlayedSeat& seat : matches[m].seats()) {
      precision += matches[m].metric(seat, "belief_precision") / 4;
      reduction += matches[m].metric(seat, "belief_reduction") / 4;
    }
  CHECK(at(last, "gpt-4o", "precision").ours.value == Approx(precision));
  CHECK(at(last, "gpt-4o", "reduction").ours.value == Approx(reduction));
  CHECK(at(last, "gpt-4o", "precision").ours.n == 4);
  CHECK(at(last, "claude-3-opus", "recall").published == .2737);

  const auto rounds = made("15", matches);
  REQUIRE(rounds.columns.size() == 7);
  CHECK(at(rounds, "claude-3.5-sonnet, precision", "round 3").published == .75);
  CHECK(std::isnan(at(rounds, "gpt-4o, precision", "round 3").published));
  // The last column is the end, as no game here goes on for longer than five rounds.
  CHECK(at(rounds, "gpt-4o, reduction", "round 7").ours.value == Approx(reduction));
  CHECK(at(rounds, "gpt-4o, precision", "round 1").ours.n == 4);
  CHECK(at(rounds, "gpt-4o, reduction", "round 1").ours.value <= reduction + 1e-9);

  const auto alike = made("16", matches);
  CHECK(alike.columns == std::vector<std::string>{"precision", "recall"});
  CHECK(at(alike, "gpt-4o", "precision").ours.value >= precision);
  CHECK(at(alike, "gpt-4o", "recall").published == .5633);
}

TEST_CASE("table 9: points, and how people fared where that is known") {
  Matches matches;
  matches.play(instances, 0, {&concede, &concede}, {"a", "b"});
  const auto table = made("9", matches);
  REQUIRE(table.columns.size() == 10);
  CHECK(table.columns.front() == "2");
  CHECK(at(table, "points", "2").published == 13);
  CHECK(at(table, "Pareto-optimal", "4").published == .4385);
  // The distances are 6, 6 and 2, and the third is covered by nothing.
  CHECK(at(table, "points", "6").ours.value >= 1);
  const auto& agreement = at(table, "agreement", "11");
  CHECK(agreement.ours.value >= 0);
  CHECK(agreement.ours.value <= 1);

  Matches bare;
  bare.play(R"([{"id": "x", "counts": [1, 1, 3], "values": [[1, 3, 2], [4, 0, 2]]}])", 0,
            {&concede, &concede}, {"a", "b"});
  const auto unknown = made("9", bare);
  CHECK(at(unknown, "points", "6").ours.value == 1);
  CHECK(std::isnan(at(unknown, "agreement", "6").ours.value));
}

TEST_CASE("table 19: the printed matrices and the corrected ones have these equilibria") {
  const auto equilibria = [](std::string_view table, std::string_view model) {
    return meta_equilibria(printed_scores(published(table), model));
  };
  constexpr std::string_view printed = "game-theory/table-19";
  constexpr std::string_view corrected = "game-theory/table-19, corrected";
  using At = std::vector<std::size_t>;
  // 0 both, 1 Alice alone, 2 Bob alone, 3 nobody.
  CHECK(equilibria(printed, "claude-3.5-sonnet") == At{3});
  CHECK(equilibria(printed, "gpt-4o") == At{0});
  CHECK(equilibria(printed, "claude-3-opus") == At{0});
  CHECK(equilibria(corrected, "claude-3.5-sonnet") == At{2});
  CHECK(equilibria(corrected, "gpt-4o") == At{0});
  CHECK(equilibria(corrected, "claude-3-opus") == At{0});
}

TEST_CASE("table 19: our matrix comes from the matches") {
  Matches matches;
  const auto case_of = [&](bool alice, bool bob) {
    const auto agent = [](bool uses) -> const agon::Agent* {
      return uses ? static_cast<const agon::Agent*>(&bayes) : &concede;
    };
    matches.play(instances, 0, {agent(alice), agent(bob)},
                 {alice ? "m workflow" : "m", bob ? "m workflow" : "m"});
  };
  case_of(true, true);
  case_of(true, false);
  case_of(false, true);
  const auto partly = made("19", matches);
  CHECK(std::isnan(at(partly, "m: nobody", "Alice's score").ours.value));
  case_of(false, false);
  const auto table = made("19", matches);
  MetaScores ours{};
  const std::array<std::string, 4> rows{"m: both use it", "m: Alice alone", "m: Bob alone",
                                        "m: nobody"};
  for (std::size_t i = 0; i < 4; ++i) {
    ours[i] = {at(table, rows[i], "Alice's score").ours.value,
               at(table, rows[i], "Bob's score").ours.value};
    CHECK(ours[i][0] == matches[i].seats()[0].score);
    CHECK(ours[i][1] == matches[i].seats()[1].score);
  }
  const auto equilibria = meta_equilibria(ours);
  for (std::size_t i = 0; i < 4; ++i) {
    const bool is = std::find(equilibria.begin(), equilibria.end(), i) != equilibria.end();
    CHECK((at(table, rows[i], "ours").text == "equilibrium") == is);
  }
  CHECK(at(table, "claude-3.5-sonnet: Bob alone", "Bob's score").published == 5.07);
}

TEST_CASE("tables of Deal or No Deal say what an archive lacks") {
  const Matches nothing;
  for (const std::string_view id :
       {"9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19"}) {
    INFO(id);
    CHECK_THROWS_AS(card_of(id).make(nothing), agon::LacksData);
    CHECK(card_of(id).game == "deal-or-no-deal");
  }
}

}  // namespace deal_tables_test
