#include "people/session.hpp"

#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/language.hpp>
#include <agon/model/model_agent.hpp>
#include <agon/random.hpp>
#include <algorithm>
#include <boost/json/value.hpp>
#include <filesystem>
#include <utility>

#include "archive/archive.hpp"
#include "describe/value.hpp"
#include "http/door.hpp"
#include "people/participant.hpp"
#include "run/planned_match.hpp"
#include "settings/settings.hpp"
#include "text/say.hpp"
#include "text/words.hpp"

namespace agon::serve {
namespace {

/// How often the session looks whose time is up.
constexpr std::chrono::milliseconds kTick{200};
/// Pages are asked so often whether they are there, and who has said nothing for so long is not.
constexpr std::chrono::milliseconds kAskHere{5'000};
constexpr std::chrono::milliseconds kSilent{15'000};
/// For reading the rules of a match where answers have a time limit, unless that is longer.
constexpr std::chrono::milliseconds kReading{180'000};
/// When no table comes for so long, all are there that the run begins with.
constexpr std::chrono::milliseconds kTablesCome{300};
/// What happened last, for whoever leads the session.
constexpr std::size_t kLongestLog = 300;
/// Threads for tables beside those that all links could fill: links are added while it runs.
constexpr std::size_t kMoreTables = 64;
/// No more threads than these for tables at which nobody may ever sit.
constexpr std::size_t kManyTables = 4096;

const Participation& people_of(const Suite& suite) {
  if (!suite.people)
    throw Error(ErrorKind::invalid, "the suite says nothing of people", suite.file + " ($.people)",
                "write \"people\": { \"participants\": 2 }; see 'agon describe suite'");
  return *suite.people;
}

std::filesystem::path beside(const std::filesystem::path& archive) {
  std::filesystem::path path = archive;
  if (path.extension() == ".agon") path.replace_extension();
  return path += ".people";
}

/// 48 random bits for names that are no secrets: nobody sees from them who came first.
std::string random_name() {
  return key_digest(random_key()).substr(0, 12);
}

std::string random_code() {
  std::string code = random_name().substr(0, 8);
  for (char& c : code)
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  return code;
}

/// What people are told of a scenario in.
const Language& language_of(const Scenario& s) {
  return s.people_prompts == nullptr ? Language::english() : *s.people_prompts->language;
}

/// The matches of a suite at which people sit.
template <class Each>
void each_people_match(const Suite& suite, std::uint64_t most, Each each) {
  for (std::size_t i = 0; i < suite.scenarios.size(); ++i) {
    const Scenario& s = suite.scenarios[i];
    const auto is_ours = [&](int agent) {
      return is_person(*suite.agents[static_cast<std::size_t>(agent)].in(s.game->id)->agent);
    };
    const auto& line_ups = s.plan->line_ups();
    if (std::none_of(line_ups.begin(), line_ups.end(), [&](const design::Seating& line_up) {
          const std::vector<int> who = line_up.assignment(0);
          return std::any_of(who.begin(), who.end(), is_ours);
        }))
      continue;
    const std::uint64_t end = std::min<std::uint64_t>(s.plan->size(), most);
    for (std::uint64_t m = 0; m < end; ++m) {
      const design::PlannedMatch planned = s.plan->match(m);
      if (std::any_of(planned.agents.begin(), planned.agents.end(), is_ours)) each(i, m, planned);
    }
  }
}

}  // namespace

Session::Session(const Suite& suite, const std::filesystem::path& archive,
                 std::uint64_t participants)
    : suite_(suite),
      people_(people_of(suite)),
      path_(beside(archive)),
      texts_(people_.said.language, people_.texts, suite.file + " ($.people.texts)") {
  constexpr std::uint64_t looked_at = 100'000;
  std::set<std::string> rules, kinds;
  std::size_t last = suite_.scenarios.size();
  each_people_match(
      suite_, looked_at,
      [&](std::size_t scenario, std::uint64_t m, const design::PlannedMatch& match) {
        if (!trial_) trial_ = {scenario, m};
        ++people_matches_;
        if (scenario != last) ++people_scenarios_, last = scenario;
        const Scenario& s = suite_.scenarios[scenario];
        rules.insert(
            rules_in(*s.game, s.treatments[match.treatment].settings->get(), language_of(s)));
        std::size_t people = 0;
        for (const int a : match.agents) {
          const Agent& agent = *suite_.agents[static_cast<std::size_t>(a)].in(s.game->id)->agent;
          if (is_person(agent))
            kinds.insert(++people > 1 ? "server.people" : "");
          else
            kinds.insert(agent.model_agent() != nullptr ? "server.models" : "server.programs");
        }
      });
  if (!trial_)
    throw Error(ErrorKind::invalid, "no seat of any match is a person's",
                suite.file + " ($.people)",
                "name an agent \"human\" in \"agents\", or --agent NAME=human");
  if (rules.size() == 1) instructions_ = *rules.begin();
  kinds.erase("");
  const std::string all =
      text::joined(kinds, "; ", [&](const std::string& kind) { return texts_.say(kind); });
  told_ = people_.said.disclosure ? *people_.said.disclosure
          : all.empty()           ? texts_.say("server.told_alone")
                                  : texts_.say("server.told", {{"who", all}});
  store_ = std::make_unique<PeopleStore>(path_);
  if (!people_.consent.empty()) {
    consent_digest_ = hash::hex(hash::sha256(people_.consent));
    store_->save_text(consent_digest_, people_.consent);
  }
  load(store_->take_kept(), archive);
  std::uint64_t links = 0;
  for (const Participant* p : in_order_) links += p->row.room.empty() ? 1 : 0;
  const std::uint64_t wanted = participants != 0 ? participants : people_.said.participants;
  for (; links < wanted; ++links) give_key(enter("", ""));
  for (const auto& [room, names] : people_.said.rooms)
    for (const std::string& name : names)
      if (std::none_of(in_order_.begin(), in_order_.end(),
                       [&name, &room = room](const Participant* p) {
                         return p->row.room == room && p->row.label == name;
                       }))
        enter(name, room);
  if (in_order_.empty())
    throw Error(ErrorKind::invalid, "nobody is to take part", suite.file + " ($.people)",
                "say \"participants\": N, --participants N, or name people in \"rooms\"");
  store_->flush();
  time_ = std::jthread([this](const std::stop_token& stop) { keep_time(stop); });
}

Session::~Session() {
  time_.request_stop();
  changed_.notify_all();
  for (Participant* p : in_order_) p->trial.request_stop();
  for (Participant* p : in_order_)
    if (p->trial.joinable()) p->trial.join();
  time_.join();
}

void Session::found_at(std::string url) {
  const Lock lock(mutex_);
  url_ = std::move(url);
}

void Session::load(const PeopleStore::Kept& kept, const std::filesystem::path& archive) {
  session_ = kept.session;
  if (kept.ended) state_ = State::ended;
  for (const ParticipantRow& row : kept.participants) {
    auto who = std::make_unique<Participant>();
    who->row = row;
    if (!row.key.empty()) by_key_[row.key] = who.get();
    in_order_.push_back(who.get());
    participants_[row.id] = std::move(who);
  }
  said_ = kept.said;
  std::set<std::pair<archive::MatchId, int>> handed_over;
  std::set<archive::MatchId> finished;
  for (std::size_t i = 0; i < said_.size(); ++i) {
    const SaidRow& said = said_[i];
    said_at_[{said.match, said.seat, said.question, said.attempt}] = i;
    if (said.kind == "gone") handed_over.insert({said.match, said.seat});
  }
  std::optional<archive::Archive> stored;
  std::error_code none;
  if (std::filesystem::exists(archive, none) && std::filesystem::file_size(archive, none) > 0)
    stored = archive::Archive::open(archive);
  for (SeatedRow row : kept.seated) {
    if (row.outcome.empty() && handed_over.contains({row.match, row.seat})) {
      row.outcome = "substituted";
      store_->save(row);
    }
    // What was stored, and not noted any more here.
    if (row.outcome.empty() && stored) {
      if (const auto number = stored->number(row.match)) {
        const archive::MatchRow match = stored->match(*number);
        const auto seat = static_cast<std::size_t>(row.seat);
        row.outcome = match.status == archive::MatchStatus::finished ? "played" : "unfinished";
        for (const Scenario& s : suite_.scenarios)
          if (s.name == row.label && row.outcome == "played" && seat < match.seats.size())
            row.score = score_text(match.seats[seat].payoff, s.game->card.score_decimals);
        store_->save(row);
      }
    }
    if (!row.outcome.empty() && row.outcome != "played" && row.outcome != "substituted")
      given_up_.insert(row.match);
    if (row.outcome == "played" || row.outcome == "substituted") finished.insert(row.match);
    if (const auto who = participants_.find(row.participant); who != participants_.end())
      who->second->seated.push_back(row);
  }
  matches_done_ = finished.size();
  for (Participant* p : in_order_) {
    // What somebody else ended is not played on.
    for (SeatedRow& row : p->seated)
      if (row.outcome.empty() && given_up_.contains(row.match)) {
        row.outcome = "unfinished";
        store_->save(row);
      }
    const ParticipantRow& row = p->row;
    const SeatedRow* last = p->seated.empty() ? nullptr : &p->seated.back();
    if (row.instructed != 0 && (people_.said.instructions || people_.trial))
      p->read.insert(instructions_);
    p->step_since = archive::now();
    if (row.ended != 0)
      p->step = Step::ended;
    else if (last != nullptr && last->outcome.empty() && !given_up_.contains(last->match))
      p->step = Step::playing;
    else if (last != nullptr && !last->seen)
      p->step = Step::result;
    else if (row.instructed != 0)
      p->step = Step::waiting;
    else if (row.consented != 0 || (row.began != 0 && consent_digest_.empty()))
      p->step = Step::instructions;
    else if (row.began != 0)
      p->step = Step::consent;
    if (p->step == Step::waiting) {
      if (matches_of(*p) >= people_.said.matches)
        end(*p, "done");
      else
        p->arrived = ++arrivals_;
    }
  }
}

Participant& Session::enter(std::string label, std::string room) {
  auto made = std::make_unique<Participant>();
  Participant& who = *made;
  who.row.id = random_name();
  who.row.pseudonym = "p-" + random_name().substr(0, 8);
  who.row.code = people_.said.code ? *people_.said.code : random_code();
  who.row.place = in_order_.empty() ? 1 : in_order_.back()->row.place + 1;
  who.row.label = label.empty() ? std::to_string(who.row.place) : std::move(label);
  who.row.room = std::move(room);
  who.step_since = archive::now();
  participants_[who.row.id] = std::move(made);
  in_order_.push_back(&who);
  save(who);
  return who;
}

std::string Session::give_key(Participant& who) {
  if (!who.row.key.empty()) by_key_.erase(who.row.key);
  who.key = random_key();
  who.row.key = key_digest(who.key);
  by_key_[who.row.key] = &who;
  save(who);
  return who.key;
}

std::vector<std::string> Session::links() const {
  const Lock lock(mutex_);
  std::vector<std::string> paths;
  for (const Participant* p : in_order_)
    if (!p->key.empty()) paths.push_back("/join/" + p->key);
  return paths;
}

std::size_t Session::most_tables() const {
  const Lock lock(mutex_);
  // Whoever goes on to another scenario is to find a table of it, whatever the others do.
  const std::size_t people = in_order_.size();
  const std::size_t each =
      people_scenarios_ == 1 ? 1 : people_.said.matches + people_scenarios_ - 1;
  return std::min(people_matches_,
                  std::max(people, std::min(people * each, kManyTables)) + kMoreTables);
}

void Session::log(std::string text) {
  log_.emplace_back(archive::now(), std::move(text));
  if (log_.size() > kLongestLog) log_.pop_front();
  researchers_changed_ = true;
}

std::string Session::label_of(const std::string& id) const {
  const auto at = participants_.find(id);
  return at == participants_.end() ? id : at->second->row.label;
}

std::string Session::amount(Money money) const {
  return amount_text(money, people_.said.payment.currency);
}

std::size_t Session::matches_of(const Participant& who) const {
  return static_cast<std::size_t>(
      std::count_if(who.seated.begin(), who.seated.end(),
                    [](const SeatedRow& row) { return !row.outcome.empty(); }));
}

Earned Session::earned(const Participant& who) const {
  Earned earned;
  earned.came = who.row.instructed != 0;
  earned.waited_in_vain = who.row.end == "waited";
  earned.to_the_end = who.row.end == "done" || who.row.end == "waited" || who.row.end == "closed" ||
                      who.row.end == "none";
  for (const SeatedRow& row : who.seated) {
    if (row.outcome == "played") earned.scores.push_back(row.score);
    if (row.outcome == "unfinished") ++earned.unfinished;
  }
  return earned;
}

const Person& Session::person_of(const Participant& who) const {
  std::shared_ptr<const Person>& person = persons_[who.row.id];
  if (person == nullptr)
    person =
        std::make_shared<const Person>(Person{who.row.pseudonym, session_ + "/" + who.row.pseudonym,
                                              consent_digest_, told_, who.row.consented});
  return *person;
}

// ---- from one step to the next
// -------------------------------------------------------------------

void Session::step_to(Participant& who, Step step) {
  who.step = step;
  who.step_since = archive::now();
  researchers_changed_ = true;
}

void Session::save(const Participant& who, PeopleStore::Done done) {
  if (who.row.end == "declined")
    store_->forget(who.row.id, std::move(done));
  else
    store_->save(who.row, std::move(done));
}

void Session::rules_read(Participant& who) {
  Sitting& sitting = *who.sitting;
  sitting.rules_read = true;
  who.read.insert(sitting.announced);
  // The time for an answer begins when the question is seen.
  for (AskedPerson& asked : sitting.asked) {
    asked.since = who.unanswered_since = clock_.now();
    if (suite_.answer_limit.count() > 0) asked.deadline = asked.since + suite_.answer_limit.count();
  }
  researchers_changed_ = true;
}

void Session::go_on(Participant& who) {
  who.sitting.reset();
  if (who.has_ended()) return;
  if (matches_of(who) >= people_.said.matches) return end(who, "done");
  if (state_ == State::ended) return end(who, ended_why_);
  wait_for_match(who);
}

void Session::wait_for_match(Participant& who) {
  step_to(who, Step::waiting);
  who.waiting_since = clock_.now();
  who.arrived = ++arrivals_;
  match_up();
  show(who);
  waiting_changed_ = true;
}

void Session::end(Participant& who, const std::string& why) {
  if (who.has_ended()) return;
  who.row.ended = archive::now();
  who.row.end = why;
  who.row.paid = payment(people_.said, earned(who)).cents;
  step_to(who, Step::ended);
  save(who);
  log(who.row.label + ": " + why);
  show(who);
  end_if_all_have();
}

void Session::leave(Participant& who, const std::string& why) {
  if (who.has_ended()) return;
  // Before what the match is told: what is kept of both is never that they played on.
  for (SeatedRow& row : who.seated)
    if (row.outcome.empty()) {
      row.outcome = people_.substitute ? "substituted" : "left";
      if (!people_.substitute) {
        given_up_.insert(row.match);
        if (const auto table = sittings_.find(row.match); table != sittings_.end())
          for (const auto& sitting : table->second) sitting->ended_by = "server.left";
      }
      store_->save(row);
    }
  if (const auto sitting = who.sitting; sitting != nullptr && !sitting->over) {
    sitting->gone = true;
    for (AskedPerson& asked : sitting->asked)
      if (!asked.given) hand_on(sitting, asked, row_for(*sitting, asked, kind_of_going(*sitting)));
  }
  end(who, why);
}

const char* Session::kind_of_going(const Sitting& sitting) const {
  return people_.substitute && sitting.match ? "gone" : "quit";
}

void Session::end_if_all_have() {
  if (state_ == State::ended || in_order_.empty()) return;
  for (const Participant* p : in_order_)
    if (!p->has_ended()) return;
  end_session("none");
}

void Session::end_session(const char* why) {
  if (state_ == State::ended) return;
  state_ = State::ended;
  ended_why_ = why;
  clock_.go_on();
  store_->end_session();
  log("the session has ended");
  // Whoever is at a table leaves it; nothing more is asked.
  std::vector<std::shared_ptr<Sitting>> open;
  for (Participant* p : in_order_)
    if (p->sitting != nullptr && !p->sitting->over) open.push_back(p->sitting);
  for (const auto& sitting : open) {
    sitting->ended_by = "server.stopped";
    for (AskedPerson& asked : sitting->asked)
      if (!asked.given) hand_on(sitting, asked, row_for(*sitting, asked, "quit"));
  }
  for (Participant* p : in_order_)
    if (p->step != Step::playing && p->step != Step::result && !p->has_ended()) end(*p, why);
  changed_.notify_all();
  show_all();
}

void Session::run_over() {
  const Lock lock(mutex_);
  for (Participant* p : in_order_) {
    if (p->step == Step::playing && p->sitting == nullptr) {
      for (SeatedRow& row : p->seated)
        if (row.outcome.empty()) {
          row.outcome = "unfinished";
          store_->save(row);
        }
      step_to(*p, Step::result);
    }
    if (p->step == Step::waiting) end(*p, "none");
  }
  // Nothing more will be played: whoever begins now is told so.
  end_session("none");
}

// ---- tables
// --------------------------------------------------------------------------------------

void Session::match_up() {
  if (state_ == State::ended || clock_.is_paused()) return;
  // Threads bring tables one by one: whoever waits already is not to find a later one first.
  if (!tables_are_there_) return;
  if (!seat_people(waiting_, in_order_)) return;
  for (WaitingTable* table : waiting_)
    for (Participant* p : table->who)
      if (p->step == Step::waiting) step_to(*p, Step::playing);
  changed_.notify_all();
}

std::shared_ptr<Sitting> Session::sit_down(Participant& who, const MatchSetup& setup, int seat,
                                           const std::string& label) {
  auto sitting = std::make_shared<Sitting>();
  sitting->seat = seat;
  sitting->participant = who.row.id;
  sitting->label = label;
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
  sitting->announced = sitting->rules;
  sitting->rules_read = sitting->rules.empty() || who.read.contains(sitting->rules);
  if (const auto limit = suite_.answer_limit; limit.count() > 0)
    sitting->read_by = clock_.now() + std::max<std::int64_t>(limit.count(), kReading.count());
  who.sitting = sitting;
  who.unanswered_since = -1;
  step_to(who, Step::playing);
  return sitting;
}

bool Session::seat(const TableToSeat& table, MatchSetup& setup, const std::stop_token& stop) {
  std::vector<std::size_t> seats;
  for (std::size_t i = 0; i < setup.seats.size(); ++i)
    if (is_person(*setup.seats[i].agent)) seats.push_back(i);
  const std::uint64_t luck = mix(setup.stream_key);
  Lock lock(mutex_);
  if (state_ == State::ended || given_up_.contains(table.match)) return false;
  std::vector<Participant*> who(seats.size(), nullptr);
  bool known = false, is_new = false;
  for (const archive::MatchId& match : {table.match, table.first}) {
    for (Participant* p : in_order_)
      for (const SeatedRow& row : p->seated)
        if (row.match == match)
          for (std::size_t i = 0; i < seats.size(); ++i)
            if (static_cast<int>(seats[i]) == row.seat) who[i] = p, known = true;
    if (known) break;
    is_new = true;
  }
  if (!known) {
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
    changed_.wait(lock, stop, [&] { return !waiting.who.empty() || state_ == State::ended; });
    std::erase(waiting_, &waiting);
    if (waiting.who.empty()) return false;
    who = waiting.who;
  }
  if (std::find(who.begin(), who.end(), nullptr) != who.end()) return false;
  TablePlace& place = tables_[table.match];
  place = {table.match, table.scenario.name, {}, {}, archive::now(), false};
  for (const SeatCard& card : setup.cards) place.seats.push_back(card.name);
  const AgentInGame* substitute =
      people_.substitute ? people_.substitute->in(table.scenario.game->id) : nullptr;
  auto& sittings = sittings_[table.match];
  sittings.clear();
  for (std::size_t i = 0; i < seats.size(); ++i) {
    Participant& p = *who[i];
    const int seat = static_cast<int>(seats[i]);
    place.people[seat] = p.row.id;
    if (is_new) {
      SeatedRow row{table.match, table.first, table.scenario.name, luck,
                    seat,        p.row.id,    archive::now()};
      store_->save(row);
      p.seated.push_back(std::move(row));
    }
    const auto row = std::find_if(p.seated.begin(), p.seated.end(),
                                  [&](const SeatedRow& r) { return r.match == table.match; });
    const bool gone = p.has_ended() || !row->outcome.empty();
    const Step before = p.step;
    const auto sitting = sit_down(p, setup, seat, setup.label);
    sitting->match = table.match;
    sitting->key = table.match.hex();
    sitting->gone = gone;
    // Who has answered already is in the middle of it.
    const auto said = said_at_.lower_bound({table.match, seat, 0, 0});
    if (said != said_at_.end() && std::get<0>(said->first) == table.match &&
        std::get<1>(said->first) == seat)
      sitting->rules_read = true;
    if (gone) {  // a substitute has the seat
      p.sitting.reset();
      p.step = before;
    }
    sittings.push_back(sitting);
    SeatSetup& at = setup.seats[seats[i]];
    const bool probes = at.agent->answers_probes();
    std::shared_ptr<const Agent> kept;
    if (substitute != nullptr) {
      SeatSetup made = seat_setup(*substitute, table.scenario.name, table.block, at.dice_key, {});
      kept = made.own != nullptr ? made.own : substitute->agent;
      at.substitute = made.agent;
      if (at.prompts == nullptr) at.prompts = table.scenario.prompts_of(*made.agent);
    }
    at.own = std::make_shared<Chair>(*this, sitting, probes, std::move(kept));
    at.agent = at.own.get();
  }
  log(table.scenario.name + " " + setup.label + (is_new ? " begins" : " goes on"));
  for (const auto& sitting : sittings)
    if (const auto p = participants_.find(sitting->participant); p->second->sitting == sitting)
      show(*p->second);
  lock.unlock();
  // Who sits where is known to whoever takes this up again, before anything is asked.
  if (is_new) store_->flush();
  return true;
}

void Session::stand_up(const archive::MatchId& match, const MatchResult& result) {
  const Lock lock(mutex_);
  const auto at = sittings_.find(match);
  if (at == sittings_.end()) return;
  const std::vector<std::shared_ptr<Sitting>> sittings = std::move(at->second);
  sittings_.erase(at);
  if (result.end == End::stopped) {
    // The process ends, and the match will be taken up again.
    for (const auto& sitting : sittings) sitting->over = false;
    tables_.erase(match);
    return;
  }
  tables_[match].done = true;
  const bool finished = result.end == End::finished;
  if (finished)
    ++matches_done_;
  else
    given_up_.insert(match);
  for (const auto& sitting : sittings) {
    Participant& who = *participants_.at(sitting->participant);
    const auto row = std::find_if(who.seated.begin(), who.seated.end(),
                                  [&](const SeatedRow& r) { return r.match == match; });
    const auto seat = static_cast<std::size_t>(sitting->seat);
    if (row->outcome.empty()) {
      row->outcome = sitting->gone ? (people_.substitute ? "substituted" : "left")
                     : finished    ? "played"
                                   : "unfinished";
      if (row->outcome == "played")
        for (const Scenario& s : suite_.scenarios)
          if (s.name == row->label)
            row->score = score_text(result.outcome[static_cast<int>(seat)].score,
                                    s.game->card.score_decimals);
      store_->save(*row);
    }
    sitting->counts = row->outcome == "played";
    sitting->over = true;
    if (who.sitting != sitting || who.has_ended()) continue;
    step_to(who, Step::result);
    show(who);
  }
  log(tables_[match].scenario + " " + match.hex().substr(0, 8) +
      (finished ? " is finished" : " ended: " + result.problem));
}

// ---- questions
// -----------------------------------------------------------------------------------

SaidRow Session::row_for(const Sitting& sitting, const AskedPerson& asked, const char* kind) const {
  SaidRow row;
  if (sitting.match) row.match = *sitting.match;
  row.seat = sitting.seat;
  row.question = asked.question->number;
  row.attempt = asked.question->attempt;
  row.kind = kind;
  row.timing.shown = asked.shown;
  return row;
}

Reply Session::reply_of(const Participant& who, const SaidRow& said) const {
  Reply reply;
  if (said.kind == "quit") {
    reply.quit = true;
    return reply;
  }
  if (said.kind == "gone") {
    reply.hands_over = true;
    return reply;
  }
  reply.declined = said.kind == "skip";
  if (said.kind == "late") {
    reply.status = Fault::timed_out;
    reply.problem = "no answer in time";
  }
  reply.json = said.json;
  reply.thought = said.thought;
  reply.timing = said.timing;
  (void)person_of(who);
  reply.person = persons_[who.row.id];
  return reply;
}

void Session::hand_on(const std::shared_ptr<Sitting>& sitting, AskedPerson& asked, SaidRow said,
                      PeopleStore::Done told) {
  asked.given = true;
  const std::uint32_t number = said.question;
  const int attempt = said.attempt;
  const auto deliver = [this, sitting, number, attempt, said](const std::string& problem) {
    const Lock lock(mutex_);
    const auto at =
        std::find_if(sitting->asked.begin(), sitting->asked.end(), [&](const AskedPerson& a) {
          return a.question->number == number && a.question->attempt == attempt;
        });
    if (!problem.empty()) {
      // It is as if nothing had been said.
      sitting->accepted.erase({number, attempt});
      sitting->answered.reset();
      if (at != sitting->asked.end()) {
        at->given = false;
        Participant& who = *participants_.at(sitting->participant);
        if (who.unanswered_since < 0) who.unanswered_since = clock_.now();
        show(who);
      }
      return log("not saved: " + problem);
    }
    if (sitting->match) {
      said_at_[{said.match, said.seat, said.question, said.attempt}] = said_.size();
      said_.push_back(said);
    }
    if (at == sitting->asked.end()) return;  // the match was stopped: it is asked again then
    Participant& who = *participants_.at(sitting->participant);
    const Completion done = std::move(at->done);
    sitting->asked.erase(at);
    done(reply_of(who, said));
    researchers_changed_ = true;
    show(who);
  };
  const auto kept = [deliver, told = std::move(told)](const std::string& problem) {
    deliver(problem);
    if (told) told(problem);
  };
  if (sitting->match) {
    store_->save(said, kept);
  } else {
    // A trial is not kept. Not from here: the mutex is held.
    store_->save_nothing(kept);
  }
}

void Session::ask(const std::shared_ptr<Sitting>& sitting, OwnedQuestion question,
                  Completion done) {
  const Lock lock(mutex_);
  Participant& who = *participants_.at(sitting->participant);
  AskedPerson asked{std::make_shared<const OwnedQuestion>(std::move(question)), std::move(done)};
  const OwnedQuestion& q = *asked.question;
  sitting->history = q.history;
  sitting->unseen_from = q.unseen_from;
  sitting->answered.reset();
  sitting->has_asked = true;
  sitting->title = q.title;
  sitting->role = q.role;
  sitting->rules = q.rules;
  sitting->persona = q.persona;
  if (sitting->match) {
    // What was said before the process ended is said again, and not asked.
    const auto said = said_at_.find({*sitting->match, sitting->seat, q.number, q.attempt});
    if (said != said_at_.end()) {
      const SaidRow& row = said_[said->second];
      sitting->last_typed = row.typed;
      sitting->accepted[{q.number, q.attempt}] = row.typed;
      return asked.done(reply_of(who, row));
    }
  }
  asked.since = clock_.now();
  if (suite_.answer_limit.count() > 0 && sitting->rules_read)
    asked.deadline = asked.since + suite_.answer_limit.count();
  if (q.attempt > 0) asked.typed = sitting->last_typed;
  if (who.unanswered_since < 0) who.unanswered_since = asked.since;
  sitting->asked.push_back(std::move(asked));
  AskedPerson& put = sitting->asked.back();
  if (state_ == State::ended)
    hand_on(sitting, put, row_for(*sitting, put, "quit"));
  else if (sitting->gone)
    hand_on(sitting, put, row_for(*sitting, put, kind_of_going(*sitting)));
  researchers_changed_ = true;
  show(who);
}

void Session::match_ended(const std::shared_ptr<Sitting>& sitting, MatchEnding ending) {
  const Lock lock(mutex_);
  sitting->history = ending.history;
  sitting->unseen_from = ending.unseen_from;
  sitting->answered.reset();
  sitting->score_told = ending.score_told;
  sitting->counts = ending.finished;
}

void Session::match_over(const std::shared_ptr<Sitting>& sitting) {
  const Lock lock(mutex_);
  sitting->asked.clear();
}

// ---- time
// ----------------------------------------------------------------------------------------

bool Session::is_away_for_good(const Participant& who) const {
  if (who.is_here() || who.unanswered_since < 0 || who.sitting == nullptr || !who.sitting->match ||
      who.sitting->asked.empty())
    return false;
  const std::int64_t since = std::max(who.gone_since, who.unanswered_since);
  return clock_.now() - since >= people_.said.drop_out.seconds * 1000;
}

void Session::hear(Participant& who) {
  who.heard = archive::now();
  who.heard_in_session = clock_.now();
  if (!std::exchange(who.silent, false)) return;
  researchers_changed_ = true;
  if (who.step != Step::waiting) return;
  match_up();
  waiting_changed_ = true;
}

void Session::ask_who_is_here() {
  const std::int64_t now = archive::now();
  const bool ask = now - here_asked_ >= kAskHere.count() || now < here_asked_;
  if (ask) here_asked_ = now;
  for (Participant* p : in_order_) {
    if (p->stream == nullptr) continue;
    if (ask) p->stream->send("here", "{}");
    // A connection may be kept up by others on the way when the page is long gone.
    if (p->silent || now - p->heard < kSilent.count()) continue;
    p->silent = true;
    p->gone_since = p->heard_in_session;
    researchers_changed_ = true;
    waiting_changed_ = true;
  }
}

void Session::tick() {
  forget_gone();
  ask_who_is_here();
  // What could not be kept when somebody left or the session ended is tried again.
  for (const auto& [match, sittings] : sittings_)
    for (const auto& sitting : sittings)
      for (AskedPerson& asked : sitting->asked)
        if (!asked.given && (sitting->gone || state_ == State::ended))
          hand_on(sitting, asked,
                  row_for(*sitting, asked, sitting->gone ? kind_of_going(*sitting) : "quit"));
  if (!tables_are_there_ && !waiting_.empty() &&
      archive::now() - table_came_ >= kTablesCome.count()) {
    tables_are_there_ = true;
    match_up();
  }
  if (!clock_.is_paused() && state_ == State::open) {
    const std::int64_t now = clock_.now();
    for (Participant* p : in_order_) {
      if (const auto sitting = p->sitting; sitting != nullptr && !sitting->over) {
        if (!sitting->rules_read && sitting->read_by != 0 && now >= sitting->read_by) {
          rules_read(*p);
          show(*p);
        }
        for (AskedPerson& asked : sitting->asked)
          if (!asked.given && asked.deadline != 0 && now >= asked.deadline) {
            hand_on(sitting, asked, row_for(*sitting, asked, "late"));
            // Who is here was waited for, and is not away with the next question.
            if (p->is_here()) p->unanswered_since = -1;
          }
        if (!sitting->gone && is_away_for_good(*p)) leave(*p, "gone");
      }
      if (p->step == Step::waiting && people_.said.waiting.seconds &&
          now - p->waiting_since >= *people_.said.waiting.seconds * 1000)
        end(*p, "waited");
    }
  }
  if (std::exchange(waiting_changed_, false))
    for (Participant* p : in_order_)
      if (p->step == Step::waiting) show(*p);
  // Many rows are sent less often.
  const std::int64_t now = archive::now();
  const auto apart = static_cast<std::int64_t>(std::max<std::size_t>(500, 5 * in_order_.size()));
  if (!researchers_changed_ || researchers_.empty() || now - researchers_shown_ < apart) return;
  researchers_changed_ = false;
  researchers_shown_ = now;
  std::erase_if(researchers_, [](const auto& researcher) { return !researcher->is_open(); });
  const std::string state = researcher_state();
  for (const auto& researcher : researchers_) researcher->send("session", state);
}

void Session::keep_time(const std::stop_token& stop) {
  Lock lock(mutex_);
  std::condition_variable_any never;
  while (!stop.stop_requested()) {
    tick();
    never.wait_for(lock, stop, kTick, [] { return false; });
  }
}

}  // namespace agon::serve
