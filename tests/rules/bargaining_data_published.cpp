// The published collection of prices: section 1.7 of the rules of bargaining. The files are not
// ours to ship; without them every case says so and passes.

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "bargaining/game.hpp"
#include "bargaining/products.hpp"
#include "catch.hpp"
#include "support/data_rows.hpp"
#include "support/folders.hpp"

using namespace bargaining;

namespace {

std::vector<Product> published() {
  const auto folder = agon::test::published_data_folder() / "amazon-history-price";
  if (!std::filesystem::is_directory(folder))
    SKIP("there is no " << folder << " (set AGON_DATA to the folder with the data)");
  std::vector<agon::InputFile> files;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    if (item.path().extension() != ".json") continue;
    std::ifstream stream(item.path(), std::ios::binary);
    files.push_back(
        {item.path().filename().string(), std::string{std::istreambuf_iterator<char>(stream), {}}});
  }
  REQUIRE(files.size() == 18);
  const agon::Imported made = agon::test::import("amazon-history-price", files);
  CHECK(made.bad_rows.empty());
  return agon::test::data_rows<Product>("agon.bargaining.products", made.data);
}

using Counts = std::map<std::string, int>;

}  // namespace

TEST_CASE("Bargaining 1.7: 930 products in 18 categories") {
  const auto products = published();
  REQUIRE(products.size() == 930);
  Counts categories;
  std::set<std::string> titles;
  std::size_t described = 0;
  for (const Product& product : products) {
    const int index = ++categories[product.category];
    CHECK(product.codename == product.category + "_" + std::to_string(index));
    titles.insert(product.title);
    if (!product.description.empty()) ++described;
  }
  CHECK(titles.size() == 930);
  CHECK(categories == Counts{{"automotive", 7},
                             {"baby-products", 11},
                             {"beauty", 12},
                             {"books", 13},
                             {"electronics", 284},
                             {"health-personal-care", 2},
                             {"home-kitchen", 23},
                             {"industrial-scientific", 2},
                             {"movies-tv", 75},
                             {"music", 5},
                             {"other", 288},
                             {"patio-lawn-garden", 10},
                             {"pet-supplies", 5},
                             {"software", 4},
                             {"sports-outdoors", 16},
                             {"tools-home-improvement", 144},
                             {"toys-games", 22},
                             {"video-games", 7}});
  CHECK(std::is_sorted(products.begin(), products.end(),
                       [](const Product& a, const Product& b) { return a.category < b.category; }));
  CHECK(described == 922);  // the other eight have neither a description nor features
}

TEST_CASE("Bargaining 1.7: 886 products of mutual and 44 of conflicting interest at 0.8") {
  const auto products = published();
  Counts conflicting;
  int mutual = 0;
  int guarded = 0;
  for (const Product& product : products) {
    const Zone found = zone(product, BudgetFactor("0.8"));
    if (found.guarded) ++guarded;
    if (found.interest == Interest::mutual)
      ++mutual;
    else
      ++conflicting[product.category];
    CHECK_FALSE((found.guarded && found.interest == Interest::conflicting));
  }
  CHECK(mutual == 886);
  CHECK(guarded == 15);
  CHECK(conflicting == Counts{{"electronics", 22},
                              {"other", 9},
                              {"beauty", 3},
                              {"tools-home-improvement", 3},
                              {"video-games", 3},
                              {"patio-lawn-garden", 2},
                              {"industrial-scientific", 1},
                              {"toys-games", 1}});
}

TEST_CASE("Bargaining 1.7: ranges of list price and cost") {
  const auto products = published();
  std::vector<std::int64_t> lists;
  std::vector<std::int64_t> costs;
  std::vector<double> ratios;
  double sum = 0;
  for (const Product& product : products) {
    CHECK(product.cost_cents < product.list_price_cents);
    lists.push_back(product.list_price_cents);
    costs.push_back(product.cost_cents);
    ratios.push_back(static_cast<double>(product.cost_cents) /
                     static_cast<double>(product.list_price_cents));
    sum += ratios.back();
  }
  std::sort(lists.begin(), lists.end());
  std::sort(costs.begin(), costs.end());
  std::sort(ratios.begin(), ratios.end());
  CHECK(lists.front() == 499);
  CHECK(lists.back() == 429'998);
  CHECK(costs.front() == 100);
  CHECK(costs.back() == 251'910);
  CHECK(std::abs(sum / 930 - .510798) < 5e-7);
  CHECK(std::abs(ratios.front() - .085584) < 5e-7);
  CHECK(std::abs(ratios.back() - .998020) < 5e-7);
}
