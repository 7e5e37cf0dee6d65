// Sessions: who is where, what they are asked, and what becomes of what they say.
#include <sqlite3.h>

#include <fstream>
#include <future>

#include "archive/archive.hpp"
#include "people.hpp"
#include "record/record.hpp"
#include "record/shape.hpp"
#include "replay/replay.hpp"
#include "text/hash.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::object;

namespace {

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Answers on record: seat, stage and JSON of those that were not the fallback's.
std::vector<std::string> recorded(const std::filesystem::path& file) {
  agon::archive::Archive archive = agon::archive::Archive::open(file);
  const agon::record::RecordedTypes types(
      [&](const agon::hash::Digest& shape) { return archive.content(shape); });
  std::vector<std::string> found;
  for (std::int64_t n = 1; n <= archive.matches().last_number(); ++n) {
    const agon::archive::MatchRow match = archive.matches().at(n);
    for (const auto& e : agon::record::read(match.record).entries)
      if (e.what == agon::record::Entry::What::question && !e.declined && e.seat < 2)
        found.push_back(match.key.id.hex() + " " + std::to_string(e.number) +
                        (e.by_substitute ? " substitute" : ""));
  }
  return found;
}

const char* const kTwo =
    R"({"participants": 2, "payment": {"currency": "EUR", "per_point": 2, "show_up_fee": 5}})";

}  // namespace

TEST_CASE("people who come together play a match and are paid", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "consent.txt") << "I take part of my own will.\n";
  Lab lab(folder.path(), R"({"participants": 3, "consent": "consent.txt", "title": "A study",
      "welcome": "Hello", "disclosure": "The third is a program.",
      "payment": {"currency": "EUR", "per_point": 2, "show_up_fee": 5},
      "return_to": "https://example.org/?c={code}"})");
  lab.run();
  const auto links = lab.session.links();
  REQUIRE(links.size() == 3);
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1]), 2};
  Somebody third(lab, links[2]);
  third.open();
  third.until("welcome");
  CHECK(third.act("begin") == 204);
  third.until("consent");
  CHECK(third.act("understood") == 409);
  CHECK(third.act("decline") == 204);
  const value end = third.state;
  for (Player* p : {&one, &two}) {
    Somebody& who = *p->who;
    who.open();
    CHECK(text_of(who.until("welcome").at("welcome").at("text")) == "Hello");
    CHECK(who.act("begin") == 204);
    CHECK(text_of(who.until("consent").at("consent").at("text")) ==
          "I take part of my own will.\n");
    CHECK(who.act("agree") == 204);
    const value& instructions = who.until("instructions").at("instructions");
    CHECK(text_of(instructions.at("rules")) == "Bid.");
    CHECK(text_of(instructions.at("told")) == "The third is a program.");
    CHECK(who.act("understood") == 204);
  }
  std::future<void> other = std::async(std::launch::async, [&] { two.play_to("result"); });
  one.play_to("result");
  other.get();
  for (Player* p : {&one, &two}) {
    const value& result = p->who->state.at("result");
    CHECK(text_of(result.at("score")).starts_with("Your score: "));
    CHECK(text_of(result.at("payment")).ends_with(" EUR"));
    CHECK(p->who->act("next") == 204);
    const value ended = p->who->until("end").at("end");
    CHECK(text_of(ended.at("return")) == "https://example.org/?c=" + text_of(ended.at("code")));
  }
  lab.wait();
  CHECK(text_of(lab.state().at("state")) == "ended");

  // Every answer that was accepted stands in the record, and no other.
  std::vector<std::string> sent;
  for (Player* p : {&one, &two})
    for (const auto& [key, typed] : p->sent)
      if (typed != "null") sent.push_back(key);
  std::sort(sent.begin(), sent.end());
  auto kept = recorded(lab.archive);
  std::sort(kept.begin(), kept.end());
  CHECK(kept == sent);

  // The archive knows the consent and what was told, and no name.
  sqlite3* db = nullptr;
  REQUIRE(sqlite3_open_v2(lab.archive.c_str(), &db, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK);
  const std::string sql = "select count(*) from person where hex(consent) = upper('" +
                          agon::hash::hex(agon::hash::sha256("I take part of my own will.\n")) +
                          "') and disclosure = 'The third is a program.' and pseudonym like 'p-%' "
                          "and consented is not null";
  int people = 0;
  sqlite3_exec(
      db, sql.c_str(),
      [](void* to, int, char** cells, char**) {
        *static_cast<int*>(to) = std::atoi(cells[0]);
        return 0;
      },
      &people, nullptr);
  sqlite3_close(db);
  CHECK(people == 2);
}

TEST_CASE("what is typed wrongly costs nothing and what the game refuses an attempt",
          "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  Somebody who = at_question(lab);
  const Response wrong = who.say(R"({"amount": "11"})");
  CHECK(wrong.status == 422);
  CHECK(text_of(agon::json::parse(wrong.body, "").at("problems").at(0).at("path")) == "/amount");
  CHECK(who.say(R"([[[]]])").status == 422);
  const object taboo = who.answer(object{{"amount", "7"}});
  CHECK(who.say(taboo).status == 200);
  const value again = who.until("question").at("match").at("question");
  CHECK(again.at("attempt").to_number<int>() == 1);
  CHECK(text_of(again.at("complaint")) == "seven is taboo");
  CHECK(text_of(again.at("typed").at("amount")) == "7");
  // The same once more was accepted; another is too late; a question to come is not asked.
  CHECK(who.say(taboo).status == 200);
  object late = taboo;
  late["typed"] = object{{"amount", "3"}};
  CHECK(who.say(late).status == 409);
  object early = who.answer(object{{"amount", "3"}});
  early["question"] = 99;
  CHECK(who.say(early).status == 409);
  CHECK(who.say(object{{"match", "x"}}).status == 400);
  CHECK(who.say(R"({"amount": "3"})").status == 200);
}

TEST_CASE("nobody answers for somebody else", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 2})", R"(["me", "rule", "rule"])", 2);
  lab.run();
  const auto links = lab.session.links();
  Somebody one(lab, links[0]), two(lab, links[1]);
  one.come_in();
  two.come_in();
  one.until("question");
  two.until("question");
  const object answer = one.answer(object{{"amount", "3"}});
  // To one's own address with another's match, and to another's address.
  CHECK(two.say(answer).status == 404);
  CHECK(two.browser.post(one.base + "answer", answer).status == 404);
  CHECK(two.browser.get(one.base).status == 404);
  int status = 0;
  CHECK(two.browser.listen(one.base + "events", "x", &status) == nullptr);
  CHECK(status == 404);
  // A forged key, and none.
  Browser stranger(lab.router);
  CHECK(stranger.get("/join/" + std::string(32, 'A')).status == 404);
  stranger.cookies["agon_seat"] = std::string(32, 'A');
  CHECK(stranger.get(one.base).body == stranger.get("/p/000000000000/").body);
  CHECK(stranger.post(one.base + "do", object{{"do", "leave"}}).status == 404);
  CHECK(stranger.get("/session/").status != 200);
  CHECK(stranger.get("/session/payments.csv").status != 200);
  CHECK(one.say(answer).status == 200);
  // The secret of one seat was never sent to the other.
  const std::string secret = [&] {
    for (const value& d : one.state.at("match").at("told").as_array())
      if (d.at("private").as_bool()) return text_of(d.at("text"));
    return std::string();
  }();
  CHECK(!secret.empty());
}

TEST_CASE("a second tab has the page and the first is told", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  Somebody who = at_question(lab);
  const auto first = who.page;
  who.open("two");
  std::string last;
  while (first->is_open() || last.empty()) {
    const auto [event, data] = first->next();
    last = event;
    if (event == "elsewhere") break;
  }
  CHECK(last == "elsewhere");
  CHECK(!first->is_open());
  // The newest tab goes on, with all that the seat was told.
  const value& match = who.until("question").at("match");
  CHECK(match.at("from").to_number<int>() == 0);
  CHECK(match.at("told").as_array().size() > 0);
  CHECK(who.say(R"({"amount": "2"})").status == 200);
}

TEST_CASE("who is gone has a substitute and the record says so", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 2, "drop_out": {"seconds": 5, "substitute": "random"},
      "payment": {"currency": "EUR", "per_point": 1, "show_up_fee": 3, "minimum": 10}})");
  lab.run();
  const auto links = lab.session.links();
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1])};
  one.who->come_in();
  two.who->come_in();
  one.who->until("question");
  const std::string how = GENERATE("dropped", "connection ends", "page says nothing");
  if (how == "dropped") {
    const std::string id = one.who->base.substr(3, 12);
    (void)lab.act(object{{"do", "drop"}, {"id", id}});
    one.who->until("end");
  } else if (how == "connection ends") {
    one.who->page->end();  // the phone is switched off
  }
  // Or something on the way keeps the connection up, over which "here" never came.
  two.play_to("result");
  CHECK(two.who->act("next") == 204);
  CHECK(text_of(two.who->until("end").at("end").at("payment")).ends_with(" EUR"));
  lab.wait();
  std::size_t by_substitute = 0;
  for (const std::string& answer : recorded(lab.archive))
    by_substitute += answer.ends_with("substitute");
  CHECK(by_substitute > 0);
  agon::archive::Archive archive = agon::archive::Archive::open(lab.archive);
  std::int64_t forced = 0;
  for (const auto& seat : archive.matches().at(1).seats) forced += seat.fallbacks;
  CHECK(forced > 0);
  // The seat was theirs, although they answered nothing there.
  const auto people = archive.people();
  CHECK(people.size() == 2);
  for (const auto& [seat, pseudonym] : people) CHECK(pseudonym.starts_with("p-"));
  // Whoever comes back is told, and paid for coming alone.
  Somebody back(lab, links[0]);
  back.open();
  const value end = back.until("end").at("end");
  CHECK(text_of(end.at("payment")) == "3.00 EUR");
}

TEST_CASE("without a substitute the match ends where somebody leaves", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 2, "payment": {"currency": "EUR", "unfinished": 4}})");
  lab.run();
  const auto links = lab.session.links();
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1])};
  one.who->come_in();
  two.who->come_in();
  one.who->until("question");
  CHECK(one.who->act("leave") == 204);
  two.play_to("result");
  CHECK(text_of(two.who->state.at("result").at("payment")) == "4.00 EUR");
  CHECK(two.who->act("next") == 204);
  CHECK(text_of(two.who->until("end").at("end").at("payment")) == "4.00 EUR");
  lab.wait();
  CHECK(recorded(lab.archive).empty());
}

TEST_CASE("a session goes on where it was when its process is gone", "[serve][people]") {
  const Folder folder;
  std::vector<std::string> links;
  std::string key;
  boost::json::object sent;
  {
    Lab lab(folder.path(), kTwo);
    links = lab.session.links();
    lab.run();
    Somebody one(lab, links[0]), two(lab, links[1]);
    one.come_in();
    two.come_in();
    one.until("question");
    sent = one.answer(agon::json::parse(R"({"amount": "4"})", "typed"));
    CHECK(one.say(sent).status == 200);
    key = text_of(one.state.at("match").at("key"));
  }
  Lab lab(folder.path(), kTwo);
  CHECK(lab.session.links().empty());  // only digests are kept
  Player one{std::make_unique<Somebody>(lab, links[0])};
  Player two{std::make_unique<Somebody>(lab, links[1])};
  // A page that has not heard whether it was accepted is back before its match: it is to send
  // again, and what it sends then was accepted.
  CHECK(one.who->say(sent).status == 503);
  lab.run();
  one.who->open();
  two.who->open();
  int status = 503;
  while (status == 503) status = one.who->say(sent).status;
  CHECK(status == 200);
  std::future<void> other = std::async(std::launch::async, [&] { two.play_to("result"); });
  one.play_to("result");
  other.get();
  CHECK(text_of(one.who->state.at("match").at("key")) == key);
  // The bid that was accepted before counts, and was not asked for again.
  for (const auto& [question, typed] : one.sent) CHECK(typed != R"({"amount":"4"})");
  CHECK(one.who->page->all().find("amount 4") != std::string::npos);
}

TEST_CASE("rooms let in who is on their list", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"rooms": {"lab-1": ["Ada Lovelace", "Bo"]}})",
          R"(["me", "rule", "rule"])", 2);
  lab.run();
  Browser browser(lab.router);
  CHECK(browser.get("/room/lab-2").status == 404);
  CHECK(browser.post("/room/lab-1", object{{"name", "Eve"}}).status == 404);
  const Response in = browser.post("/room/lab-1", object{{"name", " ada  lovelace "}});
  REQUIRE(in.status == 200);
  const std::string base = text_of(agon::json::parse(in.body, "").at("go"));
  CHECK(browser.listen(base + "events", "one") != nullptr);
  Browser second(lab.router);
  CHECK(second.post("/room/lab-1", object{{"name", "Ada Lovelace"}}).status == 409);
  (void)lab.act(object{{"do", "release"}, {"id", base.substr(3, 12)}});
  CHECK(browser.listen(base + "events", "one") == nullptr);
  CHECK(second.post("/room/lab-1", object{{"name", "Ada Lovelace"}}).status == 200);
  // Names are in the file of the people alone.
  lab.stop();
  CHECK(bytes_of(lab.archive).find("Lovelace") == std::string::npos);
  CHECK(lab.researcher.get("/session/answers.csv").body.find("Lovelace") == std::string::npos);
}

TEST_CASE("a trial match counts nothing and is kept nowhere", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1, "practice": "random"})",
          R"(["me", "rule", "rule"])");
  lab.run();
  Player one{std::make_unique<Somebody>(lab, lab.session.links()[0])};
  one.who->open();
  one.who->until("welcome");
  CHECK(one.who->act("begin") == 204);
  CHECK(one.who->until("instructions").at("trial").as_bool());
  CHECK(one.who->act("trial") == 204);
  one.play_to("result");
  CHECK(one.who->state.at("trial").as_bool());
  CHECK(one.who->state.at("result").at("payment").is_null());
  const std::size_t tried = one.sent.size();
  CHECK(tried > 0);
  CHECK(one.who->act("next") == 204);
  one.play_to("result");
  CHECK(!one.who->state.at("trial").as_bool());
  CHECK(one.who->act("next") == 204);
  one.who->until("end");
  lab.wait();
  const std::string answers = lab.researcher.get("/session/answers.csv").body;
  CHECK(answers.find("trial") == std::string::npos);
  CHECK(agon::archive::Archive::open(lab.archive).matches().last_number() == 1);
}

TEST_CASE("a pause stops clocks and tables", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", R"(["me", "rule", "rule"])");
  lab.run();
  Somebody who(lab, lab.session.links()[0]);
  (void)lab.act(object{{"do", "pause"}});
  who.come_in();
  CHECK(who.until("waiting").at("paused").as_bool());
  (void)lab.act(object{{"do", "go-on"}});
  CHECK(!who.until("question").at("paused").as_bool());
  (void)lab.act(object{{"do", "end"}});
  who.until("result");
  CHECK(who.act("next") == 204);
  who.until("end");
  lab.wait();
}
