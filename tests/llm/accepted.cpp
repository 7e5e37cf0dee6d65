#include <agon/conversion.hpp>
#include <agon/json_writer.hpp>
#include <agon/number_text.hpp>
#include <set>

#include "catch.hpp"
#include "llm/answer/read_answer.hpp"
#include "llm/wire/bounds.hpp"
#include "model_table.hpp"
#include "rig.hpp"

// What is taken for an answer, what is repaired, and what is asked for again: the table in
// docs/faults.md, a row each.
namespace llm_accepted_test {

using namespace agon;
using namespace agon::test;

enum class Colour : std::uint8_t { red, dark_blue };
AGON_DESCRIBE_ENUM(Colour, (red, "red"), (dark_blue, "blue"))
struct Offer {
  Money price{};
};
AGON_DESCRIBE(Offer, (price, "what is offered", agon::unit("dollars")))
struct WalkAway {};
AGON_DESCRIBE(WalkAway)
struct Move {
  std::int64_t number = 0;
  Colour colour = Colour::red;
  std::variant<Offer, WalkAway> action;
  std::optional<double> most;
  bool sure = false;
  std::vector<int> counts;
  std::string show;
  std::map<std::string, int> ranks;
  std::string why;
};
AGON_DESCRIBE(Move, (number, "which", agon::unit("coins")), (colour, "a colour"),
              (action, "what is done"), (most, "at most"), (sure, "whether"), (counts, "of each"),
              (show, "which show"), (ranks, "of each item"), (why, "why"))

constexpr std::string_view kShows[] = {"opera", "boxing_match"};
constexpr std::string_view kItems[] = {"Item A", "item_b"};

OwnedQuestion question() {
  OwnedQuestion q;
  q.answer_type = &type_of<Move>();
  const LimitData limits[] = {agon::one_of(&Move::show, kShows).data,
                              agon::keys(&Move::ranks, kItems).data};
  q.limits = OwnedLimits(limits);
  return q;
}

ModelAnswer read(const std::string& text) {
  return llm::read_answer(question(), text);
}

/// An answer with one member written otherwise.
std::string with(const std::string& member, const std::string& value) {
  std::string out = "{";
  for (const auto& [name, usual] :
       std::vector<std::pair<std::string, std::string>>{{"number", "3"},
                                                        {"colour", "\"red\""},
                                                        {"action", R"({"kind":"offer","price":5})"},
                                                        {"most", "null"},
                                                        {"sure", "true"},
                                                        {"counts", "[1,2]"},
                                                        {"show", "\"opera\""},
                                                        {"ranks", R"({"Item A":1,"item_b":2})"},
                                                        {"why", "\"w\""}})
    out += (out.size() > 1 ? "," : "") + ("\"" + name + "\":") + (name == member ? value : usual);
  return out + "}";
}

std::string renamed(std::string json, const std::string& member, const std::string& name) {
  return json.replace(json.find('"' + member + '"') + 1, member.size(), name);
}

std::string quoted(const std::string& text) {
  return JsonWriter().text(text).take();
}

/// What the answer says, in one form.
std::string value_of(const ModelAnswer& answer) {
  Move move;
  if (const auto problem = read_json(move, answer.json, Missing::is_wrong)) return problem->text();
  return write_json(move);
}

TEST_CASE("an answer whose meaning is certain is repaired") {
  struct Row {
    std::string given;
    std::string same_as;
    std::string change;  // among what is told of it
  };
  const std::string usual = with("", "");
  const std::vector<Row> rows{
      {"```json\n" + usual + "\n```", usual, ""},
      {usual.substr(0, usual.size() - 1) + R"(,"more":{"x":[1]}})", usual,
       "\"more\" is no part of the answer"},
      {with("action", R"({"kind":"offer","price":5,"turn":2})"), usual, "\"turn\""},
      {with("colour", "\"Dark Blue\""), with("colour", "\"dark_blue\""), "read as \"dark_blue\""},
      {with("colour", "\" RED \""), usual, "read as \"red\""},
      {with("action", R"({"kind":"Walk away"})"), with("action", R"({"kind":"walk_away"})"),
       "read as \"walk_away\""},
      {with("number", "\"5,000\""), with("number", "5000"), "\"5,000\" is read as 5000"},
      {with("number", "\"23\""), with("number", "23"), "read as 23"},
      {with("sure", "\"Ja.\""), usual, "\"Ja.\" is read as true"},
      {with("sure", "\"nein\""), with("sure", "false"), "read as false"},
      {with("sure", "\"是\""), usual, "read as true"},
      {with("sure", "\"不是。\""), with("sure", "false"), "read as false"},
      {with("most", "\"keine\""), usual, "read as null"},
      {with("most", "\"没有\""), usual, "read as null"},
      {with("number", "45."), with("number", "45"), "\"45.\" is read as 45"},
      {with("action", R"({"kind":"offer","price":"$58"})"),
       with("action", R"({"kind":"offer","price":58})"), "\"$58\" is read as 58"},
      {with("action", R"({"kind":"offer","price":$1,250.50})"),
       with("action", R"({"kind":"offer","price":1250.5})"), "\"$1,250.50\" is read as 1250.50"},
      {with("action", R"({"price":1,000,"kind":"offer"})"),
       with("action", R"({"kind":"offer","price":1000})"), "\"1,000\" is read as 1000"},
      {with("action", R"({"kind":"offer","price":"58 dollars"})"),
       with("action", R"({"kind":"offer","price":58})"), "\"58 dollars\" is read as 58"},
      {with("action", R"({"kind":"offer","price":"58 USD"})"),
       with("action", R"({"kind":"offer","price":58})"), "read as 58"},
      {with("action", R"({"kind":"offer","price":58$})"),
       with("action", R"({"kind":"offer","price":58})"), "\"58$\" is read as 58"},
      {with("action", R"("{\"kind\":\"offer\",\"price\":\"5\"}")"), usual,
       R"(is read as {"kind":"offer","price":"5"})"},
      {with("action", "\"Walk away.\""), with("action", R"({"kind":"walk_away"})"),
       R"("Walk away." is read as {"kind":"walk_away"})"},
      {with("action", R"({"Kind":"offer","Price":5})"), usual, R"("Price" is read as "price")"},
      {with("number", "\"3 Coins\""), usual, "read as 3"},
      {with("number", "\"1 coin\""), with("number", "1"), "read as 1"},
      {with("number", "+5"), with("number", "5"), "read as 5"},
      {with("number", "007"), with("number", "7"), "read as 7"},
      {with("number", "\"-1,234,567\""), with("number", "-1234567"), "read as -1234567"},
      {with("number", "\"1,000.000\""), with("number", "1000"), "read as 1000.000"},
      {with("most", "\"1234.567\""), with("most", "1234.567"), "read as 1234.567"},
      {with("most", "\"0.125\""), with("most", "0.125"), "read as 0.125"},
      {with("most", "\".5\""), with("most", "0.5"), "read as 0.5"},
      {with("most", "\"None\""), usual, "read as null"},
      {with("counts", "\"[1,2]\""), usual, "is read as [1,2]"},
      {with("counts", "[\"1\", +2]"), usual, "read as 2"},
      {with("counts", "[+1, 2]"), usual, "read as 1"},
      {with("number", "9,999"), with("number", "9999"), "read as 9999"},
      {with("action", R"({"kind":"offer","price":-$.5})"),
       with("action", R"({"kind":"offer","price":-0.5})"), "read as -0.5"},
      {with("why", "\"a\tb\rc\""), with("why", "\"a\\tb\\rc\""), "line break"},
      {with("show", "\"OPERA\""), usual, "\"OPERA\" is read as \"opera\""},
      {with("show", "\"Boxing match\""), with("show", "\"boxing_match\""), "\"boxing_match\""},
      {with("ranks", R"({"item a":1,"Item-B":2})"), usual, "\"item a\" is read as \"Item A\""},
      {with("ranks", R"({"Item A":"1","item_b":2})"), usual, "\"1\" is read as 1"},
      {with("sure", "\"Yes\""), usual, "\"Yes\" is read as true"},
      {with("sure", "\"no\""), with("sure", "false"), "\"no\" is read as false"},
      {with("sure", "TRUE"), usual, "true"},
      {renamed(usual, "number", "Number"), usual, R"("Number" is read as "number")"},
      {renamed(usual, "number", "num-ber"), usual, "\"number\""},
      {renamed(usual, "number", " NUM_BER "), usual, "\"number\""},
      {R"({"Answer":)" + usual + "}", usual, "taken out of \"Answer\""},
      {quoted(usual), usual, ""},
      {R"({"Thought":"hm",)" + usual.substr(1), usual, ""},
      {with("action", R"({"kind":"offer","price":"$1,250.50"})"),
       with("action", R"({"kind":"offer","price":1250.5})"), "read as 1250.50"},
      {with("action", R"({"kind":"offer","price":$58})"),
       with("action", R"({"kind":"offer","price":58})"), "\"$58\" is read as 58"},
      {with("most", "\"-7\""), with("most", "-7"), "read as -7"},
      {with("counts", R"(["1", 2,])"), usual, "comma too many"},
      {with("sure", "True"), usual, "true"},
      {with("sure", "\"TRUE\""), usual, "read as true"},
      {with("most", "None"), usual, "null"},
      {with("why", "\"w\nx\""), with("why", "\"w\\nx\""), "line break"},
      {R"({'number': 3, 'colour': 'red', 'action': {'kind': 'offer', 'price': 5}, 'most': null,)"
       R"('sure': true, 'counts': [1, 2], 'show': 'opera', 'ranks': {'Item A': 1, 'item_b': 2}, 'why': 'it\'s "w", isn't it'})",
       with("why", R"("it's \"w\", isn't it")"), "quotes"},
      {"{\u201cnumber\u201d: 3, \u201ccolour\u201d: \u201cred\u201d, \u201caction\u201d: "
       "{\u201ckind\u201d: \u201coffer\u201d, \u201cprice\u201d: 5}, \u201cmost\u201d: null, "
       "\u201csure\u201d: true, \u201ccounts\u201d: [1, 2], \u201cshow\u201d: \u201copera\u201d, "
       "\u201cranks\u201d: {\u201cItem A\u201d: 1, \u201citem_b\u201d: 2}, \u201cwhy\u201d: "
       "\u201cw\u201d}",
       usual, "quotes"},
      {"<think>\n" + usual, usual, ""},
      {"{\u201cnumber\u201d\uff1a3\uff0c\u201ccolour\u201d\uff1a\u201cred\u201d\uff0c\"action\": "
       "\"{\\\"kind\\\":\\\"offer\\\",\\\"price\\\":5}\", \"most\": null, \"sure\": true, "
       "\"counts\": [1, 2], \"show\": \"opera\", \"ranks\": {\"Item A\": 1, \"item_b\": 2}, "
       "\"why\": \"w\"}",
       usual, "quotes"},
  };
  for (const Row& row : rows) {
    INFO(row.given);
    const ModelAnswer answer = read(row.given);
    INFO(answer.problem);
    CHECK(answer.fault == Fault::repaired);
    CHECK(value_of(answer) == value_of(read(row.same_as)));
    CHECK(answer.problem.find(row.change) != std::string::npos);
    if (row.change.empty()) CHECK(answer.problem.empty());
  }
  CHECK(read(usual).fault == Fault::ok);
  // A few changes say what sort of thing was wrong.
  CHECK(
      read(R"({"a":"x","b":"x","c":"x","d":"x",)" + usual.substr(1)).problem ==
      R"("a" is no part of the answer; "b" is no part of the answer; "c" is no part of the answer)");
  // Among words it has a class of its own, and the same twice is no doubt.
  CHECK(read("Sure:\n```json\n" + usual + "\n```").fault == Fault::in_words);
  CHECK(read("So: " + with("why", R"("\"}")")).fault == Fault::in_words);
  CHECK(read("So: " + with("number", "\"3\"")).fault == Fault::in_words);
  CHECK(read("So: " + with("number", "\"3\"")).problem.find("read as 3") != std::string::npos);
  CHECK(read(usual + " That is, " + usual).fault == Fault::in_words);
}

TEST_CASE("an answer whose meaning is not certain is asked for again") {
  struct Row {
    std::string given;
    Fault fault;
    std::string problem;
  };
  const std::string usual = with("", "");
  const std::vector<Row> rows{
      {usual + " or " + with("number", "4"), Fault::unparsable, "two different answers"},
      {with("number", "\"three\""), Fault::unparsable, "$.number"},
      {with("number", "\"3 or 4\""), Fault::unparsable, "$.number: must be"},
      {with("number", "\"3 4\""), Fault::unparsable, "$.number: must be"},
      {with("number", "\"1.2.3\""), Fault::unparsable, "$.number: must be"},
      {with("number", "\"1,00,000\""), Fault::unparsable, "$.number: must be"},
      {with("number", "\"1,2345\""), Fault::unparsable, "write 1.2345"},
      {with("number", "\"5k\""), Fault::unparsable, "$.number: \"5k\" has words beside the number"},
      {with("number", "\"5 dollars\""), Fault::unparsable,
       "$.number: \"5 dollars\" has words beside the number that are not its unit: write the "
       "number "
       "alone, in coins"},
      {with("ranks", R"({"Item A": "1st", "item_b": 2})"), Fault::unparsable,
       "\"1st\" has words beside the number: write the number alone"},
      {with("number", "\"5,\""), Fault::unparsable, "$.number: must be"},
      {with("number", "\"-\""), Fault::unparsable, "$.number: must be"},
      // As numbers are written elsewhere: the reason names the one that may be meant.
      {with("number", "\"5,00\""), Fault::unparsable,
       "$.number: \"5,00\" is no number of JSON: write 5.00 if that is what you mean"},
      {with("number", "\"5.000,00\""), Fault::unparsable, "write 5000.00 if"},
      {with("number", "\"-1 000\""), Fault::unparsable, "write -1000 if"},
      {with("number", "\"1\u202f000\""), Fault::unparsable, "write 1000 if"},
      {with("number", "\"1'000.50\""), Fault::unparsable, "write 1000.50 if"},
      {with("number", "\"1.000.000\""), Fault::unparsable, "write 1000000 if"},
      {with("number", "\"1.000\""), Fault::unparsable,
       "$.number: \"1.000\" may mean 1000 or 1: write the one that you mean, without quotes"},
      {with("action", R"({"kind":"offer","price":"$1.250"})"), Fault::unparsable,
       "$.action.price: \"$1.250\" may mean 1250 or 1.25: write"},
      {with("action", R"({"kind":"offer","price":399,50})"), Fault::unparsable,
       "$.action.price: \"399,50\" is no number of JSON: write 399.50"},
      {with("counts", "[\"1\", \"2,5\"]"), Fault::unparsable, "$.counts[1]: \"2,5\""},
      // A comma may part thousands or elements.
      {with("counts", "[1,000]"), Fault::unparsable, "JSON"},
      {with("counts", "[$1,250]"), Fault::unparsable, "JSON"},
      {with("action", "\"offer\""), Fault::unparsable, "must be an object, not a text"},
      {with("sure", "\"maybe\""), Fault::unparsable, "must be true or false, not a text"},
      {renamed(usual, "why", "Number"), Fault::unparsable, "'number' appears twice"},
      {R"({"answer":[1]})", Fault::unparsable, "none of its members"},
      {with("colour", "\"blue\""), Fault::unparsable, "none of red, dark_blue"},
      {with("action", R"({"kind":"offer","price":12.505})"), Fault::unparsable,
       "more than two decimals"},
      {with("action", R"({"kind":"offer"})"), Fault::unparsable, "price"},
      {"I bid five dollars.", Fault::unparsable, "no JSON object"},
      {"<think>" + usual + " but then again", Fault::empty, "after the thought"},
      {"<think>I wonder: {} and no end. " + usual, Fault::empty, "after the thought"},
      {"{\"a\" " + usual, Fault::unparsable, "give the object alone"},
      {"For example: " + usual, Fault::unparsable, "give the object alone"},
      {with("most", "$5"), Fault::unparsable, "$.most"},
      {with("number", "\"$5\""), Fault::unparsable, "$.number"},
      {"Ich biete f\u00fcnf Dollar.", Fault::unparsable, "no JSON object"},
      {R"({"question": "before", "answer": 7})", Fault::unparsable, "none of its members"},
      {std::string(schema_json(type_of<Move>())), Fault::unparsable, "none of its members"},
      {"{}", Fault::unparsable, "none of its members; it is to have \"number\""},
      {usual.substr(0, usual.size() - 1), Fault::unparsable, "does not come to its end"},
      {R"({"number": 1,000})", Fault::unparsable, "$.colour: is missing"},
      {"", Fault::empty, "nothing was said"},
  };
  for (const Row& row : rows) {
    INFO(row.given);
    const ModelAnswer answer = read(row.given);
    INFO(answer.problem);
    CHECK(answer.fault == row.fault);
    CHECK(answer.json.empty());
    CHECK(answer.problem.find(row.problem) != std::string::npos);
  }
}

TEST_CASE("numbers as people write them") {
  const auto number = [](std::string_view text, std::string_view unit = "") {
    return read_number_text(text, unit).json;
  };
  CHECK(number("50%", "percent") == "50");
  CHECK(number("50 Percent", "percent") == "50");
  CHECK(number("50%", "coins").empty());
  CHECK(number("5 coin", "coins") == "5");
  CHECK(number("5 co", "coins").empty());
  CHECK(number("coins", "coins").empty());
  CHECK(number("5$", "coins").empty());
  CHECK(number("5$", "dollars") == "5");
  CHECK(number("123,456") == "123456");
  CHECK(number("12,345,678.9") == "12345678.9");
  CHECK(number("-$ 5", "dollars") == "-5");
  CHECK(number("0") == "0");
  CHECK(number("000") == "0");
  CHECK(number("00.50") == "0.50");
  for (const char* none : {"1,000,00", "1,000 000.5", "1234,567.5", "10,00.5", "1.000 5", "12 5",
                           "5,", "1,000,", ",", ".", "$", "", "1..2", "0,123,456"}) {
    INFO(none);
    CHECK(number(none).empty());
    CHECK(read_number_text(none, "").meant.empty());
  }
  const auto doubt = [](std::string_view text) { return read_number_text(text, "").meant; };
  CHECK(doubt("1234,567") == "1234.567");
  CHECK(doubt("0,125") == "0.125");
  CHECK(doubt("12 345") == "12345");
  CHECK(doubt("1.234.567,8") == "1234567.8");
  CHECK(doubt("-1_000_000.5") == "-1000000.5");
  CHECK(doubt("1.250") == "1250");
  CHECK(read_number_text("1.250", "").other == "1.25");
}

TEST_CASE("in every game a number has its own unit or none") {
  using Texts = std::vector<std::string>;
  struct Row {
    std::string game, stage, answer;  ///< `@` stands for the number
    std::string currency;             ///< among the game's facts
    Texts own, other;
  };
  const Texts dollars{"$5", "5$", "5 dollars", "5 dollar", "5 USD", "US$5"};
  const Texts no_dollars{"\u20ac5", "5 euros",  "5 EUR", "EUR 5", "\u00a35",
                         "5 yen",   "5 points", "5 kg",  "5%"};
  const Texts no_unit{"$5", "5 dollars", "5 euros", "5 points", "5 kg", "5%"};
  const std::string bid = R"({"bid":@})";
  const std::vector<Row> rows{
      {"bargaining", "buy", R"({"talk":"","action":{"kind":"buy","price":@}})", "", dollars,
       no_dollars},
      {"bargaining", "sell", R"({"talk":"","action":{"kind":"sell","price":@}})", "", dollars,
       no_dollars},
      {"deal-or-no-deal",
       "claim",
       R"({"values":{"each":[@,0,0]}})",
       "",
       {"5 points", "5 point"},
       {"$5", "5 euros", "5 items", "5 kg"}},
      {"deal-or-no-deal",
       "message",
       R"({"text":"","proposal":{"take":[@,0,0]},"halt":false})",
       "",
       {},
       no_unit},
      {"ebay", "bid", bid, "", dollars, no_dollars},
      {"english-auction", "bid", R"({"move":{"kind":"raise","amount":@}})", "", dollars,
       no_dollars},
      {"guess-average", "pick", R"({"number":@})", "", {}, no_unit},
      {"sealed-bid", "bid", bid, "dollars", dollars, no_dollars},
      {"sealed-bid",
       "bid",
       bid,
       "euros",
       {"\u20ac5", "5 euros", "5 euro", "EUR 5"},
       {"$5", "5 dollars", "5 yen", "5 points"}},
      {"survival-auction", "bid", bid, "", dollars, no_dollars},
      {"water-allocation", "bid", bid, "", dollars, no_dollars},
  };
  std::set<std::string_view> seen{"classic", "clock-auction"};  // no number is asked for in these
  for (const Row& row : rows) {
    seen.insert(catalogue().game(row.game).id);
    OwnedQuestion q;
    for (const StageCard& stage : catalogue().game(row.game).stages)
      if (stage.name == row.stage) q.answer_type = stage.answer;
    INFO(row.game << ", " << row.stage << ", " << row.currency);
    REQUIRE(q.answer_type != nullptr);
    q.facts_json = R"({"currency":")" + row.currency + "\"}";
    const auto read_as = [&](const std::string& number) {
      std::string text = row.answer;
      return llm::read_answer(q, text.replace(text.find('@'), 1, '"' + number + '"'));
    };
    const std::string plain = read_as("5").json;
    CHECK_FALSE(plain.empty());
    for (const std::string& number : row.own) {
      INFO(number);
      CHECK(read_as(number).fault == Fault::repaired);
      CHECK(read_as(number).json == plain);
    }
    for (const std::string& number : row.other) {
      INFO(number);
      const ModelAnswer answer = read_as(number);
      CHECK(answer.fault == Fault::unparsable);
      CHECK(answer.problem.find('"' + number + "\" has words beside the number") !=
            std::string::npos);
    }
  }
  CHECK(seen.size() == game_ids().size());
}

TEST_CASE("of two names that are alike but for blanks and case none is guessed") {
  constexpr std::string_view kAlike[] = {"item a", "Item_A", "item b"};
  OwnedQuestion q = question();
  const LimitData limits[] = {agon::one_of(&Move::show, kAlike).data};
  q.limits = OwnedLimits(limits);
  const auto show = [&](const std::string& said) {
    return llm::read_answer(q, with("show", '"' + said + '"')).json;
  };
  CHECK(show("item a").find("\"show\":\"item a\"") != std::string::npos);
  CHECK(show("Item_A").find("\"show\":\"Item_A\"") != std::string::npos);
  CHECK(show("ITEM A").find("\"show\":\"ITEM A\"") != std::string::npos);  // as it was said
  CHECK(show("ITEM B").find("\"show\":\"item b\"") != std::string::npos);
}

TEST_CASE("a text that a limit does not allow is turned down with all that it allows") {
  const ModelAnswer answer = read(with("show", "\"ballet\""));
  CHECK(answer.fault == Fault::ok);  // the table turns it down
  CHECK(answer.json == with("show", "\"ballet\""));
  CHECK(llm::read_value(type_of<Move>(), question().limits.get(), answer.json).problem ==
        "$.show: 'ballet' is none of opera, boxing_match");
}

TEST_CASE("plain refusals are told from moves in prose") {
  for (const char* refusal :
       {"I'm sorry, I can't.", "I'm sorry, but I can't help with that.",
        "I cannot assist with gambling", "I won\u2019t comply with this request.",
        "As an AI I must decline", "I refuse.", "Sorry - I must decline.",
        "I cannot take part in this", "I won't participate",
        "As an AI language model, I am not able to participate in auctions.",
        "I must decline to answer.", "I'd rather not take part.",
        "Es tut mir leid, aber dabei kann ich nicht helfen.", "Ich weigere mich.",
        "Als KI kann ich daran nicht teilnehmen: ich werde daran nicht teilnehmen.",
        "\u62b1\u6b49\uff0c\u6211\u65e0\u6cd5\u534f\u52a9\u3002",
        "\u6211\u62d2\u7edd\u53c2\u4e0e\u3002", "Je ne peux pas participer.",
        "Lo siento, no puedo ayudar con eso."}) {
    INFO(refusal);
    CHECK(read(refusal).fault == Fault::refused);
    CHECK(read(refusal).problem == "a refusal is no answer");
  }
  for (const char* move :
       {"I can't pay more than 5.", "I won't bid more.", "I refuse your offer.",
        "I must decline your offer.", "Your offer is far too low. I refuse.",
        "I can't help you with a lower price.", "I can't answer that with more than 7.",
        "I won't participate at that level, but I'll take the second item.",
        "I cannot go on like this.", "Ich kann nicht mehr bieten.",
        "\u6211\u4e0d\u80fd\u51fa\u66f4\u591a\u3002", "No.", "I pass."}) {
    INFO(move);
    CHECK(read(move).fault == Fault::unparsable);
  }
  // An answer beside it is none.
  CHECK(read("I'm sorry, I can't help with that. " + with("", "")).fault == Fault::refused);
  // Who says much says something else too.
  CHECK(read("I can't help with that. " + std::string(3000, 'x')).fault == Fault::unparsable);
}

TEST_CASE("an answer in another language is one if its form is") {
  CHECK(value_of(read("Gerne: " + with("why", "\"weil es g\u00fcnstig ist\""))) ==
        value_of(read(with("why", "\"weil es g\u00fcnstig ist\""))));
}

TEST_CASE("a hundred kilobytes of thought cost the dialogue only its end") {
  const std::string answer = R"({"talk":"T","action":{"kind":"reject"}})";
  const std::string thought(100'000, 'x');
  for (const std::string& text :
       {"<think>" + thought + "</think>" + answer, thought + ".\n" + answer}) {
    const auto buyer =
        std::make_shared<ScriptedModel>([&](const ModelRequest&) { return said(text); });
    const MatchResult result =
        ModelTable("bargaining", R"({"max_turns": 2})")
            .model(0, "", buyer)
            .model(1, "", std::make_shared<ScriptedModel>([&](const ModelRequest&) {
                     return said(answer);
                   }))
            .play_to_end();
    CHECK(result.forced[0] == 0);
    const auto messages = buyer->asked().at(1).messages;
    std::size_t size = 0;
    for (const ChatMessage& m : messages) size += m.text.size();
    CHECK(size < 20'000);
    CHECK(messages.at(2).role == "assistant");
    CHECK(messages.at(2).text.ends_with(answer));
  }
}

TEST_CASE("the other side's move is turned down with the reason") {
  const auto buyer = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    return said(++n == 1 ? R"({"talk":"","action":{"kind":"sell","price":5}})"
                         : R"({"talk":"","action":{"kind":"quit"}})");
  });
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 2})")
                                 .model(0, "", buyer)
                                 .model(1, "", std::make_shared<ScriptedModel>())
                                 .play_to_end();
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::illegal)] == 1);
  CHECK(buyer->asked().at(1).last().find("turned down") != std::string::npos);
}

TEST_CASE("where a deal may take one of two prices, the schema lists them") {
  const auto buyer = saying(R"({"talk":"","action":{"kind":"reject"}})");
  const auto seller = std::make_shared<ScriptedModel>([n = 0](const ModelRequest&) mutable {
    return said(++n == 1 ? R"({"talk":"","action":{"kind":"sell","price":3.5}})"
                         : R"({"talk":"","action":{"kind":"sell","price":2}})");
  });
  ModelTable("bargaining", R"({"max_turns": 3})")
      .model(0, "", buyer)
      .model(1, "", seller)
      .play_to_end();
  REQUIRE(buyer->asked().size() == 3);
  const auto bounds = [&](std::size_t i) { return llm::bounds_after(buyer->asked()[i].schema); };
  CHECK(bounds(1).find("action (deal), price: 3.50 dollars") != std::string::npos);
  CHECK(bounds(2).find("action (deal), price: one of 2.00 and 3.50 dollars") != std::string::npos);
}

TEST_CASE("tool calls nobody asked for are read where nothing else was said") {
  llm_tests::Rig rig;
  rig.then(200,
           R"({"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[{"id":"x",)"
           R"("type":"function","function":{"name":"place_bid","arguments":"{\"bid\":7}"}}]},)"
           R"("finish_reason":"tool_calls"}]})")
      .then(200,
            R"({"choices":[{"message":{"role":"assistant","content":"{\"bid\":3}","tool_calls":)"
            R"([{"id":"x","type":"function","function":{"name":"look","arguments":"{}"}}]},)"
            R"("finish_reason":"stop"}]})");
  CHECK(rig.call().call.text == R"({"bid":7})");
  CHECK(rig.call().call.text == R"({"bid":3})");
}

TEST_CASE("a refusal in prose is asked about once more and no more") {
  const auto buyer = saying("I'm sorry, but I cannot help with that.");
  const MatchResult result = ModelTable("bargaining", R"({"max_turns": 1})")
                                 .model(0, "", buyer)
                                 .model(1, "", std::make_shared<ScriptedModel>())
                                 .play_to_end();
  CHECK(result.faults[0][static_cast<std::size_t>(Fault::refused)] == 2);
  CHECK(buyer->asked().size() == 2);
}

}  // namespace llm_accepted_test
