// What people at a table write to each other beside the decisions.
#include <algorithm>
#include <fstream>
#include <future>
#include <iterator>

#include "archive/archive.hpp"
#include "people.hpp"
#include "people/forms/table_chat.hpp"
#include "record/record.hpp"

using namespace people;
using agon::serve::withhold;
using archive_samples::Folder;
using boost::json::object;

namespace {

object message(const Somebody& who, const std::string& text, const std::string& token) {
  return {{"match", who.state.at("match").at("key")}, {"text", text}, {"token", token}};
}

Response write(const Somebody& who, const std::string& text, const std::string& token) {
  return const_cast<Somebody&>(who).browser.post(who.base + "chat", message(who, text, token));
}

/// The next messages that the page is sent.
boost::json::array heard(Somebody& who) {
  for (;;) {
    auto [event, data] = who.page->next();
    if (event == "chat") return data.at("lines").as_array();
    if (event == "state") who.state = std::move(data);
  }
}

/// Both at their first question.
std::pair<Somebody, Somebody> both_asked(Lab& lab) {
  lab.run();
  const auto links = lab.session.links();
  Somebody one(lab, links[0]), two(lab, links[1]);
  one.come_in();
  two.come_in();
  one.until("question");
  two.until("question");
  return {std::move(one), std::move(two)};
}

/// All that is recorded of matches, without when it was and who it was.
std::string records_of(const std::filesystem::path& file) {
  agon::archive::Archive archive = agon::archive::Archive::open(file);
  std::string all;
  for (std::int64_t n = 1; n <= archive.matches().last_number(); ++n) {
    const agon::archive::MatchRow match = archive.matches().at(n);
    for (const auto& entry : agon::record::read(match.record).entries)
      all += std::to_string(static_cast<int>(entry.what)) + " " + std::to_string(entry.seat) + " " +
             std::to_string(entry.number) + " " + std::string(entry.payload) + "\n";
    for (const auto& seat : match.seats)
      all += std::to_string(seat.payoff) + " " + std::to_string(seat.fallbacks) + "\n";
  }
  return all;
}

const char* const kChat = R"({"participants": 2, "chat": {"withhold": ["Ann", "Lübeck", "李雷"],
                              "longest": 40, "per_minute": 3}})";

}  // namespace

TEST_CASE("words are withheld whole, whatever their case", "[serve][people]") {
  const std::vector<std::string> words{"ann", " Lübeck ", "李雷", "c++", "007"};
  CHECK(withhold("I am Ann, ANN!", words) == "I am …, …!");
  CHECK(withhold("planned by Annie", words) == "planned by Annie");
  CHECK(withhold("in LÜBECK", words) == "in …");
  CHECK(withhold("Lübecker", words) == "Lübecker");
  CHECK(withhold("我是李雷的朋友", words) == "我是…的朋友");
  CHECK(withhold("C++ and 1007 or 007", words) == "… and 1007 or …");
  CHECK(withhold("annann ann", words) == "annann …");
  CHECK(withhold("", words).empty());
  CHECK(withhold("nothing of it", {}) == "nothing of it");
}

TEST_CASE("people at a table read what others write, and nobody else does", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), kChat);
  auto [one, two] = both_asked(lab);
  const value chat = one.state.at("match").at("chat");
  REQUIRE(chat.at("people").as_array().size() == 1);  // the third at the table is a program
  CHECK(chat.at("people").at(0) == two.state.at("match").at("you"));
  CHECK(write(one, " Hello <b>\nit is ann ", "1").status == 200);
  for (Somebody* who : {&one, &two}) {
    const auto lines = heard(*who);
    REQUIRE(lines.size() == 1);
    CHECK(text_of(lines[0].at("text")) == "Hello <b>\nit is …");
    CHECK(lines[0].at("own").as_bool() == (who == &one));
    CHECK(lines[0].at("who") == one.state.at("match").at("you"));
  }
  // Sent once more, it stands there once.
  CHECK(write(one, " Hello <b>\nit is ann ", "1").status == 200);
  CHECK(write(one, " ", "2").status == 422);
  CHECK(write(one, std::string(41, 'x'), "3").status == 422);
  CHECK(write(one, std::string(40, 'x'), "4").status == 200);
  CHECK(write(one, "third", "5").status == 200);
  CHECK(write(one, "too fast", "6").status == 422);
  CHECK(write(two, "slow", "1").status == 200);
  // What nobody at the table is.
  Browser stranger(lab.router);
  CHECK(stranger.post(one.base + "chat", message(one, "x", "9")).status == 404);
  object elsewhere = message(two, "x", "10");
  elsewhere["match"] = "trial-x";
  CHECK(two.browser.post(two.base + "chat", elsewhere).status == 409);
  (void)lab.act({{"do", "pause"}});
  CHECK(write(two, "in a pause", "11").status == 409);
  (void)lab.act({{"do", "go-on"}});
  const std::string csv = lab.researcher.get("/session/chat.csv").body;
  CHECK(csv.find("it is …") != std::string::npos);
  CHECK(csv.find("ann") == std::string::npos);
  CHECK(csv.find("p-") != std::string::npos);
  CHECK(std::count(csv.begin(), csv.end(), '\r') == 5);
  lab.stop();
  // Words that are withheld are not kept anywhere.
  std::ifstream in(lab.session.path(), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(in), {}};
  CHECK(bytes.find("it is ann") == std::string::npos);
}

TEST_CASE("what was written is there after a restart, in the scenarios that have it",
          "[serve][people]") {
  const Folder folder;
  std::vector<std::string> links;
  {
    Lab lab(folder.path(), kChat);
    links = lab.session.links();
    auto [one, two] = both_asked(lab);
    CHECK(write(one, "before", "1").status == 200);
  }
  {
    Lab lab(folder.path(), kChat);
    Somebody one(lab, links[0]), two(lab, links[1]);
    lab.run();
    one.open();
    two.open();
    const auto lines = heard(two);
    REQUIRE(lines.size() == 1);
    CHECK(text_of(lines[0].at("text")) == "before");
    if (!two.state.is_object() || text_of(two.state.at("page")) != "question")
      two.until("question");
    CHECK(write(two, "after", "1").status == 200);
    const std::string csv = lab.researcher.get("/session/chat.csv").body;
    CHECK(csv.find(",0,") < csv.find("before"));
    CHECK(csv.find("after") != std::string::npos);
  }
  const Folder other;
  Lab without(other.path(), R"({"participants": 2})");
  auto [one, two] = both_asked(without);
  CHECK(one.state.at("match").as_object().if_contains("chat") == nullptr);
  CHECK(write(one, "x", "1").status == 409);
}

TEST_CASE("who is alone among programs has nobody to write to", "[serve][people]") {
  const Folder folder;
  Lab lab(folder.path(), R"({"participants": 1, "chat": {}})", R"(["me", "rule", "rule"])");
  const Somebody who = at_question(lab);
  CHECK(who.state.at("match").as_object().if_contains("chat") == nullptr);
}

TEST_CASE("matches are recorded alike with and without messages", "[serve][people]") {
  std::vector<std::string> records;
  for (const bool writes : {false, true}) {
    const Folder folder;
    Lab lab(folder.path(),
            writes ? R"({"participants": 2, "chat": {}})" : R"({"participants": 2})");
    auto [first, second] = both_asked(lab);
    if (writes) {
      CHECK(write(first, "bid 3", "1").status == 200);
      CHECK(write(second, "no", "2").status == 200);
    }
    // Who came first may sit at either seat: bids go by the seat.
    const auto bid = [](const Somebody& who) {
      return text_of(who.state.at("match").at("you")) == "Ann" ? 2 : 3;
    };
    Player one{std::make_unique<Somebody>(std::move(first))},
        two{std::make_unique<Somebody>(std::move(second))};
    one.bid = bid(*one.who);
    two.bid = bid(*two.who);
    for (Player* p : {&one, &two}) p->answer_one();
    std::future<void> other = std::async(std::launch::async, [&] { two.play_to("result"); });
    one.play_to("result");
    other.get();
    CHECK(one.who->act("next") == 204);
    CHECK(two.who->act("next") == 204);
    lab.wait();
    records.push_back(records_of(lab.archive));
  }
  CHECK(!records[0].empty());
  CHECK(records[0] == records[1]);
}
