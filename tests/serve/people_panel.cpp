// People whom a panel sends to one address, and what is told of people afterwards.
#include <cmath>
#include <fstream>
#include <future>
#include <map>
#include <set>

#include "archive/archive.hpp"
#include "people.hpp"
#include "people/payment/payment.hpp"
#include "people/payment/person_table.hpp"
#include "people/roster.hpp"
#include "people/store.hpp"
#include "people/study.hpp"
#include "suite/people/people_stages.hpp"

using namespace people;
using agon::Money;
using archive_samples::Folder;
using boost::json::object;

namespace {

const char* const kPanel = R"({"participants": 2, "panel": "prolific", "consent": "consent.txt",
    "code": {"complete": "DONE", "no_consent": "NO", "left": "LEFT"},
    "payment": {"currency": "EUR", "per_point": 2, "show_up_fee": 5},
    "return_to": "https://panel.example/?cc={code}&pid={PROLIFIC_PID}"})";

object visit(const std::string& id, const std::string& session = "s") {
  return {{"PROLIFIC_PID", id}, {"STUDY_ID", "st"}, {"SESSION_ID", session + id}};
}

std::string consent_in(const Folder& folder) {
  std::ofstream(folder / "consent.txt") << "I take part of my own will.\n";
  return folder.path().string();
}

/// Somebody whom the panel sends.
std::unique_ptr<Somebody> sent(Lab& lab, const object& with) {
  auto who = std::make_unique<Somebody>(lab);
  const Response answer = who->come(with);
  must(answer.status == 200, answer.body);
  return who;
}

/// From the first page to the waiting room.
void agree(Somebody& who) {
  who.open();
  who.until("welcome");
  must(who.act("begin") == 204, "begin");
  who.until("consent");
  must(who.act("agree") == 204, "agree");
  must(who.act("understood") == 204, "understood");
}

/// Lines of CSV, cells by the names of the columns. No cell here has a comma or a line break.
std::vector<std::map<std::string, std::string>> rows_of(const std::string& csv) {
  std::vector<std::vector<std::string>> lines(1);
  std::string cell;
  for (const char c : csv) {
    if (c == ',' || c == '\n') lines.back().push_back(std::exchange(cell, {}));
    if (c == '\n') lines.emplace_back();
    if (c != ',' && c != '\n' && c != '\r') cell += c;
  }
  std::vector<std::map<std::string, std::string>> rows;
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    must(lines[i].size() == lines[0].size(), csv);
    for (std::size_t k = 0; k < lines[i].size(); ++k) {
      if (k == 0) rows.emplace_back();
      rows.back()[lines[0][k]] = lines[i][k];
    }
  }
  return rows;
}

std::int64_t cents(const std::string& amount) {
  return std::llround(std::stod(amount) * 100);
}

std::string problem_of(const Response& answer) {
  return text_of(agon::json::parse(answer.body, "").at("error"));
}

std::string text_of_file(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What the lines of a last page come to, in cents.
std::int64_t added_up(const value& end) {
  std::int64_t sum = 0;
  for (const value& line : end.at("account").at("lines").as_array())
    if (line.at("counts").as_bool()) sum += cents(text_of(line.at("amount")));
  return sum;
}

}  // namespace

TEST_CASE("people of a panel come by one address and go back as they ended", "[serve][people]") {
  const Folder folder;
  consent_in(folder);
  Lab lab(folder.path(), kPanel);
  CHECK(lab.session.links().empty());
  lab.run();
  Browser looks(lab.router);
  const Response page = looks.get("/join", {{"PROLIFIC_PID", "PIDA"}});
  CHECK(page.status == 200);
  CHECK(page.content_type.starts_with("text/html"));
  CHECK(lab.state().at("participants").as_array().empty());  // a preview of the link enters nobody
  CHECK(text_of(agon::json::parse(looks.get("/join/about").body, "").at("language")) == "en");

  // Who declines goes back with the code for that, and has no place any more.
  auto declines = sent(lab, visit("PIDNO"));
  declines->open();
  declines->until("welcome");
  CHECK(declines->act("begin") == 204);
  declines->until("consent");
  CHECK(declines->act("decline") == 204);
  try {
    declines->until("nowhere");
  } catch (const std::runtime_error&) {
  }
  CHECK(text_of(declines->state.at("end").at("code")) == "NO");
  CHECK(text_of(declines->state.at("end").at("return")) ==
        "https://panel.example/?cc=NO&pid=PIDNO");
  CHECK(declines->state.at("end").at("payment").is_null());

  Player one{sent(lab, visit("PIDA"))}, two{sent(lab, visit("PIDB")), 2};
  Somebody late(lab);
  const Response full = late.come(visit("PIDC"));
  CHECK(full.status == 409);
  CHECK(problem_of(full).starts_with("All places"));
  agree(*one.who);
  agree(*two.who);
  std::future<void> other = std::async(std::launch::async, [&] { two.play_to("result"); });
  one.play_to("result");
  other.get();
  std::map<std::string, std::int64_t> paid;
  for (Player* p : {&one, &two}) {
    CHECK(p->who->act("next") == 204);
    const value end = p->who->until("end").at("end");
    const std::string id = p == &one ? "PIDA" : "PIDB";
    CHECK(text_of(end.at("code")) == "DONE");
    CHECK(text_of(end.at("return")) == "https://panel.example/?cc=DONE&pid=" + id);
    paid[id] = cents(text_of(end.at("payment")));
    CHECK(added_up(end) == paid[id]);
  }
  lab.wait();
  CHECK(text_of(lab.state().at("state")) == "ended");

  // The parts are columns that add up, in payments with the panel's ids, and for people without.
  const std::string payments = lab.researcher.get("/session/payments.csv").body;
  const auto rows = rows_of(payments);
  REQUIRE(rows.size() == 2);
  const std::vector<std::string> parts{"show_up", "scores",       "unfinished",
                                       "waiting", "screened_out", "rounding",
                                       "floor",   "minimum",      "maximum"};
  for (const auto& row : rows) {
    std::int64_t sum = 0;
    for (const std::string& part : parts) sum += cents(row.at(part));
    CHECK(sum == cents(row.at("payment")));
    CHECK(sum == paid.at(row.at("panel_id")));
    CHECK(row.at("outcome") == "complete");
    CHECK(row.at("code") == "DONE");
  }
  const std::string people = lab.researcher.get("/session/people.csv").body;
  const auto persons = rows_of(people);
  REQUIRE(persons.size() == 2);
  agon::archive::Archive archive = agon::archive::Archive::open(lab.archive);
  std::map<std::string, std::string> matches;  // by pseudonym
  for (const auto& [seat, pseudonym] : archive.people()) matches[pseudonym] = seat.first.hex();
  for (const auto& row : persons) {
    CHECK(row.at("outcome") == "complete");
    CHECK(row.at("match_1_id") == matches.at(row.at("pseudonym")));
    std::int64_t sum = 0;
    for (const std::string& part : parts) sum += cents(row.at("pay_" + part));
    CHECK(sum == cents(row.at("pay_total")));
    CHECK(cents(row.at("match_1_pay")) == cents(row.at("pay_scores")));
  }
  // The codebook has each column once, with its meaning.
  std::set<std::string> columns;
  for (const auto& [name, cell] : persons.front()) columns.insert(name);
  const agon::serve::KeptPeople kept = agon::serve::read_people(lab.session.path());
  const auto table = agon::serve::person_table(kept);
  CHECK(table.columns.size() == columns.size());
  for (const auto& column : table.columns) {
    CHECK(columns.contains(column.name));
    CHECK(!column.meaning.empty());
  }
  CHECK(lab.researcher.get("/session/codebook.csv").body.find("complete: they stayed") !=
        std::string::npos);
  // Panel ids are in the file of the people and in payments, and nowhere else; nothing of who
  // declined is anywhere.
  CHECK(kept.participants.size() == 2);
  const std::string log = agon::json::write(lab.state());
  lab.stop();
  for (const std::string& told :
       {people, lab.researcher.get("/session/codebook.csv").body,
        lab.researcher.get("/session/answers.csv").body, text_of_file(lab.archive), log})
    for (const char* id : {"PIDA", "PIDB", "PIDC", "PIDNO"})
      CHECK(told.find(id) == std::string::npos);
  CHECK(payments.find("PIDNO") == std::string::npos);
  CHECK(text_of_file(lab.session.path()).find("PIDNO") == std::string::npos);
}

TEST_CASE("an id of a panel has one place, and who merely knows it is not let in",
          "[serve][people]") {
  const Folder folder;
  consent_in(folder);
  Lab lab(folder.path(), kPanel);
  lab.run();
  auto one = sent(lab, visit("PIDA"));
  one->open();
  one->until("welcome");
  const std::string base = one->base;
  CHECK(one->come(visit("PIDA")).status == 200);  // the panel's link once more
  CHECK(one->base == base);
  CHECK(one->page->is_open());
  Somebody thief(lab);
  for (const object& guess : {visit("PIDA", "other"), object{{"PROLIFIC_PID", "PIDA"}},
                              object{{"PROLIFIC_PID", "PIDA"}, {"SESSION_ID", ""}}}) {
    const Response told = thief.come(guess);
    CHECK(told.status == 409);
    CHECK(problem_of(told).starts_with("Somebody came with this id"));
  }
  CHECK(thief.browser.cookies.empty());
  CHECK(one->act("begin") == 204);
  // The person's own link, in another browser, takes over, where they were.
  Somebody again(lab);
  CHECK(again.come(visit("PIDA")).status == 200);
  CHECK(again.base == base);
  for (;;) {
    const auto [event, data] = one->page->next();
    if (event != "state" || text_of(data.at("page")) != "refused") continue;
    CHECK(text_of(data.at("refused").at("text")).starts_with("You opened the study in another"));
    break;
  }
  CHECK(!one->page->is_open());
  CHECK(one->act("agree") == 404);
  again.open();
  again.until("consent");
  CHECK(lab.state().at("participants").as_array().size() == 1);
}

TEST_CASE("addresses without an id, and made-up ones, are refused with what is true",
          "[serve][people]") {
  const Folder folder;
  consent_in(folder);
  Lab lab(folder.path(), kPanel);
  lab.run();
  Somebody who(lab);
  const auto refused = [&](const object& with) {
    const Response answer = who.come(with);
    CHECK(answer.status == 400);
    return problem_of(answer);
  };
  CHECK(refused({}).find("(PROLIFIC_PID)") != std::string::npos);
  CHECK(refused({{"PROLIFIC_PID", ""}}).find("(PROLIFIC_PID)") != std::string::npos);
  CHECK(refused({{"PROLIFIC_PID", 7}}).find("(PROLIFIC_PID)") != std::string::npos);
  CHECK(refused({{"PROLIFIC_PID", std::string(301, 'x')}}).starts_with("What came"));
  CHECK(refused({{"PROLIFIC_PID", "a\nb"}}).starts_with("What came"));
  CHECK(refused({{"PROLIFIC_PID", "a"}, {"STUDY_ID", std::string(301, 'x')}})
            .starts_with("What came"));
  CHECK(lab.state().at("participants").as_array().empty());
  // Markup is an id like others, and comes back percent-encoded.
  const std::string markup = "\"><script>alert(1)</script>";
  auto odd = sent(lab, {{"PROLIFIC_PID", markup}, {"other", "kept nowhere"}});
  odd->open();
  odd->until("welcome");
  CHECK(odd->act("leave") == 204);
  const value end = odd->until("end").at("end");
  CHECK(text_of(end.at("return")) ==
        "https://panel.example/?cc=LEFT&pid=%22%3E%3Cscript%3Ealert%281%29%3C%2Fscript%3E");
  CHECK(text_of_file(lab.session.path()).find("kept nowhere") == std::string::npos);
  // They left: their place is free. Ten thousand ids take no more than the places there are.
  std::size_t in = 0;
  for (int i = 0; i < 10'000; ++i) {
    Somebody made_up(lab);
    in += made_up.come(visit("x" + std::to_string(i))).status == 200;
  }
  CHECK(in == 2);
  CHECK(lab.state().at("participants").as_array().size() == 3);
}

TEST_CASE("MTurk's preview is no visit, and without a panel there is no common address",
          "[serve][people]") {
  const Folder folder;
  {
    Lab lab(folder.path(), R"({"participants": 1, "panel": "mturk",
        "return_to": "https://w.example/?a={assignmentId}&c={code}"})");
    lab.run();
    Somebody who(lab);
    const Response preview =
        who.come({{"workerId", "W"}, {"assignmentId", "ASSIGNMENT_ID_NOT_AVAILABLE"}});
    CHECK(preview.status == 400);
    CHECK(problem_of(preview).starts_with("This is a preview"));
    CHECK(who.come({{"workerId", "W"}, {"assignmentId", "A/1"}, {"hitId", "H"}}).status == 200);
    who.open();
    who.until("welcome");
    CHECK(who.act("leave") == 204);
    const value end = who.until("end").at("end");
    CHECK(text_of(end.at("return")) == "https://w.example/?a=A%2F1&c=" + text_of(end.at("code")));
  }
  const Folder other;
  Lab lab(other.path(), R"({"participants": 1})");
  Browser browser(lab.router);
  CHECK(browser.get("/join").status == 404);
  CHECK(browser.get("/join/about").status == 404);
  CHECK(browser.post("/join", visit("A")).status == 404);
}

TEST_CASE("a place that nobody began with goes to the next", "[serve][people]") {
  const Folder folder;
  consent_in(folder);
  const agon::Suite suite =
      agon::Suite::parse(catalogue(),
                         R"({"suite": "s", "seed": 1, "agents": {"me": "human", "rule": "random"},
          "design": {"fixed": [["me", "rule", "rule"]], "seat_rotation": "as-listed"},
          "scenarios": [{"game": "parley"}], "people": )" +
                             std::string(kPanel) + "}",
                         (folder / "s.json").string(), {});
  const agon::serve::Study study(suite);
  agon::serve::PeopleStore store(folder / "s.people");
  agon::serve::Roster roster(study, store);
  roster.load("s", {});
  roster.complete(2);
  const auto come = [&](const std::string& id) {
    agon::serve::PanelVisit sent{.id = id, .session = "s", .parameters = visit(id)};
    return roster.enter(sent);
  };
  agon::serve::Participant* a = come("A");
  agon::serve::Participant* b = come("B");
  REQUIRE((a != nullptr && b != nullptr && a != b));
  CHECK(come("C") == nullptr);
  a->step_since -= 61'000;
  a->row.began = 1;  // in the middle of it, however long
  CHECK(come("C") == nullptr);
  b->step_since -= 61'000;
  b->stream = std::make_shared<Page>();  // still looks at the first page
  CHECK(come("C") == nullptr);
  b->stream.reset();
  CHECK(come("C") == b);
  CHECK(roster.with_panel_id("B") == nullptr);
  CHECK(roster.with_panel_id("C") == b);
  CHECK(come("D") == nullptr);
  // Who was away for too long makes room, who played to the end does not.
  a->row.instructed = 1;
  a->row.end = agon::serve::EndReason::done;
  a->step = agon::serve::Step::ended;
  CHECK(come("D") == nullptr);
  a->row.end = agon::serve::EndReason::gone;
  CHECK(come("D") != nullptr);
  CHECK(roster.with_panel_id("A") == a);
}

TEST_CASE("what was drawn and paid is kept when the process is gone", "[serve][people]") {
  const Folder folder;
  consent_in(folder);
  const auto people = [](const std::string& rate) {
    return R"({"participants": 1, "panel": {"id": "pid", "session": "sid"}, "matches": 3,
        "consent": "consent.txt", "code": "ABC",
        "payment": {"currency": "EUR", "pay": "one-match", "per_point": )" +
           rate + R"(, "show_up_fee": 5, "round": 0.1, "maximum": 20}})";
  };
  const object link{{"pid", "PIDA"}, {"sid", "secret"}};
  std::map<std::string, std::string> cookies;
  value before;
  {
    Lab lab(folder.path(), people("0.37"), R"(["me", "rule", "rule"])", 3);
    lab.run();
    Player one{sent(lab, link)};
    agree(*one.who);
    for (int match = 0; match < 3; ++match) {
      one.play_to("result");
      CHECK(one.who->state.at("result").at("if_drawn").as_bool());
      // The researcher sees what is fixed, and no draw.
      CHECK(text_of(lab.state().at("participants").at(0).at("payment")) == "5.00 EUR");
      CHECK(rows_of(lab.researcher.get("/session/payments.csv").body).at(0).at("drawn").empty());
      CHECK(one.who->act("next") == 204);
    }
    before = one.who->until("end").at("end");
    cookies = one.who->browser.cookies;
  }
  CHECK(added_up(before) == cents(text_of(before.at("payment"))));
  const std::int64_t drawn = before.at("account").at("drawn").to_number<std::int64_t>();
  CHECK((drawn >= 1 && drawn <= 3));
  std::size_t counted = 0;
  for (const value& line : before.at("account").at("lines").as_array())
    if (line.at("number").to_number<std::int64_t>() > 0 && line.at("counts").as_bool()) {
      CHECK(line.at("number").to_number<std::int64_t>() == drawn);
      ++counted;
    }
  CHECK(counted == 1);
  // Another rate, after the fact, changes nothing of what people were told.
  Lab lab(folder.path(), people("9"), R"(["me", "rule", "rule"])", 3);
  Somebody back(lab);
  back.browser.cookies = cookies;
  CHECK(back.come(link).status == 200);
  back.open();
  CHECK(agon::json::write(back.until("end").at("end")) == agon::json::write(before));
  Somebody new_browser(lab);
  CHECK(new_browser.come(link).status == 200);
  const auto row = rows_of(lab.researcher.get("/session/people.csv").body).at(0);
  CHECK(row.at("pay_drawn") == std::to_string(drawn));
  CHECK(row.at("match_" + std::to_string(drawn) + "_pay") == row.at("pay_scores"));
  CHECK(row.at("match_" + std::to_string(drawn % 3 + 1) + "_pay").empty());
  CHECK(cents(row.at("pay_total")) == cents(text_of(before.at("payment"))));
}

TEST_CASE("rows are of those alone who agreed", "[serve][people]") {
  using agon::serve::EndReason;
  agon::serve::KeptPeople kept;
  kept.asked_consent = true;
  const auto add = [&](const std::string& id, std::int64_t began, std::int64_t consented,
                       std::optional<EndReason> end) {
    agon::serve::ParticipantRow row;
    row.id = id;
    row.pseudonym = "p-" + id;
    row.label = "Ada";
    row.panel_id = "X";
    row.began = began;
    row.consented = consented;
    row.end = end;
    kept.participants.push_back(row);
  };
  add("new", 0, 0, {});
  add("reads", 1, 0, {});
  add("agreed", 1, 2, {});
  add("declined", 1, 0, EndReason::declined);
  add("closed", 1, 0, EndReason::closed);
  add("done", 1, 2, EndReason::done);
  const auto who = [&] {
    std::string names;
    for (const auto& row : rows_of(csv_of(person_table(kept), agon::archive::CsvAudience::data)))
      names += row.at("pseudonym") + " ";
    return names;
  };
  CHECK(who() == "p-agreed p-done ");
  kept.asked_consent = false;  // nobody is asked: who began takes part
  CHECK(who() == "p-reads p-agreed p-closed p-done ");
  const std::string all =
      csv_of(person_table(kept), agon::archive::CsvAudience::data) + jsonl_of(person_table(kept));
  CHECK(all.find("Ada") == std::string::npos);
  CHECK(all.find("X") == std::string::npos);
}

TEST_CASE("answers to questions and quizzes are columns of people", "[serve][people]") {
  using agon::serve::QuizMark;
  agon::PeopleStage before{.kind = agon::StageKind::questionnaire, .name = "pay"};
  before.questions.resize(2);
  before.questions[0].name = "total";
  before.questions[0].ask = "Your age";
  before.questions[0].low = 18;
  before.questions[1].name = "langs";
  before.questions[1].choices = {"German", "English"};
  agon::PeopleStage quiz{.kind = agon::StageKind::quiz, .name = "quiz"};
  quiz.questions.resize(1);
  quiz.questions[0].name = "sum";
  agon::serve::KeptPeople kept;
  kept.questions = agon::serve::asked_questions({before, quiz, {}});
  for (const char* id : {"a", "b", "c"}) {
    agon::serve::ParticipantRow row;
    row.id = row.pseudonym = id;
    row.began = 1;
    kept.participants.push_back(row);
  }
  const auto add = [&](const char* who, std::int64_t stage, const char* question,
                       std::int64_t attempt, const char* json, std::optional<QuizMark> mark = {}) {
    kept.forms.push_back({who, stage, question, attempt, json, mark, 5});
  };
  add("a", 1, "total", 1, "33");
  add("a", 1, "langs", 1, R"(["German","English"])");
  add("a", 2, "sum", 1, "\"four\"", QuizMark::wrong);
  add("a", 2, "sum", 2, "\"five\"", QuizMark::right);
  add("b", 1, "total", 1, "null");
  add("b", 2, "sum", 1, "\"six\"", QuizMark::wrong);
  const auto assign = [&](agon::serve::AssignedKind kind, const char* scenario, const char* given,
                          std::int64_t number) {
    agon::serve::AssignmentRow row{"b", 3, kind};
    row.scenario = scenario;
    row.value = given;
    row.number = number;
    kept.assigned.push_back(row);
  };
  assign(agon::serve::AssignedKind::order, "", R"(["trust","guess"])", 0);
  assign(agon::serve::AssignedKind::treatment, "trust", R"({"factor":3})", 1);
  assign(agon::serve::AssignedKind::group, "trust", "", 7);
  const agon::serve::PersonTable table = person_table(kept);
  const auto cell = [&](std::size_t row, const std::string& column) {
    for (std::size_t i = 0; i < table.columns.size(); ++i)
      if (table.columns[i].name == column) {
        std::string text;
        agon::archive::append_json(text, table.rows.at(row).at(i));
        return text;
      }
    return std::string("no such column");
  };
  CHECK(cell(0, "pay.total") == "33");
  CHECK(cell(0, "pay.langs") == R"(["German","English"])");
  CHECK(cell(0, "quiz.sum") == "\"four\"");
  CHECK(cell(0, "quiz.sum.first_right") == "0");
  CHECK(cell(0, "quiz.quiz.attempts") == "2");
  CHECK(cell(0, "quiz.quiz.passed") == "1");
  CHECK(cell(1, "pay.total") == "null");
  CHECK(cell(1, "quiz.quiz.attempts") == "1");
  CHECK(cell(1, "quiz.quiz.passed") == "0");
  CHECK(cell(1, "assigned_3_order") == R"(["trust","guess"])");
  CHECK(cell(1, "assigned_3_trust_treatment") == R"({"factor":3})");
  CHECK(cell(1, "assigned_3_trust_group") == "7");
  CHECK(cell(0, "assigned_3_trust_group") == "null");
  CHECK(cell(2, "quiz.sum.first_right") == "null");
  CHECK(cell(2, "quiz.quiz.attempts") == "null");
  CHECK(cell(0, "pay_total") == "null");  // of the payment: they have not ended
  const std::string book = csv_of(codebook(table), agon::archive::CsvAudience::data);
  CHECK(book.find("pay.total,answer to: Your age,,18 or more\r\n") != std::string::npos);
  CHECK(book.find("German; English") != std::string::npos);
}

TEST_CASE("payments, codes, addresses and panels that make no sense are refused",
          "[serve][people]") {
  const Folder folder;
  const auto problem = [&](const std::string& people) -> std::string {
    try {
      (void)agon::Suite::parse(catalogue(),
                               R"({"suite": "s", "seed": 1, "agents": {"me": "human"},
              "design": {"fixed": [["me", "me", "me"]], "seat_rotation": "as-listed"},
              "scenarios": [{"game": "parley"}], "people": )" +
                                   people + "}",
                               (folder / "s.json").string(), {});
    } catch (const agon::Error& error) {
      return error.where() + ": " + error.what();
    }
    return {};
  };
  const std::vector<std::pair<std::string, std::string>> wrong{
      {R"({"panel": "proliffic"})", "people.panel"},
      {R"({"panel": {"id": ""}})", "people.panel.id"},
      {R"({"panel": {"id": "a b"}})", "people.panel"},
      {R"({"panel": {"id": "code"}})", "people.panel"},
      {R"({"panel": {"id": "a", "session": "a"}})", "people.panel"},
      {R"({"panel": {"id": "a", "more": ["a"]}})", "people.panel"},
      {R"({"return_to": "javascript:alert"})", "people.return_to"},
      {R"({"return_to": "https://x.example/?{cod}"})", "{cod}"},
      {R"({"return_to": "https://x.example/?{PROLIFIC_PID}"})", "{PROLIFIC_PID}"},
      {R"({"panel": "prolific", "return_to": "https://{STUDY_ID}.example/"})", "people.return_to"},
      {R"({"panel": "prolific", "return_to": "https://{STUDY_ID}"})", "people.return_to"},
      {R"({"return_to": {"complete": "ftp://x"}})", "people.return_to.complete"},
      {R"({"return_to": {"finished": "https://x"}})", "finished"},
      {R"({"code": ""})", "people.code"},
      {R"({"code": {"screened_out": ""}})", "people.code.screened_out"},
      {R"({"code": {"complete": ")" + std::string(101, 'x') + R"("}})", "people.code.complete"},
      {R"({"payment": {"pay": "two-matches"}})", "people.payment.pay"},
      {R"({"payment": {"minimum": 2, "maximum": 1.99}})", "people.payment.maximum"},
      {R"({"payment": {"maximum": -1}})", "people.payment.maximum"},
      {R"({"payment": {"round": 0.5, "maximum": 1.2}})", "people.payment.maximum"},
      {R"({"payment": {"round": 0.5, "minimum": 1.2}})", "people.payment.minimum"},
      {R"({"payment": {"screened_out": -1}})", "people.payment.screened_out"},
  };
  for (const auto& [people, place] : wrong) {
    INFO(people << "\n" << problem(people));
    CHECK(problem(people).find(place) != std::string::npos);
  }
  for (const std::string& people : std::vector<std::string>{
           R"({"panel": "sona", "return_to": "https://x.example?{survey_code}"})",
           R"({"panel": {"id": "participantId", "session": "assignmentId", "more": ["projectId"]},
               "return_to": {"complete": "https://x.example/{projectId}/{code}"}})",
           R"({"code": {"complete": "A"}, "return_to": "http://x.example/{code}"})",
           R"({"payment": {"pay": "one-round", "minimum": 2, "maximum": 2, "screened_out": 0}})"}) {
    INFO(people);
    CHECK(problem(people).empty());
  }
}
