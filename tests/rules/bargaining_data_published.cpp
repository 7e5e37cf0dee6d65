// The published collection of prices: section 1.7 of the rules of bargaining. The files are not
// ours to ship; without them every case says so and passes.

#include <agon/importer.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "bargaining/importer.hpp"
#include "bargaining/products.hpp"
#include "bargaining/settings.hpp"
#include "catch.hpp"
#include "support/data_rows.hpp"
#include "support/folders.hpp"

using namespace bargaining;

namespace {

Imported published() {
  const auto folder = agon::test::published_data_folder() / "amazon-history-price";
  if (!std::filesystem::is_directory(folder))
    SKIP("there is no " << folder << " (set AGON_DATA to the folder with the data)");
  std::vector<SourceFile> files;
  for (const auto& item : std::filesystem::directory_iterator(folder)) {
    if (item.path().extension() != ".json") continue;
    std::ifstream stream(item.path(), std::ios::binary);
    files.push_back(
        {item.path().filename().string(), std::string{std::istreambuf_iterator<char>(stream), {}}});
  }
  REQUIRE(files.size() == 18);
  return import_amazon_history(std::move(files));
}

using Counts = std::map<std::string, int>;

}  // namespace

TEST_CASE("Bargaining 1.7: 930 products in 18 categories") {
  const auto found = published();
  CHECK(found.bad.empty());
  REQUIRE(found.products.size() == 930);
  Counts categories;
  std::set<std::string> titles;
  std::size_t described = 0;
  for (const Product& product : found.products) {
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
  CHECK(std::is_sorted(found.products.begin(), found.products.end(),
                       [](const Product& a, const Product& b) { return a.category < b.category; }));
  CHECK(described == 922);  // the other eight have neither a description nor features
}

TEST_CASE("Bargaining 1.7: 886 products of mutual and 44 of conflicting interest at 0.8") {
  const auto found = published();
  const auto counts = count_interests(found.products, BudgetFactor("0.8"));
  CHECK(counts.mutual == 886);
  CHECK(counts.conflicting == 44);
  CHECK(counts.guarded_mutual == 15);
  CHECK(counts.guarded_conflicting == 0);
  Counts conflicting;
  for (const Product& product : found.products) {
    if (zone(product).interest == Interest::conflicting) ++conflicting[product.category];
  }
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
  const auto found = published();
  std::vector<std::int64_t> lists;
  std::vector<std::int64_t> costs;
  std::vector<double> ratios;
  double sum = 0;
  for (const Product& product : found.products) {
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

TEST_CASE("Bargaining 1.7: what was imported survives Agon's own file") {
  const auto found = published();
  const auto text = write_products({"collection", "", "", ""}, found.products);
  CHECK(agon::test::data_rows<Product>("agon.bargaining.products", text) == found.products);
}
