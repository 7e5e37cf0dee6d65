#pragma once

#include <agon/agent.hpp>
#include <agon/export.hpp>
#include <agon/model/model_call.hpp>
#include <agon/model/prompt_set.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "suite/agents/model_messages.hpp"
#include "suite/suite.hpp"

namespace agon {
class Catalogue;
}

namespace agon::serve {

/// What a model agent at the learner's seat would be told. From any thread.
class AGON_API LearnerPrompts {
 public:
  /// `folders`: of shipped prompts. Throws Error where there are no prompts, or no `llm`.
  LearnerPrompts(const Suite& suite, const Catalogue& catalogue,
                 const std::vector<std::string>& folders);

  [[nodiscard]] std::vector<ChatMessage> messages(const Scenario& scenario,
                                                  OwnedQuestion question) const;
  /// Of a scenario: the suite's own, where its model agents have some.
  [[nodiscard]] const std::shared_ptr<const PromptSet>& of(const Scenario& scenario) const {
    return by_scenario_.at(scenario.name).prompts;
  }

 private:
  struct PromptSource {
    ModelMessages messages;
    std::shared_ptr<const PromptSet> prompts;
  };
  std::map<std::string, PromptSource> by_scenario_;
};

}  // namespace agon::serve
