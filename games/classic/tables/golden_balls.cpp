#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
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
/// Who the contestants on television are called, as agents and as a column.
constexpr std::string_view kPeople = "people";
/// The share of them that split (van den Assem, van Dolder, Thaler 2012).
constexpr double kPeopleSplit = .53;
/// What the mean over all jackpots stands under.
const std::string all_jackpots = "all";

std::string jackpot_label(double jackpot) {
  return fmt::format("${}", jackpot);
}

/// An import calls its agents "published: NAME".
bool is_people(const Trial& t) {
  return t.personality.empty() &&
         (t.agent == kPeople || t.agent.ends_with(fmt::format(": {}", kPeople)));
}

/// The jackpot of the paper that a trial counts for: its own; for people, whose jackpots were any
/// amount, the nearest by ratio. Nothing for other trials.
std::optional<int> jackpot_of(const Trial& t) {
  if (!is_people(t)) {
    const auto found = std::find(jackpots.begin(), jackpots.end(), t.scale);
    return found == jackpots.end() ? std::nullopt : std::optional(*found);
  }
  return *std::min_element(jackpots.begin(), jackpots.end(), [&](int a, int b) {
    return std::fabs(std::log(t.scale / a)) < std::fabs(std::log(t.scale / b));
  });
}

/// The trials of the game, with the jackpot that each counts for and whose it is.
class Decisions {
 public:
  explicit Decisions(const agon::PlayedMatches& matches) {
    std::set<std::string> models;
    each_trial(matches, [&](const Trial& t) {
      const auto jackpot = jackpot_of(t);
      if (t.game != "golden-balls" || t.workflow || t.rounds != 0 || !jackpot) return;
      trials_.emplace_back(t, *jackpot);
      if (!is_people(t)) models.insert(t.agent);
    });
    several_ = models.size() > 1;
  }

  /// With several models each personality is told apart for every one of them.
  [[nodiscard]] std::string who(std::string_view agent, std::string_view personality) const {
    if (personality.empty()) return std::string(agent);
    return several_ ? fmt::format("{}, {}", agent, personality) : std::string(personality);
  }
  [[nodiscard]] std::string who(const Trial& t) const {
    return is_people(t) ? std::string(kPeople) : who(t.agent, t.personality);
  }
  /// The published personalities, then the people.
  [[nodiscard]] std::vector<std::string> known() const {
    std::vector<std::string> all;
    for (const Splits& s : published) all.push_back(who(kPublishedModel, s.personality));
    all.emplace_back(kPeople);
    return all;
  }
  [[nodiscard]] const std::vector<std::pair<Trial, int>>& trials() const { return trials_; }

 private:
  std::vector<std::pair<Trial, int>> trials_;
  bool several_ = false;
};

constexpr std::string_view kLacks =
    "matches of an agent with itself in golden-balls at one of the paper's jackpots";
constexpr std::string_view kRuns =
    "Share of decisions to split. Published: counts of the stored runs, 40 decisions a cell; they "
    "were made with Claude 3 Sonnet (20240229) at temperature 0, while the paper names Claude-3 "
    "Opus at temperature 1.";
constexpr std::string_view kOfPeople =
    "People: contestants on television, of whom 53% split, and fewer the larger the jackpot (van "
    "den Assem, van Dolder, Thaler 2012). Figure 12 draws their curve, but prints no "
    "numbers by jackpot: decisions that 'agon import golden-balls' reads from files named "
    "people_JACKPOT.json fill it, each at the nearest jackpot.";

agon::PaperTable golden_balls(const agon::PlayedMatches& matches) {
  const Decisions decisions(matches);
  RateTable table("jackpot", decisions.known());
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
  means.push_back(kPeopleSplit);
  table.publish(all_jackpots, means);
  for (const auto& [t, jackpot] : decisions.trials())
    for (const std::string& row : {jackpot_label(jackpot), all_jackpots})
      table.add_choices(row, decisions.who(t), t, 1);
  return table.make(matches.level(), std::string(kLacks),
                    {std::string(kRuns), std::string(kOfPeople)});
}

/// The same by curve: a row is somebody's share over the jackpots.
agon::PaperTable figure_12(const agon::PlayedMatches& matches) {
  const Decisions decisions(matches);
  std::vector<std::string> columns;
  for (const int jackpot : jackpots) columns.push_back(jackpot_label(jackpot));
  RateTable table("who", columns);
  std::vector<std::string> who = decisions.known();
  for (const auto& [t, jackpot] : decisions.trials()) {
    const std::string name = decisions.who(t);
    if (std::find(who.begin(), who.end(), name) == who.end()) who.push_back(name);
    table.add_choices(name, jackpot_label(jackpot), t, 1);
  }
  std::set<std::string> played;
  for (const auto& [t, jackpot] : decisions.trials()) played.insert(decisions.who(t));
  for (std::size_t i = 0; i < who.size(); ++i) {
    // A row without a number would be a heading.
    if (i < published.size() || played.contains(who[i])) table.row(who[i]);
    if (i >= published.size()) continue;
    std::vector<double> rates;
    for (const int splits : published[i].of_40) rates.push_back(splits / 40.0);
    table.publish(who[i], rates);
  }
  agon::PaperTable made = table.make(matches.level(), std::string(kLacks),
                                     {std::string(kRuns), std::string(kOfPeople)});
  made.curves = {.x = "jackpot", .y = "share that splits"};
  return made;
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

agon::TableCard figure_12_table() {
  return {.id = "game-theory/figure-12",
          .title = "Golden Balls: share that splits over the jackpot, models and people",
          .source = "Hua et al. 2024, Game-theoretic LLM, figure 12 (section 6.7)",
          .scenario = "papers/game-theory/golden-balls.json",
          .game = "classic",
          .make = &figure_12};
}

}  // namespace classic
