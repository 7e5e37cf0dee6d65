#pragma once

#include <agon/model/model_parts.hpp>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm/prompt/data_text.hpp"
#include "llm/prompt/history.hpp"
#include "llm/provider/provider.hpp"

namespace agon::llm {

/// The calls of one attempt at a question, those of earlier attempts among them: over the ledger,
/// with tools, and with what was turned down and why. A call that was made already is not made
/// again.
class TurnCalls {
 public:
  /// All must outlive it. `tools` may be null.
  TurnCalls(ModelTurn& turn, const HistoryText& history, const Tools* tools,
            const AgentModels& models, const DataStyle& style,
            std::chrono::steady_clock::time_point deadline);

  /// Calls, of something that is read for an answer (`reads`) or not. Says where the call is, for
  /// at(). Throws CallFailed.
  std::size_t ask(ModelRequest request, bool reads);
  [[nodiscard]] const ModelCall& at(std::size_t call) const { return kept_.made[call].call; }
  /// Notes what came of reading a call's words.
  void note_read(std::size_t call, const ModelAnswer& answer);
  /// The call's words are the answer.
  void note_said(std::size_t call);

  /// Whether nothing is asked, and the recorded calls are read again.
  [[nodiscard]] bool is_reading() const;
  /// The last call did not fit into the model, nor with half of the memory: nor would it again.
  [[nodiscard]] bool has_no_room() const { return has_no_room_; }
  /// What the turn at the next attempt wants to have; this one is over.
  [[nodiscard]] std::shared_ptr<const void> take_kept() {
    return std::make_shared<const Kept>(std::move(kept_));
  }

 private:
  /// A call of this attempt or an earlier one.
  struct Made {
    std::string purpose{};
    std::vector<ChatMessage> messages{};
    ModelCall call{};
    std::vector<ChatMessage> tools{};  ///< what was asked of tools before it, and what they gave
    std::string refusal{};             ///< why what was said was turned down; empty: it was not
    std::string drawn{};               ///< the option that was drawn, in words
    bool was_unreadable = false;       ///< it did not have the form of an answer
    bool was_refused = false;          ///< the model refused to answer
  };
  struct Kept {
    std::vector<Made> made;
    std::optional<std::size_t> last_read{};  ///< the call whose words were read for an answer
    std::optional<std::size_t> last_said{};  ///< the call whose words are the answer, likewise
    int tool_calls = 0;
  };
  /// Adds what the model said at this attempt, from 0, and why that was turned down.
  void add_refusal(ModelRequest& request, int attempt, const Made& made, bool has_refused);
  /// What is left to who was turned down at this attempt, in words; `has_refused`: the model itself
  /// refused by then.
  [[nodiscard]] std::string left_after(int attempt, bool has_refused) const;
  /// Calls, and has what is asked of tools worked out until there is an answer; `used` gets that.
  /// What comes of it; `used`: the calls of tools on the way.
  ModelCall send(const ModelRequest& request, std::vector<ChatMessage>& used);
  ModelCall call_with_tools(ModelRequest request, std::vector<ChatMessage>& used);
  /// What a tool gives, or why it does not, in words.
  [[nodiscard]] std::string tool_result(const ToolCall& call);
  /// One call, in the words of the seat's story; there is a second one, with half of the memory, of
  /// what does not fit.
  ModelCall call_once(const ModelRequest& request);
  ModelCall call_as_shown(const ModelRequest& request);
  [[nodiscard]] ModelCall make(const ModelRequest& request, int index);
  /// The answer that the run's cache of answers has to it, if the run has one.
  [[nodiscard]] std::optional<ModelCall> reuse(const ModelRequest& request, int index);

  ModelTurn& turn_;
  const OwnedQuestion& question_;
  const HistoryText& history_;
  const Tools* tools_;
  const AgentModels& models_;
  const DataStyle& style_;
  std::chrono::steady_clock::time_point deadline_;
  int calls_ = 0;
  bool has_no_room_ = false;
  bool told_complaint_ = false;  ///< a request has what was wrong with the last attempt
  Kept kept_;
  std::size_t earlier_ = 0;  ///< so many of kept_ are of earlier attempts
  std::vector<bool> reused_;
};

/// The call's messages are more than the model takes.
[[nodiscard]] inline bool does_not_fit(const ModelCall& call) {
  return call.fault == Fault::truncated && call.finish == "context_length";
}

}  // namespace agon::llm
