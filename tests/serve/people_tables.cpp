// Who plays what with whom, what comes before the first question, and how a match ends for those
// who sat there.
#include <sqlite3.h>

#include <fstream>
#include <future>

#include "people.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::object;

namespace {

const char* const kHunt =
    R"({"name": "hunt", "game": "parley",
        "design": {"fixed": [["me", "me", "rule"]], "seat_rotation": "as-listed"}},
       {"name": "alone", "game": "other-parley",
        "design": {"fixed": [["me", "rule", "rule"]], "seat_rotation": "as-listed"}})";

void sql(const std::filesystem::path& file, const std::string& text) {
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open(file.c_str(), &db) == SQLITE_OK);
  sqlite3_busy_timeout(db, 60'000);
  char* problem = nullptr;
  sqlite3_exec(db, text.c_str(), nullptr, nullptr, &problem);
  INFO((problem == nullptr ? "" : problem));
  CHECK(problem == nullptr);
  sqlite3_close(db);
}

std::string file_bytes(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("rules come before each new game, and an early comer waits", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 2, "matches": 2})", 2, kHunt, 0);
  lab.run();
  const auto links = lab.session.links();
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1])};
  one.who->open();
  one.who->until("welcome");
  CHECK(one.who->act("begin") == 204);
  // Not all that is played has the same rules: they come with each match.
  CHECK(text_of(one.who->until("instructions").at("instructions").at("rules")).empty());
  CHECK(one.who->act("understood") == 204);
  for (;;) {
    const value& waiting = one.who->until("waiting").at("waiting");
    if (waiting.at("needed") == 2) break;  // once the tables are there
    (void)lab.act(object{{"do", "pause"}});
    (void)lab.act(object{{"do", "go-on"}});
  }
  two.who->come_in();
  for (const char* const rules : {"Bid.", "Bid otherwise."}) {
    for (Player* p : {&one, &two}) {
      const value state = p->who->until("rules");
      CHECK(text_of(state.at("match").at("rules")) == rules);
      CHECK(state.at("match").as_object().if_contains("question") == nullptr);
    }
    // Nothing is answered before.
    const object early{{"match", one.who->state.at("match").at("key")},
                       {"question", 0},
                       {"attempt", 0},
                       {"typed", object{{"amount", "3"}}},
                       {"confirmed", true}};
    CHECK(one.who->say(early).status == 409);
    std::vector<std::future<void>> both;
    for (Player* p : {&one, &two}) {
      CHECK(p->who->act("understood") == 204);
      CHECK(p->who->act("understood") == 409);
      both.push_back(std::async(std::launch::async, [p] { p->play_to("result"); }));
    }
    for (auto& each : both) each.get();
    for (Player* p : {&one, &two}) CHECK(p->who->act("next") == 204);
  }
  one.who->until("end");
  two.who->until("end");
  lab.wait();
}

TEST_CASE("the time for an answer begins when the rules are read", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", 1,
          R"({"name": "a", "game": "parley", "design": {"fixed": [["me", "rule", "rule"]],
              "seat_rotation": "as-listed"}}, {"name": "b", "game": "other-parley",
              "design": {"fixed": [["me", "rule", "rule"]], "seat_rotation": "as-listed"}})",
          3);
  lab.run();
  Somebody who(lab, lab.session.links()[0]);
  who.come_in();
  const value rules = who.until("rules");
  // To read there is more time than to answer.
  CHECK(rules.at("left_ms").to_number<double>() > 100'000);
  std::this_thread::sleep_for(std::chrono::seconds(4));
  CHECK(who.act("understood") == 204);
  const value& question = who.until("question").at("match").at("question");
  CHECK(question.at("number") == 0);
  CHECK(question.at("attempt") == 0);
}

TEST_CASE("a form that nobody touched is asked about before it counts", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  Somebody who = at_question(lab);
  object answer = who.answer(object{{"amount", "3"}});
  answer["confirmed"] = false;
  answer["first_input"] = nullptr;
  const Response asked = who.say(answer);
  CHECK(asked.status == 200);
  CHECK(asked.body.find("not changed anything") != std::string::npos);
  CHECK(asked.body.find("accepted") == std::string::npos);
  // Another question's number is no answer to this one.
  object other = who.answer(object{{"amount", "3"}});
  other["question"] = answer["question"].to_number<int>() + 1;
  CHECK(who.say(other).status == 409);
  answer["confirmed"] = true;
  CHECK(who.say(answer).body.find("accepted") != std::string::npos);
}

TEST_CASE("people are told why a match had no ending, and nothing else as one", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 2})");
  lab.run();
  const auto links = lab.session.links();
  Somebody one(lab, links[0]), two(lab, links[1]);
  one.come_in();
  two.come_in();
  one.until("question");
  two.until("question");
  const bool researcher = GENERATE(true, false);
  if (researcher)
    (void)lab.act(object{{"do", "end"}});
  else
    CHECK(one.act("leave") == 204);
  const value& lines = two.until("result").at("result").at("lines");
  REQUIRE(lines.as_array().size() == 1);  // the secret of the seat is no ending
  CHECK(text_of(lines.at(0)) ==
        (researcher ? "The match ended early, because the session was ended."
                    : "The match ended early, because somebody no longer takes part."));
}

TEST_CASE("of who does not agree nothing is kept", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "consent.txt") << "Agree?\n";
  const std::string people = R"({"participants": 2, "consent": "consent.txt"})";
  std::string id, code;
  {
    Lab lab(folder.path(), people);
    lab.run();
    Somebody who(lab, lab.session.links()[0]);
    id = who.base.substr(3, 12);
    const std::string before = lab.researcher.get("/session/payments.csv").body;
    const std::size_t at = before.find(id);
    REQUIRE(at != std::string::npos);
    code = before.substr(before.find(",,", at) + 2, 8);
    who.open();
    who.until("welcome");
    CHECK(who.act("begin") == 204);
    who.until("consent");
    CHECK(who.act("decline") == 204);
    who.until("end");
    const std::string after = lab.researcher.get("/session/payments.csv").body;
    CHECK(after.find(id) == std::string::npos);
    CHECK(after.find(code) == std::string::npos);
    // A new link would bring it back.
    CHECK(lab.researcher.post("/session/do", object{{"do", "renew"}, {"id", id}}).status == 409);
  }
  for (const char* const name : {"lab.people", "lab.people-wal"}) {
    const std::string bytes = file_bytes(folder / name);
    CHECK(bytes.find(id) == std::string::npos);
    CHECK(bytes.find(code) == std::string::npos);
    CHECK(bytes.find("declined") == std::string::npos);
  }
  // Somebody else may come in that place, with a label of their own.
  const Lab lab(folder.path(), people);
  CHECK(lab.session.links().size() == 1);
}

TEST_CASE("who says nothing any more is not here, whatever the connection says",
          "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  Somebody who(lab, lab.session.links()[0]);
  who.open();
  who.until("welcome");
  // The page is asked, says so once or never, and then is never heard of again.
  for (;;)
    if (who.page->next().first == "here") break;
  if (GENERATE(true, false)) CHECK(who.act("here") == 204);
  const auto here = [&] { return lab.state().at("participants").at(0).at("here").as_bool(); };
  CHECK(here());
  while (here()) std::this_thread::sleep_for(std::chrono::milliseconds(200));
  CHECK(who.page->is_open());
  CHECK(who.act("here") == 204);
  CHECK(here());
}

// ---- what is left of it when its process is gone
// --------------------------------------------------------

TEST_CASE("every step of a session is there again after a restart", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "consent.txt") << "Agree?\n";
  const std::string people =
      R"({"participants": 7, "consent": "consent.txt", "matches": 1, "payment":
          {"currency": "EUR", "per_point": 1, "show_up_fee": 5}})";
  const auto seats = R"(["me", "rule", "rule"])";
  const char* const steps[] = {"welcome",  "consent", "instructions", "question",
                               "question", "result",  "end"};
  std::vector<std::string> links;
  std::string before;
  {
    Lab lab(folder.path(), people, seats, 7);
    links = lab.session.links();
    lab.run();
    for (std::size_t i = 0; i < 7; ++i) {
      Player p{std::make_unique<Somebody>(lab, links[i])};
      Somebody& who = *p.who;
      who.open();
      who.until("welcome");
      if (i == 0) continue;
      CHECK(who.act("begin") == 204);
      who.until("consent");
      if (i == 1) continue;
      CHECK(who.act("agree") == 204);
      who.until("instructions");
      if (i == 2) continue;
      CHECK(who.act("understood") == 204);
      who.until("question");
      if (i == 3) continue;
      CHECK(who.say(R"({"amount": "4"})").status == 200);
      if (i == 4) continue;
      p.play_to("result");
      if (i == 5) before = agon::json::write(who.state.at("result").at("score"));
      if (i == 5) continue;
      CHECK(who.act("next") == 204);
      who.until("end");
    }
  }
  for (int again = 0; again < 2; ++again) {
    Lab lab(folder.path(), people, seats, 7);
    lab.run();
    for (std::size_t i = 0; i < 7; ++i) {
      INFO(again << " " << i);
      Somebody who(lab, links[i]);
      who.open();
      std::string page;
      do {
        auto [event, data] = who.page->next();
        if (event != "state") continue;
        who.state = std::move(data);
        page = text_of(who.state.at("page"));
        // A match that is taken up again is waited for.
      } while (page.empty() || (page != steps[i] && (page == "waiting" || page == "watching")));
      // What was seen once is not shown again.
      CHECK(page == (again == 1 && i == 5 ? "end" : steps[i]));
      if (again == 1 || i != 5) continue;
      CHECK(text_of(who.state.at("result").at("payment")).ends_with(" EUR"));
      CHECK(who.act("next") == 204);
    }
  }
}

TEST_CASE("who waits is there again after a restart", "[serve][people]") {
  const Folder folder;
  const std::string people = R"({"participants": 2})";
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), people);
    links = lab.session.links();
    lab.run();
    Somebody one(lab, links[0]);
    one.come_in();
    one.until("waiting");
  }
  Lab lab(folder.path(), people);
  lab.run();
  Somebody one(lab, links[0]), two(lab, links[1]);
  one.open();
  one.until("waiting");
  two.come_in();
  one.until("question");
  two.until("question");
}

TEST_CASE("a seat that a substitute has is its own after a restart", "[serve][people]") {
  const Folder folder;
  const std::string people =
      R"({"participants": 2, "drop_out": {"seconds": 3600, "substitute": "random"}})";
  std::vector<std::string> links;
  // The process may end before it is noted that the seat has a substitute, which was asked already.
  const bool noted = GENERATE(true, false);
  {
    Lab lab(folder.path(), people);
    links = lab.session.links();
    lab.run();
    Somebody one(lab, links[0]), two(lab, links[1]);
    one.come_in();
    two.come_in();
    one.until("question");
    two.until("question");
    (void)lab.act(object{{"do", "drop"}, {"id", one.base.substr(3, 12)}});
    one.until("end");
  }
  if (!noted) sql(folder / "lab.people", "update seated set outcome = ''");
  Lab lab(folder.path(), people);
  lab.run();
  Player two{std::make_unique<Somebody>(lab, links[1])};
  two.who->open();
  two.play_to("result");
  CHECK(two.who->act("next") == 204);
  two.who->until("end");
  lab.wait();
  const std::string csv = lab.researcher.get("/session/payments.csv").body;
  CHECK(csv.find(",dropped,") != std::string::npos);
  bool substituted = false;
  const value told = lab.state();
  for (const value& p : told.at("participants").as_array())
    substituted = substituted || p.at("substituted").as_bool();
  CHECK(substituted);
}

TEST_CASE("what could not be saved is as if it had not been said", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  Somebody who = at_question(lab);
  const auto fail = [&](bool yes) {
    sql(folder / "lab.people",
        yes ? "alter table said rename to elsewhere" : "alter table elsewhere rename to said");
  };
  fail(true);
  const object answer = who.answer(object{{"amount", "4"}});
  const Response lost = who.say(answer);
  CHECK(lost.status == 500);
  CHECK(lost.body.find("could not be saved") != std::string::npos);
  fail(false);
  const bool again = GENERATE(true, false);
  if (again) {
    // The file takes what comes next, and so does the match.
    CHECK(who.say(answer).body.find("accepted") != std::string::npos);
    who.until("question");
  } else {
    // Whoever is out meanwhile is not told that it was taken.
    (void)lab.act(object{{"do", "drop"}, {"id", who.base.substr(3, 12)}});
    CHECK(who.say(answer).status == 409);
  }
}

TEST_CASE("nothing is asked before it is kept who sits where", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  sql(folder / "lab.people", "alter table seated rename to elsewhere");
  lab.run();
  Somebody who(lab, lab.session.links()[0]);
  who.come_in();
  lab.wait();
  CHECK(lab.broke.find("seated") != std::string::npos);
  CHECK(who.page->all().find("\"question\":") == std::string::npos);
}
