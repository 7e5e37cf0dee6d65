#include "people/matching.hpp"

#include <agon/random.hpp>
#include <algorithm>
#include <set>
#include <utility>

namespace agon::serve {
namespace {

bool has_sat_at(const Participant& who, const WaitingTable& table) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.match == table.table->match; });
}

bool has_met(const Participant& who, std::uint64_t luck) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.luck == luck; });
}

/// How often they took part in a scenario; a sequence of matches is one time.
std::size_t times_in(const Participant& who, const std::string& scenario) {
  std::set<archive::MatchId> first;
  for (const SeatedRow& row : who.seated)
    if (row.label == scenario) first.insert(row.first);
  return first.size();
}

/// Who came first has no seat by that: the luck of the match deals them.
void deal(WaitingTable& table, const std::vector<Participant*>& people) {
  std::vector<std::pair<std::uint64_t, Participant*>> dealt;
  for (std::size_t i = 0; i < people.size(); ++i)
    dealt.emplace_back(mix(combine(table.luck, i + 1)), people[i]);
  std::sort(dealt.begin(), dealt.end());
  for (const auto& [key, who] : dealt) table.who.push_back(who);
}

}  // namespace

const WaitingTable* waits_for(const Participant& who, const WaitingTables& waiting) {
  const WaitingTable* found = nullptr;
  std::size_t least = 0;
  for (auto at = waiting.begin(); at != waiting.end();) {
    const WaitingTable* table = *at;
    if (!table->who.empty() || has_sat_at(who, *table)) {
      ++at;
      continue;
    }
    const std::size_t times = times_in(who, table->table->scenario.name);
    if (found == nullptr || times < least) found = table, least = times;
    // On to the next scenario.
    at = std::upper_bound(
        at, waiting.end(), table->table->place,
        [](std::size_t place, const WaitingTable* other) { return place < other->table->place; });
  }
  return found;
}

bool seat_people(const WaitingTables& waiting, const std::vector<Participant*>& all) {
  // Who waits here, in the order of their coming, with the scenario that they wait for.
  std::vector<std::pair<Participant*, std::size_t>> here;
  for (Participant* p : all)
    if (p->step == Step::waiting && p->is_here())
      if (const WaitingTable* next = waits_for(*p, waiting))
        here.emplace_back(p, next->table->place);
  std::sort(here.begin(), here.end(),
            [](const auto& a, const auto& b) { return a.first->arrived < b.first->arrived; });
  bool any = false;
  std::set<Participant*> kept;  // for a match to which others are still to come
  for (const bool same_luck : {false, true})
    for (WaitingTable* table : waiting) {
      if (here.empty()) return any;
      if (!table->who.empty()) continue;
      std::vector<Participant*> able, found;  // who may sit here, and whom it would be new to
      for (const auto& [p, place] : here) {
        if (place != table->table->place || kept.contains(p) || has_sat_at(*p, *table)) continue;
        able.push_back(p);
        if (found.size() < table->needed && (same_luck || !has_met(*p, table->luck)))
          found.push_back(p);
      }
      if (able.size() < table->needed) {
        kept.insert(able.begin(), able.end());
      } else if (found.size() == table->needed) {
        std::erase_if(here, [&](const auto& one) {
          return std::find(found.begin(), found.end(), one.first) != found.end();
        });
        deal(*table, found);
        any = true;
      }
    }
  return any;
}

}  // namespace agon::serve
