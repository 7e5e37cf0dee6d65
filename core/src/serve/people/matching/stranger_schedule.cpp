#include "people/matching/stranger_schedule.hpp"

#include <agon/random.hpp>
#include <algorithm>
#include <bit>
#include <numeric>

namespace agon::serve {
namespace {

using PeopleMask = std::uint64_t;

constexpr PeopleMask bit(std::size_t person) {
  return PeopleMask{1} << person;
}

/// Who still plays what, by numbers.
struct StrangerPuzzle {
  std::vector<std::vector<std::size_t>> to_play;  ///< kinds of tables, by person
  std::vector<std::size_t> sizes;                 ///< people at a table, by kind
  std::vector<PeopleMask> met;                    ///< by person

  [[nodiscard]] std::size_t people() const { return to_play.size(); }
  [[nodiscard]] std::size_t seats() const {
    std::size_t all = 0;
    for (const auto& list : to_play) all += list.size();
    return all;
  }
};

struct DrawnGroup {
  std::size_t kind = 0;
  std::vector<std::size_t> people;
  std::size_t round = 0;
};
using DrawnGroups = std::vector<DrawnGroup>;

/// Those of the groups that can be played where each person plays in their order, by rounds.
DrawnGroups playable(const StrangerPuzzle& puzzle, DrawnGroups groups) {
  std::vector<std::size_t> at(puzzle.people()), rounds(puzzle.people());
  DrawnGroups played;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    std::erase_if(groups, [&](DrawnGroup& group) {
      for (const std::size_t p : group.people)
        if (at[p] == puzzle.to_play[p].size() || puzzle.to_play[p][at[p]] != group.kind)
          return false;
      for (const std::size_t p : group.people) group.round = std::max(group.round, rounds[p] + 1);
      for (const std::size_t p : group.people) ++at[p], rounds[p] = group.round;
      played.push_back(group);
      return goes_on = true;
    });
  }
  std::stable_sort(played.begin(), played.end(),
                   [](const DrawnGroup& a, const DrawnGroup& b) { return a.round < b.round; });
  return played;
}

// ---- nobody has met more than once -----------------------------------------------------------

using Rounds = std::vector<std::vector<std::vector<std::size_t>>>;

bool is_prime(std::size_t n) {
  for (std::size_t i = 2; i * i <= n; ++i)
    if (n % i == 0) return false;
  return n > 1;
}

/// Rounds in which all are in a group and no two meet twice. Pairs: the circle method, n - 1
/// rounds. Larger groups: lines of slope 0, 1, ... over as many rows as a group has people, in a
/// field of prime order.
Rounds known_rounds(std::size_t people, std::size_t size) {
  Rounds rounds;
  if (people % size != 0) return rounds;
  const std::size_t groups = people / size;
  if (size == 2) {
    const std::size_t circle = people - 1;
    for (std::size_t r = 0; r < circle; ++r) {
      rounds.push_back({{r, people - 1}});
      for (std::size_t i = 1; i < groups; ++i)
        rounds.back().push_back({(r + i) % circle, (r + circle - i) % circle});
    }
  } else if (groups >= size && is_prime(groups)) {
    for (std::size_t slope = 0; slope < groups; ++slope) {
      rounds.emplace_back(groups);
      for (std::size_t line = 0; line < groups; ++line)
        for (std::size_t row = 0; row < size; ++row)
          rounds.back()[line].push_back(row * groups + (line + slope * row) % groups);
    }
    if (groups == size) {
      rounds.emplace_back(groups);
      for (std::size_t p = 0; p < people; ++p) rounds.back()[p / groups].push_back(p);
    }
  }
  return rounds;
}

/// The groups of a first round that is played or being played: all others have met nobody. Nothing:
/// they have met otherwise, or do not all play the same.
std::optional<std::vector<std::vector<std::size_t>>> first_round(const StrangerPuzzle& puzzle) {
  const std::size_t size = puzzle.sizes.front();
  std::vector<std::vector<std::size_t>> groups;
  const std::vector<std::size_t>* all = nullptr;
  for (std::size_t p = 0; p < puzzle.people(); ++p)
    if (puzzle.met[p] == 0) {
      if (all != nullptr && *all != puzzle.to_play[p]) return std::nullopt;
      all = &puzzle.to_play[p];
    }
  for (std::size_t p = 0; p < puzzle.people(); ++p) {
    const PeopleMask group = puzzle.met[p] | bit(p);
    if (puzzle.met[p] == 0) continue;
    if (static_cast<std::size_t>(std::popcount(group)) != size) return std::nullopt;
    const std::vector<std::size_t>& list = puzzle.to_play[p];
    if (all != nullptr &&
        (list.size() + 1 != all->size() || !std::equal(list.begin(), list.end(), all->begin() + 1)))
      return std::nullopt;
    if (all == nullptr && list != puzzle.to_play.front()) return std::nullopt;
    if (static_cast<std::size_t>(std::countr_zero(group)) != p) continue;
    groups.emplace_back();
    for (std::size_t q = 0; q < puzzle.people(); ++q)
      if ((group & bit(q)) == 0)
        continue;
      else if ((puzzle.met[q] | bit(q)) != group)
        return std::nullopt;
      else
        groups.back().push_back(q);
  }
  return groups;
}

/// A known schedule whose people are drawn, and of whose rounds those that are played.
DrawnGroups from_known_rounds(const StrangerPuzzle& puzzle, Dice& dice) {
  const std::size_t size = puzzle.sizes.front();
  if (std::any_of(puzzle.sizes.begin(), puzzle.sizes.end(),
                  [&](std::size_t s) { return s != size; }))
    return {};
  auto first = first_round(puzzle);
  Rounds rounds = known_rounds(puzzle.people(), size);
  if (!first || rounds.empty()) return {};
  const bool has_begun = !first->empty();
  std::vector<std::size_t> others;
  for (std::size_t p = 0; p < puzzle.people(); ++p)
    if (puzzle.met[p] == 0) others.push_back(p);
  dice.shuffle(std::span(others));
  dice.shuffle(std::span(*first));
  const std::size_t together = first->size();
  for (std::size_t i = 0; i < others.size(); ++i) {
    if (i % size == 0) first->emplace_back();
    first->back().push_back(others[i]);
  }
  std::vector<std::size_t> stands_for(puzzle.people());
  for (std::size_t g = 0; g < rounds[0].size(); ++g)
    for (std::size_t i = 0; i < size; ++i) stands_for[rounds[0][g][i]] = (*first)[g][i];
  dice.shuffle(std::span(rounds).subspan(1));
  std::size_t most = 0;
  for (const auto& list : puzzle.to_play) most = std::max(most, list.size());
  const std::size_t skipped = has_begun && together == rounds[0].size() ? 1 : 0;
  DrawnGroups groups;
  for (std::size_t r = skipped; r < std::min(rounds.size(), most + skipped); ++r)
    for (std::size_t g = r == 0 ? together : 0; g < rounds[r].size(); ++g) {
      DrawnGroup& group = groups.emplace_back();
      for (const std::size_t p : rounds[r][g]) group.people.push_back(stands_for[p]);
      const auto& list = puzzle.to_play[group.people.front()];
      // Who is in the first round has one match less to play from here on.
      const std::size_t place =
          r - skipped -
          (has_begun && skipped == 0 && r > 0 && puzzle.met[group.people.front()] != 0 ? 1 : 0);
      if (place >= list.size()) return {};
      group.kind = list[place];
    }
  return groups;
}

// ---- pairs -----------------------------------------------------------------------------------

/// Pairs by hill climbing (Dinitz, Stinson: "A hill-climbing algorithm for the construction of
/// one-factorizations and Room squares", 1987): somebody who lacks a partner takes one, if need be
/// from another who then lacks one.
class PairClimb {
 public:
  /// `by_round`: the matches of a kind are rounds, and a pair plays the same one.
  PairClimb(const StrangerPuzzle& puzzle, bool by_round, Dice& dice)
      : puzzle_(puzzle), dice_(dice), cells_(puzzle.people()), used_(puzzle.people()) {
    const std::size_t kinds = puzzle.sizes.size();
    for (std::size_t p = 0; p < puzzle.people(); ++p) {
      std::vector<std::size_t> left(kinds);
      for (const std::size_t kind : puzzle.to_play[p]) ++left[kind];
      for (const std::size_t kind : puzzle.to_play[p]) {
        --left[kind];
        const std::size_t column = by_round ? kind + kinds * left[kind] : kind;
        if (column >= plays_.size()) plays_.resize(column + 1);
        plays_[column] |= bit(p);
        lacking_.emplace_back(p, cells_[p].size());
        cells_[p].push_back({column, kNobody, 0});
      }
    }
  }

  /// Whether nobody has to be left out of a round.
  [[nodiscard]] bool are_even() const {
    return std::all_of(plays_.begin(), plays_.end(),
                       [](PeopleMask column) { return std::popcount(column) % 2 == 0; });
  }

  DrawnGroups climb() {
    const std::size_t cells = lacking_.size();
    DrawnGroups best;
    std::size_t least = cells + 1;
    for (std::size_t step = 0; step < 500 + 50 * cells; ++step) {
      if (lacking_.size() < least) {
        least = lacking_.size();
        best = groups();
      }
      if (lacking_.size() <= cells % 2) break;
      give_partner();
    }
    return best;
  }

 private:
  static constexpr std::size_t kNobody = StrangerSchedule::kMostPeople;
  struct PairCell {
    std::size_t column = 0;
    std::size_t partner = kNobody;
    std::size_t place = 0;  ///< of the partner's cell
  };

  [[nodiscard]] DrawnGroups groups() const {
    DrawnGroups all;
    for (std::size_t p = 0; p < cells_.size(); ++p)
      for (std::size_t i = 0; i < cells_[p].size(); ++i)
        if (const PairCell& cell = cells_[p][i]; cell.partner != kNobody && p < cell.partner)
          all.push_back({puzzle_.to_play[p][i], {p, cell.partner}, 0});
    return all;
  }

  void part(std::size_t person, std::size_t place) {
    PairCell& cell = cells_[person][place];
    used_[person] &= ~bit(cell.partner);
    used_[cell.partner] &= ~bit(person);
    cells_[cell.partner][cell.place].partner = kNobody;
    lacking_.emplace_back(cell.partner, cell.place);
    lacking_.emplace_back(person, place);
    cell.partner = kNobody;
  }

  void give_partner() {
    const std::size_t which = dice_.below(lacking_.size());
    const auto [person, place] = lacking_[which];
    const std::size_t column = cells_[person][place].column;
    const PeopleMask able = plays_[column] & ~puzzle_.met[person] & ~bit(person);
    PeopleMask others = able & ~used_[person];
    if (others == 0) others = able;
    if (others == 0) return;
    for (std::size_t skip = dice_.below(static_cast<std::uint64_t>(std::popcount(others)));
         skip > 0; --skip)
      others &= others - 1;
    const auto partner = static_cast<std::size_t>(std::countr_zero(others));
    for (std::size_t i = 0; i < cells_[person].size(); ++i)
      if (cells_[person][i].partner == partner) part(person, i);
    std::vector<std::size_t> theirs, free;
    for (std::size_t i = 0; i < cells_[partner].size(); ++i)
      if (cells_[partner][i].column == column) {
        theirs.push_back(i);
        if (cells_[partner][i].partner == kNobody) free.push_back(i);
      }
    const std::vector<std::size_t>& among = free.empty() ? theirs : free;
    const std::size_t taken = among[dice_.below(among.size())];
    if (free.empty()) part(partner, taken);
    cells_[person][place] = {column, partner, taken};
    cells_[partner][taken] = {column, person, place};
    used_[person] |= bit(partner);
    used_[partner] |= bit(person);
    std::erase(lacking_, std::pair(person, place));
    std::erase(lacking_, std::pair(partner, taken));
  }

  const StrangerPuzzle& puzzle_;
  Dice& dice_;
  std::vector<std::vector<PairCell>> cells_;
  std::vector<PeopleMask> used_;   ///< partners, by person
  std::vector<PeopleMask> plays_;  ///< by column
  std::vector<std::pair<std::size_t, std::size_t>> lacking_;
};

// ---- groups of any size ----------------------------------------------------------------------

/// A group of those in `able`, the first of whom is given; false: none was found in so many steps.
bool add_strangers(const std::vector<std::size_t>& able, std::size_t from, std::size_t size,
                   const std::vector<PeopleMask>& met, PeopleMask known, int& steps,
                   std::vector<std::size_t>& group) {
  if (group.size() == size) return true;
  for (std::size_t i = from; i < able.size() && --steps > 0; ++i) {
    const std::size_t p = able[i];
    if ((known & bit(p)) != 0) continue;
    group.push_back(p);
    if (add_strangers(able, i + 1, size, met, known | met[p] | bit(p), steps, group)) return true;
    group.pop_back();
  }
  return false;
}

/// Plays a stage by chance, those first who have most to play.
DrawnGroups by_chance(const StrangerPuzzle& puzzle, Dice& dice) {
  std::vector<PeopleMask> met = puzzle.met;
  std::vector<std::size_t> at(puzzle.people()), order(puzzle.people());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto left = [&](std::size_t p) { return puzzle.to_play[p].size() - at[p]; };
  DrawnGroups groups;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    dice.shuffle(std::span(order));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return left(a) > left(b); });
    for (const std::size_t first : order) {
      if (left(first) == 0) continue;
      const std::size_t kind = puzzle.to_play[first][at[first]];
      std::vector<std::size_t> able;
      for (const std::size_t p : order)
        if (p != first && left(p) > 0 && puzzle.to_play[p][at[p]] == kind) able.push_back(p);
      DrawnGroup group{kind, {first}, 0};
      int steps = 2000;
      if (!add_strangers(able, 0, puzzle.sizes[kind], met, met[first] | bit(first), steps,
                         group.people))
        continue;
      for (const std::size_t p : group.people) {
        ++at[p];
        for (const std::size_t q : group.people)
          if (q != p) met[p] |= bit(q);
      }
      groups.push_back(std::move(group));
      goes_on = true;
      break;
    }
  }
  return groups;
}

/// Takes people out who would be left alone at a table of some kind, and would wait there for ever.
/// Where all tables are of one kind, nobody waits at an earlier one.
void leave_excess_out(StrangerPuzzle& puzzle, Dice& dice) {
  if (puzzle.sizes.size() < 2) return;
  for (std::size_t kind = 0; kind < puzzle.sizes.size();) {
    std::size_t seats = 0;
    std::vector<std::size_t> most;
    for (std::size_t p = 0; p < puzzle.people(); ++p) {
      const auto& list = puzzle.to_play[p];
      const auto n = std::count(list.begin(), list.end(), kind);
      if (n == 0) continue;
      seats += static_cast<std::size_t>(n);
      if (!most.empty() && puzzle.to_play[most.front()].size() > list.size()) continue;
      if (!most.empty() && puzzle.to_play[most.front()].size() < list.size()) most.clear();
      most.push_back(p);
    }
    if (seats % puzzle.sizes[kind] == 0) {
      ++kind;
      continue;
    }
    puzzle.to_play[most[dice.below(most.size())]].clear();
    kind = 0;
  }
}

/// The schedule with the most groups that was found.
DrawnGroups draw_groups(const StrangerPuzzle& all, std::uint64_t key) {
  Dice dice(key);
  StrangerPuzzle puzzle = all;
  leave_excess_out(puzzle, dice);
  DrawnGroups best;
  std::size_t most = 0;
  const std::size_t seats = puzzle.seats();
  std::size_t largest = 0;
  for (const std::size_t size : puzzle.sizes) largest = std::max(largest, size);
  const auto is_all = [&](DrawnGroups groups) {
    groups = playable(puzzle, std::move(groups));
    std::size_t taken = 0;
    for (const DrawnGroup& group : groups) taken += group.people.size();
    if (taken > most) best = std::move(groups), most = taken;
    return seats - most < (puzzle.sizes.size() == 1 ? largest : 1);
  };
  if (is_all(from_known_rounds(puzzle, dice))) return best;
  if (std::all_of(puzzle.sizes.begin(), puzzle.sizes.end(), [](std::size_t s) { return s == 2; }))
    for (const bool by_round : {true, false})
      for (int i = 0; i < 2; ++i)
        if (PairClimb pairs(puzzle, by_round, dice);
            (!by_round || pairs.are_even()) && is_all(pairs.climb()))
          return best;
  // Sessions are rehearsed by the hundred: the more is to be drawn, the less often.
  const std::size_t tries = std::clamp<std::size_t>(3000 / (seats + 1), 3, 100);
  for (std::size_t i = 0; i < tries; ++i)
    if (is_all(by_chance(puzzle, dice))) break;
  return best;
}

}  // namespace

std::vector<std::int64_t> group_of_strangers(
    const std::vector<std::int64_t>& able, std::size_t needed,
    const std::map<std::int64_t, const std::set<std::int64_t>*>& met,
    std::optional<std::int64_t> first) {
  // Depth first; beyond so many steps they wait for others.
  int steps = 20'000;
  std::vector<std::int64_t> group;
  if (first) group.push_back(*first);
  const std::size_t given = group.size();
  std::vector<std::size_t> chosen;
  std::size_t at = 0;
  while (group.size() < needed) {
    if (at == able.size() || --steps < 0) {
      if (chosen.empty() || steps < 0) return {};
      at = chosen.back() + 1;
      chosen.pop_back();
      group.resize(given + chosen.size());
      continue;
    }
    const std::set<std::int64_t>& known = *met.at(able[at]);
    if (std::none_of(group.begin(), group.end(), [&](std::int64_t other) {
          return other == able[at] || known.contains(other);
        })) {
      chosen.push_back(at);
      group.push_back(able[at]);
    }
    ++at;
  }
  return group;
}

void StrangerSchedule::update(std::vector<Stranger> people,
                              const std::map<std::size_t, std::size_t>& sizes, std::uint64_t key) {
  std::erase_if(people, [](const Stranger& p) { return p.to_play.empty(); });
  sizes_ = sizes;
  if (people == people_) return;
  people_ = std::move(people);
  groups_.clear();
  key_ = key;
  for (const Stranger& p : people_)
    key_ = combine(combine(key_, static_cast<std::uint64_t>(p.person)), p.met.size());
  if (people_.size() > kMostPeople || people_.empty()) return;
  StrangerPuzzle puzzle;
  std::map<TableKind, std::size_t> kinds;
  for (const Stranger& p : people_)
    for (const TableKind& kind : p.to_play) kinds.try_emplace(kind, 0);
  std::vector<TableKind> by_number;
  for (auto& [kind, number] : kinds) {
    number = by_number.size();
    by_number.push_back(kind);
    puzzle.sizes.push_back(sizes_.at(kind.first));
  }
  for (const Stranger& p : people_) {
    puzzle.to_play.emplace_back();
    for (const TableKind& kind : p.to_play) puzzle.to_play.back().push_back(kinds.at(kind));
    puzzle.met.push_back(0);
    for (std::size_t q = 0; q < people_.size(); ++q)
      if (p.met.contains(people_[q].person)) puzzle.met.back() |= bit(q);
  }
  for (const DrawnGroup& group : draw_groups(puzzle, key_)) {
    groups_.push_back({by_number[group.kind], {}});
    for (const std::size_t p : group.people) groups_.back().people.push_back(people_[p].person);
  }
}

std::vector<std::int64_t> StrangerSchedule::ready(const TableKind& kind,
                                                  const std::vector<std::int64_t>& able) const {
  const std::set<std::int64_t> here(able.begin(), able.end());
  for (const ScheduledGroup& group : groups_)
    if (group.kind == kind && std::all_of(group.people.begin(), group.people.end(),
                                          [&](std::int64_t p) { return here.contains(p); }))
      return group.people;
  return {};
}

bool StrangerSchedule::has(std::int64_t person) const {
  return std::any_of(groups_.begin(), groups_.end(), [&](const ScheduledGroup& group) {
    return std::find(group.people.begin(), group.people.end(), person) != group.people.end();
  });
}

void StrangerSchedule::take(std::size_t scenario, const std::vector<std::int64_t>& people) {
  const auto sits = [&](std::int64_t p) {
    return std::find(people.begin(), people.end(), p) != people.end();
  };
  for (Stranger& p : people_) {
    if (!sits(p.person)) continue;
    const auto at = std::find_if(p.to_play.begin(), p.to_play.end(),
                                 [&](const TableKind& kind) { return kind.first == scenario; });
    if (at != p.to_play.end()) p.to_play.erase(at);
    for (const std::int64_t other : people)
      if (other != p.person) p.met.insert(other);
  }
  std::erase_if(people_, [](const Stranger& p) { return p.to_play.empty(); });
  const auto group =
      std::find_if(groups_.begin(), groups_.end(), [&](const ScheduledGroup& scheduled) {
        return scheduled.kind.first == scenario && scheduled.people.size() == people.size() &&
               std::all_of(scheduled.people.begin(), scheduled.people.end(), sits);
      });
  if (group != groups_.end()) groups_.erase(group);
}

std::vector<std::int64_t> StrangerSchedule::left_over(const std::set<std::int64_t>& people) const {
  std::map<std::int64_t, const std::set<std::int64_t>*> met;
  for (const Stranger& p : people_) met[p.person] = &p.met;
  std::vector<std::int64_t> left;
  if (people_.size() > kMostPeople) return left;
  for (const Stranger& p : people_) {
    if (!people.contains(p.person) || p.met.empty() || has(p.person)) continue;
    const TableKind kind = p.to_play.front();
    std::vector<std::int64_t> able;
    for (const Stranger& other : people_)
      if (!has(other.person) &&
          std::find(other.to_play.begin(), other.to_play.end(), kind) != other.to_play.end())
        able.push_back(other.person);
    if (group_of_strangers(able, sizes_.at(kind.first), met, p.person).empty())
      left.push_back(p.person);
  }
  return left;
}

}  // namespace agon::serve
