#include "people/roster.hpp"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "archive/rows.hpp"
#include "http/door.hpp"
#include "json/write.hpp"
#include "people/payment/ending.hpp"

namespace agon::serve {
namespace {

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

/// Who came from a panel and has not begun keeps their place for so long when they go away.
constexpr std::chrono::milliseconds kHeldUnbegun{60'000};

}  // namespace

std::size_t Participant::matches() const {
  return static_cast<std::size_t>(
      std::count_if(seated.begin(), seated.end(),
                    [](const SeatedRow& seat) { return seat.outcome.has_value(); }));
}

std::size_t Participant::matches_of_stage() const {
  return static_cast<std::size_t>(
      std::count_if(seated.begin(), seated.end(), [this](const SeatedRow& seat) {
        return seat.outcome.has_value() && seat.stage == row.stage;
      }));
}

std::int64_t Participant::attempts_at(std::int64_t number) const {
  std::int64_t last = 0;
  for (const FormAnswerRow& answer : forms)
    if (answer.stage == number) last = std::max(last, answer.attempt);
  return last;
}

const FormAnswerRow* Participant::answer_at(std::int64_t number, std::int64_t attempt,
                                            const std::string& question) const {
  for (const FormAnswerRow& answer : forms)
    if (answer.stage == number && answer.attempt == attempt && answer.question == question)
      return &answer;
  return nullptr;
}

SeatedRow* Participant::seat_in(const archive::MatchId& match) {
  const auto at = std::find_if(seated.begin(), seated.end(),
                               [&](const SeatedRow& seat) { return seat.match == match; });
  return at == seated.end() ? nullptr : &*at;
}

void Roster::load(std::string session, std::vector<ParticipantRow> rows) {
  session_ = std::move(session);
  for (ParticipantRow& row : rows) {
    auto who = std::make_unique<Participant>();
    who->row = std::move(row);
    if (!who->row.key.empty()) by_key_[who->row.key] = who.get();
    if (!who->row.panel_id.empty()) by_panel_id_[who->row.panel_id] = who.get();
    in_order_.push_back(who.get());
    by_id_[who->row.id] = std::move(who);
  }
}

void Roster::complete(std::uint64_t links) {
  if (study_.panel) places_ = std::exchange(links, 0);
  for (const Participant* p : in_order_)
    if (p->row.room.empty() && links > 0) --links;
  for (; links > 0; --links) give_key(enter());
  for (const auto& [room, names] : study_.people.said.rooms)
    for (const std::string& name : names)
      if (std::none_of(in_order_.begin(), in_order_.end(),
                       [&name, &room = room](const Participant* p) {
                         return p->row.room == room && p->row.label == name;
                       }))
        enter(name, room);
}

Participant& Roster::enter(std::string label, std::string room) {
  auto made = std::make_unique<Participant>();
  Participant& who = *made;
  who.row.id = random_name();
  who.row.pseudonym = "p-" + random_name().substr(0, 8);
  if (!study_.people.said.code) who.row.code = random_code();
  who.row.place = in_order_.empty() ? 1 : in_order_.back()->row.place + 1;
  who.row.label = label.empty() ? std::to_string(who.row.place) : std::move(label);
  who.row.room = std::move(room);
  who.step_since = archive::now();
  by_id_[who.row.id] = std::move(made);
  in_order_.push_back(&who);
  save(who);
  return who;
}

std::uint64_t Roster::taken() const {
  return static_cast<std::uint64_t>(
      std::count_if(in_order_.begin(), in_order_.end(), [](const Participant* p) {
        if (p->row.panel_id.empty()) return false;
        const auto outcome = outcome_of(p->row);
        return !outcome || outcome == StudyOutcome::complete || outcome == StudyOutcome::waited;
      }));
}

Participant* Roster::enter(const PanelVisit& visit) {
  Participant* who = nullptr;
  if (!has_places()) {
    const auto idle = std::find_if(in_order_.begin(), in_order_.end(), [](const Participant* p) {
      return !p->row.panel_id.empty() && p->row.began == 0 && !p->has_ended() && !p->is_here() &&
             archive::now() - p->step_since >= kHeldUnbegun.count();
    });
    if (idle == in_order_.end()) return nullptr;
    who = *idle;
    by_panel_id_.erase(who->row.panel_id);
    who->step_since = archive::now();
  } else if (in_order_.size() >= kMostParticipants) {
    return nullptr;
  } else {
    who = &enter();
  }
  who->row.panel_id = visit.id;
  who->row.panel_parameters = json::write(visit.parameters);
  by_panel_id_[visit.id] = who;
  return who;  // saved with the key that comes next
}

std::string Roster::give_key(Participant& who) {
  by_key_.erase(who.row.key);
  who.key = random_key();
  who.row.key = key_digest(who.key);
  by_key_[who.row.key] = &who;
  save(who);
  return who.key;
}

void Roster::take_key(Participant& who) {
  by_key_.erase(who.row.key);
  who.row.key.clear();
  who.key.clear();
  save(who);
}

void Roster::save(const Participant& who, PeopleStore::Done done) {
  if (who.row.end == EndReason::declined)
    store_.forget(who.row.id, std::move(done));
  else
    store_.save(who.row, std::move(done));
}

Participant* Roster::find(const std::string& id) const {
  const auto at = by_id_.find(id);
  return at == by_id_.end() ? nullptr : at->second.get();
}

Participant* Roster::with_key(std::string_view key) const {
  const auto at = by_key_.find(key_digest(key));
  return at == by_key_.end() ? nullptr : at->second;
}

Participant* Roster::with_panel_id(const std::string& id) const {
  const auto at = by_panel_id_.find(id);
  return at == by_panel_id_.end() ? nullptr : at->second;
}

std::string Roster::label_of(const std::string& id) const {
  const Participant* who = find(id);
  return who == nullptr ? id : who->row.label;
}

std::vector<std::string> Roster::links() const {
  std::vector<std::string> paths;
  for (const Participant* p : in_order_)
    if (!p->key.empty()) paths.push_back("/join/" + p->key);
  return paths;
}

void Roster::change_seat(SeatChangeRow change) {
  changes_.push_back(change);
  store_.save(std::move(change));
}

const Participant& Roster::who_said(const SaidRow& said, const Participant& now) const {
  for (const SeatChangeRow& change : changes_)
    if (change.match == said.match && change.seat == said.seat &&
        std::pair(said.question, said.attempt) < std::pair(change.question, change.attempt))
      if (const Participant* before = find(change.before); before != nullptr) return *before;
  return now;
}

Participant* Roster::after_changes(const archive::MatchId& sequence, int seat,
                                   Participant* first) const {
  for (const SeatChangeRow& change : changes_)
    if (first != nullptr && change.first == sequence && change.seat == seat &&
        change.before == first->row.id)
      first = find(change.after);
  return first;
}

std::shared_ptr<const Person> Roster::person(const Participant& who) const {
  return std::make_shared<const Person>(
      Person{who.row.pseudonym, session_ + "/" + who.row.pseudonym, study_.consent_digest,
             study_.told, who.row.consented});
}

}  // namespace agon::serve
