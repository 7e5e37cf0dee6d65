#pragma once

#include "llm/http/transport.hpp"
#include "llm/provider/endpoint_state.hpp"
#include "llm/provider/provider.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {

/// The purpose of calls that look at an endpoint before a run.
inline constexpr std::string_view kPreflight = "preflight";

/// A model behind an endpoint.
class HttpProvider final : public Provider {
 public:
  /// `clock`: of the waits between tries; the exchanges themselves take real time.
  HttpProvider(const ModelSpec& spec, const ProviderCard& card, const AgentServices& services,
               std::shared_ptr<Clock> clock);
  ModelResult call(const ModelRequest& request, Time deadline, Dice dice) override;
  [[nodiscard]] CallEstimate estimate(const ModelRequest& request) const override;
  [[nodiscard]] std::vector<Finding> preflight(const Expected& expected) override;

  [[nodiscard]] const EndpointState& state() const { return *state_; }

 private:
  /// Sends and receives, with the key in the header and nowhere else.
  HttpReply exchange(HttpRequest request, Time deadline) const;
  /// A setting that this model insists on, and that is not sent by now; `why`: what the endpoint
  /// said. Nothing if there is none.
  [[nodiscard]] std::optional<CallOutcome> refused_setting(const Capabilities& can,
                                                           const std::string& why) const;
  CallOutcome try_once(const ModelRequest& request, ModelCall& call, Time deadline);
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
  std::shared_ptr<Transport> transport_;
  std::shared_ptr<EndpointState> state_;
};

}  // namespace agon::llm
