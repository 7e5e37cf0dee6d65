// What participants are shown, and what comes from their pages.
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "archive/rows.hpp"
#include "form/form.hpp"
#include "http/assets.hpp"
#include "http/door.hpp"
#include "http/exchange.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/session.hpp"

namespace agon::serve {
namespace {

namespace bj = boost::json;

constexpr const char* kCookie = "agon_seat";
constexpr std::size_t kLongestThought = 10'000;

/// The same for a link that is wrong, one that was replaced, and somebody else's page.
Response unknown() {
  return text_response(404, "there is no such page; ask whoever gave you the link");
}

/// What is answered is not asked yet by this process: pages send it again.
Response not_yet() {
  Response later = json_response(503, {{"later", true}});
  later.headers.emplace_back("Retry-After", "1");
  return later;
}

Response not_saved(const Texts& texts, const std::string& problem) {
  return json_response(500, {{"error", texts.say("server.not_saved")}, {"problem", problem}});
}

bj::object body_of(const Request& request) {
  bj::value body = json::parse(request.body, "the request");
  if (!body.is_object()) throw Error(ErrorKind::invalid, "the request is no JSON object");
  return std::move(body.as_object());
}

std::string text_in(const bj::object& body, std::string_view name) {
  const bj::value* value = body.if_contains(name);
  return value != nullptr && value->is_string() ? std::string(value->as_string()) : std::string();
}

std::optional<std::int64_t> number_in(const bj::object& body, std::string_view name) {
  const bj::value* value = body.if_contains(name);
  if (value == nullptr) return {};
  if (value->is_int64()) return value->as_int64();
  if (value->is_double() && value->as_double() >= 0 && value->as_double() < 1e15)
    return static_cast<std::int64_t>(value->as_double());
  return {};
}

bool flag_in(const bj::object& body, std::string_view name) {
  const bj::value* value = body.if_contains(name);
  return value != nullptr && value->is_bool() && value->as_bool();
}

/// A value of a form, as its labels and units say it.
std::string in_words(const bj::object& node, const bj::value& value, const Texts& texts) {
  const bj::string& kind = node.at("kind").as_string();
  const auto labelled = [&](const std::string& label, const std::string& text) {
    return label.empty() ? text : text.empty() ? label : label + ": " + text;
  };
  if (kind == "optional")
    return value.is_null() ? texts.say("form.none")
                           : in_words(node.at("node").as_object(), value, texts);
  std::string all;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) all += (all.empty() ? "" : texts.say("comma")) + text;
  };
  if (value.is_object() && (kind == "struct" || kind == "variant")) {
    const bj::object& members = value.get_object();
    const bj::object* fields = &node;
    std::string label;
    if (kind == "variant")
      for (const bj::value& choice : node.at("choices").as_array())
        if (const bj::value* own = members.if_contains("kind");
            own != nullptr && choice.at("name") == *own)
          label = choice.at("label").as_string(), fields = &choice.at("node").as_object();
    if (const bj::value* list = fields->if_contains("fields"))
      for (const bj::value& field : list->as_array())
        if (const bj::value* member = members.if_contains(field.at("name").as_string()))
          add(labelled(std::string(field.at("label").as_string()),
                       in_words(field.at("node").as_object(), *member, texts)));
    return labelled(label, all);
  }
  if (value.is_array() && kind == "list") {
    for (const bj::value& item : value.get_array())
      add(in_words(node.at("node").as_object(), item, texts));
    return all.empty() ? texts.say("form.none") : all;
  }
  if (value.is_bool()) return texts.say(value.get_bool() ? "form.yes" : "form.no");
  if (kind == "choice")
    for (const bj::value& choice : node.at("choices").as_array())
      if (choice.at("name") == value) return std::string(choice.at("label").as_string());
  if (value.is_string()) return "\"" + printable(value.get_string()) + "\"";
  const bj::value* unit = node.if_contains("unit");
  const std::string figure = plain_text(nullptr, json::write(value));
  return unit == nullptr || unit->as_string().empty()
             ? figure
             : figure + " " + std::string(unit->as_string());
}

/// An own answer, in the words of its form where those are another language's.
std::string own_answer(const Type* type, const std::string& json, const Sitting& sitting,
                       const Texts& texts) {
  if (type == nullptr || sitting.words->is_english())
    return plain_line(type, json, {.seats = sitting.seats});
  return in_words(form_description(*type, {}, *sitting.words), json::parse(json, "an answer"),
                  texts);
}

bj::object told(const Delivery& d, const Sitting& sitting, const Texts& texts) {
  bj::object out;
  switch (d.what) {
    case Delivery::What::event:
      out["kind"] = "event";
      break;
    case Delivery::What::question:
      out["kind"] = "question";
      break;
    case Delivery::What::answer:
      out["kind"] = "answer";
      break;
  }
  // The page shows the members of a question's view by itself.
  std::string words(d.sentences());
  if (d.shown() == Delivery::Shown::members && d.what == Delivery::What::answer)
    words = own_answer(d.type, std::string(d.json), sitting, texts);
  else if (d.shown() == Delivery::Shown::members && d.what == Delivery::What::event)
    words = plain_line(d.type, d.json, {.seats = sitting.seats});
  out["private"] = d.is_private;
  out["name"] = printable(d.name);
  out["text"] = words;
  out["number"] = d.number;
  return out;
}

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

std::pair<std::string, std::string> cookie(const Request& asked, const std::string& key,
                                           const std::string& id) {
  // People come from a link in a mail or on a platform. Nothing is changed by GET.
  return set_cookie(
      asked, kCookie, key,
      {.path = "/p/" + id + "/", .behind_links = true, .lasts = std::chrono::hours(30 * 24)});
}

bool asks_for_something(const Type& answer) {
  return answer.kind != Kind::structure || !answer.fields.empty();
}

Response asset_page(const char* name, const Request& request) {
  const Asset* page = asset(name);
  return page == nullptr ? text_response(500, std::string(name) + " was not built in")
                         : asset_response(*page, request);
}

}  // namespace

void Session::add_routes(Router& router, Door& door) {
  router.get("/join/*", [this](const Exchange& exchange) { join(exchange); });
  router.get("/room/*", [this](const Exchange& exchange) { room(exchange); });
  router.post("/room/*", [this](const Exchange& exchange) { enter_room(exchange); });
  router.get("/texts/*", [this](const Exchange& exchange) { texts(exchange); });
  router.get("/p/*", [this](const Exchange& exchange) {
    if (exchange.request.path.ends_with("/events")) return open_stream(exchange);
    page(exchange);
  });
  router.post("/p/*", [this](const Exchange& exchange) {
    if (exchange.request.path.ends_with("/answer")) return answer(exchange);
    step(exchange);
  });
  router.get("/",
             door.guard([](const Exchange& exchange) { exchange.respond(redirect("/session/")); }));
  router.get("/session",
             door.guard([](const Exchange& exchange) { exchange.respond(redirect("/session/")); }));
  router.get("/session/", door.guard([](const Exchange& exchange) {
    exchange.respond(asset_page("session.html", exchange.request));
  }));
  router.get("/session/events",
             door.guard([this](const Exchange& exchange) { open_researcher(exchange); }));
  router.post("/session/do",
              door.guard([this, &door](const Exchange& exchange) { act(exchange, door); }));
  const auto csv = [](std::string name, std::string body) {
    return Response{.content_type = "text/csv; charset=utf-8",
                    .body = std::move(body),
                    .headers = {{"Content-Disposition", "attachment; filename=\"" + name + "\""},
                                {"Cache-Control", "no-store"}}};
  };
  router.get("/session/payments.csv", door.guard([this, csv](const Exchange& exchange) {
    const Lock lock(mutex_);
    exchange.respond(csv("payments.csv", payments()));
  }));
  router.get("/session/answers.csv", door.guard([this, csv](const Exchange& exchange) {
    const Lock lock(mutex_);
    exchange.respond(csv("answers.csv", answers()));
  }));
  router.get("/session/qr.svg",
             door.guard([this](const Exchange& exchange) { show_code(exchange); }));
}

// ---- coming in
// -----------------------------------------------------------------------------------

void Session::join(const Exchange& exchange) {
  const std::string key = exchange.request.path.substr(std::string_view("/join/").size());
  const Lock lock(mutex_);
  const auto at = by_key_.find(key_digest(key));
  if (at == by_key_.end()) return exchange.respond(unknown());
  const std::string& id = at->second->row.id;
  Response response = redirect("/p/" + id + "/");
  response.headers.push_back(cookie(exchange.request, key, id));
  exchange.respond(std::move(response));
}

/// Whose page is asked for, if the browser may have it: null for all else, without telling which.
Participant* Session::who_asks(const Request& request, std::string_view page) {
  const std::string start = "/p/";
  if (request.path.size() <= start.size() + page.size()) return nullptr;
  const std::string id =
      request.path.substr(start.size(), request.path.size() - start.size() - page.size());
  if (!request.path.ends_with(page)) return nullptr;
  const auto key = request.cookies.find(kCookie);
  if (key == request.cookies.end()) return nullptr;
  const auto at = by_key_.find(key_digest(key->second));
  return at == by_key_.end() || at->second->row.id != id ? nullptr : at->second;
}

void Session::page(const Exchange& exchange) {
  const Request& request = exchange.request;
  const Lock lock(mutex_);
  if (request.path.find('/', 3) == std::string::npos) {
    // The cookie is for what is below.
    const std::string id = request.path.substr(3);
    return exchange.respond(redirect("/p/" + id + "/"));
  }
  if (who_asks(request, "/") == nullptr) return exchange.respond(unknown());
  exchange.respond(asset_page("participant.html", request));
}

void Session::room(const Exchange& exchange) {
  std::string name = exchange.request.path.substr(std::string_view("/room/").size());
  const bool about = name.ends_with("/about");
  if (about) name.resize(name.size() - std::string_view("/about").size());
  if (name.ends_with('/')) {
    name.pop_back();
    return exchange.respond(people_.said.rooms.contains(name) ? redirect("/room/" + name)
                                                              : unknown());
  }
  if (!people_.said.rooms.contains(name)) return exchange.respond(unknown());
  if (about)
    return exchange.respond(json_response(200, {{"title", title()},
                                                {"contact", people_.said.contact},
                                                {"language", people_.said.language}}));
  exchange.respond(asset_page("room.html", exchange.request));
}

void Session::enter_room(const Exchange& exchange) {
  const std::string room = exchange.request.path.substr(std::string_view("/room/").size());
  const std::string name = folded(text_in(body_of(exchange.request), "name"));
  Lock lock(mutex_);
  Participant* who = nullptr;
  for (Participant* p : in_order_)
    if (p->row.room == room && folded(p->row.label) == name) who = p;
  if (who == nullptr)
    return exchange.respond(json_response(404, {{"error", texts_.say("server.room_unknown")}}));
  if (!who->row.key.empty())
    return exchange.respond(json_response(409, {{"error", texts_.say("server.room_taken")}}));
  const std::string key = give_key(*who);
  log(who->row.label + " came in by " + room);
  Response response = json_response(200, {{"go", "/p/" + who->row.id + "/"}});
  response.headers.push_back(cookie(exchange.request, key, who->row.id));
  store_->save_nothing([this, exchange, response](const std::string& problem) {
    exchange.respond(problem.empty() ? response : not_saved(texts_, problem));
  });
}

void Session::texts(const Exchange& exchange) const {
  std::string name = exchange.request.path.substr(std::string_view("/texts/").size());
  if (!name.ends_with(".json")) return exchange.respond(unknown());
  name.resize(name.size() - std::string_view(".json").size());
  if (name == people_.said.language)
    return exchange.respond({.body = texts_.json(), .headers = {{"Cache-Control", "no-cache"}}});
  const auto shipped = Texts::shipped();
  if (std::find(shipped.begin(), shipped.end(), name) == shipped.end())
    return exchange.respond(unknown());
  exchange.respond(
      {.body = Texts(name, "", "").json(), .headers = {{"Cache-Control", "no-cache"}}});
}

// ---- the stream of a page
// ------------------------------------------------------------------------

void Session::open_stream(const Exchange& exchange) {
  const auto asked_tab = exchange.request.query.find("tab");
  const std::string tab =
      asked_tab == exchange.request.query.end() ? "" : asked_tab->second.substr(0, 100);
  std::shared_ptr<EventStream> stream, before;
  {
    const Lock lock(mutex_);
    Participant* who = who_asks(exchange.request, "/events");
    if (who == nullptr) return exchange.respond(unknown());
    stream = exchange.stream();
    if (stream == nullptr) return;
    before = std::move(who->stream);
    if (before != nullptr) {
      if (who->tab != tab) {
        before->send("elsewhere", "{}");
        log(who->row.label + " opened another tab");
      }
      before->close();
    }
    who->stream = stream;
    who->tab = tab;
    hear(*who);
    who->told_key.clear();
    researchers_changed_ = true;
    if (who->step == Step::waiting) {
      match_up();
      waiting_changed_ = true;
    }
    show(*who);
  }
  // Not with the mutex held: it may be called at once.
  stream->on_gone([this, id = stream.get()] {
    const std::lock_guard lock(gone_mutex_);
    gone_.push_back(id);
  });
}

void Session::forget_gone() {
  std::vector<const EventStream*> gone;
  {
    const std::lock_guard lock(gone_mutex_);
    gone.swap(gone_);
  }
  if (gone.empty()) return;
  for (Participant* p : in_order_) {
    // A new stream may have the address of one that is gone.
    if (p->stream == nullptr || p->stream->is_open() ||
        std::find(gone.begin(), gone.end(), p->stream.get()) == gone.end())
      continue;
    p->stream.reset();
    if (!std::exchange(p->silent, false)) p->gone_since = clock_.now();
    researchers_changed_ = true;
  }
  std::erase_if(researchers_, [](const auto& researcher) { return !researcher->is_open(); });
}

void Session::close_pages(Participant& who) {
  if (who.stream == nullptr) return;
  who.stream->send("state",
                   json::write(bj::value(bj::object{
                       {"page", "refused"},
                       {"paused", false},
                       {"trial", false},
                       {"study", bj::object{{"title", title()}, {"contact", people_.said.contact}}},
                       {"language", people_.said.language},
                       {"refused", bj::object{{"text", texts_.say("server.link_old")}}}})));
  who.stream->close();
}

void Session::show(Participant& who) {
  if (who.stream != nullptr) who.stream->send("state", state(who));
}

void Session::show_all() {
  for (Participant* p : in_order_) show(*p);
}

std::string Session::title() const {
  return people_.said.title.empty() ? suite_.name : people_.said.title;
}

void Session::add_match(bj::object& state, Participant& who) {
  if (who.sitting == nullptr) return;
  Sitting& sitting = *who.sitting;
  bj::array others;
  for (std::size_t i = 0; i < sitting.seats.size(); ++i)
    if (static_cast<int>(i) != sitting.seat) others.emplace_back(printable(sitting.seats[i]));
  bj::object match{{"key", sitting.key},
                   {"label", sitting.label},
                   {"title", printable(sitting.title)},
                   {"you", printable(sitting.you)},
                   {"role", printable(sitting.role)},
                   {"others", std::move(others)},
                   {"persona", printable(sitting.persona, true)},
                   {"rules", printable(sitting.rules, true)}};
  if (who.told_key != sitting.key) {
    who.told_key = sitting.key;
    who.told = 0;
  }
  const std::size_t from = std::min(who.told, sitting.history.size());
  bj::array new_to_it;
  for (std::size_t i = from; i < sitting.history.size(); ++i)
    new_to_it.push_back(told(sitting.history[i], sitting, texts_));
  who.told = sitting.history.size();
  if (sitting.answered) {
    // Until the history has it, which comes with the next question.
    new_to_it.push_back(bj::object{{"kind", "answer"},
                                   {"private", false},
                                   {"name", printable(sitting.answered->name)},
                                   {"text", sitting.answered->text},
                                   {"number", sitting.answered->number}});
  }
  match["from"] = from;
  match["told"] = std::move(new_to_it);
  const auto open = std::find_if(sitting.asked.begin(), sitting.asked.end(),
                                 [](const AskedPerson& asked) { return !asked.given; });
  if (open != sitting.asked.end() && sitting.rules_read) {
    const OwnedQuestion& q = *open->question;
    if (open->shown == 0) open->shown = archive::now();
    bj::object question{{"number", q.number},
                        {"attempt", q.attempt},
                        {"stage", printable(q.stage)},
                        {"doc", printable(q.stage_doc, true)},
                        {"probe", q.probe},
                        {"complaint", printable(q.complaint, true)},
                        {"tries", q.tries}};
    std::string view = q.view_told;
    if (q.view_type != nullptr && view.empty())
      view = plain_text(q.view_type, q.view_json, {.seats = q.seat_names});
    question["view"] = view;
    question["left_ms"] = open->deadline == 0
                              ? bj::value()
                              : bj::value(std::max<std::int64_t>(0, open->deadline - clock_.now()));
    question["form"] = form_description(*q.answer_type, q.limits.get(), *q.language);
    question["typed"] = open->typed.empty() ? bj::value() : json::parse(open->typed, "typed");
    match["question"] = std::move(question);
    state["page"] = "question";
  }
  state["trial"] = !sitting.match;
  state["match"] = std::move(match);
}

void Session::add_waiting(bj::object& state, const Participant& who) const {
  std::size_t needed = 1, here = 1;
  if (const WaitingTable* next = waits_for(who, waiting_); next != nullptr) {
    needed = next->needed;
    here = 0;
    for (const Participant* p : in_order_)
      if (p->step == Step::waiting && p->is_here())
        if (const WaitingTable* other = waits_for(*p, waiting_);
            other != nullptr && other->table->place == next->table->place)
          ++here;
  }
  state["page"] = "waiting";
  if (!instructions_.empty()) state["rules"] = printable(instructions_, true);
  state["waiting"] = bj::object{{"needed", needed}, {"here", std::min(here, needed)}};
}

std::string Session::state(Participant& who) {
  bj::object state{{"page", ""},
                   {"paused", clock_.is_paused()},
                   {"trial", false},
                   {"study", bj::object{{"title", title()}, {"contact", people_.said.contact}}},
                   {"language", people_.said.language}};
  switch (who.step) {
    case Step::welcome:
      if (state_ == State::ended) {
        state["page"] = "refused";
        state["refused"] = bj::object{{"text", texts_.say("server.end_closed")}};
        break;
      }
      state["page"] = "welcome";
      state["welcome"] = bj::object{{"text", people_.said.welcome}};
      break;
    case Step::consent:
      state["page"] = "consent";
      state["consent"] = bj::object{{"text", people_.consent}};
      break;
    case Step::instructions:
      state["page"] = "instructions";
      state["trial"] = people_.trial.has_value() && !who.tried;
      state["instructions"] =
          bj::object{{"rules", printable(instructions_, true)}, {"told", printable(told_, true)}};
      break;
    case Step::waiting:
      add_waiting(state, who);
      break;
    case Step::playing:
      // Between being picked and taking the seat, and after a restart until the match goes on.
      if (who.sitting == nullptr) {
        add_waiting(state, who);
        break;
      }
      state["page"] = who.sitting->rules_read ? "watching" : "rules";
      if (!who.sitting->rules_read && who.sitting->read_by != 0)
        state["left_ms"] = std::max<std::int64_t>(0, who.sitting->read_by - clock_.now());
      add_match(state, who);
      break;
    case Step::result: {
      add_match(state, who);
      state["page"] = "result";
      bj::array lines;
      std::string score;
      bj::value paid;
      const bool is_trial = who.sitting != nullptr && !who.sitting->match;
      if (who.sitting != nullptr) {
        const Sitting& sitting = *who.sitting;
        // What was told last of a match without an ending is not how it ended.
        for (std::size_t i = sitting.unseen_from; sitting.counts && i < sitting.history.size(); ++i)
          if (const Delivery& d = sitting.history[i]; d.what == Delivery::What::event)
            if (const bj::object line = told(d, sitting, texts_);
                !line.at("text").as_string().empty())
              lines.push_back(line.at("text"));
        score = sitting.score_told;
        if (!sitting.counts) lines.emplace_back(texts_.say(sitting.ended_by));
      }
      if (!is_trial && !who.seated.empty()) {
        const SeatedRow& last = who.seated.back();
        if (score.empty()) score = last.score;
        if (last.outcome == "played")
          paid = amount(paid_for_scores(people_.said, {last.score}));
        else if (last.outcome == "unfinished")
          paid = amount(people_.said.payment.unfinished);
      }
      state["result"] = bj::object{
          {"lines", std::move(lines)}, {"score", printable(score)}, {"payment", std::move(paid)}};
      break;
    }
    case Step::ended: {
      state["page"] = "end";
      bj::array lines{bj::string(texts_.say("server.end_" + who.row.end))};
      const bool came = who.row.end != "declined";
      bj::value back;
      if (came && people_.said.return_to) {
        std::string address = *people_.said.return_to;
        if (const std::size_t hole = address.find("{code}"); hole != std::string::npos)
          address.replace(hole, 6, who.row.code);
        back = address;
      }
      state["end"] =
          bj::object{{"lines", std::move(lines)},
                     {"payment", came ? bj::value(amount(Money{who.row.paid})) : bj::value()},
                     {"code", came ? bj::value(who.row.code) : bj::value()},
                     {"return", std::move(back)}};
      break;
    }
  }
  return json::write(bj::value(std::move(state)));
}

// ---- what they do
// --------------------------------------------------------------------------------

void Session::step(const Exchange& exchange) {
  const bj::object body = body_of(exchange.request);
  const std::string what = text_in(body, "do");
  const Lock lock(mutex_);
  Participant* who = who_asks(exchange.request, "/do");
  if (who == nullptr) return exchange.respond(unknown());
  hear(*who);
  bool done = true;
  if (what == "begin" && who->step == Step::welcome && state_ == State::open) {
    who->row.began = archive::now();
    step_to(*who, consent_digest_.empty() ? Step::instructions : Step::consent);
    if (consent_digest_.empty()) skip_instructions(*who);
  } else if (what == "agree" && who->step == Step::consent) {
    who->row.consented = archive::now();
    persons_.erase(who->row.id);
    step_to(*who, Step::instructions);
    skip_instructions(*who);
  } else if (what == "decline" && who->step == Step::consent) {
    end(*who, "declined");
  } else if (what == "understood" && who->step == Step::instructions) {
    who->row.instructed = archive::now();
    who->read.insert(instructions_);
    go_on(*who);
  } else if (what == "understood" && who->step == Step::playing && who->sitting != nullptr &&
             !who->sitting->rules_read) {
    rules_read(*who);
  } else if (what == "trial" && who->step == Step::instructions && people_.trial && !who->tried) {
    who->read.insert(instructions_);
    start_trial(*who);
  } else if (what == "next" && who->step == Step::result) {
    if (who->sitting != nullptr && !who->sitting->match) {
      who->row.instructed = archive::now();
    } else if (!who->seated.empty()) {
      who->seated.back().seen = true;
      store_->save(who->seated.back());
    }
    go_on(*who);
  } else if (what == "leave" && !who->has_ended()) {
    leave(*who, "left");
  } else {
    done = what == "here";
  }
  if (!done) return exchange.respond(json_response(409, {{"stale", true}}));
  if (what == "here") return exchange.respond({.status = 204});
  show(*who);
  // Durable before it is acknowledged: what somebody agreed to must not be lost.
  save(*who, [this, exchange](const std::string& problem) {
    exchange.respond(problem.empty() ? Response{.status = 204} : not_saved(texts_, problem));
  });
}

void Session::skip_instructions(Participant& who) {
  if (people_.said.instructions || people_.trial) return;
  who.row.instructed = archive::now();
  go_on(who);
}

void Session::answer(const Exchange& exchange) {
  const bj::object body = body_of(exchange.request);
  const std::string key = text_in(body, "match");
  const auto number = number_in(body, "question"), attempt = number_in(body, "attempt");
  const bool skip = flag_in(body, "skip");
  const bj::value* typed = body.if_contains("typed");
  if (!number || !attempt || (!skip && typed == nullptr))
    throw Error(ErrorKind::invalid, "an answer has match, question, attempt and typed");
  const std::string as_typed = skip || typed == nullptr ? "skip" : json::write(*typed);
  const auto find = [&](Sitting& sitting) {
    return std::find_if(sitting.asked.begin(), sitting.asked.end(), [&](const AskedPerson& a) {
      return !a.given && a.question->number == *number && a.question->attempt == *attempt;
    });
  };
  const auto stale = [&] { exchange.respond(json_response(409, {{"stale", true}})); };
  std::shared_ptr<const OwnedQuestion> question;
  {
    const Lock lock(mutex_);
    Participant* who = who_asks(exchange.request, "/answer");
    if (who == nullptr) return exchange.respond(unknown());
    if (who->sitting == nullptr || who->sitting->key != key) {
      const auto row = std::find_if(who->seated.begin(), who->seated.end(),
                                    [&](const SeatedRow& r) { return r.match.hex() == key; });
      if (row == who->seated.end() && !key.starts_with("trial-"))
        return exchange.respond(unknown());
      const bool comes = row != who->seated.end() && row->outcome.empty() && !who->has_ended();
      return comes ? exchange.respond(not_yet()) : stale();
    }
    if (!who->sitting->rules_read) return stale();
    const auto at = find(*who->sitting);
    if (at == who->sitting->asked.end())
      return answer_again(exchange, *who, *number, *attempt, as_typed);
    question = at->question;
  }
  // Reading may take a while: not while everybody waits.
  SaidRow said;
  if (skip) {
    if (!question->probe) return stale();
    said.kind = "skip";
  } else {
    TypedAnswer read =
        read_typed(*question->answer_type, question->limits.get(), *typed, *question->language);
    if (!read.problems.empty()) {
      bj::array problems;
      for (const TypedProblem& p : read.problems)
        problems.push_back(bj::object{{"path", p.path}, {"problem", printable(p.problem)}});
      return exchange.respond(json_response(422, {{"problems", std::move(problems)}}));
    }
    if (!flag_in(body, "confirmed")) {
      if (people_.said.confirm && ends_match(*question, read.json))
        return exchange.respond(json_response(200, {{"confirm", texts_.say("server.confirm")}}));
      // One tap too many, after the question before, is no decision.
      if (!number_in(body, "first_input") && asks_for_something(*question->answer_type))
        return exchange.respond(json_response(200, {{"confirm", texts_.say("server.untouched")}}));
    }
    said.kind = "answer";
    said.json = std::move(read.json);
    said.typed = as_typed;
  }
  said.thought = text_in(body, "thought");
  if (said.thought.size() > kLongestThought)
    throw Error(ErrorKind::invalid,
                "a thought has at most " + std::to_string(kLongestThought) + " bytes");
  said.timing.answered = archive::now();
  const Lock lock(mutex_);
  Participant* who = who_asks(exchange.request, "/answer");
  if (who == nullptr) return exchange.respond(unknown());
  if (who->sitting == nullptr || who->sitting->key != key) return stale();
  const std::shared_ptr<Sitting> sitting = who->sitting;
  const auto at = find(*sitting);
  if (at == sitting->asked.end()) return answer_again(exchange, *who, *number, *attempt, as_typed);
  SaidRow row = row_for(*sitting, *at, said.kind.c_str());
  row.json = std::move(said.json);
  row.typed = said.typed;
  row.thought = std::move(said.thought);
  // How long ago, by the browser's clock: what it takes for the time does not matter.
  const auto ago = [&](const char* name) -> std::int64_t {
    const auto ms = number_in(body, name);
    return ms && *ms >= 0 && *ms <= said.timing.answered - at->shown + 1000
               ? said.timing.answered - *ms
               : 0;
  };
  row.timing.answered = said.timing.answered;
  if (const std::int64_t shown = ago("shown"); shown != 0) row.timing.shown = shown;
  row.timing.first_input = ago("first_input");
  sitting->last_typed = row.typed;
  sitting->accepted[{static_cast<std::uint32_t>(*number), static_cast<int>(*attempt)}] = as_typed;
  if (row.kind == "answer")
    sitting->answered = {question->stage,
                         own_answer(question->answer_type, row.json, *sitting, texts_),
                         question->number};
  who->unanswered_since = -1;
  const bool left_open = std::any_of(sitting->asked.begin(), sitting->asked.end(),
                                     [&](const AskedPerson& a) { return !a.given && &a != &*at; });
  if (left_open) who->unanswered_since = clock_.now();
  hand_on(sitting, *at, std::move(row), [this, exchange](const std::string& problem) {
    exchange.respond(problem.empty() ? json_response(200, {{"accepted", true}})
                                     : not_saved(texts_, problem));
  });
}

/// An answer to what is not asked: the same once more was accepted; where the match is taken up
/// again, the question is still to come; all else is too late.
void Session::answer_again(const Exchange& exchange, const Participant& who, std::int64_t number,
                           std::int64_t attempt, const std::string& typed) {
  const Sitting& sitting = *who.sitting;
  const std::pair asked(static_cast<std::uint32_t>(number), static_cast<int>(attempt));
  const auto at = sitting.accepted.find(asked);
  bool was_accepted = at != sitting.accepted.end() && at->second == typed;
  if (!was_accepted && sitting.match) {
    // What the record had when the process ended was not asked for again.
    const auto said = said_at_.find({*sitting.match, sitting.seat, asked.first, asked.second});
    was_accepted = said != said_at_.end() && said_[said->second].typed == typed;
  }
  if (!was_accepted) {
    const bool comes = sitting.match && !sitting.over && !sitting.gone && !sitting.has_asked;
    return exchange.respond(comes ? not_yet() : json_response(409, {{"stale", true}}));
  }
  // It may still be on its way to the disk, and not get there.
  store_->save_nothing([this, exchange, match = sitting.match, seat = sitting.seat,
                        asked](const std::string& problem) {
    const Lock lock(mutex_);
    const bool kept =
        problem.empty() && (!match || said_at_.contains({*match, seat, asked.first, asked.second}));
    exchange.respond(kept ? json_response(200, {{"accepted", true}}) : not_saved(texts_, problem));
  });
}

}  // namespace agon::serve
