#include "llm/wire/reading.hpp"

#include <fmt/format.h>

#include <agon/error.hpp>
#include <boost/json/array.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <cmath>

#include "llm/answer/thought.hpp"
#include "llm/answer/words.hpp"
#include "llm/wire/exchange.hpp"

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

namespace {

bj::value parse_reply(std::string_view reply, boost::system::error_code& code) {
  bj::parse_options options;
  options.max_depth = 128;
  return bj::parse(bj::string_view(reply.data(), reply.size()), code,
                   bj::make_shared_resource<bj::monotonic_resource>(), options);
}

}  // namespace

bj::object object_of(std::string_view reply) {
  boost::system::error_code code;
  bj::value value = parse_reply(reply, code);
  if (code || !value.is_object()) throw Error(ErrorKind::invalid, "the reply is not a JSON object");
  return std::move(value.get_object());
}

std::optional<bj::object> body_of(const HttpReply& reply, CallOutcome& outcome, ModelCall& call) {
  boost::system::error_code code;
  bj::value value = parse_reply(reply.body, code);
  // Some gateways put the one error that there is into a list.
  if (!code && value.is_array() && reply.status >= 300 && value.get_array().size() == 1) {
    bj::value only = std::move(value.get_array().front());
    value = std::move(only);
  }
  if (!code && value.is_object()) return std::move(value.get_object());

  const std::size_t begin = reply.body.find_first_not_of(" \t\r\n");
  const bool is_html = begin != std::string::npos && reply.body[begin] == '<';
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
void read_complaints(const bj::array& list, WireError& error) {
  for (const bj::value& entry : list) {
    if (!entry.is_object()) continue;
    const bj::object& complaint = entry.get_object();
    const bj::value* place = value_at(complaint, "loc");
    std::string member;
    if (place != nullptr && place->is_array())
      for (const bj::value& step : place->get_array())
        if (member.empty() && step.is_string() && step.get_string() != "body")
          member = std::string(step.get_string());
    if (error.param.empty()) error.param = member;
    error.message += (error.message.empty() ? "" : "; ") + (member.empty() ? "" : member + ": ") +
                     text_at(complaint, "msg");
  }
}

/// A message that is a text, or that holds the list of what is wrong with the request.
void read_message(const bj::object& o, std::string_view name, WireError& error) {
  const bj::value* message = value_at(o, name);
  if (message == nullptr || !error.message.empty()) return;
  if (message->is_string()) error.message = std::string(message->get_string());
  if (message->is_array()) read_complaints(message->get_array(), error);
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

/// `"retryDelay": "3s"` among the details of an error, in milliseconds.
std::optional<double> retry_delay_in(const bj::object& error_object) {
  const bj::value* details = value_at(error_object, "details");
  if (details == nullptr || !details->is_array()) return {};
  for (const bj::value& detail : details->get_array()) {
    if (!detail.is_object()) continue;
    const std::string delay = text_at(detail.get_object(), "retryDelay");
    if (!delay.empty()) return duration_ms(delay);
  }
  return {};
}

}  // namespace

bool says_nothing(ModelCall& call) {
  split_thought(call.text, call.reasoning);
  return trimmed(call.text).empty() || is_open_thought(call.text);
}

ToolResult tool_result_in(std::string_view text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  return {std::string(text.substr(0, end)),
          std::string(text.substr(std::min(end + 1, text.size())))};
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
  error.retry_after_ms = retry_delay_in(o);
  if (const bj::object* details = object_at(o, "details"))
    error.detail_code = text_at(*details, "error_code");
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
