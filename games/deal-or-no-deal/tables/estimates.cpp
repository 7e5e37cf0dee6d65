#include <fmt/format.h>

#include <agon/analysis/game_theory.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/json_reader.hpp>
#include <cmath>
#include <iterator>
#include <map>
#include <string>
#include <tuple>

#include "deal-or-no-deal/play.hpp"
#include "deal-or-no-deal/tables/tables.hpp"
#include "shared/tables.hpp"

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
                                const shared::PublishedTable& printed) {
  const auto tallies = last_estimates(matches, metrics);
  agon::PaperTable made;
  made.corner = "model";
  made.columns = {"precision", "recall"};
  made.units = {"share"};
  const bool reduces = !metrics.reduction.empty();
  if (reduces) made.columns.emplace_back("reduction");
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  for (const std::string& name : in_order(names, printed.rows())) {
    EstimateTally tally;
    if (const auto found = tallies.find(name); found != tallies.end()) tally = found->second;
    agon::TableRow& row = made.rows.emplace_back(name, std::vector<agon::TableCell>{});
    const auto add = [&](const agon::Sample& sample) {
      row.cells.push_back({.ours = sample.mean(matches.level()), .decimals = kEstimateDecimals});
    };
    add(tally.precision);
    add(tally.recall);
    if (reduces) add(tally.reduction);
  }
  printed.fill(made);
  made.notes.emplace_back(kWordsOfThePaper);
  return made;
}

agon::PaperTable make_table_14(const agon::PlayedMatches& matches) {
  return make_estimates(matches, {"belief_precision", "belief_recall", "belief_reduction"},
                        published("game-theory/table-14"));
}

agon::PaperTable make_table_16(const agon::PlayedMatches& matches) {
  auto made = make_estimates(matches, {"belief_precision_alike", "belief_recall_alike", ""},
                             published("game-theory/table-16"));
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
  agon::each_said<kBeliefJudged>(match, [&](const BeliefJudged& judged) {
    reports.at(static_cast<std::size_t>(judged.seat))
        .push_back({judged.round, {judged.precision, judged.recall, judged.reduction}});
  });
  return reports;
}

constexpr std::size_t kReportRounds = 7;

agon::PaperTable make_table_15(const agon::PlayedMatches& matches) {
  using Tally = std::array<std::array<agon::Sample, kReportRounds>, 3>;
  std::map<std::string, Tally> tallies;
  each_negotiation(matches, [&](const Negotiation& n) {
    if (n.workflow != std::array{true, true}) return;
    for (const auto& reports : reports_in(n.match)) {
      if (reports.empty()) continue;
      Tally& tally = tallies[n.model];
      for (std::size_t r = 0; r < kReportRounds; ++r) {
        // A shorter game goes on with its last report.
        const JudgedReport* last = nullptr;
        for (const JudgedReport& report : reports)
          if (report.round <= static_cast<int>(r) + 1) last = &report;
        if (last == nullptr) continue;
        for (std::size_t m = 0; m < 3; ++m) tally[m][r].add(n.point, last->quality[m]);
      }
    }
  });
  if (tallies.empty()) throw agon::LacksData{std::string(kNoEstimates)};

  constexpr std::array<std::string_view, 3> measures{"precision", "recall", "reduction"};
  agon::PaperTable made;
  made.corner = "model, measure";
  made.curves = {.x = "round", .y = "quality of the estimate"};
  made.units = {"share"};
  const shared::PublishedTable& printed = published("game-theory/table-15");
  made.columns = printed.columns();
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  for (const std::string& name : in_order(names, printed.agents())) {
    const auto found = tallies.find(name);
    for (std::size_t m = 0; m < 3; ++m) {
      agon::TableRow row{fmt::format("{}, {}", name, measures[m]), {}};
      for (std::size_t r = 0; r < kReportRounds; ++r)
        row.cells.push_back({.ours = found == tallies.end()
                                         ? agon::Figure{}
                                         : found->second[m][r].mean(matches.level()),
                             .decimals = kEstimateDecimals});
      made.rows.push_back(std::move(row));
    }
  }
  printed.fill(made);
  made.notes.emplace_back(kWordsOfThePaper);
  made.notes.emplace_back("A game that ends earlier goes on with its last estimate.");
  return made;
}

constexpr std::array<std::string_view, 4> cases{"both use it", "Alice alone", "Bob alone",
                                                "nobody"};

std::size_t case_of(const std::array<bool, 2>& workflow) {
  return (workflow[0] ? 0U : 2U) + (workflow[1] ? 0U : 1U);
}

bool is_whole(const MetaScores& scores) {
  for (const auto& pair : scores)
    for (const double score : pair)
      if (!std::isfinite(score)) return false;
  return true;
}

std::string equilibrium_names(const MetaScores& scores) {
  std::string text;
  for (const std::size_t at : meta_equilibria(scores))
    text += (text.empty() ? "" : ", ") + std::string(cases[at]);
  return text.empty() ? "none in pure strategies" : text;
}

using MetaTally = std::array<std::array<agon::Sample, 2>, 4>;

void add_rows(agon::PaperTable& made, const std::string& model, const MetaTally* tally,
              double level) {
  MetaScores ours;
  for (auto& pair : ours) pair.fill(agon::kNothing);
  const std::size_t first = made.rows.size();
  for (std::size_t c = 0; c < cases.size(); ++c) {
    agon::TableRow row{fmt::format("{}: {}", model, cases[c]), {}};
    for (std::size_t side = 0; side < 2; ++side) {
      const agon::Figure figure = tally == nullptr ? agon::Figure{} : (*tally)[c][side].mean(level);
      ours[c][side] = figure.value;
      row.cells.push_back({.ours = figure});
    }
    row.cells.emplace_back();
    made.rows.push_back(std::move(row));
  }
  if (is_whole(ours)) {
    for (const std::size_t at : meta_equilibria(ours))
      made.rows[first + at].cells.back().text = "equilibrium";
    made.notes.push_back(
        fmt::format("{}: equilibria of our scores: {}.", model, equilibrium_names(ours)));
  }
  const MetaScores printed = printed_scores(published("game-theory/table-19"), model);
  if (!is_whole(printed)) return;
  const MetaScores corrected = printed_scores(published("game-theory/table-19, corrected"), model);
  std::string note =
      fmt::format("{}: equilibria of the printed scores: {}", model, equilibrium_names(printed));
  if (printed != corrected) {
    note += fmt::format("; of those that the paper's other tables give for the same runs: {}",
                        equilibrium_names(corrected));
    for (std::size_t c = 0; c < cases.size(); ++c)
      if (printed[c] != corrected[c])
        note += fmt::format(" ({}: {:.2f}, {:.2f} instead of {:.2f}, {:.2f})", cases[c],
                            corrected[c][0], corrected[c][1], printed[c][0], printed[c][1]);
  }
  made.notes.push_back(note + ".");
}

agon::PaperTable make_meta(const agon::PlayedMatches& matches) {
  std::map<std::string, MetaTally> tallies;
  each_negotiation(matches, [&](const Negotiation& n) {
    for (std::size_t side = 0; side < 2; ++side)
      tallies[n.model][case_of(n.workflow)][side].add(n.point, n.match.seats()[side].score);
  });
  if (tallies.empty())
    throw agon::LacksData{"negotiations of a model with itself, with and without the workflow"};
  agon::PaperTable made;
  made.corner = "model: who uses the workflow";
  made.columns = {"Alice's score", "Bob's score", "ours"};
  made.units = {"points"};
  std::vector<std::string> names;
  for (const auto& [name, tally] : tallies) names.push_back(name);
  const shared::PublishedTable& printed = published("game-theory/table-19");
  made.notes = {
      "Mean scores over the points that have an envy-free split, without a deal 0. An equilibrium "
      "is a case in which neither side would gain by deciding otherwise."};
  for (const std::string& name : in_order(names, printed.agents())) {
    const auto found = tallies.find(name);
    add_rows(made, name, found == tallies.end() ? nullptr : &found->second, matches.level());
  }
  printed.fill(made);
  return made;
}

}  // namespace

MetaScores printed_scores(const shared::PublishedTable& table, std::string_view model) {
  MetaScores scores;
  for (std::size_t c = 0; c < cases.size(); ++c)
    for (std::size_t side = 0; side < 2; ++side)
      scores[c][side] = table.at(fmt::format("{}: {}", model, cases[c]), table.columns()[side]);
  return scores;
}

std::vector<std::size_t> meta_equilibria(const MetaScores& scores) {
  std::vector<double> payoffs;
  for (const auto& pair : scores) payoffs.insert(payoffs.end(), pair.begin(), pair.end());
  return agon::theory::pure_equilibria(agon::theory::MatrixGame({2, 2}, std::move(payoffs)));
}

namespace {

/// All matches of somebody with somebody.
struct Met {
  agon::Sample own, other, own_less, other_less, agreed, stated, misstated, distance;
  agon::Sample own_score, other_score;
};

/// How the sides stated their values; "none": they did not.
std::string order_of(const agon::PlayedMatch& match) {
  const agon::JsonDocument settings(std::string(match.settings()), "settings");
  const auto claims = settings.root().find("claims");
  return claims ? std::string(claims->text()) : "none";
}

void add(Met& met, const agon::PlayedMatch& match, std::size_t seat) {
  const agon::PlayedSeat& self = match.seats()[seat];
  const agon::PlayedSeat& other = match.seats()[1 - seat];
  const std::string block = shared::block_of(match);
  const auto less = [&](const agon::PlayedSeat& s) {
    return match.metric(s, "value") - match.metric(s, "nash_value");
  };
  met.own.add(block, match.metric(self, "value"));
  met.other.add(block, match.metric(other, "value"));
  met.own_less.add(block, less(self));
  met.other_less.add(block, less(other));
  met.agreed.add(block, match.metric("agreement"));
  met.stated.add(block, match.metric(self, "claimed"));
  met.misstated.add(block, match.metric(self, "misstated"));
  met.distance.add(block, match.metric(self, "misstatement"));
  met.own_score.add(block, self.score);
  met.other_score.add(block, other.score);
}

/// By how values were stated, who, and with whom.
using AllMet = std::map<std::tuple<std::string, std::string, std::string>, Met>;

AllMet met_in(const agon::PlayedMatches& matches, bool& delayed) {
  AllMet met;
  matches.each([&](const agon::PlayedMatch& match) {
    const std::string order = order_of(match);
    if (order == "none") return;
    delayed = delayed || match.metric("factor") < 1;
    const auto seats = match.seats();
    for (const std::size_t s : {0U, 1U}) {
      const std::string place = order == "at_once" ? "" : s == 0 ? " first" : " second";
      add(met[{order == "at_once" ? "values stated at once" : "values stated in turn",
               std::string(seats[s].agent) + place, std::string(seats[1 - s].agent)}],
          match, s);
    }
  });
  if (met.empty())
    throw agon::LacksData{
        "matches in which both sides state their values (the setting \"claims\")"};
  return met;
}

agon::PaperTable deception(const agon::PlayedMatches& matches) {
  bool delayed = false;
  const AllMet met = met_in(matches, delayed);
  agon::PaperTable table;
  table.corner = "who, and with whom";
  table.columns = {"own points", "other's points", "own minus Nash",    "other's minus Nash",
                   "deals",      "states values",  "states false ones", "how far off"};
  table.units = {"points", "points", "points off Nash", "points off Nash",
                 "share",  "share",  "share",           "points off the truth"};
  if (delayed) {
    table.columns.insert(table.columns.end(), {"own score", "other's score"});
    table.units.insert(table.units.end(), 2, "points after delay");
  }
  const double level = matches.level();
  std::string heading;
  for (const auto& [place, m] : met) {
    const auto& [order, who, with] = place;
    if (order != heading) {
      heading = order;
      shared::add_heading(table, heading);
    }
    table.rows.push_back(
        {"  " + who + ", with " + with,
         {shared::cell(m.own.mean(level), 2), shared::cell(m.other.mean(level), 2),
          shared::cell(m.own_less.mean(level), 2), shared::cell(m.other_less.mean(level), 2),
          shared::cell(m.agreed.share(level), 2), shared::cell(m.stated.share(level), 2),
          shared::cell(m.misstated.share(level), 2), shared::cell(m.distance.mean(level), 2)}});
    if (!delayed) continue;
    auto& cells = table.rows.back().cells;
    cells.push_back(shared::cell(m.own_score.mean(level), 2));
    cells.push_back(shared::cell(m.other_score.mean(level), 2));
  }
  table.notes = {
      "Points: the true value of the items to their owner, 0 "
      "without a deal. Minus Nash: minus what the Nash bargaining split of the true values would "
      "give.",
      "States false ones: of those who state any, how many state others than their own. How far "
      "off: the difference between the stated and the true value of one item of each type, all "
      "types together, in points."};
  return table;
}

/// What another side with whom somebody meets changes, on the same blocks.
agon::PaperTable deception_pairs(const agon::PlayedMatches& matches) {
  bool delayed = false;
  const AllMet met = met_in(matches, delayed);
  agon::PaperTable table;
  table.corner = "who, and with whom less with whom";
  table.columns = {"own points", "other's points", "deals"};
  table.units = {"points", "points", "share"};
  const double level = matches.level();
  std::string heading;
  for (auto one = met.begin(); one != met.end(); ++one)
    for (auto more = std::next(one); more != met.end(); ++more) {
      const auto& [order, who, with] = one->first;
      const auto& [other_order, other_who, instead] = more->first;
      if (order != other_order || who != other_who) break;
      if (order != heading) {
        heading = order;
        shared::add_heading(table, heading);
      }
      const Met &base = one->second, &changed = more->second;
      table.rows.push_back({fmt::format("  {}: {} less {}", who, instead, with),
                            {shared::cell(changed.own.minus(base.own, level), 2),
                             shared::cell(changed.other.minus(base.other, level), 2),
                             shared::cell(changed.agreed.minus(base.agreed, level), 2)}});
    }
  table.notes = {
      "Differences on the same blocks: the same items and values. Points: the true value of the "
      "items to their owner, 0 without a deal."};
  return table;
}

}  // namespace

void add_tables(agon::Registry& registry) {
  static constexpr const char* kTable12 = "papers/game-theory/table-12.json";
  add_score_tables(registry);
  shared::add_paper_tables(
      registry, "deal-or-no-deal",
      {
          {"game-theory/table-9",
           "how people fared in Deal or No Deal, by how hard the instance is",
           "Hua et al. 2024, table 9", "papers/game-theory/table-9.json", &table_9},
          {"game-theory/table-14", "how well the other side's values are guessed in the end",
           "Hua et al. 2024, table 14", kTable12, &make_table_14},
          {"game-theory/table-15", "how well the other side's values are guessed, round by round",
           "Hua et al. 2024, table 15", kTable12, &make_table_15, true},
          {"game-theory/table-16", "the same up to values that lead to the same best splits",
           "Hua et al. 2024, table 16", kTable12, &make_table_16},
          {"game-theory/table-19", "the game of whether to use the workflow",
           "Hua et al. 2024, table 19", "papers/game-theory/table-19.json", &make_meta},
          {"experiments/deception",
           "stated values: who misstates, and what it brings and costs whom",
           "an experiment of this project's own: docs/experiments/deception.md",
           "experiments/deception.json", &deception},
          {"experiments/deception-pairs",
           "stated values: what another side changes, block by block",
           "an experiment of this project's own: docs/experiments/workflow-deceived.md",
           "experiments/workflow-deceived.json", &deception_pairs},
      });
  registry.add(shared::own_table("deal-or-no-deal/splits", "splits, and the Pareto frontier",
                                 "deal-or-no-deal", &splits_and_frontier));
}

}  // namespace deal_or_no_deal
