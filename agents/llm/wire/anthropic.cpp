#include <agon/error.hpp>
#include <agon/json_reader.hpp>
#include <agon/json_writer.hpp>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include "llm/wire/dialogue.hpp"
#include "llm/wire/exchange.hpp"
#include "llm/wire/reading.hpp"

namespace agon::llm {
namespace {

namespace bj = boost::json;
using namespace wire;

constexpr int kDefaultMaxTokens = 4096;

/// The tool that a schema becomes.
constexpr std::string_view kTool = "answer";

/// The mark up to which a cache is to keep the request.
void write_kept(JsonWriter& w) {
  w.name("cache_control").open_object().name("type").text("ephemeral").close_object();
}

void write_text(JsonWriter& w, const std::string& text, bool is_kept) {
  w.open_object().name("type").text("text").name("text").text(text);
  if (is_kept) write_kept(w);
  w.close_object();
}

/// What somebody says: a text alone as it is.
void write_content(JsonWriter& w, const std::vector<ChatMessage>& blocks, bool is_kept) {
  if (!is_kept && blocks.size() == 1 && blocks[0].role == "text") {
    w.text(blocks[0].text);
    return;
  }
  w.open_list();
  for (const ChatMessage& block : blocks) {
    if (block.role == "text") {
      write_text(w, block.text, is_kept && &block == &blocks.back());
    } else if (block.role == kToolResult) {
      const ToolResult result = read_tool_result(block.text);
      w.open_object().name("type").text("tool_result").name("tool_use_id").text(result.id);
      w.name("content").text(result.text).close_object();
    } else if (const std::string turn = read_tool_turn(block.text); turn.starts_with('[')) {
      // Thoughts go back with their signatures, and words with them, in the order in which they
      // were said.
      const JsonDocument document(turn, "");
      for (std::size_t i = 0; i < document.root().size(); ++i) w.json(document.root()[i].write());
    } else {
      for (const ToolCall& call : read_tool_calls(block.text)) {
        w.open_object().name("type").text("tool_use").name("id").text(call.id);
        w.name("name").text(call.name).name("input");
        // What is no object cannot be sent back as one.
        w.json(call.arguments.starts_with('{') ? call.arguments : "{}").close_object();
      }
    }
  }
  w.close_list();
}

void write_tool(JsonWriter& w, std::string_view name, std::string_view doc,
                std::string_view schema) {
  w.open_object().name("name").text(name).name("description").text(doc);
  w.name("input_schema").json(schema).close_object();
}

void write_anthropic_parameters(JsonWriter& w, const WireRequest& request) {
  w.name("max_tokens").number(request.max_tokens > 0 ? request.max_tokens : kDefaultMaxTokens);
  if (request.temperature) w.name("temperature").number(*request.temperature);
  if (request.top_p) w.name("top_p").number(*request.top_p);
  if (!request.stop.empty()) write_texts(w.name("stop_sequences"), request.stop);
  if (request.stream) w.name("stream").truth(true);
  // A model that thinks cannot be made to call a tool: its answer is words of that form.
  const bool by_tool = request.form == WireForm::schema && !request.thinks;
  if (request.form == WireForm::schema && request.thinks) {
    w.name("output_config").open_object().name("format").open_object();
    w.name("type").text("json_schema").name("schema").json(request.schema);
    w.close_object().close_object();
  }
  if (!by_tool && request.tools.empty()) return;
  w.name("tools").open_list();
  if (by_tool) write_tool(w, kTool, "Give your answer.", request.schema);
  for (const ModelTool& tool : request.tools) write_tool(w, tool.name, tool.doc, tool.schema);
  w.close_list();
  // An answer that is a tool's comes when nothing else may be called, or when the model chooses it.
  const bool may_call = !request.tools.empty() && !request.must_answer;
  w.name("tool_choice").open_object().name("type");
  if (by_tool && !may_call)
    w.text("tool").name("name").text(kTool);
  else
    w.text(by_tool ? "any" : may_call ? "auto" : "none");
  w.close_object();
}

void write_anthropic_dialogue(JsonWriter& w, const WireRequest& request) {
  const Dialogue d = dialogue_of(request.messages, request.stable);
  w.name("model").text(request.model);
  if (!d.system.empty()) {
    w.name("system");
    write_content(w, {{"text", d.system}}, d.keeps_system);
  }
  w.name("messages").open_list();
  for (std::size_t i = 0; i < d.turns.size(); ++i) {
    w.open_object().name("role").text(d.turns[i].role).name("content");
    write_content(w, d.turns[i].blocks, i + 1 == d.stable_turns && d.turns.size() > 1);
    w.close_object();
  }
  w.close_list();
}

/// The input of a tool as JSON text, its numbers digit by digit as they came.
std::string tool_input(std::string_view reply, const bj::value& input, std::size_t block) {
  try {
    const JsonDocument document(std::string(reply), "");
    return document.root()["content"][block]["input"].write();
  } catch (const Error&) {
    return bj::serialize(input);
  }
}

void read_content(std::string_view reply, const bj::array& content, ModelCall& call) {
  std::string answer;  // what went into the tool for it
  std::string other;   // into tools that nobody offered
  for (std::size_t i = 0; i < content.size(); ++i) {
    if (!content[i].is_object()) continue;
    const bj::object& block = content[i].get_object();
    const std::string type = text_at(block, "type");
    if (type == "text") {
      call.text += text_at(block, "text");
    } else if (type == "thinking") {
      call.reasoning += text_at(block, "thinking");
    } else if (type == "tool_use") {
      std::string& inputs = text_at(block, "name") == kTool ? answer : other;
      if (const bj::value* input = value_at(block, "input"))
        inputs += (inputs.empty() ? "" : "\n") + tool_input(reply, *input, i);
    }
  }
  if (answer.empty() && says_nothing(call)) answer = std::move(other);
  if (answer.empty()) return;
  // What was said beside the answer is thought.
  call.reasoning += call.text;
  call.text = std::move(answer);
}

WireToolCalls read_anthropic_tools(std::string_view reply) {
  const bj::object body = object_of(reply);
  WireToolCalls made;
  const bj::value* content = value_at(body, "content");
  if (content == nullptr || !content->is_array()) return made;
  const bj::array& blocks = content->get_array();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    if (!blocks[i].is_object()) continue;
    const bj::object& block = blocks[i].get_object();
    const std::string type = text_at(block, "type");
    if (type == "text") made.said += text_at(block, "text");
    if (type != "tool_use") continue;
    if (text_at(block, "name") == kTool) return {};  // it has answered
    const bj::value* input = value_at(block, "input");
    made.calls.push_back({text_at(block, "id"), text_at(block, "name"),
                          input == nullptr ? "" : tool_input(reply, *input, i)});
  }
  if (!made.calls.empty()) made.turn = json_at(reply, "content");
  return made;
}

void read_anthropic_usage(const bj::object& body, ModelCall& call) {
  const bj::object* usage = object_at(body, "usage");
  if (usage == nullptr) return;
  call.usage.output = count_at(*usage, "output_tokens");
  call.usage.input = count_at(*usage, "input_tokens");
  call.usage.cached = count_at(*usage, "cache_read_input_tokens");
  call.usage.written = count_at(*usage, "cache_creation_input_tokens");
  if (call.usage.input < 0) return;
  // Here the input leaves out what is written to or read from the cache.
  call.usage.input += std::max<std::int64_t>(0, call.usage.cached);
  call.usage.input += std::max<std::int64_t>(0, call.usage.written);
}

std::optional<WireError> read_anthropic(std::string_view reply, ModelCall& call) {
  const bj::object body = object_of(reply);
  if (call.request_id.empty()) call.request_id = text_at(body, "request_id");
  if (auto error = error_in(body, 200)) return error;
  const bj::value* content = value_at(body, "content");
  if (content == nullptr || !content->is_array())
    throw Error(ErrorKind::invalid, "the reply holds no content");
  call.served_model = text_at(body, "model");
  if (call.request_id.empty()) call.request_id = text_at(body, "id");
  call.finish = text_at(body, "stop_reason");
  read_anthropic_usage(body, call);
  read_content(reply, content->get_array(), call);
  if (call.finish == "refusal") call.fault = Fault::refused;
  if (call.finish == "max_tokens" || call.finish == "model_context_window_exceeded")
    call.fault = Fault::truncated;
  return std::nullopt;
}

}  // namespace

const WireFormat& anthropic_wire() {
  static constexpr WireFormat wire{.call_path = "/v1/messages",
                                   .models_path = "/v1/models",
                                   .write_dialogue = &write_anthropic_dialogue,
                                   .write_parameters = &write_anthropic_parameters,
                                   .read = &read_anthropic,
                                   .read_tools = &read_anthropic_tools};
  return wire;
}

}  // namespace agon::llm
