#pragma once

#include <agon/callback.hpp>
#include <agon/json_writer.hpp>
#include <agon/model/kit.hpp>
#include <agon/model/model_call.hpp>
#include <agon/model/tool.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Who serves models. A provider is a card, and a wire format where it has one of its own; a plugin
/// adds it with `registry.add(agon::ProviderCard{.id = "acme", ...})`, and any suite can name it:
/// `"models": {"m": {"provider": "acme", "model": "a-1"}}`. Connections, retries, limits, keys and
/// the reading of errors are the model agent's; a wire format is a few pure functions.
namespace agon {

/// How the form of an answer is asked of an endpoint.
enum class WireForm : std::uint8_t {
  text,    ///< not at all
  object,  ///< any JSON object
  schema,  ///< a JSON object by `schema`
};

/// A call as a wire format writes it down. What is not set is not sent.
struct WireRequest {
  std::string_view model;                   ///< as the provider has it
  std::span<const ChatMessage> messages{};  ///< as the agent has them, in any order of roles
  std::size_t stable = 0;  ///< so many of them, at the front, are worth keeping in a cache
  std::optional<double> temperature{};  ///< of sampling
  std::optional<double> top_p{};        ///< share of probability that is sampled from
  std::optional<std::int64_t> seed{};   ///< of sampling
  int max_tokens = 0;                   ///< that the answer may take; 0: not limited
  /// What OpenAI's reasoning models call the limit: max_completion_tokens.
  bool is_completion_limit = false;
  std::span<const std::string> stop{};  ///< texts that end an answer
  std::string_view reasoning_effort{};  ///< as the endpoint names it
  WireForm form = WireForm::text;       ///< how the form of the answer is asked for
  std::string_view schema{};            ///< JSON Schema of the answer; its root is an object
  std::span<const ModelTool> tools{};   ///< that are offered, also where none may be called
  bool must_answer = false;             ///< none of them may be called any more
  bool thinks = false;                  ///< `extra` has "thinking"
  bool returns_thoughts = false;        ///< encrypted, to be sent back with results of tools
  bool stream = false;                  ///< the reply is to come piece by piece
  bool counts_stream = false;           ///< with its tokens at the end, where that must be asked
  int likely = 0;   ///< so many of the likeliest tokens are asked for at each place; 0: none
  int choices = 0;  ///< so many answers are asked for at once; 0: one
};

/// A token of an answer, with what the model might have said in its place.
struct WireToken {
  std::string text{};
  double probability = 0;                                ///< 0 to 1
  std::vector<std::pair<std::string, double>> likely{};  ///< texts and their probabilities
};

/// One of the answers in a reply.
struct WireChoice {
  std::string text{};
  std::vector<WireToken> tokens{};  ///< empty: the endpoint gave no log-probabilities
};

/// An error that an endpoint tells of in a reply, in its own words; empty where it has none.
struct WireError {
  std::string type{};                      ///< kind of error: "rate_limit_error"
  std::string code{};                      ///< a number as its digits
  std::string param{};                     ///< member of the request that it is about
  std::string message{};                   ///< for people
  std::string detail_code{};               ///< error.details.error_code, or the first reason
  std::optional<double> retry_after_ms{};  ///< as its details wish
  bool is_page = false;                    ///< no JSON: it may be anybody's
};

/// What a model asks of tools in a reply.
struct WireToolCalls {
  std::vector<ToolCall> calls{};  ///< ids as the endpoint gave them; empty where it gave none
  std::string said{};             ///< what was said beside them
  /// JSON of all that was said, thoughts with their signatures too, as write_dialogue() wants it
  /// back (read_tool_turn()); empty: the calls are enough.
  std::string turn{};
};

/// How calls of a model are written and replies are read.
struct WireFormat {
  /// After the base URL: "/chat/completions". "{model}" in it is the model's name.
  std::string_view call_path;
  std::string_view stream_path{};  ///< of calls whose replies come in pieces; empty: the same
  /// Of the list of models, as OpenAI or Google has it; empty: there is none.
  std::string_view models_path{};
  /// Models that reason take the limit under another name and no temperature, as OpenAI's do; they
  /// are known by their names, and by what the endpoint turns down.
  bool has_reasoning_models = false;
  /// Writes the members that name the model and hold the dialogue into the open object `body`.
  void (*write_dialogue)(JsonWriter& body, const WireRequest& request) = nullptr;
  /// Writes all other members. They are on record with the call.
  void (*write_parameters)(JsonWriter& body, const WireRequest& request) = nullptr;
  /// Reads a reply with a status below 300 into text, reasoning, finish, served_model, fingerprint,
  /// request_id, usage and provider_cost of `call`, and sets its fault to refused or truncated
  /// where it was. Returns the error that stands in the place of an answer, if one does; throws
  /// Error for anything that is no reply.
  std::optional<WireError> (*read)(std::string_view reply, ModelCall& call) = nullptr;
  /// Reads the calls of tools in a reply that read() has read, and what was said beside them; no
  /// calls where it holds an answer. Null: the format knows no tools.
  WireToolCalls (*read_tools)(std::string_view reply) = nullptr;
  /// Reads all answers of a reply that read() has read, with the probabilities of their tokens.
  /// Null: the format knows neither `likely` nor `choices`.
  std::vector<WireChoice> (*read_choices)(std::string_view reply) = nullptr;
};

/// Which settings of a model a provider takes. One that it does not take is refused before a run.
struct ProviderTakes {
  bool temperature = true;       ///< WireRequest::temperature
  bool top_p = true;             ///< WireRequest::top_p
  bool seed = true;              ///< WireRequest::seed
  bool stop = true;              ///< WireRequest::stop
  bool reasoning_effort = true;  ///< WireRequest::reasoning_effort
  bool schema = true;            ///< WireForm::schema, be it as a tool's
  bool object = true;            ///< WireForm::object
};

/// Whether an endpoint answers without a key.
enum class KeyNeed : std::uint8_t {
  always,     ///< never without one
  elsewhere,  ///< on any machine but this one
  never,      ///< it is sent where there is one
};

/// A header whose value is in a variable of the user's. It is no secret, and is not sent to a URL
/// that stands in a suite.
struct UserHeader {
  std::string_view name;      ///< of the header
  std::string_view variable;  ///< of the environment
};

/// What `agon describe PROVIDER` prints, and how to call its models.
struct ProviderCard {
  std::string_view id;               ///< unique: "openai"
  std::string_view doc{};            ///< who it is, in a sentence or two
  const WireFormat* wire = nullptr;  ///< how it is spoken to; null for the mock alone
  bool is_mock = false;              ///< answers are made up in process
  std::string_view base_url{};       ///< without a final slash
  /// Answers calls in the place of an endpoint, for a model that is no server: of the body of a
  /// request it makes that of the reply, both as `wire` has them. From any thread. What it throws
  /// is taken for an error of a server. None: `base_url` is called.
  Callback<std::string(std::string_view body)> complete{};
  /// Environment variables with another base URL; the first that is set counts.
  std::span<const std::string_view> url_variables{};
  /// Makes a base URL of such a variable's value; null: it is one.
  std::string (*url_of)(std::string_view value) = nullptr;
  std::string_view key_variable{};        ///< environment variable that holds the key
  std::string_view other_key_variable{};  ///< the same, where the first is not set
  KeyNeed needs_key = KeyNeed::always;    ///< whether calls are made without a key
  std::string_view key_header = "Authorization: Bearer ";  ///< all that stands before the key
  std::span<const std::string_view> headers{};             ///< sent always: "Name: value"
  std::span<const UserHeader> user_headers{};              ///< sent where their variables are set
  ProviderTakes takes{};                                   ///< which settings it knows
  /// Its models see the schema of an answer that goes to the endpoint; else it only holds them to
  /// it, and stands in the prompt too.
  bool shows_schema = false;
  /// Schemas are sent without the bounds of the moment, which then stand in the prompt: the schema
  /// is in front of the dialogue, and one that changes would keep caches from being used.
  bool sends_lean = false;
  /// The same at its own base URL alone, as what answers elsewhere in its format need not show the
  /// schema to the model.
  bool caches_schema = false;
  /// It passes calls on to hosts of its choice, which may serve different versions of a model; this
  /// member of `extra` pins them. Empty: it serves its models itself.
  std::string_view pinned_by{};
  /// Cuts a prompt that is too long without a word, and costs nothing: a long prompt is tried
  /// before a run.
  bool cuts_prompts = false;
};

}  // namespace agon
