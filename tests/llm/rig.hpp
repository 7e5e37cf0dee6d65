#pragma once

#include <cstdlib>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "llm/mock/server.hpp"
#include "llm/provider/http_provider.hpp"
#include "providers.hpp"

namespace llm_tests {

using namespace agon;
using namespace agon::llm;
using mock::CannedReply;
using mock::MockServer;
using mock::SeenRequest;
using mock::ServerOptions;

inline constexpr const char* kKey = "sk-test/0123456789+abcdef_Xy";
inline constexpr const char* kKeyEnv = "AGON_TEST_KEY";

/// A good reply in OpenAI's format.
inline std::string openai_reply(const std::string& content = R"({\"bid\":3})") {
  return R"({"id":"c1","model":"served","system_fingerprint":"fp","choices":[{"index":0,)"
         R"("message":{"role":"assistant","content":")" +
         content +
         R"("},"finish_reason":"stop"}],"usage":{"prompt_tokens":12,"completion_tokens":5}})";
}

/// A good reply in Anthropic's format.
inline std::string anthropic_reply() {
  return R"({"id":"m1","type":"message","role":"assistant","model":"served","content":)"
         R"([{"type":"text","text":"fine"}],"stop_reason":"end_turn",)"
         R"("usage":{"input_tokens":10,"output_tokens":5}})";
}

/// A good reply in Google's format.
inline std::string gemini_reply() {
  return R"({"candidates":[{"content":{"role":"model","parts":[{"text":"fine"}]},"finishReason":)"
         R"("STOP","index":0}],"usageMetadata":{"promptTokenCount":10,"candidatesTokenCount":5},)"
         R"("modelVersion":"served","responseId":"r1"})";
}

/// A model behind the mock server, which first gives the replies that it is told to, in order, and
/// then answers. Waits between tries are counted, not spent.
class Rig {
 public:
  explicit Rig(const std::string& provider = "openai", MockSpec mock = {},
               const ModelSpec& base = {}, mock::BatchFaults batches = {}) {
    setenv(kKeyEnv, kKey, 1);
    ServerOptions options;
    options.mock = mock;
    options.batches = batches;
    options.key = kKey;
    options.before = [this](const SeenRequest& seen) { return next(seen); };
    server = std::make_unique<MockServer>(std::move(options));
    spec = base;
    spec.provider = provider;
    spec.model = base.model.empty() ? "m" : base.model;
    spec.key_env = kKeyEnv;
    spec.base_url = server->url() + (provider == "anthropic" ? ""
                                     : provider == "gemini"  ? "/v1beta"
                                                             : "/v1");
  }

  Rig(const Rig&) = delete;
  Rig& operator=(const Rig&) = delete;
  /// The server goes first: its thread asks for replies.
  ~Rig() {
    provider_.reset();
    server.reset();
  }

  Rig& then(CannedReply reply) {
    const std::lock_guard lock(mutex_);
    replies_.push_back(std::move(reply));
    return *this;
  }
  Rig& then(int status, std::string body,
            std::vector<std::pair<std::string, std::string>> headers = {}) {
    return then(
        CannedReply{.status = status, .body = std::move(body), .headers = std::move(headers)});
  }

  HttpProvider& provider() {
    if (provider_ == nullptr)
      provider_ = std::make_unique<HttpProvider>(spec, provider_card(spec.provider),
                                                 AgentServices{}, clock);
    return *provider_;
  }
  ModelResult call(const std::string& schema = {}) {
    ModelRequest request;
    request.purpose = "answer";
    request.messages = {{"system", "You play."}, {"user", "Your bid, as JSON?"}};
    request.schema = schema;
    return provider().call(request, Provider::Time::max(), Dice(1, calls_++));
  }
  std::vector<SeenRequest> seen() const {
    const std::lock_guard lock(mutex_);
    return seen_;
  }
  /// Calls that the server got, canned ones included.
  std::size_t calls_seen() const {
    std::size_t n = 0;
    for (const SeenRequest& s : seen()) n += s.method == "POST" ? 1 : 0;
    return n;
  }

  ModelSpec spec;
  std::shared_ptr<CountedClock> clock = std::make_shared<CountedClock>();
  std::unique_ptr<MockServer> server;

 private:
  std::optional<CannedReply> next(const SeenRequest& seen) {
    const std::lock_guard lock(mutex_);
    seen_.push_back(seen);
    if (replies_.empty() || seen.path == "/calls") return {};
    CannedReply reply = std::move(replies_.front());
    replies_.pop_front();
    return reply;
  }

  mutable std::mutex mutex_;
  std::deque<CannedReply> replies_;
  std::vector<SeenRequest> seen_;
  std::unique_ptr<HttpProvider> provider_;
  std::uint32_t calls_ = 0;
};

}  // namespace llm_tests
