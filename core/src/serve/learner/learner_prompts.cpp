#include "learner/learner_prompts.hpp"

#include <utility>

#include "suite/agents/prompts.hpp"

namespace agon::serve {

LearnerPrompts::LearnerPrompts(const Suite& suite, const Catalogue& catalogue,
                               const std::vector<std::string>& folders) {
  for (const Scenario& s : suite.scenarios) {
    const auto english = s.prompts.find("en");
    std::shared_ptr<const PromptSet> prompts =
        english != s.prompts.end() ? english->second
        : s.prompts.empty()        ? load_prompts(catalogue, *s.game, folders, {}, {}, "prompts")
                                   : s.prompts.begin()->second;
    by_scenario_.emplace(
        s.name, PromptSource{ModelMessages(catalogue, std::string(s.game->id), "--openenv"),
                             std::move(prompts)});
  }
}

std::vector<ChatMessage> LearnerPrompts::messages(const Scenario& scenario,
                                                  OwnedQuestion question) const {
  const PromptSource& told = by_scenario_.at(scenario.name);
  question.prompts = told.prompts;
  return told.messages.at(std::move(question));
}

}  // namespace agon::serve
