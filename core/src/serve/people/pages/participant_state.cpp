// What a participant's page shows, as it is sent to it.
#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <map>
#include <optional>

#include "form/form.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/forms/forms.hpp"
#include "people/pages/pages.hpp"
#include "people/payment/ending.hpp"
#include "people/payment/payment.hpp"
#include "text/percent.hpp"

namespace agon::serve {
namespace {

/// The name of a described member in JSON, where C++ keeps that word for itself.
struct JsonName {
  std::string_view name;
};
constexpr void apply(Field& field, JsonName json) {
  field.name = json.name;
}

struct StudyHeader {
  std::string title{};
  std::string contact{};
};
AGON_DESCRIBE(StudyHeader, (title, "of the study"),
              (contact, "whom to ask; empty: nobody is named"))

struct TextOnly {
  std::string text{};
};
AGON_DESCRIBE(TextOnly, (text, "to be read; empty: the page's own"))

struct InstructionsState {
  std::optional<std::size_t> reading{};
  std::string rules{};
  std::string told{};
};
AGON_DESCRIBE(InstructionsState,
              (reading, "number of the instructions above the rules; null: none"),
              (rules, "of all matches; empty: they differ"), (told, "about the opponents"))

/// A text that can be read.
struct ReadingState {
  std::size_t number = 0;
  std::string title{};
};
AGON_DESCRIBE(ReadingState, (number, "in addresses"), (title, "empty: the page's own"))

/// The entry of a quiz that was wrong.
struct FormProblem {
  std::string path{};
  std::string problem{};
};
AGON_DESCRIBE(FormProblem, (path, "JSON Pointer of the entry"), (problem, "why it is wrong"))

struct FormState {
  std::int64_t stage = 0;
  std::int64_t attempt = 0;
  bool quiz = false;
  std::optional<std::int64_t> left{};
  JsonText form{};
  JsonText typed{};
  std::vector<FormProblem> problems{};
};
AGON_DESCRIBE(FormState, (stage, "its number"), (attempt, "at the form, from 1"),
              (quiz, "all is to be right"), (left, "attempts; null: no limit"),
              (form, "to fill in"), (typed, "at the attempt before; null: nothing"),
              (problems, "what was wrong then"))

struct WaitingState {
  std::size_t needed = 1;
  std::size_t here = 1;
};
AGON_DESCRIBE(WaitingState, (needed, "people for the match"), (here, "of these"))

enum class LineKind : std::uint8_t { event, question, answer };
AGON_DESCRIBE_ENUM(LineKind, (event, "what happened"), (question, "what was asked"),
                   (answer, "their own"))

struct ConversationLine {
  LineKind kind = LineKind::event;
  bool is_private = false;
  std::string name{};
  std::string text{};
  std::uint32_t number = 0;
};
AGON_DESCRIBE(ConversationLine, (kind, "of line"),
              (is_private, "told to this seat alone", JsonName{"private"}),
              (name, "of the event or the stage"), (text, "empty: there is nothing to say"),
              (number, "of the question"))

struct StagePage {
  std::string path{};
  std::string game{};
  int seat = 0;
  std::vector<std::string> seats{};
  JsonText view{"null"};
  JsonText facts{"null"};
};
AGON_DESCRIBE(StagePage, (path, "of its HTML"), (game, "its id"), (seat, "from 0"),
              (seats, "names of all"), (view, "of the seat"),
              (facts, "what everybody may know of the settings; null: none"))

struct QuestionState {
  std::uint32_t number = 0;
  int attempt = 0;
  std::string stage{};
  std::string doc{};
  bool probe = false;
  std::string complaint{};
  int tries = 0;
  std::string view{};
  std::optional<std::int64_t> left_ms{};
  JsonText form{};
  JsonText typed{};
  std::optional<StagePage> page{};
};
AGON_DESCRIBE(QuestionState, (number, "of the question in the match"),
              (attempt, "at the question, from 0"), (stage, "its name"),
              (doc, "what the stage asks for"), (probe, "the answer has no effect on play"),
              (complaint, "why the last attempt was turned down; empty: this is the first"),
              (tries, "attempts that are left"), (view, "in words"),
              (left_ms, "milliseconds for the answer; null: no limit"), (form, "to fill in"),
              (typed, "at the attempt before; null: nothing"),
              (page, "in which it is answered; none: the form", left_out))

struct ChatState {
  std::vector<std::string> people{};
  std::uint64_t longest = 0;
  bool withholds = false;
};
AGON_DESCRIBE(ChatState, (people, "names of the seats whose people write, without their own"),
              (longest, "characters of a message"), (withholds, "some words"))

/// A message of the researcher.
struct LetterState {
  std::int64_t number = 0;
  std::string text{};
  std::int64_t sent = 0;
};
AGON_DESCRIBE(LetterState, (number, "by which it is closed"), (text, "of it"),
              (sent, "milliseconds since 1970"))

struct MatchPage {
  std::string key{};
  std::string label{};
  std::string title{};
  std::string you{};
  std::string role{};
  std::vector<std::string> others{};
  std::string persona{};
  std::optional<std::size_t> reading{};
  std::string rules{};
  std::size_t from = 0;
  std::vector<ConversationLine> told{};
  std::optional<QuestionState> question{};
  std::optional<ChatState> chat{};
};
AGON_DESCRIBE(MatchPage, (key, "in addresses"), (label, "for people"), (title, "of the game"),
              (you, "name of the seat"), (role, "of the seat; empty: all are alike"),
              (others, "names of the other seats"), (persona, "of the seat; empty: none"),
              (reading, "number of the instructions above the rules; null: none"),
              (rules, "of the match"), (from, "lines that were sent before"), (told, "new lines"),
              (question, "that waits for an answer", left_out),
              (chat, "with the others; none: there is none", left_out))

struct ResultState {
  std::vector<std::string> lines{};
  std::string score{};
  std::optional<std::string> payment{};
  bool if_drawn = false;
};
AGON_DESCRIBE(ResultState, (lines, "how the match ended"), (score, "in words; empty: none"),
              (payment, "for the match; null: none"),
              (if_drawn, "it pays that only if it is drawn"))

struct AccountLine {
  PayPart part = PayPart::show_up;
  std::int64_t number = 0;
  std::string points{};
  std::string amount{};
  bool counts = true;
};
AGON_DESCRIBE(AccountLine, (part, "what it is for"), (number, "of the match; 0: none"),
              (points, "of the match"), (amount, "of money"), (counts, "it is part of the payment"))

struct AccountState {
  std::vector<AccountLine> lines{};
  std::string rate{};
  std::optional<std::int64_t> drawn{};
};
AGON_DESCRIBE(AccountState, (lines, "that add up to the payment"), (rate, "money for a point"),
              (drawn, "number of the match that was drawn; null: none was"))

struct EndState {
  std::vector<std::string> lines{};
  std::optional<std::string> payment{};
  std::optional<AccountState> account{};
  std::optional<std::string> code{};
  std::optional<std::string> return_to{};
};
AGON_DESCRIBE(EndState, (lines, "why the study is over"), (payment, "in all; null: none"),
              (account, "how it adds up", left_out),
              (code, "that shows that somebody was here; null: none"),
              (return_to, "address to go to; null: none", JsonName{"return"}))

struct PageState {
  PageName page = PageName::welcome;
  bool paused = false;
  bool trial = false;
  StudyHeader study;
  std::string language{};
  std::optional<TextOnly> welcome{};
  std::optional<TextOnly> consent{};
  std::optional<TextOnly> refused{};
  std::optional<InstructionsState> instructions{};
  std::optional<ReadingState> reading{};
  std::optional<FormState> form{};
  std::vector<ReadingState> readings{};
  std::vector<std::int64_t> quizzes{};
  std::optional<std::string> rules{};
  std::optional<WaitingState> waiting{};
  std::optional<std::int64_t> left_ms{};
  std::optional<MatchPage> match{};
  std::optional<ResultState> result{};
  std::optional<EndState> end{};
  std::vector<LetterState> letters{};
};
AGON_DESCRIBE(PageState, (page, "its name"), (paused, "the session is"),
              (trial, "of a trial match, or one can be played"), (study, "what the page is of"),
              (language, "of the page"), (welcome, "of that page", left_out),
              (consent, "of that page", left_out), (refused, "of that page", left_out),
              (instructions, "of that page", left_out), (reading, "of that page", left_out),
              (form, "of that page", left_out), (readings, "that can be read again", left_out),
              (quizzes, "stages whose questions can be read again", left_out),
              (rules, "for who waits: of all matches", left_out),
              (waiting, "of that page", left_out),
              (left_ms, "milliseconds for reading the rules", left_out),
              (match, "where they sit or sat", left_out), (result, "of the match", left_out),
              (end, "of the study", left_out), (letters, "of the researcher, the oldest first"))

namespace bj = boost::json;

/// A value of a form, as its labels and units say it.
std::string form_words(const bj::object& node, const bj::value& value, const PageTexts& texts) {
  const bj::string& kind = node.at("kind").as_string();
  const auto labelled = [&](const std::string& label, const std::string& text) {
    return label.empty() ? text : text.empty() ? label : label + ": " + text;
  };
  if (kind == "optional")
    return value.is_null() ? texts.say("form.none")
                           : form_words(node.at("node").as_object(), value, texts);
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
                       form_words(field.at("node").as_object(), *member, texts)));
    return labelled(label, all);
  }
  if (value.is_array() && kind == "list") {
    for (const bj::value& item : value.get_array())
      add(form_words(node.at("node").as_object(), item, texts));
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

ConversationLine line_of(const Delivery& d, const Sitting& sitting, const PageTexts& texts) {
  ConversationLine line{.is_private = d.is_for_one(),
                        .name = printable(d.name),
                        .text = std::string(d.sentences()),
                        .number = d.number};
  // The page shows the members of a question's view by itself.
  const bool by_members = d.shown() == Delivery::Shown::members;
  switch (d.what) {
    case Delivery::What::event:
      if (by_members) line.text = plain_line(d.type, d.json, {.seats = sitting.seats});
      break;
    case Delivery::What::question:
      line.kind = LineKind::question;
      break;
    case Delivery::What::answer:
      line.kind = LineKind::answer;
      if (by_members) line.text = own_answer(d.type, std::string(d.json), sitting, texts);
      break;
  }
  return line;
}

PageState header_of(const SessionContext& session) {
  return {.study = {session.study.title(), session.study.people.said.contact},
          .language = session.study.people.said.language};
}

std::int64_t left_until(const SessionContext& session, std::int64_t deadline) {
  return std::max<std::int64_t>(0, deadline - session.clock.now());
}

QuestionState question_of(const SessionContext& session, OpenQuestion& open,
                          const std::map<std::string, std::string>* pages) {
  const OwnedQuestion& q = *open.question;
  if (open.shown == 0) open.shown = archive::now();
  QuestionState question{.number = q.number,
                         .attempt = q.attempt,
                         .stage = printable(q.stage),
                         .doc = printable(q.stage_doc, true),
                         .probe = q.probe,
                         .complaint = printable(q.complaint, true),
                         .tries = q.tries,
                         .view = q.view_told};
  if (q.view_type != nullptr && question.view.empty())
    question.view = plain_text(q.view_type, q.view_json, {.seats = q.seat_names});
  if (open.deadline != 0) question.left_ms = left_until(session, open.deadline);
  question.form = {
      json::write(bj::value(form_description(*q.answer_type, q.limits.get(), *q.language)))};
  if (!open.typed.empty()) question.typed = {open.typed};
  if (pages != nullptr && !q.probe && pages->contains(q.stage))
    question.page = StagePage{"stage?name=" + text::percent_encoded(q.stage, "-_"),
                              q.game,
                              q.seat,
                              q.seat_names,
                              {q.view_json},
                              {q.facts_type == nullptr ? "null" : q.facts_json}};
  return question;
}

/// Where there is anybody to write to, or something was written.
std::optional<ChatState> chat_of(const SessionContext& session, const Matchmaker& matchmaker,
                                 const Sitting& sitting) {
  if (!sitting.match || sitting.over) return {};
  const auto table = matchmaker.tables().find(*sitting.match);
  if (table == matchmaker.tables().end() || !session.chat.is_in(table->second.scenario)) return {};
  ChatState chat{.longest = session.chat.longest(), .withholds = session.chat.withholds()};
  for (const auto& other : table->second.sittings)
    if (other.get() != &sitting && !other->gone) chat.people.push_back(printable(other->you));
  if (chat.people.empty() && session.chat.lines(*sitting.match).empty()) return {};
  return chat;
}

/// What they have read, for looking up.
void add_readings(const Study& study, const Participant& who, PageState& state) {
  for (const std::size_t number : readings_of(study, who))
    if (who.step != Step::reading || number != study.readings.of_stage(who.row.stage))
      state.readings.push_back({number, printable(study.readings.at(number).title)});
  state.quizzes = quizzes_of(study, who);
}

FormState form_state(const Study& study, const Participant& who) {
  const PeopleStage& stage = *who.stage;
  const std::int64_t before = who.attempts_at(who.row.stage);
  FormState form{.stage = who.row.stage,
                 .attempt = before + 1,
                 .quiz = stage.kind == StageKind::quiz,
                 .form = {json::write(bj::value(form_of(stage, study.texts)))}};
  if (stage.attempts != 0) form.left = static_cast<std::int64_t>(stage.attempts) - before;
  if (before == 0) return form;
  form.typed = {json::write(bj::value(typed_before(who, before)))};
  for (const suite_file::FormQuestion& q : stage.questions)
    if (const FormAnswerRow* row = who.answer_at(who.row.stage, before, q.name);
        row != nullptr && row->mark == QuizMark::wrong)
      form.problems.push_back({"/" + q.name, q.explain.empty()
                                                 ? study.texts.say("server.quiz_wrong")
                                                 : printable(q.explain, true)});
  return form;
}

void add_match(const SessionContext& session, const Matchmaker& matchmaker, Participant& who,
               PageState& state) {
  if (who.sitting == nullptr) return;
  Sitting& sitting = *who.sitting;
  MatchPage match{.key = sitting.key,
                  .label = sitting.label,
                  .title = printable(sitting.title),
                  .you = printable(sitting.you),
                  .role = printable(sitting.role),
                  .persona = printable(sitting.persona, true),
                  .reading = sitting.reading,
                  .rules = printable(sitting.rules, true)};
  for (std::size_t i = 0; i < sitting.seats.size(); ++i)
    if (static_cast<int>(i) != sitting.seat) match.others.push_back(printable(sitting.seats[i]));
  if (who.told_key != sitting.key) {
    who.told_key = sitting.key;
    who.told = 0;
  }
  match.from = std::min(who.told, sitting.history.size());
  for (std::size_t i = match.from; i < sitting.history.size(); ++i)
    match.told.push_back(line_of(sitting.history[i], sitting, session.study.texts));
  who.told = sitting.history.size();
  // Until the history has it, which comes with the next question.
  if (sitting.answered)
    match.told.push_back({LineKind::answer, false, printable(sitting.answered->name),
                          sitting.answered->text, sitting.answered->number});
  if (OpenQuestion* open = sitting.open(); open != nullptr && sitting.rules_read) {
    match.question = question_of(session, *open, sitting.pages);
    state.page = PageName::question;
  }
  state.trial = !sitting.match;
  match.chat = chat_of(session, matchmaker, sitting);
  state.match = std::move(match);
}

void add_waiting(const SessionContext& session, const Matchmaker& matchmaker,
                 const Participant& who, PageState& state) {
  WaitingState waiting;
  if (const WaitingTable* next = matchmaker.waits_for(who); next != nullptr) {
    const std::size_t needed = next->open.needed;
    waiting = {needed, std::min(needed, matchmaker.present_for(who, *next))};
  }
  state.page = PageName::waiting;
  if (const std::string& rules = session.study.instructions; !rules.empty())
    state.rules = printable(rules, true);
  state.waiting = waiting;
}

ResultState result_of(const Study& study, const Participant& who) {
  ResultState result;
  std::string score;
  if (who.sitting != nullptr) {
    const Sitting& sitting = *who.sitting;
    // What was told last of a match without an ending is not how it ended.
    for (std::size_t i = sitting.unseen_from; sitting.counts && i < sitting.history.size(); ++i)
      if (const Delivery& d = sitting.history[i]; d.what == Delivery::What::event)
        if (ConversationLine line = line_of(d, sitting, study.texts); !line.text.empty())
          result.lines.push_back(std::move(line.text));
    score = sitting.score_told;
    if (!sitting.counts) result.lines.push_back(sitting.early_end);
  }
  const bool is_trial = who.sitting != nullptr && !who.sitting->match;
  if (!is_trial && !who.seated.empty()) {
    const SeatedRow& last = who.seated.back();
    if (score.empty()) score = last.score;
    const suite_file::People& people = study.people.said;
    if (last.outcome == SeatEnding::played)
      result.payment = amount_text(paid_for(people, last.score), people.payment.currency);
    else if (last.outcome == SeatEnding::unfinished)
      result.payment = amount_text(people.payment.unfinished, people.payment.currency);
    result.if_drawn = result.payment && people.payment.pay.value_or(suite_file::PaidMatches::sum) !=
                                            suite_file::PaidMatches::sum;
  }
  result.score = printable(score);
  return result;
}

AccountState told(const PaymentAccount& account) {
  AccountState told{.rate = account.rate, .drawn = account.drawn};
  for (const PayLine& line : account.lines)
    told.lines.push_back({line.part, line.number, printable(line.points),
                          amount_text(line.amount, account.currency), line.counts});
  return told;
}

EndState end_of(const Study& study, const Participant& who) {
  EndState end;
  const ParticipantRow& row = who.row;
  if (row.end)
    end.lines.push_back(study.texts.say(
        row.end == EndReason::done && !study.plays() ? "server.end_answered" : end_text(*row.end)));
  end.code = code_of(study.people.said, row);
  end.return_to = return_address(study.people.said, row);
  if (row.end == EndReason::declined) return end;
  const PaymentAccount paid = account(study, who);
  end.payment = amount_text(paid.total, study.people.said.payment.currency);
  if (!paid.lines.empty()) end.account = told(paid);
  return end;
}

}  // namespace

std::string own_answer(const Type* type, const std::string& json, const Sitting& sitting,
                       const PageTexts& texts) {
  if (type == nullptr || sitting.words->is_english())
    return plain_line(type, json, {.seats = sitting.seats});
  return form_words(form_description(*type, {}, *sitting.words), json::parse(json, "an answer"),
                    texts);
}

PageName page_of(const Participant& who) {
  switch (who.step) {
    case Step::welcome:
      return PageName::welcome;
    case Step::consent:
      return PageName::consent;
    case Step::instructions:
      return PageName::instructions;
    case Step::reading:
      return PageName::reading;
    case Step::form:
      return PageName::form;
    case Step::waiting:
      return PageName::waiting;
    case Step::playing:
      return who.sitting != nullptr && !who.sitting->rules_read ? PageName::rules
                                                                : PageName::watching;
    case Step::result:
      return PageName::result;
    case Step::ended:
      return PageName::end;
  }
  return PageName::end;
}

std::string old_link_state(const SessionContext& session, std::string_view text) {
  PageState state = header_of(session);
  state.page = PageName::refused;
  state.refused = {session.study.texts.say(text)};
  return write_json(state);
}

std::string page_state(const SessionContext& session, const Matchmaker& matchmaker,
                       Participant& who) {
  const Study& study = session.study;
  PageState state = header_of(session);
  state.paused = session.clock.is_paused();
  for (const LetterRow& letter : session.record.letters_to(who.row.id))
    state.letters.push_back({letter.number, printable(letter.text, true), letter.sent});
  state.page = page_of(who);
  if (!who.has_ended()) add_readings(study, who, state);
  switch (who.step) {
    case Step::welcome:
      if (session.takes_nobody()) {
        state.page = PageName::refused;
        state.refused = {study.texts.say("server.end_closed")};
      } else {
        state.welcome = {study.people.said.welcome};
      }
      break;
    case Step::consent:
      state.consent = {study.people.consent};
      break;
    case Step::instructions:
      state.trial = study.people.trial.has_value() && !who.tried;
      state.instructions = {study.reading, printable(study.instructions, true),
                            printable(study.told, true)};
      break;
    case Step::reading:
      if (const auto number = study.readings.of_stage(who.row.stage))
        state.reading = {*number, printable(study.readings.at(*number).title)};
      break;
    case Step::form:
      state.form = form_state(study, who);
      break;
    case Step::waiting:
      add_waiting(session, matchmaker, who, state);
      break;
    case Step::playing:
      // Between being picked and taking the seat, and after a restart until the match goes on.
      if (who.sitting == nullptr) {
        add_waiting(session, matchmaker, who, state);
        break;
      }
      if (!who.sitting->rules_read && who.sitting->read_by != 0)
        state.left_ms = left_until(session, who.sitting->read_by);
      add_match(session, matchmaker, who, state);
      break;
    case Step::result:
      add_match(session, matchmaker, who, state);
      state.page = PageName::result;
      state.result = result_of(study, who);
      break;
    case Step::ended:
      state.end = end_of(study, who);
      break;
  }
  return write_json(state);
}

}  // namespace agon::serve
