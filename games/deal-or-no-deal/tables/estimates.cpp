#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <map>
#include <span>

#include "deal-or-no-deal/tables/negotiations.hpp"
#include "deal-or-no-deal/tables/published.hpp"
#include "deal-or-no-deal/tables/tables.hpp"

namespace deal_or_no_deal {
namespace {

constexpr int kEstimateDecimals = 4;

constexpr std::string_view kNoEstimates =
    "negotiations of a model with itself in which both sides use the workflow and say which values "
    "of the other they hold possible";

constexpr std::string_view kWordsOfThePaper =
    "The words are the paper's: precision is whether the true values are among those held "
    "possible, recall one over their number if so, reduction the share of all values that is ruled "
    "out. Means over both sides and all points.";

struct EstimateTally {
  agon::Sample precision, recall, reduction;
};

/// The metrics that a table reads of each seat.
struct EstimateMetrics {
  std::string_view precision, recall, reduction;
};

std::map<std::string, EstimateTally> last_estimates(const agon::PlayedMatches& matches,
                                                    const EstimateMetrics& metrics) {
  std::map<std::string, EstimateTally> tallies;
  each_negotiation(matches, [&](const Negotiation& n) {
    if (n.workflow != std::array{true, true}) return;
    for (const agon::PlayedSeat& seat : n.match.seats()) {
      if (!(n.match.metric(seat, "belief_reports") > 0)) continue;
      EstimateTally& tally = tallies[n.model];
      tally.precision.add(n.point, n.match.metric(seat, metrics.precision));
      tally.recall.add(n.point, n.match.metric(seat, metrics.recall));
      if (!metrics.reduction.empty())
        tally.reduction.add(n.point, n.match.metric(seat, metrics.reduction));
    }
  });
  if (tallies.empty()) throw agon::LacksData{std::string(kNoEstimates)};
  return tallies;
}

agon::PaperTable make_estimates(const agon::PlayedMatches& matches, const EstimateMetrics& metrics,
                                std::span<const published::Estimate> printed) {
  const auto tallies = last_estimates(matches, metrics);
  agon::PaperTable made;
  made.corner = "model";
  made.columns = {"precision", "recall"};
  const bool reduces = !metrics.reduction.empty();
  if (reduces) made.columns.emplace_back("reduction");
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  std::vector<std::string_view> known;
  for (const published::Estimate& row : printed) known.push_back(row.row);
  for (const std::string& name : in_order(names, known)) {
    published::Estimate paper{name, agon::kNothing, agon::kNothing, agon::kNothing};
    for (const published::Estimate& row : printed)
      if (row.row == name) paper = row;
    EstimateTally tally;
    if (const auto found = tallies.find(name); found != tallies.end()) tally = found->second;
    const double level = matches.level();
    agon::TableRow row{name, {}};
    row.cells.push_back(cell(tally.precision.mean(level), paper.precision, kEstimateDecimals));
    row.cells.push_back(cell(tally.recall.mean(level), paper.recall, kEstimateDecimals));
    if (reduces)
      row.cells.push_back(cell(tally.reduction.mean(level), paper.reduction, kEstimateDecimals));
    made.rows.push_back(std::move(row));
  }
  made.notes.emplace_back(kWordsOfThePaper);
  return made;
}

agon::PaperTable make_table_14(const agon::PlayedMatches& matches) {
  return make_estimates(matches, {"belief_precision", "belief_recall", "belief_reduction"},
                        published::kTable14);
}

agon::PaperTable make_table_16(const agon::PlayedMatches& matches) {
  auto made = make_estimates(matches, {"belief_precision_alike", "belief_recall_alike", ""},
                             published::kTable16);
  made.notes.emplace_back(
      "Values that lead to the same best splits count as the true ones; values with which no split "
      "is envy-free lead to none, and are left out.");
  return made;
}

/// A reported belief as the record judges it.
struct JudgedReport {
  int round = 0;
  std::array<double, 3> quality{};  ///< precision, recall, reduction
};

/// The reports of either seat, in order.
std::array<std::vector<JudgedReport>, 2> reports_in(const agon::PlayedMatch& match) {
  std::array<std::vector<JudgedReport>, 2> reports;
  for (const agon::PlayedEntry& entry : match.entries()) {
    if (entry.what != agon::PlayedEntry::What::event || entry.name != "belief-judged") continue;
    const agon::JsonDocument document(entry.json, "belief-judged");
    const agon::JsonNode judged = document.root();
    const auto seat = static_cast<std::size_t>(judged["seat"].whole(0, 1));
    reports[seat].push_back(
        {static_cast<int>(judged["round"].whole(1)),
         {judged["precision"].number(), judged["recall"].number(), judged["reduction"].number()}});
  }
  return reports;
}

agon::PaperTable make_table_15(const agon::PlayedMatches& matches) {
  using Tally = std::array<std::array<agon::Sample, published::kTable15Rounds>, 3>;
  std::map<std::string, Tally> tallies;
  each_negotiation(matches, [&](const Negotiation& n) {
    if (n.workflow != std::array{true, true}) return;
    for (const auto& reports : reports_in(n.match)) {
      if (reports.empty()) continue;
      Tally& tally = tallies[n.model];
      for (int round = 1; round <= published::kTable15Rounds; ++round) {
        // A shorter game goes on with its last report.
        const JudgedReport* last = nullptr;
        for (const JudgedReport& report : reports)
          if (report.round <= round) last = &report;
        if (last == nullptr) continue;
        for (std::size_t m = 0; m < 3; ++m)
          tally[m][static_cast<std::size_t>(round - 1)].add(n.point, last->quality[m]);
      }
    }
  });
  if (tallies.empty()) throw agon::LacksData{std::string(kNoEstimates)};

  constexpr std::array<std::string_view, 3> measures{"precision", "recall", "reduction"};
  agon::PaperTable made;
  made.corner = "model, measure";
  made.curves = {.x = "round", .y = "quality of the estimate"};
  for (int round = 1; round <= published::kTable15Rounds; ++round)
    made.columns.push_back(fmt::format("round {}", round));
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  for (const std::string& name : in_order(names, {published::kTable15Model})) {
    const auto found = tallies.find(name);
    for (std::size_t m = 0; m < 3; ++m) {
      agon::TableRow row{fmt::format("{}, {}", name, measures[m]), {}};
      for (std::size_t r = 0; r < published::kTable15Rounds; ++r) {
        const double printed =
            name == published::kTable15Model ? published::kTable15[m][r] : agon::kNothing;
        row.cells.push_back(cell(
            found == tallies.end() ? agon::Figure{} : found->second[m][r].mean(matches.level()),
            printed, kEstimateDecimals));
      }
      made.rows.push_back(std::move(row));
    }
  }
  made.notes.emplace_back(kWordsOfThePaper);
  made.notes.emplace_back("A game that ends earlier goes on with its last estimate.");
  return made;
}

}  // namespace

std::vector<agon::TableCard> estimate_cards() {
  agon::TableCard card;
  card.game = "deal-or-no-deal";
  card.scenario = "papers/game-theory/table-12.json";
  std::vector<agon::TableCard> cards;
  card.id = "game-theory/table-14";
  card.title = "how well the other side's values are guessed in the end";
  card.source = "Hua et al. 2024, table 14";
  card.make = &make_table_14;
  cards.push_back(card);
  card.id = "game-theory/table-15";
  card.title = "how well the other side's values are guessed, round by round";
  card.source = "Hua et al. 2024, table 15";
  card.reads_records = true;
  card.make = &make_table_15;
  cards.push_back(card);
  card.id = "game-theory/table-16";
  card.title = "the same up to values that lead to the same best splits";
  card.source = "Hua et al. 2024, table 16";
  card.reads_records = false;
  card.make = &make_table_16;
  cards.push_back(card);
  return cards;
}

}  // namespace deal_or_no_deal
