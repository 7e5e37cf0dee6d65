#include "suite/agents/model_messages.hpp"

#include <agon/error.hpp>
#include <agon/model/call_ledger.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <chrono>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

#include "json/write.hpp"
#include "plugin/catalogue.hpp"
#include "suite/agents/agent_spec.hpp"
#include "table/mailbox.hpp"

namespace agon {
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

ModelMessages::ModelMessages(const Catalogue& catalogue, const std::string& game,
                             const std::string& where) {
  if (catalogue.find_agent("llm", game) == nullptr)
    throw Error(
        ErrorKind::not_found,
        "what a model would be sent is written by the agent 'llm', which is not there for " + game,
        where, "is the installation complete? see 'agon list agents'");
  agent_ = AgentSpec::parse(SpecContext{catalogue, {game}},
                            R"({"llm": {"model": "mock", "ask_always": true}})", game, where)
               .in(game)
               ->agent;
}

std::vector<ChatMessage> ModelMessages::at(OwnedQuestion question) const {
  const auto ledger = std::make_shared<FirstMessages>();
  question.ledger = ledger;
  // What the seat's own agent keeps is nothing to this one, nor is how long it has.
  question.memo.clear();
  question.kept.reset();
  question.deadline = Mailbox::Clock::time_point::max();
  const auto mailbox = std::make_shared<Mailbox>();
  const std::uint32_t number = question.number;
  const int attempt = question.attempt;
  mailbox->expect(number, attempt);
  agent_->ask(std::move(question), Completion(mailbox, number, attempt));
  const auto letters = mailbox->collect(Mailbox::Clock::time_point::max(), std::stop_token());
  std::vector<ChatMessage> messages = ledger->take();
  // What the mock says to them is not looked at.
  if (messages.empty() && !letters.empty() && letters.front().reply.status != Fault::ok)
    throw Error(ErrorKind::invalid, letters.front().reply.problem);
  return messages;
}

std::string ModelMessages::json(const OwnedQuestion& question) const {
  boost::json::array all;
  for (const ChatMessage& m : at(question))
    all.push_back(boost::json::object{{"role", m.role}, {"content", m.text}});
  return json::write(all);
}

}  // namespace agon
