#include "people/payment/person_table.hpp"

#include <agon/conversion.hpp>
#include <agon/describe.hpp>
#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <cmath>
#include <map>

#include "describe/value.hpp"
#include "json/parse.hpp"
#include "json/write.hpp"
#include "people/payment/ending.hpp"
#include "people/payment/payment.hpp"
#include "text/utf8.hpp"

namespace agon::serve {
namespace {

using archive::ExportCell;

constexpr std::string_view kMoment = "milliseconds since 1970";
constexpr std::string_view kCurrency = "see pay_currency";

struct PersonFields {
  std::string session{};
  std::string pseudonym{};
  std::optional<StudyOutcome> outcome{};
  std::optional<EndReason> end{};
  std::optional<std::int64_t> began{};
  std::optional<std::int64_t> consented{};
  std::optional<std::int64_t> instructed{};
  std::optional<std::int64_t> ended{};
  std::size_t matches = 0;
};
AGON_DESCRIBE(PersonFields, (session, "name of the session, as in the archive"),
              (pseudonym, "of the person, as in the archive and in answers"),
              (outcome, "how the study ended for them, as panels sort it"),
              (end, "why the study ended for them"),
              (began, "when they left the first page", unit(kMoment)),
              (consented, "when they agreed to the consent text", unit(kMoment)),
              (instructed, "when they had read the instructions", unit(kMoment)),
              (ended, "when the study ended for them", unit(kMoment)),
              (matches, "that ended for them"))

struct PayFields {
  std::string currency{};
  std::string rate{};
  std::optional<std::int64_t> drawn{};
  std::optional<Money> total{};
};
AGON_DESCRIBE(PayFields, (currency, "of all amounts"), (rate, "money for a point of payoff"),
              (drawn, "number of the match that was drawn to be paid"),
              (total, "what was paid: the sum of the parts that follow"))

struct MatchFields {
  std::string id{};
  std::string scenario{};
  int seat = 0;
  std::optional<SeatEnding> ended{};
  std::optional<std::string> points{};
  std::optional<Money> pay{};
};
AGON_DESCRIBE(MatchFields, (id, "as in the archive's exports, column match"),
              (scenario, "of the match"), (seat, "number of the seat, from 0"),
              (ended, "how the match ended for them"), (points, "payoff, as they were told"),
              (pay, "what it pays; empty: nothing, as another match was drawn"))

const Type& inner(const Type& type) {
  return type.kind == Kind::optional ? *type.element : type;
}

std::string values_of(const Type& type) {
  std::string all;
  for (const Enumerator& one : type.enumerators) {
    if (!all.empty()) all += "; ";
    all.append(one.name).append(": ").append(one.doc);
  }
  return all;
}

template <class E>
std::string_view doc_of(E value) {
  for (const Enumerator& one : type_of<E>().enumerators)
    if (one.value == static_cast<std::int64_t>(value)) return one.doc;
  return "";
}

ExportCell money(Money amount) {
  return archive::decimal(static_cast<double>(amount.cents), 2);
}

ExportCell cell_of(const boost::json::value& value, const Type& type) {
  if (value.is_null()) return archive::Absent{};
  if (type.decimals > 0) return money({std::llround(value.to_number<double>() * 100)});
  if (value.is_string()) return std::string(value.get_string());
  if (value.is_int64()) return value.get_int64();
  if (value.is_uint64()) return static_cast<std::int64_t>(value.get_uint64());
  if (value.is_bool()) return std::int64_t{value.get_bool()};
  if (value.is_double()) return value.get_double();
  return archive::ExportJson{json::write(value)};
}

/// Makes a table whose columns are members of described structs.
class TableMaker {
 public:
  explicit TableMaker(PersonTable& table) : table_(table) {}

  void begin_row() { table_.rows.emplace_back(table_.columns.size()); }
  /// Puts a struct into the row. `which`: what its columns are of, if there are several.
  template <class Described>
  void put(const Described& fields, const std::string& prefix = {}, const std::string& which = {}) {
    const boost::json::value all = json::parse(write_json(fields), "a row");
    for (const Field& field : type_of<Described>().fields) {
      const Type& type = inner(*field.type);
      put({prefix + std::string(field.name),
           std::string(field.doc) + (which.empty() ? "" : "; " + which),
           std::string(type.decimals > 0 ? kCurrency : field.unit), values_of(type)},
          cell_of(all.as_object().at(field.name), type));
    }
  }
  void put(PersonColumn column, ExportCell cell) {
    const auto [at, added] = places_.try_emplace(column.name, table_.columns.size());
    if (added) {
      table_.columns.push_back(std::move(column));
      for (auto& row : table_.rows) row.emplace_back();
    }
    if (!table_.rows.empty()) table_.rows.back().at(at->second) = std::move(cell);
  }

 private:
  PersonTable& table_;
  std::map<std::string, std::size_t> places_;
};

std::optional<std::int64_t> time_of(std::int64_t ms) {
  return ms == 0 ? std::nullopt : std::optional(ms);
}

void put_pay(TableMaker& maker, const PaymentAccount& paid, bool is_over) {
  if (is_over)
    maker.put(PayFields{paid.currency, paid.rate, paid.drawn, paid.total}, "pay_");
  else
    maker.put(PayFields{}, "pay_");
  for (const PayPart part : paid_parts())
    maker.put({"pay_" + std::string(name_of(part)),
               "part of the payment: " + std::string(doc_of(part)),
               std::string(kCurrency),
               {}},
              is_over ? money(paid_in(paid, part)) : archive::Absent{});
}

/// "18 to 99"; empty without bounds.
std::string bounds_text(const std::optional<double>& low, const std::optional<double>& high) {
  std::string text;
  if (low) text += number_text(*low);
  if (low && high) text += " to ";
  if (high) text += number_text(*high);
  return text.empty() || (low && high) ? text : text + (low ? " or more" : " or less");
}

/// Only what people agreed to is told of them.
bool may_be_told(const KeptPeople& people, const ParticipantRow& who) {
  if (who.end == EndReason::declined) return false;
  return people.asked_consent ? who.consented != 0 : who.began != 0;
}

void put_matches(TableMaker& maker, const std::vector<const SeatedRow*>& seated,
                 const PaymentAccount& account) {
  std::int64_t number = 0;
  for (const SeatedRow* row : seated) {
    if (!row->outcome) continue;
    const std::string n = std::to_string(++number);
    MatchFields fields{
        .id = row->match.hex(), .scenario = row->label, .seat = row->seat, .ended = row->outcome};
    if (row->outcome == SeatEnding::played) fields.points = row->score;
    for (const PayLine& line : account.lines)
      if (line.number == number && line.counts) fields.pay = line.amount;
    maker.put(fields, "match_" + n + "_", "match " + n + " of the person");
  }
}

/// The answer that is told of a question: of a questionnaire the one, of a quiz the first.
const FormAnswerRow* answer_to(const std::vector<const FormAnswerRow*>& forms,
                               const AskedQuestion& asked) {
  for (const FormAnswerRow* row : forms)
    if (row->stage == asked.stage && row->question == asked.name && row->attempt == 1) return row;
  return nullptr;
}

// Names of stages and questions have no dot: columns with one are of no other kind.

/// How they did in a quiz.
void put_quiz(TableMaker& maker, const std::vector<const FormAnswerRow*>& forms,
              const AskedQuestion& of) {
  std::int64_t attempts = 0;
  std::map<std::int64_t, bool> all_right;
  for (const FormAnswerRow* row : forms) {
    if (row->stage != of.stage) continue;
    attempts = std::max(attempts, row->attempt);
    const auto at = all_right.try_emplace(row->attempt, true).first;
    at->second = at->second && row->mark == QuizMark::right;
  }
  const bool came = attempts > 0;
  maker.put({of.stage_name + ".quiz.attempts", "attempts at the quiz " + of.stage_name, {}, {}},
            came ? ExportCell(attempts) : archive::Absent{});
  maker.put({of.stage_name + ".quiz.passed",
             "whether all was right in the last attempt",
             {},
             "0: no; 1: yes"},
            came ? ExportCell(std::int64_t{all_right[attempts]}) : archive::Absent{});
}

void put_forms(TableMaker& maker, const std::vector<const FormAnswerRow*>& forms,
               const AskedQuestions& questions) {
  std::int64_t stage = 0;
  for (const AskedQuestion& asked : questions.all) {
    if (asked.quiz && asked.stage != stage) put_quiz(maker, forms, asked);
    stage = asked.stage;
    const FormAnswerRow* answer = answer_to(forms, asked);
    const std::string name = asked.stage_name + "." + asked.name;
    maker.put(
        {name, (asked.quiz ? "first answer to: " : "answer to: ") + asked.ask, {}, asked.values},
        answer == nullptr ? archive::Absent{}
                          : cell_of(json::parse(answer->json, "an answer"), type_of<int>()));
    if (asked.quiz)
      maker.put({name + ".first_right", "whether the first answer was right", {}, "0: no; 1: yes"},
                answer == nullptr ? archive::Absent{}
                                  : ExportCell(std::int64_t{answer->mark == QuizMark::right}));
  }
}

/// What was assigned to them, which has no columns where the suite draws nothing.
void put_assignment(TableMaker& maker, const std::vector<const AssignmentRow*>& assigned) {
  for (const AssignmentRow* row : assigned) {
    const std::string where = "stage " + std::to_string(row->stage) +
                              (row->scenario.empty() ? "" : ", scenario " + row->scenario);
    const std::string name = "assigned_" + std::to_string(row->stage) + "_" +
                             (row->scenario.empty() ? "" : row->scenario + "_") +
                             std::string(name_of(row->kind));
    const bool is_group = row->kind == AssignedKind::group || row->value.empty();
    maker.put({name, std::string(doc_of(row->kind)) + ": " + where, {}, {}},
              is_group ? ExportCell(row->number)
                       : cell_of(json::parse(row->value, "an assignment"), type_of<int>()));
  }
}

}  // namespace

AskedQuestions asked_questions(const std::vector<PeopleStage>& stages) {
  AskedQuestions asked;
  for (std::size_t i = 0; i < stages.size(); ++i)
    for (const suite_file::FormQuestion& question : stages[i].questions) {
      AskedQuestion one{.stage = static_cast<std::int64_t>(i) + 1,
                        .stage_name = stages[i].name,
                        .quiz = stages[i].kind == StageKind::quiz,
                        .name = question.name,
                        .ask = question.ask};
      for (const std::string& choice : question.choices)
        one.values += (one.values.empty() ? "" : "; ") + choice;
      if (question.low || question.high) one.values = bounds_text(question.low, question.high);
      if (!question.low_label.empty()) one.values += "; low: " + question.low_label;
      if (!question.high_label.empty()) one.values += "; high: " + question.high_label;
      asked.all.push_back(std::move(one));
    }
  return asked;
}

PersonTable person_table(const KeptPeople& people) {
  std::map<std::string, std::vector<const AssignmentRow*>> assigned;
  for (const AssignmentRow& row : people.assigned) assigned[row.participant].push_back(&row);
  std::map<std::string, std::vector<const FormAnswerRow*>> forms;
  for (const FormAnswerRow& row : people.forms) forms[row.participant].push_back(&row);
  std::map<std::string, std::vector<const SeatedRow*>> seated;
  for (const SeatedRow& row : people.seated) seated[row.participant].push_back(&row);
  PersonTable table;
  TableMaker maker(table);
  // The columns that every table has.
  maker.put(PersonFields{});
  put_forms(maker, {}, people.questions);
  put_pay(maker, {}, false);
  for (const ParticipantRow& who : people.participants) {
    if (!may_be_told(people, who)) continue;
    maker.begin_row();
    const auto& seats = seated[who.id];
    PersonFields fields{.session = people.session,
                        .pseudonym = who.pseudonym,
                        .outcome = outcome_of(who),
                        .end = who.end,
                        .began = time_of(who.began),
                        .consented = time_of(who.consented),
                        .instructed = time_of(who.instructed),
                        .ended = time_of(who.ended)};
    fields.matches = static_cast<std::size_t>(std::count_if(
        seats.begin(), seats.end(), [](const SeatedRow* row) { return row->outcome.has_value(); }));
    maker.put(fields);
    put_assignment(maker, assigned[who.id]);
    put_forms(maker, forms[who.id], people.questions);
    const PaymentAccount paid = read_account(who.account);
    put_pay(maker, paid, who.end.has_value());
    put_matches(maker, seats, paid);
  }
  return table;
}

PersonTable codebook(const PersonTable& table) {
  PersonTable book{.columns = {{"column", {}, {}, {}},
                               {"meaning", {}, {}, {}},
                               {"unit", {}, {}, {}},
                               {"values", {}, {}, {}}},
                   .rows = {}};
  for (const PersonColumn& column : table.columns)
    book.rows.push_back({column.name, column.meaning, column.unit, column.values});
  return book;
}

std::string csv_of(const PersonTable& table, archive::CsvAudience reader) {
  std::vector<ExportCell> header;
  for (const PersonColumn& column : table.columns) header.emplace_back(column.name);
  std::string csv = archive::csv_line(header, reader);
  for (const auto& row : table.rows) csv += archive::csv_line(row, reader);
  return csv;
}

std::string jsonl_of(const PersonTable& table) {
  std::string lines;
  for (const auto& row : table.rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      line += i == 0 ? '{' : ',';
      json::append_string(line, table.columns[i].name);
      line += ':';
      archive::append_json(line, row[i]);
    }
    lines += text::printable_json(line) + "}\n";
  }
  return lines;
}

}  // namespace agon::serve
