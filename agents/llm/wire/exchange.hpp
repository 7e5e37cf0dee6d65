#pragma once

#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <string>

#include "llm/http/message.hpp"
#include "llm/model_spec.hpp"
#include "llm/wire/call_outcome.hpp"
#include "llm/wire/form.hpp"

namespace agon::llm {

/// A setting that is not sent, as the endpoint does not take it or other settings rule it out.
struct NotApplied {
  std::string name;         ///< as the model's settings have it
  std::string value;        ///< in JSON; empty: of the form of answers, which is no setting
  bool is_allowed = false;  ///< the settings say that it may be left out
  bool is_chosen = false;   ///< the settings say that it is not to be sent
};

/// What of a model's settings is not sent, by what is known of the endpoint.
[[nodiscard]] std::vector<NotApplied> not_applied(const ProviderCard& provider,
                                                  const ModelSpec& spec, const Capabilities& can);

/// A request in the endpoint's words.
struct SentRequest {
  std::string body;
  std::string parameters;  ///< of the body, all but model and dialogue; and what is not applied
  std::vector<ChatMessage> messages;  ///< of the body: with words for the form, where it needs them
  bool is_structured = false;         ///< the form was asked for by schema or object
  bool may_call = false;              ///< tools were offered
  bool is_wrapped = false;  ///< the schema's root was no object: the answer is inside "answer"
};

/// What is sent for a request, by what is known of the endpoint.
[[nodiscard]] SentRequest encode(const ProviderCard& provider, const ModelSpec& spec,
                                 const ModelRequest& request, const Capabilities& can);

/// Fills the call with what the reply says; the reply came through, whatever its status.
[[nodiscard]] CallOutcome decode(const WireFormat& wire, const HttpReply& reply,
                                 const SentRequest& sent, ModelCall& call);

}  // namespace agon::llm
