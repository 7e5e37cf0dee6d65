// How long the arena itself takes for one question to a model: prompt, call without a network,
// parse, record. Prints the median and the 95th percentile; see docs/benchmarks.md.

#include <agon/json_writer.hpp>
#include <agon/model/model_agent.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <memory>

#include "llm/model_table.hpp"

namespace {

using namespace agon;
using namespace agon::test;
using Clock = std::chrono::steady_clock;

/// A model that answers at once, and notes when it was asked and how long the prompt was.
class Instant final : public llm::Provider {
 public:
  explicit Instant(std::string answer) : answer_(std::move(answer)) {}
  llm::ModelResult call(const ModelRequest& request, Time, Dice) override {
    messages = request.messages.size();
    bytes = 0;
    for (const ChatMessage& m : request.messages) bytes += m.text.size();
    llm::ModelResult result;
    result.call.provider = "instant";
    result.call.messages = request.messages;
    result.call.text = answer_;
    return result;
  }
  [[nodiscard]] CallEstimate estimate(const ModelRequest&) const override { return {}; }
  [[nodiscard]] std::vector<Finding> preflight(const Expected&) override { return {}; }

  std::size_t messages = 0;
  std::size_t bytes = 0;

 private:
  std::string answer_;
};

/// Measures each answer, and keeps the time of those with a memory of `wanted` messages or more.
class Timed final : public ModelAgent {
 public:
  Timed(std::shared_ptr<const llm::LlmAgent> inner, const Instant& model, std::size_t wanted)
      : inner_(std::move(inner)), model_(model), wanted_(wanted) {}
  void ask(OwnedQuestion question, Completion done) const override {
    const auto from = Clock::now();
    Reply reply = inner_->answer_now(question);
    const std::chrono::duration<double, std::micro> took = Clock::now() - from;
    if (model_.messages >= wanted_) micros.push_back(took.count());
    done(std::move(reply));
  }
  [[nodiscard]] ModelName model() const override { return inner_->model(); }

  mutable std::vector<double> micros;

 private:
  std::shared_ptr<const llm::LlmAgent> inner_;
  const Instant& model_;
  std::size_t wanted_;
};

void measure(const char* label, std::string_view game, const std::string& settings,
             const std::string& answer, std::size_t memory, int matches) {
  const auto model = std::make_shared<Instant>(answer);
  const auto timed = std::make_shared<Timed>(make_agent("memory=whole", game, model), *model,
                                             memory + 2);  // system prompt and task
  std::size_t questions = 0;
  std::chrono::duration<double, std::micro> whole{};
  for (int i = 0; i < matches; ++i) {
    ModelTable table(game, settings);
    Ledgers ledgers;
    table.ledgers(ledgers);
    for (std::size_t seat = 0; seat < table.settings().seating().size(); ++seat)
      table.agent(static_cast<int>(seat), timed);
    const auto from = Clock::now();
    const MatchResult result = table.play();
    whole += Clock::now() - from;
    if (result.end != End::finished) std::printf("%s\n", result.problem.c_str());
    questions += result.questions;
  }
  std::vector<double>& t = timed->micros;
  if (t.empty()) return;
  std::sort(t.begin(), t.end());
  std::printf(
      "%-32s  prompts of %3zu+ messages, %6zu bytes: %6zu questions, median %6.1f us, "
      "95%% %6.1f us; match code and record included %6.1f us a question\n",
      label, memory, model->bytes, t.size(), t[t.size() / 2], t[t.size() * 95 / 100],
      whole.count() / static_cast<double>(questions));
}

}  // namespace

int main() {
  measure("water-allocation, 60 days", "water-allocation",
          R"({"days": 60, "supply": [60, 60], "residents": [
              {"name": "Ann", "need": 10, "salary": 100}, {"name": "Ben", "need": 10, "salary": 90}]})",
          R"({"bid": 1})", 100, 20);
  measure("deal-or-no-deal, 60 rounds", "deal-or-no-deal",
          R"({"max_rounds": 60, "beliefs": false})",
          R"({"text": "I would like to have the books, and you can have all of the rest of it.",)"
          R"( "proposal": null, "halt": false})",
          100, 20);
  measure("bargaining, 6 turns", "bargaining", R"({})",
          R"({"talk": "That is too much for me.", "action": {"kind": "reject"}})", 4, 200);
}
