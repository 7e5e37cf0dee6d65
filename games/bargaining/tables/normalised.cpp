#include <fmt/format.h>

#include <agon/analysis/statistics.hpp>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "bargaining/tables/pairs.hpp"
#include "bargaining/tables/tables.hpp"
#include "shared/tables.hpp"

namespace bargaining {
namespace {

/// The parts of the histogram; what lies outside is in the first and the last.
constexpr double kLow = -2, kHigh = 2, kWidth = 0.25;
constexpr auto kParts = static_cast<std::size_t>((kHigh - kLow) / kWidth);

/// The buyer's normalised profits over the deals of one kind of session.
struct Profits {
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
  std::map<Pair, std::array<Profits, 2>> all;  // mutual interest, conflict
  each_session(matches, [&](const Pair& pair, const agon::PlayedMatch& match) {
    auto& kinds = all[pair];
    if (match.metric("deal") != 1) return;
    const std::size_t kind = match.metric("mutual") == 1 ? 0 : 1;
    const double profit = match.metric(match.seats()[0], "snp");
    Profits& profits = kinds[kind];
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
      row(part_label(part), [&](const std::array<Profits, 2>& kinds) {
        const auto parts = agon::histogram(kinds[kind].all, kLow, kHigh, static_cast<int>(kParts));
        return shared::number(parts[part], 0);
      });
  }
  constexpr std::array<const char*, 2> kNames{"mutual interest", "conflict"};
  const auto summary = [&](const std::string& label, const auto& figure_of) {
    for (std::size_t kind = 0; kind < kNames.size(); ++kind)
      row(fmt::format("{}, {}", label, kNames[kind]), [&](const auto& kinds) {
        const Profits& profits = kinds[kind];
        return profits.all.empty() ? agon::TableCell{.text = "no deal"}
                                   : shared::cell(figure_of(profits), 3);
      });
  };
  const double level = matches.level();
  summary("buyers who beat the seller",
          [&](const Profits& profits) { return profits.beats.share(level); });
  summary("buyer's mean", [&](const Profits& profits) { return profits.mean.mean(level); });
  table.notes = {
      "Deals by the buyer's normalised profit, (B - D) / |B - C|; a part holds its lower end. The "
      "seller's is 1 less it with mutual interest, and -1 less it in conflict, so that above the "
      "half line the buyer did better than the seller. n: deals.",
      "The paper's figure is a plot without printed numbers; its caption says that the mean of a "
      "Mixtral buyer against a ChatGPT seller is slightly below 0."};
  return table;
}

}  // namespace bargaining
