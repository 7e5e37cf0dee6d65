#include "llm/wire/call_outcome.hpp"

#include <fmt/format.h>

#include <agon/secrets.hpp>
#include <algorithm>
#include <array>
#include <cctype>

namespace agon::llm {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view p) { return text.find(p) != std::string_view::npos; });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// The members of a request that it can do without.
constexpr std::array<std::string_view, 11> kDroppable{"max_completion_tokens",
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

/// Which member an endpoint complains about: by name, or quoted in the message.
std::string complained_about(const WireError& error, std::string_view message) {
  std::string_view param = error.param;
  if (const std::size_t dot = param.find_first_of(".["); dot != std::string_view::npos)
    param = param.substr(0, dot);
  for (const std::string_view name : kDroppable)
    if (param == name) return std::string(name);
  // Of several the first: the others are what to use instead.
  std::string_view first;
  std::size_t at = std::string_view::npos;
  const auto is_word = [&](char c) {
    return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  };
  for (const std::string_view name : kDroppable)
    for (std::size_t i = message.find(name); i != std::string_view::npos && i < at;
         i = message.find(name, i + 1)) {
      const std::size_t end = i + name.size();
      const char before = i == 0 ? ' ' : message[i - 1];
      const char after = end == message.size() ? ' ' : message[end];
      if (is_word(before) || is_word(after)) continue;
      const bool is_quoted = before == after && (before == '\'' || before == '"' || before == '`');
      // Words such as "stop" stand in any sentence; after a colon they are names.
      const bool is_listed = message.substr(0, i).ends_with(": ");
      if (!is_quoted && !is_listed && name.find('_') == std::string_view::npos) continue;
      at = i;
      first = name;
      break;
    }
  return std::string(first);
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
  const std::string message = lower(error.message);
  const std::string code = lower(error.code);
  const std::string type = lower(error.type);
  const std::string said = error.message.empty() ? error.type : error.message;
  out.problem = status > 0 ? fmt::format("status {}: {}", status, excerpt(said)) : excerpt(said);
  out.retry_after_ms = error.retry_after_ms;

  out.is_plain = !error.is_page && (status < 300 || status >= 400);

  const bool is_money = status == 402 ||
                        is_any(code, {"insufficient_quota", "billing_hard_limit_reached"}) ||
                        type == "insufficient_quota" || type == "billing_error" ||
                        error.detail_code == "enforced_spend_limit_reached" ||
                        has_any(message, {"credit balance is too low", "insufficient credits"});
  if (is_money && !error.is_page) {
    out.sort = Sort::out_of_money;
    return out;
  }

  const bool is_client = status >= 400 && status < 500 && status != 429;
  if (code == "context_length_exceeded" || type == "exceed_context_size_error" || status == 413 ||
      (is_client &&
       (error.param == "input_tokens" ||
        has_any(message, {"prompt is too long", "maximum context length", "context length",
                          "context window", "exceeds the available context size"})))) {
    call.fault = Fault::truncated;
    call.finish = "context_length";
    if (status >= 400) call.usage = {.input = 0, .output = 0};  // it was not even begun
    call.problem = "the prompt does not fit into the model: " + excerpt(said);
    return out;
  }
  if (is_any(code, {"content_filter", "content_policy_violation"}) || type == "content_filter" ||
      (status == 403 && has_any(message, {"moderation", "flagged"}))) {
    call.fault = Fault::refused;
    call.finish = "content_filter";
    if (status >= 400) call.usage = {.input = 0, .output = 0};
    call.problem = "the endpoint refused: " + excerpt(said);
    return out;
  }

  if (code == "json_validate_failed") {
    // The endpoint has read the model's answer in our place.
    call.fault = Fault::unparsable;
    call.finish = "json_validate_failed";
    call.problem = "the answer is not the JSON that was asked for";
    return out;
  }

  if (status == 429 || is_any(code, {"rate_limit_exceeded"}) || type == "rate_limit_error") {
    out.sort = Sort::rate_limited;
    return out;
  }
  if ((status == 503 || status == 0) &&
      (type == "unavailable_error" || has_any(message, {"loading model", "model is loading"}))) {
    out.sort = Sort::loading;
    return out;
  }

  const bool is_unsupported = is_any(code, {"unsupported_parameter", "unsupported_value"});
  const bool speaks_of_support = has_any(
      message, {"unsupported", "not support", "unrecognized", "unknown field", "not permitted",
                "unexpected keyword", "extra inputs", "does not allow", "may not be", "may only be",
                "unknown name", "unknown parameter", "unknown argument", "deprecated"});
  if (is_unsupported || ((status == 400 || status == 422) && speaks_of_support)) {
    out.parameter = complained_about(error, message);
    if (!out.parameter.empty()) {
      out.sort = Sort::unsupported;
      return out;
    }
  }
  if (is_structured && (status == 400 || status == 422 || status == 500 || status == 501) &&
      has_any(message, {"response_format", "json_schema", "json schema", "schema", "grammar",
                        "structured", "tool_choice", "tools", "input_schema"})) {
    out.sort = Sort::unsupported;
    out.parameter = "response_format";
    return out;
  }

  // Some say so with another status.
  if (is_client && has_any(message, {"api key not valid", "invalid api key", "incorrect api key",
                                     "api key expired"}))
    out.status = 401;
  if (out.status == 401 || is_any(code, {"model_not_found", "invalid_api_key"}) || status == 402 ||
      status == 403 || status == 404 || status == 405 || status == 422 ||
      (status >= 300 && status < 400)) {
    out.sort = Sort::configuration;
    return out;
  }
  if (status == 408 || status == 409 || status == 425 || status >= 500 || status < 300) {
    out.sort = Sort::transient;
    return out;
  }
  out.sort = Sort::rejected;
  return out;
}

}  // namespace agon::llm
