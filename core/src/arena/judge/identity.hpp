#pragma once

#include <agon/export.hpp>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "archive/archive.hpp"
#include "plugin/catalogue.hpp"
#include "settings/settings.hpp"

namespace agon::judge {

/// Whether a seat was given an identity: by its game's settings, or by the persona of a model
/// agent. One for a thread.
class AGON_API Identities {
 public:
  /// Both must outlive this. Of a game that is not in the catalogue the agents alone are asked.
  Identities(const archive::Archive& archive, const Catalogue& catalogue);

  /// True if it was.
  bool operator()(const archive::MatchRow& match, int seat);

  /// Of each game that was wanted and is not in the catalogue: which plugin brought it.
  [[nodiscard]] const std::set<std::string>& missing() const { return missing_; }

 private:
  /// A scenario's game and settings; null: they are not at hand.
  struct Stage {
    const Game* game = nullptr;
    std::optional<Settings> settings{};
  };
  const Stage& stage_of(std::int64_t scenario);
  bool by_agent(std::int64_t agent);

  const archive::Archive& archive_;
  const Catalogue& catalogue_;
  std::map<std::int64_t, archive::GameRow> games_;
  std::map<std::int64_t, archive::ScenarioRow> scenarios_;
  std::map<std::int64_t, archive::AgentRow> agents_;
  std::map<std::int64_t, Stage> stages_;
  std::map<std::int64_t, bool> known_;  ///< by agent
  std::set<std::string> missing_;
};

}  // namespace agon::judge
