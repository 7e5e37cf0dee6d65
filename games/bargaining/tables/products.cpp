#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"
#include "bargaining/tables/tables.hpp"
#include "shared/tables.hpp"

// What is bargained over.

namespace bargaining {
namespace {

/// All products that any match could be about, each once.
std::map<std::string, Product> products_of(const agon::PlayedMatches& matches) {
  std::map<std::string, Product> all;
  std::string last;
  matches.each([&](const agon::PlayedMatch& match) {
    if (last == match.settings()) return;
    last = match.settings();
    if (const auto settings = shared::settings_of<Settings>(match))
      for (const Product& product : settings->products) all.emplace(product.codename, product);
  });
  if (all.empty()) throw agon::LacksData{"matches with products that can be read"};
  return all;
}

constexpr const char* kWhoseProducts =
    "Products that the scenarios of the archive deal from. Published: worked out from the files of "
    "AmazonHistoryPrice, which 'agon import amazon-history-price' reads; the products that ship "
    "are others.";

double dollars(std::int64_t cents) {
  return static_cast<double>(cents) / 100;
}

agon::TableRow spread_row(std::string label, std::vector<double> values, int decimals) {
  const agon::Spread s = agon::spread(values);
  agon::TableRow row{std::move(label), {}};
  for (const double value : {s.low, s.lower_quartile, s.median, s.upper_quartile, s.high, s.mean})
    row.cells.push_back(shared::number(value, decimals));
  return row;
}

}  // namespace

agon::PaperTable product_categories(const agon::PlayedMatches& matches) {
  std::map<std::string, int> count;
  const shared::PublishedTable& printed = published("bargaining/figure-2");
  for (const std::string& category : printed.rows()) count[category];
  count.erase("all");
  int total = 0;
  for (const auto& [codename, product] : products_of(matches)) ++count[product.category], ++total;
  agon::PaperTable table;
  table.corner = "category";
  table.columns = {"products"};
  for (const auto& [category, products] : count)
    table.rows.push_back({category, {shared::number(products, 0)}});
  table.rows.push_back({"all", {shared::number(total, 0)}});
  printed.fill(table);
  table.units = {"products"};
  // All together is no category.
  table.rows.back().plotted = false;
  table.plots = {{.how = agon::TablePlot::How::bars}};
  table.notes = {kWhoseProducts};
  return table;
}

agon::PaperTable product_prices(const agon::PlayedMatches& matches) {
  std::vector<double> list, cost, share;
  for (const auto& [codename, product] : products_of(matches)) {
    list.push_back(dollars(product.list_price_cents));
    cost.push_back(dollars(product.cost_cents));
    share.push_back(static_cast<double>(product.cost_cents) /
                    static_cast<double>(product.list_price_cents));
  }
  agon::PaperTable table;
  table.corner = "of the products";
  table.columns = {"least", "lower quartile", "median", "upper quartile", "most", "mean"};
  table.rows.push_back(spread_row("list price L, dollars", list, 2));
  table.rows.push_back(spread_row("cost C, dollars", cost, 2));
  table.rows.push_back(spread_row("C over L", share, 6));
  published("bargaining/figure-4").fill(table);
  table.rows[0].unit = table.rows[1].unit = "dollars";
  table.rows[2].unit = "cost over list price";
  table.plots = {{.how = agon::TablePlot::How::boxes}};
  table.notes = {"Quartiles interpolate.", kWhoseProducts};
  return table;
}

agon::PaperTable price_classes(const agon::PlayedMatches& matches) {
  constexpr std::array kBounds{10, 20, 50, 100, 200, 500, 1000, 2000};
  std::array<std::array<int, 2>, kBounds.size() + 1> count{};
  for (const auto& [codename, product] : products_of(matches))
    for (const std::size_t which : {0U, 1U}) {
      const std::int64_t cents = which == 0 ? product.list_price_cents : product.cost_cents;
      const auto above = std::find_if(kBounds.begin(), kBounds.end(),
                                      [&](int dollars) { return cents < dollars * 100; });
      ++count[static_cast<std::size_t>(above - kBounds.begin())][which];
    }
  agon::PaperTable table;
  table.corner = "price";
  table.columns = {"list price", "cost"};
  table.units = {"products"};
  table.plots = {{.how = agon::TablePlot::How::bars}};
  for (std::size_t i = 0; i < count.size(); ++i)
    table.rows.push_back({i == 0 ? fmt::format("under ${}", kBounds.front())
                          : i == kBounds.size()
                              ? fmt::format("${} and more", kBounds.back())
                              : fmt::format("${} to under ${}", kBounds[i - 1], kBounds[i]),
                          {shared::number(count[i][0], 0), shared::number(count[i][1], 0)}});
  published("bargaining/figure-2-prices").fill(table);
  table.notes = {kWhoseProducts};
  return table;
}

agon::PaperTable cost_shares(const agon::PlayedMatches& matches) {
  constexpr std::size_t kParts = 10;
  std::vector<double> share;
  for (const auto& [codename, product] : products_of(matches))
    share.push_back(static_cast<double>(product.cost_cents) /
                    static_cast<double>(product.list_price_cents));
  agon::PaperTable table;
  table.corner = "cost over list price";
  table.columns = {"products"};
  table.units = {"products"};
  table.plots = {{.how = agon::TablePlot::How::bars}};
  const auto parts = agon::histogram(share, 0, 1, kParts);
  for (std::size_t part = 0; part < kParts; ++part)
    table.rows.push_back({fmt::format("{:.1f} to {:.1f}", static_cast<double>(part) / 10,
                                      static_cast<double>(part + 1) / 10),
                          {shared::number(parts[part], 0)}});
  published("bargaining/figure-4-shares").fill(table);
  table.notes = {"A part holds its lower end, the last one both.", kWhoseProducts};
  return table;
}

}  // namespace bargaining
