#pragma once

#include <agon/language.hpp>
#include <agon/model/model_call.hpp>
#include <agon/model/model_parts.hpp>
#include <agon/model/provider.hpp>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "llm/http/transport.hpp"
#include "llm/model_spec.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {

/// OpenAI's chat completions, which most endpoints speak.
[[nodiscard]] const WireFormat& openai_wire();

/// OpenAI's responses, of which nothing is stored there.
[[nodiscard]] const WireFormat& responses_wire();

/// Completions of plain text, as OpenAI had them first: the dialogue is one text that the model
/// goes on with.
[[nodiscard]] const WireFormat& completions_wire();

/// Anthropic's messages.
[[nodiscard]] const WireFormat& anthropic_wire();

/// Google's generateContent.
[[nodiscard]] const WireFormat& gemini_wire();

/// OpenAI's embeddings, which most endpoints speak: what is said is a list of vectors, one a
/// message.
[[nodiscard]] const WireFormat& embeddings_wire();

/// The message that words for the form of an answer are put after: the last one of the user's, also
/// where results of tools come after it. There must be a message.
[[nodiscard]] ChatMessage& last_of_user(std::vector<ChatMessage>& messages);

/// What is learned of endpoints that take no system prompt is called so: see
/// Capabilities::without.
inline constexpr std::string_view kSystemRole = "system_role";

/// Has the developer say what the system says, or the user say it first. `stable`: so many messages
/// at the front come again as they are in later requests.
void set_system_role(std::vector<ChatMessage>& messages, std::size_t& stable, SystemRole role);

/// Writes a list of texts.
void write_texts(JsonWriter& w, std::span<const std::string> texts);

/// How much of the answer's form is asked of the endpoint; each level asks for less.
enum class Level : std::uint8_t {
  schema,  ///< the strict schema as it is
  lean,    ///< the same without bounds, which not all endpoints take
  object,  ///< any JSON object
  text,
};

/// What the endpoint takes, for one model of it.
struct Capabilities {
  bool completion_tokens = false;  ///< max_completion_tokens, not max_tokens
  Level level = Level::schema;
  bool keeps_schema = false;  ///< the schema stays as it is: see ProviderCard::caches_schema
  std::set<std::string, std::less<>> without{};  ///< members that are not sent
  bool gives_likely = false;                     ///< log-probabilities have come through
  bool gives_choices = false;                    ///< several answers of one call have
};

/// How long the endpoint wishes to be left alone, in milliseconds from `now_ms` (since 1970): by
/// retry-after-ms, else Retry-After (seconds or an HTTP date), else, if `is_rate_limited`, the
/// latest of x-ratelimit-reset-* ("1m30s", "500ms", seconds) and anthropic-ratelimit-*-reset (ISO
/// 8601). Nothing if it does not say. Never negative.
[[nodiscard]] std::optional<double> retry_after_ms(const HttpReply& reply, std::int64_t now_ms,
                                                   bool is_rate_limited);

/// "1m30s", "500ms", "6h0m12.5s" or plain seconds, in milliseconds; nothing for any other text.
[[nodiscard]] std::optional<double> duration_ms(std::string_view text);

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
  std::string_view path;  ///< after the base URL, as the wire format has it
  std::string body;
  std::string parameters;  ///< of the body, all but model and dialogue; and what is not applied
  std::vector<ChatMessage> messages;  ///< of the body: with words for the form, where it needs them
  bool is_structured = false;         ///< the form was asked for by schema or object
  bool may_call = false;              ///< tools were offered
  bool is_wrapped = false;  ///< the schema's root was no object: the answer is inside "answer"
  /// Of which the probabilities are asked for, in the place of an answer; empty: an answer is.
  std::vector<AnswerOption> options{};
  int samples = 0;  ///< so many answers are asked for, to be counted; 0: log-probabilities are
  bool has_worked = false;  ///< such a distribution has come through before
};

/// Adds a member to the parameters of a call.
void add_parameter(std::string& parameters, std::string_view name, std::string_view json);

/// What is sent for a request, by what is known of the endpoint.
[[nodiscard]] SentRequest encode(const ProviderCard& provider, const ModelSpec& spec,
                                 const ModelRequest& request, const Capabilities& can);

/// Fills the call with what the reply says; the reply came through, whatever its status.
[[nodiscard]] CallOutcome decode(const WireFormat& wire, const HttpReply& got,
                                 const SentRequest& sent, ModelCall& call);

}  // namespace agon::llm
