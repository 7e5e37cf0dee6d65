#pragma once

#include <agon/fault.hpp>
#include <agon/model/kit.hpp>
#include <string>
#include <vector>

namespace agon {

/// One message of a dialogue with a language model.
struct ChatMessage {
  /// "system", "user" or "assistant"; of a model that was offered tools also kToolCalls, for what
  /// it asks of them, and kToolResult.
  std::string role;
  std::string text;  ///< what is said; of the last two see agon/model/tool.hpp
};

/// Tokens that a call took, as the provider counted them; -1 where it did not say.
struct TokenUsage {
  std::int64_t input = -1;    ///< all of the prompt, what came from a cache included
  std::int64_t output = -1;   ///< all that was written, reasoning included
  std::int64_t cached = -1;   ///< of `input`: what came from a cache
  std::int64_t written = -1;  ///< of `input`: what was put into a cache, where that costs more
  std::int64_t thought = -1;  ///< of `output`: reasoning
};

/// One call of a language model: what was asked for, what came back, and what it took. It never
/// holds a key.
struct ModelCall {
  std::string provider;           ///< id of its card: "openai"
  std::string endpoint;           ///< base URL, without user or password; empty in process
  std::string model;              ///< as asked for
  std::string purpose;            ///< "answer", "notebook", "reflect": what the call was made for
  std::string parameters = "{}";  ///< JSON object: everything sent beside model and messages
  std::vector<ChatMessage> messages;  ///< the whole dialogue that was sent

  /// What the model said; its tool calls, where it made some; see agon/model/distribution.hpp.
  std::string text{};
  std::string reasoning{};     ///< what it thought, where the provider shows that
  std::string finish{};        ///< as the provider named it: "stop"; or kToolCalls, kDistribution
  std::string served_model{};  ///< as the provider named it
  std::string fingerprint{};   ///< of the system behind the model
  std::string request_id{};    ///< the provider's own name for the call
  TokenUsage usage{};          ///< what it took
  /// Billionths of a US dollar by the provider's own account; of an answer from a cache of answers
  /// what it cost when it was paid.
  std::int64_t provider_cost = -1;
  Fault fault = Fault::ok;   ///< ok, empty, truncated, refused or provider_failed
  std::string problem{};     ///< what went wrong
  std::int64_t started = 0;  ///< milliseconds since 1970
  double latency_ms = 0;     ///< of the try that came through
  double waited_ms = 0;      ///< for the limiter and between tries
  /// How often it was sent until it came through, or was given up; 0 of an answer from a cache of
  /// answers.
  int tries = 1;
};

}  // namespace agon
