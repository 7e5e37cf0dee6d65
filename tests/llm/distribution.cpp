// The probabilities that a model gives to few answers, and what is drawn by them.
#include "llm/answer/distribution.hpp"

#include <fmt/format.h>

#include <agon/conversion.hpp>
#include <agon/money.hpp>
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "model_table.hpp"
#include "rig.hpp"

namespace llm_distribution_test {
namespace {

using namespace agon;
using namespace agon::llm;
using namespace agon::test;
using llm_tests::Rig;

std::vector<AnswerOption> options(std::initializer_list<const char*> labels) {
  std::vector<AnswerOption> all;
  for (const char* label : labels)
    all.push_back({.label = label, .answer = {std::string(R"({"move":")") + label + "\"}"}});
  return all;
}

/// "cooperate 0.75, defect 0.25; 0.1"
std::string shares(const AnswerDistribution& distribution) {
  std::string text;
  for (const AnswerOption& o : distribution.options)
    text += (text.empty() ? "" : ", ") + o.label + " " + fmt::format("{:g}", o.probability);
  return text + fmt::format("; {:g}", distribution.outside);
}

std::string shares(const ModelCall& call) {
  AnswerDistribution distribution;
  REQUIRE(call.finish == kDistribution);
  REQUIRE_FALSE(read_json(distribution, call.text, Missing::is_wrong));
  return shares(distribution);
}

std::string by_tokens(std::vector<WireToken> tokens, std::initializer_list<const char*> labels) {
  return shares(distribution_by_tokens({.text = "", .tokens = std::move(tokens)}, options(labels)));
}

TEST_CASE("distribution: tokens are parts of labels, in any case, after blanks", "[llm]") {
  CHECK(by_tokens({{" Co",
                    0.6,
                    {{" Co", 0.6}, {"cooperate", 0.15}, {"Def", 0.25}, {"Consider", 0}, {"I", 0}}}},
                  {"cooperate", "defect"}) == "cooperate 0.75, defect 0.25; 0");
  // What begins like a label and is another word lies outside.
  CHECK(by_tokens({{"A", 0.6, {{"A", 0.6}, {"B.", 0.2}, {"As", 0.1}, {"The", 0.1}}}}, {"A", "B"}) ==
        "A 0.75, B 0.25; 0.2");
  // A blank decides nothing: the next token does, and others in its place count too.
  CHECK(by_tokens({{"\n", 0.5, {{"\n", 0.5}, {"A", 0.35}, {"B", 0.15}}},
                   {"A", 0.7, {{"A", 0.7}, {"B", 0.3}}},
                   {"B", 1, {}}},
                  {"A", "B"}) == "A 0.7, B 0.3; 0");
}

TEST_CASE("distribution: a label may be the beginning of another", "[llm]") {
  const WireToken first{"1", 0.8, {{"1", 0.8}, {"2", 0.2}}};
  CHECK(by_tokens({first, {"2", 0.25, {{"\n", 0.75}, {"2", 0.25}}}}, {"1", "12"}) ==
        "1 0.75, 12 0.25; 0.2");
  CHECK(by_tokens({first}, {"1", "12"}) == "1 1, 12 0; 0.2");  // nothing came after it
  CHECK(by_tokens({{"12", 1, {{"12", 0.5}, {"1.5", 0.5}}}}, {"1", "12"}) == "1 0, 12 1; 0.5");
}

TEST_CASE("distribution: an answer within quotes or a JSON object", "[llm]") {
  CHECK(by_tokens({{"\"", 1, {}}, {"def", 0.4, {{"def", 0.4}, {"co", 0.6}}}},
                  {"cooperate", "defect"}) == "cooperate 0.6, defect 0.4; 0");
  CHECK(by_tokens({{R"({")", 0.9, {{R"({")", 0.9}, {"co", 0.1}}},
                   {"move", 1, {}},
                   {R"(":")", 1, {}},
                   {"def", 0.4, {{"def", 0.4}, {"co", 0.6}}}},
                  {"cooperate", "defect"}) == "cooperate 0.64, defect 0.36; 0");
  // The name of a member is no answer.
  CHECK(by_tokens({{R"({")", 1, {}}, {"A", 1, {{"A", 1}}}}, {"A", "B"}) == "A 0, B 0; 1");
}

TEST_CASE("distribution: answers are counted by the label that they begin with", "[llm]") {
  const WireChoice said[] = {{.text = "cooperate"},
                             {.text = " Cooperate."},
                             {.text = "<think>defect?</think>defect"},
                             {.text = R"({"move": "defect"})"},
                             {.text = "I defect"}};
  const AnswerDistribution counted = distribution_by_count(said, options({"cooperate", "defect"}));
  CHECK(shares(counted) == "cooperate 0.5, defect 0.5; 0.2");
  CHECK(counted.samples == 5);
  CHECK(counted.said == "cooperate");
}

TEST_CASE("distribution: one option is drawn by the shares, none without any", "[llm]") {
  AnswerDistribution distribution;
  distribution.options = options({"A", "B", "C"});
  distribution.options[0].probability = 0.25;
  distribution.options[2].probability = 0.75;
  const auto drawn = [&](double unit) {
    ModelCall call;
    set_distribution(call, distribution);
    draw_option(call, unit);
    return drawn_answer(call, Language::english());
  };
  CHECK(drawn(0).json == R"({"move":"A"})");
  CHECK(drawn(0.2499).json == R"({"move":"A"})");
  CHECK(drawn(0.25).said == "C");
  CHECK(drawn(0.9999).json == R"({"move":"C"})");
  for (AnswerOption& option : distribution.options) option.probability = 0;
  CHECK(drawn(0.5).fault == Fault::unparsable);
  CHECK(drawn(0.5).json.empty());
}

enum class Move : std::uint8_t { stay, steal };
AGON_DESCRIBE_ENUM(Move, (stay, "leave it"), (steal, "take it"))
struct Moves {
  Move move = Move::stay;
};
AGON_DESCRIBE(Moves, (move, "what you do"))
struct Accepts {
  bool accept = false;
};
AGON_DESCRIBE(Accepts, (accept, "whether you take it"))
struct Digit {
  int n = 0;
};
AGON_DESCRIBE(Digit, (n, "a digit", agon::range(0, 9)))
struct Number {
  int n = 0;
};
AGON_DESCRIBE(Number, (n, "a number", agon::range(0, 20)))
struct Price {
  Money price{};
};
AGON_DESCRIBE(Price, (price, "a price"))
struct Both {
  bool one = false;
  bool other = false;
};
AGON_DESCRIBE(Both, (one, "one"), (other, "other"))

template <class T>
ModelRequest asked_for() {
  OwnedQuestion question;
  question.answer_type = &type_of<T>();
  ModelRequest request;
  ask_for_option(request, question);
  return request;
}

TEST_CASE("distribution: values with different first characters are labels, else letters",
          "[llm]") {
  CHECK(asked_for<Accepts>().options_form ==
        "Answer with one of these values of \"accept\" (whether you take it) and with nothing "
        "else:\n- true\n- false");
  CHECK(asked_for<Digit>().options.size() == 10);
  const ModelRequest letters = asked_for<Moves>();
  CHECK_THAT(letters.options_form, Catch::Matchers::EndsWith("\n- A: stay\n- B: steal"));
  REQUIRE(letters.options.size() == 2);
  CHECK(letters.options[1].label == "B");
  CHECK(letters.options[1].answer.text == R"({"move":"steal"})");
  // Twenty-one values, amounts of money and several members are too many.
  CHECK(asked_for<Number>().options.empty());
  CHECK(asked_for<Price>().options.empty());
  CHECK(asked_for<Both>().options.empty());
}

ModelSpec sampling(std::optional<int> samples = {}) {
  ModelSpec spec;
  spec.sample = Sample::distribution;
  spec.samples = samples;
  return spec;
}

ModelResult ask(Rig& rig) {
  ModelRequest request{.purpose = "answer",
                       .messages = {{"user", "Your move?"}},
                       .form = "Answer in JSON.",
                       .options = options({"cooperate", "defect"}),
                       .options_form = "One of:\n- cooperate\n- defect"};
  return rig.provider().call(request, Provider::Time::max(), Dice(1));
}

/// A reply of chats with these members in its one choice.
std::string reply(const std::string& more) {
  return R"({"model":"m","choices":[{"index":0,"message":{"role":"assistant","content":"co"})" +
         more + R"(,"finish_reason":"length"}]})";
}

TEST_CASE("distribution: log-probabilities over the wire", "[llm][wire]") {
  Rig chat("openai", {}, sampling());
  chat.then(200, reply(R"(,"logprobs":{"content":[{"token":"co","logprob":-0.693147181,)"
                       R"("top_logprobs":[{"token":"co","logprob":-0.693147181},)"
                       R"({"token":" Def","logprob":-0.693147181}]}]})"));
  const ModelResult r = ask(chat);
  CHECK(r.call.fault == Fault::ok);
  CHECK(shares(r.call) == "cooperate 0.5, defect 0.5; 0");
  CHECK(r.call.parameters == R"({"max_tokens":16,"logprobs":true,"top_logprobs":20})");
  CHECK(r.call.messages.back().text == "Your move?\n\nOne of:\n- cooperate\n- defect");

  Rig raw("completions", {}, sampling());
  raw.then(200, R"({"model":"m","choices":[{"text":" co","logprobs":{"tokens":[" co"],)"
                R"("token_logprobs":[-0.287682072],"top_logprobs":[{" co":-0.287682072,)"
                R"(" def":-1.38629436}]},"finish_reason":"length"}]})");
  CHECK(shares(ask(raw).call) == "cooperate 0.75, defect 0.25; 0");
  CHECK_THAT(raw.seen().back().body, Catch::Matchers::Contains(R"("logprobs":20)"));

  // A question with many answers is asked as usual.
  Rig usual("openai", {}, sampling());
  usual.then(200, llm_tests::openai_reply());
  CHECK(usual.call().call.text == R"({"bid":3})");
  CHECK(usual.seen().back().body.find("logprobs") == std::string::npos);
}

TEST_CASE("distribution: several answers of one call over the wire", "[llm][wire]") {
  Rig rig("openai", {}, sampling(3));
  rig.then(200, R"({"choices":[{"message":{"content":"defect"}},{"message":{"content":"defect"}},)"
                R"({"message":{"content":"maybe"}}]})");
  const ModelResult r = ask(rig);
  CHECK(shares(r.call) == "cooperate 0, defect 1; 0.333333");
  CHECK(r.call.parameters == R"({"n":3})");
}

TEST_CASE("distribution: an endpoint that does not send what it accepts is named", "[llm]") {
  const int what = GENERATE(0, 1, 2);
  const bool counts = what == 2;
  const std::string body =
      reply(what == 1 ? R"(,"logprobs":{"content":[{"token":"co","logprob":-1}]})"
                      : R"(,"logprobs":null)");
  ModelSpec spec = sampling(counts ? std::optional(3) : std::nullopt);
  Rig stops("openai", {}, spec);
  stops.then(200, body);
  const ModelResult r = ask(stops);
  CHECK(r.halt == Halt::configuration);
  CHECK(r.is_setting);
  CHECK_THAT(r.call.problem,
             Catch::Matchers::Contains(counts ? "takes no samples" : "takes no sample for"));
  CHECK_THAT(r.call.problem,
             Catch::Matchers::Contains(counts ? "returned 1 of 3 answers" : "log-probabilit"));
  CHECK_THAT(r.call.problem, Catch::Matchers::Contains("drop_unsupported"));

  // The same before a run: after the list, a call and one with structured output.
  Rig looked("openai", {}, spec);
  looked.server = nullptr;
  llm_tests::ServerOptions options;
  options.before = [&](const llm_tests::SeenRequest& seen) {
    const bool is_last = seen.body.find("Is water wet") != std::string::npos;
    return is_last ? std::optional(llm_tests::CannedReply{.body = body}) : std::nullopt;
  };
  looked.server = std::make_unique<llm_tests::MockServer>(std::move(options));
  looked.spec.base_url = looked.server->url() + "/v1";
  const auto findings = looked.provider().preflight({});
  CHECK(findings.back().level == Finding::Level::error);
  CHECK_THAT(findings.back().what, Catch::Matchers::Contains("takes no sample"));

  // Left out where the settings allow it: asked as usual, and on record.
  spec.drop_unsupported = true;
  Rig drops("openai", {}, spec);
  drops.then(200, body).then(200, llm_tests::openai_reply("x"));
  const ModelResult usual = ask(drops);
  CHECK(usual.call.text == "x");
  CHECK(usual.call.parameters ==
        (counts ? R"({"not_applied":["samples","sample"]})" : R"({"not_applied":["sample"]})"));
  CHECK(usual.call.messages.back().text == "Your move?\n\nAnswer in JSON.");
}

TEST_CASE("distribution: an odd reply after a good one is asked for again", "[llm]") {
  const std::string good =
      reply(R"(,"logprobs":{"content":[{"token":"co","logprob":-0.693147181,"top_logprobs":[)"
            R"({"token":"co","logprob":-0.693147181},{"token":"def","logprob":-0.693147181}]}]})");
  Rig tokens("openai", {}, sampling());
  tokens.then(200, good).then(200, reply(R"(,"logprobs":null)")).then(200, good);
  REQUIRE(ask(tokens).call.finish == kDistribution);
  const ModelResult again = ask(tokens);
  CHECK(shares(again.call) == "cooperate 0.5, defect 0.5; 0");
  CHECK(again.call.tries == 2);
  CHECK(tokens.calls_seen() == 3);
  // An endpoint that says that it takes none any more is believed.
  tokens.then(400, R"({"error":{"message":"logprobs is not supported","param":"logprobs",)"
                   R"("code":"unsupported_parameter"}})");
  CHECK(ask(tokens).is_setting);

  const auto answers = [](int n) {
    std::string body = R"({"choices":[)";
    for (int i = 0; i < n; ++i)
      body += std::string(i == 0 ? "" : ",") + R"({"message":{"content":"defect"}})";
    return body + "]}";
  };
  // Of four answers two are enough then, and one is not.
  Rig counts("openai", {}, sampling(4));
  counts.then(200, answers(4)).then(200, answers(2)).then(200, answers(1)).then(200, answers(4));
  REQUIRE(ask(counts).call.finish == kDistribution);
  CHECK(shares(ask(counts).call) == "cooperate 0, defect 1; 0");
  CHECK(counts.calls_seen() == 2);
  CHECK(shares(ask(counts).call) == "cooperate 0, defect 1; 0");
  CHECK(counts.calls_seen() == 4);
}

TEST_CASE("distribution: a lower number of likely tokens is sent with log-probabilities alone",
          "[llm][wire]") {
  ModelSpec spec = sampling();
  spec.extra = R"({"top_logprobs":5,"top_k":3})";
  Rig rig("openai", {}, spec);
  CHECK(ask(rig).call.parameters ==
        R"({"max_tokens":16,"logprobs":true,"top_logprobs":5,"top_k":3})");
  CHECK(rig.call().call.parameters == R"({"top_k":3})");
  // Who asks for log-probabilities has them.
  spec.extra = R"({"logprobs":true,"top_logprobs":5})";
  Rig always("openai", {}, spec);
  CHECK(always.call().call.parameters == spec.extra);
}

TEST_CASE("distribution: the mock counts all answers of a call", "[llm][mock]") {
  ModelSpec one = sampling();
  one.mock.thought = 7;
  ModelSpec many = one;
  many.samples = 5;
  const ModelRequest request{
      .purpose = "answer", .messages = {{"user", "Your move?"}}, .options = options({"A", "B"})};
  const auto taken = [&](const ModelSpec& spec, const ModelRequest& asked) {
    return make_mock_provider(spec)->call(asked, Provider::Time::max(), Dice(1)).call.usage;
  };
  CHECK(taken(many, request).output == 5 * taken(one, request).output);
  CHECK(taken(many, request).thought == 35);
  // A question that is asked as usual has one answer.
  const ModelRequest usual{.purpose = "answer", .messages = {{"user", "Your move?"}}};
  CHECK(taken(many, usual).output == taken(one, usual).output);
}

TEST_CASE("distribution: a server that sends it is found before a run", "[llm][preflight]") {
  const std::string provider = GENERATE("openai", "completions");
  Rig rig(provider, {}, sampling(GENERATE(std::optional<int>(), std::optional<int>(5))));
  const auto findings = rig.provider().preflight({});
  CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
    return f.level == Finding::Level::ok && f.what.find("distribution over") != std::string::npos;
  }));
  // Agents that draw no answers from it pay for none.
  const std::size_t calls = rig.calls_seen();
  for (const Finding& f : rig.provider().preflight({.draws_answers = false}))
    CHECK(f.what.find("distribution over") == std::string::npos);
  CHECK(rig.calls_seen() == 2 * calls - 1);
}

TEST_CASE("distribution: providers without it refuse the setting", "[llm][spec]") {
  ModelSpec spec = sampling();
  spec.model = "m";
  for (const char* provider : {"anthropic", "openai-responses"}) {
    spec.provider = provider;
    CHECK_THROWS_WITH(llm_tests::resolve(spec), Catch::Matchers::Contains("takes no sample"));
  }
  ModelSpec alone;
  alone.samples = 5;
  CHECK_THROWS_WITH(llm_tests::resolve(alone), Catch::Matchers::Contains("samples requires"));
}

/// A match in which both seats choose one of two actions.
MatchResult play(const std::shared_ptr<Provider>& model, std::uint64_t dice, Ledgers& ledgers,
                 const std::string& parts = "sample=distribution") {
  const auto agent = make_agent(parts, "classic", model);
  return ModelTable("classic", R"({"game": "stag-hunt"})")
      .agent(0, agent)
      .agent(1, agent)
      .dice(dice)
      .ledgers(ledgers)
      .play();
}

/// Plays 200 matches: how often the first option was drawn, and how often its recorded
/// probabilities lead to expect that.
void check_draws(const std::shared_ptr<Provider>& model) {
  double expected = 0;
  double variance = 0;
  double first = 0;
  for (std::uint64_t match = 1; match <= 200; ++match) {
    Ledgers ledgers;
    const MatchResult result = play(model, match, ledgers);
    REQUIRE(result.end == End::finished);
    std::size_t draws = 0;
    for (const auto& [key, call] : ledgers.calls) {
      if (call.finish != kDistribution) continue;
      AnswerDistribution distribution;
      REQUIRE_FALSE(read_json(distribution, call.text, Missing::is_wrong));
      REQUIRE(distribution.options.size() == 2);
      const AnswerOption& one = distribution.options[0];
      const bool is_first = distribution.drawn == one.label;
      expected += one.probability;
      variance += one.probability * (1 - one.probability);
      first += is_first ? 1 : 0;
      const AnswerOption& drawn = distribution.options[is_first ? 0 : 1];
      CHECK(result.record.find(drawn.answer.text) != std::string::npos);
      ++draws;
    }
    CHECK(draws == 2);
    if (match != 1) continue;
    // Resumed, and read again from the record alone, it is the same match.
    const std::size_t admitted = ledgers.admitted;
    CHECK(play(model, match, ledgers).record == result.record);
    CHECK(ledgers.admitted == admitted);
    ledgers.close();
    CHECK(play(model, match, ledgers).record == result.record);
  }
  CHECK(first > 0);
  CHECK(first < 400);
  CHECK(std::abs(first - expected) < 4 * std::sqrt(variance));
}

TEST_CASE("distribution: 200 matches draw as the recorded probabilities say", "[llm]") {
  const std::optional<int> samples = GENERATE(std::optional<int>(), std::optional<int>(20));
  SECTION("in process") {
    check_draws(make_mock_provider(sampling(samples), nullptr));
  }
  SECTION("over HTTP") {
    Rig rig("openai", {}, sampling(samples));
    check_draws(std::shared_ptr<Provider>(&rig.provider(), [](Provider*) {}));
  }
}

TEST_CASE("distribution: agents that need the words of an answer are asked for it", "[llm]") {
  const std::string parts = GENERATE("reasoning=chain-of-thought", "tools=calculator");
  Ledgers ledgers;
  const auto model = make_mock_provider(sampling(), nullptr);
  REQUIRE(play(model, 1, ledgers, "sample=distribution " + parts).end == End::finished);
  REQUIRE_FALSE(ledgers.calls.empty());
  for (const auto& [key, call] : ledgers.calls) CHECK(call.finish != kDistribution);
  // A warning before the run says so, of these agents alone.
  const ModelTable table("classic");
  for (const std::string& others : {parts, std::string()}) {
    const auto agent = make_agent("sample=distribution " + others, "classic", model);
    const auto findings = agent->preflight(table.game(), prompts_of("classic").get(), {});
    CHECK(std::any_of(findings.begin(), findings.end(), [](const Finding& f) {
            return f.what.find("\"sample\" has no effect") != std::string::npos;
          }) == !others.empty());
  }
}

}  // namespace
}  // namespace llm_distribution_test
