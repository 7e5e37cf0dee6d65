#include <fmt/format.h>

#include <agon/json_writer.hpp>
#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "llm/mock/server.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm::mock {
namespace {

namespace bj = boost::json;
using namespace wire;

/// The schema of structured output: in the format, or that of the tool for answers; and the tools
/// beside it.
void read_schema(const bj::object& body, ParsedCall& call) {
  if (const bj::object* format = object_at(body, "response_format")) {
    const bj::object* named = object_at(*format, "json_schema");
    const bj::value* schema = value_at(named != nullptr ? *named : *format, "schema");
    if (schema != nullptr) call.schema = bj::serialize(*schema);
  }
  // Of OpenAI's responses, and of Anthropic's models that think.
  for (const char* place : {"text", "output_config"})
    if (const bj::object* output = object_at(body, place))
      if (const bj::object* format = object_at(*output, "format"))
        if (const bj::value* schema = value_at(*format, "schema"))
          call.schema = bj::serialize(*schema);
  for (const bj::object* entry : entries_at(body, "tools")) {
    const bj::object* function = object_at(*entry, "function");
    const bj::object& tool = function == nullptr ? *entry : *function;
    const bj::value* schema = value_at(tool, "parameters");
    if (schema == nullptr) schema = value_at(tool, "input_schema");
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

/// The answers that a call asked for.
std::vector<WireChoice> asked_choices(const ParsedCall& call, const Speech& speech) {
  std::vector<WireChoice> all = choices_of(speech);
  all.resize(static_cast<std::size_t>(call.choices), all.front());
  return all;
}

double logarithm(double probability) {
  return std::max(-9999.0, std::log(probability));
}

/// The log-probabilities of an answer, in the form of chats or of completions.
void write_logprobs(JsonWriter& w, const ParsedCall& call, const WireChoice& choice) {
  if (call.likely == 0) return;
  const WireToken& token = choice.tokens.front();
  const std::size_t n = std::min(token.likely.size(), static_cast<std::size_t>(call.likely));
  const bool is_chat = call.wire == Spoken::chat;
  const std::string blank = is_chat ? "" : " ";
  w.name("logprobs").open_object();
  if (is_chat)
    w.name("content").open_list().open_object().name("token").text(token.text).name("logprob");
  else
    w.name("tokens")
        .open_list()
        .text(blank + token.text)
        .close_list()
        .name("token_logprobs")
        .open_list();
  w.number(logarithm(token.probability));
  if (!is_chat) w.close_list();
  w.name("top_logprobs").open_list();
  if (!is_chat) w.open_object();
  for (std::size_t i = 0; i < n; ++i) {
    const auto& [text, probability] = token.likely[i];
    if (is_chat)
      w.open_object()
          .name("token")
          .text(text)
          .name("logprob")
          .number(logarithm(probability))
          .close_object();
    else
      w.name(blank + text).number(logarithm(probability));
  }
  if (!is_chat) w.close_object();
  w.close_list();
  if (is_chat) w.close_object().close_list();
  w.close_object();
}

/// The message of a chat.
void write_message(JsonWriter& w, const Speech& speech, const std::string& text) {
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
    w.name("content").null().name("refusal").text(text);
  else
    w.name("content").text(text);
  w.close_object();
}

/// Of chats and of completions.
std::string openai_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  const bool is_chat = call.wire == Spoken::chat;
  JsonWriter w;
  w.open_object().name("id").text(fmt::format("{}-{}", is_chat ? "chatcmpl" : "cmpl", number));
  w.name("object").text(is_chat ? "chat.completion" : "text_completion");
  w.name("model").text(call.model);
  if (is_chat) w.name("system_fingerprint").text("fp_mock");
  w.name("choices").open_list();
  std::int64_t index = 0;
  for (const WireChoice& choice : asked_choices(call, speech)) {
    w.open_object().name("index").number(index++);
    if (is_chat)
      write_message(w, speech, choice.text);
    else
      w.name("text").text(" " + choice.text);
    write_logprobs(w, call, choice);
    w.name("finish_reason")
        .text(speech.fate == Fate::truncated     ? "length"
              : is_chat && !speech.calls.empty() ? "tool_calls"
                                                 : "stop");
    w.close_object();
  }
  w.close_list();
  write_usage(w, call, speech.usage);
  return w.close_object().take();
}

std::string responses_body(const ParsedCall& call, const Speech& speech, std::uint64_t number) {
  const bool is_cut = speech.fate == Fate::truncated;
  JsonWriter w;
  w.open_object().name("id").text(fmt::format("resp_{}", number)).name("object").text("response");
  w.name("model").text(call.model).name("status").text(is_cut ? "incomplete" : "completed");
  w.name("error").null().name("incomplete_details");
  if (is_cut)
    w.open_object().name("reason").text("max_output_tokens").close_object();
  else
    w.null();
  w.name("output").open_list();
  for (const ToolCall& tool : speech.calls) {
    w.open_object().name("type").text("function_call").name("id").text("fc_" + tool.id);
    w.name("call_id").text(tool.id).name("name").text(tool.name);
    w.name("arguments").text(tool.arguments).close_object();
  }
  if (speech.calls.empty() && speech.fate != Fate::empty) {
    const bool is_refused = speech.fate == Fate::refused;
    w.open_object().name("type").text("message").name("role").text("assistant");
    w.name("content").open_list().open_object();
    w.name("type").text(is_refused ? "refusal" : "output_text");
    w.name(is_refused ? "refusal" : "text").text(speech.text);
    w.close_object().close_list().close_object();
  }
  w.close_list();
  w.name("usage").open_object().name("input_tokens").number(speech.usage.input);
  w.name("output_tokens").number(speech.usage.output).name("output_tokens_details").open_object();
  w.name("reasoning_tokens").number(speech.usage.thought).close_object().close_object();
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

void add_event(std::string& stream, const bj::value& data, std::string_view name = {}) {
  if (!name.empty()) stream.append("event: ").append(name).append("\n");
  stream += "data: " + bj::serialize(data) + "\n\n";
}

/// A reply of OpenAI's formats in chunks.
std::string chunk_stream(std::string_view body) {
  bj::object whole = bj::parse(bj::string_view(body.data(), body.size())).as_object();
  bj::object choice = whole["choices"].as_array()[0].as_object();
  const bj::value usage = whole["usage"];
  whole.erase("usage");
  std::string stream;
  const auto add = [&](bj::object piece, const bj::value& finish = nullptr) {
    piece["index"] = 0;
    piece["finish_reason"] = finish;
    bj::object chunk = whole;
    chunk["choices"] = bj::array{std::move(piece)};
    add_event(stream, chunk);
  };
  const bj::object message =
      choice.contains("message") ? choice["message"].as_object() : bj::object();
  if (choice.contains("text"))
    for (const std::string_view piece : pieces_of(choice["text"].as_string()))
      add(bj::object{{"text", piece}});
  for (const auto& member : message) {
    if (member.value().is_string())
      for (const std::string_view piece : pieces_of(member.value().get_string()))
        add({{"delta", bj::object{{member.key(), piece}}}});
    if (!member.value().is_array()) continue;
    std::int64_t index = 0;
    for (bj::value call : member.value().get_array()) {
      bj::object& function = call.as_object()["function"].as_object();
      const std::string arguments(function["arguments"].as_string());
      call.as_object()["index"] = index;
      function["arguments"] = "";
      add({{"delta", bj::object{{"tool_calls", bj::array{call}}}}});
      for (const std::string_view piece : pieces_of(arguments))
        add({{"delta",
              bj::object{{"tool_calls", bj::array{bj::object{
                                            {"index", index},
                                            {"function", bj::object{{"arguments", piece}}}}}}}}});
      ++index;
    }
  }
  add({{"delta", bj::object()}}, choice["finish_reason"]);
  whole["choices"] = bj::array();
  whole["usage"] = usage;
  add_event(stream, whole);
  return stream + "data: [DONE]\n\n";
}

/// A reply of Anthropic's in blocks.
std::string block_stream(std::string_view body) {
  bj::object whole = bj::parse(bj::string_view(body.data(), body.size())).as_object();
  const bj::array content = whole["content"].as_array();
  const bj::value stop = whole["stop_reason"];
  bj::object start = whole;
  start["content"] = bj::array();
  start["stop_reason"] = nullptr;
  std::string stream;
  add_event(stream, bj::object{{"type", "message_start"}, {"message", start}}, "message_start");
  std::int64_t index = 0;
  for (bj::value block : content) {
    const bool is_text = text_at(block.as_object(), "type") == "text";
    const std::string all =
        is_text ? text_at(block.as_object(), "text") : bj::serialize(block.as_object()["input"]);
    if (is_text)
      block.as_object()["text"] = "";
    else
      block.as_object()["input"] = bj::object();
    add_event(
        stream,
        bj::object{{"type", "content_block_start"}, {"index", index}, {"content_block", block}},
        "content_block_start");
    for (const std::string_view piece : pieces_of(all)) {
      bj::object delta{{"type", is_text ? "text_delta" : "input_json_delta"},
                       {is_text ? "text" : "partial_json", piece}};
      add_event(stream,
                bj::object{
                    {"type", "content_block_delta"}, {"index", index}, {"delta", std::move(delta)}},
                "content_block_delta");
    }
    add_event(stream, bj::object{{"type", "content_block_stop"}, {"index", index++}},
              "content_block_stop");
  }
  add_event(stream,
            bj::object{{"type", "message_delta"},
                       {"delta", bj::object{{"stop_reason", stop}}},
                       {"usage", whole["usage"]}},
            "message_delta");
  add_event(stream, bj::object{{"type", "message_stop"}}, "message_stop");
  return stream;
}

/// A reply of OpenAI's responses: what comes before its end is passed over by everybody.
std::string last_event_stream(const std::string& body) {
  return "event: response.created\ndata: {\"type\":\"response.created\"}\n\n"
         "event: response.completed\ndata: {\"type\":\"response.completed\",\"response\":" +
         body + "}\n\n";
}

}  // namespace

std::vector<std::string_view> pieces_of(std::string_view text) {
  constexpr std::size_t kLength = 12;
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    std::size_t end = std::min(kLength, text.size());
    while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) ++end;
    pieces.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return pieces;
}

std::string_view name_of(Fate fate) {
  static constexpr std::string_view kNames[] = {
      "answered",  "rate_limited", "rate_limited_plain", "server_error", "hang", "cut",
      "truncated", "refused",      "malformed",          "illegal",      "empty"};
  static_assert(std::size(kNames) == static_cast<std::size_t>(Fate::empty) + 1);
  return kNames[static_cast<std::size_t>(fate)];
}

std::optional<ParsedCall> parse_call(Spoken wire, std::string_view body) {
  const std::optional<bj::object> read = object_in(body, 64);
  if (!read) return {};
  const bj::object& o = *read;
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
    const std::string_view place = wire == Spoken::responses ? "input" : "messages";
    const bj::value* messages = value_at(o, place);
    if (messages == nullptr || !messages->is_array()) return {};
    for (const bj::object* m : entries_at(o, place))
      call.messages.push_back({text_at(*m, "role"), words_at(*m, "content")});
  }
  for (const std::string_view name : {"max_tokens", "max_completion_tokens", "max_output_tokens"})
    call.max_tokens = std::max(call.max_tokens, count_at(o, name));
  const bj::value* stream = value_at(o, "stream");
  call.stream = stream != nullptr && stream->is_bool() && stream->get_bool();
  if (wire == Spoken::chat || wire == Spoken::completions) {
    // Of chats `logprobs` says whether there are any, of completions how many.
    const std::int64_t likely = count_at(o, wire == Spoken::chat ? "top_logprobs" : "logprobs");
    call.likely = static_cast<int>(std::clamp<std::int64_t>(likely, 0, 20));
    call.choices = static_cast<int>(std::clamp<std::int64_t>(count_at(o, "n"), 1, 128));
  }
  read_schema(o, call);
  return call;
}

CannedReply error_reply(Spoken wire, int status, std::string_view type, std::string_view code,
                        std::string_view message) {
  JsonWriter w;
  if (wire == Spoken::gemini) {
    w.open_object().name("error").open_object().name("code").number(status);
    w.name("message").text(message).name("status");
    w.text(status == 404   ? "NOT_FOUND"
           : status == 429 ? "RESOURCE_EXHAUSTED"
           : status >= 500 ? "INTERNAL"
                           : "INVALID_ARGUMENT");
    if (!code.empty()) {
      w.name("details").open_list().open_object();
      w.name("reason").text(code).close_object().close_list();
    }
    w.close_object();
    return {.status = status, .body = w.close_object().take()};
  }
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
      reply.body = is_anthropic                     ? anthropic_body(call, speech, number)
                   : call.wire == Spoken::responses ? responses_body(call, speech, number)
                   : call.wire == Spoken::gemini    ? gemini_body(call, speech, number)
                                                    : openai_body(call, speech, number);
  }
  if (call.stream && reply.status < 300) {
    reply.body = is_anthropic                     ? block_stream(reply.body)
                 : call.wire == Spoken::responses ? last_event_stream(reply.body)
                 : call.wire == Spoken::gemini    ? gemini_stream(reply.body)
                                                  : chunk_stream(reply.body);
    reply.headers.emplace_back("Content-Type", "text/event-stream");
  }
  reply.hangs = speech.fate == Fate::hang;
  reply.is_cut = speech.fate == Fate::cut;
  reply.latency_ms = speech.latency_ms;
  reply.headers.emplace_back(is_anthropic ? "request-id" : "x-request-id",
                             fmt::format("req_{}", number));
  return reply;
}

}  // namespace agon::llm::mock
