#pragma once

#include <agon/model/model_parts.hpp>
#include <array>
#include <chrono>
#include <map>
#include <optional>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/history.hpp"
#include "llm/prompt/prompts.hpp"
#include "llm/prompt/wording.hpp"
#include "llm/provider/provider.hpp"
#include "llm/turn_calls.hpp"

namespace agon::llm {

/// The parts of one agent.
struct Parts {
  std::shared_ptr<const Persona> persona;
  std::shared_ptr<const Memory> memory;
  std::shared_ptr<const Learning> learning;
  std::shared_ptr<const Planning> planning;
  std::shared_ptr<const Beliefs> beliefs;
  std::shared_ptr<const Reasoning> reasoning;
  std::shared_ptr<const AnswerForm> form;
  std::shared_ptr<const Tools> tools;

  [[nodiscard]] std::array<const Part*, 8> all() const {
    return {persona.get(), memory.get(),    learning.get(), planning.get(),
            beliefs.get(), reasoning.get(), form.get(),     tools.get()};
  }
};

/// One attempt at one question: what parts see and do, over the ledger of its calls.
class Turn final : public ModelTurn {
 public:
  /// All must outlive the turn. Without `own_words` earlier answers stand as they were played.
  /// Throws Error for a memo of another kind of agent.
  Turn(const OwnedQuestion& question, const Parts& parts, const Prompts& prompts,
       const AgentModels& models, const DataStyle& style, LineCache& cache,
       std::chrono::steady_clock::time_point deadline, bool own_words = true);

  [[nodiscard]] const OwnedQuestion& question() const override { return question_; }
  [[nodiscard]] Dice dice() const override;
  [[nodiscard]] const TurnHistory& history() const override { return history_; }
  [[nodiscard]] std::string headed(std::string_view title, const OwnText& own) const override;
  [[nodiscard]] std::string note(std::string_view part) const override;
  void write_note(std::string_view part, std::string text) override;
  ModelCall call(const ModelRequest& request) override;
  [[nodiscard]] std::string render(std::string_view file,
                                   std::span<const PromptName> more) const override;
  [[nodiscard]] bool has_prompt(std::string_view file) const override;
  const std::vector<ChatMessage>& opening() override;
  const std::string& task() override;
  [[nodiscard]] std::string form(Thinking thinking) const override;
  ModelAnswer ask_for_answer(const std::string& prompt, std::string_view purpose,
                             Thinking thinking) override;
  ModelAnswer ask_for(const Type& type, ModelRequest request,
                      std::span<const LimitData> limits) override;

  /// Whether a part of the agent speaks to this question; else the probe is declined.
  [[nodiscard]] bool wants_to_answer() const;
  /// Puts what the model thought before its answer, where that is known, in front of its words.
  void show_thoughts() { shows_thoughts_ = true; }
  /// Has answers drawn from the model's distribution over them, where few are legal.
  void draw_answers() { draws_answers_ = true; }
  /// What the turn at the next attempt wants to have; this one is over.
  [[nodiscard]] std::shared_ptr<const void> take_kept() { return calls_.take_kept(); }
  /// The last call did not fit into the model, nor with half of the memory: nor would it again.
  [[nodiscard]] bool has_no_room() const { return calls_.has_no_room(); }
  /// The memo, if a note was written.
  [[nodiscard]] std::optional<std::string> memo() const;

 private:
  [[nodiscard]] std::string name_text(std::string_view name) const;
  /// Has the parts say what they have to say, in the order in which they may build on each other.
  void hear_parts();
  /// The prompt of the stage, or the generic one.
  [[nodiscard]] std::string_view task_file() const;
  /// The news end the dialogue, where later requests have them too, and stand in no prompt.
  [[nodiscard]] bool ends_with_news() const;

  const OwnedQuestion& question_;
  const Parts& parts_;
  const Prompts& prompts_;
  const DataStyle& style_;
  Wording wording_;
  HistoryText history_;
  TurnCalls calls_;
  std::map<std::string, std::string, std::less<>> notes_;
  bool notes_changed_ = false;
  bool shows_thoughts_ = false;
  bool draws_answers_ = false;
  bool heard_parts_ = false;
  std::string notes_text_;
  std::string beliefs_text_;
  std::string plan_text_;
  std::optional<std::vector<ChatMessage>> opening_;
  std::optional<std::string> task_;
};

}  // namespace agon::llm
