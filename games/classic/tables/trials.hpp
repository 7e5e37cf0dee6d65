#pragma once

#include <agon/analysis/paper_table.hpp>
#include <array>
#include <functional>
#include <string>

namespace classic {

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

}  // namespace classic
