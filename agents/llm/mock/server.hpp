#pragma once

#include <agon/plugin.hpp>
#include <agon/plugin_command.hpp>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "llm/mock/speech.hpp"
#include "llm/model_spec.hpp"

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
enum class Spoken : std::uint8_t { chat, completions, anthropic, responses, gemini };

/// A call as the mock server got it.
struct ParsedCall {
  Spoken wire = Spoken::chat;
  std::string model;
  std::vector<ChatMessage> messages;
  std::string schema;              ///< of structured output; empty: none was asked for
  bool is_tool = false;            ///< the answer goes into a tool's input
  std::vector<ModelTool> tools{};  ///< that may be called before an answer
  std::int64_t max_tokens = 0;
  bool stream = false;  ///< the reply is to come piece by piece
  int likely = 0;       ///< likely tokens that are asked for; 0: none
  int choices = 1;      ///< answers that are asked for
};

/// Reads the body of a call; nothing if it is none.
[[nodiscard]] std::optional<ParsedCall> parse_call(Spoken wire, std::string_view body);

/// Reads a call of Google's, whose model stands in its path. Returns what is wrong with it, in
/// Google's words; empty: nothing.
[[nodiscard]] std::string read_gemini_call(std::string_view path, std::string_view body,
                                           ParsedCall& call);

/// The body of a reply in Google's format, and the same in pieces.
[[nodiscard]] std::string gemini_body(const ParsedCall& call, const Speech& speech,
                                      std::uint64_t number);
[[nodiscard]] std::string gemini_stream(std::string_view body);

/// Pieces of a text, none of which ends within a character.
[[nodiscard]] std::vector<std::string_view> pieces_of(std::string_view text);

/// What is said, in the wire format of the call. `number` makes ids.
[[nodiscard]] CannedReply reply_to(const ParsedCall& call, const Speech& speech,
                                   std::uint64_t number);

/// An error in the wire format of the call.
[[nodiscard]] CannedReply error_reply(Spoken wire, int status, std::string_view type,
                                      std::string_view code, std::string_view message);

[[nodiscard]] std::string_view name_of(Fate fate);

/// A request as a test sees it.
struct SeenRequest {
  std::string method;
  std::string path;
  std::string query;  ///< with its question mark; empty: none
  std::string body;
  std::string authorization;  ///< Authorization, x-api-key, api-key or x-goog-api-key
  std::string organization;   ///< OpenAI-Organization
  std::uint64_t number = 0;   ///< from 0, calls and others alike
};

/// What becomes of batches. Single calls in them go wrong as calls by themselves do.
struct BatchFaults {
  int looks = 0;       ///< that find a batch at work, before one finds that it has ended
  double expired = 0;  ///< share of the calls that are not worked on
};

struct ServerOptions {
  std::uint16_t port = 0;  ///< 0: any that is free
  MockSpec mock{};
  BatchFaults batches{};
  std::string key{};                  ///< that calls must carry; empty: any or none
  std::vector<std::string> models{};  ///< that are there; empty: any
  std::string log{};                  ///< file for a JSON line a call; empty: none
  /// Asked first, on the server's thread: what it returns is sent as it is.
  std::function<std::optional<CannedReply>(const SeenRequest&)> before{};
};

/// A model endpoint on loopback that speaks all wire formats: POST /v1/chat/completions,
/// POST /v1/completions, POST /v1/messages, POST /v1/responses, GET /v1/models, Google's below
/// /v1beta/models, batches of OpenAI's and Anthropic's formats, GET /health, and GET /calls with
/// the counts. One thread.
class MockServer {
 public:
  /// Listens when it returns. Throws Error if the port is taken or the log cannot be written.
  explicit MockServer(ServerOptions options);
  MockServer(const MockServer&) = delete;
  MockServer& operator=(const MockServer&) = delete;
  ~MockServer();

  [[nodiscard]] std::uint16_t port() const;
  /// "http://127.0.0.1:PORT", without /v1.
  [[nodiscard]] std::string url() const;
  /// How many calls there were, by what became of them ("answered", "server_error", "canned", ...).
  [[nodiscard]] std::map<std::string, std::uint64_t> counts() const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// `agon mock-server`.
[[nodiscard]] PluginCommand server_command();

}  // namespace agon::llm::mock
