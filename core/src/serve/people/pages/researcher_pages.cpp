// What the researcher is shown, and what they do.
#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>
#include <qrcodegen/qrcodegen.hpp>
#include <set>
#include <utility>

#include "archive/export/cell.hpp"
#include "archive/rows.hpp"
#include "describe/value.hpp"
#include "http/assets.hpp"
#include "people/pages/pages.hpp"
#include "people/payment/ending.hpp"
#include "people/payment/payment.hpp"
#include "people/payment/person_table.hpp"

namespace agon::serve {
namespace {

using Lock = std::unique_lock<std::mutex>;

enum class SessionStatus : std::uint8_t { open, paused, ended };
AGON_DESCRIBE_ENUM(SessionStatus, (open, "people play"), (paused, "nothing is asked"),
                   (ended, "nothing more is played"))

enum class TableStatus : std::uint8_t { waiting, playing, done };
AGON_DESCRIBE_ENUM(TableStatus, (waiting, "for people"), (playing, "people sit there"),
                   (done, "the match is over"))

struct ParticipantEntry {
  std::string id{};
  std::string label{};
  std::optional<std::string> room{};
  std::optional<std::string> link{};
  PageName page = PageName::welcome;
  bool trial = false;
  std::string end{};
  bool here = false;
  std::string place{};
  std::int64_t since = 0;
  std::optional<std::int64_t> usual{};
  std::vector<std::string> waits_for{};
  std::optional<std::string> match{};
  std::optional<std::string> seat{};
  std::size_t matches = 0;
  bool substituted = false;
  std::string payment{};
  std::string note{};
  std::size_t letters = 0;
  std::int64_t stage = 0;
};
AGON_DESCRIBE(
    ParticipantEntry, (id, "in addresses"), (label, "what the researcher calls them"),
    (room, "that they may come in by; null: none"),
    (link, "its path; null: not known to this process"), (page, "that they look at"),
    (trial, "at a trial match"), (end, "why the study ended for them; empty: it has not"),
    (here, "their page is open"), (place, "what \"seen\" is in actions"),
    (since, "on this page: milliseconds since 1970"),
    (usual, "how long others were on this page, in milliseconds: the median; null: too few were"),
    (waits_for, "participants, or the scenario"), (match, "its key; null: none"),
    (seat, "its name; null: none"), (matches, "that ended"),
    (substituted, "a substitute has had their seat"), (payment, "so far"),
    (note, "of the researcher"), (letters, "of the researcher that are not closed"),
    (stage, "where they are, from 1; 0: before the first"))

struct RoomName {
  std::string name{};
  bool taken = false;
  std::string id{};
};
AGON_DESCRIBE(RoomName, (name, "to come in by"), (taken, "somebody came in by it"),
              (id, "of the participant"))

struct RoomEntry {
  std::string name{};
  std::string path{};
  std::vector<RoomName> names{};
};
AGON_DESCRIBE(RoomEntry, (name, "of the room"), (path, "of its page"),
              (names, "of who may come in"))

struct PanelEntry {
  std::string path{};
  std::uint64_t taken = 0;
  std::uint64_t places = 0;
};
AGON_DESCRIBE(PanelEntry, (path, "of the study's address for the panel"), (taken, "places"),
              (places, "in all"))

struct SeatEntry {
  std::string seat{};
  std::optional<std::string> who{};
};
AGON_DESCRIBE(SeatEntry, (seat, "its name"), (who, "the participant; null: a program"))

struct MatchEntry {
  std::string key{};
  std::string scenario{};
  TableStatus state = TableStatus::waiting;
  std::vector<SeatEntry> seats{};
  std::vector<std::string> asked{};
  std::int64_t since = 0;
};
AGON_DESCRIBE(MatchEntry, (key, "its id"), (scenario, "its name"), (state, "of the match"),
              (seats, "of the match; empty: it waits"), (asked, "who is asked now"),
              (since, "it began: milliseconds since 1970"))

struct SessionCounts {
  std::size_t here = 0;
  std::size_t playing = 0;
  std::size_t waiting = 0;
  std::size_t done = 0;
  std::size_t matches_done = 0;
  std::size_t matches_total = 0;
};
AGON_DESCRIBE(SessionCounts, (here, "participants"), (playing, "participants"),
              (waiting, "participants"), (done, "participants for whom the study has ended"),
              (matches_done, "that finished"), (matches_total, "that are planned"))

struct LogEntry {
  std::int64_t at = 0;
  std::string text{};
};
AGON_DESCRIBE(LogEntry, (at, "milliseconds since 1970"), (text, "what happened"))

struct SessionState {
  std::string title{};
  SessionStatus state = SessionStatus::open;
  std::int64_t now = 0;
  bool substitute = false;
  bool chat = false;
  std::vector<std::string> stages{};
  std::vector<std::string> scenarios{};
  std::vector<ParticipantEntry> participants{};
  std::optional<PanelEntry> panel{};
  std::vector<RoomEntry> rooms{};
  std::vector<MatchEntry> matches{};
  SessionCounts counts;
  std::vector<LogEntry> log{};
};
AGON_DESCRIBE(SessionState, (title, "of the study"), (state, "of the session"),
              (now, "milliseconds since 1970"), (substitute, "there is one for who is gone"),
              (chat, "people write to each other"), (stages, "names, in order"),
              (scenarios, "in which people play"), (participants, "in the order of their places"),
              (panel, "that sends people", left_out), (rooms, "of the suite"),
              (matches, "that have people or wait for them"), (counts, "of all of it"),
              (log, "what happened last"))

ParticipantEntry entry_of(const SessionContext& session, const Matchmaker& matchmaker,
                          const Participant& who) {
  const ParticipantRow& row = who.row;
  Sitting* sitting = who.sitting.get();
  const bool asked = sitting != nullptr && sitting->open() != nullptr;
  ParticipantEntry entry{.id = row.id, .label = row.label};
  if (!row.room.empty()) entry.room = row.room;
  if (!who.key.empty()) entry.link = "/join/" + who.key;
  entry.page = page_of(who);
  if (asked && entry.page != PageName::rules) entry.page = PageName::question;
  entry.trial = sitting != nullptr && !sitting->match;
  if (row.end) entry.end = name_of(*row.end);
  entry.here = who.is_here();
  entry.place = place_of(who);
  entry.since = session.times.since(row.id);
  if (entry.since == 0) entry.since = who.step_since;
  entry.usual = session.times.usual(row.id, session.clock.now());
  entry.note = session.record.note_of(row.id);
  entry.stage = row.stage;
  entry.letters = session.record.letters_to(row.id).size();
  if (who.step == Step::playing && !asked && sitting != nullptr && sitting->match)
    if (const auto at = matchmaker.tables().find(*sitting->match); at != matchmaker.tables().end())
      for (const auto& other : at->second.sittings)
        if (other.get() != sitting && other->open() != nullptr)
          entry.waits_for.push_back(session.roster.label_of(other->participant));
  if (who.step == Step::waiting)
    if (const WaitingTable* next = matchmaker.waits_for(who); next != nullptr)
      entry.waits_for.push_back(next->table->scenario.name);
  if (sitting != nullptr) entry.match = sitting->key, entry.seat = sitting->you;
  entry.matches = who.matches();
  entry.substituted = std::any_of(who.seated.begin(), who.seated.end(), [](const SeatedRow& s) {
    return s.outcome == SeatEnding::substituted;
  });
  entry.payment =
      amount_text(account(session.study, who).total, session.study.people.said.payment.currency);
  return entry;
}

/// What people are compared at: the same page, of the same scenario and stage.
std::string page_with_others(const Participant& who) {
  std::string page = std::string(name_of(page_of(who))) + " " + std::to_string(who.row.stage);
  if (who.sitting == nullptr) return page;
  page += " " + who.sitting->title;
  if (OpenQuestion* open = who.sitting->open(); open != nullptr && who.sitting->rules_read)
    page += " " + open->question->stage + " " + std::to_string(open->question->number);
  return page;
}

MatchEntry entry_of(const Roster& roster, const archive::MatchId& id, const SeatedTable& table) {
  MatchEntry entry{.key = id.hex(),
                   .scenario = table.scenario,
                   .state = table.done ? TableStatus::done : TableStatus::playing,
                   .since = table.since};
  for (const std::string& seat : table.seats) {
    const auto person = table.people.find(static_cast<int>(entry.seats.size()));
    entry.seats.push_back({.seat = seat});
    if (person != table.people.end()) entry.seats.back().who = roster.label_of(person->second);
  }
  for (const auto& sitting : table.sittings)
    if (sitting->open() != nullptr) entry.asked.push_back(roster.label_of(sitting->participant));
  return entry;
}

SessionCounts counts_of(const SessionContext& session, const Matchmaker& matchmaker) {
  SessionCounts counts{.matches_done = matchmaker.matches_done(),
                       .matches_total = session.study.matches};
  for (const Participant* p : session.roster.all()) {
    counts.here += p->is_here();
    counts.playing += p->step == Step::playing;
    counts.waiting += p->step == Step::waiting;
    counts.done += p->has_ended();
  }
  return counts;
}

void add_row(std::string& csv, const std::vector<std::string>& cells) {
  csv += archive::csv_line(cells, archive::CsvAudience::spreadsheet);
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

Response csv(const std::string& name, std::string body) {
  return {.content_type = "text/csv; charset=utf-8",
          .body = std::move(body),
          .headers = {{"Content-Disposition", "attachment; filename=\"" + name + "\""},
                      {"Cache-Control", "no-store"}}};
}

}  // namespace

void ResearcherPages::add_routes(Router& router, Door& door) {
  const auto get = [&](const char* path, auto handler) { router.get(path, door.guard(handler)); };
  for (const char* path : {"/", "/session"})
    get(path, [](const Exchange& exchange) { exchange.respond(redirect("/session/")); });
  get("/session/", [](const Exchange& exchange) {
    exchange.respond(asset_response(*asset("researcher/session.html"), exchange.request));
  });
  get("/session/events", [this](const Exchange& exchange) { open_stream(exchange); });
  router.post("/session/do",
              door.guard([this, &door](const Exchange& exchange) { act(exchange, door); }));
  get("/session/payments.csv", [this](const Exchange& exchange) {
    const Lock lock(session_.mutex);
    exchange.respond(csv("payments.csv", payments()));
  });
  get("/session/answers.csv", [this](const Exchange& exchange) {
    const Lock lock(session_.mutex);
    exchange.respond(csv("answers.csv", answers()));
  });
  get("/session/chat.csv", [this](const Exchange& exchange) {
    const Lock lock(session_.mutex);
    exchange.respond(csv("chat.csv", chat()));
  });
  for (const char* name : {"people.csv", "codebook.csv"})
    get(name == std::string_view("people.csv") ? "/session/people.csv" : "/session/codebook.csv",
        [this, name](const Exchange& exchange) { send_people(exchange, name); });
  get("/session/qr.svg", [this](const Exchange& exchange) { send_code(exchange); });
}

void ResearcherPages::open_stream(const Exchange& exchange) {
  const auto stream = exchange.stream();
  if (stream == nullptr) return;
  const Lock lock(session_.mutex);
  streams_.push_back(stream);
  stream->send("session", state());
}

void ResearcherPages::tick() {
  for (const Participant* p : session_.roster.all())
    session_.times.at(p->row.id, page_with_others(*p), session_.clock.now(), archive::now());
  std::erase_if(streams_, [](const auto& stream) { return !stream->is_open(); });
  // Many rows are sent less often.
  const std::int64_t now = archive::now();
  const auto apart =
      static_cast<std::int64_t>(std::max<std::size_t>(500, 5 * session_.roster.all().size()));
  if (!session_.researchers_outdated || streams_.empty() || now - shown_ < apart) return;
  session_.researchers_outdated = false;
  shown_ = now;
  const std::string shown = state();
  for (const auto& stream : streams_) stream->send("session", shown);
}

std::string ResearcherPages::state() const {
  SessionState state{.title = session_.study.title(),
                     .state = session_.ended               ? SessionStatus::ended
                              : session_.clock.is_paused() ? SessionStatus::paused
                                                           : SessionStatus::open,
                     .now = archive::now(),
                     .substitute = session_.study.people.substitute.has_value(),
                     .chat = session_.study.people.said.chat.has_value(),
                     .counts = counts_of(session_, matchmaker_)};
  std::set<std::string> named;
  for (const PeopleStage& stage : session_.study.stages()) {
    state.stages.push_back(stage.name);
    for (const std::string& scenario : stage.scenarios)
      if (named.insert(scenario).second) state.scenarios.push_back(scenario);
  }
  for (const Participant* p : session_.roster.all())
    state.participants.push_back(entry_of(session_, matchmaker_, *p));
  if (const auto& panel = session_.study.panel)
    state.panel = {panel->path(), session_.roster.taken(), session_.roster.places()};
  for (const auto& [room, names] : session_.study.people.said.rooms) {
    RoomEntry entry{.name = room, .path = "/room/" + room};
    for (const Participant* p : session_.roster.all())
      if (p->row.room == room)
        entry.names.push_back({p->row.label, !p->row.key.empty(), p->row.id});
    state.rooms.push_back(std::move(entry));
  }
  for (const auto& [id, table] : matchmaker_.tables())
    state.matches.push_back(entry_of(session_.roster, id, table));
  for (const WaitingTable* table : matchmaker_.waiting())
    if (table->who.empty() && state.matches.size() < kMostParticipants)
      state.matches.push_back({.key = table->table->match.hex(),
                               .scenario = table->table->scenario.name,
                               .since = archive::now()});
  for (const auto& [at, text] : session_.log) state.log.push_back({at, text});
  return write_json(state);
}

void ResearcherPages::act(const Exchange& exchange, Door& door) {
  const JsonBody body(exchange.request);
  const auto action = value_named<ResearcherAction>(body.text("do"));
  if (!action) return exchange.respond(json_response(400, {{"error", "there is no such action"}}));
  if (action == ResearcherAction::login_link)
    return exchange.respond(json_response(200, {{"link", door.new_link()}}));
  const Lock lock(session_.mutex);
  boost::json::object answer;
  if (std::string why = actions_.perform(*action, body, answer); !why.empty())
    return exchange.respond(json_response(409, {{"error", std::move(why)}}));
  session_.researchers_outdated = true;
  session_.store->save_nothing([exchange, answer](const std::string& problem) {
    exchange.respond(problem.empty() ? json_response(200, answer)
                                     : json_response(500, {{"error", problem}}));
  });
}

void ResearcherPages::send_code(const Exchange& exchange) {
  const auto of = exchange.request.query.find("of");
  if (of == exchange.request.query.end() || of->second.empty() || of->second.size() > 1000)
    return exchange.respond(json_response(400, {{"error", "say what it is of: ?of=/join/..."}}));
  const Lock lock(session_.mutex);
  exchange.respond({.content_type = "image/svg+xml",
                    .body = qr_svg(of->second.front() == '/' ? url_ + of->second : of->second),
                    .headers = {{"Cache-Control", "no-store"}}});
}

void ResearcherPages::send_people(const Exchange& exchange, const std::string& name) const {
  session_.store->flush();
  const PersonTable table = person_table(read_people(session_.store->path()));
  exchange.respond(csv(name, name == "people.csv"
                                 ? csv_of(table, archive::CsvAudience::spreadsheet)
                                 : csv_of(codebook(table), archive::CsvAudience::spreadsheet)));
}

std::string ResearcherPages::payments() const {
  const suite_file::People& people = session_.study.people.said;
  const std::vector<PayPart> parts = paid_parts();
  std::vector<std::string> header{"id", "label", "room", "panel_id", "code", "currency", "matches"};
  for (const PayPart part : parts) header.emplace_back(name_of(part));
  header.insert(header.end(), {"payment", "drawn", "outcome", "end", "ended", "note"});
  std::string csv;
  add_row(csv, header);
  for (const Participant* p : session_.roster.all()) {
    const ParticipantRow& row = p->row;
    if (row.end == EndReason::declined) continue;  // nothing of them is kept
    const PaymentAccount paid = account(session_.study, *p);
    std::vector<std::string> cells{row.id,
                                   row.label,
                                   row.room,
                                   row.panel_id,
                                   row.end ? code_of(people, row).value_or("") : row.code,
                                   people.payment.currency,
                                   std::to_string(p->matches())};
    for (const PayPart part : parts) cells.push_back(decimal(paid_in(paid, part)));
    const auto outcome = outcome_of(row);
    cells.insert(cells.end(), {decimal(paid.total), paid.drawn ? std::to_string(*paid.drawn) : "",
                               outcome ? std::string(name_of(*outcome)) : "",
                               row.end ? std::string(name_of(*row.end)) : "", moment(row.ended),
                               session_.record.note_of(row.id)});
    add_row(csv, cells);
  }
  return csv;
}

std::string ResearcherPages::chat() const {
  std::map<archive::MatchId, std::string> scenarios;
  for (const Participant* p : session_.roster.all())
    for (const SeatedRow& row : p->seated) scenarios[row.match] = row.label;
  std::string csv;
  add_row(csv, {"session", "pseudonym", "match", "scenario", "seat", "number", "question", "at",
                "text"});
  for (const auto& [match, lines] : session_.chat.all())
    for (const ChatRow& row : lines)
      add_row(csv,
              {session_.roster.session(), row.pseudonym, match.hex(), scenarios[match],
               std::to_string(row.seat), std::to_string(row.number),
               row.question < 0 ? "" : std::to_string(row.question), moment(row.at), row.text});
  return csv;
}

std::string ResearcherPages::answers() const {
  std::map<std::pair<archive::MatchId, int>, std::pair<const Participant*, std::string>> who;
  for (const Participant* p : session_.roster.all())
    for (const SeatedRow& row : p->seated) who[{row.match, row.seat}] = {p, row.label};
  std::string csv;
  add_row(csv, {"session", "pseudonym", "match", "scenario", "seat", "question", "attempt", "kind",
                "answer", "thought", "shown", "first_input", "answered"});
  std::vector<const SaidRow*> rows;
  for (const SaidRow& row : questionnaire_.said()) rows.push_back(&row);
  std::sort(rows.begin(), rows.end(), [](const SaidRow* a, const SaidRow* b) {
    return std::tie(a->match, a->question, a->seat, a->attempt) <
           std::tie(b->match, b->question, b->seat, b->attempt);
  });
  for (const SaidRow* row : rows) {
    const auto at = who.find({row->match, row->seat});
    if (at == who.end()) continue;
    add_row(csv, {session_.roster.session(),
                  session_.roster.who_said(*row, *at->second.first).row.pseudonym, row->match.hex(),
                  at->second.second, std::to_string(row->seat), std::to_string(row->question),
                  std::to_string(row->attempt), std::string(name_of(row->kind)), row->json,
                  row->thought, moment(row->timing.shown), moment(row->timing.first_input),
                  moment(row->timing.answered)});
  }
  return csv;
}

std::string qr_svg(std::string_view text) {
  using qrcodegen::QrCode;
  constexpr int kMargin = 4;
  try {
    const QrCode code = QrCode::encodeText(std::string(text).c_str(), QrCode::Ecc::MEDIUM);
    std::string dark;
    for (int y = 0; y < code.getSize(); ++y)
      for (int x = 0; x < code.getSize(); ++x)
        if (code.getModule(x, y)) dark += fmt::format("M{} {}h1v1h-1z", x + kMargin, y + kMargin);
    const int side = code.getSize() + 2 * kMargin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {0}\" "
        "shape-rendering=\"crispEdges\"><path fill=\"#fff\" d=\"M0 0h{0}v{0}h-{0}z\"/>"
        "<path fill=\"#000\" d=\"{1}\"/></svg>",
        side, dark);
  } catch (const qrcodegen::data_too_long&) {
    throw Error(ErrorKind::invalid, "a QR code does not hold so much text");
  }
}

}  // namespace agon::serve
