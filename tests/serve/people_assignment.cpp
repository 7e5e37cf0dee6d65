// Who plays what, when and with whom, as a design has it: properties over random arrivals, and
// sessions that nobody plays.
#include <agon/random.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "catch.hpp"
#include "design/plan.hpp"
#include "people/matching/assignment.hpp"
#include "people/matching/rehearsal.hpp"

using agon::serve::Assigned;
using agon::serve::AssignedKind;
using agon::serve::Assigner;
using agon::serve::MatchToFill;
using agon::serve::PlayDesign;
using agon::serve::WaitingPerson;
using agon::suite_file::Matching;
using agon::suite_file::PlayOrder;
using agon::suite_file::TreatmentsBy;

namespace {

/// A stage of so many scenarios of so many treatments.
PlayDesign stage_of(std::size_t scenarios, std::uint64_t treatments, std::size_t matches) {
  PlayDesign design;
  for (std::size_t s = 0; s < scenarios; ++s) {
    design.scenarios.push_back(s);
    design.names.emplace_back(1, static_cast<char>('a' + s));
    design.treatments.push_back(treatments);
  }
  design.matches = matches;
  design.stage = 1;
  return design;
}

/// Matches of all scenarios and treatments of a stage: treatments alternate, blocks follow.
std::vector<MatchToFill> matches_of(const PlayDesign& design, std::size_t blocks,
                                    std::size_t needed) {
  std::vector<MatchToFill> open;
  for (std::size_t i = 0; i < design.scenarios.size(); ++i)
    for (std::size_t b = 0; b < blocks; ++b)
      for (std::uint64_t t = 0; t < design.treatments[i]; ++t)
        open.push_back({design.scenarios[i], t, 100 * i + b, needed});
  return open;
}

struct Sat {
  MatchToFill match;
  std::vector<std::int64_t> people;
};

/// A stage that people come to and play, in an order drawn by `chance`.
class PlayedStage {
 public:
  PlayedStage(const PlayDesign& of, std::vector<MatchToFill> matches, std::uint64_t seed)
      : assigner({of}, seed), open(std::move(matches)) {}

  void come(std::int64_t person) {
    for (Assigned& given : assigner.begin(0, person)) rows.push_back(std::move(given));
    waiting.push_back({person, 0, ++arrived_});
    if (on_come) on_come();
  }
  /// Seats whom it can; they play until finish().
  void seat() {
    std::vector<WaitingPerson> here = waiting;
    for (const auto& table : playing)
      for (const std::int64_t person : table) here.push_back({person, 0, 0, false});
    const agon::serve::SeatedPeople seating = assigner.seat(open, here);
    left_over = seating.left_over;
    rows.insert(rows.end(), seating.formed.begin(), seating.formed.end());
    std::set<std::size_t> taken;
    for (const auto& group : seating.seated) {
      taken.insert(group.match);
      sat.push_back({open[group.match], group.people});
      playing.push_back(group.people);
      rows.insert(rows.end(), group.assigned.begin(), group.assigned.end());
      for (const std::int64_t person : group.people) {
        played[person].push_back(open[group.match].scenario);
        std::erase_if(waiting, [&](const WaitingPerson& p) { return p.person == person; });
      }
      if (on_seat) on_seat();
    }
    std::size_t i = 0;
    std::erase_if(open, [&](const MatchToFill&) { return taken.contains(i++); });
  }
  void finish(std::size_t table) {
    for (const std::int64_t person : playing[table])
      if (played[person].size() < assigner.designs()[0].matches) come_again(person);
    playing.erase(playing.begin() + static_cast<std::ptrdiff_t>(table));
  }
  /// Everybody comes and matches end, as chance has it.
  void run(std::int64_t people, std::uint64_t chance) {
    agon::Dice dice(chance);
    const auto order = agon::design::shuffled(static_cast<std::uint64_t>(people), chance);
    std::size_t came = 0;
    while (came < order.size() || !playing.empty()) {
      if (came < order.size() && (playing.empty() || dice.below(2) == 0))
        come(static_cast<std::int64_t>(order[came++]) + 1);
      else
        finish(dice.below(playing.size()));
      seat();
    }
  }
  std::vector<Assigned> of_kind(AssignedKind kind) const {
    std::vector<Assigned> found;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(found),
                 [&](const Assigned& row) { return row.kind == kind; });
    return found;
  }

  Assigner assigner;
  std::vector<MatchToFill> open;
  std::vector<WaitingPerson> waiting;
  std::vector<std::vector<std::int64_t>> playing;
  std::vector<Sat> sat;
  std::map<std::int64_t, std::vector<std::size_t>> played;
  std::vector<Assigned> rows;
  std::vector<std::int64_t> left_over;
  std::function<void()> on_come, on_seat;

 private:
  void come_again(std::int64_t person) { waiting.push_back({person, 0, ++arrived_}); }
  std::uint64_t arrived_ = 0;
};

std::uint64_t apart(const std::vector<std::uint64_t>& counts) {
  const auto [least, most] = std::minmax_element(counts.begin(), counts.end());
  return *most - *least;
}

/// How often two people played together, at most.
int most_meetings(const PlayedStage& stage) {
  std::map<std::pair<std::int64_t, std::int64_t>, int> met;
  int most = 0;
  for (const Sat& sat : stage.sat)
    for (const std::int64_t a : sat.people)
      for (const std::int64_t b : sat.people)
        if (a < b) most = std::max(most, ++met[{a, b}]);
  return most;
}

std::map<std::int64_t, std::vector<std::size_t>> all_played(const PlayDesign& design,
                                                            std::size_t needed, std::int64_t people,
                                                            std::uint64_t chance) {
  PlayedStage stage(design, matches_of(design, 40, needed), 7);
  stage.run(people, chance);
  return stage.played;
}

}  // namespace

TEST_CASE("people are spread over treatments within one at any time", "[serve][people]") {
  PlayDesign design = stage_of(2, 3, 2);
  design.treatments_by = TreatmentsBy::person;
  for (std::uint64_t chance = 1; chance <= 30; ++chance) {
    PlayedStage stage(design, matches_of(design, 40, 2), chance);
    stage.on_come = [&] {
      for (std::size_t scenario = 0; scenario < 2; ++scenario) {
        std::vector<std::uint64_t> counts(3);
        for (const Assigned& row : stage.of_kind(AssignedKind::treatment))
          if (row.scenario == scenario) ++counts[row.number];
        CHECK(apart(counts) <= 1);
      }
    };
    stage.run(24, chance);
    // What they were given is what they play.
    std::map<std::pair<std::int64_t, std::size_t>, std::uint64_t> theirs;
    for (const Assigned& row : stage.of_kind(AssignedKind::treatment))
      theirs[{row.person, *row.scenario}] = row.number;
    CHECK(theirs.size() == 48);
    for (const Sat& sat : stage.sat)
      for (const std::int64_t person : sat.people)
        CHECK(theirs.at({person, sat.match.scenario}) == sat.match.treatment);
  }
}

TEST_CASE("groups are spread over treatments within one at any time", "[serve][people]") {
  PlayDesign design = stage_of(1, 3, 2);
  design.treatments_by = TreatmentsBy::group;
  bool any_order_differs = false;
  for (std::uint64_t chance = 1; chance <= 30; ++chance) {
    PlayedStage stage(design, matches_of(design, 40, 2), chance);
    stage.on_seat = [&] {
      std::vector<std::uint64_t> counts(3);
      for (const Sat& sat : stage.sat) ++counts[sat.match.treatment];
      CHECK(apart(counts) <= 1);
    };
    stage.run(18, chance);
    CHECK(stage.sat.size() >= 17);  // the last may be left alone
    any_order_differs = any_order_differs || stage.sat.front().match.treatment != 0;
  }
  CHECK(any_order_differs);
  // Those who stay together keep what they drew.
  design.matching = Matching::partners;
  design.together = 2;
  PlayedStage stage(design, matches_of(design, 40, 2), 3);
  stage.run(18, 3);
  std::map<std::int64_t, std::set<std::uint64_t>> met;
  for (const Sat& sat : stage.sat)
    for (const std::int64_t person : sat.people) met[person].insert(sat.match.treatment);
  for (const auto& [person, treatments] : met) CHECK(treatments.size() == 1);
}

TEST_CASE("when people come does not decide their treatment beyond the block", "[serve][people]") {
  PlayDesign design = stage_of(1, 2, 1);
  design.treatments_by = TreatmentsBy::person;
  std::vector<std::uint64_t> first(2), second_of_block(2);
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Assigner assigner({design}, seed);
    ++first[assigner.begin(0, 1).back().number];
    (void)assigner.begin(0, 2);
    ++second_of_block[assigner.begin(0, 3).back().number];
  }
  CHECK(apart(first) < 80);  // four standard deviations
  CHECK(apart(second_of_block) < 80);
  // Within: the first who comes meets the first that is planned, whatever the seed.
  design.treatments_by = TreatmentsBy::within;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    PlayedStage stage(design, matches_of(design, 4, 1), seed);
    stage.come(1);
    stage.seat();
    CHECK(stage.sat.front().match.treatment == 0);
    CHECK(stage.rows.back().why == "by arrival");
  }
}

TEST_CASE("a Latin square's rows are played equally often", "[serve][people]") {
  for (const std::size_t scenarios : {3, 4}) {
    PlayDesign design = stage_of(scenarios, 1, scenarios);
    design.order = PlayOrder::latin;
    const std::size_t rows = scenarios == 3 ? 6 : 4;
    for (std::uint64_t chance = 1; chance <= 10; ++chance) {
      const auto played = all_played(design, 1, 24, chance);
      std::map<std::vector<std::size_t>, int> times;
      for (const auto& [person, order] : played) {
        CHECK(std::set<std::size_t>(order.begin(), order.end()).size() == scenarios);
        ++times[order];
      }
      CHECK(times.size() == rows);
      for (const auto& [order, n] : times) CHECK(n == static_cast<int>(24 / rows));
    }
    // Drawn orders are not.
    design.order = PlayOrder::random;
    std::map<std::vector<std::size_t>, int> times;
    for (const auto& [person, order] : all_played(design, 1, 24, 1)) ++times[order];
    CHECK(std::any_of(times.begin(), times.end(),
                      [&](const auto& t) { return t.second != static_cast<int>(24 / rows); }));
  }
}

TEST_CASE("the place decides a drawn order, not the arrival", "[serve][people]") {
  PlayDesign design = stage_of(4, 1, 4);
  design.order = PlayOrder::random;
  const auto once = all_played(design, 1, 12, 1), again = all_played(design, 1, 12, 2);
  CHECK(once == again);
  std::set<std::vector<std::size_t>> orders;
  for (const auto& [person, order] : once) orders.insert(order);
  CHECK(orders.size() > 4);
  design.order = PlayOrder::latin;
  CHECK(all_played(design, 1, 12, 1) != all_played(design, 1, 12, 2));
}

TEST_CASE("perfect strangers never meet twice, and strangers do", "[serve][people]") {
  for (const std::size_t needed : {2, 3}) {
    PlayDesign design = stage_of(1, 1, 3);
    int most = 0;
    for (std::uint64_t chance = 1; chance <= 20; ++chance) {
      design.matching = Matching::perfect_strangers;
      PlayedStage perfect(design, matches_of(design, 40, needed), chance);
      perfect.run(12, chance);
      CHECK(most_meetings(perfect) == 1);
      design.matching = Matching::strangers;
      PlayedStage others(design, matches_of(design, 40, needed), chance);
      others.run(12, chance);
      most = std::max(most, most_meetings(others));
    }
    CHECK(most > 1);
  }
}

TEST_CASE("perfect strangers play as many rounds as can be, whatever the draw", "[serve][people]") {
  for (std::size_t people = 4; people <= 12; ++people)
    for (std::size_t rounds = 1; rounds < people; ++rounds) {
      if (people * rounds % 2 != 0) continue;
      INFO(people << " people, " << rounds << " rounds");
      for (std::uint64_t chance = 1; chance <= 10; ++chance) {
        // Rounds of one scenario, and a scenario for each round.
        for (const bool one_scenario : {true, false}) {
          if (!one_scenario && people % 2 != 0) continue;
          PlayDesign design = stage_of(one_scenario ? 1 : rounds, 1, rounds);
          design.matching = Matching::perfect_strangers;
          PlayedStage stage(design, matches_of(design, people * rounds, 2), chance);
          for (std::size_t p = 1; p <= people; ++p) stage.come(static_cast<std::int64_t>(p));
          agon::Dice dice(chance);
          stage.seat();
          for (; !stage.playing.empty(); stage.seat())
            stage.finish(dice.below(stage.playing.size()));
          CHECK(most_meetings(stage) == 1);
          CHECK(stage.sat.size() == people * rounds / 2);
          CHECK(stage.left_over.empty());
          if (people % 2 != 0) continue;
          // If all go on at once, nobody has to wait.
          PlayedStage in_step(design, matches_of(design, people * rounds, 2), chance);
          for (std::size_t p = 1; p <= people; ++p) in_step.come(static_cast<std::int64_t>(p));
          for (std::size_t round = 1; round <= rounds; ++round) {
            in_step.seat();
            CHECK(in_step.sat.size() == people / 2 * round);
            while (!in_step.playing.empty()) in_step.finish(0);
          }
        }
      }
    }
}

TEST_CASE("perfect strangers in larger groups, who come late, or who leave", "[serve][people]") {
  // Nine in threes: each meets all others in four rounds; fifteen: five rounds of at most seven.
  for (const auto& [people, needed, rounds] :
       std::vector<std::array<std::size_t, 3>>{{9, 3, 4}, {15, 3, 5}, {16, 4, 3}, {8, 4, 1}}) {
    INFO(people << " in " << needed);
    for (std::uint64_t chance = 1; chance <= 10; ++chance) {
      PlayDesign design = stage_of(rounds, 1, rounds);
      design.matching = Matching::perfect_strangers;
      PlayedStage stage(design, matches_of(design, people, needed), chance);
      for (std::size_t p = 1; p <= people; ++p) stage.come(static_cast<std::int64_t>(p));
      stage.seat();
      while (!stage.playing.empty()) {
        stage.finish(chance % stage.playing.size());
        stage.seat();
      }
      CHECK(most_meetings(stage) == 1);
      CHECK(stage.sat.size() == people / needed * rounds);
    }
  }
  // Two come after the first round; somebody leaves after the second: the odd one is named.
  for (std::uint64_t chance = 1; chance <= 20; ++chance) {
    PlayDesign design = stage_of(1, 1, 3);
    design.matching = Matching::perfect_strangers;
    PlayedStage late(design, matches_of(design, 40, 2), chance);
    for (std::int64_t p = 1; p <= 6; ++p) late.come(p);
    late.seat();
    late.finish(0);
    late.come(7);
    late.come(8);
    for (late.seat(); !late.playing.empty(); late.seat()) late.finish(0);
    CHECK(late.sat.size() == 12);
    CHECK(most_meetings(late) == 1);
    PlayedStage left(design, matches_of(design, 40, 2), chance);
    for (std::int64_t p = 1; p <= 6; ++p) left.come(p);
    for (int round = 0; round < 2; ++round) {
      left.seat();
      while (!left.playing.empty()) left.finish(0);
    }
    std::erase_if(left.waiting, [](const WaitingPerson& p) { return p.person == 1; });
    for (left.seat(); !left.playing.empty(); left.seat()) left.finish(0);
    CHECK(left.sat.size() == 8);  // five are two pairs and one
    CHECK(left.left_over.size() == 1);
  }
}

TEST_CASE("who meets whom is drawn, and recorded", "[serve][people]") {
  PlayDesign design = stage_of(1, 1, 5);
  design.matching = Matching::perfect_strangers;
  std::set<std::set<std::int64_t>> second;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    PlayedStage stage(design, matches_of(design, 40, 2), seed);
    for (std::int64_t p = 1; p <= 6; ++p) stage.come(p);
    for (int round = 0; round < 2; ++round) {
      stage.seat();
      while (!stage.playing.empty()) stage.finish(0);
    }
    for (std::size_t i = 3; i < 6; ++i) {
      const auto& people = stage.sat.at(i).people;
      if (people[0] == 1 || people[1] == 1) second.insert({people.begin(), people.end()});
    }
    CHECK(stage.rows.back().why.find("by a schedule drawn for 6 who meet nobody twice, key ") == 0);
  }
  CHECK(second.size() == 5);
}

TEST_CASE("strangers are drawn from those present, not by arrival", "[serve][people]") {
  PlayDesign design = stage_of(1, 1, 1);
  const auto first_two = [&](Matching matching) {
    std::set<std::vector<std::int64_t>> chosen;
    design.matching = matching;
    for (std::uint64_t luck = 0; luck < 30; ++luck) {
      PlayedStage stage(design, {{0, 0, luck, 2}}, 1);
      for (std::int64_t person = 1; person <= 5; ++person) stage.come(person);
      stage.seat();
      std::vector<std::int64_t> people = stage.sat.at(0).people;
      std::sort(people.begin(), people.end());
      chosen.insert(people);
    }
    return chosen;
  };
  CHECK(first_two(Matching::strangers).size() > 6);
  CHECK(first_two(Matching::arrival) == std::set<std::vector<std::int64_t>>{{1, 2}});
}

TEST_CASE("partners and listed groups stay together, and nobody else sits there",
          "[serve][people]") {
  for (const bool listed : {false, true}) {
    PlayDesign design = stage_of(2, 1, 4);
    design.order = PlayOrder::latin;
    design.together = 3;
    if (listed)
      design.groups = {{1, 4, 7}, {2, 5, 8}, {3, 6, 9}};
    else
      design.matching = Matching::partners;
    std::set<std::set<std::int64_t>> groups;
    std::set<std::vector<std::size_t>> orders;
    for (std::uint64_t chance = 1; chance <= 10; ++chance) {
      PlayedStage stage(design, matches_of(design, 40, 3), 1);
      stage.run(9, chance);
      CHECK(stage.sat.size() == 12);
      std::set<std::set<std::int64_t>> here;
      for (const Sat& sat : stage.sat) here.insert({sat.people.begin(), sat.people.end()});
      CHECK(here.size() == 3);
      groups.insert(here.begin(), here.end());
      for (const auto& [person, order] : stage.played) orders.insert(order);
    }
    CHECK(orders.size() == 2);  // groups have the rows of the square in turn
    CHECK((groups.size() == 3) == listed);
  }
  PlayDesign design = stage_of(1, 1, 3);
  PlayedStage stage(design, matches_of(design, 40, 3), 1);
  stage.run(9, 4);
  std::set<std::set<std::int64_t>> here;
  for (const Sat& sat : stage.sat) here.insert({sat.people.begin(), sat.people.end()});
  CHECK(here.size() > 3);
}

TEST_CASE("the declared order holds although a later scenario has room", "[serve][people]") {
  // Three at a match of the first, one at a match of the second.
  PlayDesign design = stage_of(2, 1, 2);
  std::vector<MatchToFill> open = matches_of(design, 3, 1);
  for (std::size_t i = 0; i < 3; ++i) open[i].needed = 3;
  PlayedStage stage(design, open, 1);
  stage.come(1);
  stage.seat();
  CHECK(stage.sat.empty());
  CHECK(stage.assigner.next(0, 1, stage.open) == 0);
  stage.come(2);
  stage.come(3);
  stage.seat();
  CHECK(stage.sat.size() == 1);
  stage.finish(0);
  stage.seat();
  CHECK(stage.sat.size() == 4);
  // Each scenario once, unless more matches are asked for.
  for (const auto& [person, order] : stage.played) CHECK(order == std::vector<std::size_t>{0, 1});
  CHECK_FALSE(stage.assigner.next(0, 1, stage.open));
}

TEST_CASE("who waits for a match of several is not given a later one alone", "[serve][people]") {
  PlayedStage stage(stage_of(1, 1, 2), {{0, 0, 1, 2}, {0, 0, 2, 1}, {0, 0, 3, 1}}, 1);
  stage.come(1);
  stage.seat();
  CHECK(stage.sat.empty());
  stage.come(2);
  stage.seat();
  REQUIRE(stage.sat.size() == 1);
  CHECK(stage.sat[0].people.size() == 2);
  stage.finish(0);
  stage.seat();  // then each of them alone
  CHECK(stage.sat.size() == 3);
}

TEST_CASE("nobody meets the same luck again while there is another match", "[serve][people]") {
  PlayedStage stage(stage_of(1, 1, 3), {{0, 0, 1, 1}, {0, 0, 1, 1}, {0, 0, 2, 1}}, 1);
  stage.come(1);
  for (int i = 0; i < 3; ++i) {
    stage.seat();
    stage.finish(0);
  }
  REQUIRE(stage.sat.size() == 3);
  CHECK(stage.sat[0].match.luck == 1);
  CHECK(stage.sat[1].match.luck == 2);
  CHECK(stage.sat[2].match.luck == 1);  // then there is none
}

TEST_CASE("luck deals the seats", "[serve][people]") {
  int first_has_first = 0;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    PlayedStage stage(stage_of(1, 1, 1), {{0, 0, luck, 2}}, 1);
    stage.come(1);
    stage.come(2);
    stage.seat();
    first_has_first += stage.sat.at(0).people[0] == 1;
  }
  CHECK(first_has_first > 8);
  CHECK(first_has_first < 32);
}

TEST_CASE("several groups are seated at matches of their own", "[serve][people]") {
  PlayedStage stage(stage_of(1, 2, 1), {{0, 1, 1, 2}, {0, 0, 1, 2}, {0, 0, 2, 3}}, 1);
  for (std::int64_t person = 1; person <= 4; ++person) stage.come(person);
  CHECK(stage.assigner.next(0, 1, stage.open) == 0);  // the first of the plan, of any treatment
  stage.seat();
  REQUIRE(stage.sat.size() == 2);
  CHECK(stage.sat[0].match.treatment == 1);
  CHECK(stage.sat[1].match.treatment == 0);
  // Listed groups sit where as many are needed.
  PlayDesign design = stage_of(1, 1, 1);
  design.groups = {{1, 2}};
  design.together = 2;
  PlayedStage listed(design, {{0, 0, 1, 3}}, 1);
  listed.come(1);
  listed.come(2);
  listed.seat();
  CHECK(listed.sat.empty());
}

TEST_CASE("what was assigned says why", "[serve][people]") {
  PlayDesign design = stage_of(1, 3, 1);
  design.treatments_by = TreatmentsBy::person;
  Assigner assigner({design}, 1);
  std::set<std::vector<std::uint64_t>> blocks;
  std::vector<std::uint64_t> block;
  for (std::int64_t person = 1; person <= 60; ++person) {
    const std::vector<Assigned> given = assigner.begin(0, person);
    REQUIRE(given.size() == 2);
    CHECK(given[0].why == "as listed");
    CHECK(given[1].draw == person - 1);
    if (person == 8) CHECK(given[1].why == "block 3 of treatments, position 2");
    block.push_back(given[1].number);
    if (block.size() == 3) blocks.insert(std::exchange(block, {}));
    CHECK(assigner.begin(0, person).empty());  // once
  }
  CHECK(blocks.size() > 3);  // each block has an order of its own
}

TEST_CASE("what was assigned goes on after a restart as it would have", "[serve][people]") {
  for (const int kind : {0, 1, 2, 3}) {
    INFO(kind);
    PlayDesign design = stage_of(3, 2, 3);
    design.order = PlayOrder::latin;
    design.treatments_by = kind == 0 ? TreatmentsBy::person : TreatmentsBy::group;
    design.together = 2;
    if (kind == 1) design.matching = Matching::partners;
    if (kind == 2) design.matching = Matching::perfect_strangers;
    if (kind == 3) design.groups = {{1, 2}, {3, 4}, {5, 6}, {7, 8}};
    PlayedStage stage(design, matches_of(design, 40, 2), 5);
    for (std::int64_t person = 1; person <= 5; ++person) stage.come(person);
    stage.seat();
    Assigner restarted({design}, 5);
    for (const Assigned& row : stage.rows) restarted.restore(row);
    for (const Sat& sat : stage.sat)
      restarted.restore(0, sat.match.scenario, sat.match.luck, sat.people);
    PlayedStage again = stage;
    again.assigner = restarted;
    again.rows.clear();
    stage.rows.clear();
    for (PlayedStage* each : {&stage, &again}) {
      while (!each->playing.empty()) {
        each->finish(0);
        each->seat();
      }
      for (std::int64_t person = 6; person <= 8; ++person) each->come(person);
      each->seat();
    }
    if (kind == 2) {  // who is still to meet whom is drawn again
      CHECK(stage.sat.size() == again.sat.size());
      CHECK(most_meetings(again) == 1);
      continue;
    }
    CHECK(stage.played == again.played);
    REQUIRE(stage.rows.size() == again.rows.size());
    for (std::size_t i = 0; i < stage.rows.size(); ++i) {
      CHECK(stage.rows[i].number == again.rows[i].number);
      CHECK(stage.rows[i].draw == again.rows[i].draw);
      CHECK(stage.rows[i].why == again.rows[i].why);
    }
    CHECK(restarted.begin(0, 1).empty());
  }
}

// ---- sessions that nobody plays
// -------------------------------------------------------------------

namespace {

using agon::serve::PeopleMatch;
using agon::serve::RehearsalOptions;

std::vector<PeopleMatch> rehearsed(const PlayDesign& design, std::size_t blocks,
                                   std::size_t needed) {
  std::vector<PeopleMatch> matches;
  for (const MatchToFill& match : matches_of(design, blocks, needed))
    matches.push_back({match, 0, 1, {1, 1}});
  return matches;
}

}  // namespace

TEST_CASE("a rehearsal says how long people wait, and who waits in vain", "[serve][people]") {
  PlayDesign design = stage_of(1, 2, 1);
  design.treatments_by = TreatmentsBy::group;
  RehearsalOptions options{.sessions = 50, .people = 9, .seed = 3};
  const auto at_once = agon::serve::rehearse({design}, rehearsed(design, 9, 2), options);
  CHECK(at_once.waits.median == 0);
  CHECK(at_once.in_vain.least == 1);  // nine are no pairs
  CHECK(at_once.in_vain.most == 1);
  CHECK(at_once.done.median == 8);
  CHECK(at_once.lengths.median > 20'000);
  REQUIRE(at_once.cells.size() == 2);
  for (const auto& cell : at_once.cells) {
    CHECK(cell.matches.least == 2);
    CHECK(cell.people.most == 4);
  }
  // One a minute: the first of a pair waits for a minute.
  options.arrivals = {agon::serve::ArrivalPattern::every, 60'000};
  options.people = 8;
  const auto one_by_one = agon::serve::rehearse({design}, rehearsed(design, 9, 2), options);
  CHECK(one_by_one.waits.most == 60'000);
  CHECK(one_by_one.in_vain.most == 0);
  // Nobody waits longer than the suite lets them.
  options.longest_wait = 30'000;
  const auto in_vain = agon::serve::rehearse({design}, rehearsed(design, 9, 2), options);
  CHECK(in_vain.waits.most == 30'000);
  CHECK(in_vain.in_vain.least == 8);
  // Who reads a minute before comes to wait a minute later, more or less; who leaves before a match
  // is missed by another.
  PlayDesign read = design;
  read.pages_before = 2;
  options = {.page = 60'000, .sessions = 50, .people = 8, .seed = 3};
  const auto reading = agon::serve::rehearse({read}, rehearsed(read, 9, 2), options);
  CHECK(reading.waits.most > 0);
  CHECK(reading.lengths.least > 60'000 + 20'000);
  CHECK(agon::serve::rehearse({design}, rehearsed(design, 9, 2), options).waits.most == 0);
  CHECK(reading.left.most == 0);
  // What comes after the last match takes its time, and nobody waits for it.
  options.pages_after = 3;
  const auto asked = agon::serve::rehearse({read}, rehearsed(read, 9, 2), options);
  CHECK(asked.lengths.least > reading.lengths.least + 90'000);
  CHECK(asked.waits.most < reading.lengths.most);
  CHECK(asked.done.least == 8);
  options = {.leave = 1, .sessions = 50, .people = 8, .seed = 3};
  CHECK(agon::serve::rehearse({design}, rehearsed(design, 9, 2), options).left.least == 8);
  options.leave = 0.25;
  const auto leaving = agon::serve::rehearse({design}, rehearsed(design, 9, 2), options);
  CHECK(leaving.left.median == 2);
  CHECK(leaving.left.least < 2);
  CHECK(leaving.left.most < 8);
  CHECK(leaving.in_vain.most == 1);  // an odd number is left
  CHECK(leaving.in_vain.least == 0);
  // By chance, two a minute: the same each time, since no clock has a say.
  options = {.arrivals = {agon::serve::ArrivalPattern::poisson, 30'000},
             .sessions = 50,
             .people = 8,
             .seed = 3};
  const auto by_chance = agon::serve::rehearse({design}, rehearsed(design, 9, 2), options);
  CHECK(by_chance.waits.median == 0);  // half of them are the second of a pair
  CHECK(by_chance.waits.ninety > 0);
  CHECK(by_chance.waits.most < by_chance.lengths.most);
  CHECK(agon::serve::rehearse({design}, rehearsed(design, 9, 2), options).waits.ninety ==
        by_chance.waits.ninety);
  options.seed = 4;
  CHECK(agon::serve::rehearse({design}, rehearsed(design, 9, 2), options).waits.ninety !=
        by_chance.waits.ninety);
}
