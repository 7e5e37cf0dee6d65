#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// Which model the figures of section 6 are of.
std::vector<std::string> figure_models() {
  return {"claude-3-opus"};
}

const std::vector<std::string>& personalities() {
  static const std::vector<std::string> names{"compassionate", "friendly", "helpful",
                                              "pragmatic",     "rational", "witty"};
  return names;
}

std::vector<std::string> figure_notes(std::string more = {}) {
  std::vector<std::string> notes{
      "The paper shows a figure without numbers. NE: the joint action is a pure equilibrium. "
      "Shares of choices are over both players; forced "
      "choices count for none and stay in the denominator."};
  if (!more.empty()) notes.push_back(std::move(more));
  return notes;
}

bool is_plain(const Trial& t) {
  return !t.workflow && t.scale == 1 && (t.personality.empty() || t.personality == "rational");
}

std::string rounds_in_words(int rounds) {
  return fmt::format("{} round{}", rounds, rounds == 1 ? "" : "s");
}

/// Most choices that a player has in these figures.
constexpr std::size_t kMostChoices = 3;

/// What is compared in a figure: its heading, and how many choices each player has.
struct Arm {
  std::string heading;
  std::size_t choices = 2;
};

/// A figure of section 6.
struct Varied {
  std::string corner;
  std::vector<Arm> arms;                                  ///< in their order
  std::function<std::string(const Trial&)> heading_of{};  ///< empty: no trial of this figure
  std::string lacks{};
  std::string note{};
};

/// Where a trial belongs; null: nowhere.
const Arm* arm_of(const Varied& varied, const Trial& trial) {
  const std::string heading = varied.heading_of(trial);
  const auto found = std::find_if(varied.arms.begin(), varied.arms.end(),
                                  [&](const Arm& arm) { return arm.heading == heading; });
  return heading.empty() || found == varied.arms.end() ? nullptr : &*found;
}

/// Rates of pure equilibria and shares of choices. The one game with three choices,
/// Rock-Paper-Scissors, has no pure equilibrium.
agon::PaperTable shares(const agon::PlayedMatches& matches, const Varied& varied) {
  RateTable table(varied.corner, figure_models());
  for (const Arm& arm : varied.arms) {
    if (arm.choices == 2) table.row(arm.heading + ": NE");
    for (std::size_t c = 1; c <= arm.choices; ++c)
      table.row(fmt::format("{}: choice_{}", arm.heading, c));
  }
  each_trial(matches, [&](const Trial& t) {
    const Arm* arm = arm_of(varied, t);
    if (arm == nullptr) return;
    if (arm->choices == 2) table.add(arm->heading + ": NE", t.agent, t.block, t.nash);
    for (std::size_t c = 1; c <= arm->choices; ++c)
      table.add_choices(fmt::format("{}: choice_{}", arm->heading, c), t.agent, t,
                        static_cast<int>(c));
  });
  return table.make(matches.level(), varied.lacks, figure_notes(varied.note));
}

/// How often each joint action was played, by Alice's choice (from 0), then by Bob's.
using JointActions = std::array<std::array<agon::Sample, kMostChoices>, kMostChoices>;

void add_joint_rows(agon::PaperTable& table, const std::string& heading, std::size_t choices,
                    const JointActions& joint, double level) {
  shared::add_heading(table, heading);
  for (std::size_t a = 0; a < choices; ++a) {
    agon::TableRow row{fmt::format("  Alice: choice_{}", a + 1), {}};
    for (std::size_t b = 0; b < table.columns.size(); ++b)
      row.cells.push_back(b < choices ? shared::cell(joint[a][b].share(level), 2)
                                      : agon::TableCell{});
    table.rows.push_back(std::move(row));
  }
}

/// The joint actions: who chose what against what.
agon::PaperTable joint_actions(const agon::PlayedMatches& matches, const Varied& varied) {
  std::map<std::string, std::map<std::string, JointActions>> played;  // by heading and agent
  std::set<std::string> agents;
  each_trial(matches, [&](const Trial& t) {
    const Arm* arm = arm_of(varied, t);
    if (arm == nullptr) return;
    agents.insert(t.agent);
    JointActions& joint = played[arm->heading][t.agent];
    for (std::size_t a = 0; a < arm->choices; ++a)
      for (std::size_t b = 0; b < arm->choices; ++b)
        joint[a][b].add(t.block, t.choices[0] == static_cast<int>(a) + 1 &&
                                         t.choices[1] == static_cast<int>(b) + 1
                                     ? 1
                                     : 0);
  });
  if (played.empty()) throw agon::LacksData{varied.lacks};
  agon::PaperTable table;
  table.corner = varied.corner;
  table.units = {"share"};
  table.plots = {{.how = agon::TablePlot::How::heat_map, .apart = true}};
  std::size_t most = 0;
  for (const Arm& arm : varied.arms)
    if (played.contains(arm.heading)) most = std::max(most, arm.choices);
  for (std::size_t b = 1; b <= most; ++b) table.columns.push_back(fmt::format("Bob: choice_{}", b));
  std::string missing;
  for (const Arm& arm : varied.arms) {
    if (!played.contains(arm.heading))
      missing += (missing.empty() ? "" : "; ") + arm.heading;
    else
      for (const auto& [agent, joint] : played.at(arm.heading))
        add_joint_rows(table, arm.heading + (agents.size() > 1 ? ", " + agent : ""), arm.choices,
                       joint, matches.level());
  }
  table.notes = {
      "Share of the trials in which Alice made the choice of the row and Bob that of the column, "
      "without printed numbers in the paper. Trials with a forced choice are in no cell and stay "
      "in the denominator."};
  if (!varied.note.empty()) table.notes.push_back(varied.note);
  if (!missing.empty()) table.notes.push_back("Nobody has played: " + missing + ".");
  return table;
}

/// A payoff table and variants of it: names and headings.
Varied perturbation(const std::string& game,
                    std::vector<std::pair<std::string, std::string>> variants) {
  Varied varied{.corner = "payoffs",
                .arms = {},
                .lacks = "matches of an agent with itself in " + title_of(game) +
                         " or a variant of it, without negotiation"};
  for (const auto& [name, heading] : variants) varied.arms.push_back({heading});
  varied.heading_of = [variants = std::move(variants)](const Trial& t) {
    for (const auto& [name, heading] : variants)
      if (is_plain(t) && t.rounds == 0 && t.game == name) return heading;
    return std::string();
  };
  return varied;
}

Varied figure_5() {
  return perturbation("prisoners-dilemma",
                      {{"prisoners-dilemma", "as it is"},
                       {"prisoners-dilemma-plus-300", "both cooperate: 300"},
                       {"prisoners-dilemma-minus-300", "both defect: -299"},
                       {"prisoners-dilemma-plus-1000", "both cooperate: 1000 (code only)"},
                       {"prisoners-dilemma-minus-1000", "both defect: -999 (code only)"}});
}

Varied figure_6() {
  return perturbation("stag-hunt", {{"stag-hunt", "as it is"},
                                    {"stag-hunt-plus-300", "both stag: 300"},
                                    {"stag-hunt-minus-100", "both hare: -99"},
                                    {"stag-hunt-plus-1000", "both stag: 1000 (code only)"},
                                    {"stag-hunt-minus-1000", "both hare: -999 (code only)"}});
}

Varied figure_7() {
  Varied varied{.corner = "personality",
                .arms = {},
                .lacks =
                    "matches of an agent with itself whose personality is a factor, without "
                    "negotiation"};
  for (const char* game : {"prisoners-dilemma", "stag-hunt"})
    for (const std::string& p : personalities()) varied.arms.push_back({title_of(game) + ", " + p});
  varied.heading_of = [](const Trial& t) {
    return t.workflow || t.scale != 1 || t.rounds != 0 || t.personality.empty()
               ? std::string()
               : title_of(t.game) + ", " + t.personality;
  };
  return varied;
}

Varied figure_8() {
  Varied varied{.corner = "game",
                .arms = {},
                .lacks = "matches of an agent with itself with 0 to 3 rounds of negotiation",
                .note =
                    "Rock-Paper-Scissors has no pure equilibrium, and so no rate of them; the "
                    "mixed one takes each choice a third of the time, and each pair a ninth."};
  const auto heading = [](const std::string& game, int rounds) {
    return title_of(game) + ", " + rounds_in_words(rounds);
  };
  for (const char* game : {"prisoners-dilemma", "stag-hunt", "battle-of-sexes"})
    for (int rounds = 0; rounds <= 3; ++rounds) varied.arms.push_back({heading(game, rounds)});
  for (int rounds = 0; rounds <= 3; ++rounds)
    varied.arms.push_back({heading("rock-paper-scissors", rounds), kMostChoices});
  varied.heading_of = [heading](const Trial& t) {
    return is_plain(t) && t.prompt == 0 ? heading(t.game, t.rounds) : std::string();
  };
  return varied;
}

Varied by_prompt(const std::string& game) {
  Varied varied{.corner = "prompt",
                .arms = {},
                .lacks = "matches of an agent with itself in " + title_of(game) +
                         " with 1 to 3 rounds of negotiation",
                .note = "Prompts have the paper's numbers; its code calls them 1, 2, 6, 3, 4, 5."};
  const auto heading = [](int prompt, int rounds) {
    return (prompt == 0 ? "no prompt" : fmt::format("prompt {}", prompt)) + ", " +
           rounds_in_words(rounds);
  };
  for (int prompt = 0; prompt <= 6; ++prompt)
    for (int rounds = 1; rounds <= 3; ++rounds) varied.arms.push_back({heading(prompt, rounds)});
  varied.heading_of = [game, heading](const Trial& t) {
    return is_plain(t) && t.game == game ? heading(t.prompt, t.rounds) : std::string();
  };
  return varied;
}

Varied figure_9() {
  return by_prompt("prisoners-dilemma");
}
Varied figure_10() {
  return by_prompt("stag-hunt");
}

agon::PaperTable figure_11(const agon::PlayedMatches& matches) {
  RateTable table("who speaks first", figure_models());
  const auto heading = [](int first, int rounds) {
    return (first == 0 ? "Alice, " : "Bob, ") + rounds_in_words(rounds);
  };
  for (const int first : {0, 1})
    for (int rounds = 1; rounds <= 3; ++rounds) {
      table.row(heading(first, rounds) + ": NE");
      table.row(heading(first, rounds) + ": Alice's favourite");
      table.row(heading(first, rounds) + ": Bob's favourite");
    }
  each_trial(matches, [&](const Trial& t) {
    if (!is_plain(t) || t.game != "battle-of-sexes" || t.prompt != 0 || t.rounds < 1 ||
        t.rounds > 3)
      return;
    const std::string row = heading(t.who_first, t.rounds);
    table.add(row + ": NE", t.agent, t.block, t.nash);
    table.add(row + ": Alice's favourite", t.agent, t.block, t.choices == std::array<int, 2>{1, 1});
    table.add(row + ": Bob's favourite", t.agent, t.block, t.choices == std::array<int, 2>{2, 2});
  });
  return table.make(matches.level(),
                    "matches of an agent with itself in the Battle of the Sexes with 1 to 3 rounds "
                    "of negotiation",
                    figure_notes("The paper finds no effect of who speaks first."));
}

/// What is said of a figure, and of the table of joint actions beside it.
struct FigureWords {
  std::string_view id, joint_id, title, joint_title, source, scenario;
};

template <Varied (*varied)()>
void add_figure(agon::Registry& registry, const FigureWords& words) {
  shared::add_paper_tables(
      registry, "classic",
      {{words.id, words.title, words.source, words.scenario,
        [](const agon::PlayedMatches& matches) { return shares(matches, varied()); }},
       {words.joint_id, words.joint_title, words.source, words.scenario,
        [](const agon::PlayedMatches& matches) { return joint_actions(matches, varied()); }}});
}

}  // namespace

void add_figures(agon::Registry& registry) {
  add_figure<figure_5>(registry, {"game-theory/figure-5", "game-theory/figure-5-pairs",
                                  "Prisoner's Dilemma with perturbed payoffs",
                                  "Prisoner's Dilemma with perturbed payoffs: joint actions",
                                  "Hua et al. 2024, Game-theoretic LLM, figure 5 (section 6.2)",
                                  "papers/game-theory/figure-5.json"});
  add_figure<figure_6>(registry, {"game-theory/figure-6", "game-theory/figure-6-pairs",
                                  "Stag Hunt with perturbed payoffs",
                                  "Stag Hunt with perturbed payoffs: joint actions",
                                  "Hua et al. 2024, Game-theoretic LLM, figure 6 (section 6.2)",
                                  "papers/game-theory/figure-5.json"});
  add_figure<figure_7>(registry, {"game-theory/figure-7", "game-theory/figure-7-pairs",
                                  "personalities", "personalities: joint actions",
                                  "Hua et al. 2024, Game-theoretic LLM, figure 7 (section 6.3)",
                                  "papers/game-theory/figure-7.json"});
  add_figure<figure_8>(registry, {"game-theory/figure-8", "game-theory/figure-8-pairs",
                                  "rounds of negotiation", "rounds of negotiation: joint actions",
                                  "Hua et al. 2024, Game-theoretic LLM, figure 8 (section 6.4)",
                                  "papers/game-theory/figure-8.json"});
  add_figure<figure_9>(registry, {"game-theory/figure-9", "game-theory/figure-9-pairs",
                                  "closing prompts in the Prisoner's Dilemma",
                                  "closing prompts in the Prisoner's Dilemma: joint actions",
                                  "Hua et al. 2024, Game-theoretic LLM, figure 9 (section 6.5)",
                                  "papers/game-theory/figure-9.json"});
  add_figure<figure_10>(registry, {"game-theory/figure-10", "game-theory/figure-10-pairs",
                                   "closing prompts in the Stag Hunt",
                                   "closing prompts in the Stag Hunt: joint actions",
                                   "Hua et al. 2024, Game-theoretic LLM, figure 10 (section 6.5)",
                                   "papers/game-theory/figure-9.json"});
  shared::add_paper_tables(registry, "classic",
                           {{"game-theory/figure-11", "who speaks first",
                             "Hua et al. 2024, Game-theoretic LLM, figure 11 (section 6.6)",
                             "papers/game-theory/figure-11.json", &figure_11}});
}

}  // namespace classic
