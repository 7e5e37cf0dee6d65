#pragma once

#include <agon/analysis/paper_table.hpp>
#include <agon/analysis/statistics.hpp>
#include <agon/plugin.hpp>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "shared/published.hpp"

namespace classic {

/// A table of published.json.
[[nodiscard]] const shared::PublishedTable& published(std::string_view id);

/// Adds the tables of the game-theory paper: tables 5 to 8, rates of equilibria in the ten games,
/// and those below.
void add_tables(agon::Registry& registry);
/// Adds the figures of its section 6, but for those of Golden Balls.
void add_figures(agon::Registry& registry);
/// Cooperation by period, of any game that is played again and again.
[[nodiscard]] agon::PaperTable cooperation_by_period(const agon::PlayedMatches& matches);

/// How often which action is chosen beside the equilibria, in games that are played once.
[[nodiscard]] agon::PaperTable action_frequencies(const agon::PlayedMatches& matches);
/// Equilibrium play over the size of a change of payoffs that keeps equilibria.
[[nodiscard]] agon::PaperTable play_by_change(const agon::PlayedMatches& matches);
/// Action frequencies by period, of games that are played again and again.
[[nodiscard]] agon::PaperTable actions_by_period(const agon::PlayedMatches& matches);

/// One match of an agent with itself, as the tables of the game-theory paper count it.
struct Trial {
  std::string game;         ///< name in the data: "prisoners-dilemma"
  double scale = 1;         ///< what payoffs were multiplied by
  int rounds = 0;           ///< of negotiation
  int who_first = 0;        ///< who began to speak
  int prompt = 0;           ///< the closing prompt, by the paper's number
  bool workflow = false;    ///< both reason by a workflow: a label or a factor says so
  std::string agent;        ///< its name in the suite, without factors
  std::string personality;  ///< where a factor or a label varies it; else empty
  std::string block;        ///< what shares its random numbers
  bool nash = false;        ///< never in an invalid trial
  bool best_nash = false;
  bool valid = true;
  std::array<int, 2> choices{};  ///< by player, from 1; 0 where the choice was forced
};

/// Calls `each` with every match of two players in which an agent met itself: same name, same
/// workflow, same personality. Others belong to no table of this paper.
void each_trial(const agon::PlayedMatches& matches, const std::function<void(const Trial&)>& each);

/// A table of shares: rows in a fixed order, a column for each model of the paper and then for
/// every other agent that played.
class RateTable {
 public:
  RateTable(std::string corner, std::vector<std::string> models);

  /// A row; rows stand in the order of these calls.
  void row(const std::string& label);
  /// What the paper prints.
  void publish(const std::string& row, const std::string& column, double value);
  /// One observation.
  void add(const std::string& row, const std::string& column, const std::string& block, bool is);
  /// Those of a trial: how often each player took `choice`.
  void add_choices(const std::string& row, const std::string& column, const Trial& trial,
                   int choice);
  [[nodiscard]] bool empty() const { return samples_.empty(); }

  /// The table, with a note on rows that nobody played. Throws LacksData with `lacks` if nothing
  /// was added.
  [[nodiscard]] agon::PaperTable make(double level, const std::string& lacks,
                                      std::vector<std::string> notes) const;

 private:
  std::string corner_;
  std::vector<std::string> columns_;
  std::vector<std::string> rows_;
  std::map<std::pair<std::string, std::string>, agon::Sample> samples_;  ///< by row and column
  std::map<std::pair<std::string, std::string>, double> published_;      ///< likewise
};

/// The title of a shipped game, as the paper's tables have it; the name where it is none.
[[nodiscard]] std::string title_of(const std::string& game);

}  // namespace classic
