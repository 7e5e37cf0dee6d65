#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

/// What a model said with calls of tools, item by item as it came: thoughts are encrypted, since
/// nothing is stored at the endpoint, and it goes on with them.
void write_items(JsonWriter& w, std::string_view text) {
  if (const std::string turn = read_tool_turn(text); turn.starts_with('[')) {
    const JsonDocument items(turn, "");
    for (std::size_t i = 0; i < items.root().size(); ++i) w.json(items.root()[i].write());
    return;
  }
  for (const ToolCall& call : read_tool_calls(text)) {
    w.open_object().name("type").text("function_call").name("call_id").text(call.id);
    w.name("name").text(call.name).name("arguments").text(call.arguments).close_object();
  }
}

void write_responses_dialogue(JsonWriter& w, const WireRequest& request) {
  w.name("model").text(request.model).name("input").open_list();
  for (const ChatMessage& m : request.messages) {
    if (m.role == kToolCalls) {
      write_items(w, m.text);
    } else if (m.role == kToolResult) {
      const ToolResult result = read_tool_result(m.text);
      w.open_object().name("type").text("function_call_output").name("call_id").text(result.id);
      w.name("output").text(result.text).close_object();
    } else {
      w.open_object().name("role").text(m.role).name("content").text(m.text).close_object();
    }
  }
  w.close_list();
}

void write_responses_form(JsonWriter& w, const WireRequest& request) {
  w.name("text").open_object().name("format").open_object();
  if (request.form == WireForm::object) {
    w.name("type").text("json_object");
  } else {
    w.name("type").text("json_schema").name("name").text("answer").name("strict").truth(true);
    w.name("schema").json(request.schema);
  }
  w.close_object().close_object();
}

void write_responses_parameters(JsonWriter& w, const WireRequest& request) {
  w.name("store").truth(false);
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (request.max_tokens > 0) w.name("max_output_tokens").number(request.max_tokens);
  if (!request.reasoning_effort.empty())
    w.name("reasoning").open_object().name("effort").text(request.reasoning_effort).close_object();
  if (request.form != WireForm::text) write_responses_form(w, request);
  if (request.stream) w.name("stream").truth(true);
  if (request.tools.empty()) return;
  if (request.returns_thoughts)
    w.name("include").open_list().text("reasoning.encrypted_content").close_list();
  w.name("tools").open_list();
  for (const ModelTool& tool : request.tools) {
    w.open_object().name("type").text("function").name("name").text(tool.name);
    w.name("description").text(tool.doc).name("parameters").json(tool.schema);
    w.name("strict").truth(false).close_object();
  }
  w.close_list();
  w.name("tool_choice").text(request.must_answer ? "none" : "auto");
}

/// The texts of a list of parts under one of their members.
std::string texts_in(const bj::object& item, std::string_view list, std::string_view member) {
  std::string text;
  for (const bj::object* part : entries_at(item, list)) text += text_at(*part, member);
  return text;
}

std::optional<WireError> read_responses(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (auto error = error_in(body, 200)) return error;
  const bj::value* output = value_at(body, "output");
  if (output == nullptr || !output->is_array())
    throw Error(ErrorKind::invalid, "the reply holds no output");
  read_openai_account(body, call);
  call.finish = text_at(body, "status");
  std::string refusal;
  for (const bj::object* item : entries_at(body, "output")) {
    const std::string type = text_at(*item, "type");
    if (type == "message") {
      call.text += texts_in(*item, "content", "text");
      refusal += texts_in(*item, "content", "refusal");
    } else if (type == "reasoning") {
      call.reasoning += texts_in(*item, "summary", "text") + texts_in(*item, "content", "text");
    }
  }
  if (const bj::object* details = object_at(body, "incomplete_details"))
    call.finish = text_at(*details, "reason");
  set_fault(call, refusal, "max_output_tokens");
  if (call.text.empty()) call.text = refusal;
  return std::nullopt;
}

WireToolCalls read_responses_tools(std::string_view reply) {
  const bj::object body = object_of(reply);
  WireToolCalls made;
  for (const bj::object* item : entries_at(body, "output")) {
    if (text_at(*item, "type") == "message") made.said += texts_in(*item, "content", "text");
    if (text_at(*item, "type") == "function_call")
      made.calls.push_back(
          {text_at(*item, "call_id"), text_at(*item, "name"), text_at(*item, "arguments")});
  }
  if (!made.calls.empty()) made.turn = json_at(reply, "output");
  return made;
}

}  // namespace

const WireFormat& responses_wire() {
  static constexpr WireFormat wire{.call_path = "/responses",
                                   .models_path = "/models",
                                   .has_reasoning_models = true,
                                   .write_dialogue = &write_responses_dialogue,
                                   .write_parameters = &write_responses_parameters,
                                   .read = &read_responses,
                                   .read_tools = &read_responses_tools};
  return wire;
}

}  // namespace agon::llm
