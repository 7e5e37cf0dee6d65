// Limits on what numbers add up to, and limits of what optionals and lists hold: everything that is
// made from a description keeps to them.

#include <agon/conversion.hpp>
#include <agon/form.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>
#include <map>

#include "catch.hpp"
#include "describe/limits.hpp"
#include "form/form.hpp"
#include "json/parse.hpp"

namespace describe_sums_test {

using namespace agon;
using Catch::Matchers::Contains;

struct Budget {
  Money roads{};
  std::string why;
  Money schools{};
};
AGON_DESCRIBE(Budget, (roads, "for roads"), (why, "your reason"), (schools, "for schools"))

struct Item {
  int pieces = 0;
  std::string name;
};
AGON_DESCRIBE(Item, (pieces, "how many"), (name, "of what"))

struct Split {
  std::vector<int> parts;
};
AGON_DESCRIBE(Split, (parts, "what each gets"))
struct Pass {};
AGON_DESCRIBE(Pass)

struct Plan {
  std::array<int, 3> troops{};
  std::map<std::string, int> points;
  std::map<std::string, double> shares;
  std::vector<Item> items;
  Budget budget;
  std::variant<Split, Pass> action;
  std::optional<std::string> firm;
  std::vector<std::string> firms;
  std::optional<std::vector<int>> counts;
};
AGON_DESCRIBE(Plan, (troops, "on each hill", range(0, 15)), (points, "for each of the others"),
              (shares, "of the portfolio"), (items, "what you order", length(0, 3)),
              (budget, "what you spend"), (action, "what you do"), (firm, "where you go"),
              (firms, "where you would go"), (counts, "how many of each"))

struct Troops {
  std::array<int, 3> troops{};
};
AGON_DESCRIBE(Troops, (troops, "on each hill"))

constexpr std::array<std::string_view, 2> kNames{"A", "B"};
constexpr std::array<int, 2> kMost{1, 1};

std::vector<LimitData> all_limits() {
  return {limit_sum(&Plan::troops, 0, 20).data,
          limit_sum(&Plan::points, 5, 5).data,
          keys(&Plan::points, kNames).data,
          limit_sum(&Plan::shares, 1, 1).data,
          keys(&Plan::shares, kNames).data,
          limit_sum(&Plan::items, &Item::pieces, 2, 6).data,
          limit_length(&Plan::items, 1, 3).data,
          limit_sum(&Plan::budget, &Budget::roads, &Budget::schools, Money{100}, Money{250}).data,
          limit_sum(&Plan::action, &Split::parts, 9, 9).data};
}

std::string refused(const std::string& json, std::span<const LimitData> limits) {
  Plan plan;
  const auto problem = read_json(type_of<Plan>(), &plan, json, limits);
  return problem ? problem->text() : "";
}

std::string plan_json(const std::string& member, const std::string& value) {
  Plan plan;
  boost::json::object all = json::parse(write_json(plan), "").as_object();
  all[member] = json::parse(value, "");
  return boost::json::serialize(all);
}

TEST_CASE("limits reach what optionals and lists hold") {
  const auto is = [](const LimitData& limit, const std::string& member, const std::string& value) {
    return refused(plan_json(member, value), std::span(&limit, 1));
  };
  const LimitData firm = one_of(&Plan::firm, kNames).data;
  CHECK(is(firm, "firm", R"("B")").empty());
  CHECK(is(firm, "firm", "null").empty());
  CHECK_THAT(is(firm, "firm", R"("C")"), Contains("'C' is none of A, B"));

  const LimitData firms = one_of(&Plan::firms, kNames).data;
  CHECK(is(firms, "firms", R"(["B", "A"])").empty());
  CHECK_THAT(is(firms, "firms", R"(["A", "C"])"), Contains("$.firms[1]: 'C' is none of A, B"));

  const LimitData length = limit_length(&Plan::firm, 0, 3).data;
  CHECK(is(length, "firm", R"("abc")").empty());
  CHECK_THAT(is(length, "firm", R"("abcd")"), Contains("4 characters, more than 3"));

  const LimitData each = limit_each(&Plan::counts, kMost).data;
  CHECK(is(each, "counts", "[1, 0]").empty());
  CHECK_THAT(is(each, "counts", "[5, 0]"), Contains("5 is more than 1"));
  CHECK_THAT(is(each, "counts", "[1]"), Contains("1 element, but it must be 2"));

  // Drawn, shown and asked for alike.
  const std::vector<LimitData> both{firm, firms, each};
  const std::string schema = schema_json(type_of<Plan>(), both);
  CHECK_THAT(schema, Contains(R"("firm":{"anyOf":[{"type":"string","enum":["A","B"]},)"));
  CHECK_THAT(schema, Contains(R"("items":{"type":"string","enum":["A","B"]})"));
  CHECK_THAT(schema, Contains("element by element at most 1, 1"));
  for (std::uint32_t n = 0; n < 200; ++n) {
    Plan drawn;
    Dice dice(n);
    draw_value(type_of<Plan>(), nullptr, &drawn, 0, both, dice);
    if (drawn.firm) CHECK((*drawn.firm == "A" || *drawn.firm == "B"));
    for (const std::string& one : drawn.firms) CHECK((one == "A" || one == "B"));
    if (drawn.counts) CHECK(drawn.counts->size() == 2);
  }
}

TEST_CASE("a sum is checked over lists, maps, members and what lists of structs hold") {
  const auto is = [](const LimitData& limit, const std::string& member, const std::string& value) {
    return refused(plan_json(member, value), std::span(&limit, 1));
  };
  const LimitData troops = limit_sum(&Plan::troops, 3, 20).data;
  CHECK(is(troops, "troops", "[15, 0, 5]").empty());
  CHECK(is(troops, "troops", "[15, 1, 5]") == "$.troops: 21 in total, more than 20");
  CHECK(is(troops, "troops", "[1, 1, 0]") == "$.troops: 2 in total, less than 3");

  const LimitData points = limit_sum(&Plan::points, 5, 5).data;
  CHECK(is(points, "points", R"({"A": 2, "B": 3})").empty());
  CHECK(is(points, "points", R"({"A": 2, "B": 2})") == "$.points: 4 in total, less than 5");
  // Not told otherwise, what is counted is not below zero: one cannot pay for another.
  CHECK(is(points, "points", R"({"A": 10, "B": -5})") == "$.points.B: -5 is less than 0");

  const LimitData shares = limit_sum(&Plan::shares, 1, 1).data;
  CHECK(is(shares, "shares", R"({"A": 0.1, "B": 0.2, "C": 0.7})").empty());
  CHECK(is(shares, "shares", R"({"A": 0.1, "B": 0.2, "C": 0.8})") ==
        "$.shares: 1.1 in total, more than 1");

  const LimitData items = limit_sum(&Plan::items, &Item::pieces, 0, 6).data;
  CHECK(is(items, "items", R"([{"pieces": 4, "name": ""}, {"pieces": 2, "name": ""}])").empty());
  CHECK(is(items, "items", R"([{"pieces": 4, "name": ""}, {"pieces": 3, "name": ""}])") ==
        "$.items: pieces: 7 in total, more than 6");

  const LimitData budget =
      limit_sum(&Plan::budget, &Budget::roads, &Budget::schools, Money{100}, Money{250}).data;
  CHECK(is(budget, "budget", R"({"roads": 1.5, "why": "", "schools": 1})").empty());
  CHECK(is(budget, "budget", R"({"roads": 1.5, "why": "", "schools": 1.01})") ==
        "$.budget: roads + schools: 2.51 in total, more than 2.50");

  // Where nothing of it is there, it says nothing; an empty list is there.
  const LimitData split = limit_sum(&Plan::action, &Split::parts, 9, 9).data;
  CHECK(is(split, "action", R"({"kind": "pass"})").empty());
  CHECK(is(split, "action", R"({"kind": "split", "parts": []})") ==
        "$.action.parts: 0 in total, less than 9");
}

TEST_CASE("draws keep to sums, whatever other limits there are, and so do edges") {
  std::vector<LimitData> limits = all_limits();
  limits.push_back(limit(&Plan::points, 1, 4).data);
  for (std::uint32_t n = 0; n < 500; ++n) {
    Plan plan;
    Dice dice(n, 7);
    draw_value(type_of<Plan>(), nullptr, &plan, 0, limits, dice);
    const auto problem = find_problem(type_of<Plan>(), &plan, limits);
    INFO(write_json(plan) << (problem ? problem->text() : ""));
    REQUIRE_FALSE(problem);
    REQUIRE(detail::is_legal_answer<Plan>(type_of<Plan>(), &plan, limits));
    // From anywhere, legal numbers are found.
    plan.troops = {15, 15, 15};
    plan.points["A"] = 4, plan.points["B"] = 4;
    REQUIRE(detail::is_legal_answer<Plan>(type_of<Plan>(), &plan, {}));
    REQUIRE_FALSE(detail::is_legal_answer<Plan>(type_of<Plan>(), &plan, limits));
    REQUIRE(detail::fit_sums(type_of<Plan>(), &plan, limits, dice));
    REQUIRE_FALSE(find_problem(type_of<Plan>(), &plan, limits));
  }
}

TEST_CASE("draws over what keeps to a sum are about uniform") {
  // 56 ways to put at most 5 on three hills; none far from its share of 20,000.
  const std::vector<LimitData> limits{limit_sum(&Troops::troops, 0, 5).data};
  std::map<std::array<int, 3>, int> seen;
  constexpr int kDraws = 20000;
  for (std::uint32_t n = 0; n < kDraws; ++n) {
    Troops troops;
    detail::draw_answer(troops, limits, Dice(20261123, n));
    ++seen[troops.troops];
  }
  REQUIRE(seen.size() == 56);
  double chi = 0;
  const double share = kDraws / 56.0;
  for (const auto& [way, n] : seen) chi += (n - share) * (n - share) / share;
  // The 99.9% point of chi-square with 55 degrees is 93.2.
  CHECK(chi < 93.2);
  CHECK(chi > 25);
}

TEST_CASE("a schema says in words what numbers add up to") {
  const std::string schema = schema_json(type_of<Plan>(), all_limits());
  CHECK_THAT(schema, Contains("on each hill; at most 20 in total"));
  CHECK_THAT(schema, Contains("for each of the others; exactly 5 in total"));
  CHECK_THAT(schema, Contains("what you order; pieces: 2 to 6 in total"));
  CHECK_THAT(schema, Contains("what you spend; roads + schools: 1 to 2.50 in total"));
  CHECK_THAT(schema, Contains("what each gets; exactly 9 in total"));
}

/// Types given lines, and keeps what was shown.
class Typist final : public Dialogue {
 public:
  explicit Typist(std::vector<std::string> given) : lines(std::move(given)) {}
  void show(std::string_view text) override { shown += text; }
  std::optional<std::string> ask(std::string_view prompt) override {
    shown += std::string(prompt) + "\n";
    if (next == lines.size()) return std::nullopt;
    return lines[next++];
  }
  std::vector<std::string> lines;
  std::string shown;
  std::size_t next = 0;
};

TEST_CASE("a form says what is left, and takes no more") {
  const std::vector<LimitData> exact{limit_sum(&Troops::troops, 20, 20).data};
  Typist hills({"13", "8", "4", "2", "3"});
  CHECK(Form(type_of<Troops>(), exact).fill(hills) == R"({"troops":[13,4,3]})");
  INFO(hills.shown);
  CHECK_THAT(hills.shown, Contains("exactly 20 in total"));
  CHECK_THAT(hills.shown, Contains("troops 1 of 3 (0 to 20; 20 left)"));
  CHECK_THAT(hills.shown, Contains("troops 2 of 3 (0 to 7; 7 left)"));
  CHECK_THAT(hills.shown, Contains("8 is more than 7"));
  // The last is no less than what is left to give.
  CHECK_THAT(hills.shown, Contains("troops 3 of 3 (3; 3 left)"));
  CHECK_THAT(hills.shown, Contains("2 is less than 3"));

  Typist line({"10 9 2", "10 9 1"});
  CHECK(Form(type_of<Troops>(), exact).fill(line) == R"({"troops":[10,9,1]})");
  CHECK_THAT(line.shown, Contains("value 3: 2 is more than 1"));

  const std::vector<LimitData> money{
      limit_sum(&Budget::roads, &Budget::schools, Money{0}, Money{1000}).data};
  Typist budget({"7.50", "to drive", "3", "2.50"});
  CHECK(Form(type_of<Budget>(), money).fill(budget) ==
        R"({"roads":7.50,"why":"to drive","schools":2.50})");
  INFO(budget.shown);
  CHECK_THAT(budget.shown, Contains("roads + schools: at most 10 in total"));
  CHECK_THAT(budget.shown, Contains("2.50 left"));
}

TEST_CASE("a page's form has the sums, and a broken one is told at its place") {
  const std::vector<LimitData> limits{limit_sum(&Plan::troops, 0, 20).data};
  const boost::json::object form = form_description(type_of<Plan>(), limits, Language::english());
  const auto& sum = form.at("sums").as_array().at(0).as_object();
  CHECK(sum.at("max") == 20);
  CHECK(sum.at("words") == "at most 20 in total");
  const auto& troops = form.at("fields").as_array().at(0).as_object().at("node").as_object();
  CHECK(troops.at("node").as_object().at("counted") == boost::json::array{0});

  const std::vector<LimitData> hills{limit_sum(&Troops::troops, 0, 20).data};
  const TypedAnswer answer =
      read_typed(type_of<Troops>(), hills, json::parse(R"({"troops": ["10", "9", "2"]})", ""),
                 Language::english());
  REQUIRE(answer.problems.size() == 1);
  CHECK(answer.problems[0].path == "/troops");
  CHECK(answer.problems[0].problem == "21 in total, more than 20");
}

TEST_CASE("a sum leaves each number what the least of the others allow") {
  const std::vector<LimitData> limits{limit_sum(&Troops::troops, 18, 20).data,
                                      limit(&Troops::troops, 1, 15).data};
  Troops troops{{6, 6, 6}};
  const auto numbers = summed_numbers(type_of<Troops>(), &troops, limits);
  REQUIRE(numbers.size() == 3);
  CHECK(numbers[0].low == 1);
  CHECK(numbers[0].high == 15);
  const std::vector<LimitData> wide{limit_sum(&Troops::troops, 0, 20).data};
  CHECK(summed_numbers(type_of<Troops>(), &troops, wide)[1].high == 20);
}

TEST_CASE("what no limit can mean is refused where it is made") {
  struct Flags {
    static Limit<Plan> of(std::initializer_list<bool> flags) {
      return allow_if(&Plan::action, flags);
    }
  };
  CHECK_THROWS_WITH(Flags::of({true}), Contains("1 flags, and there are 2"));
}

}  // namespace describe_sums_test
