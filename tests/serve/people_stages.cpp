// Stages of a session: texts to read, quizzes, questionnaires and matches, in the suite's order.
#include <sqlite3.h>

#include <fstream>

#include "people.hpp"
#include "suite/people/markdown.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::array;
using boost::json::object;

namespace {

constexpr std::string_view kPng = "\x89PNG\r\n\x1a\n and so on";

const char* const kQuiz = R"({"quiz": [
    {"name": "goods", "ask": "How many goods are there?", "kind": "number", "low": 0, "high": 9,
     "right": 3, "explain": "There are three."},
    {"name": "who", "ask": "Who is paid?", "choices": ["you", "all", "nobody"], "right": "all"}],
    "attempts": 2})";
const char* const kBefore = R"({"name": "before", "questionnaire": [
    {"name": "age", "ask": "How old are you?", "kind": "number", "low": 18, "high": 99},
    {"name": "langs", "ask": "Which do you speak?", "kind": "several",
     "choices": ["English", "German", "Chinese"], "required": false},
    {"name": "risk", "ask": "How much do you like risk?", "kind": "scale", "low": 0, "high": 10,
     "low_label": "not at all", "high_label": "very much"},
    {"name": "words", "ask": "What do you do?", "kind": "text", "required": false}]})";
const char* const kAfter = R"({"name": "after", "questionnaire": [
    {"name": "fun", "ask": "Was it fun?", "choices": ["yes", "no"]}]})";

const char* const kOne =
    R"({"game": "parley", "design": {"fixed": [["me", "rule", "rule"]]}, "blocks": 2})";

std::string stages(const std::vector<std::string>& all, const std::string& more = "") {
  std::string list;
  for (const std::string& one : all) list += (list.empty() ? "" : ", ") + one;
  return R"({"participants": 2, )" + more + R"("stages": [)" + list + "]}";
}

void write(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

std::string all_stages(const Folder& folder) {
  write(folder / "shop.png", kPng);
  write(folder / "goods.md", "# The goods\n\nThere are *three*.\n\n![A shop](shop.png)\n");
  return stages({kBefore, R"({"instructions": "goods.md"})", kQuiz, R"({"play": {}})", kAfter});
}

/// Sends a form as its page does.
Response submit(Somebody& who, std::int64_t stage, std::int64_t attempt, const value& typed) {
  return who.browser.post(who.base + "form",
                          {{"stage", stage}, {"attempt", attempt}, {"typed", typed}});
}

const object kGrown{{"age", "30"}, {"langs", array{"German"}}, {"risk", "7"}, {"words", nullptr}};

/// To the first stage.
Somebody begun(Lab& lab, std::size_t link = 0) {
  Somebody who(lab, lab.session.links()[link]);
  who.open();
  who.until("welcome");
  must(who.act("begin") == 204, "begin");
  return who;
}

/// The first cell of what a file of people says.
std::string asked_of(const Lab& lab, const std::string& sql) {
  sqlite3* db = nullptr;
  must(
      sqlite3_open_v2(lab.session.path().c_str(), &db, SQLITE_OPEN_READWRITE, nullptr) == SQLITE_OK,
      "no file");
  std::string found;
  sqlite3_exec(
      db, sql.c_str(),
      [](void* to, int n, char** cells, char**) {
        for (int i = 0; i < n; ++i)
          *static_cast<std::string*>(to) += std::string(cells[i] == nullptr ? "" : cells[i]) + " ";
        return 0;
      },
      &found, nullptr);
  sqlite3_close(db);
  return found;
}

std::vector<std::string> problem_paths(const Response& response) {
  std::vector<std::string> paths;
  const value said = agon::json::parse(response.body, "");
  for (const value& p : said.at("problems").as_array()) paths.push_back(text_of(p.at("path")));
  return paths;
}

/// Plays a match to its end and leaves the result.
void play_one(Player& player) {
  player.play_to("result");
  must(player.who->act("next") == 204, "next");
}

/// Why the suite is refused; empty: it is not.
std::string refused(const Folder& folder, const std::string& people,
                    const std::string& scenarios = kOne) {
  try {
    const Lab lab(folder.path(), people, 1, scenarios, 0);
    return "";
  } catch (const agon::Error& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a person walks through all stages in the suite's order", "[serve][people][stages]") {
  const Folder folder;
  Lab lab(folder.path(), all_stages(folder), 1, kOne, 0);
  lab.run();
  Player one{std::make_unique<Somebody>(begun(lab))};
  Somebody& who = *one.who;

  const value before = who.until("form").at("form");
  // Nothing of what is still to come.
  CHECK(who.browser.get(who.base + "picture/0").status == 404);
  CHECK(who.browser.get(who.base + "reading/0").status == 404);
  CHECK(!before.at("quiz").as_bool());
  CHECK(before.at("form").at("fields").at(2).at("node").at("choices").as_array().size() == 11);
  CHECK(who.act("understood") == 409);
  CHECK(submit(who, 1, 1, kGrown).status == 200);
  // The same once more, and another that comes too late.
  CHECK(submit(who, 1, 1, kGrown).status == 200);
  object other = kGrown;
  other["age"] = "31";
  CHECK(submit(who, 1, 1, other).status == 409);

  const value reading = who.until("reading").at("reading");
  CHECK(text_of(reading.at("title")) == "The goods");
  const std::string number = agon::json::write(reading.at("number"));
  const Response text = who.browser.get(who.base + "reading/" + number);
  REQUIRE(text.status == 200);
  CHECK(text.body.find(R"("emphasis":true)") != std::string::npos);
  CHECK(text.body.find(R"("picture":"picture/0")") != std::string::npos);
  const Response picture = who.browser.get(who.base + "picture/0");
  CHECK(picture.content_type == "image/png");
  CHECK(picture.body == kPng);
  CHECK(who.browser.get(who.base + "picture/1").status == 404);
  CHECK(who.browser.get(who.base + "reading/7").status == 404);
  CHECK(Browser(lab.router).get(who.base + "picture/0").status == 404);
  CHECK(who.browser.get(who.base + "quiz/3").status == 404);  // not before it was passed
  CHECK(who.act("understood") == 204);

  const value quiz = who.until("form").at("form");
  CHECK(quiz.at("quiz").as_bool());
  CHECK(quiz.at("left").to_number<int>() == 2);
  CHECK(who.state.at("readings").as_array().size() == 1);
  CHECK(submit(who, 3, 1, object{{"goods", "4"}, {"who", "all"}}).status == 200);
  const value again = who.until("form").at("form");
  CHECK(again.at("attempt").to_number<int>() == 2);
  CHECK(again.at("left").to_number<int>() == 1);
  REQUIRE(again.at("problems").as_array().size() == 1);
  CHECK(text_of(again.at("problems").at(0).at("path")) == "/goods");
  CHECK(text_of(again.at("problems").at(0).at("problem")) == "There are three.");
  CHECK(text_of(again.at("typed").at("goods")) == "4");
  CHECK(submit(who, 3, 2, object{{"goods", "3.0"}, {"who", "all"}}).status == 200);

  CHECK(text_of(who.until("instructions").at("instructions").at("rules")) == "Bid.");
  CHECK(who.act("understood") == 204);
  who.until("question");
  CHECK(who.state.at("quizzes").at(0).to_number<int>() == 3);
  CHECK(who.browser.get(who.base + "quiz/3").body.find("There are three.") != std::string::npos);
  CHECK(who.browser.get(who.base + "reading/" + number).body == text.body);
  one.answer_one();
  play_one(one);

  who.until("form");
  CHECK(submit(who, 6, 1, object{{"fun", "yes"}}).status == 200);
  const value end = who.until("end").at("end");
  CHECK(text_of(end.at("lines").at(0)) ==
        "You have played all your matches. Thank you for taking part.");
  lab.stop();
  CHECK(
      asked_of(lab,
               "select question, attempt, json, mark from form order by stage, attempt, "
               "question") ==
      "age 1 30  langs 1 [\"German\"]  risk 1 7  words 1 null  goods 1 4 wrong who 1 \"all\" right "
      "goods 2 3.0 right who 2 \"all\" right fun 1 \"yes\"  ");
}

TEST_CASE("who does not pass a quiz is told so and plays nothing", "[serve][people][stages]") {
  const Folder folder;
  Lab lab(folder.path(), stages({kQuiz, R"({"play": {}})"}), 1, kOne, 0);
  lab.run();
  Somebody who = begun(lab);
  const object wrong{{"goods", "2"}, {"who", "you"}};
  who.until("form");
  CHECK(submit(who, 1, 1, wrong).status == 200);
  CHECK(who.until("form").at("form").at("problems").as_array().size() == 2);
  CHECK(submit(who, 1, 2, wrong).status == 200);
  const auto page = who.page;
  for (;;) {
    const auto [event, data] = page->next();
    if (event == "state" && text_of(data.at("page")) == "end") {
      CHECK(text_of(data.at("end").at("lines").at(0)).starts_with("You did not pass"));
      break;
    }
  }
  CHECK(submit(who, 1, 3, wrong).status == 409);
  const value state = lab.state();
  for (const value& one : state.at("participants").as_array())
    if (text_of(one.at("end")) == "screened-out") return;
  FAIL("the researcher is not told");
}

TEST_CASE("what does not fit a form is refused, whatever is sent", "[serve][people][stages]") {
  const Folder folder;
  Lab lab(folder.path(), stages({kBefore, R"({"play": {}})"}), 1, kOne, 0);
  lab.run();
  Somebody who = begun(lab);
  who.until("form");
  const auto with = [](const char* name, value typed) {
    object form = kGrown;
    form[name] = std::move(typed);
    return form;
  };
  for (const auto& [name, typed] :
       std::vector<std::pair<const char*, value>>{{"age", "17"},
                                                  {"age", "100"},
                                                  {"age", "x"},
                                                  {"age", ""},
                                                  {"age", nullptr},
                                                  {"age", 30},
                                                  {"age", array{"30"}},
                                                  {"age", "1e999"},
                                                  {"risk", "11"},
                                                  {"risk", "-1"},
                                                  {"risk", "2.5"},
                                                  {"langs", "German"},
                                                  {"langs", array{"Latin"}},
                                                  {"langs", array{1}},
                                                  {"words", boost::json::string(10'001, 'x')},
                                                  {"words", boost::json::string(1'000'000, 'x')},
                                                  {"words", object{}}}) {
    CAPTURE(name);
    const Response response = submit(who, 1, 1, with(name, typed));
    CHECK(response.status == 422);
    CHECK(problem_paths(response) == std::vector<std::string>{"/" + std::string(name)});
  }
  CHECK(problem_paths(submit(who, 1, 1, with("shoe", "44"))) == std::vector<std::string>{""});
  CHECK(problem_paths(submit(who, 1, 1, array{})) == std::vector<std::string>{""});
  CHECK(problem_paths(submit(who, 1, 1, object{})) == std::vector<std::string>{"/age", "/risk"});
  CHECK(submit(who, 2, 1, object{}).status == 409);
  CHECK(submit(who, -1, 1, object{}).status == 409);
  CHECK(submit(who, 99, 1, object{}).status == 409);
  CHECK(submit(who, 1, 2, kGrown).status == 409);
  CHECK(submit(who, 1, 0, kGrown).status == 409);
  CHECK(who.browser.post(who.base + "form", {{"stage", 1}}).status == 400);
  CHECK(Browser(lab.router)
            .post(who.base + "form", {{"stage", 1}, {"attempt", 1}, {"typed", kGrown}})
            .status == 404);
  CHECK(asked_of(lab, "select count(*) from form") == "0 ");
  // The longest that is allowed, of characters with several bytes.
  std::string longest;
  for (int i = 0; i < 10'000; ++i) longest += "\xe4\xb8\xad";
  object fits = with("words", boost::json::string(longest));
  fits["langs"] = array{"Chinese", "English", "Chinese"};
  CHECK(submit(who, 1, 1, fits).status == 200);
  who.until("instructions");
  CHECK(asked_of(lab, "select json from form where question = 'langs'") ==
        R"(["English","Chinese"] )");
}

TEST_CASE("forms and stages go on where they were when the process is gone",
          "[serve][people][stages]") {
  const Folder folder;
  const std::string people = all_stages(folder);
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), people, 1, kOne, 0);
    links = lab.session.links();
    lab.run();
    Somebody who = begun(lab);
    who.until("form");
    CHECK(submit(who, 1, 1, kGrown).status == 200);
    who.until("reading");
    CHECK(who.act("understood") == 204);
    who.until("form");
    CHECK(submit(who, 3, 1, object{{"goods", "4"}, {"who", "all"}}).status == 200);
  }
  {
    Lab lab(folder.path(), people, 1, kOne, 0);
    lab.run();
    Player one{std::make_unique<Somebody>(lab, links[0])};
    one.who->open();
    const value form = one.who->until("form").at("form");
    CHECK(form.at("attempt").to_number<int>() == 2);
    CHECK(text_of(form.at("typed").at("goods")) == "4");
    CHECK(form.at("problems").as_array().size() == 1);
    CHECK(submit(*one.who, 3, 2, object{{"goods", "3"}, {"who", "all"}}).status == 200);
    one.who->until("instructions");
    CHECK(one.who->act("understood") == 204);
    play_one(one);
    one.who->until("form");
    // The other match is given up: the run comes to its end, and this person's stages do not.
    (void)lab.act(object{{"do", "drop"}, {"id", Somebody(lab, links[1]).base.substr(3, 12)}});
  }
  Lab lab(folder.path(), people, 1, kOne, 0);
  lab.run();
  Somebody who(lab, links[0]);
  who.open();
  who.until("form");
  CHECK(submit(who, 6, 1, object{{"fun", "no"}}).status == 200);
  CHECK(text_of(who.until("end").at("end").at("lines").at(0)).starts_with("You have played all"));
}

TEST_CASE("stages after the last match go on when the run is over", "[serve][people][stages]") {
  const Folder folder;
  Lab lab(folder.path(), stages({R"({"play": {}})", kAfter}), 1,
          R"({"game": "parley", "design": {"fixed": [["me", "me", "rule"]]}})", 0);
  lab.run();
  const auto links = lab.session.links();
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1])};
  one.who->come_in();
  two.who->come_in();
  std::thread other([&] { two.play_to("result"); });
  one.play_to("result");
  other.join();
  lab.wait();  // all is played
  CHECK(text_of(lab.state().at("state")) == "open");
  for (Player* p : {&one, &two}) {
    CHECK(p->who->act("next") == 204);
    p->who->until("form");
    CHECK(submit(*p->who, 3, 1, object{{"fun", "no"}}).status == 200);
    CHECK(text_of(p->who->until("end").at("end").at("lines").at(0)).starts_with("You have played"));
  }
  CHECK(text_of(lab.state().at("state")) == "ended");
}

TEST_CASE("nobody skips a stage because a later one has room", "[serve][people][stages]") {
  const Folder folder;
  const std::string two =
      R"({"game": "parley", "name": "first", "design": {"fixed": [["me", "me", "rule"]]}},
         {"game": "parley", "name": "then", "design": {"fixed": [["me", "rule", "rule"]]},
          "blocks": 2})";
  Lab lab(folder.path(),
          stages({R"({"play": {"scenarios": ["first"]}})", R"({"play": {"scenarios": ["then"]}})"}),
          1, two, 0);
  lab.run();
  const auto links = lab.session.links();
  Player one{std::make_unique<Somebody>(lab, links[0])};
  one.who->come_in();
  const value waiting = one.who->until("waiting").at("waiting");
  Player other{std::make_unique<Somebody>(lab, links[1])};
  other.who->come_in();
  std::thread at_once([&] { other.play_to("result"); });
  one.play_to("result");
  at_once.join();
  for (Player* p : {&one, &other}) {
    CHECK(p->who->act("next") == 204);
    play_one(*p);
    p->who->until("end");
  }
  lab.stop();
  CHECK(asked_of(lab, "select label, stage, count(*) from seated group by label, stage") ==
        "first 2 2 then 3 2 ");
}

TEST_CASE("instructions of a scenario come above its rules", "[serve][people][stages]") {
  const Folder folder;
  write(folder / "one.md", "# One\n\nOf the first.\n");
  write(folder / "two.md", "Of the second.\n");
  const std::string two =
      R"({"game": "parley", "name": "first", "instructions": "one.md",
          "design": {"fixed": [["me", "rule", "rule"]]}},
         {"game": "parley", "name": "then", "instructions": "two.md",
          "design": {"fixed": [["me", "rule", "rule"]]}})";
  Lab lab(folder.path(), R"({"participants": 1, "matches": 2})", 1, two, 0);
  lab.run();
  Player one{std::make_unique<Somebody>(begun(lab))};
  Somebody& who = *one.who;
  CHECK(text_of(who.until("instructions").at("instructions").at("rules")).empty());
  CHECK(who.act("understood") == 204);
  // The rules are the same and the instructions are not: both are shown.
  std::vector<std::string> texts;
  for (int match = 0; match < 2; ++match) {
    const value& page = who.until("rules");
    const std::string number = agon::json::write(page.at("match").at("reading"));
    texts.push_back(who.browser.get(who.base + "reading/" + number).body);
    CHECK(who.act("understood") == 204);
    play_one(one);
  }
  who.until("end");
  CHECK(texts[0].find("Of the first.") != std::string::npos);
  CHECK(texts[1].find("Of the second.") != std::string::npos);
}

TEST_CASE("who declines leaves nothing and a file of an older version is read",
          "[serve][people][stages]") {
  const Folder folder;
  write(folder / "consent.txt", "I take part.\n");
  const std::string people = stages({kBefore, R"({"play": {}})"}, R"("consent": "consent.txt", )");
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), people, 1, kOne, 0);
    links = lab.session.links();
    Somebody no = begun(lab);
    no.until("consent");
    CHECK(submit(no, 1, 1, kGrown).status == 409);
    CHECK(no.act("decline") == 204);
    CHECK(submit(no, 1, 1, kGrown).status == 409);
    CHECK(asked_of(lab, "select (select count(*) from participant), (select count(*) from form)") ==
          "1 0 ");
  }
  // Everything as it was without stages.
  const std::string old = R"({"participants": 1})";
  const Folder before;
  {
    Lab lab(before.path(), old, 1, kOne, 0);
    links = lab.session.links();
    Somebody who(lab, links[0]);
    who.come_in();
    lab.stop();
    CHECK(
        asked_of(
            lab,
            "alter table participant drop column stage; alter table seated drop column "
            "stage; drop table form; drop table if exists assigned; drop table if exists chat; "
            "drop table if exists letter; drop table if exists note; drop table if exists action; "
            "drop table if exists seat_change; pragma user_version = 1; select count(*) from "
            "participant") == "1 ");
  }
  {
    Lab lab(before.path(), old, 1, kOne, 0);
    lab.run();
    Player one{std::make_unique<Somebody>(lab, links[0])};
    one.who->open();
    play_one(one);
    one.who->until("end");
    lab.stop();
    CHECK(asked_of(lab, "pragma user_version") == "2 ");
  }
}

TEST_CASE("stages that nobody could finish are refused with their place",
          "[serve][people][stages]") {
  const Folder folder;
  write(folder / "text.md", "Words.\n");
  write(folder / "none.md", "![x](none.png)\n");
  write(folder / "far.md", "![x](https://example.org/x.png)\n");
  write(folder / "out.md", "![x](../out.png)\n");
  write(folder / "words.md", "![x](text.md)\n");
  write(folder / "big.md", "![x](big.png)\n");
  write(folder / "big.png", std::string(kPng) + std::string(50'000'000, 'x'));
  write(folder / "latin.md", "caf\xe9\n");
  const std::string play = R"({"play": {}})";
  const auto quiz = [](const std::string& question) {
    return R"({"quiz": [{"name": "q", "ask": "What?", )" + question + "}]}";
  };
  const auto question = [](const std::string& said) {
    return R"({"questionnaire": [{"name": "q", "ask": "What?", )" + said + "}]}";
  };
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong{
      {{R"({"instructions": "text.md", "play": {}})"}, "a stage is one thing"},
      {{R"({"name": "x"})", play}, "says nothing of what is done"},
      {{R"({"instructions": "text.md"})"}, "in no stage anybody plays"},
      {{R"({"instructions": "missing.md"})", play}, "missing.md"},
      {{R"({"instructions": "latin.md"})", play}, "is no text"},
      {{R"({"instructions": "none.md"})", play}, "'none.png' is not there"},
      {{R"({"instructions": "far.md"})", play}, "nothing from other hosts"},
      {{R"({"instructions": "out.md"})", play}, "not in the suite's folder"},
      {{R"({"instructions": "words.md"})", play}, "is no picture"},
      {{R"({"instructions": "big.md"})", play}, "has 50.0 MB"},
      {{R"({"play": {"scenarios": ["parlex"]}})"}, "unknown scenario 'parlex'"},
      {{R"({"play": {"scenarios": ["parley", "parley"]}})"}, "duplicate scenario"},
      {{R"({"play": {"scenarios": []}})"}, "scenarios"},
      {{R"({"play": {"matches": 3}})"}, "nobody can play 3 matches"},
      {{R"({"play": {}, "attempts": 2})"}, "only a quiz has attempts"},
      {{R"({"name": "a", "play": {}})", R"({"name": "a", "instructions": "text.md"})"},
       "duplicate stage name 'a'"},
      {{R"({"name": "A b", "play": {}})"}, "small letters"},
      {{quiz(R"("choices": ["a", "b"])"), play}, "has no right answer"},
      {{quiz(R"("choices": ["a", "b"], "right": "c")"), play}, "not one of the choices"},
      {{quiz(R"("kind": "several", "choices": ["a", "b"], "right": "a")"), play}, "is a list"},
      {{quiz(R"("kind": "number", "low": 1, "high": 5, "right": 6)"), play}, "out of bounds"},
      {{quiz(R"("kind": "scale", "low": 1, "high": 5, "right": 2.5)"), play}, "no point"},
      {{quiz(R"("kind": "text", "right": " ")"), play}, "is a text"},
      {{quiz(R"("choices": ["a", "b"], "right": "a", "required": false)"), play}, "lets nobody on"},
      {{question(R"("choices": ["a"])"), play}, "nothing to choose from"},
      {{question(R"("choices": ["a", "a"])"), play}, "duplicate choice"},
      {{question(R"("choices": ["a", "b"], "right": "a")"), play}, "only a quiz"},
      {{question(R"("kind": "text", "choices": ["a", "b"])"), play}, "a text has no choices"},
      {{question(R"("kind": "number", "low": 5, "high": 5)"), play}, "low is not below high"},
      {{question(R"("kind": "scale", "low": 1)"), play}, "a low and a high end"},
      {{question(R"("kind": "scale", "low": 0, "high": 21)"), play}, "at most 21 points"},
      {{question(R"("kind": "scale", "low": 1e17, "high": 1e17)"), play}, "low is not below high"},
      {{question(R"("kind": "scale", "low": 100000000000000000, "high": 100000000000000016)"),
        play},
       "below a million"},
      {{quiz(R"("kind": "text", "right": ")" + std::string(10'001, 'x') + '"'), play},
       "longer than anything"},
      {{R"({"questionnaire": []})", play}, "questionnaire"},
      {{R"({"questionnaire": [{"name": "q", "ask": "A?", "kind": "text"},
                              {"name": "q", "ask": "B?", "kind": "text"}]})",
        play},
       "duplicate question name 'q'"}};
  for (const auto& [list, reason] : wrong) {
    const std::string told = refused(folder, stages(list));
    INFO(told);
    CHECK(told.find(reason) != std::string::npos);
    CHECK(told.find("$.people.stages") != std::string::npos);
  }
  CHECK(refused(folder, stages({play}, R"("matches": 2, )")).find("conflicts with \"stages\"") !=
        std::string::npos);
  const std::string no_person = std::string(kOne) + R"(, {"game": "parley", "name": "idle",
          "design": {"fixed": [["rule", "rule", "rule"]]}})";
  CHECK(refused(folder, stages({R"({"play": {"scenarios": ["idle"]}})"}), no_person)
            .find("no seat of 'idle' is a person's") != std::string::npos);
  CHECK(refused(folder, stages({play}), no_person).empty());
  CHECK(refused(folder, stages({R"({"instructions": "text.md"})", kQuiz, kBefore, play, kAfter}))
            .empty());
}

TEST_CASE("Markdown is read into parts and never into markup", "[serve][people][stages]") {
  const auto told = [](std::string_view markdown) {
    std::string all;
    for (const agon::MarkdownBlock& block : agon::read_markdown(markdown)) {
      all += std::string(agon::name_of(block.kind)) + (block.ordered ? "#" : "") + "(";
      for (const agon::MarkdownLine& line : block.lines)
        for (const auto& cell : line.cells) {
          all += std::string(static_cast<std::size_t>(line.level), '>');
          for (const agon::MarkdownSpan& s : cell)
            all += (s.strong ? "B" : "") + std::string(s.emphasis ? "I" : "") +
                   (s.code ? "C" : "") + "[" + s.text + "]" +
                   (s.link.empty() ? "" : "->" + s.link) +
                   (s.picture.empty() ? "" : "=" + s.picture);
          all += ";";
        }
      all += ")";
    }
    return all;
  };
  CHECK(told("# A **b** c #\n\nOne\ntwo  \nthree") ==
        "heading([A ]B[b][ c];)paragraph([One two\nthree];)");
  CHECK(told("*a* _b_ **c *d* e** `f*` 2*3*4 snake_case_x \\*g\\*") ==
        "paragraph(I[a][ ]I[b][ ]B[c ]BI[d]B[ e][ ]C[f*][ 2]I[3][4 snake_case_x *g*];)");
  CHECK(told("5 * 3 and **open") == "paragraph([5 * 3 and **open];)");
  CHECK(told("- a\n- b\n  more\n  - c\n- d\n\nend") ==
        "list([a];[b more];>[c];[d];)paragraph([end];)");
  CHECK(told("3. a\n4. b") == "list#([a];[b];)");
  CHECK(told("[x](https://e.org/a_b) <http://f.org> [y](javascript:alert(1))") ==
        "paragraph([x]->https://e.org/a_b[ ][http://f.org]->http://f.org[ y];)");
  CHECK(told("![A *shop*](shop.png \"title\")") == "paragraph([A shop]=shop.png;)");
  CHECK(told("| a | b |\n|---|:-:|\n| 1 | **2** |\n| 3 |\n\nx") ==
        "table([a];[b];[1];B[2];[3];;)paragraph([x];)");
  CHECK(told("> so\n> it is\n\n```\n<b>*x*</b>\n```\n\n---\n<script>y</script>") ==
        "quote([so it is];)code([<b>*x*</b>];)rule()paragraph([<script>y</script>];)");
  CHECK(told("> - a\n> - b\n>\n> p\n\n1. c\n\n   d\n   - e") ==
        "quote([a];[b];[p];)list#([c\nd];>[e];)");
  CHECK(told("a &amp; b &copy; [x](http://e.org/?a&amp;b) ![c ![d](e.png)](f.png)") ==
        "paragraph([a & b &copy; ][x]->http://e.org/?a&b[ ][c d]=f.png;)");
  CHECK(told("一行\n下一行") == "paragraph([一行下一行];)");
  CHECK(told("").empty());
  for (const std::string_view odd : {"**", "*", "_", "`", "![", "[](", "[a](", "|", "|-", "- ", "#",
                                     "######## x", ">", "```", "\\", "1.", "![]()", "<"})
    CHECK_NOTHROW(told(odd));
}
