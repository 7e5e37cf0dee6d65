// Who plays what with whom, what comes before the first question, and how a match ends for those
// who sat there.
#include <sqlite3.h>

#include <fstream>
#include <future>

#include "people.hpp"
#include "people/matchmaker.hpp"

using namespace people;
using agon::serve::Participant;
using agon::serve::Step;
using agon::serve::WaitingTable;
using archive_samples::Folder;
using boost::json::object;

namespace {

/// Tables of a suite's scenarios that wait, and people who come to them.
class Tables {
 public:
  explicit Tables(std::size_t people) {
    for (std::size_t i = 0; i < people; ++i) {
      people_.push_back(std::make_unique<Participant>());
      all.push_back(people_.back().get());
      all.back()->row.id = std::to_string(i);
    }
  }
  void add(std::size_t place, std::uint64_t order, std::size_t needed, std::uint64_t luck) {
    auto table = std::make_unique<agon::TableToSeat>(
        agon::TableToSeat{suite_.scenarios.at(place), order, {}, {}, place, order});
    table->match.bytes[0] = static_cast<std::uint8_t>(++made_);
    table->first = table->match;
    waiting_.push_back(std::make_unique<WaitingTable>(WaitingTable{table.get(), luck, needed}));
    waiting.push_back(waiting_.back().get());
    tables_.push_back(std::move(table));
  }
  /// Comes to wait.
  void come(std::size_t who) {
    all[who]->step = Step::waiting;
    all[who]->arrived = ++arrived_;
    all[who]->stream = std::make_shared<Page>();
  }
  /// Seats people; whoever is seated plays, and is back at once.
  bool seat() {
    const bool any = agon::serve::seat_people(waiting, all);
    std::erase_if(waiting, [&](const WaitingTable* table) {
      for (std::size_t seat = 0; seat < table->who.size(); ++seat) {
        Participant& who = *table->who[seat];
        who.seated.push_back({table->table->match, table->table->first, table->table->scenario.name,
                              table->luck, static_cast<int>(seat), who.row.id, 0,
                              agon::serve::SeatEnding::played});
        who.arrived = ++arrived_;
      }
      return !table->who.empty();
    });
    return any;
  }
  /// The scenarios that they played, in order.
  std::string played(std::size_t who) const {
    std::string names;
    for (const auto& row : all[who]->seated) names += row.label;
    return names;
  }

  std::vector<Participant*> all;
  agon::serve::WaitingTables waiting;

 private:
  const Folder folder_;
  const agon::Suite suite_ =
      agon::Suite::parse(catalogue(), R"({"suite": "s", "seed": 1, "agents": {"me": "human"},
        "design": {"fixed": [["me", "me", "me"]]}, "scenarios": [{"name": "a", "game": "parley"},
        {"name": "b", "game": "parley"}, {"name": "c", "game": "parley"}]})",
                         (folder_.path() / "s.json").string(), {});
  std::vector<std::unique_ptr<Participant>> people_;
  std::vector<std::unique_ptr<agon::TableToSeat>> tables_;
  std::vector<std::unique_ptr<WaitingTable>> waiting_;
  int made_ = 0;
  std::uint64_t arrived_ = 0;
};

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

TEST_CASE("scenarios are played as listed, whenever people come", "[serve][people]") {
  // Three at a table, then one, then two; six people, who come one by one.
  const std::vector<std::vector<std::size_t>> orders{{0, 1, 2, 3, 4, 5}, {5, 3, 1, 0, 2, 4}};
  for (const auto& order : orders) {
    Tables tables(6);
    for (std::uint64_t n = 0; n < 2; ++n) tables.add(0, n, 3, 10 + n);
    for (std::uint64_t n = 0; n < 36; ++n) tables.add(1, n, 1, 20 + n);
    for (std::uint64_t n = 0; n < 3; ++n) tables.add(2, n, 2, 60 + n);
    tables.come(order[0]);
    CHECK_FALSE(tables.seat());
    REQUIRE(agon::serve::waits_for(*tables.all[order[0]], tables.waiting) == tables.waiting[0]);
    tables.come(order[1]);
    CHECK_FALSE(tables.seat());
    for (std::size_t i = 2; i < 6; ++i) tables.come(order[i]);
    while (tables.waiting.size() > 30 && tables.seat()) {
    }
    for (std::size_t who = 0; who < 6; ++who) {
      INFO(who << " " << tables.played(who));
      CHECK(tables.played(who).substr(0, 3) == "abc");
    }
  }
}

TEST_CASE("who waits for a match of several is not given a later one alone", "[serve][people]") {
  Tables tables(2);
  tables.add(0, 0, 2, 1);
  tables.add(0, 1, 1, 2);
  tables.come(0);
  CHECK_FALSE(tables.seat());
  tables.come(1);
  CHECK(tables.seat());
  CHECK(tables.played(0) == "a");
  CHECK(tables.played(1) == "a");
  CHECK(tables.seat());  // then one of them alone
  CHECK(tables.played(0).size() + tables.played(1).size() == 3);
}

TEST_CASE("nobody meets the same luck again while there is another table", "[serve][people]") {
  Tables tables(2);
  tables.add(0, 0, 1, 1);
  tables.add(0, 1, 1, 1);
  tables.add(0, 2, 1, 2);
  tables.come(0);
  CHECK(tables.seat());
  CHECK(tables.seat());
  CHECK(tables.all[0]->seated[0].luck == 1);
  CHECK(tables.all[0]->seated[1].luck == 2);
  // Then there is none.
  CHECK(tables.seat());
  CHECK(tables.all[0]->seated[2].luck == 1);
  // Who has met it is not seated with whom it is new to, if there is somebody else.
  Tables three(3);
  three.add(0, 0, 1, 1);
  three.add(0, 1, 2, 1);
  three.come(0);
  three.come(1);
  three.come(2);
  CHECK(three.seat());
  CHECK(three.all[0]->seated.size() == 1);
  CHECK(three.all[1]->seated.size() == 1);
  CHECK(three.all[2]->seated.size() == 1);
}

TEST_CASE("luck deals the seats, and who is not here is not seated", "[serve][people]") {
  int first_has_first = 0;
  for (std::uint64_t luck = 1; luck <= 40; ++luck) {
    Tables tables(2);
    tables.add(0, 0, 2, luck);
    tables.come(0);
    tables.come(1);
    CHECK(tables.seat());
    first_has_first += tables.all[0]->seated[0].seat == 0;
  }
  CHECK(first_has_first > 8);
  CHECK(first_has_first < 32);

  Tables tables(3);
  tables.add(0, 0, 2, 1);
  for (std::size_t who = 0; who < 3; ++who) tables.come(who);
  tables.all[0]->stream.reset();  // the page is closed
  CHECK(tables.seat());
  CHECK(tables.played(0).empty());
  CHECK(tables.played(1) == "a");
}

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
  CHECK(text_of(lines.at(0)) == (researcher
                                     ? "The match ended early, because the session was ended."
                                     : "The match ended early, because somebody left."));
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
