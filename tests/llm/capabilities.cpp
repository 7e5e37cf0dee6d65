// What is learned of an endpoint that turns parameters down, and what a spec says for good.

#include "catch.hpp"
#include "llm/provider/http_provider.hpp"
#include "providers.hpp"
#include "standard_error.hpp"

namespace {

using namespace agon::llm;

struct State {
  explicit State(const ModelSpec& of = {}, const std::string& provider = "openai") : spec(of) {
    endpoint.provider = &llm_tests::provider_card(provider);
    endpoint.model = spec.model;
    held = std::make_unique<EndpointState>(spec, endpoint, std::make_shared<Traffic>(1));
  }
  /// Whether there is something to try instead of what is sent by now.
  bool learn(const std::string& parameter) {
    return held->learn(parameter, held->capabilities(), spec);
  }
  [[nodiscard]] Capabilities now() const { return held->capabilities(); }

  ModelSpec spec;
  Endpoint endpoint;
  std::unique_ptr<EndpointState> held;
};

ModelSpec named(const std::string& model) {
  ModelSpec spec;
  spec.model = model;
  return spec;
}

/// Whether temperature and top_p are sent: both are, or neither.
bool samples(const Capabilities& can) {
  const bool temperature = !can.without.contains("temperature");
  CHECK(temperature == !can.without.contains("top_p"));
  return temperature;
}

TEST_CASE("capabilities: a parameter that is turned down is left out, and only once",
          "[llm][capabilities]") {
  State state;
  const Capabilities before = state.now();
  CHECK(state.learn("seed"));
  CHECK(state.now().without.contains("seed"));
  CHECK_FALSE(state.learn("seed"));  // it was not sent: it cannot be the reason
  // Another call was under way with it, and may go again without.
  CHECK(state.held->learn("seed", before, state.spec));
}

TEST_CASE("capabilities: sampling that was asked for is not left out in silence",
          "[llm][capabilities]") {
  const std::string parameter = GENERATE("temperature", "top_p");
  ModelSpec insists;
  insists.sampling = Sampling::yes;
  State fixed(insists);
  CHECK_FALSE(fixed.learn(parameter));
  CHECK(samples(fixed.now()));
  CHECK(fixed.learn("seed"));  // it says nothing of others

  State free;
  CHECK(free.learn(parameter));
  CHECK(free.now().without.contains(parameter));
}

TEST_CASE("capabilities: what the limit on tokens is called is learned once",
          "[llm][capabilities]") {
  State state;
  const Capabilities before = state.now();
  REQUIRE_FALSE(before.completion_tokens);
  CHECK_FALSE(state.learn("max_completion_tokens"));  // it was not sent
  CHECK(state.learn("max_tokens"));
  CHECK(state.now().completion_tokens);
  CHECK(state.now().without.contains("max_tokens"));
  CHECK(state.held->learn("max_tokens", before, state.spec));  // another call was under way
  CHECK(state.learn("max_completion_tokens"));
  CHECK_FALSE(state.now().completion_tokens);
  CHECK_FALSE(state.learn("max_tokens"));  // it knows neither

  ModelSpec insists;
  insists.token_limit = TokenLimit::max_tokens;
  State fixed(insists);
  CHECK_FALSE(fixed.learn("max_tokens"));
  CHECK_FALSE(fixed.now().completion_tokens);
  insists.token_limit = TokenLimit::max_completion_tokens;
  CHECK(State(insists).now().completion_tokens);
}

TEST_CASE("capabilities: the form of answers steps down level by level", "[llm][capabilities]") {
  const std::string parameter = GENERATE("response_format", "tools", "tool_choice");
  State state;
  const Capabilities before = state.now();
  CHECK(before.level == Level::schema);
  CHECK(state.learn(parameter));
  CHECK(state.now().level == Level::lean);
  CHECK(state.held->learn(parameter, before, state.spec));
  CHECK(state.now().level == Level::lean);  // no further for a call that was sent before
  CHECK(state.learn(parameter));
  CHECK(state.now().level == Level::object);
  CHECK(state.held->learn(parameter, before, state.spec));
  CHECK(state.now().level == Level::object);
  CHECK(state.learn(parameter));
  CHECK(state.now().level == Level::text);
  CHECK_FALSE(state.learn(parameter));
  CHECK(state.now().level == Level::text);

  ModelSpec insists;
  insists.structured = Structured::schema;
  State fixed(insists);
  CHECK_FALSE(fixed.learn(parameter));
  CHECK(fixed.now().level == Level::schema);
}

TEST_CASE("capabilities: what a spec fixes, and what a model's name says", "[llm][capabilities]") {
  const auto can = [](const ModelSpec& spec, const std::string& provider = "openai") {
    return State(spec, provider).now();
  };
  for (const char* name : {"gpt-5", "gpt-5-mini", "o1", "o4-mini", "openai/o3", "a/b/gpt-5.1"}) {
    INFO(name);
    CHECK_FALSE(samples(can(named(name))));
    CHECK(can(named(name)).completion_tokens);
    CHECK(samples(can(named(name), "anthropic")));  // Anthropic's names are its own
  }
  for (const char* name : {"gpt-4.1", "gpt-5-chat", "o", "ox1", "opt-7b", "gpt-5/small", ""}) {
    INFO(name);
    CHECK(samples(can(named(name))));
    CHECK_FALSE(can(named(name)).completion_tokens);
  }
  ModelSpec spec = named("o3");
  spec.sampling = Sampling::yes;
  CHECK(samples(can(spec)));
  spec.model = "gpt-4.1";
  spec.sampling = Sampling::no;
  CHECK_FALSE(samples(can(spec)));
  for (const auto& [structured, level] : {std::pair{Structured::automatic, Level::schema},
                                          {Structured::schema, Level::schema},
                                          {Structured::object, Level::object},
                                          {Structured::text, Level::text}}) {
    ModelSpec fixed;
    fixed.structured = structured;
    CHECK(can(fixed).level == level);
  }
}

TEST_CASE("capabilities: what was learned is told, and once", "[llm][capabilities]") {
  const auto told = [](const std::function<void(State&)>& what,
                       const ModelSpec& spec = named("m")) {
    llm_tests::StandardError err;
    State state(spec);
    what(state);
    return err.text();
  };
  const std::string who = "agon: m at : ";
  const auto twice = [](State& s) {
    const Capabilities before = s.now();
    s.learn("seed");
    s.held->learn("seed", before, s.spec);
  };
  ModelSpec drops = named("m");
  drops.drop_unsupported = true;
  CHECK(told(twice, drops) == who + "seed is turned down and not sent any more\n");
  CHECK(told(twice).empty());  // the run stops, and says why
  CHECK(told([](State& s) { s.learn("max_tokens"); }) ==
        who + "max_tokens is turned down; max_completion_tokens is sent instead\n");
  CHECK(told([](State& s) { s.learn("tools"); }) ==
        who +
            "structured output is turned down; from now on a schema without bounds is asked for\n");
  CHECK(told([](State& s) {
          s.held->notice("look");
          s.held->notice("look");
          s.held->notice("again");
        }) == who + "look\n" + who + "again\n");

  // A reasoning model is not sent what was set: that is told at once.
  const auto at_first = [&](auto change) {
    ModelSpec spec = named("o3");
    change(spec);
    return told([](State&) {}, spec);
  };
  const std::string unsent =
      "agon: o3 at : a reasoning model: temperature and top_p are not sent; \"sampling\": \"yes\" "
      "sends them\n";
  CHECK(at_first([](ModelSpec&) {}).empty());
  CHECK(at_first([](ModelSpec& s) { s.temperature = 1; }) == unsent);
  CHECK(at_first([](ModelSpec& s) { s.top_p = 0.5; }) == unsent);
  CHECK(at_first([](ModelSpec& s) { s.temperature = 1, s.sampling = Sampling::no; }).empty());
  CHECK(at_first([](ModelSpec& s) { s.temperature = 1, s.sampling = Sampling::yes; }).empty());
  CHECK(at_first([](ModelSpec& s) { s.temperature = 1, s.model = "m"; }).empty());
}

TEST_CASE("capabilities: what was looked for once is known", "[llm][capabilities]") {
  const State state;
  int looks = 0;
  const auto look = [&] {
    ++looks;
    return std::vector<agon::Finding>(2);
  };
  CHECK(state.held->once("key", look).size() == 2);
  CHECK(state.held->once("key", look).size() == 2);
  CHECK(looks == 1);
  CHECK(state.held->once("context", look).size() == 2);
  CHECK(looks == 2);
  CHECK_FALSE(state.held->has_worked(Level::schema));
  state.held->level_worked(Level::schema);
  CHECK(state.held->has_worked(Level::schema));
  CHECK_FALSE(state.held->has_worked(Level::lean));
}

}  // namespace
