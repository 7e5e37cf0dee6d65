#pragma once

#include <agon/model/model_call.hpp>
#include <agon/model/provider.hpp>
#include <agon/model/tool.hpp>
#include <agon/random.hpp>
#include <optional>
#include <regex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/model_spec.hpp"

/// What stands in for a model where there is none.
namespace agon::llm::mock {

/// Which values an answer has.
enum class Taste : std::uint8_t {
  random,   ///< any that the schema allows
  first,    ///< everywhere the first that the schema allows
  illegal,  ///< random, but one value lies outside its bounds
};

/// JSON text that fits the JSON Schema (of the kind that agon::schema_json writes, and what
/// endpoints take beside it: $ref into $defs, type lists). Throws Error (invalid) for a schema that
/// is no JSON. `words`: see MockSpec.
[[nodiscard]] std::string answer_to(std::string_view schema, Taste taste, Dice& dice,
                                    std::int64_t words = 10);

/// What becomes of a request.
enum class Fate : std::uint8_t {
  answered,
  rate_limited,        ///< 429, Retry-After: 1
  rate_limited_plain,  ///< 429
  server_error,        ///< 500
  hang,
  cut,  ///< the reply breaks off
  truncated,
  refused,
  malformed,
  illegal,
  empty,
};

/// A reply of the mock, before it is put into anybody's wire format.
struct Speech {
  Fate fate = Fate::answered;
  std::string text{};             ///< what is said; of a refusal, the refusal; of `calls`, nothing
  std::vector<ToolCall> calls{};  ///< of tools, in the place of an answer
  TokenUsage usage{};
  double latency_ms = 0;  ///< until the first byte
  /// What might have been said in the place of `text`, with probabilities; empty: nothing else.
  std::vector<std::pair<std::string, double>> likely{};
  std::vector<std::string> more{};  ///< further answers, where several are asked for
};

/// A request as the mock sees it.
struct Heard {
  std::span<const ChatMessage> messages;
  std::string_view schema{};  ///< of structured output; empty: the texts are searched for one
  std::int64_t max_tokens = 0;
  std::uint64_t number = 0;  ///< of the call, for the script
  /// The schema with the ranges in which answers mostly lie; empty: none are known.
  std::string_view usual{};
  std::span<const ModelTool> tools{};  ///< that may be called
  std::vector<std::string> labels{};   ///< of which one is to be said; empty: an answer is
  int choices = 1;                     ///< answers that are asked for
};

/// The labels that the last message lists for a choice, a line each: "- A: 5"; empty: none.
[[nodiscard]] std::vector<std::string> labels_in(std::span<const ChatMessage> messages);

/// The answers of a speech, each a token with those that might have been said.
[[nodiscard]] std::vector<WireChoice> choices_of(const Speech& speech);

/// The expression of a reply. Throws Error (invalid) for what is none.
[[nodiscard]] std::regex expression_of(const MockReply& reply);
/// What the first of the replies that fits says to a request; none: none does.
[[nodiscard]] std::optional<std::string> reply_to(const std::vector<MockReply>& replies,
                                                  const Heard& heard);

/// What the mock makes of a request: a pure function of these.
[[nodiscard]] Speech speak(const MockSpec& spec, const Heard& heard, Dice dice);

/// Tokens of a dialogue by our own estimate: of the texts, and four for each message.
[[nodiscard]] std::int64_t estimate_tokens(std::span<const ChatMessage> messages);

/// The same of tools that are offered.
[[nodiscard]] std::int64_t estimate_tokens(std::span<const ModelTool> tools);

}  // namespace agon::llm::mock
