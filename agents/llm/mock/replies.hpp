#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/mock/speech.hpp"

namespace agon::llm::mock {

/// A reply of the mock server, in HTTP's terms.
struct CannedReply {
  int status = 200;
  std::string body{};
  std::vector<std::pair<std::string, std::string>> headers{};
  double latency_ms = 0;
  bool hangs = false;   ///< nothing is ever sent
  bool is_cut = false;  ///< half of the body is sent, then the connection closes
};

/// The wire formats that the mock server speaks.
enum class Spoken : std::uint8_t { chat, completions, anthropic };

/// A call as the mock server got it.
struct ParsedCall {
  Spoken wire = Spoken::chat;
  std::string model;
  std::vector<ChatMessage> messages;
  std::string schema;              ///< of structured output; empty: none was asked for
  bool is_tool = false;            ///< the answer goes into a tool's input
  std::vector<ModelTool> tools{};  ///< that may be called before an answer
  std::int64_t max_tokens = 0;
};

/// Reads the body of a call; nothing if it is none.
[[nodiscard]] std::optional<ParsedCall> parse_call(Spoken wire, std::string_view body);

/// What is said, in the wire format of the call. `number` makes ids.
[[nodiscard]] CannedReply reply_to(const ParsedCall& call, const Speech& speech,
                                   std::uint64_t number);

/// An error in the wire format of the call.
[[nodiscard]] CannedReply error_reply(Spoken wire, int status, std::string_view type,
                                      std::string_view code, std::string_view message);

[[nodiscard]] std::string_view name_of(Fate fate);

}  // namespace agon::llm::mock
