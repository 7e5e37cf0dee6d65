// What comes from the pages of participants.
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <utility>

#include "describe/value.hpp"
#include "form/form.hpp"
#include "http/assets.hpp"
#include "json/write.hpp"
#include "people/pages/pages.hpp"

namespace agon::serve {
namespace {

using Lock = std::unique_lock<std::mutex>;

constexpr const char* kCookie = "agon_seat";
constexpr std::size_t kLongestThought = 10'000;
/// Pages are asked so often whether they are there, and who has said nothing for so long is not.
constexpr std::chrono::milliseconds kAskHere{5'000};
constexpr std::chrono::milliseconds kSilent{15'000};

/// "Ada Lovelace " as "ada lovelace".
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool blank = c == ' ' || c == '\t';
    if (blank && (out.empty() || out.back() == ' ')) continue;
    out += blank ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  if (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

/// For the pages before somebody is in.
Response about_study(const Study& study) {
  return json_response(200, {{"title", study.title()},
                             {"contact", study.people.said.contact},
                             {"language", study.people.said.language}});
}

std::pair<std::string, std::string> cookie(const Request& asked, const std::string& key,
                                           const std::string& path) {
  // People come from a link in a mail or on a platform. Nothing is changed by GET.
  return set_cookie(asked, kCookie, key,
                    {.path = path, .behind_links = true, .lasts = std::chrono::hours(30 * 24)});
}

std::string page_path(const Participant& who) {
  return "/p/" + who.row.id + "/";
}

/// What stands behind a path's beginning.
std::string behind(const Request& request, std::string_view beginning) {
  return request.path.substr(beginning.size());
}

/// What a page sends as an answer.
struct SentAnswer {
  explicit SentAnswer(const JsonBody& body)
      : match(body.text("match")), skip(body.flag("skip")), thought(body.text("thought")) {
    const auto number = body.number("question"), nth = body.number("attempt");
    const boost::json::value* given = body.find("typed");
    if (!number || !nth || (!skip && given == nullptr))
      throw Error(ErrorKind::invalid, "an answer has match, question, attempt and typed");
    question = *number;
    attempt = *nth;
    typed = skip ? "skip" : json::write(*given);
    if (thought.size() > kLongestThought)
      throw Error(ErrorKind::invalid,
                  "a thought has at most " + std::to_string(kLongestThought) + " bytes");
  }
  std::string match;  ///< key
  std::int64_t question = 0;
  std::int64_t attempt = 0;
  bool skip = false;
  std::string typed;  ///< JSON
  std::string thought;
};

/// Reads what was typed into what is to be kept; or says what there is to say to it instead.
std::optional<Response> read_answer(const Study& study, const OwnedQuestion& question,
                                    const JsonBody& body, const SentAnswer& sent, SaidRow& said) {
  said.thought = sent.thought;
  if (sent.skip) {
    if (!question.probe) return stale();
    said.kind = SaidKind::skip;
    return {};
  }
  const Type& type = *question.answer_type;
  TypedAnswer read =
      read_typed(type, question.limits.get(), *body.find("typed"), *question.language);
  if (!read.problems.empty()) {
    boost::json::array problems;
    for (const TypedProblem& p : read.problems)
      problems.push_back(boost::json::object{{"path", p.path}, {"problem", printable(p.problem)}});
    return json_response(422, {{"problems", std::move(problems)}});
  }
  if (!body.flag("confirmed")) {
    if (study.people.said.confirm && ends_match(question, read.json))
      return json_response(200, {{"confirm", study.texts.say("server.confirm")}});
    // One tap too many, after the question before, is no decision.
    const bool asks_for_something = type.kind != Kind::structure || !type.fields.empty();
    if (!body.number("first_input") && asks_for_something)
      return json_response(200, {{"confirm", study.texts.say("server.untouched")}});
  }
  said.json = std::move(read.json);
  said.typed = sent.typed;
  return {};
}

/// Times of an answer. How long ago, by the browser's clock: what it takes for the time does not
/// matter.
Timing times_of(const JsonBody& body, std::int64_t answered, std::int64_t first_shown) {
  const auto ago = [&](const char* name) -> std::int64_t {
    const auto ms = body.number(name);
    return ms && *ms >= 0 && *ms <= answered - first_shown + 1000 ? answered - *ms : 0;
  };
  return {.shown = ago("shown"), .first_input = ago("first_input"), .answered = answered};
}

}  // namespace

Response unknown_page() {
  return text_response(404, "there is no such page; ask the person who gave you the link");
}

Response not_yet() {
  Response later = json_response(503, {{"later", true}});
  later.headers.emplace_back("Retry-After", "1");
  return later;
}

Response stale() {
  return json_response(409, {{"stale", true}});
}

Response not_saved(const PageTexts& texts, const std::string& problem) {
  return json_response(500, {{"error", texts.say("server.not_saved")}, {"problem", problem}});
}

Response accepted() {
  return json_response(200, {{"accepted", true}});
}

void ParticipantPages::add_routes(Router& router) {
  router.get("/join/*", [this](const Exchange& exchange) { join(exchange); });
  router.get("/join", [this](const Exchange& exchange) { send_panel(exchange); });
  router.get("/join/about", [this](const Exchange& exchange) { send_panel(exchange); });
  router.post("/join", [this](const Exchange& exchange) { enter_panel(exchange); });
  router.get("/room/*", [this](const Exchange& exchange) { send_room(exchange); });
  router.post("/room/*", [this](const Exchange& exchange) { enter_room(exchange); });
  router.get("/texts/*", [this](const Exchange& exchange) { send_texts(exchange); });
  router.get("/p/*", [this](const Exchange& exchange) {
    const std::string& path = exchange.request.path;
    if (path.ends_with("/events")) return open_stream(exchange);
    if (path.ends_with("/stage")) return send_stage_page(exchange);
    if (path.find("/reading/") != std::string::npos) return send_reading(session_, exchange);
    if (path.find("/quiz/") != std::string::npos) return send_quiz(session_, exchange);
    if (path.find("/picture/") != std::string::npos) return send_picture(session_, exchange);
    send_page(exchange);
  });
  router.post("/p/*", [this](const Exchange& exchange) {
    if (exchange.request.path.ends_with("/answer")) return answer(exchange);
    if (exchange.request.path.ends_with("/chat")) return write(exchange);
    if (exchange.request.path.ends_with("/form")) return submit_form(exchange);
    act(exchange);
  });
}

// ---- coming in ----

void ParticipantPages::join(const Exchange& exchange) {
  const std::string key = behind(exchange.request, "/join/");
  const Lock lock(session_.mutex);
  const Participant* who = session_.roster.with_key(key);
  if (who == nullptr) return exchange.respond(unknown_page());
  Response response = redirect(page_path(*who));
  response.headers.push_back(cookie(exchange.request, key, page_path(*who)));
  exchange.respond(std::move(response));
}

Participant* who_asks(const SessionContext& session, const Request& request,
                      std::string_view page) {
  const std::string start = "/p/";
  if (request.path.size() <= start.size() + page.size()) return nullptr;
  const std::string id =
      request.path.substr(start.size(), request.path.size() - start.size() - page.size());
  if (!request.path.ends_with(page)) return nullptr;
  const auto key = request.cookies.find(kCookie);
  if (key == request.cookies.end()) return nullptr;
  Participant* who = session.roster.with_key(key->second);
  return who == nullptr || who->row.id != id ? nullptr : who;
}

void ParticipantPages::send_page(const Exchange& exchange) {
  const Request& request = exchange.request;
  const Lock lock(session_.mutex);
  if (request.path.find('/', 3) == std::string::npos)  // the cookie is for what is below
    return exchange.respond(redirect("/p/" + behind(request, "/p/") + "/"));
  if (who_asks(session_, request, "/") == nullptr) return exchange.respond(unknown_page());
  exchange.respond(asset_response(*asset("participant/participant.html"), request));
}

void ParticipantPages::send_room(const Exchange& exchange) {
  const suite_file::People& people = session_.study.people.said;
  std::string name = behind(exchange.request, "/room/");
  const bool about = name.ends_with("/about");
  if (about) name.resize(name.size() - std::string_view("/about").size());
  const bool slash = name.ends_with('/');
  if (slash) name.pop_back();
  if (!people.rooms.contains(name)) return exchange.respond(unknown_page());
  if (slash) return exchange.respond(redirect("/room/" + name));
  if (about) return exchange.respond(about_study(session_.study));
  exchange.respond(asset_response(*asset("participant/door.html"), exchange.request));
}

void ParticipantPages::enter_room(const Exchange& exchange) {
  const std::string room = behind(exchange.request, "/room/");
  const std::string name = folded(JsonBody(exchange.request).text("name"));
  const PageTexts& texts = session_.study.texts;
  const Lock lock(session_.mutex);
  Participant* who = nullptr;
  for (Participant* p : session_.roster.all())
    if (p->row.room == room && folded(p->row.label) == name) who = p;
  if (who == nullptr)
    return exchange.respond(json_response(404, {{"error", texts.say("server.room_unknown")}}));
  if (!who->row.key.empty())
    return exchange.respond(json_response(409, {{"error", texts.say("server.room_taken")}}));
  const std::string key = session_.roster.give_key(*who);
  session_.note(who->row.label + " came in by " + room);
  Response response = json_response(200, {{"go", page_path(*who)}});
  response.headers.push_back(cookie(exchange.request, key, page_path(*who)));
  session_.store->save_nothing([&texts, exchange, response](const std::string& problem) {
    exchange.respond(problem.empty() ? response : not_saved(texts, problem));
  });
}

void ParticipantPages::send_panel(const Exchange& exchange) {
  if (!session_.study.panel) return exchange.respond(unknown_page());
  if (exchange.request.path == "/join/about") return exchange.respond(about_study(session_.study));
  // The page sends its address: nobody is entered by a program that only looks at links.
  exchange.respond(asset_response(*asset("participant/door.html"), exchange.request));
}

Participant* ParticipantPages::admit(const PanelVisit& visit, const Request& request,
                                     std::string_view& refusal) {
  Roster& roster = session_.roster;
  Participant* who = roster.with_panel_id(visit.id);
  if (who == nullptr) {
    if (session_.takes_nobody())
      refusal = "server.end_closed";
    else if (who = roster.enter(visit); who == nullptr)
      refusal = "server.panel_full";
    else
      close(*who);  // of somebody who had the place and had not begun
  } else if (const auto key = request.cookies.find(kCookie);
             key != request.cookies.end() && roster.with_key(key->second) == who) {
    return who;
  } else if (session_.study.panel->is_same_link(visit, who->row.panel_parameters)) {
    close(*who, "server.panel_elsewhere");
    session_.note(who->row.label + " goes on in another browser");
  } else {
    // An id is no secret: who merely knows it is not let in.
    refusal = "server.panel_taken";
    return nullptr;
  }
  if (who != nullptr) (void)roster.give_key(*who);
  return who;
}

void ParticipantPages::enter_panel(const Exchange& exchange) {
  const Study& study = session_.study;
  if (!study.panel) return exchange.respond(unknown_page());
  const auto refuse = [&](int status, std::string_view text) {
    exchange.respond(json_response(
        status, {{"error", study.texts.say(text, {{"parameter", study.panel->id()}})}}));
  };
  PanelVisit visit;
  if (const auto problem = study.panel->read(JsonBody(exchange.request), visit))
    return refuse(400, *problem == PanelProblem::preview ? "server.panel_preview"
                       : *problem == PanelProblem::no_id ? "server.panel_no_id"
                                                         : "server.panel_wrong");
  const Lock lock(session_.mutex);
  std::string_view refusal;
  Participant* who = admit(visit, exchange.request, refusal);
  if (who == nullptr) return refuse(409, refusal);
  Response response = json_response(200, {{"go", page_path(*who)}});
  // Of who comes back the browser has the key, and after a restart nobody else.
  const std::string key = who->key.empty() ? exchange.request.cookies.at(kCookie) : who->key;
  for (const std::string& path : {page_path(*who), std::string("/join")})
    response.headers.push_back(cookie(exchange.request, key, path));
  session_.researchers_outdated = true;
  session_.store->save_nothing([&study, exchange, response](const std::string& problem) {
    exchange.respond(problem.empty() ? response : not_saved(study.texts, problem));
  });
}

void ParticipantPages::send_texts(const Exchange& exchange) {
  std::string name = behind(exchange.request, "/texts/");
  if (!name.ends_with(".json")) return exchange.respond(unknown_page());
  name.resize(name.size() - std::string_view(".json").size());
  const bool own = name == session_.study.people.said.language;
  const auto shipped = PageTexts::shipped();
  if (!own && std::find(shipped.begin(), shipped.end(), name) == shipped.end())
    return exchange.respond(unknown_page());
  exchange.respond({.body = own ? session_.study.texts.json() : PageTexts(name, "", "").json(),
                    .headers = {{"Cache-Control", "no-cache"}}});
}

// ---- the stream of a page ----

void ParticipantPages::open_stream(const Exchange& exchange) {
  const auto asked_tab = exchange.request.query.find("tab");
  const std::string tab =
      asked_tab == exchange.request.query.end() ? "" : asked_tab->second.substr(0, 100);
  std::shared_ptr<EventStream> stream, before;
  {
    const Lock lock(session_.mutex);
    Participant* who = who_asks(session_, exchange.request, "/events");
    if (who == nullptr) return exchange.respond(unknown_page());
    stream = exchange.stream();
    if (stream == nullptr) return;
    before = std::move(who->stream);
    if (before != nullptr) {
      if (who->tab != tab) {
        before->send("elsewhere", "{}");
        session_.note(who->row.label + " opened another tab");
      }
      before->close();
    }
    who->stream = stream;
    who->tab = tab;
    flow_.hear(*who);
    who->told_key.clear();
    who->chat_key.clear();
    session_.researchers_outdated = true;
    if (who->step == Step::waiting) {
      matchmaker_.match_up();
      session_.waiting_room_changed = true;
    }
    show(*who);
  }
  // Not with the mutex held: it may be called at once.
  stream->on_gone([this, id = stream.get()] {
    const std::lock_guard lock(gone_mutex_);
    gone_.push_back(id);
  });
}

void ParticipantPages::forget_gone() {
  std::vector<const EventStream*> gone;
  {
    const std::lock_guard lock(gone_mutex_);
    gone.swap(gone_);
  }
  if (gone.empty()) return;
  for (Participant* p : session_.roster.all()) {
    // A new stream may have the address of one that is gone.
    if (p->stream == nullptr || p->stream->is_open() ||
        std::find(gone.begin(), gone.end(), p->stream.get()) == gone.end())
      continue;
    p->stream.reset();
    if (!std::exchange(p->silent, false)) p->gone_since = session_.clock.now();
    session_.researchers_outdated = true;
  }
}

void ParticipantPages::tick() {
  forget_gone();
  const std::int64_t now = archive::now();
  const bool ask = now - here_asked_ >= kAskHere.count() || now < here_asked_;
  if (ask) here_asked_ = now;
  for (Participant* p : session_.roster.all()) {
    if (p->stream == nullptr) continue;
    if (ask) p->stream->send("here", "{}");
    // A connection may be kept up by others on the way when the page is long gone.
    if (p->silent || now - p->heard < kSilent.count()) continue;
    p->silent = true;
    p->gone_since = p->heard_in_session;
    session_.researchers_outdated = true;
    session_.waiting_room_changed = true;
  }
}

void ParticipantPages::show_waiting_room() {
  if (!std::exchange(session_.waiting_room_changed, false)) return;
  for (Participant* p : session_.roster.all())
    if (p->step == Step::waiting) show(*p);
}

void ParticipantPages::show(Participant& who) {
  if (!who.end_is_kept) return;  // it is shown when it is kept
  if (who.stream == nullptr) return;
  who.stream->send("state", page_state(session_, matchmaker_, who));
  show_chat(who);
}

void ParticipantPages::close(Participant& who, std::string_view text) {
  if (who.stream == nullptr) return;
  who.stream->send("state", old_link_state(session_, text));
  who.stream->close();
}

// ---- what they do ----

void ParticipantPages::act(const Exchange& exchange) {
  const JsonBody body(exchange.request);
  const auto action = value_named<ParticipantAction>(body.text("do"));
  const Lock lock(session_.mutex);
  Participant* who = who_asks(session_, exchange.request, "/do");
  if (who == nullptr) return exchange.respond(unknown_page());
  flow_.hear(*who);
  if (!action || !flow_.act(*who, *action)) return exchange.respond(stale());
  if (action == ParticipantAction::here) return exchange.respond({.status = 204});
  if (action == ParticipantAction::close &&
      !session_.record.close(who->row.id, body.number("letter").value_or(0)))
    return exchange.respond(stale());
  show(*who);
  // Durable before it is acknowledged: what somebody agreed to must not be lost.
  session_.roster.save(*who, [this, exchange](const std::string& problem) {
    exchange.respond(problem.empty() ? Response{.status = 204}
                                     : not_saved(session_.study.texts, problem));
  });
}

void ParticipantPages::answer(const Exchange& exchange) {
  const JsonBody body(exchange.request);
  const SentAnswer sent(body);
  std::shared_ptr<const OwnedQuestion> question;
  {
    const Lock lock(session_.mutex);
    Participant* who = who_asks(session_, exchange.request, "/answer");
    if (who == nullptr) return exchange.respond(unknown_page());
    if (who->sitting == nullptr || who->sitting->key != sent.match) {
      const auto id = archive::MatchId::read(sent.match);
      const SeatedRow* row = id ? who->seat_in(*id) : nullptr;
      if (row == nullptr && !sent.match.starts_with("trial-"))
        return exchange.respond(unknown_page());
      const bool comes = row != nullptr && !row->outcome && !who->has_ended();
      return exchange.respond(comes ? not_yet() : stale());
    }
    if (!who->sitting->rules_read) return exchange.respond(stale());
    const OpenQuestion* open = who->sitting->open(sent.question, sent.attempt);
    if (open == nullptr)
      return answer_again(exchange, *who->sitting, static_cast<std::uint32_t>(sent.question),
                          static_cast<int>(sent.attempt), sent.typed);
    question = open->question;
  }
  // Reading may take a while: not while everybody waits.
  SaidRow said;
  if (auto other = read_answer(session_.study, *question, body, sent, said))
    return exchange.respond(std::move(*other));
  const std::int64_t answered = archive::now();
  const Lock lock(session_.mutex);
  Participant* who = who_asks(session_, exchange.request, "/answer");
  if (who == nullptr) return exchange.respond(unknown_page());
  if (who->sitting == nullptr || who->sitting->key != sent.match) return exchange.respond(stale());
  OpenQuestion* open = who->sitting->open(sent.question, sent.attempt);
  if (open == nullptr)
    return answer_again(exchange, *who->sitting, static_cast<std::uint32_t>(sent.question),
                        static_cast<int>(sent.attempt), sent.typed);
  said.timing = times_of(body, answered, open->shown);
  std::string words;
  if (said.kind == SaidKind::answer)
    words = own_answer(question->answer_type, said.json, *who->sitting, session_.study.texts);
  questionnaire_.answer(
      *who, *open, std::move(said), std::move(words), [this, exchange](const std::string& problem) {
        exchange.respond(problem.empty() ? accepted() : not_saved(session_.study.texts, problem));
      });
}

/// The same once more was accepted; where the match is resumed, the question is still to come; all
/// else is too late.
void ParticipantPages::answer_again(const Exchange& exchange, const Sitting& sitting,
                                    std::uint32_t question, int attempt, const std::string& typed) {
  if (!questionnaire_.was_accepted(sitting, question, attempt, typed)) {
    const bool comes = sitting.match && !sitting.over && !sitting.gone && !sitting.has_asked;
    return exchange.respond(comes ? not_yet() : stale());
  }
  // It may still be on its way to the disk, and not get there.
  session_.store->save_nothing([this, exchange, match = sitting.match, seat = sitting.seat,
                                question, attempt](const std::string& problem) {
    const Lock lock(session_.mutex);
    const bool kept = problem.empty() &&
                      (!match || questionnaire_.find(*match, seat, question, attempt) != nullptr);
    exchange.respond(kept ? accepted() : not_saved(session_.study.texts, problem));
  });
}

}  // namespace agon::serve
