#include <agon/waiting.hpp>
#include <algorithm>
#include <map>
#include <set>
#include <thread>

#include "catch.hpp"
#include "costs/costs.hpp"
#include "llm/http/transport.hpp"
#include "rig.hpp"
#include "standard_error.hpp"

namespace {

using namespace llm_tests;

std::string all_text(const ModelResult& r) {
  std::string text = r.call.provider + r.call.endpoint + r.call.model + r.call.parameters +
                     r.call.text + r.call.reasoning + r.call.problem + r.call.request_id +
                     r.call.fingerprint + r.call.served_model;
  for (const ChatMessage& m : r.call.messages) text += m.text;
  return text;
}

std::string levels(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& f : findings)
    text += f.level == Finding::Level::ok ? 'o' : f.level == Finding::Level::warning ? 'w' : 'e';
  return text;
}

TEST_CASE("the key is in the header and nowhere else", "[llm][keys]") {
  const std::string provider = GENERATE("openai", "anthropic");
  std::string record;
  std::string screen;
  std::vector<SeenRequest> seen;
  {
    StandardError error;
    Rig rig(provider);
    // Servers that quote the key: in an error, in a header, in an answer.
    rig.then(500, std::string(R"({"error":{"message":"bad key )") + kKey + "\"}}");
    rig.then(429, "{}", {{"x-request-id", std::string("req-") + kKey}});
    rig.then(200, provider == "openai" ? openai_reply(std::string("your key is ") + kKey)
                                       : anthropic_reply());
    for (int i = 0; i < 5; ++i)
      rig.then(401,
               std::string(R"({"error":{"message":"Incorrect API key provided: )") + kKey + "\"}}");
    AgentServices services;
    services.verbose = true;
    HttpProvider loud(rig.spec, provider_card(rig.spec.provider), services, rig.clock);
    ModelRequest request;
    request.purpose = "answer";
    request.messages = {{"user", "hello"}};
    record += all_text(loud.call(request, Provider::Time::max(), Dice(1)));
    const ModelResult wrong = loud.call(request, Provider::Time::max(), Dice(2));
    CHECK(wrong.call.fault == agon::Fault::provider_failed);
    record += all_text(wrong);
    for (const Finding& f : loud.preflight({})) record += f.what + f.hint;
    seen = rig.seen();
    screen = error.text();
  }
  REQUIRE(seen.size() >= 4);
  CHECK(seen[0].authorization == kKey);
  CHECK(seen[0].body.find(kKey) == std::string::npos);
  CHECK(record.find("[key]") != std::string::npos);
  CHECK(record.find(kKey) == std::string::npos);
  CHECK(screen.find("> POST") != std::string::npos);  // verbose it was
  CHECK(screen.find(kKey) == std::string::npos);
}

TEST_CASE("the organisation goes to the provider or where the user says, not where a suite says",
          "[llm][keys]") {
  setenv("OPENAI_ORG_ID", "org-of-the-user", 1);
  setenv("OPENAI_API_KEY", kKey, 1);
  Rig rig;
  CHECK(rig.call().call.fault == agon::Fault::ok);
  setenv("OPENAI_BASE_URL", rig.spec.base_url.c_str(), 1);
  ModelSpec spec;
  spec.provider = "openai";
  spec.model = "m";
  HttpProvider own(spec, provider_card(spec.provider), {}, rig.clock);
  unsetenv("OPENAI_BASE_URL");
  const ModelRequest request{.purpose = "answer", .messages = {{"user", "hello"}}};
  CHECK(own.call(request, Provider::Time::max(), Dice(1)).call.fault == agon::Fault::ok);
  // A value with a line break would be headers of its own.
  setenv("OPENAI_ORG_ID", "org\r\nX-More: 1", 1);
  CHECK_THROWS_WITH((HttpProvider(spec, provider_card(spec.provider), {}, rig.clock)),
                    Catch::Contains("the value of OPENAI_ORG_ID holds a control character"));
  unsetenv("OPENAI_ORG_ID");
  unsetenv("OPENAI_API_KEY");
  const auto seen = rig.seen();
  REQUIRE(seen.size() == 2);
  CHECK(seen[0].organization.empty());
  CHECK(seen[1].organization == "org-of-the-user");
}

TEST_CASE("a key that is missing stops the run, and is named", "[llm][keys]") {
  ModelSpec spec;
  spec.provider = "openai";
  spec.model = "m";
  spec.key_env = "AGON_TEST_NO_SUCH_KEY";
  spec.base_url = "http://127.0.0.1:9/v1";
  HttpProvider provider(spec, provider_card(spec.provider), {}, std::make_shared<CountedClock>());
  ModelRequest request;
  request.messages = {{"user", "x"}};
  const ModelResult r = provider.call(request, Provider::Time::max(), Dice(1));
  CHECK(r.halt == Halt::configuration);
  CHECK(r.call.problem == "AGON_TEST_NO_SUCH_KEY is not set");
  const auto findings = provider.preflight({});
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].level == Finding::Level::error);
}

TEST_CASE("nobody at the URL: tried again, then given up", "[llm][transport]") {
  ModelSpec spec;
  spec.provider = "vllm";
  spec.model = "m";
  spec.tries = 2;
  {
    // A port that was free a moment ago.
    MockServer gone{ServerOptions{}};
    spec.base_url = gone.url() + "/v1";
  }
  HttpProvider provider(spec, provider_card(spec.provider), {}, std::make_shared<CountedClock>());
  ModelRequest request;
  request.messages = {{"user", "x"}};
  const ModelResult r = provider.call(request, Provider::Time::max(), Dice(1));
  CHECK(r.call.fault == agon::Fault::provider_failed);
  CHECK(r.call.tries == 2);
  CHECK(r.call.problem.find(spec.base_url) != std::string::npos);
}

TEST_CASE("the deadline of an exchange is absolute", "[llm][transport]") {
  Rig rig;
  rig.then(CannedReply{.hangs = true});
  Transport transport;
  ExchangeLimits limits;
  limits.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(40);
  const HttpReply reply = transport.perform({.url = rig.server->url() + "/x"}, limits);
  CHECK(reply.failure == NetFailure::deadline);
  CHECK(std::chrono::steady_clock::now() >= limits.deadline);
  limits.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  CHECK(transport.perform({.url = rig.server->url() + "/x"}, limits).failure ==
        NetFailure::deadline);
}

TEST_CASE("other schemes than http are not followed", "[llm][transport]") {
  Transport transport;
  CHECK(transport.perform({.post = false, .url = "file:///etc/hostname"}, {}).failure ==
        NetFailure::bad_url);
}

TEST_CASE("texts become vectors in their order, in a call like any other", "[llm][transport]") {
  ModelRequest request;
  request.purpose = "embed";
  request.embedder = "e";
  request.messages = {{"user", "a"}, {"user", "b"}};
  Rig rig;
  rig.then(200, R"({"model":"e-1","data":[{"index":1,"embedding":[0.123456,-1]},)"
                R"({"index":0,"embedding":[1,2e-9]}],"usage":{"prompt_tokens":7}})");
  const ModelResult got = rig.provider().call(request, Provider::Time::max(), Dice(1));
  INFO(got.call.problem);
  CHECK(got.call.fault == agon::Fault::ok);
  CHECK(got.call.text == "[[1,2e-09],[0.12346,-1]]");
  CHECK(got.call.model == "e");
  CHECK(got.call.served_model == "e-1");
  CHECK(got.call.usage.input == 7);
  CHECK(got.call.usage.output == 0);
  const PriceList prices = PriceList::parse(
      R"({"format": "agon.prices", "models": {"openai/e": {"input": 1, "output": 10}}})", "p");
  CHECK(prices.cost(got.call) == 7000);
  CHECK(rig.seen().back().path == "/v1/embeddings");
  CHECK(rig.seen().back().body == R"({"model":"e","input":["a","b"]})");
  CHECK(rig.provider().estimate(request).model == "e");
  // A reply without a vector for each text is none.
  Rig short_one;
  for (int i = 0; i < 20; ++i) short_one.then(200, R"({"data":[{"index":0,"embedding":[1]}]})");
  const ModelResult none = short_one.provider().call(request, Provider::Time::max(), Dice(1));
  CHECK(none.call.fault == agon::Fault::provider_failed);
  CHECK(none.call.problem.find("no vector for each text") != std::string::npos);
  // Nor is one with two for one of them.
  Rig twice;
  for (int i = 0; i < 20; ++i)
    twice.then(200, R"({"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]})");
  CHECK(twice.provider().call(request, Provider::Time::max(), Dice(1)).call.fault ==
        agon::Fault::provider_failed);
  // The mock's cost nothing to say either.
  const ModelCall made = make_mock_provider({})->call(request, Provider::Time::max(), Dice(1)).call;
  CHECK(made.fault == agon::Fault::ok);
  CHECK(made.usage.output == 0);
}

TEST_CASE("an endpoint without embeddings stops the run at once", "[llm][transport]") {
  ModelRequest request;
  request.purpose = "embed";
  request.embedder = "e";
  request.messages = {{"user", "a"}};
  Rig rig;
  rig.then(200, openai_reply()).then(404, R"({"error":{"message":"no such path"}})");
  // Also where chats are answered.
  REQUIRE(rig.call().call.fault == agon::Fault::ok);
  const ModelResult gone = rig.provider().call(request, Provider::Time::max(), Dice(1));
  CHECK(gone.halt == agon::Halt::configuration);
  CHECK(gone.call.tries == 1);
  CHECK(gone.call.problem.find("embeddings of \"e\": ") != std::string::npos);
  CHECK(gone.call.problem.find("serves /embeddings") != std::string::npos);
  // A failure that may pass is tried again.
  Rig busy;
  busy.then(500, "{}").then(200, R"({"data":[{"index":0,"embedding":[1]}]})");
  CHECK(busy.provider().call(request, Provider::Time::max(), Dice(1)).call.text == "[[1]]");
  // Other formats have none: nothing is sent.
  for (const char* provider : {"anthropic", "gemini"}) {
    Rig other(provider);
    const ModelResult none = other.provider().call(request, Provider::Time::max(), Dice(1));
    CHECK(none.halt == agon::Halt::configuration);
    CHECK(none.call.problem.find("has no embeddings") != std::string::npos);
    CHECK(other.calls_seen() == 0);
  }
}

TEST_CASE("a provider that is no server answers in the place of one", "[llm][transport]") {
  ProviderCard card = provider_card("openai");
  card.id = "own";
  card.base_url = "http://localhost/own";
  card.needs_key = KeyNeed::never;
  card.key_variable = {};
  card.complete = [](std::string_view body) {
    if (body.find("\"broken\"") != std::string_view::npos) throw std::runtime_error("out of order");
    return openai_reply("fine");
  };
  const auto call = [&](const std::string& model) {
    ModelSpec spec;
    spec.provider = "own";
    spec.model = model;
    HttpProvider provider(spec, card, AgentServices{}, std::make_shared<CountedClock>());
    ModelRequest request;
    request.purpose = "answer";
    request.messages = {{"user", "hello"}};
    CHECK_FALSE(provider.planned(request));  // other code may answer the next time
    ModelRequest vectors = request;
    vectors.embedder = "e";
    CHECK(provider.call(vectors, Provider::Time::max(), Dice(1)).halt == agon::Halt::configuration);
    return provider.call(request, Provider::Time::max(), Dice(1)).call;
  };
  const ModelCall good = call("good");
  CHECK(good.fault == agon::Fault::ok);
  CHECK(good.text == "fine");
  CHECK(good.usage.input == 12);
  const ModelCall broken = call("broken");
  CHECK(broken.fault == agon::Fault::provider_failed);
  CHECK(broken.problem.find("out of order") != std::string::npos);
}

TEST_CASE("many calls at once, every one with its own answer", "[llm][transport]") {
  MockSpec mock;
  mock.latency_ms = 5;
  Rig rig("openai", mock);
  rig.spec.concurrency = 200;
  HttpProvider provider(rig.spec, provider_card(rig.spec.provider), {},
                        std::make_shared<RealClock>());
  constexpr int kThreads = 100;
  constexpr int kEach = 5;
  std::vector<std::thread> threads;
  std::mutex mutex;
  std::multiset<std::string> ids;
  int failed = 0;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < kEach; ++i) {
        ModelRequest request;
        request.messages = {{"user", "call " + std::to_string(t * kEach + i)}};
        const ModelResult r = provider.call(request, Provider::Time::max(),
                                            Dice(9, static_cast<std::uint32_t>(t * kEach + i)));
        const std::lock_guard lock(mutex);
        ids.insert(r.call.request_id);
        failed += r.call.fault == agon::Fault::ok ? 0 : 1;
      }
    });
  for (std::thread& t : threads) t.join();
  CHECK(failed == 0);
  CHECK(ids.size() == kThreads * kEach);
  CHECK(std::set<std::string>(ids.begin(), ids.end()).size() == ids.size());
  CHECK(rig.server->counts().at("answered") == kThreads * kEach);
}

TEST_CASE("hundreds of exchanges wait on coroutines at the same time", "[llm][transport]") {
  MockSpec mock;
  mock.latency_ms = 300;
  Rig rig("openai", mock);
  rig.spec.concurrency = 1000;
  HttpProvider provider(rig.spec, provider_card(rig.spec.provider), {},
                        std::make_shared<RealClock>());
  constexpr int kCalls = 700;
  std::mutex mutex;
  std::set<std::string> ids;
  std::set<std::thread::id> threads;
  // Twice: the second time over connections that are there.
  for (int round = 1; round <= 2; ++round) {
    {
      BackgroundWork work;
      for (int i = 0; i < kCalls; ++i)
        work.run([&, i] {
          ModelRequest request;
          request.messages = {{"user", "call " + std::to_string(round * kCalls + i)}};
          const ModelResult r =
              provider.call(request, Provider::Time::max(),
                            Dice(9, static_cast<std::uint32_t>(round * kCalls + i)));
          const std::lock_guard lock(mutex);
          threads.insert(std::this_thread::get_id());
          if (r.call.fault == agon::Fault::ok) ids.insert(r.call.request_id);
        });
    }
    CHECK(ids.size() == static_cast<std::size_t>(round) * kCalls);
  }
  CHECK(threads.size() <= std::max(1U, std::thread::hardware_concurrency()) * 2);
  CHECK(rig.server->counts().at("answered") == 2 * kCalls);
}

// Hangs stand in the retry table: here a slow machine must not pass for one.
TEST_CASE("faults of every kind over HTTP: no wrong class, no lost call", "[llm][mock]") {
  const std::string provider = GENERATE("openai", "anthropic");
  MockSpec mock;
  mock.rate_limited = mock.rate_limited_plain = mock.server_error = mock.cut = 0.05;
  mock.truncated = mock.refused = mock.empty = mock.malformed = mock.illegal = 0.05;
  Rig rig(provider, mock);
  rig.spec.tries = 20;
  rig.spec.total_s = 80000;
  const std::string schema =
      R"({"type":"object","properties":{"bid":{"type":"integer","minimum":0,"maximum":9}},)"
      R"("required":["bid"],"additionalProperties":false})";
  std::map<agon::Fault, std::uint64_t> faults;
  constexpr std::uint64_t kCalls = 400;
  for (std::uint64_t i = 0; i < kCalls; ++i) {
    ModelRequest request;
    request.messages = {{"user", "JSON, number " + std::to_string(i)}};
    request.schema = schema;
    const ModelResult r =
        rig.provider().call(request, Provider::Time::max(), Dice(3, static_cast<std::uint32_t>(i)));
    ++faults[r.call.fault];
  }
  auto counts = rig.server->counts();
  CHECK(faults[agon::Fault::provider_failed] == 0);
  CHECK(faults[agon::Fault::truncated] == counts["truncated"]);
  CHECK(faults[agon::Fault::refused] == counts["refused"]);
  CHECK(faults[agon::Fault::empty] == counts["empty"]);
  CHECK(faults[agon::Fault::ok] == counts["answered"] + counts["malformed"] + counts["illegal"]);
  for (const char* fate : {"rate_limited", "rate_limited_plain", "server_error", "cut"})
    CHECK(counts[fate] > 0);
}

TEST_CASE("the mock server knows its models and its key", "[llm][mock]") {
  ServerOptions options;
  options.models = {"this-one"};
  options.key = "sk-right-0001";
  MockServer server(std::move(options));
  ModelSpec spec;
  spec.provider = "openai";
  spec.base_url = server.url() + "/v1";
  spec.key_env = "AGON_TEST_OTHER_KEY";
  ModelRequest request;
  request.messages = {{"user", "x"}};
  const auto call = [&](const char* model, const char* key) {
    setenv("AGON_TEST_OTHER_KEY", key, 1);
    spec.model = model;
    HttpProvider provider(spec, provider_card(spec.provider), {}, std::make_shared<CountedClock>());
    return provider.call(request, Provider::Time::max(), Dice(1));
  };
  CHECK(call("this-one", "sk-right-0001").call.fault == agon::Fault::ok);
  const ModelResult key = call("this-one", "sk-wrong-0001");
  CHECK(key.halt == Halt::configuration);
  CHECK(key.call.problem.find("AGON_TEST_OTHER_KEY") != std::string::npos);
  const ModelResult model = call("that-one", "sk-right-0001");
  CHECK(model.halt == Halt::configuration);
  CHECK(model.call.problem.find("that-one") != std::string::npos);
  CHECK(server.counts().at("wrong_key") == 1);
  CHECK(server.counts().at("unknown_model") == 1);
}

TEST_CASE("preflight: all is well", "[llm][preflight]") {
  Rig rig(GENERATE("openai", "anthropic", "gemini"));
  // The key, the endpoint, a call, structured output.
  CHECK(levels(rig.provider().preflight({.longest_prompt = 1000})) == "oooo");
}

TEST_CASE("preflight: a wrong key and no connection are found", "[llm][preflight]") {
  Rig wrong;
  for (int i = 0; i < 2; ++i) wrong.then(401, R"({"error":{"message":"no"}})");
  CHECK(levels(wrong.provider().preflight({})) == "ooe");
  Rig gone;
  gone.server.reset();
  CHECK(levels(gone.provider().preflight({})) == "oe");
}

TEST_CASE("preflight: a model that is not listed is named", "[llm][preflight]") {
  Rig rig;
  rig.then(200, R"({"data":[{"id":"a"},{"id":"b"}]})");
  const auto findings = rig.provider().preflight({});
  CHECK(levels(findings) == "oowoo");
  CHECK(findings[2].hint == "there are a, b");
}

TEST_CASE("preflight: context that is too short", "[llm][preflight]") {
  ModelSpec base;
  base.context = 5000;
  base.max_tokens = 1000;
  Rig rig("openai", {}, base);
  CHECK(levels(rig.provider().preflight({.longest_prompt = 3000})) == "oooo");
  CHECK(levels(rig.provider().preflight({.longest_prompt = 4500})) == "ooooe");
}

TEST_CASE("preflight: a prompt that Ollama cuts in silence", "[llm][preflight]") {
  const auto check = [](int counted) {
    Rig rig("ollama");
    rig.then(404, "{}");
    rig.then(200, openai_reply("ready"));
    rig.then(200, openai_reply(R"({\"wet\":true,\"mark_71\":true})"));
    rig.then(200, R"({"choices":[{"message":{"content":"ready"}}],"usage":{"prompt_tokens":)" +
                      std::to_string(counted) + "}}");
    return rig.provider().preflight({.longest_prompt = 9000});
  };
  CHECK(levels(check(9100)) == "ooooo");
  const auto cut = check(4096);
  CHECK(levels(cut) == "ooooe");
  CHECK(cut.back().hint.find("OLLAMA_CONTEXT_LENGTH") != std::string::npos);
}

TEST_CASE("a look before a run blames what is wrong", "[llm][preflight]") {
  struct Row {
    int status;
    const char* body;
    const char* named;  ///< in what is to be done
  };
  const Row row = GENERATE(
      Row{401, R"({"error":{"message":"no such key"}})", "look at the key in "},
      Row{403, R"({"error":{"message":"not for you"}})", "look at the key in "},
      Row{404, R"({"error":{"message":"no such model"}})", "look at model: the URL is right"},
      Row{429, R"({"error":{"message":"too much"}})", "limits how often it is asked"},
      Row{500, R"({"error":{"message":"oops"}})", "fails by itself"},
      Row{200, "no JSON", "look at base_url and provider"},
      Row{200, "<html><body>hello</body></html>", "look at base_url"});
  Rig rig;
  rig.spec.tries = 2;
  rig.spec.backoff_s = 0.01;
  rig.then(200, R"({"data":[{"id":"m"}]})");
  for (int i = 0; i < 4; ++i) rig.then(row.status, row.body);
  const auto findings = rig.provider().preflight({});
  const auto failed = std::find_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.level == Finding::Level::error;
  });
  REQUIRE(failed != findings.end());
  INFO(failed->what << " / " << failed->hint);
  CHECK(failed->hint.find(row.named) != std::string::npos);
  for (const std::string_view other : {"the key", "model:", "limits", "fails by", "provider"})
    if (std::string_view(row.named).find(other) == std::string_view::npos)
      CHECK(failed->hint.find(other) == std::string::npos);
}

TEST_CASE("a page that is not found is first the URL's fault where no models were listed",
          "[llm][preflight]") {
  Rig rig;
  for (int i = 0; i < 2; ++i) rig.then(404, R"({"error":{"message":"page not found"}})");
  const auto findings = rig.provider().preflight({});
  REQUIRE(levels(findings) == "ooe");
  CHECK(findings[2].hint == "look at base_url, then at model");
}

TEST_CASE("who never had a connection is not called slow", "[llm][preflight]") {
  MockSpec mock;
  mock.hang = 1;
  Rig rig("openai", mock);
  // It takes the connection, and its end of the handshake never comes.
  rig.spec.base_url = "https" + rig.server->url().substr(4);
  rig.spec.connect_s = 600;
  rig.spec.idle_s = 0.2;
  rig.spec.total_s = 0.4;
  rig.spec.tries = 1;
  const auto start = std::chrono::steady_clock::now();
  const auto findings = rig.provider().preflight({});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(100));
  REQUIRE(!findings.empty());
  INFO(findings.back().what << " / " << findings.back().hint);
  CHECK(findings.back().level == Finding::Level::error);
  CHECK(findings.back().what.find("was reached") == std::string::npos);
}

TEST_CASE("a look before a run keeps to the model's deadlines, and blames what was slow", "[llm]") {
  MockSpec mock;
  mock.hang = 1;
  Rig rig("openai", mock);
  rig.spec.idle_s = 0.2;
  rig.spec.total_s = 0.6;
  rig.spec.tries = 2;
  rig.spec.backoff_s = 0.01;
  const auto start = std::chrono::steady_clock::now();
  const auto findings = rig.provider().preflight({});
  CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(100));
  const auto failed = std::find_if(findings.begin(), findings.end(), [](const Finding& f) {
    return f.level == Finding::Level::error;
  });
  REQUIRE(failed != findings.end());
  INFO(failed->what << " / " << failed->hint);
  CHECK(failed->hint.find("raise total_s (0.6 s) or idle_s (0.2 s)") != std::string::npos);
  CHECK(failed->hint.find("URL") == std::string::npos);
}

}  // namespace
