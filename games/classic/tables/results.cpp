#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// One of the four tables.
struct Experiment {
  std::string_view id;
  bool workflow;
  int rounds;
  std::string_view lacks;
  std::string_view misprint{};  ///< of the averages
};

constexpr Experiment kTable5{
    "game-theory/table-5", false, 0,
    "matches of an agent with itself without a workflow and without negotiation",
    "The printed averages .45 of Claude-3.5 Sonnet and .32 of GPT-4o do not fit the printed rates, "
    "whose means are .48 and .33; of Pareto-best equilibria, .28 of GPT-4o does not, where the "
    "mean "
    "is .29: misprints of the paper."};
constexpr Experiment kTable6{
    "game-theory/table-6", false, 4,
    "matches of an agent with itself without a workflow and with 4 rounds of negotiation"};
constexpr Experiment kTable7{
    "game-theory/table-7", true, 0,
    "matches of an agent with itself with a workflow (a label workflow: use, or a factor "
    "reasoning) and without negotiation"};
constexpr Experiment kTable8{
    "game-theory/table-8", true, 4,
    "matches of an agent with itself with a workflow (a label workflow: use, or a factor "
    "reasoning) and with 4 rounds of negotiation",
    "The printed average .78 of GPT-4o does not fit the printed rates, whose mean is .79: a "
    "misprint of the paper."};

/// The label of the row with the equilibria that no other equilibrium dominates.
std::string best_of(const std::string& title) {
  return title + ", Pareto-best";
}

/// The rows with the means of the others.
constexpr std::string_view kAverage = "Average";
constexpr std::string_view kAverageBest = "Average, Pareto-best";

constexpr std::size_t kDuopolyChoices = 6;
/// How often each choice was taken in the duopoly, by agent.
using Choices = std::map<std::string, std::array<int, kDuopolyChoices>>;

/// A row for each choice, out of all choices of both players.
void add_choice_rows(agon::PaperTable& table, const Choices& choices,
                     const std::map<std::string, int>& players) {
  for (std::size_t c = 0; c < kDuopolyChoices; ++c) {
    agon::TableRow row{
        .label = fmt::format("Duopoly, times choice_{}", c + 1), .cells = {}, .unit = "choices"};
    for (const std::string& agent : table.columns) {
      agon::TableCell& cell = row.cells.emplace_back();
      cell.decimals = 0;
      if (const auto found = choices.find(agent); found != choices.end())
        cell.ours = {.value = static_cast<double>(found->second[c]),
                     .n = static_cast<double>(players.at(agent))};
    }
    table.rows.push_back(std::move(row));
  }
}

/// The mean of the rows `labels`, where a column has them all.
void add_average(agon::PaperTable& table, const std::string& label,
                 const std::set<std::string>& labels) {
  agon::TableRow row{label, {}};
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    double ours = 0, n = 0;
    for (const agon::TableRow& from : table.rows) {
      if (!labels.contains(from.label)) continue;
      ours += from.cells[c].ours.value;
      n += from.cells[c].ours.n;
    }
    const auto games = static_cast<double>(labels.size());
    // What is missing is NaN, and so is the mean with it.
    row.cells.push_back({.ours = {.value = ours / games, .n = n}});
  }
  table.rows.push_back(std::move(row));
}

std::vector<std::string> result_notes(const Experiment& experiment) {
  const shared::PublishedTable& printed = published(experiment.id);
  std::vector<std::string> notes{
      "A trial counts if the joint action is a pure equilibrium, in a tree if the whole path is "
      "that of backward induction. Trials without a legal action stay in the denominator.",
      "Pareto-best: an equilibrium that no other pure equilibrium Pareto-dominates. In all games "
      "but the Stag Hunt this is the same.",
      "Average: of the rates of the ten games; Pareto-best: likewise, where the Stag Hunt has its "
      "rate of Pareto-best equilibria."};
  if (!experiment.misprint.empty()) notes.emplace_back(experiment.misprint);
  if (!printed.has_row(kAverage))
    notes.emplace_back("The averages that the paper prints were not at hand.");
  else if (!printed.has_row(kAverageBest))
    notes.emplace_back("What the paper prints of Pareto-best equilibria was not at hand.");
  if (!experiment.workflow && experiment.rounds == 0)
    notes.emplace_back(
        "Duopoly has one equilibrium, so that .3 and .2 for Claude-3.5 Sonnet cannot both be "
        "right: a misprint of the paper.");
  if (!experiment.workflow)
    notes.emplace_back(
        "Times choice_k: how often it was taken by either player, of all their choices; forced "
        "ones count for none. Published: counts of choice_2, which is best for both together, of "
        "20 choices (section 4.3).");
  return notes;
}

agon::PaperTable result_table(const agon::PlayedMatches& matches, const Experiment& experiment) {
  const shared::PublishedTable& printed = published(experiment.id);
  RateTable table("game", printed.columns());
  std::set<std::string> games, best;
  for (const std::string& row : printed.rows()) {
    if (row.starts_with(kAverage)) continue;
    table.row(row);
    if (row.ends_with(best_of(""))) continue;
    games.insert(row);
    best.insert(printed.has_row(best_of(row)) ? best_of(row) : row);
  }
  std::vector<std::string> notes = result_notes(experiment);
  Choices choices;
  std::map<std::string, int> players;
  each_trial(matches, [&](const Trial& t) {
    if (t.workflow != experiment.workflow || t.rounds != experiment.rounds || t.prompt != 0 ||
        t.scale != 1 || (!t.personality.empty() && t.personality != "rational"))
      return;
    const std::string title = title_of(t.game);
    // A game of somebody else's may be named like a title.
    if (title == t.game || !games.contains(title)) return;
    table.add(title, t.agent, t.block, t.nash);
    // Only here can the two rates differ.
    if (printed.has_row(best_of(title))) table.add(best_of(title), t.agent, t.block, t.best_nash);
    if (t.game != "duopoly") return;
    for (const int choice : t.choices) {
      ++players[t.agent];
      if (choice > 0 && choice <= static_cast<int>(kDuopolyChoices))
        ++choices[t.agent].at(static_cast<std::size_t>(choice) - 1);
    }
  });
  agon::PaperTable made =
      table.make(matches.level(), std::string(experiment.lacks), std::move(notes));
  add_average(made, std::string(kAverage), games);
  add_average(made, std::string(kAverageBest), best);
  printed.fill(made);
  // The paper counts choices where no workflow makes them.
  if (experiment.workflow) return made;
  add_choice_rows(made, choices, players);
  published(fmt::format("{}, choices", experiment.id)).fill(made);
  return made;
}

template <const Experiment& experiment>
agon::PaperTable make(const agon::PlayedMatches& matches) {
  return result_table(matches, experiment);
}

constexpr std::array<int, 13> jackpots{250,   500,   1000,  1500,  2000,  2500,  5000,
                                       10000, 15000, 20000, 25000, 50000, 100150};

/// Decisions to split, counted in the published runs, by personality and jackpot.
const shared::PublishedTable& published_splits() {
  return published("game-theory/golden-balls");
}
/// How many were made at each jackpot.
constexpr double kPublishedDecisions = 40;

/// The model of the published runs.
constexpr std::string_view kPublishedModel = "claude-3-sonnet";
/// Who the contestants on television are called, as agents and as a column.
constexpr std::string_view kPeople = "people";
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
    for (const std::string& personality : published_splits().rows())
      all.push_back(who(kPublishedModel, personality));
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
  for (const int jackpot : jackpots) table.row(jackpot_label(jackpot));
  table.row(all_jackpots);
  for (const std::string& personality : published_splits().rows()) {
    const std::string who = decisions.who(kPublishedModel, personality);
    double all = 0;
    for (const int jackpot : jackpots) {
      const double splits = published_splits().at(personality, jackpot_label(jackpot));
      all += splits;
      table.publish(jackpot_label(jackpot), who, splits / kPublishedDecisions);
    }
    table.publish(all_jackpots, who, all / (kPublishedDecisions * jackpots.size()));
  }
  table.publish(all_jackpots, std::string(kPeople),
                published("game-theory/golden-balls, people").at(kPeople, all_jackpots));
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
  const std::vector<std::string>& personalities = published_splits().rows();
  for (std::size_t i = 0; i < who.size(); ++i) {
    // A row without a number would be a heading.
    if (i < personalities.size() || played.contains(who[i])) table.row(who[i]);
    if (i >= personalities.size()) continue;
    for (const std::string& jackpot : columns)
      table.publish(who[i], jackpot,
                    published_splits().at(personalities[i], jackpot) / kPublishedDecisions);
  }
  agon::PaperTable made = table.make(matches.level(), std::string(kLacks),
                                     {std::string(kRuns), std::string(kOfPeople)});
  made.curves = {.x = "jackpot", .y = "share that splits"};
  return made;
}

}  // namespace

void add_tables(agon::Registry& registry) {
  static constexpr const char* kGoldenBalls = "papers/game-theory/golden-balls.json";
  shared::add_paper_tables(
      registry, "classic",
      {
          {kTable5.id, "rate of equilibria in ten games, raw, no negotiation",
           "Hua et al. 2024, Game-theoretic LLM, table 5", "papers/game-theory/table-5.json",
           &make<kTable5>},
          {kTable6.id, "rate of equilibria in ten games, raw, 4 rounds",
           "Hua et al. 2024, Game-theoretic LLM, table 6", "papers/game-theory/table-6.json",
           &make<kTable6>},
          {kTable7.id, "rate of equilibria in ten games, workflow, no negotiation",
           "Hua et al. 2024, Game-theoretic LLM, table 7", "papers/game-theory/table-7.json",
           &make<kTable7>},
          {kTable8.id, "rate of equilibria in ten games, workflow, 4 rounds",
           "Hua et al. 2024, Game-theoretic LLM, table 8", "papers/game-theory/table-8.json",
           &make<kTable8>},
          {"game-theory/golden-balls",
           "Golden Balls: share that splits, by jackpot and personality",
           "Hua et al. 2024, Game-theoretic LLM, section 6.7, and its published data", kGoldenBalls,
           &golden_balls},
          {"game-theory/figure-12",
           "Golden Balls: share that splits over the jackpot, models and people",
           "Hua et al. 2024, Game-theoretic LLM, figure 12 (section 6.7)", kGoldenBalls,
           &figure_12},
          {"experiments/cooperation-by-period",
           "repeated play: share that cooperates in each period",
           "an experiment of this project's own: docs/experiments/repeated-duopoly.md",
           "experiments/repeated-duopoly.json", &cooperation_by_period, true},
      });
  add_figures(registry);
  registry.add(shared::own_table("classic/actions", "how often which action, and the equilibria",
                                 "classic", &action_frequencies, false));
  registry.add(shared::own_table("classic/changed-payoffs",
                                 "equilibrium play over the size of a change of payoffs", "classic",
                                 &play_by_change, false));
  registry.add(shared::own_table("classic/periods", "repeated play: which action, period by period",
                                 "classic", &actions_by_period));
}

}  // namespace classic
