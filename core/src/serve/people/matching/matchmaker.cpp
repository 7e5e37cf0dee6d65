#include "people/matching/matchmaker.hpp"

#include <agon/language.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/value.hpp>
#include <optional>
#include <set>
#include <utility>

#include "archive/archive.hpp"
#include "json/write.hpp"
#include "people/matching/play_design.hpp"
#include "people/words_for_people.hpp"
#include "settings/settings.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;
using suite_file::TreatmentsBy;

/// For reading the rules of a match where answers have a time limit, unless that is longer.
constexpr std::chrono::milliseconds kReading{180'000};
/// When no table comes for so long, all are there that the run begins with.
constexpr std::chrono::milliseconds kTablesCome{300};

/// For the log: "treatment of trust {...}: block 3 of treatments, position 2".
std::string in_words(const AssignmentRow& row) {
  std::string text(name_of(row.kind));
  if (!row.scenario.empty()) text += " of " + row.scenario;
  if (!row.value.empty()) text += " " + row.value;
  return text + ": " + row.why;
}

/// Which of the stages of play this is; nothing: none.
std::optional<std::size_t> design_at(const Assigner& assigner, std::int64_t stage) {
  const std::vector<PlayDesign>& designs = assigner.designs();
  for (std::size_t i = 0; i < designs.size(); ++i)
    if (designs[i].stage == stage) return i;
  return std::nullopt;
}

/// The scenario of that name in a stage of play, by its number in the suite; nothing: none.
std::optional<std::size_t> scenario_named(const Assigner& assigner, std::size_t design,
                                          const std::string& name) {
  const PlayDesign& of = assigner.designs()[design];
  const auto at = std::find(of.names.begin(), of.names.end(), name);
  if (at == of.names.end()) return std::nullopt;
  return of.scenarios[static_cast<std::size_t>(at - of.names.begin())];
}

/// Who sat at these seats of a match already; nothing if nobody did.
std::vector<Participant*> known_at(const Roster& roster, const archive::MatchId& match,
                                   const std::vector<int>& seats) {
  std::vector<Participant*> who(seats.size(), nullptr);
  bool known = false;
  for (Participant* p : roster.all())
    for (const SeatedRow& row : p->seated)
      for (std::size_t i = 0; i < seats.size(); ++i)
        if (row.match == match && row.seat == seats[i]) who[i] = p, known = true;
  if (!known) who.clear();
  return who;
}

std::vector<MatchToFill> open_matches(const WaitingTables& waiting,
                                      std::vector<WaitingTable*>& tables) {
  std::vector<MatchToFill> open;
  for (WaitingTable* table : waiting)
    if (table->who.empty()) {
      open.push_back(table->open);
      tables.push_back(table);
    }
  return open;
}

/// Whether somebody who takes the seat has read its rules, and until when they may.
void begin_reading(const SessionContext& session, Sitting& sitting, const Participant& who) {
  sitting.rules_read = sitting.announced.empty() || who.read.contains(sitting.announced);
  if (const auto limit = session.study.suite.answer_limit.count(); limit > 0)
    sitting.read_by = session.clock.now() + std::max<std::int64_t>(limit, kReading.count());
}

/// Who waits at a stage of play, and of perfect strangers also who is there besides.
std::vector<WaitingPerson> people_at_stages(const SessionContext& session,
                                            const Assigner& assigner) {
  const std::int64_t away = session.study.people.said.drop_out.seconds * 1000;
  std::vector<WaitingPerson> people;
  for (const Participant* p : session.roster.all()) {
    const auto design = design_at(assigner, p->row.stage);
    if (!design || p->has_ended()) continue;
    const bool is_free = p->step == Step::waiting && p->is_here();
    const bool strangers =
        assigner.designs()[*design].matching == suite_file::Matching::perfect_strangers;
    if (is_free || (strangers && (p->is_here() || session.clock.now() - p->gone_since < away)))
      people.push_back({p->row.place, *design, p->arrived, is_free});
  }
  return people;
}

}  // namespace

void Matchmaker::load(KeptPeople& kept, const std::filesystem::path& archive) {
  const Suite& suite = session_.study.suite;
  std::vector<ListedPerson> people;
  for (const Participant* p : session_.roster.all()) people.push_back({p->row.label, p->row.place});
  assigner_ = Assigner(play_designs(suite, people_matches(suite), people), suite.seed);
  load_seats(std::move(kept.seated), kept.said, archive);
  load_assignments(std::move(kept.assigned));
  for (const Participant* p : session_.roster.all())
    if (const auto design = design_at(assigner_, p->row.stage); design && !p->row.wanted.empty())
      assigner_.want(*design, p->row.place, scenario_named(assigner_, *design, p->row.wanted));
}

void Matchmaker::load_assignments(std::vector<AssignmentRow> rows) {
  const std::vector<Scenario>& scenarios = session_.study.suite.scenarios;
  const auto number_of = [&](const std::string& name) -> std::optional<std::size_t> {
    for (std::size_t i = 0; i < scenarios.size(); ++i)
      if (scenarios[i].name == name) return i;
    return std::nullopt;
  };
  for (AssignmentRow& row : rows) {
    Participant* who = session_.roster.find(row.participant);
    const auto design = design_at(assigner_, row.stage);
    if (who == nullptr || !design) continue;
    assigner_.restore({who->row.place, *design, row.kind, number_of(row.scenario), row.draw,
                       static_cast<std::uint64_t>(row.number), row.why});
    who->assigned.push_back(std::move(row));
  }
  // Who played together: sequences once.
  struct KeptGroup {
    const SeatedRow* seat;
    std::vector<std::int64_t> people;
  };
  std::map<archive::MatchId, KeptGroup> matches;
  for (const Participant* p : session_.roster.all())
    for (const SeatedRow& row : p->seated)
      if (row.match == row.first)
        matches.try_emplace(row.match, KeptGroup{&row, {}})
            .first->second.people.push_back(p->row.place);
  for (const auto& [match, together] : matches) {
    // What an older version kept is of the first stage that plays.
    const auto design =
        design_at(assigner_, together.seat->stage == 0 ? session_.study.first_stage(StageKind::play)
                                                       : together.seat->stage);
    const auto scenario = number_of(together.seat->label);
    if (design && scenario)
      assigner_.restore(*design, *scenario, together.seat->luck, together.people);
  }
}

std::vector<AssignmentRow> Matchmaker::note(const std::vector<Assigned>& given,
                                            const archive::MatchId& match) {
  std::map<std::int64_t, const Participant*> by_place;
  for (const Participant* p : session_.roster.all()) by_place[p->row.place] = p;
  std::vector<AssignmentRow> rows;
  std::map<std::string, std::vector<std::string>> told;  // what, to whom
  for (const Assigned& one : given) {
    const PlayDesign& design = assigner_.designs()[one.design];
    const Participant& who = *by_place.at(one.person);
    AssignmentRow row{who.row.id, design.stage, one.kind};
    row.draw = one.draw;
    row.number = static_cast<std::int64_t>(one.number);
    row.why = one.why;
    row.since = archive::now();
    if (one.scenario) {
      const Scenario& s = session_.study.suite.scenarios[*one.scenario];
      row.scenario = s.name;
      // What was given when they began is theirs at each match.
      if (one.kind == AssignedKind::group || design.treatments_by != TreatmentsBy::person)
        row.match = match;
      if (one.kind == AssignedKind::treatment) row.value = s.treatments[one.number].values;
    }
    if (one.kind == AssignedKind::order) {
      bj::array names;
      for (const std::size_t scenario : assigner_.order(one.design, one.person))
        names.emplace_back(bj::string(session_.study.suite.scenarios[scenario].name));
      row.value = json::write(bj::value(std::move(names)));
    }
    told[in_words(row)].push_back(who.row.label);
    rows.push_back(std::move(row));
  }
  for (const auto& [what, people] : told) session_.note(text::joined(people) + ": " + what);
  return rows;
}

void Matchmaker::begin_stage(Participant& who) {
  const auto design = design_at(assigner_, who.row.stage);
  if (!design) return;
  std::vector<AssignmentRow> rows = note(assigner_.begin(*design, who.row.place), {});
  who.assigned.insert(who.assigned.end(), rows.begin(), rows.end());
  session_.store->save(std::move(rows));
}

void Matchmaker::load_seats(std::vector<SeatedRow> rows, const std::vector<SaidRow>& said,
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

Matchmaker::Group Matchmaker::people_for(const TableToSeat& table, const std::vector<int>& seats,
                                         std::uint64_t luck, std::unique_lock<std::mutex>& lock,
                                         const std::stop_token& stop) {
  Group group{known_at(session_.roster, table.match, seats), false};
  if (group.people.empty()) {
    group = {known_at(session_.roster, table.first, seats), true};
    for (std::size_t i = 0; i < group.people.size(); ++i)
      group.people[i] = session_.roster.after_changes(table.first, seats[i], group.people[i]);
  }
  if (!group.people.empty()) {
    if (std::find(group.people.begin(), group.people.end(), nullptr) != group.people.end())
      group.people.clear();
    return group;
  }
  WaitingTable waiting{
      &table, {table.place, table.scenario.plan->match(table.order).treatment, luck, seats.size()}};
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
  group.assigned = std::move(waiting.assigned);
  return group;
}

const WaitingTable* Matchmaker::waits_for(const Participant& who) const {
  const auto design = design_at(assigner_, who.row.stage);
  if (!design) return nullptr;
  std::vector<WaitingTable*> tables;
  const auto next = assigner_.next(*design, who.row.place, open_matches(waiting_, tables));
  return next ? tables[*next] : nullptr;
}

std::size_t Matchmaker::assigned_treatments() const {
  std::uint64_t most = 1;
  for (const PlayDesign& design : assigner_.designs())
    if (design.treatments_by != TreatmentsBy::within)
      for (const std::uint64_t treatments : design.treatments) most = std::max(most, treatments);
  return static_cast<std::size_t>(most);
}

std::size_t Matchmaker::present_for(const Participant& who, const WaitingTable& next) const {
  const auto design = design_at(assigner_, who.row.stage);
  if (!design) return 0;
  const std::vector<std::int64_t>& group = assigner_.group_of(*design, who.row.place);
  std::vector<WaitingTable*> tables;
  const std::vector<MatchToFill> open = open_matches(waiting_, tables);
  const auto here = static_cast<std::size_t>(std::count_if(
      session_.roster.all().begin(), session_.roster.all().end(), [&](const Participant* p) {
        if (p->step != Step::waiting || !p->is_here() || p->row.stage != who.row.stage)
          return false;
        if (!group.empty())
          return std::find(group.begin(), group.end(), p->row.place) != group.end();
        const auto other = assigner_.next(*design, p->row.place, open);
        return other && tables[*other] == &next;
      }));
  // Those who are here may have met, or have others to meet.
  return assigner_.designs()[*design].matching == suite_file::Matching::perfect_strangers
             ? std::min(here, next.open.needed - 1)
             : here;
}

void Matchmaker::match_up() {
  if (session_.ended || session_.clock.is_paused()) return;
  // Threads bring tables one by one: those who wait already must not find a later one first.
  if (!tables_are_there_) return;
  std::vector<WaitingTable*> tables;
  const std::vector<MatchToFill> open = open_matches(waiting_, tables);
  std::map<std::int64_t, Participant*> by_place;
  for (Participant* p : session_.roster.all()) by_place[p->row.place] = p;
  const SeatedPeople seating = assigner_.seat(open, people_at_stages(session_, assigner_));
  std::vector<AssignmentRow> formed = note(seating.formed, {});
  for (const AssignmentRow& row : formed)
    session_.roster.find(row.participant)->assigned.push_back(row);
  session_.store->save(std::move(formed));
  if (std::exchange(left_over_, seating.left_over) != seating.left_over &&
      !seating.left_over.empty()) {
    std::vector<std::string> labels;
    for (const std::int64_t person : seating.left_over)
      labels.push_back(by_place.at(person)->row.label);
    session_.note(text::joined(labels) +
                  ": no further group of people who have not met is possible, unless others come");
  }
  if (seating.seated.empty()) return;
  for (const SeatedGroup& group : seating.seated) {
    WaitingTable& table = *tables[group.match];
    for (const std::int64_t person : group.people) table.who.push_back(by_place.at(person));
    table.assigned = note(group.assigned, table.table->match);
    for (Participant* p : table.who) session_.move(*p, Step::playing);
  }
  changed_.notify_all();
}

void Matchmaker::tick() {
  if (waiting_.empty()) return;
  // Perfect strangers who wait for somebody meet others once that person is gone.
  const auto is_scheduled = [](const PlayDesign& design) {
    return design.matching == suite_file::Matching::perfect_strangers;
  };
  if (tables_are_there_ &&
      std::none_of(assigner_.designs().begin(), assigner_.designs().end(), is_scheduled))
    return;
  if (!tables_are_there_ && archive::now() - table_came_ < kTablesCome.count()) return;
  tables_are_there_ = true;
  match_up();
}

SeatedTable& Matchmaker::open_table(const TableToSeat& table, const MatchSetup& setup) {
  SeatedTable& opened = tables_[table.match];
  opened = {.scenario = table.scenario.name, .since = archive::now()};
  opened.treatment = table.scenario.plan->match(table.order).treatment;
  for (const SeatCard& card : setup.cards) opened.seats.push_back(card.name);
  return opened;
}

std::shared_ptr<Sitting> Matchmaker::take_seat(Participant& who, SeatedTable& table,
                                               const MatchSetup& setup, const SeatedRow& row,
                                               bool is_new) {
  table.people[row.seat] = who.row.id;
  if (is_new) {
    who.row.wanted.clear();
    session_.roster.save(who);
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
  sitting->early_end = session_.study.texts.say("server.broken");
  const SeatCard& card = setup.cards[static_cast<std::size_t>(seat)];
  const WordsForPeople words(setup.seats[static_cast<std::size_t>(seat)].prompts);
  sitting->label = words.in_skin(setup.label);
  sitting->words = &words.language();
  sitting->title = words.text(setup.game->card.title);
  sitting->you = words.in_skin(card.name);
  sitting->role = words.text(card.role);
  for (const SeatCard& c : setup.cards) sitting->seats.push_back(words.in_skin(c.name));
  if (setup.game->card.persona_for != nullptr)
    sitting->persona =
        words.in_skin(setup.game->card.persona_for(setup.settings, seat, words.language()));
  sitting->rules = words.rules(*setup.game, setup.settings);
  sitting->reading = session_.study.readings.of_scenario(scenario);
  sitting->announced = announced(sitting->rules, sitting->reading);
  begin_reading(session_, *sitting, who);
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

std::string Matchmaker::want(Participant& who, const std::string& scenario) {
  const auto design = design_at(assigner_, who.row.stage);
  if (!design) return who.row.label + " is at no stage that plays";
  const PlayDesign& of = assigner_.designs()[*design];
  const auto number = scenario_named(assigner_, *design, scenario);
  if (!number) return "people do not play " + scenario + " at this stage";
  if (of.order != suite_file::PlayOrder::as_listed || of.keeps_groups())
    return "by the suite's design the order of scenarios, or a group that stays together, decides "
           "what " +
           who.row.label + " plays";
  assigner_.want(*design, who.row.place, number);
  const WaitingTable* next = waits_for(who);
  if (next != nullptr && next->table->scenario.name == scenario) {
    who.row.wanted = scenario;
    return {};
  }
  assigner_.want(*design, who.row.place, {});
  who.row.wanted.clear();
  return "no match of " + scenario + " waits that " + who.row.label + " is still to play";
}

std::string Matchmaker::why_not_at(const Participant& after, const SeatedRow& seat) const {
  const std::string& label = after.row.label;
  const auto design = design_at(assigner_, after.row.stage);
  if (!design || !scenario_named(assigner_, *design, seat.label))
    return label + " does not play " + seat.label + " at this stage";
  const PlayDesign& of = assigner_.designs()[*design];
  if (of.keeps_groups()) return "by the suite's design the same people stay together";
  const WaitingTable* next = waits_for(after);
  if (next != nullptr && next->table->scenario.name != seat.label)
    return label + " waits for " + next->table->scenario.name;
  const SeatedTable& table = tables_.at(seat.match);
  if (next != nullptr && of.treatments_by == suite_file::TreatmentsBy::person &&
      next->open.treatment != table.treatment)
    return label + " has another treatment";
  return {};
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
  const auto has_luck = [&](const SeatedRow& seat) { return seat.luck == row->luck; };
  if (std::any_of(after.seated.begin(), after.seated.end(), has_luck))
    return after.row.label + " has played with the random draws of this match before";
  if (std::string why = why_not_at(after, *row); !why.empty()) return why;
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
  std::vector<std::int64_t> others;
  for (const auto& [seat, id] : tables_.at(match).people)
    if (id != after.row.id) others.push_back(session_.roster.find(id)->row.place);
  const std::size_t design = *design_at(assigner_, after.row.stage);
  assigner_.join(design, *scenario_named(assigner_, design, taken.label), taken.luck,
                 after.row.place, others);
  before.sitting.reset();
  before.unanswered_since = -1;
  sitting->participant = after.row.id;
  begin_reading(session_, *sitting, after);
  sitting->accepted.clear();
  sitting->last_typed.clear();
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
