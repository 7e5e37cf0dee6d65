#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "remote/batch_player.hpp"
#include "suite/suite.hpp"
#include "table/match.hpp"

namespace agon {

class Catalogue;

/// Which matches of a suite are played as a whole in the process of their game's plugin, because
/// all that they need is there; and the processes that play them. Its functions may be called from
/// any number of threads.
class WholeMatches {
 public:
  /// Both must outlive it.
  WholeMatches(const Suite& suite, const Catalogue& catalogue);

  /// True if there may be such matches.
  [[nodiscard]] bool any() const { return any_; }
  /// The match as it is sent there; nothing if it is to be played here, question by question.
  [[nodiscard]] std::optional<remote::WholeMatch> whole(std::size_t scenario,
                                                        const design::PlannedMatch& planned,
                                                        const MatchSetup& setup) const;
  /// A process for matches of the scenario, for one thread at a time.
  std::unique_ptr<remote::BatchPlayer> take(std::size_t scenario);
  void give_back(std::size_t scenario, std::unique_ptr<remote::BatchPlayer> player);

 private:
  /// A plugin whose games are played so.
  struct Plugin {
    const remote::RemotePlugin* process = nullptr;
    std::vector<std::string> files;  ///< of plugins of this process whose agents it takes along
    std::vector<std::unique_ptr<remote::BatchPlayer>> idle;
  };
  /// What is known of a scenario's game.
  struct Home {
    Plugin* plugin = nullptr;               ///< null: it is played in this process
    std::vector<const std::string*> specs;  ///< by agent of the suite; null: it lives elsewhere
  };

  Plugin& plugin_of(const remote::RemotePlugin& process);
  /// True if the agent can be made in the plugin's processes, and answers at once there.
  static bool lives_in(Plugin& plugin, const Catalogue& catalogue, const AgentInGame& in,
                       std::string_view game);

  const Suite& suite_;
  std::vector<Home> homes_;  ///< by scenario
  bool any_ = false;
  std::deque<Plugin> plugins_;
  std::mutex mutex_;  ///< of who is idle
};

}  // namespace agon
