#pragma once

#include <agon/access.hpp>
#include <agon/describe.hpp>
#include <agon/model/provider.hpp>
#include <boost/json/object.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace agon::llm {

/// How the form of an answer is asked of the endpoint.
enum class Structured : std::uint8_t { automatic, schema, object, text };
AGON_DESCRIBE_ENUM(Structured,
                   (automatic, "by schema; if the endpoint refuses that, as below, once for all"),
                   (schema, "a strict JSON schema (Anthropic: a forced tool)"),
                   (object, "any JSON object; the schema is in the prompt"),
                   (text, "nothing is asked of the endpoint; the schema is in the prompt"))

/// What reasoning models will not take.
enum class Sampling : std::uint8_t { automatic, yes, no };
AGON_DESCRIBE_ENUM(Sampling,
                   (automatic, "by the model's name; learned when the endpoint turns one down"),
                   (yes, "temperature and top_p are sent as set"),
                   (no, "temperature and top_p are never sent"))

/// What the limit on tokens is called.
enum class TokenLimit : std::uint8_t { automatic, max_tokens, max_completion_tokens };
AGON_DESCRIBE_ENUM(TokenLimit,
                   (automatic, "by the model's name; learned when the endpoint turns one down"),
                   (max_tokens, "what most endpoints know"),
                   (max_completion_tokens, "what OpenAI's reasoning models take"))

/// Whose words the rules of the game are to a model.
enum class SystemRole : std::uint8_t { automatic, system, developer, user };
AGON_DESCRIBE_ENUM(SystemRole,
                   (automatic,
                    "the system's; where the endpoint takes none, as `user`, which is found out "
                    "before the run"),
                   (system, "the system's"), (developer, "the developer's, as OpenAI has them"),
                   (user, "the user's, at the beginning of the first message"))

/// What one call is asked for.
enum class Sample : std::uint8_t { answer, distribution };
AGON_DESCRIBE_ENUM(Sample, (answer, "an answer"),
                   (distribution,
                    "where at most 20 answers are legal, their probabilities, of which one answer "
                    "is drawn"))

/// What the mock says.
enum class MockAnswers : std::uint8_t { random, first, script };
AGON_DESCRIBE_ENUM(MockAnswers, (random, "random within the schema, from the seed"),
                   (first,
                    "the first value that the schema allows, everywhere; without a schema always "
                    "the same words"),
                   (script, "the texts of `script`, in order, over and over"))

/// What the mock says to questions of a kind: a player that understands so much, and no more.
struct MockReply {
  std::string when;
  std::string say;
};
AGON_DESCRIBE(MockReply,
              (when,
               "a regular expression; it counts where it is found last, in the last message that "
               "has it",
               agon::length(1, 1000)),
              (say, "the answer: $1 is the first group, $name the answer's first member"))

/// How the mock behaves. Rates are shares of the calls, and add up to 1 at most.
struct MockSpec {
  MockAnswers answers = MockAnswers::random;
  std::vector<std::string> script;
  std::int64_t seed = 0;
  std::int64_t words = 10;
  std::int64_t thought = 0;
  double rate_limited = 0;
  double rate_limited_plain = 0;
  double server_error = 0;
  double hang = 0;
  double cut = 0;
  double truncated = 0;
  double refused = 0;
  double malformed = 0;
  double illegal = 0;
  double empty = 0;
  double slow = 0;
  double latency_ms = 0;
  double latency_spread = 0;
  bool in_real_time = false;
  std::optional<std::vector<MockReply>> replies;
};
AGON_DESCRIBE(
    MockSpec, (answers, "what is answered"),
    (script, "answers for `script`; an object stands for its own text", agon::data_file("json")),
    (seed, "answers and faults follow from this, the request and the question's own dice"),
    (words,
     "so many, and two more, at most in a text that is part of an answer; one by itself has 20 or "
     "more",
     agon::range(1, 10000)),
    (thought, "tokens that it counts as thought, and does not show", agon::range(0, 1000000)),
    (rate_limited, "429 with a Retry-After of one second", agon::range(0, 1)),
    (rate_limited_plain, "429 without one", agon::range(0, 1)),
    (server_error, "500", agon::range(0, 1)), (hang, "no reply ever", agon::range(0, 1)),
    (cut, "a reply that breaks off in its middle", agon::range(0, 1)),
    (truncated, "an answer cut at the limit of tokens", agon::range(0, 1)),
    (refused, "a refusal", agon::range(0, 1)),
    (malformed, "an answer that is not JSON", agon::range(0, 1)),
    (illegal, "JSON against the schema's bounds", agon::range(0, 1)),
    (empty, "no text at all", agon::range(0, 1)),
    (slow, "a first byte after ten times the latency, two seconds at least", agon::range(0, 1)),
    (latency_ms, "time for a reply, median", agon::unit("ms"), agon::range(0, 600000)),
    (latency_spread, "standard deviation of the logarithm of the latency; 0: always the same",
     agon::range(0, 3)),
    (in_real_time, "wait for real; else, in process, time is counted and not spent"),
    (replies, "said in place of `answers`, by the first that fits the request", agon::left_out))

/// A model, where it is, and how it is asked. What is not set is not sent.
struct ModelSpec {
  std::string provider = "mock";
  std::string model;
  std::string base_url;
  std::string key_env;
  std::optional<double> temperature;
  std::optional<double> top_p;
  std::optional<std::int64_t> seed;
  std::optional<int> max_tokens;
  std::vector<std::string> stop;
  std::string reasoning_effort;
  std::string extra;
  Structured structured = Structured::automatic;
  bool schema_in_prompt = false;
  Sampling sampling = Sampling::automatic;
  TokenLimit token_limit = TokenLimit::automatic;
  std::optional<SystemRole> system_role{};
  std::optional<Sample> sample{};
  std::optional<int> samples{};
  std::optional<bool> drop_unsupported{};
  std::optional<std::string> key_header{};
  std::optional<bool> stream{};
  std::optional<bool> batch{};
  std::optional<int> batch_calls{};
  std::optional<double> batch_poll_s{};
  std::int64_t context = 0;
  int concurrency = 1024;
  int tries = 5;
  double connect_s = 10;
  double idle_s = 180;
  double total_s = 900;
  double backoff_s = 1;
  std::int64_t retry_budget = 0;
  double outage_share = 0.5;
  int outage_calls = 20;
  double outage_s = 60;
  double outage_pause_s = 30;
  double outage_stop_s = 900;
  MockSpec mock;
};
AGON_DESCRIBE(
    ModelSpec, (provider, "who serves the model: 'agon list providers'", agon::length(1, 100)),
    (model, "the model's name at its provider, best with a date in it; for the mock any"),
    (base_url, "where the endpoint is; else from the environment, else the provider's own"),
    (key_env, "name of the environment variable that holds the key; else the provider's own",
     agon::operational),
    (temperature, "of sampling", agon::range(0, 2)),
    (top_p, "share of probability that is sampled from", agon::range(0, 1)),
    (seed, "of sampling, where the endpoint knows it; most promise nothing"),
    (max_tokens, "that an answer may take, reasoning included; Anthropic needs one: 4096",
     agon::unit("tokens"), agon::range(1, 10000000)),
    (stop, "texts that end an answer", agon::length(0, 16)),
    (reasoning_effort, "as the endpoint names it: minimal, low, medium, high"),
    (extra, "members put into the body of each request as they are: a JSON object; no keys",
     agon::data_file("json")),
    (structured, "how the answer's form is asked of the endpoint"),
    (schema_in_prompt,
     "the schema of an answer stands in the prompt also where the endpoint shows it to the model"),
    (sampling, "whether the model takes temperature and top_p"),
    (token_limit, "what max_tokens is called on the wire (not for Anthropic)"),
    (system_role, "who says the system prompt (absent: automatic)", agon::left_out),
    (sample, "what a call is asked for (absent: answer)", agon::left_out),
    (samples,
     "answers of one call that give the distribution by their frequencies (absent: by the "
     "endpoint's log-probabilities)",
     agon::unit("answers"), agon::range(2, 128), agon::left_out),
    (drop_unsupported,
     "play without a setting that the endpoint does not take, and say so in reports; else the run "
     "does not begin, or stops",
     agon::operational, agon::left_out),
    (key_header,
     "name of the header that holds the key alone, such as api-key; else the provider's",
     agon::operational, agon::left_out),
    (stream,
     "replies come piece by piece: idle_s is then a pause, and not the time to think (default: no)",
     agon::operational, agon::left_out),
    (batch,
     "calls of all matches that wait go out together, at half the price or so, and are answered "
     "within a day (default: no)",
     agon::operational, agon::left_out),
    (batch_calls, "calls of one batch at most (default: as many as the provider takes)",
     agon::range(1, 100000), agon::operational, agon::left_out),
    (batch_poll_s,
     "between two looks at a batch, at first; doubles up to 30 times as much (default: 10)",
     agon::unit("s"), agon::range(0.001, 3600), agon::operational, agon::left_out),
    (context, "what fits into the model, prompt and answer; 0: not known, not checked",
     agon::unit("tokens"), agon::at_least(0), agon::operational),
    (concurrency, "calls in flight at most, per endpoint, key and model", agon::range(1, 100000),
     agon::operational),
    (tries, "for one call, at most; 1: no retry", agon::range(1, 100), agon::operational),
    (connect_s, "to get a connection", agon::unit("s"), agon::range(0.001, 3600),
     agon::operational),
    (idle_s, "without a byte, then the try is given up", agon::unit("s"), agon::range(0.001, 86400),
     agon::operational),
    (total_s, "for one call with all its tries and waits", agon::unit("s"),
     agon::range(0.001, 86400), agon::operational),
    (backoff_s, "first wait between tries; doubles up to 60 s", agon::unit("s"), agon::range(0, 60),
     agon::operational),
    (retry_budget, "retries of all calls of a run together; 0: not limited", agon::at_least(0),
     agon::operational),
    (outage_share, "of failing replies from which on the endpoint is out: calls wait",
     agon::range(0.01, 1), agon::operational),
    (outage_calls, "replies that the share is taken of, at least; so many in a row are enough",
     agon::range(1, 1000000), agon::operational),
    (outage_s, "that the share is taken over", agon::unit("s"), agon::range(0.001, 3600),
     agon::operational),
    (outage_pause_s,
     "between two calls that look whether it is over, at most; the first look is after 1 s",
     agon::unit("s"), agon::range(0.001, 3600), agon::operational),
    (outage_stop_s, "that an endpoint may be out before the run stops", agon::unit("s"),
     agon::range(0, 86400), agon::operational),
    (mock, "how the mock behaves"))

/// The members of `extra`; none where it is no object.
[[nodiscard]] boost::json::object extra_of(const ModelSpec& spec);

/// Whether `extra` has the model think before it answers, as Anthropic's do.
[[nodiscard]] bool thinks(const boost::json::object& extra);

/// Whether calls go out in batches, where a run keeps them.
[[nodiscard]] inline bool goes_in_batches(const ModelSpec& spec) {
  return spec.batch.value_or(false);
}

/// Whether a distribution over the options of a question is asked for.
[[nodiscard]] inline bool asks_distribution(const ModelSpec& spec) {
  return spec.sample == Sample::distribution;
}

/// `spec` with what the provider and the environment fill in. It names the key's variable and never
/// holds the key.
struct Endpoint {
  const ProviderCard* provider = nullptr;
  bool needs_key = true;          ///< an endpoint of one's own may have none
  std::string base_url;           ///< without a final slash and query
  std::string query;              ///< of the URL, with its question mark: "?api-version=1"
  std::string key_header;         ///< all that stands before the key
  std::string base_url_from;      ///< "OPENAI_BASE_URL", "the model's base_url"; for messages
  bool is_named_by_spec = false;  ///< the URL: neither the provider's own nor the environment's
  std::string key_env;
  std::string model;

  /// "https://a.example/v1" + "/models" + "?api-version=1". "{model}" in the path is replaced by
  /// the model's name.
  [[nodiscard]] std::string url(std::string_view path) const;
};

/// Throws Error (invalid) for settings that make no sense together, or that the provider does not
/// take, with the member in `where`.
[[nodiscard]] Endpoint resolve(const ModelSpec& spec, const ProviderCard& provider);

/// Throws Error (invalid) for a mock that makes no sense.
void check_mock(const MockSpec& mock);

/// What a model reaches for beyond its provider's own host with the provider's own variable, or
/// this machine with that of a provider that is on it, or without a key: each host with the
/// variable whose value it gets; and any host that gets a key over plain HTTP. A URL from the
/// environment is the user's own choice. Throws as resolve() does.
[[nodiscard]] std::vector<Access> accesses(const ModelSpec& spec, const ProviderCard& provider);

/// The key, from the environment; empty where there is none. What sends it takes a Key.
[[nodiscard]] std::string read_key(const Endpoint& endpoint);

/// Tokens of a text, roughly: one for each four bytes. Right within a factor of two for European
/// languages; an estimate, and called so wherever it is shown.
[[nodiscard]] std::int64_t estimate_tokens(std::string_view text);

}  // namespace agon::llm
