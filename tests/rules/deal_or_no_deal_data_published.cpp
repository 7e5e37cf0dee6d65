// The published numbers, recomputed from the published files: sections 2.1 and 3.2 to 3.9 of the
// game's rules. The files are not ours to ship; without them every case says so and passes.

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <tuple>

#include "catch.hpp"
#include "deal-or-no-deal/instances.hpp"
#include "deal-or-no-deal/valuations.hpp"
#include "deal_or_no_deal_rows.hpp"
#include "support/folders.hpp"

using namespace deal_or_no_deal;
using test::import_text;
using test::ImportedRows;

namespace {

std::string published_text(const std::string& file) {
  const auto path = agon::test::published_data_folder() / file;
  std::ifstream stream(path, std::ios::binary);
  if (!stream) SKIP("there is no " << path << " (set AGON_DATA to the folder with the data)");
  return std::string{std::istreambuf_iterator<char>(stream), {}};
}

bool near(double a, double b, double tolerance = 1e-4) {
  return std::abs(a - b) <= tolerance;
}

std::map<Ending, int> endings(const ImportedRows& found) {
  std::map<Ending, int> counted;
  for (const Row& row : found.rows) {
    if (row.human) ++counted[row.human->ending];
  }
  return counted;
}

std::map<std::int64_t, int> sizes(const ImportedRows& found) {
  std::map<std::int64_t, int> counted;
  for (const Row& row : found.rows) ++counted[total(row.instance.counts)];
  return counted;
}

bool all_keep_constraints(const ImportedRows& found) {
  return std::all_of(found.rows.begin(), found.rows.end(),
                     [](const Row& row) { return keeps(row.instance); });
}

using Endings = std::map<Ending, int>;
using Sizes = std::map<std::int64_t, int>;

/// The 44 points of the paper's tables: the hard points that have an envy-free split.
std::vector<std::size_t> table_points(const std::vector<Row>& rows) {
  std::vector<std::size_t> points;
  for (const std::size_t position : hard_points(rows, select_points(rows), 4, 50)) {
    if (yardsticks(rows[position].instance).envy_free > 0) points.push_back(position);
  }
  return points;
}

}  // namespace

TEST_CASE("Deal or No Deal 2.1: test.txt and val.txt have no bad line") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto val = published_text("deal-or-no-deal/val.txt");
  const auto first = import_text(test, "test.txt");
  CHECK(first.format == "tagged-dialogues");
  CHECK(first.bad.empty());
  CHECK(first.rows.size() == 1052);
  CHECK(endings(first) == Endings{{Ending::agreed, 804},
                                  {Ending::disagreed, 142},
                                  {Ending::no_agreement, 96},
                                  {Ending::disconnected, 10}});
  CHECK(sizes(first) == Sizes{{5, 391}, {6, 488}, {7, 173}});
  CHECK(all_keep_constraints(first));
  const auto second = import_text(val, "val.txt");
  CHECK(second.bad.empty());
  CHECK(second.rows.size() == 1087);
  CHECK(endings(second) == Endings{{Ending::agreed, 844},
                                   {Ending::disagreed, 129},
                                   {Ending::no_agreement, 108},
                                   {Ending::disconnected, 6}});
  CHECK(sizes(second) == Sizes{{5, 438}, {6, 435}, {7, 214}});
  CHECK(all_keep_constraints(second));
}

TEST_CASE("Deal or No Deal 2.1: data.txt has no bad line, whatever its tails look like") {
  const auto flat = published_text("deal-or-no-deal/data.txt");
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto found = import_text(flat, "data.txt");
  CHECK(found.format == "flat-dialogues");
  CHECK(found.bad.empty());
  CHECK(found.rows.size() == 12234);
  CHECK(endings(found) == Endings{{Ending::agreed, 9531},
                                  {Ending::disagreed, 1310 + 132},
                                  {Ending::no_agreement, 1182},
                                  {Ending::disconnected, 79}});
  CHECK(all_keep_constraints(found));
  // Every line of the tagged test split is in the flat file, with the same outcome.
  const auto key = [](const Row& row) {
    return std::tuple(row.instance.counts, row.instance.values, row.human->ending,
                      row.human->messages,
                      row.human->split ? row.human->split->parts : std::array<Amounts, 2>{});
  };
  std::set<decltype(key(found.rows[0]))> known;
  for (const Row& row : found.rows) known.insert(key(row));
  std::size_t missing = 0;
  for (const Row& row : import_text(test, "test.txt").rows) {
    if (!known.contains(key(row))) ++missing;
  }
  CHECK(missing <= 2);  // two lines record a disconnection as a disagreement
}

TEST_CASE("Deal or No Deal 2.1: selfplay.txt and OpenSpiel's instances") {
  const auto selfplay = published_text("deal-or-no-deal/selfplay.txt");
  const auto pools = published_text("open-spiel-bargaining/bargaining_instances1000.txt");
  const auto pairs = import_text(selfplay, "selfplay.txt");
  CHECK(pairs.format == "paired-contexts");
  CHECK(pairs.bad.empty());
  CHECK(pairs.rows.size() == 4086);
  // The rules count lines, of which each scenario has two.
  CHECK(sizes(pairs) == Sizes{{5, 4268 / 2}, {6, 3436 / 2}, {7, 468 / 2}});
  CHECK(all_keep_constraints(pairs));
  const auto singles = import_text(pools, "bargaining_instances1000.txt");
  CHECK(singles.format == "pools");
  CHECK(singles.bad.empty());
  CHECK(singles.rows.size() == 1000);
  CHECK(sizes(singles) == Sizes{{5, 426}, {6, 327}, {7, 247}});
  CHECK(all_keep_constraints(singles));
  int largest = 0;
  for (const Row& row : singles.rows) {
    largest = std::max(largest,
                       *std::max_element(row.instance.counts.begin(), row.instance.counts.end()));
  }
  CHECK(largest == 5);
}

TEST_CASE("Deal or No Deal 2.1: a file of instances keeps no words") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  CHECK(agon::test::import("deal-or-no-deal", {{"test.txt", test}}).data.find("eos") ==
        std::string::npos);
}

TEST_CASE("Deal or No Deal 3.2: Table 9 and the counts behind it") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  const auto selection = select_points(rows);
  CHECK(selection.looked_at == 526);
  CHECK(selection.repeated == 207);
  CHECK(selection.halvable == 37);
  CHECK(selection.covered == 34);
  CHECK(selection.kept.size() == 248);

  struct Column {
    int distance;
    std::size_t points;
    double agreed, envy_free, pareto_optimal, fair;
  };
  const std::array<Column, 10> table{{
      {2, 13, .5385, .3077, .5385, .3077},
      {3, 27, .5556, .4074, .4444, .3333},
      {4, 57, .5614, .4035, .4386, .3333},
      {5, 85, .6235, .4824, .4824, .3882},
      {6, 108, .6574, .5463, .5278, .4537},
      {7, 133, .6917, .6015, .5414, .4812},
      {8, 177, .7119, .6441, .5311, .4859},
      {9, 189, .7249, .6614, .5397, .4974},
      {10, 210, .7381, .6810, .5524, .5143},
      {11, 217, .7373, .6820, .5530, .5161},
  }};
  for (const Column& column : table) {
    const auto points = hard_points(rows, selection, column.distance, rows.size());
    const auto humans = summarise_humans(rows, points);
    const auto share = [&](std::size_t count) {
      return static_cast<double>(count) / static_cast<double>(humans.points);
    };
    CAPTURE(column.distance);
    CHECK(humans.points == column.points);
    CHECK(near(share(humans.agreed), column.agreed));
    CHECK(near(share(humans.envy_free), column.envy_free));
    CHECK(near(share(humans.pareto_optimal), column.pareto_optimal));
    CHECK(near(share(humans.fair), column.fair));
  }
  CHECK(hard_points(rows, selection, 12, rows.size()).size() == 236);
  CHECK(hard_points(rows, selection, 15, rows.size()).size() < 248);
  CHECK(hard_points(rows, selection, 16, rows.size()).size() == 248);
}

TEST_CASE("Deal or No Deal 3.2: all 526 points") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  std::vector<std::size_t> points;
  std::size_t with_envy_free = 0;
  for (std::size_t i = 0; i < rows.size(); i += 2) {
    points.push_back(i);
    if (yardsticks(rows[i].instance).envy_free > 0) ++with_envy_free;
  }
  const auto humans = summarise_humans(rows, points);
  CHECK(humans.points == 526);
  CHECK(humans.agreed == 402);
  CHECK(humans.envy_free == 371);
  CHECK(humans.pareto_optimal == 286);
  CHECK(humans.fair == 267);
  CHECK(with_envy_free == 513);
}

TEST_CASE("Deal or No Deal 3.3: the 50 hard points, and the 44 with an envy-free split") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto sampled = published_text("game-theory-llm/sampled_50_deal_no_deal.txt");
  const auto rows = import_text(test, "test.txt").rows;
  const auto expected = import_text(sampled, "sampled.txt").rows;
  const auto points = hard_points(rows, select_points(rows), 4, 50);
  REQUIRE(points.size() == 50);
  REQUIRE(expected.size() == 50);
  std::map<int, int> distances;
  std::vector<std::size_t> without;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Row& row = rows[points[i]];
    CHECK(test::same_game(row.instance, expected[i].instance));
    CHECK(row.human == expected[i].human);
    ++distances[value_distance(row.instance)];
    const auto found = yardsticks(row.instance);
    if (found.envy_free == 0) without.push_back(i);
    CHECK((found.envy_free > 0) == found.best.has_value());
  }
  CHECK(distances == std::map<int, int>{{2, 13}, {3, 11}, {4, 26}});
  CHECK(without == std::vector<std::size_t>{5, 6, 8, 12, 26, 47});
}

TEST_CASE("Deal or No Deal 3.4: the Best row") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  const auto points = table_points(rows);
  REQUIRE(points.size() == 44);
  std::array<std::int64_t, 2> best{};
  std::array<std::int64_t, 2> last_on_tie{};
  std::int64_t joint = 0;
  std::int64_t envy_free_joint = 0;
  int tied = 0;
  for (const std::size_t position : points) {
    const auto list = outcomes(rows[position].instance);
    const auto found = yardsticks(rows[position].instance);
    REQUIRE(found.best);
    const Outcome* last = nullptr;
    for (const Outcome& outcome : list) {
      if (outcome.envy_free && outcome.pareto_optimal && outcome.joint() == found.best->joint()) {
        last = &outcome;
        CHECK(outcome.scores[0] >= found.best->scores[0]);
      }
    }
    REQUIRE(last != nullptr);
    for (std::size_t side = 0; side < 2; ++side) {
      best[side] += found.best->scores[side];
      last_on_tie[side] += last->scores[side];
    }
    joint += found.best_joint;
    envy_free_joint += found.best_envy_free_joint.value_or(0);
    if (found.best_ties > 1) ++tied;
  }
  CHECK(best == std::array<std::int64_t, 2>{256, 293});
  CHECK(envy_free_joint == 549);
  CHECK(tied == 20);
  CHECK(last_on_tie == std::array<std::int64_t, 2>{281, 268});
  CHECK(near(static_cast<double>(joint) / 44, 12.93, .005));
}

TEST_CASE("Deal or No Deal 3.4: the human row") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  const auto humans = summarise_humans(rows, table_points(rows));
  CHECK(humans.points == 44);
  CHECK(humans.agreed == 25);
  CHECK(humans.scores == std::array<std::int64_t, 2>{150, 153});
  CHECK(humans.pareto_optimal == 20);
  CHECK(humans.envy_free == 19);
  CHECK(humans.fair == 16);
  CHECK(humans.messages == 289);
}

TEST_CASE("Deal or No Deal 3.7: first proposals of the 50 hard points") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  const auto points = hard_points(rows, select_points(rows), 4, 50);
  REQUIRE(points.size() == 50);
  CHECK(rows[points[0]].instance.counts == Amounts{1, 1, 3});
  CHECK(rows[points[0]].instance.values[0] == Amounts{1, 3, 2});
  int tied = 0;
  for (const std::size_t position : points) {
    const Instance& instance = rows[position].instance;
    const Belief belief(instance.counts, instance.values[0], 0);
    const auto proposal = belief.proposal();
    REQUIRE(proposal);
    const auto score = worth(proposal->parts[0], instance.values[0]);
    int equals = 0;
    for (const Split& split : all_splits(instance.counts)) {
      const auto& [own, rest] = split.parts;
      if (envies(instance.values[0], own, rest)) continue;
      const auto& others = belief.candidates();
      if (std::all_of(others.begin(), others.end(),
                      [&, &mine = own, &theirs = rest](const Amounts& values) {
                        return envies(values, theirs, mine);
                      }))
        continue;
      const auto other = worth(split.parts[0], instance.values[0]);
      CHECK(other <= score);
      if (other == score) ++equals;
    }
    if (equals > 1) ++tied;
  }
  CHECK(tied == 22);
}

TEST_CASE("Deal or No Deal 3.9: indistinguishable valuations of the other side") {
  const auto test = published_text("deal-or-no-deal/test.txt");
  const auto rows = import_text(test, "test.txt").rows;
  std::size_t prior_total = 0;
  std::size_t alike_total = 0;
  std::size_t without_envy_free = 0;
  for (const std::size_t position : table_points(rows)) {
    const auto& [id, line, counts, values] = rows[position].instance;
    const auto prior = valuations(counts);
    prior_total += prior.size();
    const auto alike = indistinguishable(counts, values[0], values[1], prior);
    CHECK(std::find(alike.begin(), alike.end(), values[1]) != alike.end());
    alike_total += alike.size();
    for (const Amounts& candidate : prior) {
      if (optimal_splits(counts, values[0], candidate).empty()) ++without_envy_free;
    }
  }
  CHECK(prior_total == 746);
  CHECK(alike_total == 146);
  CHECK(alike_total + without_envy_free == 185);
}
