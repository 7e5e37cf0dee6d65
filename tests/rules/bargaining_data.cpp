// Products, prices and interests: sections 1.1 and 1.7 of the rules of bargaining.

#include <agon/error.hpp>
#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "bargaining/game.hpp"
#include "bargaining/products.hpp"
#include "catch.hpp"
#include "support/data_rows.hpp"
#include "support/folders.hpp"

using namespace bargaining;
using agon::test::data_rows;

namespace {

constexpr std::string_view kFormat = "agon.bargaining.products";

std::string shipped() {
  const auto path = agon::test::source_folder() / "games/bargaining/data/catalogue.json";
  std::ifstream stream(path, std::ios::binary);
  REQUIRE(stream);
  return {std::istreambuf_iterator<char>(stream), {}};
}

struct ImportedProducts {
  std::vector<Product> products;
  std::vector<agon::BadRow> bad;
};

ImportedProducts imported(const std::vector<agon::InputFile>& files) {
  const agon::Imported made = agon::test::import("amazon-history-price", files);
  return {data_rows<Product>(kFormat, made.data), made.bad_rows};
}

/// The cost of a product at that lowest price, as the importer reads it; nothing: it is no price.
std::optional<std::int64_t> cost_at(const std::string& price) {
  const auto found =
      imported({{"c.json", R"([{"title": "x", "category": "c", "list_price": ")"
                           R"($100000000", "highest_price": "$1", "lowest_price": ")" +
                               price + "\"}]"}});
  if (found.products.empty()) return std::nullopt;
  return found.products.front().cost_cents;
}

int conflicting(const std::vector<Product>& products) {
  return static_cast<int>(std::count_if(products.begin(), products.end(), [](const Product& p) {
    return zone(p).interest == Interest::conflicting;
  }));
}

Product priced(std::int64_t list, std::int64_t cost) {
  return {"c_1", "c", "a thing", "", list, cost};
}

std::string entry(const std::string& members) {
  return R"({"title": "Lamp", "category": "home", "list_price": "$10.00", )"
         R"("highest_price": "$12.50", "lowest_price": "$7.05")" +
         members + "}";
}

}  // namespace

TEST_CASE("Bargaining 1.1: prices become cents exactly") {
  CHECK(cost_at("$1,234.56") == 123456);
  CHECK(cost_at("$0.01") == 1);
  CHECK(cost_at("1234.5") == 123450);
  CHECK(cost_at("$7") == 700);
  CHECK(cost_at("$1,000,000") == 100'000'000);
  CHECK(cost_at("$100,000,000.00") == kMaxPriceCents);
  // 1.10, 4.35 and 1.15 are not binary fractions.
  CHECK(cost_at("$1.10") == 110);
  CHECK(cost_at("$4.35") == 435);
  CHECK(cost_at("$1.15") == 115);
  for (const char* wrong :
       {"", "$", "$-1.00", "1,23.00", "1234,567.00", ",123", "1,,234", "1.234", "1.", ".5",
        "$1.2.3", "12a", "1e5", "$100,000,000.01", "$ 5", "99999999999999999999"}) {
    CAPTURE(wrong);
    CHECK_FALSE(cost_at(wrong));
  }
}

TEST_CASE("Bargaining 1.1: a budget factor is the decimal it is written as") {
  CHECK(BudgetFactor().numerator() == 4);
  CHECK(BudgetFactor().denominator() == 5);
  CHECK(BudgetFactor("0.8") == BudgetFactor());
  CHECK(BudgetFactor(0.8) == BudgetFactor());
  CHECK(BudgetFactor("1").denominator() == 1);
  CHECK(BudgetFactor("0.333333").numerator() == 333333);
  CHECK(BudgetFactor(1.25).numerator() == 5);
  for (const char* wrong :
       {"", "0", "0.0", "-0.8", "0.8f", "100.000001", "0.1234567", ".8", "4/5"}) {
    CAPTURE(wrong);
    CHECK_THROWS_AS(BudgetFactor(std::string_view(wrong)), agon::Error);
  }
  CHECK_THROWS_AS(BudgetFactor(1.0 / 3), agon::Error);
  CHECK_THROWS_AS(BudgetFactor(std::numeric_limits<double>::quiet_NaN()), agon::Error);
  CHECK_THROWS_AS(BudgetFactor(std::numeric_limits<double>::infinity()), agon::Error);
  CHECK_THROWS_AS(BudgetFactor(1e300), agon::Error);
}

TEST_CASE("Bargaining 1.1: interest is mutual when the budget just covers the cost") {
  CHECK(zone(priced(1000, 800)).interest == Interest::mutual);
  CHECK(zone(priced(1000, 800)).scaled_gap == 0);
  CHECK(zone(priced(1000, 801)).interest == Interest::conflicting);
  // The budget is 800.8 cents and is not rounded.
  CHECK(zone(priced(1001, 801)).interest == Interest::conflicting);
  CHECK(zone(priced(1001, 800)).scaled_gap == 4);
  // 0.7 times 10.00 is a little less than 7.00 in binary.
  CHECK(zone(priced(1000, 700), BudgetFactor(0.7)).interest == Interest::mutual);
}

TEST_CASE("Bargaining 1.1: gaps below one dollar are guarded") {
  CHECK(zone(priced(1000, 701)).guarded);
  CHECK_FALSE(zone(priced(1000, 700)).guarded);
  CHECK(zone(priced(1000, 899)).guarded);
  CHECK_FALSE(zone(priced(1000, 900)).guarded);
  CHECK(zone(priced(1000, 800)).guarded);
  // The largest price and the finest factor stay exact.
  const auto far = zone(priced(kMaxPriceCents, 1), BudgetFactor("99.999999"));
  CHECK(far.scaled_gap == 99'999'999 * kMaxPriceCents - 1'000'000);
}

TEST_CASE("Bargaining 1.1: what a product of the collection becomes") {
  const std::string file = "[" + entry("") + ",\n" +
                           entry(R"(, "description": "NA", "features": "warm light")") + ",\n" +
                           entry(R"(, "description": "dim", "features": "no")") + ",\n" +
                           entry(R"(, "description": "A lamp.", "features": "much longer text")") +
                           ",\n" + entry(R"(, "description": "äöüß", "features": "bright")") + "]";
  const auto found = imported({{"home.json", file}});
  CHECK(found.bad.empty());
  REQUIRE(found.products.size() == 5);
  CHECK(found.products[0] == Product{"home_1", "home", "Lamp", "", 1250, 705});
  CHECK(found.products[1].codename == "home_2");
  CHECK(found.products[1].description == "warm light");
  CHECK(found.products[2].description == "dim");
  CHECK(found.products[3].description == "A lamp.");
  CHECK(found.products[4].description == "bright");  // four characters, eight bytes
}

TEST_CASE("Bargaining 1.1: files are read in order of their names") {
  const std::string file = "[" + entry("") + "]";
  std::string other = file;
  other.replace(other.find("home"), 4, "arts");
  const auto found = imported({{"home.json", file}, {"arts.json", other}});
  REQUIRE(found.products.size() == 2);
  CHECK(found.products[0].codename == "arts_1");
  CHECK(found.products[1].codename == "home_1");
  CHECK_THROWS_AS(imported({{"a.json", file}, {"a.json", file}}), agon::Error);
  CHECK_THROWS_AS(imported({{"a.json", "{}"}}), agon::Error);
  CHECK_THROWS_AS(imported({{"a.json", "[{]"}}), agon::Error);
}

TEST_CASE("Bargaining 1.1: bad entries are listed, and keep their place in the count") {
  const std::string cheap =
      R"({"title": "x", "category": "home", "list_price": "$1.00", "highest_price": "$1.00", )"
      R"("lowest_price": "$2.00"})";
  const std::string free =
      R"({"title": "x", "category": "home", "list_price": "$1.00", "highest_price": "$1.00", )"
      R"("lowest_price": "$0.00"})";
  const std::string file =
      "[\n7,\n{},\n" + cheap + ",\n" + free + ",\n" + entry(R"(, "description": 5)") + ",\n" +
      R"({"title": "x", "category": "home", "list_price": "ten"})" + ",\n" + entry("") + "\n]";
  const auto found = imported({{"home.json", file}});
  REQUIRE(found.products.size() == 1);
  CHECK(found.products[0].codename == "home_7");
  std::vector<std::string> reasons;
  for (const agon::BadRow& bad : found.bad) {
    CHECK(bad.file == "home.json");
    CHECK(bad.line == static_cast<std::int64_t>(reasons.size()) + 2);
    reasons.push_back(bad.reason);
  }
  CHECK(reasons == std::vector<std::string>{
                       "the entry is not an object",
                       "\"category\" is missing or empty",
                       "the cost of 200 cents is above the list price of 100",
                       "the cost is 0 cents instead of 1 to 10000000000",
                       "\"description\" is not a text",
                       "\"list_price\" is \"ten\", which is no price",
                   });
}

TEST_CASE("Bargaining 1.7: the shipped catalogue has the shape of the published prices") {
  const auto text = shipped();
  const auto products = data_rows<Product>(kFormat, text);
  REQUIRE(products.size() == 180);
  std::map<std::string, int> categories;
  std::set<std::string> titles;
  std::set<std::string> descriptions;
  double ratios = 0;
  double lowest = 1;
  double highest = 0;
  std::vector<std::int64_t> prices;
  for (const Product& product : products) {
    const int index = ++categories[product.category];
    CHECK(product.codename == product.category + "_" + std::to_string(index));
    CHECK(titles.insert(product.title).second);
    CHECK(descriptions.insert(product.description).second);
    CHECK(product.description.size() > 20);
    CHECK(product.cost_cents < product.list_price_cents);
    const double ratio =
        static_cast<double>(product.cost_cents) / static_cast<double>(product.list_price_cents);
    ratios += ratio;
    lowest = std::min(lowest, ratio);
    highest = std::max(highest, ratio);
    prices.push_back(product.list_price_cents);
  }
  CHECK(categories.size() == 18);
  CHECK(std::all_of(categories.begin(), categories.end(),
                    [](const auto& category) { return category.second == 10; }));
  const double mean = ratios / 180;
  CHECK(mean > .50);
  CHECK(mean < .52);
  CHECK(lowest > .08);
  CHECK(lowest < .12);
  CHECK(highest > .98);
  std::sort(prices.begin(), prices.end());
  CHECK(prices.front() >= 499);
  CHECK(prices.back() <= 430'000);
  CHECK(prices.back() > 200'000);
  CHECK(conflicting(products) == 9);
}
