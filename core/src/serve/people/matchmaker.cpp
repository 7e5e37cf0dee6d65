#include "people/matchmaker.hpp"

#include <agon/language.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "archive/archive.hpp"
#include "settings/settings.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

/// For reading the rules of a match where answers have a time limit, unless that is longer.
constexpr std::chrono::milliseconds kReading{180'000};
/// When no table comes for so long, all are there that the run begins with.
constexpr std::chrono::milliseconds kTablesCome{300};

bool has_sat_at(const Participant& who, const WaitingTable& table) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.match == table.table->match; });
}

bool has_met(const Participant& who, std::uint64_t luck) {
  return std::any_of(who.seated.begin(), who.seated.end(),
                     [&](const SeatedRow& row) { return row.luck == luck; });
}

/// True if it is of the stage that they are at.
bool is_of_stage(const Participant& who, const WaitingTable& table) {
  if (who.stage == nullptr) return true;
  const std::vector<std::string>& names = who.stage->scenarios;
  return std::find(names.begin(), names.end(), table.table->scenario.name) != names.end();
}

/// How often they took part in a scenario in this stage; a sequence of matches is one time.
std::size_t times_in(const Participant& who, const std::string& scenario) {
  std::set<archive::MatchId> first;
  for (const SeatedRow& row : who.seated)
    if (row.label == scenario && row.stage == who.row.stage) first.insert(row.first);
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
  if (!who.row.wanted.empty())
    for (const WaitingTable* table : waiting)
      if (table->who.empty() && table->table->scenario.name == who.row.wanted &&
          !has_sat_at(who, *table) && is_of_stage(who, *table))
        return table;
  const WaitingTable* found = nullptr;
  std::size_t least = 0;
  for (auto at = waiting.begin(); at != waiting.end();) {
    const WaitingTable* table = *at;
    if (!table->who.empty() || has_sat_at(who, *table) || !is_of_stage(who, *table)) {
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

void Matchmaker::load(std::vector<SeatedRow> rows, const std::vector<SaidRow>& said,
                      const std::filesystem::path& archive) {
  std::set<std::pair<archive::MatchId, int>> handed_over;
  for (const SaidRow& row : said)
    if (row.kind == SaidKind::handed_over) handed_over.insert({row.match, row.seat});
  std::optional<archive::Archive> stored;
  std::error_code none;
  if (std::filesystem::exists(archive, none) && std::filesystem::file_size(archive, none) > 0)
    stored = archive::Archive::open(archive);
  std::set<archive::MatchId> finished;
  for (SeatedRow& row : rows) {
    if (!row.outcome) {
      // What was asked or stored, and not noted any more here.
      if (handed_over.contains({row.match, row.seat})) {
        row.outcome = SeatEnding::substituted;
      } else if (const auto number = stored ? stored->matches().number(row.match) : std::nullopt) {
        const archive::MatchRow match = stored->matches().at(*number);
        const auto seat = static_cast<std::size_t>(row.seat);
        row.outcome = match.status == archive::MatchStatus::finished ? SeatEnding::played
                                                                     : SeatEnding::unfinished;
        if (row.outcome == SeatEnding::played && seat < match.seats.size())
          row.score = session_.study.score_told(row.label, match.seats[seat].payoff);
      }
      if (row.outcome) session_.store->save(row);
    }
    if (row.outcome == SeatEnding::played || row.outcome == SeatEnding::substituted)
      finished.insert(row.match);
    else if (row.outcome)
      given_up_.insert(row.match);
    if (Participant* who = session_.roster.find(row.participant); who != nullptr)
      who->seated.push_back(std::move(row));
  }
  matches_done_ = finished.size();
  // What somebody else ended is not played on.
  for (Participant* p : session_.roster.all())
    for (SeatedRow& row : p->seated)
      if (!row.outcome && given_up_.contains(row.match)) {
        row.outcome = SeatEnding::unfinished;
        session_.store->save(row);
      }
}

std::vector<Participant*> Matchmaker::known_at(const archive::MatchId& match,
                                               const std::vector<int>& seats) const {
  std::vector<Participant*> who(seats.size(), nullptr);
  bool known = false;
  for (Participant* p : session_.roster.all())
    for (const SeatedRow& row : p->seated)
      for (std::size_t i = 0; i < seats.size(); ++i)
        if (row.match == match && row.seat == seats[i]) who[i] = p, known = true;
  if (!known) who.clear();
  return who;
}

Matchmaker::Group Matchmaker::people_for(const TableToSeat& table, const std::vector<int>& seats,
                                         std::uint64_t luck, std::unique_lock<std::mutex>& lock,
                                         const std::stop_token& stop) {
  Group group{known_at(table.match, seats), false};
  if (group.people.empty()) {
    group = {known_at(table.first, seats), true};
    for (std::size_t i = 0; i < group.people.size(); ++i)
      group.people[i] = session_.roster.after_changes(table.first, seats[i], group.people[i]);
  }
  if (!group.people.empty()) {
    if (std::find(group.people.begin(), group.people.end(), nullptr) != group.people.end())
      group.people.clear();
    return group;
  }
  WaitingTable waiting{&table, luck, seats.size(), {}};
  // Threads come as they like; people are seated in the order of the plan.
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), &waiting,
                                   [](const WaitingTable* a, const WaitingTable* b) {
                                     return std::pair(a->table->place, a->table->order) <
                                            std::pair(b->table->place, b->table->order);
                                   }),
                  &waiting);
  table_came_ = archive::now();
  match_up();
  changed_.wait_until(lock, stop, Condition::kNoEnd,
                      [&] { return !waiting.who.empty() || session_.ended; });
  std::erase(waiting_, &waiting);
  group.people = std::move(waiting.who);
  return group;
}

void Matchmaker::match_up() {
  if (session_.ended || session_.clock.is_paused()) return;
  // Threads bring tables one by one: those who wait already must not find a later one first.
  if (!tables_are_there_) return;
  if (!seat_people(waiting_, session_.roster.all())) return;
  for (const WaitingTable* table : waiting_)
    for (Participant* p : table->who)
      if (p->step == Step::waiting) session_.move(*p, Step::playing);
  changed_.notify_all();
}

void Matchmaker::tick() {
  if (tables_are_there_ || waiting_.empty() || archive::now() - table_came_ < kTablesCome.count())
    return;
  tables_are_there_ = true;
  match_up();
}

SeatedTable& Matchmaker::open_table(const TableToSeat& table, const MatchSetup& setup) {
  SeatedTable& opened = tables_[table.match];
  opened = {.scenario = table.scenario.name, .since = archive::now()};
  for (const SeatCard& card : setup.cards) opened.seats.push_back(card.name);
  return opened;
}

std::shared_ptr<Sitting> Matchmaker::take_seat(Participant& who, SeatedTable& table,
                                               const MatchSetup& setup, const SeatedRow& row,
                                               bool is_new) {
  table.people[row.seat] = who.row.id;
  if (is_new) {
    if (!std::exchange(who.row.wanted, {}).empty()) session_.roster.save(who);
    session_.store->save(row);
    who.seated.push_back(row);
  }
  const bool gone = who.has_ended() || who.seat_in(row.match)->outcome.has_value();
  const Step before = who.step;
  auto sitting = sit_down(who, row.label, setup, row.seat);
  sitting->match = row.match;
  sitting->key = row.match.hex();
  sitting->gone = gone;
  if (gone) {  // a substitute has the seat
    who.sitting.reset();
    who.step = before;
  }
  table.sittings.push_back(sitting);
  return sitting;
}

std::shared_ptr<Sitting> Matchmaker::sit_down(Participant& who, const std::string& scenario,
                                              const MatchSetup& setup, int seat) {
  auto sitting = std::make_shared<Sitting>();
  sitting->seat = seat;
  sitting->participant = who.row.id;
  sitting->label = setup.label;
  sitting->early_end = session_.study.texts.say("server.broken");
  const SeatCard& card = setup.cards[static_cast<std::size_t>(seat)];
  const auto& prompts = setup.seats[static_cast<std::size_t>(seat)].prompts;
  const Language& words =
      prompts != nullptr && prompts->language ? *prompts->language : Language::english();
  sitting->words = &words;
  sitting->title = words.text(setup.game->card.title);
  sitting->you = card.name;
  sitting->role = words.text(card.role);
  for (const SeatCard& c : setup.cards) sitting->seats.push_back(c.name);
  if (setup.game->card.persona_for != nullptr)
    sitting->persona = setup.game->card.persona_for(setup.settings, seat, words);
  sitting->rules = rules_in(*setup.game, setup.settings, words);
  sitting->reading = session_.study.readings.of_scenario(scenario);
  sitting->announced = announced(sitting->rules, sitting->reading);
  sitting->rules_read = sitting->announced.empty() || who.read.contains(sitting->announced);
  if (const auto limit = session_.study.suite.answer_limit.count(); limit > 0)
    sitting->read_by = session_.clock.now() + std::max<std::int64_t>(limit, kReading.count());
  who.sitting = sitting;
  who.unanswered_since = -1;
  session_.move(who, Step::playing);
  return sitting;
}

std::vector<std::shared_ptr<Sitting>> Matchmaker::close_table(const archive::MatchId& match,
                                                              const MatchResult& result) {
  const auto at = tables_.find(match);
  if (at == tables_.end()) return {};
  SeatedTable& table = at->second;
  std::vector<std::shared_ptr<Sitting>> sittings = std::exchange(table.sittings, {});
  if (result.end == End::stopped) {
    // The process ends, and the match will be resumed.
    for (const auto& sitting : sittings) sitting->over = false;
    tables_.erase(at);
    return {};
  }
  table.done = true;
  const bool finished = result.end == End::finished;
  if (finished)
    ++matches_done_;
  else
    given_up_.insert(match);
  for (const auto& sitting : sittings) {
    SeatedRow& row = *session_.roster.find(sitting->participant)->seat_in(match);
    if (!row.outcome) {
      row.outcome = !sitting->gone ? finished ? SeatEnding::played : SeatEnding::unfinished
                    : session_.study.people.substitute ? SeatEnding::substituted
                                                       : SeatEnding::left;
      if (row.outcome == SeatEnding::played)
        row.score = session_.study.score_told(row.label, result.outcome[sitting->seat].score);
      session_.store->save(row);
    }
    sitting->counts = row.outcome == SeatEnding::played;
    sitting->over = true;
  }
  return sittings;
}

std::string Matchmaker::replace(Participant& before, Participant& after) {
  const std::shared_ptr<Sitting> sitting = before.sitting;
  if (sitting == nullptr || !sitting->match || sitting->over || sitting->gone)
    return before.row.label + " has no seat that could go to somebody else";
  const archive::MatchId match = *sitting->match;
  const SeatedRow* row = before.seat_in(match);
  if (row == nullptr || row->outcome) return before.row.label + " has left the seat already";
  if (after.step != Step::waiting || !after.is_here())
    return after.row.label + " does not wait for a match, or is not here";
  if (after.seat_in(match) != nullptr) return after.row.label + " has sat in this match";
  if (has_met(after, row->luck))
    return after.row.label + " has played with the random draws of this match before";
  SeatedRow taken = *row;
  taken.participant = after.row.id;
  taken.stage = after.row.stage;
  taken.since = archive::now();
  taken.seen = false;
  SeatChangeRow change{match, taken.first, taken.seat};
  const OpenQuestion* open = sitting->open();
  change.question = open != nullptr ? open->question->number
                                    : static_cast<std::uint32_t>(sitting->last_question + 1);
  change.attempt = open != nullptr ? open->question->attempt : 0;
  change.before = before.row.id;
  change.after = after.row.id;
  change.at = archive::now();
  session_.roster.change_seat(change);
  session_.store->save(taken);
  std::erase_if(before.seated, [&](const SeatedRow& seat) { return seat.match == match; });
  after.seated.push_back(taken);
  tables_.at(match).people[taken.seat] = after.row.id;
  before.sitting.reset();
  before.unanswered_since = -1;
  sitting->participant = after.row.id;
  sitting->rules_read = sitting->rules.empty() || after.read.contains(sitting->announced);
  sitting->accepted.clear();
  sitting->last_typed.clear();
  if (const auto limit = session_.study.suite.answer_limit.count(); limit > 0)
    sitting->read_by = session_.clock.now() + std::max<std::int64_t>(limit, kReading.count());
  after.sitting = sitting;
  after.unanswered_since = -1;
  session_.move(after, Step::playing);
  return {};
}

void Matchmaker::settle(Participant& who, SeatEnding outcome) {
  for (SeatedRow& row : who.seated) {
    if (row.outcome) continue;
    row.outcome = outcome;
    session_.store->save(row);
    if (outcome != SeatEnding::left) continue;
    given_up_.insert(row.match);
    if (const auto table = tables_.find(row.match); table != tables_.end())
      for (const auto& sitting : table->second.sittings)
        sitting->early_end = session_.study.texts.say("server.left");
  }
}

}  // namespace agon::serve
