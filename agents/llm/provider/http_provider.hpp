#pragma once

#include <agon/model/preflight.hpp>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "llm/http/transport.hpp"
#include "llm/model_spec.hpp"
#include "llm/provider/batches.hpp"
#include "llm/provider/provider.hpp"
#include "llm/provider/traffic.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {

/// What to do about a server that takes answers for thoughts.
inline constexpr std::string_view kReasoningParser =
    "look at the server's reasoning parser (vLLM: --reasoning-parser, llama.cpp: "
    "--reasoning-format)";

/// What the built-in rules say about a model, with what its spec overrides.
[[nodiscard]] Capabilities capabilities_of(const ModelSpec& spec, const Endpoint& endpoint);

/// What all agents of the process share that ask one model of one endpoint with one key in the same
/// way: what was learned of the endpoint, over the traffic that they share with all others.
class EndpointState {
 public:
  EndpointState(const ModelSpec& spec, const Endpoint& endpoint, std::shared_ptr<Traffic> traffic);

  [[nodiscard]] Traffic& traffic() const { return *traffic_; }

  [[nodiscard]] Capabilities capabilities() const;
  /// The endpoint turned `parameter` down. True if there is something to try instead of `sent`;
  /// what was learned is told once on standard error.
  bool learn(const std::string& parameter, const Capabilities& sent, const ModelSpec& spec);
  /// A request at this level came through.
  void level_worked(Level level);
  /// A distribution came through, by the count of answers or by log-probabilities.
  void distribution_worked(bool by_count);
  /// It was looked at before a run: how the form of answers is asked for stays as it is.
  void settle() { is_settled_ = true; }
  [[nodiscard]] bool is_settled() const { return is_settled_; }
  [[nodiscard]] bool has_worked(Level level) const;
  /// Takes note of an answer. True from the third on that is a thought without words, as long as
  /// none had words: the server takes answers for thoughts.
  bool only_thinks(const ModelCall& answer);

  /// What was found by `look` the first time it was called under this name: agents that ask one
  /// model alike need no look, and no paid call, of their own.
  std::vector<Finding> once(const std::string& name,
                            const std::function<std::vector<Finding>()>& look);

  /// Tells people something, on standard error.
  void say(const std::string& text) const;
  /// The same, once.
  void notice(const std::string& text);

  /// The one of this process; made on first use.
  static std::shared_ptr<EndpointState> shared(const ModelSpec& spec, const Endpoint& endpoint,
                                               std::uint64_t key_hash);

 private:
  const std::string name_;
  const std::shared_ptr<Traffic> traffic_;
  mutable std::mutex mutex_;
  Capabilities capabilities_;
  std::set<Level> worked_;
  bool has_spoken_ = false;
  int thoughts_alone_ = 0;  ///< answers so far, while nothing was said
  std::atomic<bool> is_settled_{false};
  std::set<std::string> told_;
  std::mutex looking_;
  std::map<std::string, std::vector<Finding>> found_;  // under looking_
};

/// The purpose of calls that look at an endpoint before a run.
inline constexpr std::string_view kPreflight = "preflight";

/// A model behind an endpoint.
class HttpProvider final : public Provider {
 public:
  /// `clock`: of the waits between tries; the exchanges themselves take real time.
  HttpProvider(const ModelSpec& spec, const ProviderCard& card, const AgentServices& services,
               std::shared_ptr<Clock> clock);
  ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] bool takes_batches(const ModelRequest& request) const override {
    return batches_ != nullptr && request.embedder.empty();
  }
  ModelResult call_in_batch(const ModelRequest& request, const BatchPlace& place, Time deadline,
                            Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::optional<PlannedCall> planned(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected& expected) override;

  [[nodiscard]] const EndpointState& state() const { return *state_; }

 private:
  /// A call that asks for this, before anything is sent.
  [[nodiscard]] ModelCall call_for(const ModelRequest& request) const;
  /// Why such a call cannot be made at all; empty: it can.
  [[nodiscard]] std::string missing_for(const ModelRequest& request) const;
  /// The call in `loop`; `place`: in a batch.
  ModelResult call_by(const CallLoop& loop, const ModelRequest& request, const BatchPlace& place,
                      Time deadline, Dice dice);
  /// Sends and receives, with the key in the header and nowhere else. `most`: bytes of the reply.
  HttpReply exchange(HttpRequest request, Time deadline, std::size_t most = 0) const;
  /// The same of one call, by itself or in a batch.
  HttpReply exchange(HttpRequest request, const BatchPlace& place, Time deadline) const;
  /// A setting that this model insists on, and that is not sent by now; `why`: what the endpoint
  /// said. Nothing if there is none.
  [[nodiscard]] std::optional<CallOutcome> refused_setting(const Capabilities& can,
                                                           const std::string& why) const;
  CallOutcome try_once(const ModelRequest& request, const BatchPlace& place, ModelCall& call,
                       Time deadline);
  /// The same of a request for vectors.
  CallOutcome embed_once(const ModelRequest& request, ModelCall& call, Time deadline);
  /// Waits while the server says that its model is still loading.
  [[nodiscard]] bool is_loading(Time deadline) const;
  [[nodiscard]] std::vector<Finding> look(const Expected& expected);
  /// When a call of a look that begins now is over, by the model's own deadline.
  [[nodiscard]] Time until_end() const;
  /// Tells once that a prompt came through shorter than it was sent.
  void notice_cut(const ModelRequest& request, const ModelCall& call) const;
  /// Whether the endpoint gave a list of models: then its URL is right. `context`: what the list
  /// says that the model takes, if it does.
  bool check_models(std::vector<Finding>& findings, std::int64_t& context) const;
  void check_call(std::vector<Finding>& findings, bool lists);
  void check_structured(std::vector<Finding>& findings, std::span<const std::string> keywords,
                        bool lists);
  void check_tools(std::vector<Finding>& findings, std::span<const ModelTool> tools, bool lists);
  void check_distribution(std::vector<Finding>& findings, bool lists);
  void check_context(const Expected& expected, std::int64_t context,
                     std::vector<Finding>& findings);

  ModelSpec spec_;
  Endpoint endpoint_;
  Key key_;
  std::string ca_file_;
  bool verbose_;
  const WireFormat& wire_;
  StopFlag stop_;
  std::shared_ptr<Clock> clock_;
  std::shared_ptr<Transport> transport_;  ///< null: the provider is in this process
  std::shared_ptr<EndpointState> state_;
  std::shared_ptr<Batches> batches_;  ///< null: calls are made one by one
  ModelSpec patient_;                 ///< spec_ as calls in batches are tried
};

}  // namespace agon::llm
