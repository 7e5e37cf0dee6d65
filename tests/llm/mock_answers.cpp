#include <agon/conversion.hpp>
#include <set>

#include "catch.hpp"
#include "llm/mock/speech.hpp"
#include "llm/provider/provider.hpp"
#include "providers.hpp"

namespace {

using namespace agon;
using namespace agon::llm;

enum class Mood : std::uint8_t { calm, cross };
AGON_DESCRIBE_ENUM(Mood, (calm, "calm"), (cross, "cross"))
struct Offer {
  int give = 0;
  Money price;
  Mood mood = Mood::calm;
  std::string thought;
  std::optional<int> bid;
  std::vector<int> parts;
};
AGON_DESCRIBE(Offer, (give, "coins", agon::range(1, 6)), (price, "price", agon::range(100, 450)),
              (mood, "mood"), (thought, "why", agon::length(1, 40)),
              (bid, "a bid or none", agon::range(3, 9)),
              (parts, "three parts", agon::length(3, 3), agon::range(0, 4)))

ModelRequest asks(std::string schema, std::string text = "Your move.") {
  ModelRequest request;
  request.purpose = "answer";
  request.messages = {{"system", "You play."}, {"user", std::move(text)}};
  request.schema = std::move(schema);
  return request;
}

constexpr auto kNever = Provider::Time::max();

TEST_CASE("the mock's random answers fit the schema", "[llm][mock]") {
  const std::string schema = schema_json(type_of<Offer>());
  const auto mock = make_provider(ModelSpec{}, {.parts = &llm_tests::shipped()});
  std::set<std::string> different;
  for (std::uint32_t i = 0; i < 300; ++i) {
    const ModelResult r = mock->call(asks(schema), kNever, Dice(7, i));
    REQUIRE(r.call.fault == agon::Fault::ok);
    Offer offer;
    const auto problem = read_json(offer, r.call.text, Missing::is_wrong);
    INFO(r.call.text);
    REQUIRE_FALSE(problem);
    different.insert(r.call.text);
    CHECK(r.call.usage.input > 0);
    CHECK(r.call.usage.output > 0);
  }
  CHECK(different.size() > 290);
}

TEST_CASE("the same dice give the same answer of the mock", "[llm][mock]") {
  const std::string schema = schema_json(type_of<Offer>());
  const auto a = make_provider(ModelSpec{}, {.parts = &llm_tests::shipped()});
  const auto b = make_provider(ModelSpec{}, {.parts = &llm_tests::shipped()});
  for (std::uint32_t i = 0; i < 20; ++i)
    CHECK(a->call(asks(schema), kNever, Dice(1, i)).call.text ==
          b->call(asks(schema), kNever, Dice(1, i)).call.text);
}

TEST_CASE("the mock finds the schema in the prompt, and keeps to the tags", "[llm][mock]") {
  const std::string schema = schema_json(type_of<Offer>());
  const auto mock = make_provider(ModelSpec{}, {.parts = &llm_tests::shipped()});
  const auto bare =
      mock->call(asks("", "Rules {odd} {\"a\": 1}. Form: " + schema), kNever, Dice(3));
  Offer offer;
  CHECK_FALSE(read_json(offer, bare.call.text, Missing::is_wrong));
  const auto tagged =
      mock->call(asks("", "Put JSON into <answer></answer>: " + schema), kNever, Dice(3));
  CHECK(tagged.call.text == "<answer>" + bare.call.text + "</answer>");
  const auto talk = mock->call(asks("", "Write down what to remember."), kNever, Dice(3));
  CHECK(talk.call.text.find('{') == std::string::npos);
  CHECK(talk.call.text.size() > 40);
}

TEST_CASE("the mock's first answers are the first of everything", "[llm][mock]") {
  Dice dice(1);
  const std::string text = mock::answer_to(schema_json(type_of<Offer>()), mock::Taste::first, dice);
  Offer offer;
  REQUIRE_FALSE(read_json(offer, text, Missing::is_wrong));
  CHECK(offer.give == 1);
  CHECK(offer.price.cents == 100);
  CHECK(offer.bid == 3);
  CHECK(offer.parts == std::vector<int>{0, 0, 0});
}

TEST_CASE("an illegal answer is JSON against the bounds", "[llm][mock]") {
  const std::string schema = schema_json(type_of<Offer>());
  for (std::uint32_t i = 0; i < 200; ++i) {
    Dice dice(5, i);
    const std::string text = mock::answer_to(schema, mock::Taste::illegal, dice);
    Offer offer;
    const auto problem = read_json(offer, text, Missing::is_wrong);
    INFO(text);
    REQUIRE(problem);
    CHECK(problem->fault != agon::Fault::ok);
  }
}

TEST_CASE("the mock's faults come at their rates, in the right class", "[llm][mock]") {
  ModelSpec spec;
  spec.mock.truncated = spec.mock.refused = spec.mock.empty = 0.2;
  const auto mock = make_provider(spec, {.parts = &llm_tests::shipped()});
  std::array<int, kFaults> seen{};
  for (std::uint32_t i = 0; i < 1000; ++i)
    ++seen[static_cast<std::size_t>(
        mock->call(asks(schema_json(type_of<Offer>())), kNever, Dice(11, i)).call.fault)];
  for (const agon::Fault fault :
       {agon::Fault::truncated, agon::Fault::refused, agon::Fault::empty}) {
    CHECK(seen[static_cast<std::size_t>(fault)] > 140);
    CHECK(seen[static_cast<std::size_t>(fault)] < 260);
  }
}

TEST_CASE("the mock keeps to a step between narrow bounds", "[llm][mock]") {
  const std::string schema =
      R"({"type":"number","multipleOf":0.01,"minimum":19.99,"maximum":20.01})";
  std::set<std::string> seen;
  for (std::uint32_t i = 0; i < 100; ++i) {
    Dice dice(3, i);
    seen.insert(mock::answer_to(schema, mock::Taste::random, dice));
  }
  CHECK(seen == std::set<std::string>{"19.99", "20", "20.01"});
}

TEST_CASE("the mock takes a number that the schema lists", "[llm][mock]") {
  std::set<std::string> seen;
  for (std::uint32_t i = 0; i < 100; ++i) {
    Dice dice(3, i);
    seen.insert(mock::answer_to(R"({"type":"number","enum":[2,3.5]})", mock::Taste::random, dice));
  }
  CHECK(seen == std::set<std::string>{"2", "3.5"});
}

}  // namespace
