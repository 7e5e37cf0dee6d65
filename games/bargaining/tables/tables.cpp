#include "bargaining/tables/tables.hpp"

#include <fmt/format.h>

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bargaining/game.hpp"
#include "bargaining/play.hpp"
#include "shared/tables.hpp"

namespace bargaining {

/// Who bargained under which budget.
struct Pair {
  std::string factor;  ///< of the list price, as the settings have it: "0.8"
  std::string buyer, seller;
  auto operator<=>(const Pair&) const = default;
};

/// Calls `each` with every session and who bargained in it.
void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each);

/// What sessions about one product share: they are no independent observations.
[[nodiscard]] std::string product_of(const agon::PlayedMatch& match);

/// Gives `table` a column for each of them, in this order. Who is the same throughout stands in the
/// corner alone.
void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs);

namespace {

/// Interests: mutual where C <= B, conflicting where C > B; and both together.
constexpr std::size_t kInterests = 3;
constexpr std::array<const char*, kInterests> kInterestNames{"mutual interest", "conflict", "all"};

/// What one side got, by interests.
struct SideSums {
  std::array<double, kInterests> profit{}, normalised{};
  std::array<agon::Sample, kInterests> share;
};

/// All sessions of one buyer, one seller and one budget factor.
struct Bargains {
  agon::Sample valid, deal, deal_if_valid, deal_mutual, deal_conflict;
  std::array<SideSums, 2> sides;  ///< buyer, seller
};

void add_session(const agon::PlayedMatch& match, Bargains& bargains) {
  const std::string product = product_of(match);
  const auto add = [&](agon::Sample& sample, const char* metric) {
    sample.add(product, match.metric(metric));
  };
  add(bargains.valid, "valid");
  add(bargains.deal, "deal");
  add(bargains.deal_if_valid, "deal_if_valid");
  add(bargains.deal_mutual, "deal_mutual");
  add(bargains.deal_conflict, "deal_conflict");
  const bool closed = match.metric("deal") == 1;
  const std::size_t interest = match.metric("mutual") == 1 ? 0 : 1;
  for (std::size_t side = 0; side < 2; ++side) {
    const agon::PlayedSeat& seat = match.seats()[side];
    SideSums& sums = bargains.sides[side];
    for (const std::size_t i : {interest, kInterests - 1}) {
      const double normalised = match.metric(seat, "snp");
      sums.profit[i] += match.metric(seat, "profit") / 100;
      sums.normalised[i] += normalised;
      if (closed) sums.share[i].add(product, normalised);
    }
  }
}

agon::PaperTable bargains_table(const agon::PlayedMatches& matches) {
  std::map<Pair, Bargains> all;
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    add_session(match, all[pair]);
  });
  agon::PaperTable table;
  std::vector<Pair> pairs;
  for (const auto& [pair, bargains] : all) pairs.push_back(pair);
  name_columns(table, pairs);
  const double level = matches.level();
  const auto row = [&](const std::string& label, int decimals, const auto& figure_of) {
    agon::TableRow& made = table.rows.emplace_back(agon::TableRow{label, {}});
    for (const auto& [key, bargains] : all)
      made.cells.push_back({.ours = figure_of(bargains), .decimals = decimals});
  };
  const auto heading = [&](const std::string& label) {
    table.rows.push_back({label, std::vector<agon::TableCell>(table.columns.size())});
  };
  row("valid rate", 3, [&](const Bargains& b) { return b.valid.share(level); });
  row("deal rate, of all sessions", 3, [&](const Bargains& b) { return b.deal.share(level); });
  row("deal rate, of valid sessions", 3,
      [&](const Bargains& b) { return b.deal_if_valid.share(level); });
  row("  mutual interest", 3, [&](const Bargains& b) { return b.deal_mutual.share(level); });
  row("  conflict", 3, [&](const Bargains& b) { return b.deal_conflict.share(level); });
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string who = side == 0 ? "buyer" : "seller";
    heading(who + ": sum of profits, dollars");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 2,
          [&](const Bargains& b) { return agon::Figure{.value = b.sides[side].profit[i]}; });
    heading(who + ": SNP, sum of normalised profits");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 2,
          [&](const Bargains& b) { return agon::Figure{.value = b.sides[side].normalised[i]}; });
    heading(who + ": share, normalised profit a deal");
    for (std::size_t i = 0; i < kInterests; ++i)
      row(std::string("  ") + kInterestNames[i], 3,
          [&](const Bargains& b) { return b.sides[side].share[i].mean(level); });
  }
  table.notes = {
      "Mutual interest: the cost is within the budget; conflict: it is above, and no deal is best. "
      "A session with a wrong action is not valid, stays among all sessions, and is no deal. n: "
      "sessions, or deals. The deal rates of mutual interest and conflict are of valid sessions.",
      "Normalised profit: profit over |B - C|. In every deal both sides' add up to 1 with mutual "
      "interest, and to -1 in conflict.",
      "The paper's headline, a deal rate of 26.67% that the offer generator lifts to 88.88%, with "
      "about ten times the profit, is not verified: which model and which denominator it is of "
      "could not be told, so that no number of ours stands beside it."};
  return table;
}

}  // namespace

void add_tables(agon::Registry& registry) {
  shared::add_paper_tables(
      registry, "bargaining",
      {
          {"bargaining/experiment-a", "models as buyers: deals, profits, shares",
           "Xia et al. 2024, section 4", "papers/bargaining/experiment-a.json", &bargains_table},
          {"bargaining/experiment-b", "models as sellers: deals, profits, shares",
           "Xia et al. 2024, section 4", "papers/bargaining/experiment-b.json", &bargains_table},
          {"bargaining/experiment-c", "buyers with an offer generator: deals, profits, shares",
           "Xia et al. 2024, section 5", "papers/bargaining/experiment-c.json", &bargains_table},
          {"bargaining/experiment-d", "other budgets and ladders of offers: deals, profits, shares",
           "Xia et al. 2024, section 5", "papers/bargaining/experiment-d.json", &bargains_table},
          {"bargaining/figure-2", "products by category", "Xia et al. 2024, figure 2",
           "papers/bargaining/experiment-a.json", &product_categories},
          {"bargaining/figure-4", "list prices, costs, and cost over list price",
           "Xia et al. 2024, figure 4", "papers/bargaining/experiment-a.json", &product_prices},
          {"bargaining/figure-5", "the buyer's normalised profits, and buyers who beat sellers",
           "Xia et al. 2024, figure 5", "papers/bargaining/experiment-a.json", &normalised_profits},
          {"experiments/buyers-by-sellers", "what each buyer gets of each seller",
           "an experiment after Xia et al. 2024, section 5",
           "experiments/narrator-against-adversaries.json", &buyers_by_sellers},
      });
  registry.add(shared::own_table("bargaining/offers", "how offers come nearer, turn by turn",
                                 "bargaining", &offer_ladders));
}

void each_session(const agon::PlayedMatches& matches,
                  const std::function<void(const Pair&, const agon::PlayedMatch&)>& each) {
  // Settings hold all products; matches of a scenario come one after the other and share them.
  std::string settings, factor;
  bool any = false;
  matches.each([&](const agon::PlayedMatch& match) {
    if (match.seats().size() != 2) return;
    if (settings != match.settings()) {
      settings = match.settings();
      factor = agon::JsonDocument(settings, "settings").root()["factor"].number_text();
    }
    any = true;
    each({factor, std::string(match.seats()[0].agent), std::string(match.seats()[1].agent)}, match);
  });
  if (!any) throw agon::LacksData{"finished matches"};
}

std::string product_of(const agon::PlayedMatch& match) {
  return fmt::format("{:g}", match.metric("product"));
}

void name_columns(agon::PaperTable& table, const std::vector<Pair>& pairs) {
  std::set<std::string> buyers, sellers;
  for (const Pair& pair : pairs) {
    buyers.insert(pair.buyer);
    sellers.insert(pair.seller);
  }
  const bool one_seller = sellers.size() == 1;
  const bool one_buyer = !one_seller && buyers.size() == 1;
  table.corner = one_seller  ? "buyers against " + *sellers.begin()
                 : one_buyer ? "sellers against " + *buyers.begin()
                             : "buyer - seller";
  for (const Pair& pair : pairs)
    table.columns.push_back((one_seller  ? pair.buyer
                             : one_buyer ? pair.seller
                                         : pair.buyer + " - " + pair.seller) +
                            (pair.factor == "0.8" ? "" : ", B " + pair.factor + " L"));
}

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
  table.notes = {
      "Products that the scenarios of the archive deal from. Published: counted in the files of "
      "AmazonHistoryPrice, which 'agon import amazon-history-price' reads; the products that ship "
      "are others."};
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
  constexpr std::size_t kParts = 10;
  table.rows.push_back(
      {"products by C over L", std::vector<agon::TableCell>(table.columns.size())});
  const auto parts = agon::histogram(share, 0, 1, kParts);
  for (std::size_t part = 0; part < kParts; ++part) {
    agon::TableRow row{fmt::format("  {:.1f} to {:.1f}", static_cast<double>(part) / 10,
                                   static_cast<double>(part + 1) / 10),
                       std::vector<agon::TableCell>(table.columns.size())};
    row.cells[0] = shared::number(parts[part], 0);
    table.rows.push_back(std::move(row));
  }
  table.notes = {
      "Prices of the products that the scenarios of the archive deal from; quartiles interpolate. "
      "In the rows by C over L the first column counts products. Published: worked out from the "
      "files of AmazonHistoryPrice, which 'agon import amazon-history-price' reads; the products "
      "that ship are others."};
  return table;
}

}  // namespace bargaining

// How offers come nearer: the game's own table.

namespace bargaining {

agon::PaperTable offer_ladders(const agon::PlayedMatches& matches) {
  shared::MeanCurves curves;
  matches.each([&](const agon::PlayedMatch& match) {
    const double list = match.metric("list_price");
    if (match.seats().size() != 2 || !(list > 0)) return;
    const std::string heading = shared::scenario_of(match), block = shared::block_of(match);
    const auto most = static_cast<std::size_t>(std::max(0.0, match.metric("turns")));
    for (std::size_t turn = 0; turn < most; ++turn) {
      curves.add_theory(heading, "budget", turn, match.metric("budget") / list);
      curves.add_theory(heading, "cost", turn, match.metric("cost") / list);
    }
    agon::each_said<kSaying>(match, [&](const Saying& said) {
      const auto add = [&](std::size_t seat, const char* role, agon::Money price) {
        curves.add(heading, std::string(match.seats()[seat].agent) + role,
                   static_cast<std::size_t>(said.turn) - 1, block,
                   static_cast<double>(price.cents) / list);
      };
      if (const auto* bid = std::get_if<Buy>(&said.action)) add(0, " as buyer", bid->price);
      if (const auto* ask = std::get_if<Sell>(&said.action)) add(1, " as seller", ask->price);
    });
  });
  if (curves.empty()) throw agon::LacksData{"recorded matches with offers"};
  return curves.table({.x = "turn", .y = "offer over list price"}, {.decimals = 2}, matches.level(),
                      {"Mean of the offers that were made in a turn, as a share of the list price; "
                       "budget and cost are the means of the matches that came to this turn. Who "
                       "has a deal makes no more offers. n: offers."});
}

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

namespace {

/// The parts of the histogram; what lies outside is in the first and the last.
constexpr double kLow = -2, kHigh = 2, kWidth = 0.25;
constexpr auto kParts = static_cast<std::size_t>((kHigh - kLow) / kWidth);

/// The buyer's normalised profits over the deals of one kind of session.
struct ProfitSamples {
  std::vector<double> all;
  agon::Sample mean, beats;
};

/// Of a deal the two sides' normalised profits add up to 1 with mutual interest and to -1 in
/// conflict: half of it is where neither did better.
constexpr std::array<double, 2> kHalf{0.5, -0.5};

std::string part_label(std::size_t part) {
  const double low = kLow + static_cast<double>(part) * kWidth;
  if (part == 0) return fmt::format("  under {:.2f}", low + kWidth);
  if (part + 1 == kParts) return fmt::format("  {:.2f} and more", low);
  return fmt::format("  {:.2f} to {:.2f}", low, low + kWidth);
}

}  // namespace

agon::PaperTable normalised_profits(const agon::PlayedMatches& matches) {
  std::map<Pair, std::array<ProfitSamples, 2>> all;  // mutual interest, conflict
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    auto& kinds = all[pair];
    if (match.metric("deal") != 1) return;
    const std::size_t kind = match.metric("mutual") == 1 ? 0 : 1;
    const double profit = match.metric(match.seats()[0], "snp");
    ProfitSamples& profits = kinds[kind];
    const std::string product = product_of(match);
    profits.all.push_back(std::clamp(profit, kLow, kHigh));
    profits.mean.add(product, profit);
    // Who gets half to the last digit but rounding beats nobody.
    profits.beats.add(product, profit > kHalf[kind] + 1e-9 ? 1 : 0);
  });
  agon::PaperTable table;
  std::vector<Pair> pairs;
  for (const auto& [pair, kinds] : all) pairs.push_back(pair);
  name_columns(table, pairs);
  const auto row = [&](std::string label, const auto& cell_of) {
    agon::TableRow made{std::move(label), {}};
    for (const auto& [pair, kinds] : all) made.cells.push_back(cell_of(kinds));
    table.rows.push_back(std::move(made));
  };
  constexpr std::array<const char*, 2> kKinds{"deals with mutual interest, half line at 0.5",
                                              "deals in conflict, half line at -0.5"};
  for (std::size_t kind = 0; kind < kKinds.size(); ++kind) {
    table.rows.push_back({kKinds[kind], std::vector<agon::TableCell>(table.columns.size())});
    for (std::size_t part = 0; part < kParts; ++part)
      row(part_label(part), [&](const std::array<ProfitSamples, 2>& kinds) {
        const auto parts = agon::histogram(kinds[kind].all, kLow, kHigh, static_cast<int>(kParts));
        return shared::number(parts[part], 0);
      });
  }
  constexpr std::array<const char*, 2> kNames{"mutual interest", "conflict"};
  const auto summary = [&](const std::string& label, const auto& figure_of) {
    for (std::size_t kind = 0; kind < kNames.size(); ++kind)
      row(fmt::format("{}, {}", label, kNames[kind]), [&](const auto& kinds) {
        const ProfitSamples& profits = kinds[kind];
        return profits.all.empty() ? agon::TableCell{.text = "no deal"}
                                   : shared::cell(figure_of(profits), 3);
      });
  };
  const double level = matches.level();
  summary("buyers who beat the seller",
          [&](const ProfitSamples& profits) { return profits.beats.share(level); });
  summary("buyer's mean", [&](const ProfitSamples& profits) { return profits.mean.mean(level); });
  table.notes = {
      "Deals by the buyer's normalised profit, (B - D) / |B - C|; a part holds its lower end. The "
      "seller's is 1 minus it with mutual interest, and -1 minus it in conflict, so that above the "
      "half line the buyer did better than the seller. n: deals.",
      "The paper's figure is a plot without printed numbers; its caption says that the mean of a "
      "Mixtral buyer against a ChatGPT seller is slightly below 0."};
  return table;
}

}  // namespace bargaining
