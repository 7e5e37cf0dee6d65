// What the researcher does with people: each action does the right thing, once, and is kept.
#include <algorithm>
#include <fstream>
#include <future>
#include <set>

#include "archive/archive.hpp"
#include "people.hpp"
#include "people/pages/page_times.hpp"
#include "record/record.hpp"

using namespace people;
using archive_samples::Folder;
using boost::json::object;

namespace {

std::string id_of(const Somebody& who) {
  return who.base.substr(3, 12);
}

object entry_of(Lab& lab, const std::string& id) {
  const value state = lab.state();
  for (const value& one : state.at("participants").as_array())
    if (text_of(one.at("id")) == id) return one.as_object();
  throw std::runtime_error("no such participant");
}

/// Why it was refused; empty: it was done.
std::string refusal(Lab& lab, const object& what) {
  const Response response = lab.researcher.post("/session/do", what);
  if (response.status == 200) return {};
  must(response.status == 409, response.body);
  return text_of(agon::json::parse(response.body, "do").at("error"));
}

bool has_logged(Lab& lab, const std::string& words) {
  const value state = lab.state();
  const auto& log = state.at("log").as_array();
  return std::any_of(log.begin(), log.end(), [&](const value& line) {
    return text_of(line.at("text")).find(words) != std::string::npos &&
           line.at("at").as_int64() > 0;
  });
}

std::size_t times_in(const std::string& text, const std::string& words) {
  std::size_t n = 0;
  for (std::size_t at = text.find(words); at != std::string::npos; at = text.find(words, at + 1))
    ++n;
  return n;
}

const char* const kAlone = R"(["me", "rule", "rule"])";

}  // namespace

TEST_CASE("the researcher takes somebody past a page, once, and the record says so",
          "[serve][people]") {
  const Folder folder;
  std::string id;
  {
    Lab lab(folder.path(), R"({"participants": 1})", kAlone);
    lab.run();
    Somebody who(lab, lab.session.links()[0]);
    id = id_of(who);
    who.open();
    who.until("welcome");
    CHECK(refusal(lab, {{"do", "advance"}, {"id", id}}).find("has not begun") != std::string::npos);
    CHECK(who.act("begin") == 204);
    who.until("instructions");
    (void)lab.act({{"do", "advance"}, {"id", id}, {"token", "a"}});
    // Its answer was lost, and it is sent once more: the next page stays.
    (void)lab.act({{"do", "advance"}, {"id", id}, {"token", "a"}});
    const value asked = who.until("question").at("match").at("question");
    const std::string seen = text_of(entry_of(lab, id).at("place"));
    CHECK(refusal(lab, {{"do", "advance"}, {"id", id}, {"seen", "instructions"}})
              .find("gone on meanwhile") != std::string::npos);
    (void)lab.act({{"do", "advance"}, {"id", id}, {"seen", seen}, {"token", "b"}});
    // The other page of the researcher still shows what was.
    CHECK(refusal(lab, {{"do", "advance"}, {"id", id}, {"seen", seen}, {"token", "c"}}) != "");
    const value next = who.until("question").at("match").at("question");
    CHECK(next.at("number") != asked.at("number"));
    CHECK(times_in(lab.researcher.get("/session/answers.csv").body, ",advanced,") == 1);
    // Too late for them.
    CHECK(who.say(R"({"amount": "2"})").status != 500);
    CHECK(has_logged(lab, "the researcher takes 1 past: question"));
  }
  Lab lab(folder.path(), R"({"participants": 1})", kAlone);
  CHECK(has_logged(lab, "the researcher takes 1 past: question"));
  CHECK(refusal(lab, {{"do", "advance"}, {"id", id}, {"token", "b"}}) == "");
  CHECK(refusal(lab, {{"do", "advance"}, {"id", "nobody"}}) == "there is no such participant");
}

TEST_CASE("a passed question is answered by the fallback, and all others by the person",
          "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1})", kAlone);
  Player one{std::make_unique<Somebody>(at_question(lab))};
  const std::string first = text_of(entry_of(lab, id_of(*one.who)).at("place"));
  (void)lab.act({{"do", "advance"}, {"id", id_of(*one.who)}, {"seen", first}});
  one.play_to("result");
  CHECK(one.who->act("next") == 204);
  lab.wait();
  agon::archive::Archive archive = agon::archive::Archive::open(lab.archive);
  const agon::archive::MatchRow match = archive.matches().at(1);
  CHECK(match.seats[0].fallbacks == 1);
}

TEST_CASE("messages stay until they are closed, also after a restart", "[serve][people]") {
  const Folder folder;
  std::ofstream(folder / "consent.txt") << "I take part.\n";
  const char* const people = R"({"participants": 3, "consent": "consent.txt"})";
  std::vector<std::string> links;
  std::string second;
  {
    Lab lab(folder.path(), people, kAlone, 3);
    lab.run();
    links = lab.session.links();
    Somebody one(lab, links[0]), two(lab, links[1]), three(lab, links[2]);
    for (Somebody* who : {&one, &two, &three}) {
      who->open();
      who->until("welcome");
    }
    CHECK(three.act("begin") == 204);
    CHECK(three.act("decline") == 204);
    (void)lab.act({{"do", "message"}, {"id", id_of(one)}, {"text", "<b>Hello</b>\nAda"}});
    const object all{{"do", "message"}, {"text", "Five minutes"}, {"token", "t"}};
    (void)lab.act(all);
    (void)lab.act(all);
    CHECK(refusal(lab, {{"do", "message"}, {"id", id_of(three)}, {"text", "x"}})
              .find("did not agree") != std::string::npos);
    CHECK(refusal(lab, {{"do", "message"}, {"text", " \n"}}) == "the message is empty");
    CHECK(refusal(lab, {{"do", "message"}, {"text", std::string(5001, 'x')}}) != "");
    value letters;
    while (!letters.is_array() || letters.as_array().size() < 2)
      letters = one.until("welcome").at("letters");
    CHECK(text_of(letters.at(0).at("text")) == "<b>Hello</b>\nAda");
    CHECK(text_of(letters.at(1).at("text")) == "Five minutes");
    CHECK(three.page->all().find("Five minutes") == std::string::npos);
    CHECK(entry_of(lab, id_of(two)).at("letters").to_number<int>() == 1);
    CHECK(
        one.browser.post(one.base + "do", {{"do", "close"}, {"letter", letters.at(0).at("number")}})
            .status == 204);
    // Nobody closes what was written to somebody else.
    CHECK(
        two.browser.post(two.base + "do", {{"do", "close"}, {"letter", letters.at(0).at("number")}})
            .status == 409);
    second = text_of(letters.at(1).at("text"));
  }
  Lab lab(folder.path(), people, kAlone, 3);
  Somebody one(lab, links[0]);
  one.open();
  const value letters = one.until("welcome").at("letters");
  REQUIRE(letters.as_array().size() == 1);
  CHECK(text_of(letters.at(0).at("text")) == second);
  CHECK(has_logged(lab, "message to 2: Five minutes"));
}

TEST_CASE("notes are the researcher's alone", "[serve][people]") {
  const Folder folder;
  std::string id;
  {
    Lab lab(folder.path(), R"({"participants": 1})", kAlone);
    Somebody who = at_question(lab);
    id = id_of(who);
    (void)lab.act(
        {{"do", "annotate"}, {"id", id}, {"text", "left early, \"bus\""}, {"before", ""}});
    // Another page has not seen it yet.
    CHECK(refusal(lab, {{"do", "annotate"}, {"id", id}, {"text", "x"}, {"before", ""}})
              .find("changed on another page") != std::string::npos);
    who.open("again");
    who.until("question");
    CHECK(who.page->all().find("left early") == std::string::npos);
  }
  Lab lab(folder.path(), R"({"participants": 1})", kAlone);
  CHECK(text_of(entry_of(lab, id).at("note")) == "left early, \"bus\"");
  CHECK(lab.researcher.get("/session/payments.csv").body.find("\"left early, \"\"bus\"\"\"") !=
        std::string::npos);
  CHECK(lab.researcher.get("/session/answers.csv").body.find("left early") == std::string::npos);
}

TEST_CASE("the seat of who is gone goes to somebody who waits", "[serve][people]") {
  const Folder folder;
  const char* const people = R"({"participants": 3, "payment": {"currency": "EUR", "per_point": 1,
                                 "show_up_fee": 3}})";
  std::vector<std::string> links;
  std::string key;
  {
    Lab lab(folder.path(), people);
    lab.run();
    links = lab.session.links();
    Somebody one(lab, links[0]), two(lab, links[1]), three(lab, links[2]);
    one.come_in();
    two.come_in();
    one.until("question");
    two.until("question");
    // The first bid is theirs, and stays theirs.
    CHECK(one.say(R"({"amount": "4"})").status == 200);
    three.come_in();
    three.until("waiting");
    one.page->end();
    CHECK(refusal(lab, {{"do", "replace"}, {"id", id_of(three)}, {"by", id_of(one)}})
              .find("has no seat") != std::string::npos);
    CHECK(refusal(lab, {{"do", "replace"}, {"id", id_of(one)}, {"by", id_of(two)}})
              .find("does not wait") != std::string::npos);
    CHECK(refusal(lab, {{"do", "replace"}, {"id", id_of(one)}}).find("no substitute") !=
          std::string::npos);
    const object replace{
        {"do", "replace"}, {"id", id_of(one)}, {"by", id_of(three)}, {"token", "r"}};
    (void)lab.act(replace);
    (void)lab.act(replace);
    const value page = three.until("watching");
    CHECK(page.at("letters").as_array().size() == 1);
    key = text_of(page.at("match").at("key"));
    Somebody back(lab, links[0]);
    back.open();
    CHECK(text_of(back.until("end").at("end").at("payment")) == "3.00 EUR");
    CHECK(has_logged(lab, "the researcher gives the seat of 1 to 3"));
  }
  // The server is gone and comes back: the seat is still theirs, and the bid of the first.
  Lab lab(folder.path(), people);
  Player two{std::make_unique<Somebody>(lab, links[1])};
  Player three{std::make_unique<Somebody>(lab, links[2])};
  lab.run();
  two.who->open();
  three.who->open();
  std::future<void> other = std::async(std::launch::async, [&] { two.play_to("result"); });
  three.play_to("result");
  other.get();
  CHECK(text_of(three.who->state.at("match").at("key")) == key);
  CHECK(two.who->act("next") == 204);
  CHECK(three.who->act("next") == 204);
  lab.wait();
  const std::string answers = lab.researcher.get("/session/answers.csv").body;
  // Each answer stands with who gave it.
  agon::archive::Archive archive = agon::archive::Archive::open(lab.archive);
  CHECK(archive.matches().last_number() == 1);
  std::set<std::string> who;
  for (std::size_t at = answers.find(",p-"); at != std::string::npos;
       at = answers.find(",p-", at + 1))
    who.insert(answers.substr(at + 1, 10));
  CHECK(who.size() == 3);
}

TEST_CASE("a substitute takes the seat where the researcher says so", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1,
      "drop_out": {"seconds": 1000, "substitute": "random"}})",
          kAlone);
  Somebody who = at_question(lab);
  (void)lab.act({{"do", "replace"}, {"id", id_of(who)}, {"by", ""}});
  CHECK(refusal(lab, {{"do", "replace"}, {"id", id_of(who)}, {"by", ""}})
            .find("the study is over for 1") != std::string::npos);
  lab.wait();
  agon::archive::Archive archive = agon::archive::Archive::open(lab.archive);
  CHECK(archive.matches().at(1).seats[0].fallbacks > 0);
}

TEST_CASE("links that were not used are renewed together, also after a restart",
          "[serve][people]") {
  const Folder folder;
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), R"({"participants": 4})", kAlone, 4);
    links = lab.session.links();
    lab.run();
    Somebody one(lab, links[0]);
    one.come_in();
    one.until("question");
  }
  Lab lab(folder.path(), R"({"participants": 4})", kAlone, 4);
  CHECK(lab.session.links().empty());
  Somebody one(lab, links[0]), two(lab, links[1]);
  two.open();  // has the first page open, and is not turned away from it
  two.until("welcome");
  const value done = lab.act({{"do", "renew-unused"}, {"token", "n"}});
  CHECK(done.at("renewed").to_number<int>() == 2);
  CHECK(lab.act({{"do", "renew-unused"}, {"token", "n"}}).at("renewed").to_number<int>() == 2);
  const auto made = lab.session.links();
  REQUIRE(made.size() == 2);
  CHECK(one.browser.get(one.base).status == 200);
  CHECK(two.browser.get(two.base).status == 200);
  Browser late(lab.router);
  CHECK(late.get(links[2]).status == 404);
  CHECK(late.get(made[0]).status == 303);
  // Two pages of the researcher: what one has just made is not replaced by the other.
  const std::string id = id_of(two);
  const value link = lab.act({{"do", "renew"}, {"id", id}, {"link", ""}});
  CHECK(refusal(lab, {{"do", "renew"}, {"id", id}, {"link", ""}}).find("another link meanwhile") !=
        std::string::npos);
  CHECK(lab.act({{"do", "renew"}, {"id", id}, {"link", link.at("link")}}).at("link") !=
        link.at("link"));
}

TEST_CASE("a pause outlasts the process", "[serve][people]") {
  const Folder folder;
  {
    Lab lab(folder.path(), R"({"participants": 1})", kAlone);
    (void)lab.act({{"do", "pause"}});
    (void)lab.act({{"do", "pause"}});  // by another page: it is paused
  }
  {
    Lab lab(folder.path(), R"({"participants": 1})", kAlone);
    CHECK(text_of(lab.state().at("state")) == "paused");
    (void)lab.act({{"do", "go-on"}});
  }
  Lab lab(folder.path(), R"({"participants": 1})", kAlone);
  CHECK(text_of(lab.state().at("state")) == "open");
  CHECK(has_logged(lab, "goes on"));
}

TEST_CASE("who is slow is known by the time that others took", "[serve][people]") {
  agon::serve::PageTimes times;
  for (const char* who : {"a", "b", "c"}) times.at(who, "question", 0, 1000);
  times.at("a", "result", 10'000, 11'000);
  times.at("b", "result", 20'000, 21'000);
  times.at("d", "question", 20'000, 21'000);
  CHECK(times.since("d") == 21'000);
  CHECK(times.since("nobody") == 0);
  // For d: a took 10 s, b 20 s, c is there since 30 s.
  CHECK(times.usual("d", 30'000) == 20'000);
  // For c: a, b and d; of two there is no median.
  CHECK(times.usual("c", 30'000) == 10'000);
  CHECK(!times.usual("a", 30'000));
  times.at("d", "question", 40'000, 41'000);
  CHECK(times.since("d") == 21'000);
}
