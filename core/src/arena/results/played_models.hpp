#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "archive/archive.hpp"

namespace agon::report {

/// The models behind the agents of an archive: as its runs asked for them, as they were served, and
/// as its suites name them.
class PlayedModels {
 public:
  explicit PlayedModels(const archive::Archive& archive);

  /// "openai/gpt-4 (served as gpt-4-0613)", of an agent that calls a model; what providers called
  /// it is known once a run has ended.
  [[nodiscard]] std::optional<std::string> behind(const archive::AgentRow& agent) const;

  /// Where the agent's name has in it the name of a model of its suite, by entry or as the provider
  /// knows it, and something else played, as after --model: "mock/b, not openai/gpt-4".
  [[nodiscard]] std::optional<std::string> misnamed(const archive::AgentRow& agent) const;

 private:
  std::map<std::string, std::set<std::string>> served_;  // by "provider/model"
  std::map<std::string, std::set<std::string>> named_;   // by name in lower case: "provider/model"
};

}  // namespace agon::report
