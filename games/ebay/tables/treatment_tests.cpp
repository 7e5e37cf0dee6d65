#include <agon/analysis/statistics.hpp>
#include <cmath>

#include "ebay/tables/groups.hpp"
#include "ebay/tables/tables.hpp"

namespace ebay {

namespace {

std::vector<double> values(const Group& group, double Auction::*value) {
  std::vector<double> all;
  for (const Auction& a : group.auctions)
    if (!std::isnan(a.*value)) all.push_back(a.*value);
  return all;
}

agon::TableCell number(double value, double n, int decimals) {
  return {.ours = {.value = value, .n = n}, .decimals = decimals};
}

}  // namespace

agon::PaperTable treatment_tests(const agon::PlayedMatches& matches) {
  const std::vector<Group> groups = groups_of(matches);
  const bool with_bidders = differ_in_bidders(groups);
  agon::PaperTable table;
  table.corner = "treatments";
  table.columns = {"price: t",     "price: df",     "price: p",
                   "final bid: t", "final bid: df", "final bid: p"};
  for (std::size_t i = 0; i < groups.size(); ++i)
    for (std::size_t j = i + 1; j < groups.size(); ++j) {
      if (groups[i].bidders != groups[j].bidders) continue;
      agon::TableRow row{groups[i].label(with_bidders) + " - " + groups[j].label(false), {}};
      for (double Auction::*value : {&Auction::price, &Auction::final_bid_day}) {
        const std::vector<double> a = values(groups[i], value);
        const std::vector<double> b = values(groups[j], value);
        const agon::TTest test = agon::welch(a, b);
        const auto n = static_cast<double>(a.size() + b.size());
        row.cells.push_back(number(test.t, n, 2));
        row.cells.push_back(number(test.degrees, n, 1));
        row.cells.push_back(number(test.p, n, 3));
      }
      table.rows.push_back(std::move(row));
    }
  if (table.rows.empty()) throw agon::LacksData{"auctions of the same bidders in two treatments"};
  table.notes = {
      "Welch's tests of the final price and of the day of the final winning bid, two-sided, not "
      "adjusted for their number. The paper finds no pair significant.",
      "The values of an auction are taken as independent of those of any other, as in the paper; "
      "treatments of one scenario share their random numbers.",
  };
  return table;
}

}  // namespace ebay
