// What whoever leads the session is shown, and what they do.
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "archive/export/cell.hpp"
#include "archive/rows.hpp"
#include "http/exchange.hpp"
#include "http/qr.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/session.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;

/// At a time, by "add".
constexpr std::int64_t kMostAdded = 1000;
constexpr std::size_t kMostParticipants = 20'000;

Response refusal(std::string why) {
  return json_response(409, {{"error", std::move(why)}});
}

std::string_view page_name(Step step) {
  switch (step) {
    case Step::welcome:
      return "welcome";
    case Step::consent:
      return "consent";
    case Step::instructions:
      return "instructions";
    case Step::waiting:
      return "waiting";
    case Step::playing:
      return "watching";
    case Step::result:
      return "result";
    case Step::ended:
      return "end";
  }
  return "";
}

bool is_asked(const Sitting& sitting) {
  return std::any_of(sitting.asked.begin(), sitting.asked.end(),
                     [](const AskedPerson& asked) { return !asked.given; });
}

void add_row(std::string& csv, const std::vector<std::string>& cells) {
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i != 0) csv += ',';
    archive::append_csv(csv, cells[i], archive::CsvAudience::spreadsheet);
  }
  csv += "\r\n";
}

std::string decimal(Money money) {
  std::string text = amount_text(money, "");
  text.pop_back();
  return text;
}

/// Milliseconds since 1970; empty: it did not happen.
std::string moment(std::int64_t ms) {
  return ms == 0 ? "" : std::to_string(ms);
}

}  // namespace

void Session::open_researcher(const Exchange& exchange) {
  const auto stream = exchange.stream();
  if (stream == nullptr) return;
  const Lock lock(mutex_);
  researchers_.push_back(stream);
  stream->send("session", researcher_state());
}

std::string Session::researcher_state() const {
  bj::array participants, rooms, matches, log;
  std::size_t here = 0, playing = 0, waiting = 0, done = 0;
  for (const Participant* p : in_order_) {
    here += p->is_here();
    playing += p->step == Step::playing;
    waiting += p->step == Step::waiting;
    done += p->has_ended();
    const Sitting* sitting = p->sitting.get();
    const bool asked = sitting != nullptr && is_asked(*sitting);
    bj::array waits_for_names;
    if (p->step == Step::playing && !asked && sitting != nullptr && sitting->match) {
      const auto at = sittings_.find(*sitting->match);
      if (at != sittings_.end())
        for (const auto& other : at->second)
          if (other.get() != sitting && is_asked(*other))
            waits_for_names.emplace_back(label_of(other->participant));
    }
    if (p->step == Step::waiting)
      if (const WaitingTable* next = waits_for(*p, waiting_); next != nullptr)
        waits_for_names.emplace_back(next->table->scenario.name);
    const bool substituted =
        std::any_of(p->seated.begin(), p->seated.end(),
                    [](const SeatedRow& row) { return row.outcome == "substituted"; });
    const Money paid = p->has_ended() ? Money{p->row.paid} : payment(people_.said, earned(*p));
    const bool tried = sitting != nullptr && !sitting->match;
    participants.push_back(bj::object{
        {"id", p->row.id},
        {"label", p->row.label},
        {"room", p->row.room.empty() ? bj::value() : bj::value(p->row.room)},
        {"link", p->key.empty() ? bj::value() : bj::value("/join/" + p->key)},
        {"page", p->step == Step::playing && sitting != nullptr && !sitting->rules_read ? "rules"
                 : asked                                                                ? "question"
                         : page_name(p->step)},
        {"trial", tried},
        {"end", p->row.end},
        {"here", p->is_here()},
        {"since", p->step_since},
        {"waits_for", std::move(waits_for_names)},
        {"match", sitting == nullptr ? bj::value() : bj::value(sitting->key)},
        {"seat", sitting == nullptr ? bj::value() : bj::value(sitting->you)},
        {"matches", matches_of(*p)},
        {"substituted", substituted},
        {"payment", amount(paid)}});
  }
  for (const auto& [room, names] : people_.said.rooms) {
    bj::array list;
    for (const Participant* p : in_order_)
      if (p->row.room == room)
        list.push_back(
            bj::object{{"name", p->row.label}, {"taken", !p->row.key.empty()}, {"id", p->row.id}});
    rooms.push_back(
        bj::object{{"name", room}, {"path", "/room/" + room}, {"names", std::move(list)}});
  }
  for (const auto& [id, table] : tables_) {
    bj::array seats, asked;
    const auto at = sittings_.find(id);
    for (std::size_t i = 0; i < table.seats.size(); ++i) {
      const auto person = table.people.find(static_cast<int>(i));
      seats.push_back(
          bj::object{{"seat", table.seats[i]},
                     {"who", person == table.people.end() ? bj::value()
                                                          : bj::value(label_of(person->second))}});
    }
    if (at != sittings_.end())
      for (const auto& sitting : at->second)
        if (is_asked(*sitting)) asked.emplace_back(label_of(sitting->participant));
    matches.push_back(bj::object{{"key", id.hex()},
                                 {"scenario", table.scenario},
                                 {"state", table.done ? "done" : "playing"},
                                 {"seats", std::move(seats)},
                                 {"asked", std::move(asked)},
                                 {"since", table.since}});
  }
  for (const WaitingTable* table : waiting_)
    if (table->who.empty() && matches.size() < kMostParticipants)
      matches.push_back(bj::object{{"key", table->table->match.hex()},
                                   {"scenario", table->table->scenario.name},
                                   {"state", "waiting"},
                                   {"seats", bj::array()},
                                   {"asked", bj::array()},
                                   {"since", archive::now()}});
  for (const auto& [at, text] : log_) log.push_back(bj::object{{"at", at}, {"text", text}});
  return json::write(
      bj::value(bj::object{{"title", title()},
                           {"state", state_ == State::ended ? "ended"
                                     : clock_.is_paused()   ? "paused"
                                                            : "open"},
                           {"now", archive::now()},
                           {"participants", std::move(participants)},
                           {"rooms", std::move(rooms)},
                           {"matches", std::move(matches)},
                           {"counts", bj::object{{"here", here},
                                                 {"playing", playing},
                                                 {"waiting", waiting},
                                                 {"done", done},
                                                 {"matches_done", matches_done_},
                                                 {"matches_total", people_matches_}}},
                           {"log", std::move(log)}}));
}

void Session::act(const Exchange& exchange, Door& door) {
  const bj::value body = json::parse(exchange.request.body, "the request");
  const auto text_of = [&](const char* name) {
    const bj::value* value = body.is_object() ? body.as_object().if_contains(name) : nullptr;
    return value != nullptr && value->is_string() ? std::string(value->as_string()) : "";
  };
  const std::string what = text_of("do");
  if (what == "login-link")
    return exchange.respond(json_response(200, {{"link", door.new_link()}}));
  const Lock lock(mutex_);
  const auto at = participants_.find(text_of("id"));
  Participant* who = at == participants_.end() ? nullptr : at->second.get();
  bj::object answer;
  if (what == "pause" || what == "go-on") {
    if (state_ == State::ended) return exchange.respond(refusal("the session has ended"));
    if (what == "pause") {
      clock_.pause();
    } else {
      clock_.go_on();
      match_up();
    }
    log(what == "pause" ? "paused" : "goes on");
    show_all();
  } else if (what == "end") {
    end_session("closed");
  } else if (what == "add") {
    const bj::value* n = body.as_object().if_contains("n");
    const std::int64_t more = n != nullptr && n->is_int64() ? n->as_int64() : 0;
    if (state_ == State::ended) return exchange.respond(refusal("the session has ended"));
    if (more < 1 || more > kMostAdded || in_order_.size() > kMostParticipants)
      return exchange.respond(refusal("say how many: 1 to " + std::to_string(kMostAdded)));
    bj::array ids;
    for (std::int64_t i = 0; i < more; ++i) {
      Participant& made = enter("", "");
      give_key(made);
      ids.emplace_back(made.row.id);
    }
    answer["participants"] = std::move(ids);
    log(std::to_string(more) + " added");
  } else if (what == "renew" || what == "release" || what == "drop") {
    if (who == nullptr) return exchange.respond(refusal("there is no such participant"));
    if (who->row.end == "declined")
      return exchange.respond(refusal("they did not agree, and nothing of them is kept"));
    if (what == "drop") {
      leave(*who, "dropped");
    } else {
      // The old link and the pages that are open stop to work.
      close_pages(*who);
      if (what == "renew") {
        answer["link"] = "/join/" + give_key(*who);
      } else {
        by_key_.erase(who->row.key);
        who->row.key.clear();
        who->key.clear();
        save(*who);
      }
      log(who->row.label + (what == "renew" ? " has a new link" : " may enter the room anew"));
    }
  } else {
    return exchange.respond(json_response(400, {{"error", "there is no such action"}}));
  }
  researchers_changed_ = true;
  store_->save_nothing([exchange, answer](const std::string& problem) {
    exchange.respond(problem.empty() ? json_response(200, answer)
                                     : json_response(500, {{"error", problem}}));
  });
}

void Session::show_code(const Exchange& exchange) {
  const auto of = exchange.request.query.find("of");
  if (of == exchange.request.query.end() || of->second.empty() || of->second.size() > 1000)
    return exchange.respond(json_response(400, {{"error", "say what it is of: ?of=/join/..."}}));
  const Lock lock(mutex_);
  exchange.respond({.content_type = "image/svg+xml",
                    .body = qr_svg(of->second.front() == '/' ? url_ + of->second : of->second),
                    .headers = {{"Cache-Control", "no-store"}}});
}

std::string Session::payments() const {
  const suite_file::Payment& terms = people_.said.payment;
  std::string csv;
  add_row(csv, {"id", "label", "room", "code", "currency", "matches", "show_up", "scores",
                "unfinished", "waiting", "payment", "end", "ended"});
  for (const Participant* p : in_order_) {
    if (p->row.end == "declined") continue;  // nothing of them is kept
    const Earned e = earned(*p);
    const Money whole = p->has_ended() ? Money{p->row.paid} : payment(people_.said, e);
    add_row(csv, {p->row.id, p->row.label, p->row.room, p->row.code, terms.currency,
                  std::to_string(matches_of(*p)), decimal(e.came ? terms.show_up_fee : Money{}),
                  decimal(paid_for_scores(people_.said, e.scores)),
                  decimal(terms.unfinished * e.unfinished),
                  decimal(e.waited_in_vain ? people_.said.waiting.pay : Money{}), decimal(whole),
                  p->row.end, moment(p->row.ended)});
  }
  return csv;
}

std::string Session::answers() const {
  std::map<std::pair<archive::MatchId, int>, std::pair<std::string, std::string>> who;
  for (const Participant* p : in_order_)
    for (const SeatedRow& row : p->seated)
      who[{row.match, row.seat}] = {p->row.pseudonym, row.label};
  std::string csv;
  add_row(csv, {"session", "pseudonym", "match", "scenario", "seat", "question", "attempt", "kind",
                "answer", "thought", "shown", "first_input", "answered"});
  std::vector<const SaidRow*> rows;
  for (const SaidRow& row : said_) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const SaidRow* a, const SaidRow* b) {
    return std::tie(a->match, a->question, a->seat, a->attempt) <
           std::tie(b->match, b->question, b->seat, b->attempt);
  });
  for (const SaidRow* row : rows) {
    const auto at = who.find({row->match, row->seat});
    if (at == who.end()) continue;
    add_row(csv,
            {session_, at->second.first, row->match.hex(), at->second.second,
             std::to_string(row->seat), std::to_string(row->question), std::to_string(row->attempt),
             row->kind, row->json, row->thought, moment(row->timing.shown),
             moment(row->timing.first_input), moment(row->timing.answered)});
  }
  return csv;
}

}  // namespace agon::serve
