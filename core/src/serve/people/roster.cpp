#include "people/roster.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "archive/rows.hpp"
#include "http/door.hpp"
#include "json/write.hpp"

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

__extension__ using Wide = __int128;

/// A decimal number as it is written: digits x 10^-decimals.
struct Decimal {
  Wide digits = 0;
  int decimals = 0;
};

Decimal decimal(std::string_view text) {
  Decimal number;
  bool negative = false, fraction = false;
  std::size_t i = 0;
  if (i < text.size() && text[i] == '-') negative = true, ++i;
  for (; i < text.size() && text[i] != 'e' && text[i] != 'E'; ++i) {
    if (text[i] == '.') {
      fraction = true;
      continue;
    }
    if (text[i] < '0' || text[i] > '9') return {};  // "-": a match without a score
    number.digits = number.digits * 10 + (text[i] - '0');
    number.decimals += fraction ? 1 : 0;
  }
  if (i < text.size()) {
    int exponent = 0;
    std::from_chars(text.data() + i + 1 + (text[i + 1] == '+' ? 1 : 0), text.data() + text.size(),
                    exponent);
    number.decimals -= exponent;
  }
  for (; number.decimals < 0; ++number.decimals) number.digits *= 10;
  if (negative) number.digits = -number.digits;
  return number;
}

// Rates have at most 17 digits and scores 4 decimals or cents: 10^-18 of a cent is finer than all.
constexpr int kDecimals = 18;

Wide power(int decimals) {
  Wide value = 1;
  for (int i = 0; i < decimals; ++i) value *= 10;
  return value;
}

/// In 10^-18 of a unit of money.
Wide product(const Decimal& rate, const Decimal& score) {
  const int decimals = rate.decimals + score.decimals;
  const Wide exact = rate.digits * score.digits;
  return decimals <= kDecimals ? exact * power(kDecimals - decimals)
                               : exact / power(decimals - kDecimals);
}

Wide worth(const suite_file::People& people, const std::vector<std::string>& scores) {
  std::string rate;
  json::append_number(rate, people.payment.per_point);
  Wide sum = 0;
  for (const std::string& score : scores) sum += product(decimal(rate), decimal(score));
  return sum;
}

/// The nearest multiple of `step`, half of one up.
Money rounded(Wide amount, Money step) {
  const Wide unit = power(kDecimals - 2) * step.cents;
  Wide steps = (2 * amount + unit) / (2 * unit);
  if (2 * amount + unit < 0 && (2 * amount + unit) % (2 * unit) != 0) --steps;
  return {static_cast<std::int64_t>(steps) * step.cents};
}

}  // namespace

Money paid_for_scores(const suite_file::People& people, const std::vector<std::string>& scores) {
  return rounded(worth(people, scores), Money{1});
}

Money payment(const suite_file::People& people, const Earned& earned) {
  if (!earned.came) return {};
  const suite_file::Payment& terms = people.payment;
  Money fixed = terms.show_up_fee + terms.unfinished * earned.unfinished;
  if (earned.waited_in_vain) fixed += people.waiting.pay;
  Wide amount = worth(people, earned.scores) + power(kDecimals - 2) * fixed.cents;
  if (const Wide least = power(kDecimals - 2) * terms.minimum.cents;
      earned.to_the_end && amount < least)
    amount = least;
  if (amount < 0) amount = 0;
  return rounded(amount, terms.round);
}

Earned earned(const Participant& who) {
  Earned earned;
  earned.came = who.row.instructed != 0;
  earned.waited_in_vain = who.row.end == EndReason::waited;
  earned.to_the_end = earned.waited_in_vain || who.row.end == EndReason::done ||
                      who.row.end == EndReason::closed || who.row.end == EndReason::no_match;
  for (const SeatedRow& row : who.seated) {
    if (row.outcome == SeatEnding::played) earned.scores.push_back(row.score);
    if (row.outcome == SeatEnding::unfinished) ++earned.unfinished;
  }
  return earned;
}

Money payment(const Study& study, const Participant& who) {
  return who.has_ended() ? Money{who.row.paid} : payment(study.people.said, earned(who));
}

std::string amount_text(Money amount, const std::string& currency) {
  const std::int64_t cents = amount.cents < 0 ? -amount.cents : amount.cents;
  std::string text = (amount.cents < 0 ? "-" : "") + std::to_string(cents / 100) + ".";
  const std::string rest = std::to_string(cents % 100);
  text += rest.size() < 2 ? "0" + rest : rest;
  return text + " " + currency;
}

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
    in_order_.push_back(who.get());
    by_id_[who->row.id] = std::move(who);
  }
}

void Roster::complete(std::uint64_t links) {
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
  who.row.code = study_.people.said.code ? *study_.people.said.code : random_code();
  who.row.place = in_order_.empty() ? 1 : in_order_.back()->row.place + 1;
  who.row.label = label.empty() ? std::to_string(who.row.place) : std::move(label);
  who.row.room = std::move(room);
  who.step_since = archive::now();
  by_id_[who.row.id] = std::move(made);
  in_order_.push_back(&who);
  save(who);
  return who;
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
