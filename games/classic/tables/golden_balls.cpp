#include <fmt/format.h>

#include <array>
#include <set>

#include "classic/tables/rate_table.hpp"
#include "classic/tables/tables.hpp"

namespace classic {
namespace {

constexpr std::array<int, 13> jackpots{250,   500,   1000,  1500,  2000,  2500,  5000,
                                       10000, 15000, 20000, 25000, 50000, 100150};

/// Decisions to split, of 40 at each jackpot, counted in the published runs.
struct Splits {
  std::string_view personality;
  std::array<int, 13> of_40;
};
constexpr std::array<Splits, 6> published{
    {{"compassionate", {11, 10, 11, 5, 11, 14, 16, 11, 12, 7, 12, 11, 6}},
     {"friendly", {9, 8, 2, 9, 5, 13, 9, 5, 10, 9, 6, 7, 10}},
     {"helpful", {10, 5, 8, 5, 4, 6, 5, 5, 8, 5, 8, 4, 4}},
     {"pragmatic", {5, 6, 9, 9, 6, 12, 9, 8, 9, 7, 15, 6, 13}},
     {"rational", {9, 4, 6, 4, 10, 6, 12, 7, 16, 7, 6, 9, 11}},
     {"witty", {11, 7, 7, 17, 4, 19, 8, 10, 8, 7, 8, 10, 11}}}};

/// The model of the published runs.
constexpr std::string_view kPublishedModel = "claude-3-sonnet";
/// What the mean over all jackpots stands under.
const std::string all_jackpots = "all";

std::string jackpot_label(double jackpot) {
  return fmt::format("${}", jackpot);
}

agon::PaperTable golden_balls(const agon::PlayedMatches& matches) {
  std::vector<Trial> trials;
  std::set<std::string> agents;
  each_trial(matches, [&](const Trial& t) {
    if (t.game != "golden-balls" || t.workflow || t.rounds != 0) return;
    trials.push_back(t);
    agents.insert(t.agent);
  });
  // With several models each personality has a column for every one of them.
  const bool several = agents.size() > 1;
  const auto column = [&](std::string_view agent, std::string_view personality) {
    if (personality.empty()) return std::string(agent);
    return several ? fmt::format("{}, {}", agent, personality) : std::string(personality);
  };
  std::vector<std::string> columns;
  for (const Splits& s : published) columns.push_back(column(kPublishedModel, s.personality));
  RateTable table("jackpot", columns);
  for (std::size_t j = 0; j < jackpots.size(); ++j) {
    const std::string label = jackpot_label(jackpots[j]);
    table.row(label);
    std::vector<double> rates;
    for (const Splits& s : published) rates.push_back(s.of_40[j] / 40.0);
    table.publish(label, rates);
  }
  table.row(all_jackpots);
  std::vector<double> means;
  for (const Splits& s : published) {
    int splits = 0;
    for (const int n : s.of_40) splits += n;
    means.push_back(splits / (40.0 * jackpots.size()));
  }
  table.publish(all_jackpots, means);
  for (const Trial& t : trials) {
    const std::string label = jackpot_label(t.scale);
    bool listed = false;
    for (const int jackpot : jackpots) listed = listed || jackpot == t.scale;
    if (!listed) continue;
    table.add_choices(label, column(t.agent, t.personality), t, 1);
    table.add_choices(all_jackpots, column(t.agent, t.personality), t, 1);
  }
  return table.make(
      matches.level(),
      "matches of an agent with itself in golden-balls at one of the paper's jackpots",
      {"Share of decisions to split. Published: counts of the stored runs, 40 decisions a cell; "
       "they were made with Claude 3 Sonnet (20240229) at temperature 0, while the paper names "
       "Claude-3 Opus at temperature 1.",
       "Of the people on television 53% split, and fewer the larger the jackpot. The paper's "
       "figure "
       "12 has their curve by jackpot, whose numbers were not at hand."});
}

}  // namespace

agon::TableCard golden_balls_table() {
  return {.id = "game-theory/golden-balls",
          .title = "Golden Balls: share that splits, by jackpot and personality",
          .source = "Hua et al. 2024, Game-theoretic LLM, section 6.7, and its published data",
          .scenario = "papers/game-theory/golden-balls.json",
          .game = "classic",
          .make = &golden_balls};
}

}  // namespace classic
