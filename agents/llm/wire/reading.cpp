#include "llm/wire/reading.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>

#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/wire/exchange.hpp"

namespace agon::llm {
namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view p) { return text.find(p) != std::string_view::npos; });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// The members of a request that it can do without.
constexpr std::array<std::string_view, 17> kDroppable{"include",
                                                      "top_logprobs",
                                                      "logprobs",
                                                      "n",
                                                      "max_completion_tokens",
                                                      "stream_options",
                                                      "stream",
                                                      "max_tokens",
                                                      "temperature",
                                                      "top_p",
                                                      "seed",
                                                      "stop_sequences",
                                                      "stop",
                                                      "reasoning_effort",
                                                      "response_format",
                                                      "tool_choice",
                                                      "tools"};

/// What Google calls some of them, in lower case.
constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kGoogleNames{
    {{"topp", "top_p"},
     {"stopsequences", "stop_sequences"},
     {"thinkingconfig", "reasoning_effort"},
     {"thinkinglevel", "reasoning_effort"},
     {"thinkingbudget", "reasoning_effort"},
     {"thinking level", "reasoning_effort"},
     {"thinking budget", "reasoning_effort"},
     {"responsemimetype", "response_format"},
     {"responsejsonschema", "response_format"},
     {"responseschema", "response_format"}}};

/// Which member an endpoint complains about: by name, or quoted in the message.
std::string complained_about(const WireError& error, std::string_view message) {
  std::string_view param = error.param;
  if (const std::size_t dot = param.find_first_of(".["); dot != std::string_view::npos)
    param = param.substr(0, dot);
  // As OpenAI's responses call them.
  if (param == "reasoning") return "reasoning_effort";
  if (param == "max_output_tokens") return "max_tokens";
  for (const std::string_view name : kDroppable)
    if (param == name) return std::string(name);
  // Of several the first: the others are what to use instead.
  std::string_view first;
  std::size_t at = std::string_view::npos;
  const auto is_word = [&](char c) { return c == '_' || is_alphanumeric(c); };
  const auto look_for = [&](std::string_view name, std::string_view ours) {
    for (std::size_t i = message.find(name); i != std::string_view::npos && i < at;
         i = message.find(name, i + 1)) {
      const std::size_t end = i + name.size();
      const char before = i == 0 ? ' ' : message[i - 1];
      const char after = end == message.size() ? ' ' : message[end];
      if (is_word(before) || is_word(after)) continue;
      const bool is_quoted = before == after && (before == '\'' || before == '"' || before == '`');
      // Words such as "stop" stand in any sentence; after a colon they are names.
      const bool is_listed = message.substr(0, i).ends_with(": ");
      const bool is_plain =
          name.find_first_of("_ ") == std::string_view::npos && name != "logprobs";
      if (!is_quoted && !is_listed && is_plain) continue;
      at = i;
      first = ours;
      break;
    }
  };
  for (const std::string_view name : kDroppable) look_for(name, name);
  for (const auto& [name, ours] : kGoogleNames) look_for(name, ours);
  return std::string(first);
}

/// Whether an endpoint complains that a system speaks.
bool complains_of_system(const WireError& error, std::string_view message) {
  if (has_any(message, {"only user and assistant roles", "only user and model roles",
                        "roles must alternate user/", "roles should alternate user/"}))
    return true;
  const bool is_named =
      has_any(message, {"system role", "system message", "role 'system'", "role \"system\"",
                        "system prompt", "developer role", "role 'developer'", "system instruction",
                        "developer instruction", "role: system"}) ||
      (error.param.ends_with(".role") && has_any(message, {"system", "developer"}));
  return is_named && has_any(message, {"not support", "unsupported", "not allowed", "not enabled",
                                       "not permitted", "invalid role", "unknown role"});
}

}  // namespace

std::string excerpt(std::string_view text, std::size_t length) {
  std::string out;
  // Before it is shortened: half a key would not be known for one.
  for (const char c : secrets::cut(std::string(text))) {
    if (out.size() >= length) {
      // Not through the middle of a character.
      while (!out.empty() && (static_cast<unsigned char>(out.back()) & 0xC0U) == 0x80U)
        out.pop_back();
      if (!out.empty() && static_cast<unsigned char>(out.back()) >= 0x80U) out.pop_back();
      return out + "...";
    }
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= ' ' && byte != 0x7F)
      out += c;
    else if (!out.empty() && out.back() != ' ')
      out += ' ';
  }
  return out;
}

CallOutcome classify(int status, const WireError& error, bool is_structured, ModelCall& call) {
  CallOutcome out;
  out.status = status;
  const std::string message = lower_case(error.message);
  const std::string code = lower_case(error.code);
  const std::string type = lower_case(error.type);
  const std::string said = error.message.empty() ? error.type : error.message;
  out.problem = status > 0 ? fmt::format("status {}: {}", status, excerpt(said)) : excerpt(said);
  out.retry_after_ms = error.retry_after_ms;

  out.is_plain = !error.is_page && (status < 300 || status >= 400);
  const auto is = [&](Sort sort) {
    out.sort = sort;
    return out;
  };
  const auto is_answer = [&](Fault fault, std::string_view finish, std::string problem) {
    call.fault = fault;
    call.finish = finish;
    call.problem = std::move(problem);
    return out;
  };

  const bool is_money = status == 402 ||
                        is_any(code, {"insufficient_quota", "billing_hard_limit_reached"}) ||
                        type == "insufficient_quota" || type == "billing_error" ||
                        error.detail_code == "enforced_spend_limit_reached" ||
                        has_any(message, {"credit balance is too low", "insufficient credits"});
  if (is_money && !error.is_page) return is(Sort::out_of_money);

  const bool is_client = status >= 400 && status < 500 && status != 429;
  if (code == "context_length_exceeded" || type == "exceed_context_size_error" || status == 413 ||
      (is_client &&
       (error.param == "input_tokens" ||
        has_any(message, {"prompt is too long", "maximum context length", "context length",
                          "context window", "exceeds the available context size",
                          "exceeds the maximum number of tokens allowed"})))) {
    if (status >= 400) call.usage = {.input = 0, .output = 0};  // it was not even begun
    return is_answer(Fault::truncated, "context_length",
                     "the prompt does not fit into the model: " + excerpt(said));
  }
  if (is_any(code, {"content_filter", "content_policy_violation"}) || type == "content_filter" ||
      (status == 403 && has_any(message, {"moderation", "flagged"}))) {
    if (status >= 400) call.usage = {.input = 0, .output = 0};
    return is_answer(Fault::refused, "content_filter", "the endpoint refused: " + excerpt(said));
  }

  // The endpoint has read the model's answer in our place.
  if (code == "json_validate_failed")
    return is_answer(Fault::unparsable, code, "the answer is not the JSON that was asked for");

  if (status == 429 || code == "rate_limit_exceeded" || type == "rate_limit_error")
    return is(Sort::rate_limited);
  if ((status == 503 || status == 0) &&
      (type == "unavailable_error" || has_any(message, {"loading model", "model is loading"})))
    return is(Sort::loading);

  // As templates of Gemma and of early Mistral models, and OpenAI's o1, say it.
  if (complains_of_system(error, message) && (is_client || status == 500 || status == 0)) {
    out.parameter = kSystemRole;
    return is(Sort::unsupported);
  }
  const bool is_unsupported = is_any(code, {"unsupported_parameter", "unsupported_value"});
  const bool speaks_of_support = has_any(
      message, {"unsupported", "not support", "unrecognized", "unknown field", "not permitted",
                "unexpected keyword", "extra inputs", "does not allow", "may not be", "may only be",
                "unknown name", "unknown parameter", "unknown argument", "deprecated"});
  if (is_unsupported || ((status == 400 || status == 422) && speaks_of_support)) {
    out.parameter = complained_about(error, message);
    if (!out.parameter.empty()) return is(Sort::unsupported);
  }
  if (is_structured && (status == 400 || status == 422 || status == 500 || status == 501) &&
      has_any(message, {"response_format", "json_schema", "json schema", "schema", "grammar",
                        "structured", "tool_choice", "tools", "input_schema"})) {
    out.parameter = "response_format";
    return is(Sort::unsupported);
  }

  // Some say so with another status.
  if (is_client && (error.detail_code == "API_KEY_INVALID" ||
                    has_any(message, {"api key not valid", "invalid api key", "incorrect api key",
                                      "api key expired", "api key not found"})))
    out.status = 401;
  if (out.status == 401 || is_any(code, {"model_not_found", "invalid_api_key"}) || status == 402 ||
      status == 403 || status == 404 || status == 405 || status == 422 ||
      (status >= 300 && status < 400))
    return is(Sort::configuration);
  const bool may_pass =
      status == 408 || status == 409 || status == 425 || status >= 500 || status < 300;
  return is(may_pass ? Sort::transient : Sort::rejected);
}

}  // namespace agon::llm

namespace agon::llm::wire {
namespace bj = boost::json;

/// No call takes more tokens. What an endpoint makes up must not push sums beyond 64 bits.
constexpr double kMostCount = 1e9;

const bj::value* value_at(const bj::object& object, std::string_view name) {
  const bj::value* found = object.if_contains(name);
  return found == nullptr || found->is_null() ? nullptr : found;
}

std::string text_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

std::int64_t count_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  if (found == nullptr || !found->is_number()) return -1;
  const double count = found->to_number<double>();
  return count >= 0 && count <= kMostCount ? static_cast<std::int64_t>(count) : -1;
}

const bj::object* object_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  return found != nullptr && found->is_object() ? &found->get_object() : nullptr;
}

std::vector<const bj::object*> entries_at(const bj::object& object, std::string_view name) {
  std::vector<const bj::object*> entries;
  const bj::value* found = value_at(object, name);
  if (found != nullptr && found->is_array())
    for (const bj::value& entry : found->get_array())
      if (entry.is_object()) entries.push_back(&entry.get_object());
  return entries;
}

const bj::object* first_at(const bj::object& object, std::string_view name) {
  const bj::value* found = value_at(object, name);
  if (found == nullptr || !found->is_array() || found->get_array().empty()) return nullptr;
  return found->get_array()[0].if_object();
}

std::string words_at(const bj::object& object, std::string_view name) {
  std::string text = text_at(object, name);
  for (const bj::object* part : entries_at(object, name)) text += text_at(*part, "text");
  return text;
}

bool is_plain(std::string_view name) {
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return c == '-' || c == '_' || is_alphanumeric(c); });
}

namespace {

bj::value parse_reply(std::string_view reply, boost::system::error_code& code,
                      std::size_t deepest) {
  constexpr std::size_t kLargestBlock = 1U << 16U;
  bj::parse_options options;
  options.max_depth = deepest;
  return bj::parse(bj::string_view(reply.data(), reply.size()), code,
                   bj::make_shared_resource<bj::monotonic_resource>(
                       std::min(2 * reply.size() + 512, kLargestBlock)),
                   options);
}

}  // namespace

std::optional<bj::object> object_in(std::string_view text, std::size_t deepest) {
  boost::system::error_code code;
  bj::value value = parse_reply(text, code, deepest);
  if (code || !value.is_object()) return std::nullopt;
  return std::move(value.get_object());
}

bj::object object_of(std::string_view reply) {
  std::optional<bj::object> read = object_in(reply);
  if (!read) throw Error(ErrorKind::invalid, "the reply is not a JSON object");
  return *std::move(read);
}

std::optional<bj::object> body_of(const HttpReply& reply, CallOutcome& outcome, ModelCall& call) {
  boost::system::error_code code;
  bj::value value = parse_reply(reply.body, code, kDeepest);
  // Some gateways put the one error that there is into a list.
  if (!code && value.is_array() && reply.status >= 300 && value.get_array().size() == 1) {
    bj::value only = std::move(value.get_array().front());
    value = std::move(only);
  }
  if (!code && value.is_object()) return std::move(value.get_object());

  const bool is_html = trimmed(reply.body).starts_with('<');
  if (reply.status >= 300) {
    // Gateways speak HTML; the status says enough.
    outcome = classify(reply.status,
                       {.message = is_html ? "a page of HTML" : reply.body, .is_page = true}, false,
                       call);
    return {};
  }
  outcome.status = reply.status;
  if (is_html) {
    outcome.sort = Sort::configuration;
    outcome.is_plain = false;
    outcome.problem = "the reply is a page of HTML, not JSON: the URL is not that of an API";
  } else {
    outcome.sort = Sort::transient;
    outcome.problem = reply.body.empty() ? "the reply is empty"
                                         : "the reply is not JSON: " + excerpt(reply.body, 80);
  }
  return {};
}

namespace {

/// What a server that validates requests lists: of each complaint the text, and of the first which
/// member of the body it is about.
void read_complaints(const std::vector<const bj::object*>& list, WireError& error) {
  for (const bj::object* complaint : list) {
    const bj::value* place = value_at(*complaint, "loc");
    std::string member;
    if (place != nullptr && place->is_array())
      for (const bj::value& step : place->get_array())
        if (member.empty() && step.is_string() && step.get_string() != "body")
          member = std::string(step.get_string());
    if (error.param.empty()) error.param = member;
    error.message += (error.message.empty() ? "" : "; ") + (member.empty() ? "" : member + ": ") +
                     text_at(*complaint, "msg");
  }
}

/// A message that is a text, or that holds the list of what is wrong with the request.
void read_message(const bj::object& o, std::string_view name, WireError& error) {
  const bj::value* message = value_at(o, name);
  if (message == nullptr || !error.message.empty()) return;
  if (message->is_string()) error.message = std::string(message->get_string());
  if (message->is_array()) read_complaints(entries_at(o, name), error);
  if (message->is_object()) read_message(message->get_object(), "detail", error);
}

/// What a router was told by the endpoint behind it: its own message says no more than that.
void read_behind(const bj::object& error_object, WireError& error) {
  const bj::object* metadata = object_at(error_object, "metadata");
  const std::string raw = metadata == nullptr ? std::string() : text_at(*metadata, "raw");
  if (raw.empty()) return;
  boost::system::error_code code;
  const bj::value value = bj::parse(raw, code);
  std::string said = raw;
  if (!code && value.is_object())
    if (const auto behind = error_in(value.get_object(), 400); behind && !behind->message.empty()) {
      said = behind->message;
      if (error.param.empty()) error.param = behind->param;
      if (error.type.empty()) error.type = behind->type;
      // The router's own code is the status.
      if (!behind->code.empty() &&
          behind->code.find_first_not_of("0123456789") != std::string::npos)
        error.code = behind->code;
    }
  error.message += (error.message.empty() ? "" : ": ") + said;
}

/// The details of an error: a list as Google has it, with `"retryDelay": "3s"` in one and
/// `"reason": "API_KEY_INVALID"` in another, or an object.
void read_details(const bj::object& error_object, WireError& error) {
  if (const bj::object* details = object_at(error_object, "details"))
    error.detail_code = text_at(*details, "error_code");
  for (const bj::object* detail : entries_at(error_object, "details")) {
    const std::string delay = text_at(*detail, "retryDelay");
    if (!delay.empty() && !error.retry_after_ms) error.retry_after_ms = duration_ms(delay);
    if (error.detail_code.empty()) error.detail_code = text_at(*detail, "reason");
  }
}

}  // namespace

bool says_nothing(ModelCall& call) {
  split_thought(call.text, call.reasoning);
  return trimmed(call.text).empty() || is_open_thought(call.text);
}

std::string json_at(std::string_view reply, std::string_view member) {
  try {
    return JsonDocument(std::string(reply), "").root()[member].write();
  } catch (const Error&) {
    return {};
  }
}

void set_fault(ModelCall& call, const std::string& refusal, std::string_view cut) {
  if (!refusal.empty()) {
    call.fault = Fault::refused;
    call.problem = "an answer was refused: " + excerpt(refusal);
  } else if (call.finish == "content_filter") {
    call.fault = Fault::refused;
    call.problem = "the endpoint's filter held the answer back";
  } else if (call.finish == cut) {
    call.fault = Fault::truncated;
  }
}

std::optional<WireError> error_in(const bj::object& body, int status) {
  const bj::value* found = value_at(body, "error");
  if (found == nullptr) {
    if (status < 400 && text_at(body, "object") != "error" && text_at(body, "type") != "error")
      return {};
    // The error is the body itself, as older servers have it.
    WireError error{.type = text_at(body, "type"),
                    .code = text_at(body, "code"),
                    .param = text_at(body, "param")};
    read_message(body, "message", error);
    read_message(body, "detail", error);
    return error;
  }
  WireError error;
  if (found->is_string()) {
    error.message = std::string(found->get_string());
    return error;
  }
  if (!found->is_object()) {
    error.message = "an error without a text";
    return error;
  }
  const bj::object& o = found->get_object();
  error.type = text_at(o, "type");
  error.code = text_at(o, "code");
  if (const std::int64_t number = count_at(o, "code"); number >= 0)
    error.code = fmt::format("{}", number);
  error.param = text_at(o, "param");
  read_message(o, "message", error);
  read_behind(o, error);
  read_details(o, error);
  return error;
}

int status_of(const HttpReply& reply, const WireError& error) {
  if (reply.status >= 300) return reply.status;
  int code = 0;
  const char* end = error.code.data() + error.code.size();
  if (std::from_chars(error.code.data(), end, code).ptr == end && code >= 400 && code < 600)
    return code;
  return 0;
}

void read_openai_account(const bj::object& body, ModelCall& call) {
  call.served_model = text_at(body, "model");
  call.fingerprint = text_at(body, "system_fingerprint");
  // A router says who served the call; that is part of which system it was.
  if (const std::string routed = text_at(body, "provider"); !routed.empty())
    call.fingerprint += (call.fingerprint.empty() ? "" : " ") + ("provider:" + routed);
  if (call.request_id.empty()) call.request_id = text_at(body, "id");
  const bj::object* usage = object_at(body, "usage");
  if (usage == nullptr) return;
  const auto first_of = [&](std::string_view a, std::string_view b) {
    const std::int64_t n = count_at(*usage, a);
    return n >= 0 ? n : count_at(*usage, b);
  };
  call.usage.input = first_of("prompt_tokens", "input_tokens");
  call.usage.output = first_of("completion_tokens", "output_tokens");
  // Some leave what the model thought out of its output, and count it in the total alone.
  if (const std::int64_t total = count_at(*usage, "total_tokens");
      call.usage.input >= 0 && call.usage.output >= 0)
    call.usage.output = std::max(call.usage.output, total - call.usage.input);
  for (const std::string_view name : {"prompt_tokens_details", "input_tokens_details"})
    if (const bj::object* details = object_at(*usage, name))
      call.usage.cached = count_at(*details, "cached_tokens");
  for (const std::string_view name : {"completion_tokens_details", "output_tokens_details"})
    if (const bj::object* details = object_at(*usage, name))
      call.usage.thought = count_at(*details, "reasoning_tokens");
  if (const bj::value* cost = value_at(*usage, "cost"); cost != nullptr && cost->is_number()) {
    const double dollars = cost->to_number<double>();
    if (dollars >= 0 && dollars < 1e9) call.provider_cost = std::llround(dollars * 1e9);
  }
}

}  // namespace agon::llm::wire
