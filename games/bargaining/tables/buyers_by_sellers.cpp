#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <map>

#include "bargaining/tables/pairs.hpp"
#include "bargaining/tables/tables.hpp"
#include "shared/tables.hpp"

namespace bargaining {
namespace {

/// Sessions of mutual interest of one buyer and one seller, under one budget.
struct Met {
  agon::Sample deal, part, part_of_deal, beats;
};

}  // namespace

agon::PaperTable buyers_by_sellers(const agon::PlayedMatches& matches) {
  // In the order in which they first sat down, which is the suite's.
  std::vector<std::string> buyers, sellers;
  const auto note = [](std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  std::map<std::pair<std::string, std::string>, Met> all;
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    const std::string seller =
        pair.seller + (pair.factor == "0.8" ? "" : ", B " + pair.factor + " L");
    note(buyers, pair.buyer);
    note(sellers, seller);
    if (match.metric("mutual") != 1) return;
    Met& met = all[{pair.buyer, seller}];
    const std::string product = product_of(match);
    const double part = match.metric(match.seats()[0], "snp");
    const bool deal = match.metric("deal") == 1;
    met.deal.add(product, deal);
    met.part.add(product, part);
    if (!deal) return;
    met.part_of_deal.add(product, part);
    met.beats.add(product, part > 0.5 + 1e-9 ? 1 : 0);
  });
  if (all.empty()) throw agon::LacksData{"sessions in which the cost is within the budget"};

  agon::PaperTable table;
  table.corner = "sellers: buyers";
  table.columns = buyers;
  const double level = matches.level();
  for (const std::string& seller : sellers) {
    table.rows.push_back({seller, std::vector<agon::TableCell>(buyers.size())});
    const auto row = [&](std::string label, const auto& figure_of) {
      agon::TableRow made{"  " + std::move(label), {}};
      for (const std::string& buyer : buyers) {
        const auto met = all.find({buyer, seller});
        const agon::Figure figure = met == all.end() ? agon::Figure{} : figure_of(met->second);
        made.cells.push_back(met == all.end()  ? agon::TableCell{}
                             : !(figure.n > 0) ? agon::TableCell{.text = "no deal"}
                                               : shared::cell(figure, 3));
      }
      table.rows.push_back(std::move(made));
    };
    row("deals", [&](const Met& met) { return met.deal.share(level); });
    row("buyer's part, a session", [&](const Met& met) { return met.part.mean(level); });
    row("buyer's part, a deal", [&](const Met& met) { return met.part_of_deal.mean(level); });
    row("deals in which it beats the seller",
        [&](const Met& met) { return met.beats.share(level); });
  }
  table.notes = {
      "Sessions in which the cost is within the budget. Part: of what lies between cost and "
      "budget, "
      "(B - D) / (B - C); a session without a deal has 0, and above a half the buyer did better "
      "than the seller. n: sessions, or deals."};
  return table;
}

}  // namespace bargaining
