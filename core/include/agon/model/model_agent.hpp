#pragma once

#include <agon/agent.hpp>
#include <agon/model/call_ledger.hpp>
#include <agon/model/kit.hpp>
#include <agon/model/preflight.hpp>
#include <agon/model/prompt_set.hpp>

namespace agon {

struct Game;

/// Which model answers, for prices and reports.
struct ModelName {
  std::string provider;     ///< id of its card
  std::string model;        ///< as the provider has it; may be empty
  bool is_mock = false;     ///< answers are made up, for free: reports say so
  bool is_batched = false;  ///< its calls go out in batches, at the price of those

  /// "provider/model", or the provider alone.
  [[nodiscard]] std::string text() const { return provider + (model.empty() ? "" : "/") + model; }
};

/// Another model than the agent's own, which answers the calls of one purpose.
struct PurposeModel {
  std::string purpose;  ///< ModelCall::purpose
  ModelName model;      ///< which answers them
};

/// A short question that is put to a model itself, outside any match, to see whether it still is
/// what it was.
struct ModelProbe {
  std::string text;       ///< the question
  std::string schema{};   ///< JSON Schema of the answer; empty: free text
  std::string purpose{};  ///< of ModelAgent::other_models(), for its model; empty: the agent's own
};

/// An agent whose answers are paid for in calls of a model. It reads prompt files, which are then
/// part of what a match is; its calls go through the ledger of each question.
class AGON_API ModelAgent : public WaitingAgent {
 public:
  ~ModelAgent() override;
  [[nodiscard]] const ModelAgent* model_agent() const final { return this; }

  /// The model, also where it is not called, as in a dry run.
  [[nodiscard]] virtual ModelName model() const = 0;
  /// The models that calls of some purposes go to, by purpose; empty: its own answers all of them.
  [[nodiscard]] virtual std::vector<PurposeModel> other_models() const { return {}; }
  /// Whether it writes down what it takes to rounds and matches to come. Where it is never asked
  /// for that it plays as one that does not.
  [[nodiscard]] virtual bool learns() const { return false; }
  [[nodiscard]] std::string language() const override { return "en"; }
  /// Looks at all that the agent needs for playing `game` with these prompts (null: none were
  /// found): key, endpoint, prompts. Called before a run; may take seconds, spends next to nothing.
  [[nodiscard]] virtual std::vector<Finding> preflight(const Game& game, const PromptSet* prompts,
                                                       const Expected& expected) const;
  /// Puts a probe to the model, without the agent's parts: at the model's own settings, but for a
  /// short answer. The call is number 0 of `ledger`, its purpose "drift". Waits for it; equal
  /// probes have equal dice. Nothing: the model cannot be asked so. Else the status is Fault::ok if
  /// it said anything at all; throws Error if the call cannot be kept.
  [[nodiscard]] virtual std::optional<Reply> probe_model(const ModelProbe& probe,
                                                         CallLedger& ledger) const;
  /// Reply::said once more, from the question's ledger alone: of an answer that is taken from a
  /// record. Empty if the ledger does not have it.
  [[nodiscard]] virtual std::string said(const OwnedQuestion& question) const;
};

}  // namespace agon
