#include <fmt/format.h>

#include <agon/json_reader.hpp>
#include <algorithm>
#include <cmath>
#include <map>

#include "classic/tables/tables.hpp"
#include "shared/tables.hpp"

namespace classic {
namespace {

/// What the settings say, read once for all matches that share them.
struct SettingsRead {
  bool fits = false;
  Trial trial;
};

SettingsRead read_settings(std::string_view json) {
  SettingsRead read;
  const agon::JsonDocument document{std::string(json), "settings"};
  const agon::JsonNode settings = document.root();
  const auto game = settings.find("game");
  // A huge game is kept apart from the settings; none of the paper's is.
  if (!game || !game->find("name")) return read;
  // Nothing in the paper is played again; archives from before do not say how often it is.
  if (const auto periods = settings.find("periods"); periods && periods->whole() > 1) return read;
  read.fits = true;
  read.trial.game = (*game)["name"].text();
  read.trial.scale = settings["scale"].number();
  read.trial.rounds = static_cast<int>(settings["rounds"].whole());
  read.trial.who_first = static_cast<int>(settings["who_first"].whole());
  read.trial.prompt = static_cast<int>(settings["prompt"].whole());
  return read;
}

/// Who an agent is, by its factors and labels.
struct Kind {
  bool workflow = false;
  std::string personality;
  bool operator==(const Kind&) const = default;
};

Kind kind_of(std::string_view factors) {
  Kind kind;
  if (factors.empty()) return kind;
  const agon::JsonDocument document{std::string(factors), "factors"};
  const agon::JsonNode levels = document.root();
  for (std::size_t i = 0; i < levels.member_count(); ++i) {
    const agon::JsonNode level = levels.member(i);
    if (level.kind() != agon::JsonNode::Kind::text) continue;
    const std::string_view name = levels.name(i);
    const std::string_view text = level.text();
    if (name == "workflow") kind.workflow = text == "use";
    if (name == "reasoning") kind.workflow = text.find("workflow") != std::string_view::npos;
    if (name == "personality") kind.personality = text;
    if (name == "persona" && text.starts_with("personality:is="))
      kind.personality = text.substr(std::string_view("personality:is=").size());
  }
  return kind;
}

}  // namespace

void each_trial(const agon::PlayedMatches& matches, const std::function<void(const Trial&)>& each) {
  std::map<std::string, SettingsRead, std::less<>> known;
  std::map<std::string, Kind, std::less<>> kinds;
  const auto kind_by = [&](std::string_view factors) -> const Kind& {
    auto found = kinds.find(factors);
    if (found == kinds.end()) found = kinds.emplace(factors, kind_of(factors)).first;
    return found->second;
  };
  matches.each([&](const agon::PlayedMatch& match) {
    const auto seats = match.seats();
    if (seats.size() != 2 || seats[0].agent != seats[1].agent) return;
    auto found = known.find(match.settings());
    if (found == known.end())
      found = known.emplace(match.settings(), read_settings(match.settings())).first;
    if (!found->second.fits) return;
    Trial trial = found->second.trial;
    const Kind& kind = kind_by(seats[0].factors);
    trial.workflow = kind.workflow;
    trial.personality = kind.personality;
    trial.agent = seats[0].base;
    trial.block = shared::block_of(match);
    trial.valid = match.metric("valid") == 1;
    trial.nash = match.metric("nash") == 1;
    trial.best_nash = match.metric("best_nash") == 1;
    for (std::size_t p = 0; p < 2; ++p)
      if (match.metric(seats[p], "forced") != 1)
        trial.choices[p] = static_cast<int>(match.metric(seats[p], "choice"));
    each(trial);
  });
}

RateTable::RateTable(std::string corner, std::vector<std::string> models)
    : corner_(std::move(corner)), columns_(std::move(models)) {}

void RateTable::row(const std::string& label) {
  rows_.push_back(label);
}

void RateTable::publish(const std::string& row, const std::string& column, double value) {
  published_[{row, column}] = value;
}

void RateTable::add(const std::string& row, const std::string& column, const std::string& block,
                    bool is) {
  if (std::find(columns_.begin(), columns_.end(), column) == columns_.end())
    columns_.push_back(column);
  samples_[{row, column}].add(block, is ? 1 : 0);
}

void RateTable::add_choices(const std::string& row, const std::string& column, const Trial& trial,
                            int choice) {
  for (const int taken : trial.choices) add(row, column, trial.block, taken == choice);
}

agon::PaperTable RateTable::make(double level, const std::string& lacks,
                                 std::vector<std::string> notes) const {
  if (samples_.empty()) throw agon::LacksData{lacks};
  agon::PaperTable table;
  table.corner = corner_;
  table.columns = columns_;
  std::string missing;
  for (const std::string& label : rows_) {
    agon::TableRow row{label, {}};
    bool played = false;
    for (const std::string& column : columns_) {
      agon::TableCell cell;
      if (const auto found = samples_.find({label, column}); found != samples_.end()) {
        cell.ours = found->second.share(level);
        played = true;
      }
      if (const auto found = published_.find({label, column}); found != published_.end())
        cell.published = found->second;
      row.cells.push_back(std::move(cell));
    }
    if (!played) missing += (missing.empty() ? "" : "; ") + label;
    table.rows.push_back(std::move(row));
  }
  table.notes = std::move(notes);
  if (!missing.empty()) table.notes.push_back("Nobody has played: " + missing + ".");
  return table;
}

std::string title_of(const std::string& game) {
  static const std::map<std::string, std::string> titles{
      {"prisoners-dilemma", "Prisoner's Dilemma"},
      {"stag-hunt", "Stag Hunt"},
      {"battle-of-sexes", "Battle of the Sexes"},
      {"wait-go", "Wait-Go"},
      {"duopoly", "Duopoly"},
      {"rock-paper-scissors", "Rock-Paper-Scissors"},
      {"escalation", "Escalation"},
      {"monopoly", "Monopoly"},
      {"hot-cold", "Hot-Cold"},
      {"draco", "Draco"},
      {"trigame", "TriGame"}};
  const auto found = titles.find(game);
  return found == titles.end() ? game : found->second;
}

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

/// Rows for pure equilibria and for the choices 1 to `choices`, under one heading. The one game
/// with three choices, Rock-Paper-Scissors, has no pure equilibrium.
void add_rows(RateTable& table, const std::string& heading, int choices) {
  if (choices == 2) table.row(heading + ": NE");
  for (int c = 1; c <= choices; ++c) table.row(fmt::format("{}: choice_{}", heading, c));
}
void add_trial(RateTable& table, const std::string& heading, int choices, const Trial& t) {
  if (choices == 2) table.add(heading + ": NE", t.agent, t.block, t.nash);
  for (int c = 1; c <= choices; ++c)
    table.add_choices(fmt::format("{}: choice_{}", heading, c), t.agent, t, c);
}

/// A payoff table and variants of it.
agon::PaperTable perturbation(const agon::PlayedMatches& matches, const std::string& game,
                              const std::vector<std::pair<std::string, std::string>>& variants) {
  RateTable table("payoffs", figure_models());
  const auto heading = [](const std::string& variant) { return variant; };
  for (const auto& [name, label] : variants) add_rows(table, heading(label), 2);
  each_trial(matches, [&](const Trial& t) {
    if (!is_plain(t) || t.rounds != 0) return;
    for (const auto& [name, label] : variants)
      if (t.game == name) add_trial(table, heading(label), 2, t);
  });
  return table.make(matches.level(),
                    "matches of an agent with itself in " + title_of(game) +
                        " or a variant of it, without negotiation",
                    figure_notes());
}

agon::PaperTable figure_5(const agon::PlayedMatches& matches) {
  return perturbation(matches, "prisoners-dilemma",
                      {{"prisoners-dilemma", "as it is"},
                       {"prisoners-dilemma-plus-300", "both cooperate: 300"},
                       {"prisoners-dilemma-minus-300", "both defect: -299"},
                       {"prisoners-dilemma-plus-1000", "both cooperate: 1000 (code only)"},
                       {"prisoners-dilemma-minus-1000", "both defect: -999 (code only)"}});
}

agon::PaperTable figure_6(const agon::PlayedMatches& matches) {
  return perturbation(matches, "stag-hunt",
                      {{"stag-hunt", "as it is"},
                       {"stag-hunt-plus-300", "both stag: 300"},
                       {"stag-hunt-minus-100", "both hare: -99"},
                       {"stag-hunt-plus-1000", "both stag: 1000 (code only)"},
                       {"stag-hunt-minus-1000", "both hare: -999 (code only)"}});
}

agon::PaperTable figure_7(const agon::PlayedMatches& matches) {
  RateTable table("personality", figure_models());
  const std::vector<std::string> games{"prisoners-dilemma", "stag-hunt"};
  const auto heading = [](const std::string& game, const std::string& personality) {
    return title_of(game) + ", " + personality;
  };
  for (const std::string& game : games)
    for (const std::string& p : personalities()) add_rows(table, heading(game, p), 2);
  each_trial(matches, [&](const Trial& t) {
    if (t.workflow || t.scale != 1 || t.rounds != 0 || t.personality.empty() ||
        std::find(games.begin(), games.end(), t.game) == games.end())
      return;
    add_trial(table, heading(t.game, t.personality), 2, t);
  });
  return table.make(matches.level(),
                    "matches of an agent with itself whose personality is a factor, without "
                    "negotiation",
                    figure_notes());
}

agon::PaperTable figure_8(const agon::PlayedMatches& matches) {
  RateTable table("game", figure_models());
  const std::vector<std::pair<std::string, int>> games{{"prisoners-dilemma", 2},
                                                       {"stag-hunt", 2},
                                                       {"battle-of-sexes", 2},
                                                       {"rock-paper-scissors", 3}};
  const auto heading = [](const std::string& game, int rounds) {
    return fmt::format("{}, {} round{}", title_of(game), rounds, rounds == 1 ? "" : "s");
  };
  for (const auto& [game, choices] : games)
    for (int rounds = 0; rounds <= 3; ++rounds) add_rows(table, heading(game, rounds), choices);
  each_trial(matches, [&](const Trial& t) {
    if (!is_plain(t) || t.prompt != 0 || t.rounds > 3) return;
    for (const auto& [game, choices] : games)
      if (t.game == game) add_trial(table, heading(game, t.rounds), choices, t);
  });
  return table.make(matches.level(),
                    "matches of an agent with itself with 0 to 3 rounds of negotiation",
                    figure_notes("Rock-Paper-Scissors has no pure equilibrium, and so no rate of "
                                 "them; the mixed one takes each choice a third of the time."));
}

agon::PaperTable by_prompt(const agon::PlayedMatches& matches, const std::string& game) {
  RateTable table("prompt", figure_models());
  const auto heading = [](int prompt, int rounds) {
    const std::string named = prompt == 0 ? "no prompt" : fmt::format("prompt {}", prompt);
    return fmt::format("{}, {} round{}", named, rounds, rounds == 1 ? "" : "s");
  };
  for (int prompt = 0; prompt <= 6; ++prompt)
    for (int rounds = 1; rounds <= 3; ++rounds) add_rows(table, heading(prompt, rounds), 2);
  each_trial(matches, [&](const Trial& t) {
    if (is_plain(t) && t.game == game && t.rounds >= 1 && t.rounds <= 3)
      add_trial(table, heading(t.prompt, t.rounds), 2, t);
  });
  return table.make(
      matches.level(),
      "matches of an agent with itself in " + title_of(game) + " with 1 to 3 rounds of negotiation",
      figure_notes("Prompts have the paper's numbers; its code calls them 1, 2, 6, 3, 4, 5."));
}

agon::PaperTable figure_9(const agon::PlayedMatches& matches) {
  return by_prompt(matches, "prisoners-dilemma");
}
agon::PaperTable figure_10(const agon::PlayedMatches& matches) {
  return by_prompt(matches, "stag-hunt");
}

agon::PaperTable figure_11(const agon::PlayedMatches& matches) {
  RateTable table("who speaks first", figure_models());
  const auto heading = [](int first, int rounds) {
    return fmt::format("{}, {} round{}", first == 0 ? "Alice" : "Bob", rounds,
                       rounds == 1 ? "" : "s");
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

void add_figure(agon::Registry& registry, std::string_view id, std::string_view title,
                std::string_view source, std::string_view scenario,
                agon::PaperTable (*make)(const agon::PlayedMatches&)) {
  registry.add(agon::TableCard{.id = id,
                               .title = title,
                               .source = source,
                               .scenario = scenario,
                               .game = "classic",
                               .make = make});
}

}  // namespace

void add_figures(agon::Registry& registry) {
  add_figure(registry, "game-theory/figure-5", "Prisoner's Dilemma with perturbed payoffs",
             "Hua et al. 2024, Game-theoretic LLM, figure 5 (section 6.2)",
             "papers/game-theory/figure-5.json", &figure_5);
  add_figure(registry, "game-theory/figure-6", "Stag Hunt with perturbed payoffs",
             "Hua et al. 2024, Game-theoretic LLM, figure 6 (section 6.2)",
             "papers/game-theory/figure-5.json", &figure_6);
  add_figure(registry, "game-theory/figure-7", "personalities",
             "Hua et al. 2024, Game-theoretic LLM, figure 7 (section 6.3)",
             "papers/game-theory/figure-7.json", &figure_7);
  add_figure(registry, "game-theory/figure-8", "rounds of negotiation",
             "Hua et al. 2024, Game-theoretic LLM, figure 8 (section 6.4)",
             "papers/game-theory/figure-8.json", &figure_8);
  add_figure(registry, "game-theory/figure-9", "closing prompts in the Prisoner's Dilemma",
             "Hua et al. 2024, Game-theoretic LLM, figure 9 (section 6.5)",
             "papers/game-theory/figure-9.json", &figure_9);
  add_figure(registry, "game-theory/figure-10", "closing prompts in the Stag Hunt",
             "Hua et al. 2024, Game-theoretic LLM, figure 10 (section 6.5)",
             "papers/game-theory/figure-9.json", &figure_10);
  add_figure(registry, "game-theory/figure-11", "who speaks first",
             "Hua et al. 2024, Game-theoretic LLM, figure 11 (section 6.6)",
             "papers/game-theory/figure-11.json", &figure_11);
}

}  // namespace classic
