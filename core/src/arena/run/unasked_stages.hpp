#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace agon {

struct Suite;

/// Answers that an agent was given for a stage of a game, and that no match asked it for: mostly
/// the preset has no such stage.
struct UnaskedStage {
  std::string agent;
  std::string game;
  std::string stage;
};

/// Looks for them in the matches of a run.
class UnaskedStages {
 public:
  explicit UnaskedStages(const Suite& suite);
  /// True if an agent of the suite has answers by stage.
  [[nodiscard]] bool is_needed() const { return !left_.empty(); }
  /// Notes a match that has ended, whose seat the agent played. One without a record tells nothing.
  void note(const std::string& agent, std::string_view game, std::string_view record, int seat);
  [[nodiscard]] std::vector<UnaskedStage> all() const;

 private:
  /// What was not asked yet.
  struct Left {
    std::set<std::string, std::less<>> stages;
    bool has_played = false;
  };
  std::map<std::pair<std::string, std::string>, Left> left_;  ///< by agent and game
};

}  // namespace agon
