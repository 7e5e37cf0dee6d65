// Texts in the words of a skin, and back.
#include <agon/conversion.hpp>
#include <agon/error.hpp>
#include <agon/form.hpp>
#include <agon/skin.hpp>

#include "catch.hpp"
#include "describe/skinned_types.hpp"
#include "describe/value.hpp"
#include "text/decimals.hpp"

using agon::Skin;
using agon::SkinText;

namespace {

SkinText words(std::map<std::string, std::string> map) {
  SkinText text;
  text.words = std::move(map);
  return text;
}

std::string refusal(const SkinText& text) {
  try {
    (void)Skin("test", text, "file: $");
  } catch (const agon::Error& error) {
    return error.where() + ": " + error.problem();
  }
  return {};
}

void check_both_ways(const Skin& skin, const std::string& original, const std::string& shown) {
  CHECK(skin.shown(original) == shown);
  CHECK(skin.original(shown) == original);
  CHECK(skin.problem_of(original).empty());
}

}  // namespace

TEST_CASE("A skin renames whole words, as they stand") {
  const Skin skin("test",
                  words({{"bid|bids", "offer|offers"},
                         {"auction", "sale"},
                         {"item", "permit"},
                         {"list price", "posted rate"},
                         {"Andy", "Kari"}}),
                  "file: $");
  check_both_ways(skin, "An auction of an item: bid, or two bids.",
                  "A sale of a permit: offer, or two offers.");
  check_both_ways(skin, "AUCTION. Bid. forbid rebids", "SALE. Offer. forbid rebids");
  check_both_ways(skin, R"({"bid":15,"list_price":2})", R"({"offer":15,"posted_rate":2})");
  check_both_ways(skin, "Andy and andy", "Kari and andy");
}

TEST_CASE("A skin's words map back even where a text has them already") {
  const Skin skin("test", words({{"auction", "sale"}, {"sale", "market"}}), "file: $");
  for (const char* text : {"auction sale market", "Market of an auction", "sale"})
    CHECK(skin.original(skin.shown(text)) == text);
  const Skin one("test", words({{"auction", "sale"}}), "file: $");
  CHECK(one.original(one.shown("a sale after an auction")) == "a sale after an auction");
  CHECK_THAT(one.problem_of("a sale after an auction"),
             Catch::Matchers::Contains("'sale', which stands for 'auction'"));
}

TEST_CASE("Amounts are scaled in decimals, exactly") {
  SkinText text = words({{"$", "kr "}, {"dollar|dollars", "krone|kroner"}});
  text.scale = 20;
  text.amounts = {"\"bid\":#", "# dollars", "highest first: #..."};
  const Skin skin("test", text, "file: $");
  check_both_ways(skin, "You have $70, and -$4.40.", "You have kr 1,400, and -kr 88.");
  check_both_ways(skin, "pay 0.07 dollars in 3 rounds", "pay 1.40 kroner in 3 rounds");
  check_both_ways(skin, "All, highest first: 45, 34 and 15.",
                  "All, highest first: 900, 680 and 300.");
  CHECK(skin.original(R"({"bid": 15})") == R"({"bid": 0.75})");
  CHECK(skin.shown_schema(
            R"({"type":"object","properties":{"bid":{"type":"number","maximum":1.15}}})") ==
        R"({"type":"object","properties":{"bid":{"type":"number","maximum":23}}})");
  CHECK(agon::text::scaled("0.1", 1000, true, true) == "0.0001");
  CHECK(agon::text::scaled("999999999999999999", 5, false, true) == "4999999999999999995");
  CHECK(agon::text::scaled("1234", 10, false, false) == "12340");
  CHECK(agon::text::scaled("500", 10, false, false) == "5,000");
}

TEST_CASE("A schema keeps its keywords, and lists options in the skin's order") {
  SkinText text = words({{"item|items", "permit|permits"}, {"deal", "contract"}});
  text.order = agon::OptionOrder::reversed;
  const Skin skin("test", text, "file: $");
  CHECK(skin.shown_schema(R"({"type":"object","properties":{"items":{"type":"array",)"
                          R"("items":{"enum":["deal","quit"]}}},"required":["items"]})") ==
        R"({"type":"object","properties":{"permits":{"type":"array",)"
        R"("items":{"enum":["quit","contract"]}}},"required":["permits"]})");
  CHECK(skin.shown("Fit this:\n{\"type\":\"object\",\"properties\":{\"items\":{}}}\nitems") ==
        "Fit this:\n{\"type\":\"object\",\"properties\":{\"permits\":{}}}\npermits");
}

TEST_CASE("A false skin is refused with its place") {
  const auto has = [](const std::string& text) { return Catch::Matchers::Contains(text); };
  CHECK_THAT(refusal(words({{"bid", "offer"}, {"item", "offer"}})),
             has("file: $.words.item: 'bid' and 'item' are both 'offer'"));
  CHECK_THAT(refusal(words({{"bid|bids", "offer"}})), has("has 2 forms"));
  CHECK_THAT(refusal(words({{"Andy", "kari"}})), has("do not both begin with a capital"));
  CHECK_THAT(refusal(words({{"bid|bid", "offer|call"}})), has("'bid' is renamed twice"));
  SkinText text = words({});
  text.scale = 3;
  CHECK_THAT(refusal(text), has("file: $.scale: a scale of 3 would show fractions of a cent"));
  text.scale = 10;
  text.amounts = {"dollars"};
  CHECK_THAT(refusal(text), has("file: $.amounts[0]: 'dollars' is no place of an amount"));
  CHECK(refusal(words({{"bid", "offer"}, {"offer", "bid"}})).empty());
}

TEST_CASE("A generated skin follows its seed") {
  agon::SkinFile file;
  file.skins["one"] = words({{"bid|bids|bidding", "offer|offers|offering"}, {"Andy", "Kari"}});
  const Skin one = generated_skin(file, 1), again = generated_skin(file, 1),
             other = generated_skin(file, 2);
  CHECK(one.words() == again.words());
  CHECK(one.words() != other.words());
  CHECK(one.name() == "generated-1");
  const std::string text = "Andy bids; bidding is a bid.";
  CHECK(one.original(one.shown(text)) == text);
  CHECK(one.shown(text).find("bid") == std::string::npos);
}

namespace {

enum class Wish : std::uint8_t { bid, pass };
AGON_DESCRIBE_ENUM(Wish, (bid, "make a bid"), (pass, "leave it"))

struct Move {
  Wish wish = Wish::bid;
  std::optional<int> bid{};
  std::string item{};
};
AGON_DESCRIBE(Move, (wish, "what to do"),
              (bid, "your bid", agon::unit("dollars"), agon::range(0, 50)), (item, "which item"))

Skin market(agon::OptionOrder order) {
  SkinText text =
      words({{"bid", "offer"}, {"item", "lot"}, {"dollars", "coins"}, {"Vase", "Horse"}});
  text.scale = 10;
  text.amounts = {"\"bid\":#", "# dollars"};
  text.order = order;
  return {"market", text, "file: $"};
}

}  // namespace

TEST_CASE("A value under a skin is read, bounded and mapped back in its words and amounts") {
  const agon::Type& type = agon::type_of<Move>();
  const auto types =
      agon::SkinnedTypes::of(std::make_shared<const Skin>(market(agon::OptionOrder::reversed)));
  const agon::Type& shown = types->shown(type);
  CHECK(&types->shown(type) == &shown);
  const std::string original = R"({"wish":"bid","bid":15,"item":"Vase"})";
  const std::string under = R"({"wish":"offer","offer":150,"lot":"Horse"})";
  CHECK(types->shown(type, original) == under);
  CHECK(types->original(type, under) == original);
  CHECK(types->original(type, R"({"wish":"pass","offer":null,"lot":"a Horse"})") ==
        R"({"wish":"pass","bid":null,"item":"a Vase"})");
  // A person is told of it as anybody is: with names, meanings, units and bounds of the skin.
  CHECK(agon::plain_line(&shown, under) == "wish offer, offer 150 coins, lot Horse");
  CHECK(shown.fields[1].doc == "your offer");
  CHECK(shown.fields[1].max == 500);
  CHECK(shown.fields[0].type->enumerators[0].name == "pass");
  // Limits of the moment are those of the same places.
  const std::string_view items[] = {"Vase", "Urn"};
  const agon::LimitData limits[] = {
      {.slot = 0, .kind = agon::LimitKind::alternatives, .lo = 1},
      {.slot = 2, .kind = agon::LimitKind::range, .lo = 5, .hi = 20},
      {.slot = 3, .kind = agon::LimitKind::names, .n = 2, .names = items}};
  const agon::OwnedLimits bounds = types->shown(type, limits);
  const auto problem = [&](const std::string& json) {
    agon::Value value(shown);
    const auto found = read_json(shown, value.get(), json, bounds.get());
    return found ? found->text() : "";
  };
  CHECK(problem(under).empty());
  CHECK_THAT(problem(R"({"wish":"pass","offer":150,"lot":"Horse"})"),
             Catch::Matchers::Contains("pass"));
  CHECK_THAT(problem(R"({"wish":"offer","offer":210,"lot":"Horse"})"),
             Catch::Matchers::Contains("210 is more than 200"));
  CHECK_THAT(problem(R"({"wish":"offer","offer":150,"lot":"Vase"})"),
             Catch::Matchers::Contains("Urn, Horse"));
  // What ends a match is asked of the same answer.
  const auto ends = types->shown(type, agon::Callback<bool(const void*)>([](const void* answer) {
                                   return static_cast<const Move*>(answer)->bid == 15;
                                 }));
  agon::Value answer(shown);
  REQUIRE_FALSE(read_json(shown, answer.get(), under));
  CHECK(ends(answer.get()));
}
