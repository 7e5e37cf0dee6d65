#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "llm/mock/replies.hpp"
#include "llm/model_spec.hpp"

namespace agon::llm::mock {

/// A request as a test sees it.
struct SeenRequest {
  std::string method;
  std::string path;
  std::string body;
  std::string authorization;  ///< Authorization or x-api-key
  std::string organization;   ///< OpenAI-Organization
  std::uint64_t number = 0;   ///< from 0, calls and others alike
};

struct ServerOptions {
  std::uint16_t port = 0;  ///< 0: any that is free
  MockSpec mock{};
  std::string key{};                  ///< that calls must carry; empty: any or none
  std::vector<std::string> models{};  ///< that are there; empty: any
  std::string log{};                  ///< file for a JSON line a call; empty: none
  /// Asked first, on the server's thread: what it returns is sent as it is.
  std::function<std::optional<CannedReply>(const SeenRequest&)> before{};
};

/// A model endpoint on loopback that speaks both wire formats: POST /v1/chat/completions,
/// POST /v1/messages, GET /v1/models, GET /health, and GET /calls with the counts. One thread.
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
  /// Serves until SIGINT or SIGTERM.
  void wait_for_signal();

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace agon::llm::mock
