#pragma once

#include <agon/model/model_parts.hpp>
#include <array>
#include <chrono>
#include <map>
#include <optional>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/history.hpp"
#include "llm/prompt/prompts.hpp"
#include "llm/provider/provider.hpp"

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
       Provider& provider, const DataStyle& style, LineCache& cache,
       std::chrono::steady_clock::time_point deadline, bool own_words = true);

  [[nodiscard]] const OwnedQuestion& question() const override { return question_; }
  [[nodiscard]] Dice dice() const override;
  [[nodiscard]] std::size_t news_from() const override { return history_.news_from(); }
  [[nodiscard]] std::size_t remembered_from() const override;
  [[nodiscard]] std::size_t phase_from(std::size_t place) const override;
  [[nodiscard]] std::string events(std::size_t from, std::size_t to) const override;
  [[nodiscard]] std::vector<ChatMessage> dialogue(std::size_t from, std::size_t to) const override;
  [[nodiscard]] std::size_t last_messages(std::size_t n, std::size_t to) const override;
  [[nodiscard]] std::string account(std::size_t from, std::size_t to) const override {
    return history_.account(from, to);
  }
  [[nodiscard]] OwnText last_answer(Purpose purpose) const override {
    return history_.last_answer(purpose);
  }
  [[nodiscard]] std::string date(std::size_t place) const override { return history_.date(place); }
  [[nodiscard]] std::vector<OwnMove> own_moves() const override { return history_.moves(); }
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
  /// What the turn at the next attempt wants to have; this one is over.
  [[nodiscard]] std::shared_ptr<const void> take_kept();
  /// The last call did not fit into the model, nor with half of the memory: nor would it again.
  [[nodiscard]] bool has_no_room() const { return has_no_room_; }
  /// True if a note was written; then the memo.
  [[nodiscard]] bool has_memo() const { return notes_changed_; }
  [[nodiscard]] std::string memo() const;

 private:
  /// A call of this attempt or an earlier one.
  struct Made {
    std::string purpose{};
    std::vector<ChatMessage> messages{};
    ModelCall call{};
    std::vector<ChatMessage> tools{};  ///< what was asked of tools before it, and what they gave
    std::string refusal{};             ///< why what was said was turned down; empty: it was not
    bool was_unreadable = false;       ///< it did not have the form of an answer
    bool was_refused = false;          ///< the model refused to answer
  };
  struct Kept {
    std::vector<Made> made;
    std::optional<std::size_t> last_read{};  ///< the call whose words were read for an answer
    std::optional<std::size_t> last_said{};  ///< the call whose words are the answer, likewise
    int tool_calls = 0;
  };
  /// call(), of something that is read (`reads`) or not; says where in kept_ it is.
  std::size_t ask(ModelRequest request, bool reads);
  /// Adds what the model said at this attempt, from 0, and why that was turned down.
  void add_refusal(ModelRequest& request, int attempt, const Made& made, bool has_refused);
  /// What is left to who was turned down at this attempt, in words; `has_refused`: the model itself
  /// refused by then.
  [[nodiscard]] std::string left_after(int attempt, bool has_refused) const;
  /// Notes what came of reading a call's words.
  void note_read(std::size_t call, const ModelAnswer& answer);
  /// Calls, and has what is asked of tools worked out until there is an answer; `used` gets that.
  ModelCall call_with_tools(ModelRequest request, std::vector<ChatMessage>& used);
  /// What a tool gives, or why it does not, in words.
  [[nodiscard]] std::string tool_result(const ToolCall& call);
  /// One call; there is a second one, with half of the memory, of what does not fit.
  ModelCall call_once(const ModelRequest& request);
  [[nodiscard]] ModelCall make(const ModelRequest& request, int index);
  [[nodiscard]] std::string name_text(std::string_view name) const;
  [[nodiscard]] std::string member_text(std::string_view name, std::string_view wanted,
                                        const Type* type,
                                        const std::vector<RawMember>& members) const;
  [[nodiscard]] std::string view_text() const;
  /// Whether nothing is asked, and the recorded calls are read again.
  [[nodiscard]] bool is_reading() const;
  /// Whether the seat has answered anything yet.
  [[nodiscard]] bool has_answered() const;
  /// Has the parts say what they have to say, in the order in which they may build on each other.
  void hear_parts();

  const OwnedQuestion& question_;
  const Parts& parts_;
  const Prompts& prompts_;
  Provider& provider_;
  const DataStyle& style_;
  std::chrono::steady_clock::time_point deadline_;
  HistoryText history_;
  std::map<std::string, std::string, std::less<>> notes_;
  bool notes_changed_ = false;
  int calls_ = 0;
  bool has_no_room_ = false;
  bool shows_thoughts_ = false;
  bool told_complaint_ = false;  ///< a request has what was wrong with the last attempt
  Kept kept_;
  std::size_t earlier_ = 0;  ///< so many of kept_ are of earlier attempts
  std::vector<bool> reused_;
  bool heard_parts_ = false;
  std::string notes_text_;
  std::string beliefs_text_;
  std::string plan_text_;
  mutable std::optional<std::vector<RawMember>> view_members_;
  mutable std::optional<std::vector<RawMember>> facts_members_;
  std::optional<std::vector<ChatMessage>> opening_;
  std::optional<std::string> task_;
};

}  // namespace agon::llm
