#include "people/matching/play_design.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "branch/branches.hpp"
#include "people/study.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

using suite_file::Matching;
using suite_file::TreatmentsBy;

/// How many people the matches of a scenario need.
struct MatchSize {
  std::size_t least = 0;
  std::size_t most = 0;
};

/// Looks for what of the declared stages cannot come about.
class DesignCheck {
 public:
  DesignCheck(const Suite& suite, const std::vector<PeopleMatch>& matches,
              const std::vector<ListedPerson>& people)
      : suite_(suite), people_(people) {
    for (const PeopleMatch& match : matches) {
      MatchSize& size = sizes_[match.open.scenario];
      size.least = size.least == 0 ? match.open.needed : std::min(size.least, match.open.needed);
      size.most = std::max(size.most, match.open.needed);
    }
  }

  /// Finds the people of the groups, and how many stay together.
  /// `place`: of the stage in the suite's file.
  void complete(PlayDesign& design, std::size_t place,
                const std::vector<std::vector<std::string>>& groups) {
    place_ = place;
    read_groups(design, groups);
    if (design.keeps_groups()) check_together(design);
    if (people_.empty()) return;
    if (design.treatments_by != TreatmentsBy::within) check_treatments(design);
    if (design.matching == Matching::perfect_strangers) check_strangers(design);
  }

 private:
  [[noreturn]] void fail(const std::string& member, const std::string& problem,
                         const std::string& hint) const {
    throw Error(ErrorKind::invalid, problem,
                fmt::format("{} ($.people.stages[{}].play.{})", suite_.file, place_, member), hint);
  }
  [[nodiscard]] const std::string& name(std::size_t scenario) const {
    return suite_.scenarios[scenario].name;
  }

  [[nodiscard]] std::int64_t find(const std::string& called) const {
    for (const ListedPerson& p : people_)
      if (p.label == called) return p.place;
    for (const ListedPerson& p : people_)
      if (std::to_string(p.place) == called) return p.place;
    return 0;
  }

  void read_groups(PlayDesign& design, const std::vector<std::vector<std::string>>& groups) const {
    std::set<std::int64_t> listed;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      design.groups.emplace_back();
      for (const std::string& called : groups[g]) {
        const std::int64_t place = find(called);
        if (place == 0)
          fail(fmt::format("groups[{}]", g), fmt::format("nobody who takes part is '{}'", called),
               "name people by the names of their rooms, or by their places: \"1\", \"2\"");
        if (!listed.insert(place).second)
          fail(fmt::format("groups[{}]", g), fmt::format("'{}' is in two places", called),
               "each person is in one group, once");
        design.groups.back().push_back(place);
      }
    }
    if (groups.empty()) return;
    for (const ListedPerson& p : people_)
      if (!listed.contains(p.place))
        fail("groups", fmt::format("'{}' is in no group", p.label),
             "each of the participants is in one group, once");
  }

  void check_together(PlayDesign& design) const {
    if (design.treatments_by == TreatmentsBy::person)
      fail("treatments", "people who stay together cannot each have a treatment of their own",
           "write \"treatments\": \"group\"");
    for (const std::size_t scenario : design.scenarios) {
      const MatchSize size = sizes_.at(scenario);
      if (design.together == 0) design.together = size.most;
      if (size.least != design.together || size.most != design.together)
        fail(design.groups.empty() ? "matching" : "groups",
             fmt::format("the same people stay together, but a match of '{}' has {} and one of "
                         "'{}' {}",
                         name(design.scenarios.front()),
                         text::counted(design.together, "person", "people"), name(scenario),
                         size.least == design.together ? size.most : size.least),
             "put them into stages of their own");
    }
    for (std::size_t g = 0; g < design.groups.size(); ++g)
      if (design.groups[g].size() != design.together)
        fail(fmt::format("groups[{}]", g),
             fmt::format("a group of {}, but a match has {}", design.groups[g].size(),
                         text::counted(design.together, "person", "people")),
             "list as many people as a match has");
  }

  void check_treatments(const PlayDesign& design) const {
    const std::vector<std::size_t> sittings = sittings_of(suite_, design);
    for (std::size_t i = 0; i < design.scenarios.size(); ++i) {
      const std::uint64_t treatments = design.treatments[i];
      const std::size_t needed = sizes_.at(design.scenarios[i]).most;
      const std::string what =
          fmt::format("{} of '{}'", text::counted(treatments, "treatment"), design.names[i]);
      const char* const hint =
          "raise \"participants\", try fewer values, or leave out \"treatments\"";
      if (design.treatments_by == TreatmentsBy::person) {
        if (people_.size() / treatments >= needed) continue;
        fail("treatments",
             fmt::format("{} for {} are {} for each, and a match has {}",
                         text::counted(people_.size(), "person", "people"), what,
                         people_.size() / treatments, needed),
             hint);
      }
      const auto times = static_cast<std::size_t>(
          std::count(sittings.begin(), sittings.end(), design.scenarios[i]));
      const std::size_t groups = people_.size() / needed * (design.keeps_groups() ? 1 : times);
      if (groups < treatments)
        fail("treatments",
             fmt::format("{} make {} of {}, fewer than the {}",
                         text::counted(people_.size(), "person", "people"),
                         text::counted(groups, "group"), needed, what),
             hint);
    }
  }

  void check_strangers(const PlayDesign& design) const {
    std::size_t others = 0;
    std::string sum;
    for (const std::size_t scenario : sittings_of(suite_, design)) {
      const std::size_t met = sizes_.at(scenario).least - 1;
      others += met;
      sum += (sum.empty() ? "" : " + ") + std::to_string(met);
    }
    if (others >= people_.size())
      fail("matching",
           fmt::format("each person would meet {} = {} others, and {} take part: {} others", sum,
                       others, people_.size(), people_.size() - 1),
           fmt::format("ask for {} participants, or for fewer \"matches\"", others + 1));
  }

  const Suite& suite_;
  const std::vector<ListedPerson>& people_;
  std::size_t place_ = 0;
  std::map<std::size_t, MatchSize> sizes_;
};

}  // namespace

std::vector<ListedPerson> people_of_suite(const Suite& suite, std::uint64_t links,
                                          bool with_rooms) {
  std::vector<ListedPerson> people;
  const auto add = [&](const std::string& label) {
    const std::int64_t place = std::ssize(people) + 1;
    people.push_back({label.empty() ? std::to_string(place) : label, place});
  };
  for (std::uint64_t i = 0; i < links; ++i) add({});
  if (with_rooms)
    for (const auto& [room, names] : suite.people->said.rooms)
      for (const std::string& name : names) add(name);
  return people;
}

std::vector<PeopleMatch> people_matches(const Suite& suite) {
  std::vector<PeopleMatch> matches;
  each_people_match(suite, [&](std::size_t scenario, std::uint64_t number,
                               const design::PlannedMatch& planned, std::size_t people) {
    const Scenario& s = suite.scenarios[scenario];
    const std::uint64_t key = planned.branch ? s.branches->rng_key(*planned.branch)
                                             : stream_key(suite.seed, s.draws(), planned.block, 0);
    matches.push_back({{scenario, planned.treatment, mix(key), people}, number, s.sequence, {}});
  });
  return matches;
}

std::vector<std::size_t> sittings_of(const Suite& suite, const PlayDesign& design) {
  std::vector<std::size_t> sittings;
  for (std::size_t played = 0, i = 0; played < design.matches; ++i) {
    sittings.push_back(design.scenarios[i % design.scenarios.size()]);
    played += suite.scenarios[sittings.back()].sequence;
  }
  return sittings;
}

std::size_t pages_after_play(const Suite& suite) {
  const auto& stages = suite.people->stages;
  const auto last = std::find_if(stages.rbegin(), stages.rend(), [](const PeopleStage& stage) {
    return stage.kind == StageKind::play;
  });
  const suite_file::Payment& payment = suite.people->said.payment;
  const bool is_paid = payment.per_point > 0 || payment.show_up_fee.cents > 0;
  return static_cast<std::size_t>(last - stages.rbegin()) + (is_paid ? 1 : 0);
}

std::vector<PlayDesign> play_designs(const Suite& suite, const std::vector<PeopleMatch>& matches,
                                     const std::vector<ListedPerson>& people) {
  DesignCheck check(suite, matches, people);
  std::vector<PlayDesign> designs;
  const auto& declared = suite.people->said.stages;
  std::size_t place = 0;  // in the file, which does not name the rules
  std::size_t pages = 0;
  for (std::size_t i = 0; i < suite.people->stages.size(); ++i) {
    const PeopleStage& stage = suite.people->stages[i];
    if (stage.kind != StageKind::play) {
      ++pages;
      continue;
    }
    const suite_file::PlayEntry& said = stage.play;
    PlayDesign& design = designs.emplace_back();
    design.stage = static_cast<std::int64_t>(i) + 1;
    design.pages_before = std::exchange(pages, 0);
    design.names = stage.scenarios;
    design.matches = stage.matches;
    design.order = said.order.value_or(suite_file::PlayOrder::as_listed);
    design.treatments_by = said.treatments.value_or(TreatmentsBy::within);
    design.matching = said.matching.value_or(Matching::arrival);
    for (const std::string& name : stage.scenarios) {
      const auto at = std::find_if(suite.scenarios.begin(), suite.scenarios.end(),
                                   [&](const Scenario& s) { return s.name == name; });
      design.scenarios.push_back(static_cast<std::size_t>(at - suite.scenarios.begin()));
      design.treatments.push_back(at->treatments.size());
    }
    design.sittings = sittings_of(suite, design).size();
    if (!declared) continue;
    while (!(*declared)[place].play) ++place;
    check.complete(design, place++, said.groups.value_or(std::vector<std::vector<std::string>>{}));
  }
  if (!declared || designs.empty() || people.empty()) return designs;
  const Rehearsal at_once =
      rehearse(designs, matches, {.sessions = 1, .people = people.size(), .seed = suite.seed});
  if (at_once.done.most == 0)
    throw Error(ErrorKind::invalid,
                fmt::format("nobody can finish: {} who are all there at the start do not get "
                            "through all matches",
                            text::counted(people.size(), "person", "people")),
                suite.file + " ($.people.stages)",
                "ask for more participants, or more \"blocks\"; or, where each has an order of "
                "their own, for one order or fewer \"matches\"");
  return designs;
}

}  // namespace agon::serve
