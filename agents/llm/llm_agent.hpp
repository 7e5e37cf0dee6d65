#pragma once

#include <agon/model/model_agent.hpp>
#include <agon/plugin.hpp>
#include <agon/waiting.hpp>
#include <map>
#include <memory>
#include <mutex>

#include "llm/model_spec.hpp"
#include "llm/provider/traffic.hpp"
#include "llm/turn.hpp"

namespace agon::llm {

/// What of its own thoughts a model is shown again, with the answers that its memory shows.
enum class OwnThoughts : std::uint8_t { as_said, shown, hidden };
AGON_DESCRIBE_ENUM(OwnThoughts,
                   (as_said, "what it wrote with an answer, which stands in its own words"),
                   (shown,
                    "the same, and what it wrote before the answer in calls of their own: an "
                    "intention, a draft, a look back"),
                   (hidden, "nothing: answers stand as they were played, without any reasons"))

/// Whose words a model is asked in.
enum class PromptWords : std::uint8_t { own, published };
AGON_DESCRIBE_ENUM(PromptWords, (own, "the prompts that ship with the game, or the scenario's"),
                   (published, "those that the game's paper printed, in English"))

/// What an agent of the model kind is made of; parts in the short form `window:n=20`.
struct LlmParams {
  ModelSpec model;
  std::string persona = "none";
  std::string memory = "whole";
  std::string learning = "none";
  std::string planning = "none";
  std::string beliefs = "off";
  std::string reasoning = "direct";
  std::string form = "schema";
  OwnThoughts own_thoughts = OwnThoughts::as_said;
  std::optional<std::string> tools;
  std::map<std::string, ModelSpec> models{};
  std::optional<std::string> language{};
  std::optional<PromptWords> prompts{};
  bool show_thoughts = false;
  bool ask_always = false;
  double answer_seconds = 0;
  int longest_text = 4000;
};
AGON_DESCRIBE(
    LlmParams, (model, "the model; in a suite an entry of its `models`"),
    (persona,
     "who the model is to be; this and what follows are components: 'agon list components'",
     agon::length(1, 4000)),
    (memory, "what it is reminded of", agon::length(1, 400)),
    (learning, "whether it learns for rounds and matches to come", agon::length(1, 400)),
    (planning, "whether and when it makes plans", agon::length(1, 400)),
    (beliefs, "whether it keeps an account of how things stand", agon::length(1, 400)),
    (reasoning, "how it finds an answer", agon::length(1, 400)),
    (form, "how it writes an answer down", agon::length(1, 400)),
    (own_thoughts,
     "what it is shown again of the thoughts that it wrote itself, with each answer that "
     "its memory shows"),
    (tools, "what it may call before it answers; left out: none", agon::length(1, 400),
     agon::left_out),
    (models,
     "other models, by the purpose of the calls that they answer in its place: \"extract\", "
     "\"criticise\", \"plan\"; 'agon describe PART' lists a component's purposes",
     agon::left_out),
    (language,
     "what it reads all of it in: \"de\", \"zh\" or another one that there are prompts "
     "in; none: English",
     agon::length(2, 20), agon::left_out),
    (prompts, "whose words it is asked in; none: own", agon::left_out),
    (show_thoughts,
     "what the model thought before an earlier answer, where its endpoint tells that, is "
     "shown to it again in front of the answer"),
    (ask_always, "it is asked also where only one answer is legal"),
    (answer_seconds, "for one answer with all its calls; 0: as the model's own limits say",
     agon::range(0, 1e6), agon::unit("s")),
    (longest_text, "how much of a text that somebody wrote is shown to the model",
     agon::range(20, 1e6), agon::unit("bytes")))

/// A language model at a seat, made of parts: who it is, what it remembers, whether it plans and
/// keeps beliefs, how it reasons and how it writes its answer down.
class LlmAgent final : public ModelAgent {
 public:
  using Params = LlmParams;

  /// Throws Error for a part that is not there, and for a model that makes no sense.
  LlmAgent(const Params& params, const AgentServices& services);
  /// With a given provider: for tests.
  LlmAgent(const Params& params, const AgentServices& services, std::shared_ptr<Provider> provider);
  ~LlmAgent() override;

  [[nodiscard]] static std::vector<Access> accesses(const Params& params,
                                                    const AgentServices& services);
  void ask(OwnedQuestion question, Completion done) const override;
  /// The same on the caller's thread. Never throws.
  [[nodiscard]] Reply answer_now(const OwnedQuestion& question) const;

  [[nodiscard]] ModelName model() const override { return name_; }
  [[nodiscard]] std::vector<PurposeModel> other_models() const override { return others_; }
  [[nodiscard]] bool learns() const override;
  [[nodiscard]] std::string language() const override {
    return params_.prompts == PromptWords::published ? "published"
                                                     : params_.language.value_or("en");
  }
  [[nodiscard]] std::vector<Finding> preflight(const Game& game, const PromptSet* prompts,
                                               const Expected& expected) const override;
  [[nodiscard]] std::optional<Reply> probe_model(const ModelProbe& probe,
                                                 CallLedger& ledger) const override;
  [[nodiscard]] std::string said(const OwnedQuestion& question) const override;

 private:
  [[nodiscard]] std::shared_ptr<const Prompts> prompts_of(
      const std::shared_ptr<const PromptSet>& set) const;
  [[nodiscard]] Reply reply_to(const OwnedQuestion& question) const;
  /// Whether answers are drawn from the model's distribution over them, where few are legal.
  [[nodiscard]] bool draws_answers() const;

  Params params_;
  ModelName name_;
  std::vector<PurposeModel> others_;  ///< in the order of params_.models
  Parts parts_;
  std::vector<std::string> overlaps_;  ///< what its parts have in common, in sentences
  AgentModels models_;
  StopFlag stop_;
  mutable LineCache cache_;
  mutable std::mutex prompts_mutex_;
  mutable std::map<std::shared_ptr<const PromptSet>, std::shared_ptr<const Prompts>> prompts_;
  mutable BackgroundWork calls_;  // last: it ends before the rest goes
};

/// Adds the agent, its parts and providers, and the command `mock-server`.
void enter(Registry& registry);

}  // namespace agon::llm
