#include "people/matching/assignment.hpp"

#include <fmt/format.h>

#include <agon/random.hpp>
#include <algorithm>
#include <numeric>

#include "design/plan.hpp"
#include "design/seats.hpp"

namespace agon::serve {
namespace {

using suite_file::Matching;
using suite_file::PlayOrder;
using suite_file::TreatmentsBy;

std::uint64_t key_of(std::uint64_t seed, std::string_view what, std::int64_t stage) {
  return combine(combine(mix(seed), hash_of(what)), static_cast<std::uint64_t>(stage));
}

/// By chance, not by arrival: those of least key.
std::uint64_t chance_of(const MatchToFill& match, std::int64_t person) {
  return mix(combine(combine(match.luck, match.treatment), static_cast<std::uint64_t>(person)));
}

/// Who came first has no seat by that: the luck of the match deals them.
std::vector<std::int64_t> dealt(const std::vector<std::int64_t>& people, std::uint64_t luck) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> keyed;
  for (std::size_t i = 0; i < people.size(); ++i)
    keyed.emplace_back(mix(combine(luck, i + 1)), people[i]);
  std::sort(keyed.begin(), keyed.end());
  std::vector<std::int64_t> seats;
  for (const auto& [key, person] : keyed) seats.push_back(person);
  return seats;
}

/// The first open match of each scenario and treatment that nobody has taken.
std::map<TableKind, std::size_t> first_open(const std::vector<MatchToFill>& open,
                                            const std::vector<bool>& taken) {
  std::map<TableKind, std::size_t> first;
  for (std::size_t i = 0; i < open.size(); ++i)
    if (!taken[i]) first.try_emplace({open[i].scenario, open[i].treatment}, i);
  return first;
}

std::string why_drawn(std::int64_t draw, std::uint64_t treatments) {
  const auto n = static_cast<std::int64_t>(treatments);
  return fmt::format("block {} of treatments, position {}", draw / n + 1, draw % n + 1);
}

}  // namespace

struct Assigner::SeatChoice {
  std::size_t match = 0;
  std::size_t design = 0;
  std::vector<std::int64_t> people{};  ///< in the order of their coming
  std::size_t present = 0;             ///< of whom they were chosen
};

Assigner::Assigner(std::vector<PlayDesign> designs, std::uint64_t seed)
    : designs_(std::move(designs)), stages_(designs_.size()), seed_(seed) {
  for (std::size_t d = 0; d < designs_.size(); ++d) stages_[d].groups = designs_[d].groups;
}

const Assigner::PersonState& Assigner::state(std::size_t design, std::int64_t person) const {
  static const PersonState nothing;
  const auto at = stages_[design].people.find(person);
  return at == stages_[design].people.end() ? nothing : at->second;
}

const std::vector<std::int64_t>& Assigner::group_of(std::size_t design, std::int64_t person) const {
  static const std::vector<std::int64_t> nobody;
  const std::size_t group = state(design, person).group;
  return group == 0 ? nobody : stages_[design].groups[group - 1];
}

const std::vector<std::size_t>& Assigner::order(std::size_t design, std::int64_t person) const {
  const std::vector<std::size_t>& given = state(design, person).order;
  return given.empty() ? designs_[design].scenarios : given;
}

// ---- what is given ----

std::vector<std::size_t> Assigner::order_of(std::size_t design, std::int64_t draw) const {
  const PlayDesign& of = designs_[design];
  const std::size_t n = of.scenarios.size();
  std::vector<std::size_t> order;
  if (of.order == PlayOrder::as_listed || n < 2) return of.scenarios;
  if (of.order == PlayOrder::random) {
    const std::uint64_t key =
        combine(key_of(seed_, "order of play", of.stage), static_cast<std::uint64_t>(draw));
    for (const std::uint64_t i : design::shuffled(n, key)) order.push_back(of.scenarios[i]);
    return order;
  }
  design::LineUp listed;
  listed.agents.resize(n);
  std::iota(listed.agents.begin(), listed.agents.end(), 0);
  const design::Seating square = design::Seating::latin(listed);
  for (const int i : square.assignment(static_cast<std::uint64_t>(draw) % square.size()))
    order.push_back(of.scenarios[static_cast<std::size_t>(i)]);
  return order;
}

std::uint64_t Assigner::treatment_of(std::size_t design, std::size_t scenario,
                                     std::int64_t draw) const {
  const PlayDesign& of = designs_[design];
  const auto at = static_cast<std::size_t>(
      std::find(of.scenarios.begin(), of.scenarios.end(), scenario) - of.scenarios.begin());
  const std::uint64_t n = of.treatments[at];
  const auto number = static_cast<std::uint64_t>(draw);
  const std::uint64_t key = combine(key_of(seed_, "block of treatments", of.stage),
                                    combine(hash_of(of.names[at]), number / n));
  return design::shuffled(n, key)[number % n];
}

void Assigner::give_order(std::size_t design, const std::vector<std::int64_t>& people,
                          std::int64_t draw, std::vector<Assigned>& given) {
  const PlayDesign& of = designs_[design];
  const std::vector<std::size_t> order = order_of(design, draw);
  const std::size_t n = order.size();
  std::string why = "as listed";
  if (of.order == PlayOrder::random)
    why = of.keeps_groups() ? fmt::format("drawn for group {}", draw + 1)
                            : fmt::format("drawn for place {}", draw);
  if (of.order == PlayOrder::latin) {
    const std::size_t rows = n % 2 == 1 && n > 1 ? 2 * n : n;
    why = fmt::format("row {} of {}, {} {}", static_cast<std::size_t>(draw) % rows + 1, rows,
                      of.keeps_groups() ? "group" : "began as number", draw + 1);
  }
  for (const std::int64_t person : people) {
    stages_[design].people[person].order = order;
    given.push_back({person, design, AssignedKind::order, {}, draw, 0, why});
  }
}

std::vector<Assigned> Assigner::begin(std::size_t design, std::int64_t person) {
  const PlayDesign& of = designs_[design];
  StageState& stage = stages_[design];
  PersonState& who = stage.people[person];
  std::vector<Assigned> given;
  if (std::exchange(who.has_begun, true)) return given;
  if (of.keeps_groups()) {
    for (std::size_t g = 0; g < of.groups.size(); ++g)
      if (std::find(of.groups[g].begin(), of.groups[g].end(), person) != of.groups[g].end()) {
        who.group = g + 1;
        given.push_back(
            {person, design, AssignedKind::group, {}, -1, g + 1, "as the suite lists it"});
        give_order(design, {person}, static_cast<std::int64_t>(g), given);
      }
    return given;
  }
  give_order(design, {person}, of.order == PlayOrder::random ? person : stage.ordered.take(),
             given);
  if (of.treatments_by == TreatmentsBy::person)
    for (std::size_t i = 0; i < of.scenarios.size(); ++i) {
      const std::size_t scenario = of.scenarios[i];
      const std::int64_t draw = stage.drawn[scenario].take();
      const std::uint64_t treatment = treatment_of(design, scenario, draw);
      who.treatments[scenario] = treatment;
      given.push_back({person, design, AssignedKind::treatment, scenario, draw, treatment,
                       why_drawn(draw, of.treatments[i])});
    }
  return given;
}

void Assigner::form_groups(const std::vector<WaitingPerson>& waiting,
                           std::vector<Assigned>& formed) {
  for (std::size_t d = 0; d < designs_.size(); ++d) {
    if (designs_[d].matching != Matching::partners || !designs_[d].groups.empty()) continue;
    std::vector<std::int64_t> alone;
    for (const WaitingPerson& p : waiting) {
      if (p.design != d || state(d, p.person).group != 0) continue;
      alone.push_back(p.person);
      if (alone.size() < designs_[d].together) continue;
      std::vector<std::vector<std::int64_t>>& groups = stages_[d].groups;
      groups.push_back(std::exchange(alone, {}));
      for (const std::int64_t member : groups.back()) {
        stages_[d].people[member].group = groups.size();
        formed.push_back({member,
                          d,
                          AssignedKind::group,
                          {},
                          -1,
                          groups.size(),
                          "the next who came, for the whole stage"});
      }
      give_order(d, groups.back(), static_cast<std::int64_t>(groups.size()) - 1, formed);
    }
  }
}

std::optional<std::uint64_t> Assigner::due_treatment(std::size_t design, std::size_t scenario,
                                                     std::int64_t person) const {
  const StageState& stage = stages_[design];
  const PersonState& who = state(design, person);
  switch (designs_[design].treatments_by) {
    case TreatmentsBy::within:
      return std::nullopt;
    case TreatmentsBy::person: {
      const auto at = who.treatments.find(scenario);
      return at == who.treatments.end() ? std::nullopt : std::optional(at->second);
    }
    case TreatmentsBy::group:
      break;
  }
  if (const auto at = stage.of_groups.find({who.group, scenario}); at != stage.of_groups.end())
    return at->second;
  const auto drawn = stage.drawn.find(scenario);
  return treatment_of(design, scenario, drawn == stage.drawn.end() ? 0 : drawn->second.next);
}

// ---- who plays what ----

std::optional<std::size_t> Assigner::next(std::size_t design, std::int64_t person,
                                          const FirstOpen& first) const {
  const PlayDesign& of = designs_[design];
  const PersonState& who = state(design, person);
  const std::vector<std::size_t>& order = this->order(design, person);
  std::optional<std::size_t> found;
  std::size_t least = 0;
  for (std::size_t place = 0; place < order.size(); ++place) {
    const std::size_t scenario = order[place];
    const auto at = who.times.find(scenario);
    const std::size_t times = at == who.times.end() ? 0 : at->second;
    const std::size_t most =
        of.matches / order.size() + (place < of.matches % order.size() ? 1 : 0);
    if (times >= most || (found && times >= least && scenario != who.wanted)) continue;
    // A group draws its treatment at the table: until then it may be any.
    const auto treatment = of.treatments_by == TreatmentsBy::person
                               ? due_treatment(design, scenario, person)
                               : std::nullopt;
    std::optional<std::size_t> match;
    for (auto i = first.lower_bound({scenario, treatment.value_or(0)});
         i != first.end() && i->first.first == scenario &&
         (!treatment || i->first.second == *treatment);
         ++i)
      if (!match || i->second < *match) match = i->second;
    if (match && scenario == who.wanted) return match;
    if (match) found = match, least = times;
  }
  return found;
}

void Assigner::join(std::size_t design, std::size_t scenario, std::uint64_t luck,
                    std::int64_t person, const std::vector<std::int64_t>& others) {
  restore(design, scenario, luck, {person});
  for (const std::int64_t other : others) {
    stages_[design].people[person].met.insert(other);
    stages_[design].people[other].met.insert(person);
  }
}

void Assigner::want(std::size_t design, std::int64_t person, std::optional<std::size_t> scenario) {
  stages_[design].people[person].wanted = scenario;
}

std::optional<std::size_t> Assigner::next(std::size_t design, std::int64_t person,
                                          const std::vector<MatchToFill>& open) const {
  return next(design, person, first_open(open, std::vector<bool>(open.size())));
}

std::vector<std::int64_t> Assigner::pick_strangers(std::size_t design, const MatchToFill& match,
                                                   std::vector<std::int64_t> able) const {
  std::sort(able.begin(), able.end(), [&](std::int64_t a, std::int64_t b) {
    return std::pair(chance_of(match, a), a) < std::pair(chance_of(match, b), b);
  });
  if (designs_[design].matching == Matching::strangers) {
    able.resize(match.needed);
    return able;
  }
  const StrangerSchedule& schedule = stages_[design].strangers;
  const bool assigned = designs_[design].treatments_by == TreatmentsBy::person;
  std::vector<std::int64_t> group =
      schedule.ready({match.scenario, assigned ? match.treatment : 0}, able);
  if (!group.empty()) return group;
  std::erase_if(able, [&](std::int64_t p) { return schedule.has(p); });
  std::map<std::int64_t, const std::set<std::int64_t>*> met;
  for (const std::int64_t p : able) met[p] = &state(design, p).met;
  return group_of_strangers(able, match.needed, met);
}

std::vector<std::int64_t> Assigner::pick(std::size_t design, const MatchToFill& match,
                                         const std::vector<std::int64_t>& able,
                                         bool same_luck) const {
  const auto is_new = [&](std::int64_t p) {
    const auto at = lucks_.find(p);
    return same_luck || at == lucks_.end() || !at->second.contains(match.luck);
  };
  if (designs_[design].keeps_groups()) {
    std::map<std::size_t, std::size_t> here;  // by group
    for (const std::int64_t p : able) {
      const std::vector<std::int64_t>& group = group_of(design, p);
      if (group.size() == match.needed && ++here[state(design, p).group] == group.size() &&
          std::all_of(group.begin(), group.end(), is_new))
        return group;
    }
    return {};
  }
  std::vector<std::int64_t> fresh;
  std::copy_if(able.begin(), able.end(), std::back_inserter(fresh), is_new);
  if (fresh.size() < match.needed) return {};
  if (designs_[design].matching != Matching::arrival)
    return pick_strangers(design, match, std::move(fresh));
  fresh.resize(match.needed);
  return fresh;
}

std::optional<Assigner::SeatChoice> Assigner::choose(const std::vector<MatchToFill>& open,
                                                     const std::vector<bool>& taken,
                                                     const std::vector<WaitingPerson>& waiting,
                                                     bool same_luck) const {
  const FirstOpen first = first_open(open, taken);
  // Who waits for which scenario in which stage, in the order of their coming.
  std::map<std::pair<std::size_t, std::size_t>, std::vector<std::int64_t>> lines;
  for (const WaitingPerson& p : waiting)
    if (const auto match = next(p.design, p.person, first))
      lines[{open[*match].scenario, p.design}].push_back(p.person);
  for (std::size_t i = 0; i < open.size(); ++i) {
    if (taken[i]) continue;
    const MatchToFill& match = open[i];
    for (auto line = lines.lower_bound({match.scenario, 0});
         line != lines.end() && line->first.first == match.scenario; ++line) {
      const std::size_t design = line->first.second;
      std::vector<std::int64_t> able;
      for (const std::int64_t p : line->second)
        if (const auto due = due_treatment(design, match.scenario, p);
            !due || *due == match.treatment)
          able.push_back(p);
      if (able.empty()) continue;
      if (auto people = pick(design, match, able, same_luck); !people.empty())
        return SeatChoice{i, design, std::move(people), able.size()};
      // They are for this match, to which others are still to come, and for no later one.
      if (!designs_[design].keeps_groups() && pick(design, match, able, true).empty())
        std::erase_if(line->second, [&](std::int64_t p) {
          return std::find(able.begin(), able.end(), p) != able.end();
        });
    }
  }
  return std::nullopt;
}

void Assigner::assign_treatment(const SeatChoice& choice, const MatchToFill& match,
                                std::vector<Assigned>& given) {
  const std::size_t design = choice.design;
  const PlayDesign& of = designs_[design];
  StageState& stage = stages_[design];
  if (of.treatments_by == TreatmentsBy::person) return;
  std::int64_t draw = -1;
  std::string why = "as planned";
  if (of.treatments_by == TreatmentsBy::group) {
    const std::size_t group = state(design, choice.people.front()).group;
    if (group != 0 && !stage.of_groups.try_emplace({group, match.scenario}, match.treatment).second)
      return;
    draw = stage.drawn[match.scenario].take();
    const auto at = std::find(of.scenarios.begin(), of.scenarios.end(), match.scenario);
    why = why_drawn(draw, of.treatments[static_cast<std::size_t>(at - of.scenarios.begin())]);
  }
  for (const std::int64_t person : choice.people)
    given.push_back(
        {person, design, AssignedKind::treatment, match.scenario, draw, match.treatment, why});
}

SeatedGroup Assigner::take(const SeatChoice& choice, const MatchToFill& match) {
  SeatedGroup group{choice.match, dealt(choice.people, match.luck), {}};
  const PlayDesign& of = designs_[choice.design];
  assign_treatment(choice, match, group.assigned);
  const StrangerSchedule& schedule = stages_[choice.design].strangers;
  const bool scheduled = schedule.has(choice.people.front());
  for (const std::int64_t person : choice.people) {
    const std::size_t number = state(choice.design, person).group;
    const std::string why =
        number != 0                        ? fmt::format("group {} stays together", number)
        : of.matching == Matching::arrival ? "by arrival"
        : of.matching == Matching::strangers
            ? fmt::format("drawn among {} present, key {:016x}", choice.present, match.luck)
        : scheduled ? fmt::format("by a schedule drawn for {} who meet nobody twice, key {:016x}",
                                  schedule.size(), schedule.key())
                    : fmt::format("drawn among {} present who had not met, key {:016x}",
                                  choice.present, match.luck);
    group.assigned.push_back(
        {person, choice.design, AssignedKind::group, match.scenario, -1, number, why});
  }
  restore(choice.design, match.scenario, match.luck, choice.people);
  stages_[choice.design].strangers.take(match.scenario, choice.people);
  return group;
}

SeatedPeople Assigner::seat(const std::vector<MatchToFill>& open,
                            std::vector<WaitingPerson> waiting) {
  std::sort(waiting.begin(), waiting.end(),
            [](const WaitingPerson& a, const WaitingPerson& b) { return a.arrived < b.arrived; });
  SeatedPeople seating;
  for (std::size_t d = 0; d < designs_.size(); ++d)
    if (designs_[d].matching == Matching::perfect_strangers) schedule_strangers(d, open, waiting);
  std::erase_if(waiting, [](const WaitingPerson& p) { return !p.is_free; });
  form_groups(waiting, seating.formed);
  std::vector<bool> taken(open.size());
  while (!waiting.empty()) {
    auto choice = choose(open, taken, waiting, false);
    if (!choice) choice = choose(open, taken, waiting, true);
    if (!choice) break;
    taken[choice->match] = true;
    std::erase_if(waiting, [&](const WaitingPerson& p) {
      return std::find(choice->people.begin(), choice->people.end(), p.person) !=
             choice->people.end();
    });
    seating.seated.push_back(take(*choice, open[choice->match]));
  }
  for (std::size_t d = 0; d < designs_.size(); ++d) {
    std::set<std::int64_t> alone;
    for (const WaitingPerson& p : waiting)
      if (p.design == d) alone.insert(p.person);
    for (const std::int64_t person : stages_[d].strangers.left_over(alone))
      seating.left_over.push_back(person);
  }
  return seating;
}

// ---- perfect strangers ----

std::vector<std::size_t> Assigner::still_to_play(std::size_t design, std::int64_t person) const {
  const PlayDesign& of = designs_[design];
  const PersonState& who = state(design, person);
  const std::vector<std::size_t>& order = this->order(design, person);
  const std::size_t all = of.sittings != 0 ? of.sittings : of.matches;
  std::map<std::size_t, std::size_t> times = who.times;
  std::vector<std::size_t> left;
  const auto is_wanted = [&](std::size_t scenario) {
    return left.empty() && who.wanted.value_or(scenario + 1) == scenario;
  };
  for (;;) {
    std::optional<std::size_t> next;
    for (std::size_t place = 0; place < order.size(); ++place) {
      const std::size_t scenario = order[place];
      if (times[scenario] >= all / order.size() + (place < all % order.size() ? 1 : 0)) continue;
      if (!next || is_wanted(scenario) || (!is_wanted(*next) && times[scenario] < times[*next]))
        next = scenario;
    }
    if (!next) return left;
    ++times[*next];
    left.push_back(*next);
  }
}

void Assigner::schedule_strangers(std::size_t design, const std::vector<MatchToFill>& open,
                                  const std::vector<WaitingPerson>& people) {
  std::map<std::size_t, std::size_t> sizes;
  bool one_size = true;
  for (const MatchToFill& match : open)
    if (sizes.try_emplace(match.scenario, match.needed).first->second != match.needed)
      one_size = false;
  const PlayDesign& of = designs_[design];
  std::vector<Stranger> strangers;
  for (const WaitingPerson& p : people) {
    if (p.design != design) continue;
    Stranger& stranger =
        strangers.emplace_back(Stranger{p.person, {}, state(design, p.person).met});
    for (const std::size_t scenario : still_to_play(design, p.person)) {
      // Where no match is left the scenario is skipped, and nobody waits to sit alone.
      const auto size = sizes.find(scenario);
      if (size == sizes.end() || size->second < 2) continue;
      const auto treatment = of.treatments_by == TreatmentsBy::person
                                 ? due_treatment(design, scenario, p.person)
                                 : std::nullopt;
      stranger.to_play.emplace_back(scenario, treatment.value_or(0));
    }
  }
  std::sort(strangers.begin(), strangers.end(),
            [](const Stranger& a, const Stranger& b) { return a.person < b.person; });
  StrangerSchedule& schedule = stages_[design].strangers;
  if (one_size)
    schedule.update(std::move(strangers), sizes, key_of(seed_, "strangers", of.stage));
  else
    schedule.clear();
}

// ---- what was given before ----

void Assigner::restore(const Assigned& given) {
  StageState& stage = stages_[given.design];
  PersonState& who = stage.people[given.person];
  const PlayDesign& of = designs_[given.design];
  who.has_begun = true;
  switch (given.kind) {
    case AssignedKind::order:
      who.order = order_of(given.design, given.draw);
      if (!of.keeps_groups() && of.order != PlayOrder::random) stage.ordered.use(given.draw);
      break;
    case AssignedKind::treatment:
      if (!given.scenario) break;
      if (given.draw >= 0) stage.drawn[*given.scenario].use(given.draw);
      if (of.treatments_by == TreatmentsBy::person) who.treatments[*given.scenario] = given.number;
      if (of.treatments_by == TreatmentsBy::group && who.group != 0)
        stage.of_groups[{who.group, *given.scenario}] = given.number;
      break;
    case AssignedKind::group:
      if (given.scenario) break;
      who.group = given.number;
      if (!of.groups.empty()) break;
      stage.groups.resize(std::max<std::size_t>(stage.groups.size(), given.number));
      stage.groups[given.number - 1].push_back(given.person);
      break;
  }
}

void Assigner::restore(std::size_t design, std::size_t scenario, std::uint64_t luck,
                       const std::vector<std::int64_t>& people) {
  for (const std::int64_t person : people) {
    PersonState& who = stages_[design].people[person];
    ++who.times[scenario];
    if (who.wanted == scenario) who.wanted.reset();
    lucks_[person].insert(luck);
    for (const std::int64_t other : people)
      if (other != person) who.met.insert(other);
  }
}

}  // namespace agon::serve
