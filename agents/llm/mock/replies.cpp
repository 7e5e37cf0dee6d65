#include <fmt/format.h>

#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "llm/mock/server.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

namespace bj = boost::json;
using namespace wire;

std::string content_of(const bj::object& message) {
  const bj::value* content = value_at(message, "content");
  if (content == nullptr) return {};
  if (content->is_string()) return std::string(content->get_string());
  std::string text;
  if (content->is_array())
    for (const bj::value& part : content->get_array())
      if (part.is_object()) text += text_at(part.get_object(), "text");
  return text;
}

/// The schema of structured output: under response_format, or that of the tool for answers; and the
/// tools beside it.
void read_schema(const bj::object& body, ParsedCall& call) {
  if (const bj::object* format = object_at(body, "response_format")) {
    const bj::object* named = object_at(*format, "json_schema");
    const bj::value* schema = value_at(named != nullptr ? *named : *format, "schema");
    if (schema != nullptr) call.schema = bj::serialize(*schema);
  }
  const bj::value* tools = value_at(body, "tools");
  if (tools == nullptr || !tools->is_array()) return;
  for (const bj::value& entry : tools->get_array()) {
    if (!entry.is_object()) continue;
    const bj::object* function = object_at(entry.get_object(), "function");
    const bj::object& tool = function == nullptr ? entry.get_object() : *function;
    const bj::value* schema = value_at(tool, function == nullptr ? "input_schema" : "parameters");
    if (schema == nullptr) continue;
    if (text_at(tool, "name") == "answer") {
      call.schema = bj::serialize(*schema);
      call.is_tool = true;
    } else {
      call.tools.push_back(
          {text_at(tool, "name"), text_at(tool, "description"), bj::serialize(*schema)});
    }
  }
  const bj::object* choice = object_at(body, "tool_choice");
  const std::string chosen =
      choice == nullptr ? text_at(body, "tool_choice") : text_at(*choice, "type");
  if (chosen == "none" || chosen == "tool") call.tools.clear();
}

void write_usage(JsonWriter& w, const ParsedCall& call, const TokenUsage& usage) {
  w.name("usage").open_object();
  if (call.wire == Spoken::anthropic) {
    w.name("input_tokens").number(usage.input).name("output_tokens").number(usage.output);
    w.name("cache_creation_input_tokens").number(0).name("cache_read_input_tokens").number(0);
  } else {
    w.name("prompt_tokens").number(usage.input).name("completion_tokens").number(usage.output);
    w.name("total_tokens").number(usage.input + usage.output);
    w.name("prompt_tokens_details").open_object().name("cached_tokens").number(0).close_object();
    w.name("completion_tokens_details").open_object();
    w.name("reasoning_tokens").number(usage.thought).close_object();
  }
  w.close_object();
}

std::string openai_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  JsonWriter w;
  w.open_object().name("id").text(fmt::format("chatcmpl-{}", number));
  w.name("object").text("chat.completion").name("model").text(call.model);
  w.name("system_fingerprint").text("fp_mock");
  w.name("choices").open_list().open_object().name("index").number(0);
  w.name("message").open_object().name("role").text("assistant");
  if (!speech.calls.empty()) {
    w.name("content").null().name("tool_calls").open_list();
    for (const ToolCall& tool : speech.calls) {
      w.open_object().name("id").text(tool.id).name("type").text("function");
      w.name("function").open_object().name("name").text(tool.name);
      w.name("arguments").text(tool.arguments).close_object().close_object();
    }
    w.close_list();
  } else if (speech.fate == Fate::refused)
    w.name("content").null().name("refusal").text(speech.text);
  else
    w.name("content").text(speech.text);
  w.close_object();
  w.name("finish_reason")
      .text(speech.fate == Fate::truncated ? "length"
            : speech.calls.empty()         ? "stop"
                                           : "tool_calls");
  w.close_object().close_list();
  write_usage(w, call, speech.usage);
  return w.close_object().take();
}

std::string completion_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  JsonWriter w;
  w.open_object().name("id").text(fmt::format("cmpl-{}", number));
  w.name("object").text("text_completion").name("model").text(call.model);
  w.name("choices").open_list().open_object().name("index").number(0);
  w.name("text").text(" " + speech.text);
  w.name("finish_reason").text(speech.fate == Fate::truncated ? "length" : "stop");
  w.close_object().close_list();
  write_usage(w, call, speech.usage);
  return w.close_object().take();
}

std::string anthropic_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  boost::system::error_code code;
  const bool speaks = speech.fate != Fate::refused && speech.fate != Fate::empty;
  const bool is_object = speaks && bj::parse(speech.text, code).is_object() && !code;
  const bool by_tool = call.is_tool && is_object;
  JsonWriter w;
  w.open_object().name("id").text(fmt::format("msg_{}", number)).name("type").text("message");
  w.name("role").text("assistant").name("model").text(call.model);
  w.name("content").open_list();
  for (const ToolCall& tool : speech.calls) {
    w.open_object().name("type").text("tool_use").name("id").text(tool.id);
    w.name("name").text(tool.name).name("input").json(tool.arguments).close_object();
  }
  if (!speech.calls.empty()) {
    // No text beside them.
  } else if (by_tool) {
    w.open_object().name("type").text("tool_use").name("id").text(fmt::format("toolu_{}", number));
    w.name("name").text("answer").name("input").json(speech.text).close_object();
  } else if (speech.fate != Fate::empty) {
    w.open_object().name("type").text("text").name("text").text(speech.text).close_object();
  }
  w.close_list();
  w.name("stop_reason")
      .text(speech.fate == Fate::refused       ? "refusal"
            : speech.fate == Fate::truncated   ? "max_tokens"
            : by_tool || !speech.calls.empty() ? "tool_use"
                                               : "end_turn");
  write_usage(w, call, speech.usage);
  return w.close_object().take();
}

}  // namespace

std::string_view name_of(Fate fate) {
  switch (fate) {
    case Fate::answered:
      return "answered";
    case Fate::rate_limited:
      return "rate_limited";
    case Fate::rate_limited_plain:
      return "rate_limited_plain";
    case Fate::server_error:
      return "server_error";
    case Fate::hang:
      return "hang";
    case Fate::cut:
      return "cut";
    case Fate::truncated:
      return "truncated";
    case Fate::refused:
      return "refused";
    case Fate::malformed:
      return "malformed";
    case Fate::illegal:
      return "illegal";
    case Fate::empty:
      return "empty";
  }
  return "";
}

std::optional<ParsedCall> parse_call(Spoken wire, std::string_view body) {
  boost::system::error_code code;
  bj::parse_options options;
  options.max_depth = 64;
  const bj::value value = bj::parse(bj::string_view(body.data(), body.size()), code, {}, options);
  if (code || !value.is_object()) return {};
  const bj::object& o = value.get_object();
  ParsedCall call;
  call.wire = wire;
  call.model = text_at(o, "model");
  if (const std::string system = text_at(o, "system"); !system.empty())
    call.messages.push_back({"system", system});
  if (wire == Spoken::completions) {
    const bj::value* prompt = value_at(o, "prompt");
    if (prompt == nullptr || !prompt->is_string()) return {};
    call.messages.push_back({"user", std::string(prompt->get_string())});
  } else {
    const bj::value* messages = value_at(o, "messages");
    if (messages == nullptr || !messages->is_array()) return {};
    for (const bj::value& m : messages->get_array())
      if (m.is_object())
        call.messages.push_back({text_at(m.get_object(), "role"), content_of(m.get_object())});
  }
  for (const std::string_view name : {"max_tokens", "max_completion_tokens"})
    call.max_tokens = std::max(call.max_tokens, count_at(o, name));
  read_schema(o, call);
  return call;
}

CannedReply error_reply(Spoken wire, int status, std::string_view type, std::string_view code,
                        std::string_view message) {
  JsonWriter w;
  const bool is_anthropic = wire == Spoken::anthropic;
  w.open_object();
  if (is_anthropic) w.name("type").text("error");
  w.name("error").open_object().name("type").text(type).name("message").text(message);
  if (!is_anthropic) {
    if (code.empty())
      w.name("code").null();
    else
      w.name("code").text(code);
  }
  w.close_object();
  return {.status = status, .body = w.close_object().take()};
}

CannedReply reply_to(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  CannedReply reply;
  const bool is_anthropic = call.wire == Spoken::anthropic;
  switch (speech.fate) {
    case Fate::rate_limited:
    case Fate::rate_limited_plain:
      reply = error_reply(call.wire, 429, is_anthropic ? "rate_limit_error" : "requests",
                          "rate_limit_exceeded", "too many requests");
      if (speech.fate == Fate::rate_limited) reply.headers.emplace_back("Retry-After", "1");
      break;
    case Fate::server_error:
      reply = error_reply(call.wire, 500, is_anthropic ? "api_error" : "server_error", "",
                          "the mock failed as it was told to");
      break;
    default:
      reply.body = is_anthropic                       ? anthropic_body(call, speech, number)
                   : call.wire == Spoken::completions ? completion_body(call, speech, number)
                                                      : openai_body(call, speech, number);
  }
  reply.hangs = speech.fate == Fate::hang;
  reply.is_cut = speech.fate == Fate::cut;
  reply.latency_ms = speech.latency_ms;
  reply.headers.emplace_back(is_anthropic ? "request-id" : "x-request-id",
                             fmt::format("req_{}", number));
  return reply;
}

}  // namespace agon::llm::mock
