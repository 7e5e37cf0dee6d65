#include "learner/learner_prompts.hpp"

#include <agon/error.hpp>
#include <agon/model/call_ledger.hpp>
#include <mutex>
#include <stop_token>
#include <utility>

#include "suite/prompts.hpp"
#include "table/mailbox.hpp"

namespace agon::serve {
namespace {

/// Keeps the messages of the first call.
class FirstMessages final : public CallLedger {
 public:
  std::optional<ModelCall> find(int) override { return std::nullopt; }
  Halt admit(const CallEstimate&) override { return Halt::no; }
  void keep(int index, const ModelCall& call) override { note(index, call); }
  void give_back(int index, const ModelCall& call) override { note(index, call); }

  [[nodiscard]] std::vector<ChatMessage> take() {
    const std::lock_guard lock(mutex_);
    return std::move(messages_);
  }

 private:
  void note(int index, const ModelCall& call) {
    if (index != 0) return;
    const std::lock_guard lock(mutex_);
    messages_ = call.messages;
  }

  std::mutex mutex_;
  std::vector<ChatMessage> messages_;
};

}  // namespace

LearnerPrompts::LearnerPrompts(const Suite& suite, const Catalogue& catalogue,
                               const std::vector<std::string>& folders) {
  for (const Scenario& s : suite.scenarios) {
    const std::string id(s.game->id);
    PromptSource told;
    const auto english = s.prompts.find("en");
    told.prompts = english != s.prompts.end() ? english->second
                   : s.prompts.empty()
                       ? load_prompts(catalogue, *s.game, folders, {}, {}, "prompts")
                       : s.prompts.begin()->second;
    const SpecContext context{catalogue, {id}};
    told.spec = AgentSpec::parse(context, R"({"llm": {"model": "mock", "ask_always": true}})", id,
                                 std::string("--openenv"));
    if (told.spec.in(id) == nullptr)
      throw Error(ErrorKind::not_found, "agent 'llm' does not play " + id, "--openenv",
                  "its prompts are what a learner is told; is the installation complete?");
    by_scenario_.emplace(s.name, std::move(told));
  }
}

std::vector<ChatMessage> LearnerPrompts::messages(const Scenario& scenario,
                                                  OwnedQuestion question) const {
  const PromptSource& told = by_scenario_.at(scenario.name);
  const auto ledger = std::make_shared<FirstMessages>();
  question.prompts = told.prompts;
  question.ledger = ledger;
  const auto mailbox = std::make_shared<Mailbox>();
  const std::uint32_t number = question.number;
  const int attempt = question.attempt;
  mailbox->expect(number, attempt);
  told.spec.in(scenario.game->id)
      ->agent->ask(std::move(question), Completion(mailbox, number, attempt));
  // What the mock says to it is not looked at.
  (void)mailbox->collect(Mailbox::Clock::time_point::max(), std::stop_token());
  return ledger->take();
}

}  // namespace agon::serve
