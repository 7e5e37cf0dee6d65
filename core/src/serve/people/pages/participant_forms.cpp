// The texts and the forms of the study that people read and fill in, beside the matches.
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <charconv>
#include <utility>

#include "json/parse.hpp"
#include "people/forms/forms.hpp"
#include "people/pages/pages.hpp"

namespace agon::serve {
namespace {

/// The same answers to an attempt that is kept.
bool is_kept(const Participant& who, std::int64_t stage, std::int64_t attempt,
             const std::vector<FormAnswerRow>& answers) {
  return !answers.empty() &&
         std::all_of(answers.begin(), answers.end(), [&](const FormAnswerRow& row) {
           const FormAnswerRow* kept = who.answer_at(stage, attempt, row.question);
           return kept != nullptr && kept->json == row.json;
         });
}

}  // namespace

std::vector<std::size_t> readings_of(const Study& study, const Participant& who) {
  std::vector<std::size_t> found;
  const auto add = [&](const std::optional<std::size_t>& number) {
    if (number && std::find(found.begin(), found.end(), *number) == found.end())
      found.push_back(*number);
  };
  for (std::int64_t stage = 1; stage <= who.row.stage; ++stage) {
    add(study.readings.of_stage(stage));
    if (const PeopleStage* at = study.stage(stage); at != nullptr && at->kind == StageKind::rules)
      add(study.reading);
  }
  for (const SeatedRow& seat : who.seated) add(study.readings.of_scenario(seat.label));
  return found;
}

std::vector<std::int64_t> quizzes_of(const Study& study, const Participant& who) {
  std::vector<std::int64_t> found;
  for (std::int64_t stage = 1; stage < who.row.stage; ++stage)
    if (const PeopleStage* at = study.stage(stage); at != nullptr && at->kind == StageKind::quiz)
      found.push_back(stage);
  return found;
}

namespace {

/// Who asks for an address that ends with a number, which is put into `number`.
Participant* who_asks_for(const SessionContext& session, const Request& request,
                          std::string_view page, std::int64_t& number) {
  const std::size_t digits = request.path.find_last_not_of("0123456789") + 1;
  const char* end = request.path.data() + request.path.size();
  const auto [read, problem] = std::from_chars(request.path.data() + digits, end, number);
  if (problem != std::errc() || read != end) return nullptr;
  return who_asks(session, request, std::string(page) + request.path.substr(digits));
}

}  // namespace

void send_reading(SessionContext& session, const Exchange& exchange) {
  const std::lock_guard lock(session.mutex);
  std::int64_t number = 0;
  const Participant* who = who_asks_for(session, exchange.request, "/reading/", number);
  if (who == nullptr) return exchange.respond(unknown_page());
  const std::vector<std::size_t> theirs = readings_of(session.study, *who);
  const auto at = std::find(theirs.begin(), theirs.end(), static_cast<std::size_t>(number));
  if (at == theirs.end()) return exchange.respond(unknown_page());
  const Reading& reading = session.study.readings.at(*at);
  exchange.respond(json_response(
      200, {{"title", reading.title}, {"blocks", json::parse(reading.blocks, "a text")}}));
}

void send_quiz(SessionContext& session, const Exchange& exchange) {
  const std::lock_guard lock(session.mutex);
  std::int64_t number = 0;
  const Participant* who = who_asks_for(session, exchange.request, "/quiz/", number);
  if (who == nullptr) return exchange.respond(unknown_page());
  const std::vector<std::int64_t> theirs = quizzes_of(session.study, *who);
  if (std::find(theirs.begin(), theirs.end(), number) == theirs.end())
    return exchange.respond(unknown_page());
  boost::json::array questions;
  for (const suite_file::FormQuestion& q : session.study.stage(number)->questions)
    questions.push_back(boost::json::object{{"ask", printable(q.ask, true)},
                                            {"right", right_words(q, session.study.texts)},
                                            {"explain", printable(q.explain, true)}});
  exchange.respond(json_response(200, {{"questions", std::move(questions)}}));
}

void send_picture(SessionContext& session, const Exchange& exchange) {
  const std::lock_guard lock(session.mutex);
  std::int64_t number = 0;
  const Participant* who = who_asks_for(session, exchange.request, "/picture/", number);
  if (who == nullptr) return exchange.respond(unknown_page());
  // Of what they may read, and of nothing that others read.
  const Readings& readings = session.study.readings;
  const std::vector<std::size_t> theirs = readings_of(session.study, *who);
  const auto wanted = static_cast<std::size_t>(number);
  if (std::none_of(theirs.begin(), theirs.end(), [&](std::size_t text) {
        const auto& pictures = readings.at(text).pictures;
        return std::find(pictures.begin(), pictures.end(), wanted) != pictures.end();
      }))
    return exchange.respond(unknown_page());
  const ReadingPicture& picture = readings.picture(wanted);
  // A drawing may have a script in it, which must not run where it is opened by itself.
  exchange.respond({.content_type = picture.type,
                    .body = picture.bytes,
                    .headers = {{"Cache-Control", "private, max-age=3600"},
                                {"Content-Security-Policy",
                                 "default-src 'none'; style-src 'unsafe-inline'; sandbox"}}});
}

void ParticipantPages::submit_form(const Exchange& exchange) {
  const JsonBody body(exchange.request);
  const auto number = body.number("stage"), nth = body.number("attempt");
  const boost::json::value* typed = body.find("typed");
  if (!number || !nth || typed == nullptr)
    throw Error(ErrorKind::invalid, "a form has stage, attempt and typed");
  const Study& study = session_.study;
  const PeopleStage* stage = study.stage(*number);
  const bool is_form = stage != nullptr &&
                       (stage->kind == StageKind::questionnaire || stage->kind == StageKind::quiz);
  // Reading may take a while: not while everybody waits.
  ReadForm read = is_form ? read_form(*stage, *typed, study.texts) : ReadForm{};
  const std::lock_guard lock(session_.mutex);
  Participant* who = who_asks(session_, exchange.request, "/form");
  if (who == nullptr) return exchange.respond(unknown_page());
  flow_.hear(*who);
  if (!is_form) return exchange.respond(stale());
  if (who->step != Step::form || who->row.stage != *number || !who->form_is_kept ||
      *nth != who->attempts_at(*number) + 1) {
    // The same once more was accepted; on its way to the disk it will be.
    if (is_kept(*who, *number, *nth, read.answers)) return exchange.respond(accepted());
    const bool comes = !who->form_is_kept && who->row.stage == *number;
    return exchange.respond(comes ? not_yet() : stale());
  }
  if (!read.problems.empty()) {
    boost::json::array problems;
    for (const TypedProblem& p : read.problems)
      problems.push_back(boost::json::object{{"path", p.path}, {"problem", p.problem}});
    return exchange.respond(json_response(422, {{"problems", std::move(problems)}}));
  }
  for (FormAnswerRow& row : read.answers) {
    row.participant = who->row.id;
    row.stage = *number;
    row.attempt = *nth;
    row.answered = archive::now();
  }
  who->form_is_kept = false;
  session_.store->save(read.answers, [this, exchange, id = who->row.id,
                                      answers = read.answers](const std::string& problem) {
    const std::lock_guard locked(session_.mutex);
    Participant& whose = *session_.roster.find(id);
    whose.form_is_kept = true;
    if (!problem.empty()) return exchange.respond(not_saved(session_.study.texts, problem));
    whose.forms.insert(whose.forms.end(), answers.begin(), answers.end());
    flow_.form_kept(whose);
    exchange.respond(accepted());
  });
}

}  // namespace agon::serve
