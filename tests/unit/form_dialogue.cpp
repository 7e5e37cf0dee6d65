#include <agon/conversion.hpp>
#include <agon/form.hpp>

#include "catch.hpp"
#include "describe/limits.hpp"
#include "describe_samples.hpp"
#include "form/form.hpp"

namespace form_dialogue_test {

using namespace agon;
using namespace describe_samples;

/// Types given lines, and keeps what was shown.
class Typist final : public Dialogue {
 public:
  explicit Typist(std::vector<std::string> given) : lines(std::move(given)) {}
  void show(std::string_view text) override { shown += text; }
  std::optional<std::string> ask(std::string_view prompt) override {
    prompts.emplace_back(prompt);
    shown += std::string(prompt) + "\n";
    if (next == lines.size()) return std::nullopt;
    return lines[next++];
  }
  bool command(std::string_view word) override {
    if (word != "help" && word != "view") return false;
    commands.emplace_back(word);
    return true;
  }
  [[nodiscard]] bool has(std::string_view text) const {
    return shown.find(text) != std::string::npos;
  }

  std::vector<std::string> lines;
  std::vector<std::string> prompts;
  std::vector<std::string> commands;
  std::string shown;
  std::size_t next = 0;
};

template <class T>
std::optional<std::string> fill(Typist& typist, std::span<const LimitData> limits = {}) {
  return Form(type_of<T>(), limits).fill(typist);
}

TEST_CASE("a form asks for member after member, with bounds and units, and has no defaults") {
  Typist t({"cup", "9.5", "3"});
  CHECK(fill<Item>(t) == R"({"name":"cup","price":9.5,"pieces":3})");
  CHECK(t.prompts ==
        std::vector<std::string>{"name (a line of text, at least 1 and at most 20 characters)",
                                 "price (0 to 1000 dollars)",
                                 "pieces (1 to 9 pieces, or leave empty for none)"});
  CHECK(t.has("price: what it costs\n"));

  // An Enter too many is no price.
  Typist enter({"", "lamp", "", "2", ""});
  CHECK(fill<Item>(enter) == R"({"name":"lamp","price":2,"pieces":null})");
  CHECK(enter.has("0 characters, fewer than 1"));
  CHECK(enter.has("something has to be entered here"));
}

TEST_CASE("amounts are read as people write them, and asked for again where that is not certain") {
  Typist t({"cup", "$1,000", "9"});
  CHECK(fill<Item>(t) == R"({"name":"cup","price":1000,"pieces":9})");
  Typist doubts({"cup", "12,5", "1 000", "12.50 dollars", "3 pieces"});
  CHECK(fill<Item>(doubts) == R"({"name":"cup","price":12.50,"pieces":3})");
  CHECK(doubts.has("'12,5' is not certain: write 12.5 if that is what you mean"));
  CHECK(doubts.has("'1 000' is not certain: write 1000 if that is what you mean"));
  // What is out of bounds cannot be meant.
  Typist bounded({"cup", "1.250", "1"});
  CHECK(fill<Item>(bounded) == R"({"name":"cup","price":1.25,"pieces":1})");
}

TEST_CASE("an entry that does not fit is explained and asked for again") {
  Typist t({"a name that is far too long for it", "cup", "a lot", "-1", "1.005", "1000.01", "+2.",
            "ten", "12", "none"});
  CHECK(fill<Item>(t) == R"({"name":"cup","price":2,"pieces":null})");
  CHECK(t.has("34 characters, more than 20"));
  CHECK(t.has("'a lot' is not a number"));
  CHECK(t.has("-1 is less than 0"));
  CHECK(t.has("has more than two decimals"));
  CHECK(t.has("1000.01 is more than 1000"));
  CHECK(t.has("'ten' is not a number"));
  CHECK(t.has("12 is more than 9"));
}

struct Switches {
  bool on = false;
  Mood mood = Mood::keen;
  std::string who;
};
AGON_DESCRIBE(Switches, (on, "whether"), (mood, "how"), (who, "whom"))

TEST_CASE("choices are taken by name, by the beginning of a name, or by number") {
  const std::vector<LimitData> limits{one_of(&Switches::who, kNames).data};
  Typist t({"maybe", "YES", "c", "ca", "bob", "b"});
  CHECK(fill<Switches>(t, limits) == R"({"on":true,"mood":"calm","who":"Bo"})");
  CHECK(t.has("'maybe' is neither yes nor no"));
  CHECK(t.has("'c' is none of the choices"));
  CHECK(t.has("1  calm   waits"));
  CHECK(t.has("'bob' is none of the choices (did you mean 'Bo'?)"));
  Typist numbers({"n", "3", "1"});
  CHECK(fill<Switches>(numbers, limits) == R"({"on":false,"mood":"cross","who":"Ann"})");
  const std::vector<LimitData> fewer{allow_if(&Switches::mood, {false, true, true}).data};
  Typist narrowed({"n", "calm", "1", "x"});
  CHECK(fill<Switches>(narrowed, fewer) == R"({"on":false,"mood":"keen","who":"x"})");
}

struct Turn {
  std::variant<Offer, Agree, WalkAway> action;
};
AGON_DESCRIBE(Turn, (action, "what you do"))

TEST_CASE("a variant asks for its kind first, then for what that kind has") {
  Typist t({"accept", "agree"});
  CHECK(fill<Turn>(t) == R"({"action":{"kind":"agree"}})");
  CHECK(t.has("'accept' is none of the choices"));
  const std::vector<int> most{2, 0, 1};
  const std::vector<LimitData> limits{allow<Offer, WalkAway>(&Turn::action).data,
                                      limit(&Turn::action, &Offer::give, 2, 4).data,
                                      limit_each(&Turn::action, &Offer::keep, most).data};
  Typist offer({"agree", "1", "5", "4", "2 1 1", "2 0", "2, 0, 1"});
  CHECK(fill<Turn>(offer, limits) == R"({"action":{"kind":"offer","give":4,"keep":[2,0,1]}})");
  CHECK(offer.has("5 is more than 4"));
  CHECK(offer.has("value 2: 1 is more than 0"));
  CHECK(offer.has("3 values are needed, not 2"));
  Typist one_by_one({"offer", "3", "1", "1", "0", "1"});
  CHECK(fill<Turn>(one_by_one, limits) == R"({"action":{"kind":"offer","give":3,"keep":[1,0,1]}})");
  CHECK(one_by_one.has("keep 2 of 3 (0)"));
  // What is all that is possible need not be chosen.
  const std::vector<LimitData> only{allow<WalkAway>(&Turn::action).data};
  Typist walk({"no deal"});
  CHECK(fill<Turn>(walk, only) == R"({"action":{"kind":"walk_away","why":"no deal"}})");
  const std::vector<LimitData> agree{allow<Agree>(&Turn::action).data};
  Typist nothing({"", "agree"});
  CHECK(fill<Turn>(nothing, agree) == R"({"action":{"kind":"agree"}})");
}

struct Nested {
  std::vector<Item> items;
  std::map<std::string, double> chances;
  std::optional<Offer> offer;
  std::array<Mood, 2> moods{};
};
AGON_DESCRIBE(Nested, (items, "things", agon::length(0, 2)),
              (chances, "one a name", agon::range(0, 1)), (offer, "perhaps"), (moods, "two"))

TEST_CASE("lists ask for their length, maps for every key, optional parts whether they are there") {
  const std::vector<LimitData> limits{keys(&Nested::chances, kNames).data};
  Typist t({"3", "2", "cup", "1", "", "pot", "2.5", "4", "0.5", "1.5", ".25", "0", "yes", "7", "2",
            "1", "0", "calm keen"});
  CHECK(fill<Nested>(t, limits) == R"({"items":[{"name":"cup","price":1,"pieces":null},)"
                                   R"({"name":"pot","price":2.5,"pieces":4}],)"
                                   R"("chances":{"Ann":0.5,"Bo":0.25,"Cy":0},)"
                                   R"("offer":{"give":7,"keep":[1,0]},"moods":["calm","keen"]})");
  CHECK(t.has("items: how many? (0 to 2)"));
  CHECK(t.has("3 is more than 2"));
  CHECK(t.has("chances of Bo"));
  CHECK(t.has("1.5 is more than 1"));
  Typist open({"0", "Dee", "Dee", "Eve", "", "1", "0", "", "1", "2"});
  CHECK(fill<Nested>(open) ==
        R"({"items":[],"chances":{"Dee":1,"Eve":0},"offer":null,"moods":["calm","keen"]})");
  CHECK(open.has("That name is there already"));
}

TEST_CASE("one line of JSON is the whole answer, checked at once") {
  Typist t({R"({"name":"cup","price":2000,"pieces":null})", R"({"name":"cup",)",
            R"( {"name":"cup","price":2,"pieces":null} )"});
  CHECK(fill<Item>(t) == R"({"name":"cup","price":2,"pieces":null})");
  CHECK(t.has("$.price: 2000 is more than 1000"));
  CHECK(t.has("is not valid JSON"));
  // Later on too, unless a text is asked for.
  Typist later({"cup", R"({"name":"pot","price":1,"pieces":1})"});
  CHECK(fill<Item>(later) == R"({"name":"pot","price":1,"pieces":1})");
  Typist text({"agree?", "walk_away", "{no}"});
  CHECK(fill<Turn>(text) == R"({"action":{"kind":"walk_away","why":"{no}"}})");
}

TEST_CASE("commands are obeyed where they cannot be an entry") {
  Typist t({"help", "view", "/view", "no", "again", "//x", "/nonsense", "1", ""});
  // `help` and `view` are texts here: the name, then no number.
  CHECK(fill<Item>(t) == R"({"name":"/x","price":1,"pieces":null})");
  CHECK(t.commands == std::vector<std::string>{"view", "view"});
  CHECK(t.has("'no' is not a number"));
  CHECK(t.has("From the start."));
  CHECK(t.has("There is no command /nonsense"));
  Typist left({"yes"});
  CHECK(fill<Switches>(left) == std::nullopt);
}

struct Help {};
AGON_DESCRIBE(Help)
struct Choice {
  std::variant<Agree, Help> what;
};
AGON_DESCRIBE(Choice, (what, "either"))

TEST_CASE("a choice that is named like a command is the choice") {
  Typist t({"/help", "help"});
  CHECK(fill<Choice>(t) == R"({"what":{"kind":"help"}})");
  CHECK(t.commands == std::vector<std::string>{"help"});
}

TEST_CASE("an answer without members is given by a key press") {
  Typist t({""});
  CHECK(fill<Agree>(t) == "{}");
  Typist gone({});
  CHECK(fill<Agree>(gone) == std::nullopt);
}

TEST_CASE("text of the terminal's own language does not reach it") {
  const std::vector<std::string_view> names{"\x1b[2Jevil", "good"};
  const std::vector<LimitData> limits{one_of(&Switches::who, names).data};
  Typist t({"y", "keen", "\x1b]0;x\a", "\xff", "1"});
  const auto json = fill<Switches>(t, limits);
  REQUIRE(json);
  CHECK(t.shown.find('\x1b') == std::string::npos);
  CHECK(t.shown.find('\a') == std::string::npos);
  Typist bad({"y", "keen", "\xff", "ok"});
  CHECK(fill<Switches>(bad) == R"({"on":true,"mood":"keen","who":"ok"})");
  CHECK(bad.has("not valid UTF-8"));
}

/// What a person would type for a value, entry by entry.
void type_in(const Type& type, const void* object, std::vector<std::string>& out) {
  void* o = const_cast<void*>(object);
  if (form::fits_a_line(type)) {
    out.push_back(form::entry_text(type, object));
    return;
  }
  switch (type.kind) {
    case Kind::structure:
      for (const Field& f : type.fields) type_in(*f.type, f.at(o), out);
      return;
    case Kind::variant: {
      const Type& held = *type.alternatives[type.index(object)];
      out.push_back(kind_of(held));
      return type_in(held, type.alternative(o), out);
    }
    case Kind::optional:
      out.emplace_back(type.count(object) != 0 ? "yes" : "no");
      if (type.count(object) != 0) type_in(*type.element, type.item(o, 0), out);
      return;
    case Kind::list:
      if (type.resize_is_free) out.push_back(std::to_string(type.count(object)));
      for (std::size_t i = 0; i < type.count(object); ++i)
        type_in(*type.element, type.item(o, i), out);
      return;
    default:
      for (std::size_t i = 0; i < type.count(object); ++i)
        type_in(*type.element, type.item(o, i), out);
      return;
  }
}

TEST_CASE("what a random value would be typed as gives the value") {
  const Type& type = type_of<Everything>();
  const std::vector<LimitData> limits{keys(&Everything::by_name, kNames).data};
  for (std::uint32_t n = 0; n < 300; ++n) {
    Everything drawn;
    Dice dice(77, n);
    draw_value(type, nullptr, &drawn, 0, limits, dice);
    Typist typist({});
    type_in(type, &drawn, typist.lines);
    const auto json = Form(type, limits).fill(typist);
    INFO(typist.shown);
    REQUIRE(json);
    Everything read;
    REQUIRE_FALSE(read_json(type, &read, *json, limits));
    REQUIRE(write_json(read) == write_json(drawn));
    CHECK(typist.next == typist.lines.size());
  }
}

TEST_CASE("whatever is typed, a form gives a legal answer or none") {
  static const std::vector<std::string> kPool{
      "",     "1",     "2",      "0",   "yes", "no", "none", "Ann",   "offer", "agree", "walk_away",
      "calm", "0.5",   "-1",     "1e9", "//",  "/",  "/ ",   "again", "{",     "{}",    "[1,2]",
      "\xff", "1 2 3", "1,2,3,", "+",   "-",   ".",  "0x10", "NaN",   "1e999", " 3 ",   "\r",
      "help", "view",  "null",   "\t",  "7 7", "1.", "00",   "99"};
  const Type& type = type_of<Everything>();
  const std::vector<LimitData> limits{keys(&Everything::by_name, kNames).data,
                                      limit(&Everything::whole, 0, 9).data};
  int answers = 0;
  for (std::uint32_t n = 0; n < 200; ++n) {
    Dice dice(78, n);
    Typist typist({});
    for (int i = 0; i < 500; ++i) typist.lines.push_back(kPool[dice.below(kPool.size())]);
    const auto json = Form(type, limits).fill(typist);
    if (!json) continue;
    ++answers;
    Everything read;
    INFO(*json);
    REQUIRE_FALSE(read_json(type, &read, *json, limits));
  }
  CHECK(answers > 20);
}

TEST_CASE("the outline lists every entry with what fits and what it means") {
  const std::vector<int> most{2, 0, 1};
  const std::vector<LimitData> limits{allow<Offer, WalkAway>(&Turn::action).data,
                                      limit_each(&Turn::action, &Offer::keep, most).data};
  const std::string outline = Form(type_of<Turn>(), limits).outline();
  for (const std::string_view part :
       {"action", "one of", "offer", "walk_away", "action.give", "0 to 10 coins",
        "coins you hand over", "3 values, at most 2, 0, 1", "your reason",
        R"({"action":{"kind":"offer","give":0,"keep":[]}})"}) {
    INFO(part);
    CHECK(outline.find(part) != std::string::npos);
  }
  CHECK(outline.find("agree") == std::string::npos);
}

}  // namespace form_dialogue_test
