// Which hosts and variables need trust: who is this machine, and who only looks like it.

#include <cstdlib>
#include <string>
#include <vector>

#include "catch.hpp"
#include "llm/http/transport.hpp"
#include "llm/model_spec.hpp"
#include "providers.hpp"

using namespace agon;
using namespace agon::llm;
using llm_tests::accesses;
using llm_tests::resolve;

namespace {

/// A variable of the environment, as it was in the end.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;
  ~Variable() { before_ ? setenv(name_, before_->c_str(), 1) : unsetenv(name_); }

 private:
  const char* name_;
  std::optional<std::string> before_;
};

ModelSpec spec_of(const std::string& provider, const std::string& base_url,
                  const std::string& key_env = {}) {
  ModelSpec spec;
  spec.provider = provider;
  spec.model = "m";
  spec.base_url = base_url;
  spec.key_env = key_env;
  return spec;
}

/// "KEY to https://host:443", "https://host:443" for questions alone; empty: nothing needs trust.
std::string asked(const ModelSpec& spec) {
  std::string text;
  for (const Access& access : accesses(spec)) {
    CHECK(access.kind == AccessKind::host);
    CHECK(access.command.empty());
    for (const std::string& variable : access.variables) text += variable + " to ";
    text += access.target;
  }
  return text;
}

}  // namespace

TEST_CASE("this machine is told from hosts that look like it", "[llm][trust]") {
  const std::vector<const char*> own{
      "http://localhost",          "http://LOCALHOST:80/v1", "https://localhost/v1",
      "http://127.0.0.1:1/x@evil", "http://127.255.255.254", "http://[::1]:8080/v1",
      "http://127.0.0.1?@evil",    "http://localhost#@evil", "http://[0:0:0:0:0:0:0:1]/",
  };
  for (const char* text : own) {
    INFO(text);
    const auto url = parse_url(text);
    REQUIRE(url);
    CHECK(url->is_loopback());
    CHECK_FALSE(url->origin().ends_with("evil"));
  }
  const std::vector<const char*> foreign{
      "http://localhost.evil.com",
      "http://127.evil.com",
      "http://127.0.0.1.evil.com/v1",
      "http://localhost.",
      "http://127.0.0.1.",
      "http://127.1",
      "http://2130706433",
      "http://0x7f.0.0.1",
      "http://0177.0.0.1",
      "http://0127.0.0.1",
      "http://128.0.0.1",
      "http://126.255.255.255",
      "http://0.0.0.0",
      "http://0",
      "http://localhos",
      "http://notlocalhost",
      "http://evil/127.0.0.1",
      "http://evil?localhost",
      "http://[::2]",
      "http://[::ffff:127.0.0.1]",
      "http://[::]",
      "http://[1::1]",
  };
  for (const char* text : foreign) {
    INFO(text);
    const auto url = parse_url(text);
    REQUIRE(url);
    CHECK_FALSE(url->is_loopback());
  }
  // What readers take for different hosts is no URL at all.
  const std::vector<std::string> none{
      "",
      "localhost",
      "ftp://localhost",
      "HTTP://localhost",
      "http:localhost",
      "http:/localhost",
      "http:///evil",
      "http://",
      "http://:80",
      "http://127.0.0.1@evil",
      "http://127.0.0.1:80@evil/",
      "http://localhost\\@evil",
      "http://localhost\\.evil",
      "http://127.0.0.1%2eevil",
      "http://127.0.0.1%00.evil",
      "http://localhost\t.evil",
      "http://localhost .evil",
      "http://localhost/\nHost: evil",
      std::string("http://localhost\0.evil", 22),
      "http://localhost:",
      "http://localhost:0",
      "http://localhost:65536",
      "http://localhost:-1",
      "http://localhost:8o",
      "http://localhost:80:80",
      "http://[::1",
      "http://[::1]evil",
      "http://[::1].evil",
      "http://[localhost]",
      "http://[::1%25lo]",
      "http://\xd0\xb0pi.openai.com",
      "http://\xef\xbc\x91\xef\xbc\x92\xef\xbc\x97.0.0.1",
      "http://127\xe3\x80\x82"
      "0.0.1",
  };
  for (const std::string& text : none) {
    INFO(text);
    CHECK_FALSE(parse_url(text));
  }
  CHECK(parse_url("https://Api.OpenAI.com/v1")->origin() == "https://api.openai.com:443");
  CHECK(parse_url("http://h.example")->origin() == "http://h.example:80");
  CHECK(parse_url("http://[::1]:8080")->origin() == "http://[::1]:8080");
  CHECK(parse_url("https://h_1.example:65535/x:1")->origin() == "https://h_1.example:65535");
}

TEST_CASE("a host and the variable that it gets need trust together", "[llm][trust]") {
  const Variable no_url("OPENAI_BASE_URL", nullptr), no_base("OPENAI_API_BASE", nullptr);
  const Variable no_host("OLLAMA_HOST", nullptr), no_anthropic("ANTHROPIC_BASE_URL", nullptr);
  const Variable no_gemini("GEMINI_BASE_URL", nullptr);
  const Variable key("OPENAI_API_KEY", "k"), no_key("VLLM_API_KEY", nullptr);

  // What needs none.
  CHECK(asked(spec_of("mock", "http://evil.example")).empty());
  for (const char* provider :
       {"openai", "anthropic", "gemini", "ollama", "openrouter", "llamacpp", "vllm", "lmstudio"})
    CHECK(asked(spec_of(provider, "")).empty());
  CHECK(asked(spec_of("openai", "https://api.openai.com/v1")).empty());
  CHECK(asked(spec_of("openai", "https://api.openai.com:443/v2", "OPENAI_API_KEY")).empty());
  CHECK(asked(spec_of("anthropic", "https://API.anthropic.com")).empty());
  CHECK(asked(spec_of("vllm", "http://localhost:8001/v1")).empty());
  {
    // Its other variable is its own, too.
    const Variable none("GEMINI_API_KEY", nullptr), other("GOOGLE_API_KEY", "k");
    CHECK(asked(spec_of("gemini", "")).empty());
    CHECK(asked(spec_of("gemini", "https://evil.example")) ==
          "GOOGLE_API_KEY to https://evil.example:443");
  }

  // Any user of this machine can open a port: it gets the key of a provider on it, and no other,
  // unless that is a word for servers that need none.
  CHECK(asked(spec_of("openai", "http://localhost:8000/v1")) ==
        "OPENAI_API_KEY to http://localhost:8000");
  CHECK(asked(spec_of("openai", "http://127.0.0.1:1/v1", "OPENAI_API_KEY")) ==
        "OPENAI_API_KEY to http://127.0.0.1:1");
  {
    const Variable own("VLLM_API_KEY", "long-enough-1");
    CHECK(asked(spec_of("vllm", "http://127.0.0.1:2/v1")).empty());
    const Variable none("OPENAI_API_KEY", nullptr), any("ANTHROPIC_API_KEY", "any");
    CHECK(asked(spec_of("openai", "http://localhost:8000/v1")).empty());
    CHECK(asked(spec_of("anthropic", "http://localhost:8000")).empty());
  }

  // Another host, another port, another scheme.
  CHECK(asked(spec_of("openai", "https://evil.example/v1")) ==
        "OPENAI_API_KEY to https://evil.example:443");
  CHECK(asked(spec_of("openai", "https://api.openai.com:8443/v1")) ==
        "OPENAI_API_KEY to https://api.openai.com:8443");
  CHECK(asked(spec_of("openai", "http://api.openai.com/v1")) ==
        "OPENAI_API_KEY to http://api.openai.com:80");
  CHECK(asked(spec_of("openai", "https://api.openai.com.evil.example/v1")) ==
        "OPENAI_API_KEY to https://api.openai.com.evil.example:443");
  CHECK(asked(spec_of("openai", "https://api.anthropic.com")) ==
        "OPENAI_API_KEY to https://api.anthropic.com:443");
  CHECK(asked(spec_of("openai", "http://localhost.evil.example/v1")) ==
        "OPENAI_API_KEY to http://localhost.evil.example:80");
  // Another variable, wherever it goes.
  CHECK(asked(spec_of("openai", "", "AWS_SECRET_ACCESS_KEY")) ==
        "AWS_SECRET_ACCESS_KEY to https://api.openai.com:443");
  CHECK(asked(spec_of("openai", "http://localhost:1/v1", "MINE")) == "MINE to http://localhost:1");
  CHECK(asked(spec_of("ollama", "", "OPENAI_API_KEY")) ==
        "OPENAI_API_KEY to http://localhost:11434");
  // A server that needs no key, and has none: questions alone; with a key, that too.
  CHECK(asked(spec_of("vllm", "http://box.example:8000/v1")) == "http://box.example:8000");
  {
    const Variable set("VLLM_API_KEY", "v");
    CHECK(asked(spec_of("vllm", "http://box.example:8000/v1")) ==
          "VLLM_API_KEY to http://box.example:8000");
  }

  // A URL of the environment is the user's own choice; not the variable, and not a key in the
  // clear.
  const Variable url("OPENAI_BASE_URL", "https://mine.example/v1");
  CHECK(asked(spec_of("openai", "")).empty());
  CHECK(asked(spec_of("openai", "", "MINE")) == "MINE to https://mine.example:443");
  const Variable clear("OPENAI_BASE_URL", "http://mine.example/v1");
  CHECK(asked(spec_of("openai", "")) == "OPENAI_API_KEY to http://mine.example:80");
  const Variable local("OPENAI_BASE_URL", "http://127.0.0.1:5/v1");
  CHECK(asked(spec_of("openai", "")).empty());
  const Variable box("OLLAMA_HOST", "box.example");
  CHECK(asked(spec_of("ollama", "")).empty());
  const Variable with_key("OLLAMA_API_KEY", "o");
  CHECK(asked(spec_of("ollama", "")) == "OLLAMA_API_KEY to http://box.example:11434");
}

TEST_CASE("whether a key is needed goes by the host, not by how its name begins", "[llm][trust]") {
  const Variable no_url("OPENAI_BASE_URL", nullptr), no_base("OPENAI_API_BASE", nullptr);
  const auto needs_key = [](const char* url) { return resolve(spec_of("openai", url)).needs_key; };
  CHECK_FALSE(needs_key("http://localhost:1/v1"));
  CHECK_FALSE(needs_key("http://127.0.0.1:1/v1"));
  CHECK_FALSE(needs_key("http://[::1]:1/v1"));
  CHECK(needs_key("http://localhost.evil.example/v1"));
  CHECK(needs_key("http://127.evil.example/v1"));
  CHECK(needs_key("https://api.openai.com/v1"));
  CHECK_THROWS_WITH(resolve(spec_of("openai", "http://127.0.0.1\\@evil/v1")),
                    Catch::Contains("is not a URL") || Catch::Contains("a user or password"));
}
