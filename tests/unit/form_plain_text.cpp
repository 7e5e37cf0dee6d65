#include <agon/conversion.hpp>
#include <agon/form.hpp>

#include "catch.hpp"
#include "describe_samples.hpp"

namespace form_plain_text_test {

using namespace agon;
using namespace describe_samples;

struct View {
  int day = 3;
  agon::Money balance{12050};
  bool open = true;
  std::optional<int> last;
  std::string said = "hello";
  std::vector<Item> shelf;
  std::vector<int> counts;
  Item best;
  std::map<std::string, double> chances;
  std::variant<Offer, Agree, WalkAway> offer;
  std::vector<std::string> none;
};
AGON_DESCRIBE(View, (day, "today"), (balance, "what you have", agon::unit("dollars")),
              (open, "whether it is on"), (last, "the last bid"), (said, "what they said"),
              (shelf, "what is for sale"), (counts, "of each", agon::unit("items")),
              (best, "the best of them"), (chances, "of winning"), (offer, "on the table"),
              (none, "nothing here"))

View some_view() {
  View view;
  view.best = {"cup", {900}, 2};
  view.shelf = {view.best, {"Big Pot", {12345}, std::nullopt}};
  view.counts = {1, 0, 2};
  view.chances = {{"Ann", 0.5}, {"Bo", 1}};
  view.offer = Offer{4, {1, 2}};
  return view;
}

TEST_CASE("a view is shown with names, values, units and tables") {
  const View view = some_view();
  CHECK(plain_text(&type_of<View>(), write_json(view)) ==
        "day      3\n"
        "balance  120.50 dollars\n"
        "open     yes\n"
        "last     none\n"
        "said     hello\n"
        "shelf:\n"
        "  name     price (dollars)  pieces (pieces)\n"
        "  -------  ---------------  ---------------\n"
        "  cup                    9                2\n"
        "  Big Pot           123.45                -\n"
        "counts   1, 0, 2 items\n"
        "best:\n"
        "  name    cup\n"
        "  price   9 dollars\n"
        "  pieces  2 pieces\n"
        "chances:\n"
        "  Ann  0.5\n"
        "  Bo   1\n"
        "offer:\n"
        "  kind  offer\n"
        "  give  4 coins\n"
        "  keep  1, 2\n"
        "none     none\n");
  const std::string docs = plain_text(&type_of<View>(), write_json(view), {.docs = true});
  CHECK(docs.find("balance  120.50 dollars   -- what you have\n") != std::string::npos);
  CHECK(docs.find("price (dollars): what it costs") != std::string::npos);
}

struct Wide {
  int first_long_name = 1;
  int second_long_name = 2;
  int third_long_name = 3;
};
AGON_DESCRIBE(Wide, (first_long_name, "one", agon::unit("units of something long")),
              (second_long_name, "two", agon::unit("units of something long")),
              (third_long_name, "three", agon::unit("units of something long")))
struct WideView {
  std::vector<Wide> rows;
};
AGON_DESCRIBE(WideView, (rows, "wide"))

TEST_CASE("a table that is too wide does without units") {
  CHECK(plain_text(&type_of<WideView>(), write_json(WideView{{Wide{}}})) ==
        "rows:\n"
        "  first_long_name  second_long_name  third_long_name\n"
        "  ---------------  ----------------  ---------------\n"
        "                1                 2                3\n");
}

struct Guess {
  std::string name;
  int health = 1;
};
AGON_DESCRIBE(Guess, (name, "who"), (health, "left", agon::unit("health points")))
struct Round {
  int round = 1;
  std::vector<Guess> guesses;
  double target = 0.5;
};
AGON_DESCRIBE(Round, (round, "which"), (guesses, "what each did"), (target, "to be met"))
struct RoundsView {
  std::vector<Round> history;
  int health = 1;
  int water = 1;
  int percent = 1;
};
AGON_DESCRIBE(RoundsView, (history, "the rounds before"),
              (health, "yours", agon::unit("health points")),
              (water, "today", agon::unit("units of water")),
              (percent, "of it", agon::unit("percent")))

TEST_CASE("rows within rows have a line each where they would make a long one") {
  RoundsView view;
  view.history = {{1, {{"Ann", 3}, {"Bo", 1}}, 0.5}, {2, {}, 1}};
  const std::string end =
      "health   1 health point\n"
      "water    1 unit of water\n"
      "percent  1 percent\n";
  CHECK(plain_text(&type_of<RoundsView>(), write_json(view)) ==
        "history:\n"
        "  round  guesses                                                               target\n"
        "  -----  --------------------------------------------------------------------  ------\n"
        "      1  (name Ann, health 3 health points); (name Bo, health 1 health point)     0.5\n"
        "      2  none                                                                       1\n" +
            end);
  view.history[0].guesses.push_back({"Somebody With A Long Name", 10});
  CHECK(plain_text(&type_of<RoundsView>(), write_json(view)) ==
        "history:\n"
        "  round  target  name                       health (health points)\n"
        "  -----  ------  -------------------------  ----------------------\n"
        "      1     0.5  Ann                                             3\n"
        "                 Bo                                              1\n"
        "                 Somebody With A Long Name                      10\n"
        "      2       1\n" +
            end);
  CHECK(plain_text(&type_of<RoundsView>(), write_json(view), {.docs = true})
            .find("    name: who\n") != std::string::npos);
}

TEST_CASE("an event is shown on one line") {
  CHECK(plain_line(&type_of<Offer>(), R"({"give":4,"keep":[1,2]})") == "give 4 coins, keep 1, 2");
  CHECK(plain_line(&type_of<Agree>(), "{}").empty());
  const View view = some_view();
  const std::string line = plain_line(&type_of<View>(), write_json(view));
  CHECK(line.find("offer (offer give 4 coins, keep 1, 2)") != std::string::npos);
  CHECK(line.find('\n') == std::string::npos);
}

struct Call {
  int seat = 0;
  int price = 0;
  int rest = 0;
};
AGON_DESCRIBE(Call, (seat, "who called", agon::seat_number), (price, "the price called"),
              (rest, "below a whole price", agon::unshown))
struct Calls {
  int seat = 0;
  std::vector<Call> calls;
  std::vector<int> rests;
};
AGON_DESCRIBE(Calls, (seat, "your own", agon::seat_number), (calls, "all of them"),
              (rests, "of all calls", agon::unshown))
struct Silent {
  int rest = 0;
};
AGON_DESCRIBE(Silent, (rest, "of no use to players", agon::unshown))

struct Answer {
  std::variant<Offer, Agree, WalkAway> move_now;
};
AGON_DESCRIBE(Answer, (move_now, "what you do"))
struct Bid {
  std::optional<agon::Money> highest_bid;
  bool halt = false;
};
AGON_DESCRIBE(Bid, (highest_bid, "the most you pay", agon::unit("dollars")), (halt, "to stop"))

TEST_CASE("an answer is told in words") {
  // What holds nothing but a move is that move.
  CHECK(plain_line(&type_of<Answer>(), R"({"move_now":{"kind":"offer","give":4}})") ==
        "offer give 4 coins");
  CHECK(plain_line(&type_of<Answer>(), R"({"move_now":{"kind":"walk_away","why":"no"}})") ==
        "walk away why no");
  CHECK(plain_line(&type_of<Bid>(), R"({"highest_bid":5,"halt":true})") ==
        "highest bid 5 dollars, halt yes");
  CHECK(plain_line(&type_of<Bid>(), R"({"highest_bid":null,"halt":false})") ==
        "no highest bid, halt no");
}

TEST_CASE("seats are told by name, and what players need not see is left out") {
  const std::vector<std::string> names{"Ann", "Bo\x1b"};
  const std::string json = R"({"seat":0,"calls":[{"seat":1,"price":4,"rest":7},)"
                           R"({"seat":2,"price":5,"rest":8}],"rests":[7,8]})";
  const agon::Telling telling{.docs = false, .unshown = false, .seats = names};
  CHECK(plain_text(&type_of<Calls>(), json, telling) ==
        "seat  Ann\n"
        "calls:\n"
        "    seat  price\n"
        "  ------  -----\n"
        "  Bo\\x1b      4\n"
        "       2      5\n");
  CHECK(plain_line(&type_of<Call>(), R"({"seat":1,"price":4,"rest":7})", telling) ==
        "seat Bo\\x1b, price 4");
  // Who goes through a record sees all of it.
  CHECK(plain_line(&type_of<Call>(), R"({"seat":1,"price":4,"rest":7})", {.unshown = true}) ==
        "seat 1, price 4, rest 7");
  CHECK(plain_text(&type_of<Calls>(), json, {.docs = true}).find("rest") == std::string::npos);
  CHECK_FALSE(agon::is_shown(&type_of<Silent>()));
  CHECK(agon::is_shown(&type_of<Call>()));
  CHECK(agon::is_shown(&type_of<Agree>()));
  CHECK(agon::is_shown(nullptr));
}

TEST_CASE("what is not of the type is shown as it is, printably") {
  CHECK(plain_text(&type_of<Offer>(), "{\x1b[2J") == "{\\x1b[2J\n");
  CHECK(plain_line(nullptr, R"({"a":1,"b":[true,null]})") == "a 1, b yes, none");
  CHECK(plain_text(&type_of<Offer>(), R"({"odd":[[1,2],[3]]})").find("odd") != std::string::npos);
  CHECK(plain_text(&type_of<Offer>(), "null") == "none\n");
  CHECK(plain_line(&type_of<WalkAway>(), R"({"why":"a\u001b[31mb\nc"})") ==
        R"(why "a\x1b[31mb\nc")");
}

TEST_CASE("a text on a line with others stands in quotes, a name as it is") {
  const auto said = [](const std::string& why) {
    return plain_line(&type_of<WalkAway>(), write_json(WalkAway{why}));
  };
  for (const char* name :
       {"Bob", "choice_1", "stag-hunt", "Bidder 2", "Item A 10", "O'Neil", "v1.5"})
    CHECK(said(name) == std::string("why ") + name);
  CHECK(said("") == "why (empty)");
  CHECK(said("hello, price: 5, seat: 1") == R"(why "hello, price: 5, seat: 1")");
  CHECK(said("(empty)") == "why \"(empty)\"");
  CHECK(said("I take it") == R"(why "I take it")");
  for (const char* text : {" Bob", "Bob ", "Bob  Dole", "-5",
                           "a\xEF\xBC\x8C"
                           "b"})
    CHECK(said(text) == std::string("why \"") + text + "\"");
  CHECK(said(std::string(41, 'x')) == "why \"" + std::string(41, 'x') + "\"");
  // Nothing in it ends the quotes.
  CHECK(said(R"(a", give 4)") == R"(why "a\", give 4")");
  CHECK(said(R"(a\", give 4)") == R"(why "a\\\", give 4")");
  // What is quoted already stays; so does a text that has a line of its own.
  CHECK(plain_line(&type_of<WalkAway>(), R"({"why":"\"a, b\""})", {.texts = Texts::bare}) ==
        R"(why "a, b")");
  CHECK(plain_text(&type_of<WalkAway>(), R"({"why":"a, b"})") == "why  a, b\n");
  // In the cell of a table a text could else make columns.
  View view = some_view();
  view.shelf[1].name = "x      5";
  CHECK(plain_text(&type_of<View>(), write_json(view)).find("\n  \"x      5\"  ") !=
        std::string::npos);
}

TEST_CASE("texts of several lines keep them, and long lists are broken") {
  const std::string shown = plain_text(&type_of<WalkAway>(), R"({"why":"first\nsecond"})");
  CHECK(shown == "why  first\n     second\n");
  View view = some_view();
  view.counts.assign(100, 1234);
  const std::string broken = plain_text(&type_of<View>(), write_json(view));
  CHECK(broken.find("counts (items):\n  1234, 1234") != std::string::npos);
  std::size_t longest = 0, at = 0;
  while (at < broken.size()) {
    const std::size_t end = broken.find('\n', at);
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  CHECK(longest <= 100);
}

}  // namespace form_plain_text_test
