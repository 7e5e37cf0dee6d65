#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "llm/wire/form.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

constexpr int kDefaultMaxTokens = 4096;

/// Only users and the assistant speak, in turn, and a user begins; what the system says goes first.
struct Dialogue {
  std::string system;
  std::vector<ChatMessage> turns;
};

Dialogue dialogue_of(const std::vector<ChatMessage>& messages) {
  Dialogue d;
  for (const ChatMessage& m : messages) {
    if (m.role == "system" && d.turns.empty()) {
      d.system += (d.system.empty() ? "" : "\n\n") + m.text;
      continue;
    }
    const std::string role = m.role == "assistant" ? "assistant" : "user";
    if (d.turns.empty() && role == "assistant") d.turns.push_back({"user", "Begin."});
    if (!d.turns.empty() && d.turns.back().role == role)
      d.turns.back().text += "\n\n" + m.text;
    else
      d.turns.push_back({role, m.text});
  }
  if (d.turns.empty()) d.turns.push_back({"user", "Begin."});
  return d;
}

std::string anthropic_parameters(const ModelSpec& spec, const ModelRequest& request,
                                 const Capabilities& can, WireRequest& wire) {
  JsonWriter w;
  w.open_object();
  const auto sent = [&](std::string_view name) { return !can.without.contains(name); };
  const int limit =
      request.max_tokens > 0 ? request.max_tokens : spec.max_tokens.value_or(kDefaultMaxTokens);
  w.name("max_tokens").number(limit);
  if (spec.temperature && sent("temperature")) w.name("temperature").number(*spec.temperature);
  if (spec.top_p && sent("top_p")) w.name("top_p").number(*spec.top_p);
  if (!spec.stop.empty() && sent("stop_sequences")) {
    w.name("stop_sequences").open_list();
    for (const std::string& stop : spec.stop) w.text(stop);
    w.close_list();
  }
  // There is no level between a forced tool and plain text here.
  if (!request.schema.empty() && can.level <= Level::lean) {
    w.name("tools").open_list().open_object();
    w.name("name").text("answer").name("description").text("Give your answer.");
    w.name("input_schema")
        .json(schema_for_wire(request.schema, can.level == Level::lean, wire.is_wrapped));
    w.close_object().close_list();
    w.name("tool_choice").open_object().name("type").text("tool").name("name").text("answer");
    w.close_object();
    wire.is_structured = true;
  }
  if (!spec.extra.empty()) {
    const bj::value extra = bj::parse(spec.extra);  // checked when the spec was resolved
    for (const auto& member : extra.get_object())
      w.name(member.key()).json(bj::serialize(member.value()));
  }
  return w.close_object().take();
}

WireRequest encode_anthropic(const ModelSpec& spec, const ModelRequest& request,
                             const Capabilities& can) {
  WireRequest wire;
  wire.parameters = anthropic_parameters(spec, request, can, wire);
  const Dialogue d = dialogue_of(request.messages);
  JsonWriter w;
  w.open_object().name("model").text(spec.model);
  if (!d.system.empty()) w.name("system").text(d.system);
  w.name("messages").open_list();
  for (const ChatMessage& m : d.turns)
    w.open_object().name("role").text(m.role).name("content").text(m.text).close_object();
  w.close_list();
  wire.body = w.take();
  wire.body += ',';
  wire.body.append(wire.parameters, 1);
  return wire;
}

/// The input of a tool as JSON text, its numbers digit by digit as they came.
std::string tool_input(const HttpReply& reply, const bj::value& input, std::size_t block) {
  try {
    const JsonDocument document(reply.body, "");
    return document.root()["content"][block]["input"].write();
  } catch (const Error&) {
    return bj::serialize(input);
  }
}

void read_content(const HttpReply& reply, const bj::array& content, ModelCall& call) {
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (!content[i].is_object()) continue;
    const bj::object& block = content[i].get_object();
    const std::string type = text_at(block, "type");
    if (type == "text") {
      call.text += text_at(block, "text");
    } else if (type == "thinking") {
      call.reasoning += text_at(block, "thinking");
    } else if (type == "tool_use") {
      // The tool is the answer; what was said beside it is thought.
      if (const bj::value* input = value_at(block, "input")) {
        call.reasoning += call.text;
        call.text = tool_input(reply, *input, i);
        return;
      }
    }
  }
}

void read_anthropic_usage(const bj::object& body, ModelCall& call) {
  const bj::object* usage = object_at(body, "usage");
  if (usage == nullptr) return;
  call.usage.output = count_at(*usage, "output_tokens");
  call.usage.input = count_at(*usage, "input_tokens");
  call.usage.cached = count_at(*usage, "cache_read_input_tokens");
  if (call.usage.input < 0) return;
  // Here the input leaves out what is written to or read from the cache.
  call.usage.input += std::max<std::int64_t>(0, call.usage.cached);
  call.usage.input += std::max<std::int64_t>(0, count_at(*usage, "cache_creation_input_tokens"));
}

Outcome decode_anthropic(const HttpReply& reply, const WireRequest& request, ModelCall& call) {
  Outcome out;
  out.status = reply.status;
  call.request_id = reply.header("request-id");
  const std::optional<bj::object> body = body_of(reply, out, call);
  if (!body) return out;
  if (call.request_id.empty()) call.request_id = text_at(*body, "request_id");
  if (const auto error = error_in(*body, reply.status))
    return classify(status_of(reply, *error), *error, request.is_structured, call);
  const bj::value* content = value_at(*body, "content");
  if (reply.status >= 300)
    return classify(reply.status, {.message = reply.body}, request.is_structured, call);
  if (content == nullptr || !content->is_array()) {
    out.sort = Sort::transient;
    out.problem = "the reply holds no content: " + excerpt(reply.body, 80);
    return out;
  }
  call.served_model = text_at(*body, "model");
  if (call.request_id.empty()) call.request_id = text_at(*body, "id");
  call.finish = text_at(*body, "stop_reason");
  read_anthropic_usage(*body, call);
  read_content(reply, content->get_array(), call);
  split_thought(call.text, call.reasoning);
  if (call.finish == "refusal") {
    call.fault = Fault::refused;
    call.problem = "the model refused";
  } else if (call.finish == "max_tokens" || call.finish == "model_context_window_exceeded") {
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

const Wire& anthropic_wire() {
  static constexpr Wire wire{"/v1/messages", "/v1/models", &encode_anthropic, &decode_anthropic};
  return wire;
}

}  // namespace agon::llm
