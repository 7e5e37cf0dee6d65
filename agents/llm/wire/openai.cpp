#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>

#include "llm/wire/form.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

void write_response_format(JsonWriter& w, const ModelRequest& request, Level level,
                           WireRequest& wire) {
  w.name("response_format").open_object();
  if (level == Level::object) {
    w.name("type").text("json_object");
  } else {
    w.name("type").text("json_schema").name("json_schema").open_object();
    w.name("name").text("answer").name("strict").truth(true);
    w.name("schema").json(schema_for_wire(request.schema, level == Level::lean, wire.is_wrapped));
    w.close_object();
  }
  w.close_object();
  wire.is_structured = true;
}

/// All members but model and messages.
std::string openai_parameters(const ModelSpec& spec, const ModelRequest& request,
                              const Capabilities& can, WireRequest& wire) {
  JsonWriter w;
  w.open_object();
  const auto sent = [&](std::string_view name) { return !can.without.contains(name); };
  if (spec.temperature && sent("temperature")) w.name("temperature").number(*spec.temperature);
  if (spec.top_p && sent("top_p")) w.name("top_p").number(*spec.top_p);
  if (spec.seed && sent("seed")) w.name("seed").number(*spec.seed);
  const int limit = request.max_tokens > 0 ? request.max_tokens : spec.max_tokens.value_or(0);
  const std::string_view limit_name =
      can.completion_tokens ? "max_completion_tokens" : "max_tokens";
  if (limit > 0 && sent(limit_name)) w.name(limit_name).number(limit);
  if (!spec.stop.empty() && sent("stop")) {
    w.name("stop").open_list();
    for (const std::string& stop : spec.stop) w.text(stop);
    w.close_list();
  }
  if (!spec.reasoning_effort.empty() && sent("reasoning_effort"))
    w.name("reasoning_effort").text(spec.reasoning_effort);
  if (!request.schema.empty()) {
    Level level = can.level;
    if (level == Level::object && !speaks_of_json(request.messages)) level = Level::text;
    if (level != Level::text) write_response_format(w, request, level, wire);
  }
  if (!spec.extra.empty()) {
    const bj::value extra = bj::parse(spec.extra);  // checked when the spec was resolved
    for (const auto& member : extra.get_object())
      w.name(member.key()).json(bj::serialize(member.value()));
  }
  return w.close_object().take();
}

WireRequest encode_openai(const ModelSpec& spec, const ModelRequest& request,
                          const Capabilities& can) {
  WireRequest wire;
  wire.parameters = openai_parameters(spec, request, can, wire);
  JsonWriter w;
  w.open_object().name("model").text(spec.model).name("messages").open_list();
  for (const ChatMessage& m : request.messages)
    w.open_object().name("role").text(m.role).name("content").text(m.text).close_object();
  w.close_list();
  wire.body = w.take();
  if (wire.parameters.size() > 2) {
    wire.body += ',';
    wire.body.append(wire.parameters, 1);
  } else {
    wire.body += '}';
  }
  return wire;
}

/// The text of a content that is a string or a list of parts.
std::string content_text(const bj::value& content) {
  if (content.is_string()) return std::string(content.get_string());
  std::string text;
  if (!content.is_array()) return text;
  for (const bj::value& part : content.get_array())
    if (part.is_object()) text += text_at(part.get_object(), "text");
  return text;
}

std::string reasoning_of(const bj::object& message) {
  for (const std::string_view name : {"reasoning_content", "reasoning"}) {
    std::string text = text_at(message, name);
    if (!text.empty()) return text;
  }
  std::string text;
  const bj::value* details = value_at(message, "reasoning_details");
  if (details != nullptr && details->is_array())
    for (const bj::value& part : details->get_array())
      if (part.is_object()) {
        text += text_at(part.get_object(), "text");
        text += text_at(part.get_object(), "summary");
      }
  return text;
}

/// The arguments of the first tool call: a string of JSON, or in some servers the object itself.
std::string tool_arguments(const bj::object& message) {
  const bj::value* calls = value_at(message, "tool_calls");
  if (calls == nullptr || !calls->is_array() || calls->get_array().empty()) return {};
  const bj::value& first = calls->get_array()[0];
  const bj::object* function =
      first.is_object() ? object_at(first.get_object(), "function") : nullptr;
  const bj::value* arguments = function == nullptr ? nullptr : value_at(*function, "arguments");
  if (arguments == nullptr) return {};
  return arguments->is_string() ? std::string(arguments->get_string()) : bj::serialize(*arguments);
}

void read_openai_usage(const bj::object& body, ModelCall& call) {
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

Outcome decode_openai(const HttpReply& reply, const WireRequest& request, ModelCall& call) {
  Outcome out;
  out.status = reply.status;
  call.request_id = reply.header("x-request-id");
  const std::optional<bj::object> body = body_of(reply, out, call);
  if (!body) return out;
  if (const auto error = error_in(*body, reply.status))
    return classify(status_of(reply, *error), *error, request.is_structured, call);
  if (reply.status >= 300)
    return classify(reply.status, {.message = reply.body}, request.is_structured, call);

  const bj::value* choices = value_at(*body, "choices");
  const bj::object* choice = nullptr;
  if (choices != nullptr && choices->is_array() && !choices->get_array().empty() &&
      choices->get_array()[0].is_object())
    choice = &choices->get_array()[0].get_object();
  const bj::object* message = choice == nullptr ? nullptr : object_at(*choice, "message");
  if (choice != nullptr)
    if (const auto error = error_in(*choice, 0))
      return classify(status_of(reply, *error), *error, request.is_structured, call);
  if (message == nullptr) {
    out.sort = Sort::transient;
    out.problem = "the reply holds no message: " + excerpt(reply.body, 80);
    return out;
  }

  call.served_model = text_at(*body, "model");
  call.fingerprint = text_at(*body, "system_fingerprint");
  // A router says who served the call; that is part of which system it was.
  if (const std::string routed = text_at(*body, "provider"); !routed.empty())
    call.fingerprint += (call.fingerprint.empty() ? "" : " ") + ("provider:" + routed);
  if (call.request_id.empty()) call.request_id = text_at(*body, "id");
  read_openai_usage(*body, call);
  call.finish = text_at(*choice, "finish_reason");
  if (call.finish == "error") {
    out.sort = Sort::transient;
    out.problem = "the endpoint ended the answer with an error";
    return out;
  }
  if (const bj::value* content = value_at(*message, "content")) call.text = content_text(*content);
  call.reasoning = reasoning_of(*message);
  split_thought(call.text, call.reasoning);
  if (call.text.empty()) call.text = tool_arguments(*message);

  if (const std::string refusal = text_at(*message, "refusal"); !refusal.empty()) {
    call.fault = Fault::refused;
    if (call.text.empty()) call.text = refusal;
    call.problem = "the model refused: " + excerpt(refusal);
  } else if (call.finish == "content_filter") {
    call.fault = Fault::refused;
    call.problem = "the endpoint's filter held the answer back";
  } else if (call.finish == "length") {
    call.fault = Fault::truncated;
    call.problem = "the answer was cut off at the limit of tokens";
  } else if (call.text.find_first_not_of(" \t\r\n") == std::string::npos) {
    call.fault = Fault::empty;
    call.problem = "the model said nothing";
  }
  if (request.is_wrapped) unwrap(call.text);
  return out;
}

}  // namespace

const Wire& openai_wire() {
  static constexpr Wire wire{"/chat/completions", "/models", &encode_openai, &decode_openai};
  return wire;
}

}  // namespace agon::llm
